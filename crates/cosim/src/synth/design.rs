//! What is synthesised: a design of either kind, and its parts.

use super::Floor;
use frit_cells::design::axis::Streams;
use frit_cells::design::{crossbar, dilated, loaded, messages, multibutterfly, permute};
use frit_cells::netlist::Netlist;
use frit_device::floor::SwitchFloor;
use frit_permute::Streamed;
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
    /// `D_permute`: the core of a streamed permutation.
    Permute,
    /// `D_loaded`: a network with its schedule in memories.
    Loaded,
    /// `D_crossbar`: a crossbar with its registers.
    Crossbar,
    /// `D_axis`: an exchange with streams.
    Axis,
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
            Part::Permute => "permute",
            Part::Loaded => "loaded",
            Part::Crossbar => "crossbar",
            Part::Axis => "axis",
        }
    }

    pub fn is_whole(self) -> bool {
        matches!(
            self,
            Part::Exchange | Part::Route | Part::Permute | Part::Loaded | Part::Crossbar | Part::Axis
        )
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Design<'a> {
    Planned {
        plan: &'a Plan,
        /// Bits of a word.
        width: u32,
    },
    Routed(&'a dilated::Hardware),
    Multibutterfly(&'a multibutterfly::Hardware<'a>),
    Streamed {
        plan: &'a Streamed,
        /// Bits of a word.
        width: u32,
        netlist: &'a Netlist,
    },
    /// A network whose schedule is loaded.
    Loaded(&'a loaded::Hardware),
    /// Messages of any length around a loaded schedule.
    Messages(&'a messages::Messages),
    Crossbar(&'a crossbar::Hardware),
    /// An exchange with streams.
    Axis {
        plan: &'a Plan,
        /// Bits of a word.
        width: u32,
        streams: Streams,
        netlist: &'a Netlist,
    },
}

impl Design<'_> {
    /// Its name, with which the names of its modules begin.
    pub fn name(&self) -> String {
        match self {
            Design::Planned { plan, width } | Design::Axis { plan, width, .. } => plan.design_name(*width),
            Design::Routed(hardware) => hardware.design_name(),
            Design::Multibutterfly(hardware) => hardware.design_name(),
            Design::Streamed { plan, width, .. } => permute::design_name(plan, *width),
            Design::Loaded(hardware) => hardware.design_name(),
            Design::Messages(messages) => messages.design_name(),
            Design::Crossbar(hardware) => hardware.design_name(),
        }
    }

    /// The parts that designs of its kind have, in the order of the report.
    pub fn parts(&self) -> &'static [Part] {
        match self {
            Design::Planned { .. } => &[Part::Cells, Part::Fabric, Part::Labels, Part::Exchange],
            Design::Routed(_) => &[Part::Cells, Part::Switch, Part::Fabric, Part::Route],
            Design::Multibutterfly(_) => &[Part::Cells, Part::Node, Part::Fabric, Part::Route],
            Design::Streamed { .. } => &[Part::Cells, Part::Permute],
            Design::Loaded(_) => &[Part::Cells, Part::Loaded],
            Design::Crossbar(_) => &[Part::Cells, Part::Crossbar],
            Design::Messages(_) | Design::Axis { .. } => &[Part::Cells, Part::Axis],
        }
    }

    /// Its structure.
    pub(super) fn netlist(&self) -> Netlist {
        match self {
            Design::Planned { plan, width } => frit_cells::design::build(plan, *width),
            Design::Routed(hardware) => hardware.netlist(),
            Design::Multibutterfly(hardware) => hardware.netlist(),
            Design::Streamed { netlist, .. } | Design::Axis { netlist, .. } => (*netlist).clone(),
            Design::Loaded(hardware) => hardware.netlist(),
            Design::Messages(messages) => messages.netlist(),
            Design::Crossbar(hardware) => hardware.netlist(),
        }
    }

    /// The modules that are synthesised, those that it does not have among them: their parts, and what stands behind the
    /// design's name in theirs.
    pub(super) fn modules(&self) -> Vec<(Part, String)> {
        let named = |modules: &[(Part, &str)]| -> Vec<(Part, String)> {
            modules.iter().map(|&(part, name)| (part, name.into())).collect()
        };
        match self {
            Design::Planned { .. } => {
                named(&[(Part::Fabric, "fabric"), (Part::Labels, "labels"), (Part::Exchange, "exchange")])
            }
            Design::Routed(_) => named(&[
                (Part::Switch, "switch_first"),
                (Part::Switch, "switch"),
                (Part::Fabric, "fabric"),
                (Part::Route, "route"),
            ]),
            Design::Multibutterfly(hardware) => {
                let nodes = (0..hardware.columns()).map(|column| (Part::Node, format!("node_{column}")));
                let others = [(Part::Node, "sink"), (Part::Fabric, "fabric"), (Part::Route, "route")];
                nodes.chain(named(&others)).collect()
            }
            Design::Streamed { .. } => named(&[(Part::Permute, "permute")]),
            Design::Loaded(_) => named(&[(Part::Loaded, "loaded")]),
            Design::Crossbar(_) => named(&[(Part::Crossbar, "crossbar")]),
            Design::Messages(_) => named(&[(Part::Axis, "axis")]),
            Design::Axis { streams, .. } => named(&[(Part::Axis, &streams.suffix())]),
        }
    }

    /// The floor of a module, if it has one: it is not derived for edges that are released, nor for nodes. A switch alone asks
    /// for room, wherever it stands in the network.
    pub(super) fn floor(&self, module: &str) -> Option<Floor> {
        let switch = |hardware, level| SwitchFloor { last: false, ..SwitchFloor::of_level(hardware, level) };
        match (self, module) {
            (Design::Planned { plan, width }, "fabric") => Some(Floor::of_fabric(plan, *width)),
            (Design::Routed(hardware), _) if hardware.release() => None,
            (Design::Routed(hardware), "switch_first") => Some(switch(hardware, 0).floor()),
            (Design::Routed(hardware), "switch") => Some(switch(hardware, 1).floor()),
            (Design::Routed(hardware), "fabric") => Some(Floor::of_dilated(hardware)),
            _ => None,
        }
    }

    /// Whether one control line sets the switches of a whole stage or more.
    pub(super) fn shares_control(&self) -> bool {
        match self {
            Design::Planned { plan, .. } => !matches!(plan.control_inputs(), ControlInputs::Switches { .. }),
            _ => false,
        }
    }
}
