//! A netlist as one rust-hdl block: every instance is a rust-hdl cell, every net a slot of a table.

use super::{Expr, Kind, ModuleId, Netlist, Of, Part, SignalId};
use crate::cell::{Cell, Dir};
use crate::describe::MAX_SIMULATED_WIDTH;
use frit_network::{Refusal, refusal, refuse};
use rust_hdl::prelude::*;

/// Attached to the refusal of a netlist that rust-hdl does not simulate because its words are too wide.
pub struct TooWide;

/// Passes of rust-hdl's update in which the logic must settle.
const PASSES: usize = 1000;

#[derive(Clone, Copy, Debug)]
struct Slot(u32);

enum Flat {
    Net { slot: Slot, low: u32, bits: u32, invert: bool },
    Const { value: u64, bits: u32 },
}

struct FlatExpr {
    any: bool,
    parts: Vec<Flat>,
}

struct Placed {
    cell: Box<dyn Cell>,
    inputs: Vec<(usize, FlatExpr)>,
    outputs: Vec<(usize, Slot)>,
}

/// A net of the flattened design: where it is, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNet {
    /// Instances from the top down to the module; the top itself is not named.
    pub scope: Vec<String>,
    pub name: String,
    pub kind: Kind,
    /// Bits of a lane.
    pub width: u32,
    slots: Vec<u32>,
}

/// The flattened design.
pub struct Simulated {
    slots: Vec<u64>,
    widths: Vec<u32>,
    changed: bool,
    assigns: Vec<(Slot, FlatExpr)>,
    placed: Vec<Placed>,
    nets: Vec<NamedNet>,
}

impl Simulated {
    /// Flattens a netlist and builds its cells.
    pub fn new(netlist: &Netlist) -> Result<Self, Refusal> {
        let mut simulated = Simulated {
            slots: vec![],
            widths: vec![],
            changed: false,
            assigns: vec![],
            placed: vec![],
            nets: vec![],
        };
        simulated.place(netlist, netlist.top_id(), &[], &[])?;
        Ok(simulated)
    }

    fn slot(&mut self, width: u32) -> Slot {
        self.slots.push(0);
        self.widths.push(width);
        Slot(self.slots.len() as u32 - 1)
    }

    /// Places a module; `given` holds the slots that its ports share with its parent.
    fn place(
        &mut self,
        netlist: &Netlist,
        id: ModuleId,
        scope: &[String],
        given: &[(SignalId, Vec<Slot>)],
    ) -> Result<(), Refusal> {
        let module = netlist.module(id);
        let mut table: Vec<Vec<Slot>> = Vec::with_capacity(module.signals.len());
        for (at, signal) in module.signals.iter().enumerate() {
            let shared = given.iter().find(|(id, _)| id.0 as usize == at);
            let slots = match shared {
                Some((_, slots)) => slots.clone(),
                None => (0..signal.lanes).map(|_| self.slot(signal.width)).collect(),
            };
            self.nets.push(NamedNet {
                scope: scope.to_vec(),
                name: signal.name.clone(),
                kind: signal.kind,
                width: signal.width,
                slots: slots.iter().map(|slot| slot.0).collect(),
            });
            table.push(slots);
        }
        let lookup = |net: super::Net| table[net.signal.0 as usize][net.lane as usize];
        for (net, expr) in &module.assigns {
            let expr = self.flatten(expr, &lookup);
            self.assigns.push((lookup(*net), expr));
        }
        for instance in &module.instances {
            match &instance.of {
                Of::Cell(spec) => {
                    let widest = spec.ports().iter().map(|port| port.width).max().unwrap_or(1);
                    let cell = spec.build().ok_or_else(|| {
                        refusal!(
                            "rust-hdl simulates words of at most {MAX_SIMULATED_WIDTH} bits here, not {widest}"
                        )
                        .with(TooWide)
                    })?;
                    let ports = cell.ports();
                    let find = |name: &str, dir: Dir| {
                        let at = ports.iter().position(|port| port.name == name && port.dir == dir);
                        at.unwrap_or_else(|| panic!("{} has no {dir:?} port {name}", spec.module()))
                    };
                    let inputs = instance
                        .inputs
                        .iter()
                        .map(|(name, lanes)| (find(name, Dir::In), self.flatten(&lanes[0], &lookup)))
                        .collect();
                    let outputs = instance
                        .outputs
                        .iter()
                        .filter_map(|(name, lanes)| lanes[0].map(|net| (find(name, Dir::Out), lookup(net))))
                        .collect();
                    self.placed.push(Placed { cell, inputs, outputs });
                }
                Of::Module(child) => {
                    let signals = netlist.module(*child);
                    let mut shared = Vec::new();
                    for (name, lanes) in &instance.inputs {
                        let id = signals.find(name).unwrap_or_else(|| panic!("no port {name}"));
                        let width = signals.signal(id).width;
                        let slots = lanes
                            .iter()
                            .map(|expr| match expr.as_net() {
                                Some(net) => lookup(net),
                                None => {
                                    let slot = self.slot(width);
                                    let expr = self.flatten(expr, &lookup);
                                    self.assigns.push((slot, expr));
                                    slot
                                }
                            })
                            .collect();
                        shared.push((id, slots));
                    }
                    for (name, lanes) in &instance.outputs {
                        let id = signals.find(name).unwrap_or_else(|| panic!("no port {name}"));
                        let width = signals.signal(id).width;
                        let slots =
                            lanes.iter().map(|net| net.map_or_else(|| self.slot(width), lookup)).collect();
                        shared.push((id, slots));
                    }
                    let scope = [scope, std::slice::from_ref(&instance.name)].concat();
                    self.place(netlist, *child, &scope, &shared)?;
                }
            }
        }
        Ok(())
    }

