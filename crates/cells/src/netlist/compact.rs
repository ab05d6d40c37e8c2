//! The compact form of a design, for simulation: the same modules, ports and names, but one loop for all cells of a kind
//! in a stage.
//!
//! It is made from the netlist itself, so it holds the wiring that the netlist holds, fault or not, as tables of lanes; what
//! a cell does is the text of its rust-hdl description. Wires of many lanes become arrays: `s0_data_5` is
//! `s0_data[5]`. The memories of a loop's cells are one array, the words of ROMs that are given the same round one table.
//! A compiled simulator takes one loop in place of a thousand instances; synthesis takes either form.

mod paths;
mod process;
mod table;

use super::text::part_width;
use super::{Expr, Instance, Kind, Module, Net, Netlist, Of, Part, SignalId};
use crate::cells::{CellSpec, RomSpec};
use crate::printer::body::Body;
use paths::Paths;
use process::{MANY_BITS, Writer};
use std::collections::{BTreeMap, BTreeSet};
use table::WordTable;

/// What stands in a module of the compact form beside signals, instances and assignments.
#[derive(Clone, Debug, Default)]
pub struct Processes {
    /// The signals that they drive.
    driven: BTreeSet<SignalId>,
    pub declarations: String,
    pub text: String,
}

impl Processes {
    /// Whether a process drives the signal at this place among those of the module.
    pub fn drives(&self, at: usize) -> bool {
        self.driven.contains(&SignalId(at as u32))
    }

    /// Comments for linters.
    pub fn waivers(&self) -> &'static str {
        match self.text.is_empty() {
            true => "",
            // A loop works in variables of its own block, and counts with an integer.
            false => {
                "// verilator lint_off BLKSEQ\n// verilator lint_off UNUSEDSIGNAL\n// verilator lint_off WIDTHEXPAND\n// verilator lint_off WIDTHTRUNC\n"
            }
        }
    }
}

/// A part of an expression without its lane.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PartShape {
    Net(SignalId, Option<(u32, u32)>, bool),
    Const(u64, u32),
}

/// An expression without its lanes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    any: bool,
    parts: Vec<PartShape>,
}

impl Shape {
    fn of(expr: &Expr) -> Shape {
        let (any, parts) = expr.parts();
        let shape = |part: &Part| match part {
            Part::Net { net, bits, invert } => PartShape::Net(net.signal, *bits, *invert),
            Part::Const { value, bits } => PartShape::Const(*value, *bits),
        };
        Shape { any, parts: parts.iter().map(shape).collect() }
    }
}

/// What the instances of a loop have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct InstanceShape {
    /// The name without its last number.
    family: String,
    cell: String,
    widths: Vec<u64>,
    inputs: Vec<(String, Shape)>,
    outputs: Vec<(String, Option<SignalId>)>,
}

impl InstanceShape {
    fn of(instance: &Instance, spec: &CellSpec) -> InstanceShape {
        let lane = |(port, lanes): &(String, Vec<Expr>)| (port.clone(), Shape::of(&lanes[0]));
        let target =
            |(port, lanes): &(String, Vec<Option<Net>>)| (port.clone(), lanes[0].map(|net| net.signal));
        let inputs = instance.inputs.iter().map(lane).collect();
        let outputs = instance.outputs.iter().map(target).collect();
        let family = family(&instance.name);
        match spec {
            // Every ROM is a module of its own; they differ in their words, and some in the signals they drive.
            CellSpec::Rom(RomSpec { bits, width, .. }) => {
                let widths = vec![u64::from(*bits), u64::from(*width)];
                InstanceShape { family, cell: "frit_rom".into(), widths, inputs, outputs: Vec::new() }
            }
            _ => {
                let widths = spec.parameters().iter().filter(|p| p.bits.is_none()).map(|p| p.value).collect();
                InstanceShape { family, cell: spec.module(), widths, inputs, outputs }
            }
        }
    }
}

/// The name of an instance without `u_` and its last number.
fn family(name: &str) -> String {
    let mut words: Vec<&str> = name.trim_start_matches("u_").split('_').collect();
    let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(at) = words.iter().rposition(number).filter(|_| words.len() > 1) {
        words.remove(at);
    }
    words.join("_")
}

/// The netlist in compact form: instances that remain, and for every module its processes.
pub fn roll(netlist: &Netlist) -> (Netlist, Vec<Processes>) {
    let mut plain = netlist.clone();
    plain.fix_width();
    let rolled = plain.modules.iter().map(roll_module);
    let (modules, processes) = rolled.unzip();
    (Netlist { modules, names: netlist.names.clone() }, processes)
}

