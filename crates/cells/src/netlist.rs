//! The structure of a design as data: modules, signals, instances of cells and of modules.
//!
//! It is written once: [`simulate`] runs it on rust-hdl's cells, [`print`](mod@print) writes it as Verilog, and
//! [`crate::fault`] changes it.

pub mod compact;
pub mod print;
pub mod simulate;
mod text;
pub mod width;

use crate::cells::CellSpec;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(u32);

impl ModuleId {
    /// Its place among the modules of its netlist.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(u32);

impl SignalId {
    /// Its place among the signals of its module.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One lane of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Net {
    pub signal: SignalId,
    pub lane: u32,
}

/// What a signal is in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An input port: one vector, lane 0 in the least significant bits.
    Input,
    /// An output port: one vector, lane 0 in the least significant bits.
    Output,
    /// A vector inside the module.
    Vector,
    /// A wire for each lane, named `name_<lane>` (simulators handle these far better than slices of a vector).
    Wires,
    /// An array of words, `name[<lane>]`: what wires become in the compact form ([`compact`]).
    Array,
}

/// A bundle of equally wide lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub name: String,
    pub lanes: u32,
    /// Bits of a lane.
    pub width: u32,
    pub kind: Kind,
    /// Whether a port or vector of one bit is still a vector, so that its bit can be selected.
    pub vector: bool,
    /// What a port is for: a phrase of plain text; empty inside the module.
    pub meaning: &'static str,
    /// Of a lane that is a word, where its width is a parameter of the module ([`width`]): the bits above the word.
    pub above_word: Option<u32>,
}

impl Signal {
    pub fn is_port(&self) -> bool {
        matches!(self.kind, Kind::Input | Kind::Output)
    }
}

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A net, or the bits `high..=low` of it, inverted or not.
    Net {
        net: Net,
        /// The bits (high, low); all if none are given.
        bits: Option<(u32, u32)>,
        /// Whether every bit is inverted.
        invert: bool,
    },
    Const {
        value: u64,
        /// Its width in bits.
        bits: u32,
    },
}

/// What drives an input or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// The parts side by side, the most significant first.
    Concat(Vec<Part>),
    /// Whether any bit of the parts is 1.
    Any(Vec<Part>),
}

impl From<Net> for Part {
    fn from(net: Net) -> Self {
        Part::Net { net, bits: None, invert: false }
    }
}

impl From<Net> for Expr {
    fn from(net: Net) -> Self {
        Expr::Concat(vec![net.into()])
    }
}

impl Expr {
    pub fn constant(value: u64, bits: u32) -> Self {
        Expr::Concat(vec![Part::Const { value, bits }])
    }

    /// Whether it asks for any 1, and its parts.
    pub(crate) fn parts(&self) -> (bool, &[Part]) {
        match self {
            Expr::Concat(parts) => (false, parts),
            Expr::Any(parts) => (true, parts),
        }
    }

    /// The net, if the expression is just one.
    pub fn as_net(&self) -> Option<Net> {
        match self {
            Expr::Concat(parts) => match parts.as_slice() {
                [Part::Net { net, bits: None, invert: false }] => Some(*net),
                _ => None,
            },
            Expr::Any(_) => None,
        }
    }
}

/// What an instance is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    Cell(CellSpec),
    Module(ModuleId),
}

impl Of {
    /// A cell, from the values with which an instance of it is made.
    pub fn cell(spec: impl Into<CellSpec>) -> Self {
        Of::Cell(spec.into())
    }
}

/// An instance of a cell or a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name, starting with `u_`.
    pub name: String,
    pub of: Of,
    /// For each input port an expression per lane.
    pub inputs: Vec<(String, Vec<Expr>)>,
    /// For each output port a net per lane, or `None` where it is not used.
    pub outputs: Vec<(String, Vec<Option<Net>>)>,
    /// Whether it is given the width of words, where that is a parameter of the module around it ([`width`]).
    pub has_word: bool,
}

impl Instance {
    /// A new instance, nothing connected.
    pub fn new(name: impl Into<String>, of: Of) -> Self {
        Instance { name: name.into(), of, inputs: Vec::new(), outputs: Vec::new(), has_word: false }
    }

