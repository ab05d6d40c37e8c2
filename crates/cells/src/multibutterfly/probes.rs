//! Where the testbench looks.

use crate::design::multibutterfly::{Hardware, node_name};
use crate::netlist::simulate::{NamedNet, Simulated};
use std::collections::BTreeMap;

const PORTS: [&str; 13] = [
    "clk_i",
    "rst_i",
    "start_i",
    "busy_o",
    "done_o",
    "stuck_o",
    "cycles_o",
    "phases_o",
    "inject_valid_i",
    "inject_word_i",
    "inject_ready_o",
    "deliver_valid_o",
    "deliver_payload_o",
];

const STEPS: [&str; 6] = ["unasked", "decide", "weigh", "count", "clean", "set"];

/// The step of a phase, where it is one of these.
pub(super) struct Steps {
    pub unasked: bool,
    pub decide: bool,
    pub weigh: bool,
    pub count: bool,
    pub clean: bool,
    pub set: bool,
}

/// The nets of a module by their names.
pub(super) struct Scope(BTreeMap<String, NamedNet>);

/// A node's nets, and those of its sides.
pub(super) struct NodeProbes {
    pub node: Scope,
    pub sides: [Scope; 2],
}

/// All nets that are looked at.
pub(super) struct Probes {
    pub ports: BTreeMap<&'static str, NamedNet>,
    steps: [NamedNet; 6],
    /// In the order of [`Hardware::nodes`].
    pub nodes: Vec<NodeProbes>,
}

impl Scope {
    /// The first lane of a net.
    pub fn get(&self, design: &Simulated, name: &str) -> u64 {
        design.get(&self.0[name], 0)
    }

    /// All lanes of a net; none if there is no such net.
    pub fn lanes(&self, design: &Simulated, name: &str) -> Vec<u64> {
        let lanes = |net: &NamedNet| (0..net.lanes()).map(|lane| design.get(net, lane)).collect();
        self.0.get(name).map(lanes).unwrap_or_default()
    }

    /// Messages of each bank that have gone.
    pub fn sent(&self, design: &Simulated) -> Vec<u64> {
        let names = ["sent", "sent_unused_top"];
        names.into_iter().flat_map(|name| self.lanes(design, name)).collect()
    }

    /// e of a side: that of a source is m.
    pub fn end(&self, design: &Simulated) -> u64 {
        let names = ["ghosts_end", "ghosts_end_unused", "fill"];
        names.into_iter().find_map(|name| Some(design.get(self.0.get(name)?, 0))).unwrap_or_default()
    }
}

impl NodeProbes {
    pub fn placed(&self, design: &Simulated, side: usize) -> u64 {
        design.get(&self.node.0["placed"], side)
    }

    /// What comes to a node that is no source.
    pub fn word(&self, design: &Simulated) -> u64 {
        self.node.get(design, "word")
    }
}

impl Probes {
    pub fn new(design: &Simulated, hardware: &Hardware) -> Self {
        let mut scopes: BTreeMap<String, BTreeMap<String, NamedNet>> = BTreeMap::new();
        for net in design.nets() {
            scopes.entry(net.scope.join(".")).or_default().insert(net.name.clone(), net.clone());
        }
        let top = scopes.remove("").expect("the top has nets");
        let find = |name: &str| top.get(name).unwrap_or_else(|| panic!("the top has a net {name}")).clone();
        let mut scope =
            |name: String| Scope(scopes.remove(&name).unwrap_or_else(|| panic!("there is {name}")));
        let node = |node| {
            let name = format!("u_fabric.{}", node_name(node));
            NodeProbes { sides: [0, 1].map(|side| scope(format!("{name}.u_side{side}"))), node: scope(name) }
        };
        let nodes = hardware.nodes().map(node).collect();
        Probes { ports: PORTS.map(|name| (name, find(name))).into(), steps: STEPS.map(find), nodes }
    }

    /// A port of one bit.
    pub fn port(&self, design: &Simulated, name: &str) -> bool {
        design.get(&self.ports[name], 0) != 0
    }

    pub fn steps(&self, design: &Simulated) -> Steps {
        let [unasked, decide, weigh, count, clean, set] =
            self.steps.each_ref().map(|net| design.get(net, 0) != 0);
        Steps { unasked, decide, weigh, count, clean, set }
    }
}