fn roll_module(module: &Module) -> (Module, Processes) {
    let mut rolled = module.clone();
    if is_wiring(module) {
        return (rolled, Processes::default());
    }
    rolled
        .header
        .push("Compact form, for simulation: one loop for all cells of the same kind in a stage.".into());
    for signal in rolled.signals.iter_mut().filter(|s| s.kind == Kind::Wires && s.lanes > 1) {
        signal.kind = Kind::Array;
    }
    vectors_for_ports(&mut rolled);
    // The loops have headings of their own.
    rolled.sections.clear();
    let (instances, assigns) = (std::mem::take(&mut rolled.instances), std::mem::take(&mut rolled.assigns));
    let mut groups = instance_groups(&instances);
    let mut assign_groups = assign_groups(&rolled, &assigns);
    let driven = close(&mut groups, &mut assign_groups, &instances, &assigns);
    let paths = Paths::of(&instances, &assigns);
    let mut writer = Writer::new(&rolled);
    for group in groups.values().filter(|group| group.rolled) {
        let members = group.of(&instances);
        match group.work.as_ref().expect("a group that is rolled has something to do") {
            Work::Cell(body) => writer.cells(&group.name, body, &members, &paths),
            Work::Words(table) => writer.words(&group.name, table, &members),
        }
    }
    for (_, members) in assign_groups.iter().filter(|(rolled, _)| *rolled) {
        let members: Vec<&(Net, Expr)> = members.iter().map(|&at| &assigns[at]).collect();
        writer.assigns(&members);
    }
    let (declarations, text) = writer.finish();
    let kept: BTreeSet<usize> =
        groups.values().filter(|group| !group.rolled).flat_map(|group| group.members.clone()).collect();
    let stays = |(at, instance): (usize, Instance)| {
        (matches!(instance.of, Of::Module(_)) || kept.contains(&at)).then_some(instance)
    };
    rolled.instances = instances.into_iter().enumerate().filter_map(stays).collect();
    let plain: BTreeSet<usize> =
        assign_groups.iter().filter(|(rolled, _)| !rolled).flat_map(|(_, members)| members.clone()).collect();
    rolled.assigns =
        assigns.into_iter().enumerate().filter(|(at, _)| plain.contains(at)).map(|(_, a)| a).collect();
    (rolled, Processes { driven, declarations, text })
}

/// A module without cells whose modules drive lanes of wires: there is nothing in it for a loop.
fn is_wiring(module: &Module) -> bool {
    let is_lane = |net: &Net| {
        let signal = module.signal(net.signal);
        signal.kind == Kind::Wires && signal.lanes > 1
    };
    let mut driven =
        module.instances.iter().flat_map(|instance| &instance.outputs).flat_map(|(_, nets)| nets);
    let connects = module.instances.iter().all(|instance| matches!(instance.of, Of::Module(_)));
    connects && driven.any(|net| net.as_ref().is_some_and(is_lane))
}

/// A port of an instance that takes lanes of arrays gets them through a vector, which a loop can fill.
fn vectors_for_ports(module: &mut Module) {
    let mut instances = std::mem::take(&mut module.instances);
    for instance in instances.iter_mut().filter(|instance| matches!(instance.of, Of::Module(_))) {
        let base = instance.name.trim_start_matches("u_").to_string();
        for (port, lanes) in &mut instance.inputs {
            let from_array = |part: &Part| match part {
                Part::Net { net, .. } => module.signal(net.signal).kind == Kind::Array,
                Part::Const { .. } => false,
            };
            if !lanes.iter().any(|lane| lane.parts().1.iter().any(from_array)) {
                continue;
            }
            let width = lanes[0].parts().1.iter().map(|part| part_width(module, part)).sum();
            let name = format!("{base}_{}", port.trim_end_matches("_i"));
            let vector = module.bundle(Kind::Vector, name, lanes.len() as u32, width);
            let drive = vector.drive();
            for (at, lane) in lanes.iter().enumerate() {
                module.assigns.push((vector.lane(at as u32), lane.clone()));
            }
            *lanes = drive;
        }
        let to_array = |net: &Option<Net>| net.is_some_and(|n| module.signal(n.signal).kind == Kind::Array);
        let outputs = &instance.outputs;
        assert!(!outputs.iter().any(|(_, nets)| nets.iter().any(to_array)), "modules drive vectors");
    }
    module.instances = instances;
}

