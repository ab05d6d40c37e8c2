//! The search for a proof that a circuit which watches a design never complains, or for inputs with which it does.

use super::aiger::{Aig, Literal};
use super::graph::{Start, graph};
use super::lemmas::{self, Watch};
use super::replay::{first_violation, write};
use super::simulate::{self, Stimuli};
use super::symbols::Symbols;
use super::{Ground, Verdict, abc};
use frit_network::{Refusal, refusal};
use frit_trace::output::{make_folder, write_file};
use std::path::PathBuf;

/// A circuit that watches a design.
pub struct Circuit<'a> {
    /// The folder of the proof below that of the ground.
    pub folder: &'a str,
    pub top: &'a str,
    pub text: &'a str,
    /// The files of the design, as seen from the folder.
    pub sources: Vec<String>,
    /// What the bits of its `violation_o` say.
    pub properties: &'static [&'static str],
    /// An output that is no property, but needed to prove them.
    pub lemma: Option<&'static str>,
    /// An output that the symbolic simulation takes to be free.
    pub free: Option<&'static str>,
}

/// The graph with `bad_o` alone.
const BAD: &str = "bad.aig";
/// The graph with `bad_o` and the circuit's own lemmas.
const OWN: &str = "lemmas.aig";
/// Of 64 runs each, in which a violation is looked for that bounded model checking does not reach soon.
const BATCHES: u64 = 60;
const BOUNDED: &str = "bounded model checking";

/// A graph whose outputs must not rise.
pub struct Search<'a> {
    ground: &'a Ground<'a>,
    circuit: &'a Circuit<'a>,
    folder: PathBuf,
    aig: Aig,
    symbols: Symbols,
    bad: Literal,
    /// The output that is no property.
    lemma: Option<Literal>,
    /// The bits of `violation_o` that are not constant, each with its number.
    violations: Vec<(u32, Literal)>,
    /// The latches of the circuit's state, and that of the first cycle.
    key: Vec<u32>,
    /// The inputs on which that depends, and what is taken to be free.
    control: Vec<Literal>,
    resets: Vec<u32>,
}

impl<'a> Search<'a> {
    /// Has Yosys make the graph.
    pub fn new(ground: &'a Ground, circuit: &'a Circuit) -> Result<Self, Refusal> {
        let folder = ground.folder.join(circuit.folder);
        make_folder(&folder)?;
        let file = format!("{}.sv", circuit.top);
        write_file(&folder.join(&file), circuit.text)?;
        let files: Vec<String> = circuit.sources.iter().cloned().chain([file]).collect();
        let (aig, symbols) = graph(ground.tools, &folder, circuit.folder, &files, circuit.top, Start::Any)?;
        let path = folder.join(format!("{}.aig", circuit.folder));
        Self::read(ground, circuit, folder, aig, symbols)
            .map_err(|error| refusal!("{}: {error}", path.display()))
    }

    fn read(
        ground: &'a Ground,
        circuit: &'a Circuit,
        folder: PathBuf,
        aig: Aig,
        symbols: Symbols,
    ) -> Result<Self, Refusal> {
        let bits = |name: &str| -> Result<Vec<(u32, Literal)>, Refusal> {
            let numbers = symbols.output(name)?;
            Ok(numbers.iter().map(|(bit, at)| (*bit, aig.outputs[*at as usize])).collect())
        };
        let one = |name: &str| bits(name).map(|bits| bits[0].1);
        // A circuit that is proved by its own lemmas has no state that the symbolic simulation could follow.
        let state = bits("state_o").unwrap_or_default();
        let state = state.into_iter().filter_map(|(_, literal)| aig.as_latch(literal));
        let key = state.chain(symbols.started).collect();
        let inputs = [symbols.input("rst_i")?, symbols.input("start_i").unwrap_or_default()].concat();
        // A constant is nothing that could be free.
        let free = circuit.free.and_then(|name| one(name).ok());
        Ok(Search {
            control: inputs.into_iter().map(|input| aig.input(input)).chain(free).collect(),
            bad: one("bad_o")?,
            lemma: circuit.lemma.map(one).transpose()?,
            resets: symbols.input("rst_i")?,
            violations: bits("violation_o")?,
            ground,
            circuit,
            folder,
            aig,
            symbols,
            key,
        })
    }

    /// By induction if lemmas suffice for one, or else [`plain`](Search::plain).
    pub fn run(mut self, lemmas: bool, frames: u64) -> Result<(&'static str, Verdict), Refusal> {
        let found = if lemmas { self.with_lemmas()? } else { None };
        match found {
            Some(verdict) => Ok(("induction with lemmas", verdict)),
            None => self.plain(frames),
        }
    }