    fn flatten(&self, expr: &Expr, lookup: &impl Fn(super::Net) -> Slot) -> FlatExpr {
        let (any, parts) = match expr {
            Expr::Concat(parts) => (false, parts),
            Expr::Any(parts) => (true, parts),
        };
        let flat = |part: &Part| match part {
            Part::Const { value, bits } => Flat::Const { value: *value, bits: *bits },
            Part::Net { net, bits, invert } => {
                let slot = lookup(*net);
                let (high, low) = bits.unwrap_or((self.widths[slot.0 as usize] - 1, 0));
                Flat::Net { slot, low, bits: high - low + 1, invert: *invert }
            }
        };
        FlatExpr { any, parts: parts.iter().map(flat).collect() }
    }

    fn evaluate(&self, expr: &FlatExpr) -> u64 {
        let mut value = 0u64;
        for part in &expr.parts {
            let (piece, bits) = match part {
                Flat::Const { value, bits } => (*value, *bits),
                Flat::Net { slot, low, bits, invert } => {
                    let raw = self.slots[slot.0 as usize] >> low;
                    (if *invert { !raw } else { raw }, *bits)
                }
            };
            let piece = if bits < 64 { piece & ((1 << bits) - 1) } else { piece };
            value = match (expr.any, bits) {
                (true, _) => value | (piece != 0) as u64,
                (false, 64..) => piece,
                (false, _) => value << bits | piece,
            };
        }
        value
    }

    pub fn nets(&self) -> &[NamedNet] {
        &self.nets
    }

    /// A net by its scope (instances separated by dots, empty for the top) and name.
    pub fn find(&self, scope: &str, name: &str) -> Option<NamedNet> {
        self.nets.iter().find(|net| net.scope.join(".") == scope && net.name == name).cloned()
    }

    /// The value of a lane of a net.
    pub fn get(&self, net: &NamedNet, lane: usize) -> u64 {
        self.slots[net.slots[lane] as usize]
    }

    /// Drives a lane of an input of the top.
    pub fn set(&mut self, net: &NamedNet, lane: usize, value: u64) {
        let slot = net.slots[lane] as usize;
        self.changed |= self.slots[slot] != value;
        self.slots[slot] = value;
    }

    /// Lets rust-hdl's logic settle.
    pub fn settle(&mut self) -> Result<(), Refusal> {
        match simulate(self, PASSES) {
            true => Ok(()),
            false => refuse!("the rust-hdl network did not settle within {PASSES} passes: it oscillates"),
        }
    }
}

impl NamedNet {
    pub fn lanes(&self) -> usize {
        self.slots.len()
    }
}

impl Logic for Simulated {
    fn update(&mut self) {
        for at in 0..self.assigns.len() {
            let value = self.evaluate(&self.assigns[at].1);
            let slot = &mut self.slots[self.assigns[at].0.0 as usize];
            self.changed |= *slot != value;
            *slot = value;
        }
        let mut placed = std::mem::take(&mut self.placed);
        for Placed { cell, inputs, .. } in &mut placed {
            for (port, expr) in inputs {
                cell.drive(*port, self.evaluate(expr));
            }
        }
        self.placed = placed;
    }
}

impl Block for Simulated {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {
        self.changed = false;
        self.update();
        for Placed { cell, outputs, .. } in &mut self.placed {
            cell.update_all();
            for (port, slot) in outputs {
                let value = cell.read(*port);
                let slot = &mut self.slots[slot.0 as usize];
                self.changed |= *slot != value;
                *slot = value;
            }
        }
    }
    fn has_changed(&self) -> bool {
        self.changed || self.placed.iter().any(|placed| placed.cell.has_changed())
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        for (at, placed) in self.placed.iter().enumerate() {
            placed.cell.accept(&format!("cell${at}"), probe);
        }
        probe.visit_end_scope(name, self);
    }
}