/// Instances of one shape.
struct Group {
    /// A name that no other group has.
    name: String,
    /// Their places among the instances.
    members: Vec<usize>,
    /// What the loop does, if there can be one.
    work: Option<Work>,
    rolled: bool,
}

impl Group {
    fn of<'a>(&self, instances: &'a [Instance]) -> Vec<&'a Instance> {
        self.members.iter().map(|&at| &instances[at]).collect()
    }
}

/// What a loop does for each of its cells.
enum Work {
    Cell(Body),
    /// It shows a word of a ROM.
    Words(WordTable),
}

impl Work {
    fn of(members: &[&Instance]) -> Option<Work> {
        let Of::Cell(first) = &members[0].of else { unreachable!("a group is of cells") };
        match first {
            CellSpec::Rom(RomSpec { bits, width, .. }) => {
                let one_round = members.iter().all(|member| member.inputs == members[0].inputs);
                one_round.then(|| Work::Words(WordTable::of(*bits, *width, members)))
            }
            _ => Body::of(&*first.prototype()).map(Work::Cell),
        }
    }
}

/// The instances of cells by shape, in the order in which the first of each shape stands.
fn instance_groups(instances: &[Instance]) -> BTreeMap<usize, Group> {
    let mut by_shape: BTreeMap<InstanceShape, usize> = BTreeMap::new();
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for (at, instance) in instances.iter().enumerate() {
        let Of::Cell(spec) = &instance.of else { continue };
        let shape = InstanceShape::of(instance, spec);
        let family = shape.family.clone();
        let first = *by_shape.entry(shape).or_insert(at);
        let group = groups.entry(first).or_insert_with(|| {
            let count = names.entry(family.clone()).or_default();
            *count += 1;
            let name = if *count == 1 { family } else { format!("{family}_again{count}") };
            Group { name, members: vec![], work: None, rolled: false }
        });
        group.members.push(at);
    }
    for group in groups.values_mut().filter(|group| group.members.len() > 1) {
        group.work = Work::of(&group.of(instances));
        group.rolled = group.work.is_some();
    }
    groups
}

/// The assignments by target and shape; whether they become a loop: if they drive a whole signal of many lanes, or put many
/// bits together.
fn assign_groups(module: &Module, assigns: &[(Net, Expr)]) -> Vec<(bool, Vec<usize>)> {
    let mut by_shape: BTreeMap<(SignalId, Option<Shape>), Vec<usize>> = BTreeMap::new();
    for (at, (net, expr)) in assigns.iter().enumerate() {
        let (any, parts) = expr.parts();
        // Bits of many signals: the shape would be as long as the expression, and no other has it.
        let shape = (!any || parts.len() < MANY_BITS).then(|| Shape::of(expr));
        by_shape.entry((net.signal, shape)).or_default().push(at);
    }
    let whole = |(signal, shape): &(SignalId, Option<Shape>), members: &[usize]| {
        let lanes = module.signal(*signal).lanes as usize;
        shape.is_none() || (lanes > 1 && members.len() == lanes)
    };
    by_shape.into_iter().map(|(key, members)| (whole(&key, &members), members)).collect()
}

/// A signal is driven by processes only, or by none: what else drives it becomes a loop of one. Returns those signals.
fn close(
    groups: &mut BTreeMap<usize, Group>,
    assign_groups: &mut [(bool, Vec<usize>)],
    instances: &[Instance],
    assigns: &[(Net, Expr)],
) -> BTreeSet<SignalId> {
    let targets = |group: &Group| -> BTreeSet<SignalId> {
        let outputs = group.members.iter().flat_map(|&at| &instances[at].outputs);
        outputs.filter_map(|(_, nets)| nets[0].map(|net| net.signal)).collect()
    };
    let mut driven: BTreeSet<SignalId> = BTreeSet::new();
    loop {
        let before = driven.len();
        for group in groups.values_mut() {
            if !group.rolled && targets(group).iter().any(|signal| driven.contains(signal)) {
                group.work = Work::of(&group.of(instances));
                assert!(group.work.is_some(), "{} drives a signal of a loop and cannot be one", group.name);
                group.rolled = true;
            }
            if group.rolled {
                driven.extend(targets(group));
            }
        }
        for (rolled, members) in assign_groups.iter_mut() {
            let signal = assigns[members[0]].0.signal;
            *rolled |= driven.contains(&signal);
            if *rolled {
                driven.insert(signal);
            }
        }
        if driven.len() == before {
            return driven;
        }
    }
}