    /// Connects an input port of one lane.
    pub fn input(self, port: &str, expr: impl Into<Expr>) -> Self {
        self.inputs(port, vec![expr.into()])
    }

    /// Connects an input port, lane by lane.
    pub fn inputs(mut self, port: &str, lanes: Vec<Expr>) -> Self {
        self.inputs.push((port.into(), lanes));
        self
    }

    /// Connects an output port of one lane.
    pub fn output(self, port: &str, net: Net) -> Self {
        self.outputs(port, vec![Some(net)])
    }

    /// Leaves an output port of one lane unused.
    pub fn unused(self, port: &str) -> Self {
        self.outputs(port, vec![None])
    }

    /// Connects an output port, lane by lane.
    pub fn outputs(mut self, port: &str, lanes: Vec<Option<Net>>) -> Self {
        self.outputs.push((port.into(), lanes));
        self
    }

    pub fn input_mut(&mut self, port: &str) -> Option<&mut Vec<Expr>> {
        self.inputs.iter_mut().find(|(name, _)| name == port).map(|(_, lanes)| lanes)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, also its file's.
    pub name: String,
    /// Its contract: lines of comment.
    pub header: Vec<String>,
    /// Signals, ports first in the order of the module.
    pub signals: Vec<Signal>,
    pub instances: Vec<Instance>,
    /// Nets (wires or outputs) driven by an expression.
    pub assigns: Vec<(Net, Expr)>,
    /// Why a net is driven as it is, where a reader would ask.
    pub reasons: Vec<(Net, &'static str)>,
    /// Headings: before which instance, and what is said there.
    pub sections: Vec<(usize, String)>,
    /// Bits of a word, where that is a parameter of the module ([`width`]).
    pub word: Option<u32>,
}

impl Module {
    /// An empty module.
    pub fn new(name: impl Into<String>, header: Vec<String>) -> Self {
        Module {
            name: name.into(),
            header,
            signals: vec![],
            instances: vec![],
            assigns: vec![],
            reasons: vec![],
            sections: vec![],
            word: None,
        }
    }

    /// A heading before the instances that follow.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.sections.push((self.instances.len(), text.into()));
    }

    /// Adds a signal of several lanes.
    pub fn bundle(&mut self, kind: Kind, name: impl Into<String>, lanes: u32, width: u32) -> Bundle {
        self.declare(Signal {
            name: name.into(),
            lanes,
            width,
            kind,
            vector: true,
            meaning: "",
            above_word: None,
        })
    }

    fn declare(&mut self, signal: Signal) -> Bundle {
        let bundle = Bundle { signal: SignalId(self.signals.len() as u32), lanes: signal.lanes };
        self.signals.push(signal);
        bundle
    }

    /// Adds a signal of one lane.
    pub fn net(&mut self, kind: Kind, name: impl Into<String>, width: u32) -> Net {
        self.declare(Signal {
            name: name.into(),
            lanes: 1,
            width,
            kind,
            vector: false,
            meaning: "",
            above_word: None,
        })
        .lane(0)
    }

    /// Its ports, in their order.
    pub fn ports(&self) -> impl Iterator<Item = &Signal> {
        self.signals.iter().filter(|signal| signal.is_port())
    }

    /// Says what each port is for, from a list of (name, meaning) that may have more names; panics if a port is not in it.
    pub fn explain(&mut self, meanings: &[(&str, &'static str)]) {
        for port in self.signals.iter_mut().filter(|signal| signal.is_port()) {
            let found = meanings.iter().find(|(name, _)| *name == port.name);
            port.meaning = found.unwrap_or_else(|| panic!("{}: {} has no meaning", self.name, port.name)).1;
        }
    }

    /// Says what a net inside the module is for.
    pub fn means(&mut self, net: Net, meaning: &'static str) {
        self.signals[net.signal.index()].meaning = meaning;
    }

    /// Ties a net of one bit to 0, and says why.
    pub fn tie_low(&mut self, net: Net, why: &'static str) {
        self.assigns.push((net, Expr::constant(0, 1)));
        self.reasons.push((net, why));
    }

    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.signals[id.0 as usize]
    }

    pub fn find(&self, name: &str) -> Option<SignalId> {
        self.signals.iter().position(|signal| signal.name == name).map(|at| SignalId(at as u32))
    }

    pub fn instance_mut(&mut self, name: &str) -> Option<&mut Instance> {
        self.instances.iter_mut().find(|instance| instance.name == name)
    }
}

/// The lanes of a signal.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    signal: SignalId,
    lanes: u32,
}

impl Bundle {
    /// That of a signal; panics if there is none.
    pub fn of(module: &Module, name: &str) -> Self {
        let signal = module.find(name).unwrap_or_else(|| panic!("{} has a signal {name}", module.name));
        Bundle { signal, lanes: module.signal(signal).lanes }
    }

