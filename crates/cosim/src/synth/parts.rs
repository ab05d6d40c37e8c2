//! The modules of a design that are synthesised one by one.

use super::{Floor, Part, SynthDesign};
use frit_cells::cell::Dir;
use frit_cells::cells::CellSpec;
use frit_cells::netlist::{Instance, Kind, Module, ModuleId, Netlist, Of, print};
use frit_device::parts::DesignModule;
use frit_rtl::library::Sources;
use std::collections::BTreeMap;

/// A module to be synthesised, with what it needs.
pub(super) struct Subject {
    pub part: Part,
    pub name: String,
    /// Parameters of a cell, `W=8`.
    pub parameters: String,
    /// How often the design has it.
    pub count: u64,
    pub floor: Option<Floor>,
    /// The kinds of cells below it, with their numbers; none of a cell.
    pub kinds: Vec<(String, u64)>,
    /// Whether one control line comes from outside and sets the switches of a whole stage or more.
    pub shared_control: bool,
    /// The module with its ports.
    pub module: Module,
    /// The files (name, text) of the module and all that it uses.
    pub sources: Vec<(String, String)>,
}

/// The modules of the parts asked for, in the order of the report.
pub(super) fn subjects(design: &SynthDesign, parts: &[Part]) -> Vec<Subject> {
    let netlist = &design.netlist;
    let mut subjects = Vec::new();
    if parts.contains(&Part::Cells) {
        subjects.extend(netlist.cells().into_iter().map(|spec| cell(netlist, spec)));
    }
    for of in design.modules.iter().filter(|of| parts.contains(&of.part)) {
        let DesignModule { part, ref name, floor, shared_control } = *of;
        if let Some((id, module)) = netlist.with_ids().find(|(_, module)| module.name == *name) {
            subjects.push(Subject {
                part,
                name: name.clone(),
                parameters: String::new(),
                count: copies(netlist, netlist.top_id())[id.index()],
                floor,
                kinds: kinds(netlist, id),
                shared_control,
                module: module.clone(),
                sources: sources(netlist),
            });
        }
    }
    subjects
}

/// How often a module has each module, itself once.
fn copies(netlist: &Netlist, top: ModuleId) -> Vec<u64> {
    let mut copies = vec![0; netlist.modules.len()];
    copies[top.index()] = 1;
    // A module stands behind those that it has.
    for (at, module) in netlist.modules.iter().enumerate().rev() {
        for instance in &module.instances {
            if let Of::Module(below) = instance.of {
                copies[below.index()] += copies[at];
            }
        }
    }
    copies
}

/// The kinds of cells that a module has, itself or in its modules, by name, and how many of each.
fn kinds(netlist: &Netlist, of: ModuleId) -> Vec<(String, u64)> {
    let mut kinds = BTreeMap::new();
    for (module, copies) in netlist.modules.iter().zip(copies(netlist, of)) {
        for instance in &module.instances {
            if let Of::Cell(spec) = &instance.of {
                *kinds.entry(spec.module()).or_insert(0) += copies;
            }
        }
    }
    kinds.into_iter().filter(|(_, count)| *count > 0).collect()
}

/// A cell in a module of its own that gives it its parameters.
fn cell(design: &Netlist, spec: CellSpec) -> Subject {
    let same =
        |instance: &&Instance| matches!(&instance.of, Of::Cell(other) if other.module() == spec.module());
    let modules = design.modules.iter().zip(copies(design, design.top_id()));
    let count = modules.map(|(module, copies)| copies * module.instances.iter().filter(same).count() as u64);
    let count = count.sum();
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
        kinds: Vec::new(),
        shared_control: false,
        module,
        sources: sources(&netlist),
    }
}

fn sources(netlist: &Netlist) -> Vec<(String, String)> {
    Sources::new(netlist, print::Style::Unrolled, None).files
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_cells::design::dilated::Hardware;
    use frit_router::dilated::packets::permutations;
    use frit_router::dilated::{Packets, Parameters};
    use frit_schedule::{Request, plan};

    fn rows(system: &str, terminals: u64, width: u32) -> Vec<Subject> {
        let plan = plan(&Request::new(system, terminals)).unwrap();
        let design = SynthDesign::exchange(&plan, width);
        subjects(&design, &design.parts())
    }

    #[test]
    fn a_router_has_its_switches_counted() {
        let packets = Packets::new(Parameters::new(8, 2, 1), &permutations(8, 3, 1)).unwrap();
        let hardware = Hardware::new(&packets).unwrap();
        let design = SynthDesign::dilated(&hardware);
        let rows = subjects(&design, &[Part::Switch, Part::Fabric, Part::Route]);
        let counts: Vec<(&str, u64)> = rows.iter().map(|row| (row.name.as_str(), row.count)).collect();
        let expected = [
            ("dilated_n8_b2_p3_strong_switch_first", 8),
            ("dilated_n8_b2_p3_strong_switch", 5 * 8),
            ("dilated_n8_b2_p3_strong_fabric", 1),
            ("dilated_n8_b2_p3_strong_route", 1),
        ];
        assert_eq!(counts, expected);
        let queues = subjects(&design, &[Part::Cells]).into_iter().find(|row| row.name == "frit_bit_queue");
        assert_eq!(queues.unwrap().count, 5 * 8 * 4);
        assert_eq!(rows[1].floor, Some(Floor { luts: 124, ffs: 28 }));
        assert_eq!(rows[2].floor, Some(Floor::of_dilated(&hardware)));
        assert_eq!(rows[3].floor, None);
        let parameters = Parameters { release: true, ..Parameters::new(8, 2, 1) };
        let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
        let released = Hardware::new(&packets).unwrap();
        let rows = subjects(&SynthDesign::dilated(&released), &[Part::Switch, Part::Fabric]);
        assert!(rows.iter().all(|row| row.floor.is_none()));
    }

    #[test]
    fn cells_are_counted_and_have_their_parameters() {
        let rows = rows("rls", 8, 32);
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "frit_cycle_counter",
                "frit_delay_line",
                "frit_flight",
                "frit_label_entry",
                "frit_label_gen",
                "frit_label_switch",
                "frit_round_delay",
                "frit_sequencer",
                "frit_switch",
                "frit_terminal",
                "rls_n8_w32_fabric",
                "rls_n8_w32_labels",
                "rls_n8_w32_exchange"
            ]
        );
        let switch = &rows[8];
        assert_eq!((switch.count, switch.parameters.as_str()), (20, "W=32"));
        assert_eq!(switch.floor, Some(Floor { luts: 66, ffs: 66 }));
        assert_eq!(rows[0].floor, None);
        assert_eq!(rows[10].floor, Some(Floor { luts: 20 * 66, ffs: 20 * 66 }));
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
        let shared = |system, part| {
            let rows = rows(system, 8, 8);
            rows.iter().find(|row| row.part == part).unwrap().shared_control
        };
        let systems = ["rls", "benes", "xor", "obf"];
        assert_eq!(systems.map(|system| shared(system, Part::Fabric)), [false, false, true, true]);
        assert_eq!(systems.map(|system| shared(system, Part::Exchange)), [false; 4]);
    }

    #[test]
    fn stage_control_has_no_labels() {
        assert!(rows("gsen", 10, 8).iter().all(|row| row.part != Part::Labels));
    }
}
