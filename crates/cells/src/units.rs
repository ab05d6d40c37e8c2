//! The modules and cells of a design one by one: each is given random inputs for itself, and what its rust-hdl description answers is kept
//! as signatures. The emitted testbench `tb_D_units` draws the same inputs.
//!
//! A network gives its modules few of the inputs that they can have: rows that never fill, ports that are never refused. So mistakes in a
//! module may stay unseen as long as only whole traffics run.
//!
//! The wires between the instances of a module are a unit of their own. Its inputs are the outputs of the instances and the inputs of the
//! module: random bits at first, then one bit that is 1 while all others are 0, each bit in turn. Its answers are the inputs of the
//! instances and the outputs of the module.

mod wires;

use crate::cell::Dir;
use crate::cells::CellSpec;
use crate::netlist::simulate::{NamedNet, Simulated};
use crate::netlist::{Instance, Kind, Module, Net, Netlist, Of};
use frit_network::Refusal;
use frit_traffic::drawn::draw;
use frit_traffic::fnv::Fnv64;

/// Periods of a block: it begins with other moods of the inputs and mostly with a reset, and it has a signature.
pub const PERIODS: u32 = 64;
/// Blocks of a cell. A control needs many, since few of them have moods in which each of its inputs changes something.
const CELL_BLOCKS: u32 = 96;
/// The most blocks of a module. When the wires of a module are tried, so many blocks have random inputs.
pub const BLOCKS: u32 = 32;
/// A large module has fewer blocks: the product of its cells and its blocks is at most this.
const MOST_WORK: usize = 1 << 11;
/// A unit with fewer blocks than this is left out.
const FEWEST: u32 = 16;
/// A module is left out if the addresses of one of its memories have more bits.
const MOST_ADDRESS_BITS: u64 = 4;
/// How random inputs are drawn when the wires of a module are tried: all inputs of block n have the mood n mod 4 of this list. In half of
/// these blocks (mood 1) one bit in 16 is 1, so that each input of an OR with few inputs is sometimes its only 1. An OR with many inputs needs
/// the blocks behind them, in which exactly one input bit is 1.
const WIRES_MOODS: [u32; 4] = [1, 3, 6, 1];
/// The first state of the draws.
pub const SEED: u32 = 0x2545_f491;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    /// Its bits, those of all lanes.
    pub bits: u32,
}

/// A module or a cell with its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub module: String,
    /// The parameters of the instance: name and value as Verilog has it.
    pub parameters: Vec<(String, String)>,
    /// Its inputs without the clock.
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub clocked: bool,
    /// Whether it is the wires of a module: ports of instances have the instance in front, `u_instance.port`, and all inputs are drawn, all
    /// outputs taken, as one.
    pub wires: bool,
    /// The first block whose signature does not depend on what memories hold at the beginning.
    pub first: u32,
    /// A signature for each block.
    pub signatures: Vec<u64>,
}

/// The units of a design: its cells, then its modules and, if its text has instances as the netlist has them, their wires, the top last.
/// Those that take too long are left out, and those whose outputs go on to depend on what memories hold at the beginning.
///
/// # Errors
/// If rust-hdl does not simulate a cell.
pub fn units(netlist: &Netlist, has_instances: bool) -> Result<Vec<Unit>, Refusal> {
    let mut specs: Vec<&CellSpec> = Vec::new();
    for instance in netlist.modules.iter().flat_map(|module| &module.instances) {
        if let Of::Cell(spec) = &instance.of
            && !specs.contains(&spec)
        {
            specs.push(spec);
        }
    }
    let mut units: Vec<Unit> = Vec::new();
    for spec in specs {
        units.extend(unit(&alone(spec), CELL_BLOCKS, true, netlist.names.of(spec), parameters(spec))?);
    }
    // What every reset clears needs no second run.
    let keeps = units.iter().any(|unit| unit.first > 1);
    // Of each module the number of cells, and the bits of the longest address of a memory.
    let mut sizes: Vec<(usize, u64)> = Vec::new();
    for (id, module) in netlist.with_ids() {
        let of = |instance: &Instance| match &instance.of {
            Of::Cell(spec) => (1, address_bits(spec)),
            Of::Module(inner) => sizes[inner.index()],
        };
        let (cells, deep) = module
            .instances
            .iter()
            .map(of)
            .fold((0, 0), |(cells, deep), (more, other)| (cells + more, other.max(deep)));
        sizes.push((cells, deep));
        let blocks = BLOCKS.min((MOST_WORK / cells.max(1)) as u32);
        // Random inputs of a module do not write every word of a larger memory, and a simulator says otherwise than rust-hdl what is there.
        if blocks >= FEWEST && (deep == 0 || deep <= MOST_ADDRESS_BITS && blocks == BLOCKS) {
            let modules = netlist.modules[..=id.index()].to_vec();
            let part = Netlist { modules, names: netlist.names.clone() };
            units.extend(unit(&part, blocks, keeps, module.name.clone(), Vec::new())?);
        }
        if has_instances && let Some(wires) = wires::wires(netlist, id) {
            units.extend(unit(&wires, BLOCKS, false, module.name.clone(), Vec::new())?);
        }
    }
    Ok(units)
}

