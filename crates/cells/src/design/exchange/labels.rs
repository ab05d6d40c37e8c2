//! Labels: a generator and a terminal for each lane, and the module that routes the labels.

use super::{Controls, Exchange};
use crate::cells::{LabelGenSpec, RingWordSpec, SpareGateSpec, TerminalSpec, WindowCounterSpec};
use crate::netlist::{Expr, Instance, Kind, ModuleId, Net, Of, Part};
use frit_network::RoundIdx;
use frit_schedule::rotation::{Direction, RotationLabels};
use frit_schedule::window::WindowLabels;

impl Exchange<'_> {
    /// A label generator and a terminal per lane, and the module that routes the labels.
    pub(super) fn rotation(&mut self, rule: RotationLabels, labels: ModuleId, passes: &Controls) -> Controls {
        let arrived = self.arrived();
        let (lanes, address) = (self.plan.network.lanes(), self.plan.address_bits());
        let (up, down) = (1, (1u64 << address) - 1);
        let (send_step, receive_step) = match rule.direction {
            Direction::Right => (down, up),
            Direction::Left => (up, down),
        };
        let dest = self.module.bundle(Kind::Wires, "dest", lanes, address);
        let intermediate = self.module.bundle(Kind::Wires, "intermediate", lanes, address);
        let mut label = Vec::new();
        for lane in 0..lanes {
            self.module.heading(format!("Terminal {lane}: its labels, its destination and its source."));
            let terminal = lane as u64;
            let generator = LabelGenSpec { bits: address, terminal, step: send_step };
            self.module.instances.push(
                Instance::new(format!("u_label_gen_{lane}"), Of::cell(generator))
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("advance_i", self.advances(lane))
                    .output("dest_o", dest.lane(lane))
                    .output("intermediate_o", intermediate.lane(lane)),
            );
            let spec = TerminalSpec { bits: address, terminal, step: receive_step };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::cell(spec))
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("sending_i", self.sends(lane))
                    .input("dest_i", dest.lane(lane))
                    .input("arriving_i", arrived)
                    .output("send_valid_o", self.send_valid.lane(lane))
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
            let bits = Some((rule.destination_bits() - 1, 0));
            let low = Part::Net { net: dest.lane(lane), bits, invert: false };
            label.push(Expr::Concat(vec![intermediate.lane(lane).into(), low]));
        }
        self.routed_labels(labels, label, passes)
    }

    /// The labels of a window: for each lane three numbers that grow from round to round, its label, whom it is for and, as
    /// words arrive, from whom; in a `ring` a label is the one that the terminal before it had.
    pub(super) fn window(
        &mut self,
        rule: WindowLabels,
        ring: bool,
        labels: ModuleId,
        passes: &Controls,
    ) -> Controls {
        let arrived = self.arrived();
        let (lanes, bits) = (self.plan.network.lanes(), rule.stages);
        let word = self.module.bundle(Kind::Wires, "label", lanes, bits);
        let modulus = u64::from(rule.terminals);
        let number = |start: u32, step: u32, first: u32| {
            let last = u64::from(first) + modulus - 1;
            WindowCounterSpec { bits, start: start.into(), step: step.into(), last, modulus }
        };
        for lane in 0..lanes {
            self.module.heading(format!("Terminal {lane}: its labels, its destination and its source."));
            let start = rule.label(RoundIdx(0), lane);
            match ring {
                true => {
                    let before = word.lane((lane + lanes - 1) % lanes);
                    self.module.instances.push(
                        Instance::new(format!("u_label_{lane}"), Of::cell(RingWordSpec { bits, start }))
                            .input("clk_i", self.clk)
                            .input("rst_i", self.rst)
                            .input("advance_i", self.advances(lane))
                            .input("word_i", before)
                            .output("word_o", word.lane(lane)),
                    );
                }
                false => {
                    let spec = number(start as u32, rule.step(), rule.first());
                    self.counter(format!("u_label_{lane}"), spec, self.advances(lane), word.lane(lane));
                }
            }
            let spec = number(rule.destination(RoundIdx(0), lane), rule.step(), 0);
            self.counter(format!("u_dest_{lane}"), spec, self.advances(lane), self.send_dest.lane(lane));
            let spec = number(rule.source(RoundIdx(0), lane), rule.source_step(), 0);
            self.counter(format!("u_source_{lane}"), spec, arrived, self.recv_source.lane(lane));
            self.asks(lane);
        }
        let label = (0..lanes).map(|lane| word.lane(lane).into()).collect();
        self.routed_labels(labels, label, passes)
    }

    /// When the terminal of a lane asks for a word: in every round, or in those that a padded exchange serves.
    fn asks(&mut self, lane: u32) {
        let (sending, valid) = (self.sends(lane), self.send_valid.lane(lane));
        let served = self.plan.served();
        if !self.plan.has_spare() {
            self.module.assigns.push((valid, sending.into()));
            return;
        }
        // A spare terminal never sends.
        let sending = if lane < served { sending.into() } else { Expr::constant(0, 1) };
        let spec = SpareGateSpec { bits: self.plan.address_bits(), served: served.into() };
        self.module.instances.push(
            Instance::new(format!("u_spare_gate_{lane}"), Of::cell(spec))
                .input("sending_i", sending)
                .input("dest_i", self.send_dest.lane(lane))
                .output("send_valid_o", valid),
        );
    }

    fn counter(&mut self, name: String, spec: WindowCounterSpec, advance: Net, count: Net) {
        self.module.instances.push(
            Instance::new(name, Of::cell(spec))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("advance_i", advance)
                .output("count_o", count),
        );
    }

    /// The module that routes labels and sets the switches by them.
    pub(super) fn routed_labels(
        &mut self,
        labels: ModuleId,
        label: Vec<Expr>,
        passes: &Controls,
    ) -> Controls {
        let states = self.plan.network.switches() as u32;
        let label: Vec<Expr> = (0..)
            .zip(label)
            .map(|(lane, label)| self.in_time(&format!("entering_label_{lane}"), label, self.plan.hops()))
            .collect();
        let state = self.module.bundle(Kind::Vector, "state", states, 1);
        self.module.heading("The states of the switches, computed from the labels.");
        let mut instance = Instance::new("u_labels", Of::Module(labels))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .inputs("valid_i", self.entering.clone())
            .inputs("label_i", label);
        for (port, bits) in passes {
            instance = instance.inputs(port, bits.clone());
        }
        let mut instance = instance.outputs("state_o", state.driven());
        match self.plan.tells_conflicts() {
            true => instance = instance.output("conflict_o", self.conflict),
            false => self
                .module
                .tie_low(self.conflict, "The logic that finds conflicts was left out (conflict=no)."),
        }
        self.module.instances.push(instance);
        vec![("state_i", state.drive())]
    }
}