    /// The proof, if lemmas suffice for one.
    fn with_lemmas(&mut self) -> Result<Option<Verdict>, Refusal> {
        self.aig.outputs = [self.bad].into_iter().chain(self.lemma).collect();
        let violations = self.aig.outputs.len();
        let watch = Watch { aig: &self.aig, key: &self.key, control: &self.control, violations };
        let Ok(findings) = lemmas::find(&watch) else { return Ok(None) };
        // Lemmas of the circuit's own go further than what is found.
        if self.lemma.is_none() && !findings.open.is_empty() {
            return Ok(None);
        }
        write_file(&self.folder.join(OWN), findings.with_lemmas(&watch).write())?;
        let Ground { tools, limit, .. } = *self.ground;
        // A lemma that does not hold says nothing of the contract.
        let proved = abc::induction(tools, &self.folder, OWN, limit)?;
        Ok(proved.then(|| Verdict::Proved { depth: 1, lemmas: findings.lemmas() }))
    }

    /// By induction with the circuit's own lemmas alone; if they do not suffice, as [`plain`](Search::plain).
    pub fn by_induction(mut self, lemmas: bool, frames: u64) -> Result<(&'static str, Verdict), Refusal> {
        if lemmas {
            let outputs: Vec<Literal> = [self.bad].into_iter().chain(self.lemma).collect();
            let mut whole = self.aig.clone();
            whole.outputs = vec![whole.or_all(&outputs)];
            write_file(&self.folder.join(OWN), whole.write())?;
            if abc::induction(self.ground.tools, &self.folder, OWN, self.ground.limit)? {
                return Ok(("induction", Verdict::Proved { depth: 1, lemmas: 0 }));
            }
        }
        self.plain(frames)
    }

    /// By IC3 at once, for a circuit with a small invariant; if it does not decide, as [`plain`](Search::plain).
    pub fn at_once(mut self, frames: u64) -> Result<(&'static str, Verdict), Refusal> {
        self.aig.outputs = vec![self.bad];
        write_file(&self.folder.join(BAD), self.aig.write())?;
        let verdict = match abc::search(self.ground.tools, &self.folder, BAD, true, self.ground.limit)? {
            abc::Answer::Never { depth } => Verdict::Proved { depth, lemmas: 0 },
            abc::Answer::Rises { inputs } => self.refuted(&inputs)?,
            abc::Answer::Open => return self.plain(frames),
        };
        Ok(("IC3", verdict))
    }

    /// A counterexample of at most so many cycles, or a proof, or neither in time.
    fn plain(&mut self, frames: u64) -> Result<(&'static str, Verdict), Refusal> {
        self.aig.outputs = vec![self.bad];
        write_file(&self.folder.join(BAD), self.aig.write())?;
        let Ground { tools, limit, .. } = *self.ground;
        let bounded = |limit| abc::counterexample(tools, &self.folder, BAD, frames, limit);
        if let Some(inputs) = bounded(limit / 10)? {
            return Ok((BOUNDED, self.refuted(&inputs)?));
        }
        let stimuli = Stimuli { rare: &self.resets, cycles: 8 * frames, batches: BATCHES };
        if let Some(inputs) = simulate::counterexample(&self.aig, self.bad, &stimuli) {
            return Ok(("simulation", self.refuted(&inputs)?));
        }
        if let Some(inputs) = bounded(limit / 2)? {
            return Ok((BOUNDED, self.refuted(&inputs)?));
        }
        let verdict = match abc::search(tools, &self.folder, BAD, true, limit)? {
            abc::Answer::Never { depth } => Verdict::Proved { depth, lemmas: 0 },
            abc::Answer::Rises { inputs } => self.refuted(&inputs)?,
            abc::Answer::Open => Verdict::Open,
        };
        Ok(("IC3", verdict))
    }

    /// What happens with these inputs, as a waveform.
    fn refuted(&self, inputs: &[Vec<bool>]) -> Result<Verdict, Refusal> {
        let literals: Vec<Literal> = self.violations.iter().map(|(_, literal)| *literal).collect();
        let violation = first_violation(&self.aig, inputs, self.bad, &literals);
        let (cycle, risen) = violation.ok_or_else(|| {
            refusal!(
                "the counterexample in {} does not show a violation when it is simulated",
                self.folder.display()
            )
        })?;
        let what = risen.into_iter().map(|at| self.circuit.properties[self.violations[at].0 as usize]);
        let wave = self.folder.join("counterexample.vcd");
        write(&wave, self.circuit.top, &self.aig, &self.symbols, &inputs[..=cycle as usize])?;
        Ok(Verdict::Refuted { cycle, what: what.collect(), wave })
    }
}
