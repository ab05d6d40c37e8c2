//! Kinds of core that people instantiate. A device is a core with its netlist, with or without a fault, its files, its packages, its facts. No
//! tool runs here: emitting Verilog, in a browser too, needs no simulator.
//!
//! Modules in reading order: [`crossbar`], [`loaded`] (a schedule in memories), [`messages`] (around it), [`permute`] (a stream's
//! permutation): these also have what is done with them in a trial and what must be seen then ([`Recorded`]). [`dilated`] and [`multibutterfly`],
//! whose events `frit_cosim` compares; [`exchange`], the files of exchanges and of the tops around them.
//! [`parts`]: what of them is synthesised; [`floor`]: the fewest cells of a fabric.

pub mod crossbar;
pub mod dilated;
pub mod exchange;
pub mod floor;
pub mod loaded;
pub mod messages;
pub mod multibutterfly;
pub mod parts;
pub mod permute;
mod ways;

pub use frit_trial::agent;

use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_network::Refusal;
use frit_network::facts::Facts;
use frit_rtl::Files;
use frit_rtl::library::Sources;

/// A core that people instantiate, as files.
pub trait Device: Sync {
    fn name(&self) -> String {
        self.netlist().names.design.clone()
    }
    /// The module that people instantiate, and that a netlist takes the place of.
    fn top(&self) -> String {
        self.netlist().top().name.clone()
    }
    /// The D of its testbench `tb_D`.
    fn testbench(&self) -> String {
        self.top()
    }
    fn netlist(&self) -> &Netlist;
    /// The same, for a caller that says where its cells are.
    fn netlist_mut(&mut self) -> &mut Netlist;
    /// How its modules are written.
    fn style(&self) -> Style {
        Style::Unrolled
    }
    /// The modules that are written, if more than the core's are.
    fn written(&self) -> Netlist {
        self.netlist().clone()
    }
    /// The modules without a fault, if they are also tried one by one.
    fn sound(&self) -> Option<Netlist> {
        None
    }
    /// Its testbench with its tables, lists of files and Makefile. `sources` are the names of the files of its modules.
    fn bench(&self, sources: &[String]) -> Files;
    /// What other build tools read of these `files`, and the datasheet; `library`: the folder of the cells that designs share.
    fn package(&self, _files: &Files, _library: Option<&str>) -> Files {
        Files::new()
    }
    /// The command that writes its files.
    fn command(&self) -> String;
    /// What is said of it, sizes first.
    fn facts(&self) -> Facts;

    /// Its files: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile.
    fn files(&self, library: Option<&str>) -> Files {
        let Sources { mut files, list } = Sources::new(&self.written(), self.style(), library);
        files.extend(self.bench(&list));
        files
    }
}

/// A device with what is done with it and seen at its ports, record by record.
pub trait Recorded: Device {
    /// What its trial is, in a line.
    fn trial(&self) -> String;
    /// What its records are called.
    fn recording(&self) -> Recording {
        Recording { record: "event", none: "nothing more", figure: "words" }
    }
    /// What the model sees.
    fn expected(&self) -> Vec<Record>;
    /// Runs the rust-hdl network.
    ///
    /// # Errors
    ///
    /// If rust-hdl cannot simulate it.
    fn simulate(&self) -> Result<Seen, Refusal>;
    /// A record from a line of a testbench's file.
    fn read(&self, line: &str) -> Option<Record>;
}

pub fn style_name(style: Style) -> &'static str {
    match style {
        Style::Unrolled => "unrolled",
        Style::Compact => "compact",
    }
}

/// How a core's records are named.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// What a record is called. The plusarg of the testbench is its plural, and so is the file that it writes.
    pub record: &'static str,
    /// What is said where an engine or the model has no further record.
    pub none: &'static str,
    /// What an engine's figure counts.
    pub figure: &'static str,
}

impl Recording {
    /// The plusarg with which a testbench writes its records.
    pub fn plusarg(&self) -> String {
        format!("{}s", self.record)
    }

    pub fn file(&self) -> String {
        format!("{}s.csv", self.record)
    }
}

/// What happened at the ports of a core at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub phase: usize,
    /// The cycle of the phase.
    pub cycle: u64,
    /// What happened, in words.
    pub what: String,
    /// Whether an engine's figure counts the record.
    pub counts: bool,
}

/// What an engine saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Its records, in order.
    pub records: Vec<Record>,
    /// What its own checks complain of first, if they do.
    pub complaint: Option<String>,
}