/// Bits of the addresses of a cell that is a memory; 0 of others.
fn address_bits(spec: &CellSpec) -> u64 {
    spec.parameters().iter().find(|p| p.name == "AddressBits").map_or(0, |p| p.value)
}

/// The parameters of an instance of a cell.
fn parameters(spec: &CellSpec) -> Vec<(String, String)> {
    spec.parameters().iter().map(|p| (p.name.to_string(), p.literal())).collect()
}

/// A netlist of one cell, its ports those of the top.
fn alone(spec: &CellSpec) -> Netlist {
    let mut module = Module::new("unit", Vec::new());
    let mut instance = Instance::new("u_cell", Of::Cell(spec.clone()));
    for port in spec.ports() {
        let kind = if port.dir == Dir::In { Kind::Input } else { Kind::Output };
        let net: Net = module.net(kind, port.name, port.width);
        instance = match port.dir {
            Dir::In => instance.input(port.name, net),
            Dir::Out => instance.output(port.name, net),
        };
    }
    module.instances.push(instance);
    Netlist { modules: vec![module], ..Netlist::default() }
}

/// A unit of so many blocks, if its outputs settle; `keeps`: something may outlast a reset.
fn unit(
    netlist: &Netlist,
    blocks: u32,
    keeps: bool,
    module: String,
    parameters: Vec<(String, String)>,
) -> Result<Option<Unit>, Refusal> {
    let mut design = Simulated::new(netlist)?;
    let runs = Runs::new(&design, netlist.top());
    let blocks = blocks + if runs.wires { runs.inputs[0].bits.div_ceil(PERIODS) } else { 0 };
    let signatures = runs.signatures(&mut design, SEED, blocks)?;
    // In the first block a simulator may not have evaluated logic whose inputs have not changed yet.
    let mut first = 1;
    if keeps {
        // The same behind other inputs, which leave other words in memories and registers without reset.
        let mut used = Simulated::new(netlist)?;
        runs.signatures(&mut used, !SEED, blocks)?;
        let again = runs.signatures(&mut used, SEED, blocks)?;
        let differing = (1..).zip(signatures.iter().zip(&again)).filter(|(_, (a, b))| a != b);
        // An unknown word is more than two words that differ, so some blocks more are left out.
        first = differing.map(|(behind, _)| behind).max().unwrap_or(1).max(blocks / 4);
    }
    let of = |groups: &[Group]| {
        groups.iter().flat_map(|group| &group.ports).map(|(port, _)| port.clone()).collect()
    };
    let (inputs, outputs): (Vec<Port>, Vec<Port>) = (of(&runs.inputs), of(&runs.outputs));
    let (clocked, compared) = (runs.clock.is_some(), first < blocks && !outputs.is_empty());
    let wires = runs.wires;
    Ok(compared.then_some(Unit { module, parameters, inputs, outputs, clocked, wires, first, signatures }))
}

/// Ports whose bits are drawn or taken together, side by side, and where their values are.
#[derive(Default)]
struct Group {
    ports: Vec<(Port, NamedNet)>,
    bits: u32,
}

impl Group {
    fn push(&mut self, port: Port, net: NamedNet) {
        self.bits += port.bits;
        self.ports.push((port, net));
    }

    fn is_reset(&self) -> bool {
        matches!(self.ports.as_slice(), [(port, _)] if port.name == "rst_i")
    }

    /// A word of 32 bits for each piece.
    fn pieces(&self) -> Vec<u32> {
        vec![0; self.bits.div_ceil(32) as usize]
    }

    /// Pieces in which only this bit is 1; all bits are 0 if there is no such bit.
    fn one(&self, bit: u32) -> Vec<u32> {
        let mut pieces = self.pieces();
        if bit < self.bits {
            pieces[bit as usize / 32] = 1 << (bit % 32);
        }
        pieces
    }

    /// Each lane with its place among the bits.
    fn lanes(&self) -> impl Iterator<Item = (&NamedNet, usize, usize)> {
        let mut low = 0;
        self.ports.iter().flat_map(move |(port, net)| {
            let first = low as usize;
            low += port.bits;
            (0..net.lanes()).map(move |lane| (net, lane, first + lane * net.width as usize))
        })
    }

