//! The kinds of core. Each has a room in this folder, which says what the commands do with it, and a line in the `registry`, which
//! says which options it takes. No command asks which kind it is given.

pub mod crossbar;
pub mod dilated;
pub mod exchange;
pub mod loaded;
pub mod multibutterfly;
mod stream;

use crate::Verdict;
use crate::args::{CoreArgs, GenerateArgs, SynthArgs};
use crate::catalog::Entry;
use crate::design::{self, Chosen, Design, designs};
use crate::registry::{self, CROSSBAR, LOADED};
use crate::verified::proofs::Proved;
use crate::verified::report::{Named, Verified, VerifyRequest, verify_device};
use anyhow::{Result, bail};
use frit_cells::netlist::print::Style;
use frit_cosim::synth;
use frit_design::generate::{self, Form, Written};
use frit_device::Recorded;
use frit_network::options::Row;
use frit_router::Router;
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::Multibutterfly;
use frit_schedule::plan::Variant;
use serde_json::Value;

/// What the commands do with a core. One that a kind leaves out is refused.
pub trait Kind {
    /// The core with its trial, with a fault and under the name of a variant.
    fn device(&self, core: &Core, _fault: Option<&str>, _: Option<Variant>) -> Result<Box<dyn Recorded>> {
        refused("verify", core)
    }

    /// `frit generate`: the files of the core in this form.
    fn generate(&self, core: &Core, _: &GenerateArgs, form: &Form) -> Result<Written> {
        Ok(generate::core(&mut *self.device(core, form.fault, form.variant(Style::Unrolled))?, form))
    }

    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        verify_device(asked, core.named(), &*self.device(core, asked.args.fault.as_deref(), None)?)
    }

    /// `frit verify --formal`.
    fn prove(&self, _: &VerifyRequest, core: &Core) -> Result<Proved> {
        refused("verify --formal", core)
    }

    /// `frit synth`: calls `run` with what is synthesised, and the members of JSON that say which it is.
    fn synth(&self, core: &Core, _: &SynthArgs, _run: &Synthesis) -> Result<Verdict> {
        refused("synth", core)
    }
}

/// Synthesises a design; the members of JSON say which it is.
pub type Synthesis<'a> = dyn Fn(synth::SynthDesign, Value) -> Result<Verdict> + 'a;

fn refused<T>(command: &str, core: &Core) -> Result<T> {
    bail!("frit {command} does not apply to {}; use frit route or frit verify", core.row.key)
}

/// The kind of a router that is of a system, if it is.
type Of = fn(&dyn Router) -> Option<&dyn Kind>;

const ROUTERS: &[Of] = &[
    of::<Dilated>,
    of::<Multibutterfly>,
    #[cfg(test)]
    of::<crate::omega::Omega>,
];

fn of<S: Router + Kind>(router: &dyn Router) -> Option<&dyn Kind> {
    router.of::<S>().map(|system| system as &dyn Kind)
}

impl Chosen {
    /// Its kind, if no option makes it another.
    pub fn kind(&self) -> &dyn Kind {
        match &self.design {
            Design::Planned(plan) => plan.as_ref(),
            Design::Routed(router) => {
                let found = ROUTERS.iter().find_map(|of| of(router.as_ref()));
                found.unwrap_or_else(|| panic!("{} is of no kind", router.row().key))
            }
            Design::Streamed(core) => core,
        }
    }
}

/// The kind that an option makes of a system, if one does.
fn by_option(args: &CoreArgs) -> Option<(&'static Entry, &'static dyn Kind)> {
    match () {
        () if args.crossbar.crossbar => Some((&CROSSBAR, &crossbar::Crossbar)),
        () if args.loaded.asked() => Some((&LOADED, &loaded::LoadedCore)),
        () => None,
    }
}

/// A core that a command is asked for.
#[derive(Clone, Copy)]
pub struct Core<'a> {
    pub kind: &'a dyn Kind,
    pub args: &'a CoreArgs,
    pub row: &'static Row,
    /// The design of the table of systems, unless an option makes something else of the system.
    chosen: Option<&'a Chosen>,
    /// Whether the command is asked for several.
    pub many: bool,
}

