//! The contract of a design: what `docs/rtl.md` promises of `D_exchange`.

use super::aiger::{Aig, Literal};
use super::graph::{Start, graph};
use super::lemmas::{self, Watch};
use super::replay::{first_violation, write};
use super::symbols::{SymbolError, Symbols};
use super::{FormalError, Ground, Proof, Verdict, abc, write_sources};
use crate::output::{make_folder, write_file};
use frit_cells::netlist::print::SourceFile;
use frit_rtl::contract::{PROPERTIES, module, render};
use frit_schedule::{Plan, Timeline};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A design whose contract is to be proved.
pub struct Contract<'a> {
    /// The plan, of which the contract is written.
    pub plan: &'a Plan,
    /// Bits of a word.
    pub width: u32,
    /// The Verilog of the design.
    pub files: &'a [SourceFile],
    /// Whether lemmas are looked for; without them only small designs are proved.
    pub lemmas: bool,
}

const GRAPH: &str = "contract";
/// The graph with `bad_o` alone.
const BAD: &str = "bad.aig";

/// Proves that the Verilog of the design keeps the contract. Files: `rtl/` and `contract/`.
pub fn prove_contract(ground: &Ground, contract: &Contract) -> Result<Proof, FormalError> {
    let start = Instant::now();
    let Contract { plan, width, .. } = *contract;
    let sources = write_sources(ground, "rtl", contract.files)?;
    let folder = ground.folder.join("contract");
    make_folder(&folder)?;
    let top = module(&plan.design_name(width));
    let file = format!("{top}.sv");
    write_file(&folder.join(&file), render(plan, width))?;
    let files: Vec<String> = sources.into_iter().chain([file]).collect();
    let (mut aig, symbols) = graph(ground.tools, &folder, GRAPH, &files, &top, Start::Any)?;
    let refused = |error: SymbolError| FormalError::Graph {
        path: folder.join(format!("{GRAPH}.aig")),
        what: error.to_string(),
    };
    let ports = Ports::read(&aig, &symbols).map_err(refused)?;
    aig.outputs = vec![ports.bad];
    let search = Search { ground, folder: &folder, top: &top, aig: &aig, symbols: &symbols, ports };
    let found = if contract.lemmas { search.with_lemmas()? } else { None };
    let cycles = Timeline::new(plan, width).cycles;
    let (engine, verdict) = match found {
        Some(verdict) => ("induction with lemmas", verdict),
        None => search.plain(2 * cycles + 8)?,
    };
    Ok(Proof { property: "contract".into(), engine, verdict, time: start.elapsed() })
}

/// The ports of the circuit that watches.
struct Ports {
    /// `bad_o`.
    bad: Literal,
    /// The bits of `violation_o` that are not constant, each with its number.
    violations: Vec<(u32, Literal)>,
    /// The latches of its state, and that of the first cycle.
    key: Vec<u32>,
    /// The inputs on which that depends.
    control: Vec<u32>,
}

impl Ports {
    fn read(aig: &Aig, symbols: &Symbols) -> Result<Self, SymbolError> {
        let bits = |name: &str| -> Result<Vec<(u32, Literal)>, SymbolError> {
            let numbers = symbols.output(name)?;
            Ok(numbers.iter().map(|(bit, at)| (*bit, aig.outputs[*at as usize])).collect())
        };
        let state = bits("state_o")?.into_iter().filter_map(|(_, literal)| aig.as_latch(literal));
        Ok(Ports {
            bad: bits("bad_o")?[0].1,
            violations: bits("violation_o")?,
            key: state.chain(symbols.started).collect(),
            control: [symbols.input("rst_i")?, symbols.input("start_i")?].concat(),
        })
    }
}

/// A graph whose outputs must not rise.
struct Search<'a> {
    ground: &'a Ground<'a>,
    folder: &'a Path,
    top: &'a str,
    aig: &'a Aig,
    symbols: &'a Symbols,
    ports: Ports,
}

impl Search<'_> {
    /// The proof, if lemmas suffice for one.
    fn with_lemmas(&self) -> Result<Option<Verdict>, FormalError> {
        let Ports { key, control, .. } = &self.ports;
        let watch = Watch { aig: self.aig, key, control, violations: 1 };
        let Ok(findings) = lemmas::find(&watch) else { return Ok(None) };
        if !findings.open.is_empty() {
            return Ok(None);
        }
        write_file(&self.folder.join("lemmas.aig"), findings.with_lemmas(&watch).write())?;
        let Ground { tools, limit, .. } = *self.ground;
        // A lemma that does not hold says nothing of the contract.
        let proved = abc::induction(tools, self.folder, "lemmas.aig", limit)?;
        Ok(proved.then(|| Verdict::Proved { depth: 1, lemmas: findings.lemmas() }))
    }

    /// A counterexample of at most so many cycles, or a proof, or neither in time.
    fn plain(&self, frames: u64) -> Result<(&'static str, Verdict), FormalError> {
        write_file(&self.folder.join(BAD), self.aig.write())?;
        let Ground { tools, limit, .. } = *self.ground;
        if let Some(inputs) = abc::counterexample(tools, self.folder, BAD, frames, limit / 2)? {
            return Ok(("bounded model checking", self.refuted(&inputs)?));
        }
        let verdict = match abc::search(tools, self.folder, BAD, true, limit)? {
            abc::Answer::Never { depth } => Verdict::Proved { depth, lemmas: 0 },
            abc::Answer::Rises { inputs } => self.refuted(&inputs)?,
            abc::Answer::Open => Verdict::Open,
        };
        Ok(("IC3", verdict))
    }

    /// What happens with these inputs, as a waveform.
    fn refuted(&self, inputs: &[Vec<bool>]) -> Result<Verdict, FormalError> {
        let literals: Vec<Literal> = self.ports.violations.iter().map(|(_, literal)| *literal).collect();
        let violation = first_violation(self.aig, inputs, self.ports.bad, &literals);
        let (cycle, risen) =
            violation.ok_or_else(|| FormalError::Replay { folder: self.folder.to_path_buf() })?;
        let what = risen.into_iter().map(|at| PROPERTIES[self.ports.violations[at].0 as usize]).collect();
        let wave: PathBuf = self.folder.join("counterexample.vcd");
        write(&wave, self.top, self.aig, self.symbols, &inputs[..=cycle as usize])?;
        Ok(Verdict::Refuted { cycle, what, wave })
    }
}
