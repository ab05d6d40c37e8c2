//! RTL = netlist, by induction over Yosys's equivalence cells.

use super::{Family, SynthError, netlist};
use crate::output::{read, write_file};
use crate::simulator::{SimulatorError, tool};
use crate::tools::{ToolPath, YOSYS};
use std::path::Path;

/// Whether a netlist was proved to do what its RTL does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nobody asked, or the module is not one that is proved.
    NotAsked,
    /// Every pair of signals of one name is equal in every reachable state.
    Proved,
    /// So many pairs could not be shown to be equal: the netlist is wrong, or the induction too weak.
    Unproven(u64),
}

/// Proves the netlist of `top` in `folder` ([`netlist::FILE`]) against its `sources` there; writes `cells.v` and `prove.log`.
pub fn prove(
    tools: &ToolPath,
    family: Family,
    folder: &Path,
    sources: &[String],
    top: &str,
) -> Result<Proof, SynthError> {
    let text = String::from_utf8_lossy(&read(&folder.join(netlist::FILE))?).into_owned();
    write_file(&folder.join("cells.v"), netlist::models(tools, family, &text)?)?;
    let side = |name: &str, files: &str| {
        format!(
            "read_verilog {files}\nhierarchy -check -top {top}\nproc\nflatten\nopt_clean\nrename {top} {name}\ndesign -stash {name}\n"
        )
    };
    let script = format!(
        "{}{}design -copy-from gold gold\ndesign -copy-from gate gate\n\
         equiv_make gold gate equiv\nequiv_induct\nequiv_status -assert\n",
        side("gold", &sources.join(" ")),
        side("gate", &format!("cells.v {}", netlist::FILE)),
    );
    write_file(&folder.join("prove.ys"), script)?;
    let mut command = tools.command(YOSYS)?;
    command.args(["-q", "prove.ys"]).current_dir(folder);
    match tool(command, &folder.join("prove.log")) {
        Ok(_) => Ok(Proof::Proved),
        Err(SimulatorError::Failed { tail, .. }) if unproven(&tail).is_some() => {
            Ok(Proof::Unproven(unproven(&tail).unwrap_or_default()))
        }
        Err(error) => Err(error.into()),
    }
}

/// How many pairs Yosys says are unproven: `ERROR: Found 64 unproven $equiv cells in 'equiv_status -assert'.`
fn unproven(log: &str) -> Option<u64> {
    let line = log.lines().rev().find(|line| line.contains("unproven $equiv cells"))?;
    line.split_once("Found ")?.1.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_read() {
        let log = "x\nERROR: Found 64 unproven $equiv cells in 'equiv_status -assert'.\n";
        assert_eq!(unproven(log), Some(64));
        assert_eq!(unproven("ERROR: Module `gold' not found"), None);
    }
}
