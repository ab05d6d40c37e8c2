//! What is synthesised of a design: its netlist, and which of its modules are mapped one by one.

use crate::floor::{Floor, SwitchFloor};
use frit_cells::design::{dilated, multibutterfly};
use frit_cells::netlist::Netlist;
use frit_schedule::{ControlInputs, Plan};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Each cell, with the parameters of its first instance.
    Cells,
    /// `D_switch_first` and `D_switch`: the switches of a router.
    Switch,
    /// `D_node_0`, `D_node_1`, … and `D_sink`: the nodes of a multibutterfly, one of each column.
    Node,
    /// `D_fabric`: switches or nodes, and wires.
    Fabric,
    /// `D_labels`: the network of the labels, where there is one.
    Labels,
    /// `D_exchange`: the fabric with its controllers.
    Exchange,
    /// `D_route`: the fabric of a router with its controller.
    Route,
    /// `D_permute`, `D_loaded`, …: a core of this name as a whole, and an exchange with streams, `D_axis`.
    Core(&'static str),
}

impl Part {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Part::Cells => "cells",
            Part::Switch => "switch",
            Part::Node => "node",
            Part::Fabric => "fabric",
            Part::Labels => "labels",
            Part::Exchange => "exchange",
            Part::Route => "route",
            Part::Core(name) => name,
        }
    }

    pub fn is_whole(self) -> bool {
        matches!(self, Part::Exchange | Part::Route | Part::Core(_))
    }
}

#[derive(Clone, Debug)]
pub struct DesignModule {
    pub part: Part,
    pub name: String,
    pub floor: Option<Floor>,
    /// Whether one control line comes from outside and sets the switches of a whole stage or more.
    pub shared_control: bool,
}

#[derive(Clone, Debug)]
pub struct SynthDesign {
    /// Its name, with which the names of its modules begin.
    pub name: String,
    pub netlist: Netlist,
    /// In the order of the report.
    pub modules: Vec<DesignModule>,
    /// Whether its floors are of LUTs with four inputs only; that of a 2×2 switch counts outputs.
    pub four_inputs: bool,
}

impl SynthDesign {
    /// A core of which only the whole is mapped, and its cells; its top is `D_core`, D being the name of the design.
    pub fn whole(core: &'static str, name: String, netlist: Netlist) -> Self {
        let top = netlist.top().name.clone();
        let modules =
            vec![DesignModule { part: Part::Core(core), name: top, floor: None, shared_control: false }];
        SynthDesign { name, netlist, modules, four_inputs: false }
    }

    /// Those of the modules that the netlist has; each with what stands behind the name of the design in its own.
    fn new(name: String, netlist: Netlist, modules: impl IntoIterator<Item = (Part, String)>) -> Self {
        let modules = modules.into_iter().filter_map(|(part, suffix)| {
            let name = format!("{name}_{suffix}");
            let has = netlist.modules.iter().any(|module| module.name == name);
            has.then_some(DesignModule { part, name, floor: None, shared_control: false })
        });
        let modules = modules.collect();
        SynthDesign { name, netlist, modules, four_inputs: false }
    }

    /// An exchange with words of `width` bits.
    pub fn exchange(plan: &Plan, width: u32) -> Self {
        let modules = [(Part::Fabric, "fabric"), (Part::Labels, "labels"), (Part::Exchange, "exchange")];
        let modules = modules.map(|(part, suffix)| (part, suffix.into()));
        let mut design =
            SynthDesign::new(plan.design_name(width), frit_cells::design::build(plan, width), modules);
        design.modules[0].floor = Some(Floor::of_fabric(plan, width));
        // Inside an exchange other logic reads the registers of such lines, and from a global net it reads them late.
        design.modules[0].shared_control = !matches!(plan.control_inputs(), ControlInputs::Switches { .. });
        design
    }

    /// A dilated butterfly. The floor is not derived for edges that are released.
    pub fn dilated(hardware: &dilated::Hardware) -> Self {
        // A switch alone asks for room, wherever it stands in the network.
        let switch = |level| SwitchFloor { last: false, ..SwitchFloor::of_level(hardware, level) }.floor();
        let modules = [
            (Part::Switch, "switch_first"),
            (Part::Switch, "switch"),
            (Part::Fabric, "fabric"),
            (Part::Route, "route"),
        ];
        let named = modules.map(|(part, suffix)| (part, suffix.into()));
        let mut design = SynthDesign::new(hardware.design_name(), hardware.netlist(), named);
        for module in design.modules.iter_mut().filter(|_| !hardware.release()) {
            module.floor = match module.part {
                Part::Switch if module.name.ends_with("_first") => Some(switch(0)),
                Part::Switch => Some(switch(1)),
                Part::Fabric => Some(Floor::of_dilated(hardware)),
                _ => None,
            };
        }
        SynthDesign { four_inputs: true, ..design }
    }

    pub fn multibutterfly(hardware: &multibutterfly::Hardware) -> Self {
        let nodes = (0..hardware.columns()).map(|column| (Part::Node, format!("node_{column}")));
        let others = [(Part::Node, "sink"), (Part::Fabric, "fabric"), (Part::Route, "route")];
        let modules = nodes.chain(others.map(|(part, suffix)| (part, suffix.into())));
        SynthDesign::new(hardware.design_name(), hardware.netlist(), modules)
    }

    /// The parts that designs of its kind have, in the order of the report.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::Cells];
        parts.extend(self.modules.iter().map(|module| module.part));
        parts.dedup();
        parts
    }
}