    /// Drives all lanes from pieces of 32 bits.
    fn write(&self, design: &mut Simulated, pieces: &[u32]) {
        for (net, lane, from) in self.lanes() {
            let bit = |at: usize| u64::from(pieces[(from + at) / 32] >> ((from + at) % 32) & 1) << at;
            let value = (0..net.width as usize).map(bit).sum();
            design.set(net, lane, value);
        }
    }

    /// All lanes in pieces of 32 bits.
    fn read(&self, design: &Simulated) -> Vec<u32> {
        let mut pieces = self.pieces();
        for (net, lane, from) in self.lanes() {
            let value = design.get(net, lane);
            for place in (0..net.width as usize).filter(|at| value >> at & 1 == 1).map(|at| from + at) {
                pieces[place / 32] |= 1 << (place % 32);
            }
        }
        pieces
    }
}

/// The inputs and outputs of a unit: each port is a group, but those of the wires of a module are one.
#[derive(Default)]
struct Runs {
    clock: Option<NamedNet>,
    wires: bool,
    inputs: Vec<Group>,
    outputs: Vec<Group>,
}

impl Runs {
    fn new(design: &Simulated, top: &Module) -> Self {
        let wires = top.signals.iter().any(|signal| signal.name.contains('.'));
        let mut runs = Runs { wires, ..Runs::default() };
        for signal in &top.signals {
            let net = design.find("", &signal.name).expect("a signal of the top is a net");
            let groups = match signal.kind {
                Kind::Input if signal.name == "clk_i" => {
                    runs.clock = Some(net);
                    continue;
                }
                Kind::Input => &mut runs.inputs,
                Kind::Output => &mut runs.outputs,
                Kind::Vector | Kind::Wires | Kind::Array => continue,
            };
            if !wires || groups.is_empty() {
                groups.push(Group::default());
            }
            let port = Port { name: signal.name.clone(), bits: signal.lanes * signal.width };
            groups.last_mut().expect("one was pushed").push(port, net);
        }
        runs
    }

    /// A signature for each block: of what the outputs are at the end of each of its periods, in pieces of 32 bits.
    fn signatures(&self, design: &mut Simulated, seed: u32, blocks: u32) -> Result<Vec<u64>, Refusal> {
        let mut random = seed;
        let mut next = move || {
            random = draw(random);
            random
        };
        let mut values: Vec<Vec<u32>> = self.inputs.iter().map(Group::pieces).collect();
        let mut signatures = Vec::new();
        for block in 0..blocks {
            let wires = WIRES_MOODS[block as usize % WIRES_MOODS.len()];
            let moods: Vec<u32> =
                self.inputs.iter().map(|_| if self.wires { wires } else { next() }).collect();
            let mut signature = Fnv64::default();
            for period in 0..PERIODS {
                for ((group, value), &mood) in self.inputs.iter().zip(&mut values).zip(&moods) {
                    if self.wires && block >= BLOCKS {
                        *value = group.one((block - BLOCKS) * PERIODS + period);
                    } else {
                        value.iter_mut().for_each(|piece| *piece = drawn(mood, *piece, &mut next));
                    }
                    if group.is_reset() {
                        value[0] = u32::from(resets(block, period, value[0]));
                    }
                    group.write(design, value);
                }
                if let Some(clock) = &self.clock {
                    design.set(clock, 0, 0);
                }
                design.settle()?;
                for group in &self.outputs {
                    signature.words(&group.read(design));
                }
                if let Some(clock) = &self.clock {
                    design.set(clock, 0, 1);
                    design.settle()?;
                }
            }
            signatures.push(signature.digest());
        }
        Ok(signatures)
    }
}

/// Whether the reset is high: in the first two periods of a block, except in every fourth block; later in one period of 256.
fn resets(block: u32, period: u32, drawn: u32) -> bool {
    if period < 2 { block % 4 != 3 } else { drawn % 256 == 255 }
}

/// The next 32 bits of an input. Its mood says what share of them is 1, and whether it mostly keeps the bits that it has.
fn drawn(mood: u32, kept: u32, next: &mut impl FnMut() -> u32) -> u32 {
    let [a, b, c, d, e] = std::array::from_fn(|_| next());
    match mood % 8 {
        _ if mood & 8 != 0 && e % 8 != 0 => kept,
        0 => 0,
        1 => a & b & c & d,
        2 => a & b,
        5 => a | b,
        6 => a | b | c | d,
        7 => u32::MAX,
        _ => a,
    }
}