impl Core<'_> {
    pub fn named(&self) -> Named {
        Named { system: self.row.key, many: self.many }
    }

    /// Bits of a word: those of the arguments, of the design file, or 32.
    pub fn width(&self) -> Result<u32> {
        match self.chosen {
            Some(chosen) => chosen.width(&self.args.width),
            None => self.width_or(design::DEFAULT_WIDTH),
        }
    }

    /// Those of the arguments, or another number.
    pub fn width_or(&self, otherwise: u32) -> Result<u32> {
        design::width(self.args.width.width.as_deref(), otherwise)
    }
}

/// The designs that a command is asked for, and what they are.
pub struct Cores<'a> {
    args: &'a CoreArgs,
    row: &'static Row,
    designs: Vec<Chosen>,
    option: Option<&'static dyn Kind>,
}

impl<'a> Cores<'a> {
    /// What the arguments of a command ask for: one core for each number of terminals. An option that the kind does not take is refused.
    pub fn asked(command: &str, args: &'a CoreArgs) -> Result<Self> {
        let Some((entry, kind)) = by_option(args) else {
            let designs = designs(&args.design)?;
            let row = designs[0].row;
            registry::refuse(command, row, &args.design)?;
            return Ok(Cores { args, row, designs, option: None });
        };
        let row = design::asked_row(&args.design)?;
        entry.refuse(command, row.key, &args.design)?;
        Ok(Cores { args, row, designs: Vec::new(), option: Some(kind) })
    }

    pub fn all(&self) -> Vec<Core<'_>> {
        let Cores { args, row, designs, option } = self;
        let many = designs.len() > 1;
        let of_option = option.map(|kind| Core { kind, args, row, chosen: None, many });
        let of_system = |chosen| Core { kind: Chosen::kind(chosen), args, row, chosen: Some(chosen), many };
        of_option.into_iter().chain(designs.iter().map(of_system)).collect()
    }

    /// The only one.
    pub fn one(&self) -> Result<Core<'_>> {
        match self.all().as_slice() {
            [core] => Ok(*core),
            _ => Err(design::too_many(&self.args.design)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use std::collections::BTreeSet;

    const DEVICE: (&str, &str) = ("device", "");

    /// The core that a design of docs/mutants.md is: its kind, and what stands around an exchange or a loaded schedule.
    fn core_of(row: &str) -> (&'static str, &'static str) {
        let words = ["frit", "generate"].into_iter().chain(row.split_whitespace()).chain(["-o", "x"]);
        let Command::Generate(args) =
            Cli::parse(words.map(Into::into).collect(), design::system_row).unwrap().command
        else {
            panic!("{row}")
        };
        let kind = by_option(&args.core);
        let entry = kind.map_or_else(|| registry::of_system(&args.core.design.system), |(entry, _)| entry);
        let around = match () {
            () if args.selftest.selftest => "--selftest",
            () if args.core.streams.axis => "--axis",
            () => "",
        };
        (entry.name, around)
    }

    /// The cores that no row of a table of mutants is about.
    fn without_mutants(page: &str) -> Vec<(&'static str, &'static str)> {
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        // A device is no core: another command writes it.
        let (devices, rows): (Vec<&str>, Vec<&str>) = rows.partition(|row| row.starts_with("frit device "));
        let cores = rows.into_iter().filter(|row| row.contains(" -n ") || *row == "user");
        let mut measured: BTreeSet<_> = cores.map(core_of).collect();
        measured.extend(devices.first().map(|_| DEVICE));
        let around = [
            (registry::EXCHANGE.name, "--axis"),
            (registry::EXCHANGE.name, "--selftest"),
            (LOADED.name, "--axis"),
        ];
        let kinds = registry::REGISTRY.iter().map(|entry| (entry.name, ""));
        kinds.chain(around).chain([DEVICE]).filter(|core| !measured.contains(core)).collect()
    }

    #[test]
    fn every_kind_of_core_has_a_row_of_mutants() {
        let page = include_str!("../../../docs/mutants.md");
        assert_eq!(without_mutants(page), []);
        let without: String =
            page.lines().filter(|line| !line.contains("--crossbar` ")).map(|l| format!("{l}\n")).collect();
        assert_eq!(without_mutants(&without), [(CROSSBAR.name, "")]);
        assert_eq!(without_mutants(&page.replace("| `frit device", "|")), [DEVICE]);
    }
}