    pub fn lanes(self) -> u32 {
        self.lanes
    }

    pub fn lane(self, lane: u32) -> Net {
        assert!(lane < self.lanes, "lane {lane} of a bundle of {}", self.lanes);
        Net { signal: self.signal, lane }
    }

    /// All lanes, to drive the input port of a module.
    pub fn drive(self) -> Vec<Expr> {
        (0..self.lanes).map(|lane| self.lane(lane).into()).collect()
    }

    /// All lanes, driven by the output port of a module.
    pub fn driven(self) -> Vec<Option<Net>> {
        (0..self.lanes).map(|lane| Some(self.lane(lane))).collect()
    }
}

/// A design: modules in the order of their instances (a module comes after those it uses), the top last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Netlist {
    pub modules: Vec<Module>,
    /// What cells are called in its Verilog.
    pub names: CellNames,
}

/// What the Verilog modules of cells are called in a design.
///
/// The text of most cells is the same in every design: they keep their names, and designs share them. A cell with numbers or
/// a table in its text belongs to its design and has that name in front, and so has every cell of a design that shares none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellNames {
    /// The name of the design; empty: every cell keeps its own.
    pub design: String,
    /// What stands in front of all cells, if the design shares none.
    pub prefix: Option<String>,
    /// Whether one file has all modules.
    pub one_file: bool,
}

impl CellNames {
    /// Those of a design that shares what it can.
    pub fn shared(design: impl Into<String>) -> Self {
        CellNames { design: design.into(), ..CellNames::default() }
    }

    pub fn of(&self, spec: &CellSpec) -> String {
        let module = spec.module();
        let front = match &self.prefix {
            Some(prefix) => prefix,
            None if spec.is_shared() || self.design.is_empty() => return module,
            None => &self.design,
        };
        format!("{front}_{}", module.strip_prefix("frit_").unwrap_or(&module))
    }

    /// Whether a cell is one that designs share, under its own name.
    pub fn shares(&self, spec: &CellSpec) -> bool {
        self.prefix.is_none() && spec.is_shared()
    }
}

impl Netlist {
    /// An empty netlist of a design that shares its cells.
    pub fn of_design(name: impl Into<String>) -> Self {
        Netlist { modules: Vec::new(), names: CellNames::shared(name) }
    }

    pub fn add(&mut self, module: Module) -> ModuleId {
        let id = ModuleId(self.modules.len() as u32);
        self.modules.push(module);
        id
    }

    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    /// Every module with its id, in their order.
    pub fn with_ids(&self) -> impl Iterator<Item = (ModuleId, &Module)> {
        (0..).map(ModuleId).zip(&self.modules)
    }

    /// The id of the top module, the last; a netlist has one.
    pub fn top_id(&self) -> ModuleId {
        ModuleId(self.modules.len().checked_sub(1).expect("a netlist has a top module") as u32)
    }

    pub fn top(&self) -> &Module {
        self.modules.last().expect("a netlist has a top module")
    }

    /// The module whose name ends in `_suffix`.
    pub fn module_mut(&mut self, suffix: &str) -> Option<&mut Module> {
        self.modules.iter_mut().find(|module| module.name.ends_with(&format!("_{suffix}")))
    }

    /// The different cells used, one of each Verilog module, sorted by name.
    pub fn cells(&self) -> Vec<CellSpec> {
        let instances = self.modules.iter().flat_map(|module| &module.instances);
        let mut cells: Vec<CellSpec> = Vec::new();
        for instance in instances {
            if let Of::Cell(spec) = &instance.of {
                let module = spec.module();
                if let Err(at) = cells.binary_search_by_key(&module, CellSpec::module) {
                    cells.insert(at, spec.clone());
                }
            }
        }
        cells
    }
}
