//! The modules of a design that are synthesised one by one.

use frit_cells::cell::Dir;
use frit_cells::cells::{CellSpec, LinkSpec, OpticalSwitchSpec, SwitchSpec};
use frit_cells::netlist::{Instance, Kind, Module, Netlist, Of, print};
use frit_schedule::{ControlInputs, Plan};

/// A part of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Each cell, with the parameters of its first instance.
    Cells,
    /// `D_fabric`: switches and wires.
    Fabric,
    /// `D_labels`: the network of the labels, where there is one.
    Labels,
    /// `D_exchange`: the fabric with its controllers.
    Exchange,
}

impl Part {
    /// All parts, in the order of the report.
    pub const ALL: [Part; 4] = [Part::Cells, Part::Fabric, Part::Labels, Part::Exchange];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Part::Cells => "cells",
            Part::Fabric => "fabric",
            Part::Labels => "labels",
            Part::Exchange => "exchange",
        }
    }
}

/// The fewest cells that do the work of a module, in LUTs with four inputs and in flip-flops.
///
/// A bit of a 2×2 switch is a LUT with three inputs before each of its two outputs, and a register of it a flip-flop: 2W + 2
/// of each for a registered switch whose words have W bits and are marked valid by one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// LUTs.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
}

impl Floor {
    /// Of the cells that have one: switches and links.
    fn of_cell(spec: &CellSpec) -> Option<Self> {
        let (luts, ffs) = match *spec {
            CellSpec::Switch(SwitchSpec { width }) => (2 * width + 2, 2 * width + 2),
            CellSpec::OpticalSwitch(OpticalSwitchSpec { width }) => (2 * width + 2, 0),
            CellSpec::Link(LinkSpec { width }) => (0, width + 1),
            _ => return None,
        };
        Some(Floor { luts: luts as u64, ffs: ffs as u64 })
    }

    /// Of a fabric: a switch's LUTs for every switch, and a register for every lane and cycle of latency.
    pub fn of_fabric(plan: &Plan, width: u32) -> Self {
        let network = &plan.network;
        let bits = width as u64 + 1;
        Floor {
            luts: 2 * bits * network.switches(),
            ffs: bits * network.lanes() as u64 * (plan.entry_delay + network.stages()) as u64,
        }
    }
}

/// A module to be synthesised, with what it needs.
pub(super) struct Subject {
    pub part: Part,
    /// Its name in the report.
    pub name: String,
    /// Parameters of a cell, `W=8`.
    pub parameters: String,
    /// How often the design has it.
    pub count: u64,
    pub floor: Option<Floor>,
    /// Whether one control line sets the switches of a whole stage or more.
    pub shared_control: bool,
    /// The module with its ports.
    pub module: Module,
    /// The files (name, text) of the module and all that it uses.
    pub sources: Vec<(String, String)>,
}

/// The modules of the parts asked for, in the order of the report.
pub(super) fn subjects(plan: &Plan, width: u32, parts: &[Part]) -> Vec<Subject> {
    let netlist = frit_cells::design::build(plan, width);
    let mut subjects = Vec::new();
    if parts.contains(&Part::Cells) {
        subjects.extend(netlist.cells().into_iter().map(|spec| cell(&netlist, spec)));
    }
    for part in [Part::Fabric, Part::Labels, Part::Exchange] {
        let name = format!("{}_{}", plan.design_name(width), part.name());
        let found = netlist.modules.iter().find(|module| module.name == name);
        if let Some(module) = found.filter(|_| parts.contains(&part)) {
            subjects.push(Subject {
                part,
                name,
                parameters: String::new(),
                count: 1,
                floor: (part == Part::Fabric).then(|| Floor::of_fabric(plan, width)),
                shared_control: !matches!(plan.control_inputs(), ControlInputs::Switches { .. }),
                module: module.clone(),
                sources: sources(&netlist),
            });
        }
    }
    subjects
}

/// A cell in a module of its own that gives it its parameters.
fn cell(design: &Netlist, spec: CellSpec) -> Subject {
    let same =
        |instance: &&Instance| matches!(&instance.of, Of::Cell(other) if other.module() == spec.module());
    let count = design.modules.iter().flat_map(|module| &module.instances).filter(same).count() as u64;
    let name = spec.module();
    let mut module = Module::new(format!("{name}_alone"), vec![format!("{name} with its parameters.")]);
    let mut instance = Instance::new("u_cell", Of::Cell(spec.clone()));
    for port in spec.ports() {
        instance = match port.dir {
            Dir::In => instance.input(port.name, module.net(Kind::Input, port.name, port.width)),
            Dir::Out => instance.output(port.name, module.net(Kind::Output, port.name, port.width)),
        };
    }
    module.instances.push(instance);
    let mut netlist = Netlist::default();
    netlist.add(module.clone());
    let parameters: Vec<String> =
        spec.parameters().iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    Subject {
        part: Part::Cells,
        name,
        parameters: parameters.join(" "),
        count,
        floor: Floor::of_cell(&spec),
        shared_control: false,
        module,
        sources: sources(&netlist),
    }
}

fn sources(netlist: &Netlist) -> Vec<(String, String)> {
    print::files(netlist, print::Style::Unrolled).into_iter().map(|file| (file.name, file.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    fn rows(system: &str, terminals: u64, width: u32) -> Vec<Subject> {
        subjects(&plan(&Request::new(system, terminals)).unwrap(), width, &Part::ALL)
    }

    #[test]
    fn cells_are_counted_and_have_their_parameters() {
        let rows = rows("rls", 8, 32);
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "frit_cycle_counter",
                "frit_label_gen",
                "frit_self_routing_switch",
                "frit_sequencer",
                "frit_switch",
                "frit_terminal",
                "rls_n8_w32_fabric",
                "rls_n8_w32_labels",
                "rls_n8_w32_exchange"
            ]
        );
        let switch = &rows[4];
        assert_eq!((switch.count, switch.parameters.as_str()), (20, "W=32"));
        assert_eq!(switch.floor, Some(Floor { luts: 66, ffs: 66 }));
        assert_eq!(rows[0].floor, None);
        assert_eq!(rows[6].floor, Some(Floor { luts: 20 * 66, ffs: 20 * 66 }));
    }

    #[test]
    fn the_optical_butterfly_has_registers_in_its_links() {
        // 8 processors: 16 lanes, 2 levels of 8 routers, and links before, between and behind them.
        let rows = rows("obf", 8, 8);
        let find = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        let routers = find("frit_optical_switch");
        let (levels, links) = (routers.count / 8, find("frit_link").count / 16);
        assert_eq!(links, levels + 1);
        assert_eq!(routers.floor, Some(Floor { luts: 18, ffs: 0 }));
        let floor = find("obf_n8_w8_fabric").floor.unwrap();
        assert_eq!(floor, Floor { luts: 18 * 8 * levels, ffs: 9 * 16 * links });
    }

    #[test]
    fn a_line_is_shared_where_it_sets_more_than_one_switch() {
        let shared = |system| {
            let rows = rows(system, 8, 8);
            rows.iter().find(|row| row.part == Part::Exchange).unwrap().shared_control
        };
        let systems = ["rls", "benes", "xor", "obf"];
        assert_eq!(systems.map(shared), [false, false, true, true]);
    }

    #[test]
    fn stage_control_has_no_labels() {
        assert!(rows("gsen", 10, 8).iter().all(|row| row.part != Part::Labels));
    }
}
