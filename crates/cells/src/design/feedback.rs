//! The way back of a network that is passed twice: a multiplexer in front of every input lane, a gate behind the first
//! pass, and between the two a wire or a FIFO.

use crate::cells::{FeedbackMuxSpec, FifoSpec, PassGateSpec};
use crate::netlist::{Bundle, Instance, Kind, Module, Net, Of};
use frit_network::{LaneIdx, StageIdx};
use frit_schedule::Plan;
use frit_schedule::second_pass::SecondPass;

pub(super) struct Feedback {
    second: SecondPass,
    clk: Net,
    rst: Net,
    again: Net,
    deliver: Net,
    width: u32,
    /// What is carried: `data` or `label`.
    what: &'static str,
    /// The words at the end of the first pass, by the input lane to which they go back.
    end_valid: Bundle,
    end_data: Bundle,
    lanes: u32,
}

impl Feedback {
    /// The ports `again_i` and `deliver_i` and the nets of the way back, for a plan with a second pass.
    pub(super) fn new(
        plan: &Plan,
        module: &mut Module,
        clk: Net,
        rst: Net,
        width: u32,
        what: &'static str,
    ) -> Option<Self> {
        let second = plan.second_pass?;
        let lanes = plan.network.lanes();
        Some(Feedback {
            second,
            clk,
            rst,
            again: module.net(Kind::Input, "again_i", 1),
            deliver: module.net(Kind::Input, "deliver_i", 1),
            width,
            what,
            end_valid: module.bundle(Kind::Wires, "end_valid", lanes, 1),
            end_data: module.bundle(Kind::Wires, format!("end_{what}"), lanes, width),
            lanes,
        })
    }

    /// What enters stage 0: the words of the terminals, or those that come back.
    pub(super) fn enter(&self, module: &mut Module, valid: Bundle, data: Bundle) -> (Bundle, Bundle) {
        let (back_valid, back_data) = self.back(module);
        let entering_valid = module.bundle(Kind::Wires, "entering_valid", self.lanes, 1);
        let entering_data =
            module.bundle(Kind::Wires, format!("entering_{}", self.what), self.lanes, self.width);
        for lane in 0..self.lanes {
            let of = Of::cell(FeedbackMuxSpec { width: self.width });
            module.instances.push(
                Instance::new(format!("u_feedback_mux_{lane}"), of)
                    .input("again_i", self.again)
                    .input("valid_i", valid.lane(lane))
                    .input("data_i", data.lane(lane))
                    .input("back_valid_i", back_valid.lane(lane))
                    .input("back_data_i", back_data.lane(lane))
                    .output("valid_o", entering_valid.lane(lane))
                    .output("data_o", entering_data.lane(lane)),
            );
        }
        (entering_valid, entering_data)
    }

    /// What comes back: the end of the first pass itself, or what waited in a FIFO.
    fn back(&self, module: &mut Module) -> (Bundle, Bundle) {
        if self.second.wait == 0 {
            return (self.end_valid, self.end_data);
        }
        let valid = module.bundle(Kind::Wires, "back_valid", self.lanes, 1);
        let data = module.bundle(Kind::Wires, format!("back_{}", self.what), self.lanes, self.width);
        // Pointers are two bits wide at least.
        let address_bits = (self.second.wait - 1).max(2).ilog2() + 1;
        for lane in 0..self.lanes {
            let of = Of::cell(FifoSpec { width: self.width, address_bits });
            module.instances.push(
                Instance::new(format!("u_fifo_{lane}"), of)
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("push_i", self.end_valid.lane(lane))
                    .input("data_i", self.end_data.lane(lane))
                    .input("pop_i", self.again)
                    .output("valid_o", valid.lane(lane))
                    .output("data_o", data.lane(lane)),
            );
        }
        (valid, data)
    }

    /// In front of stage `stage` (the outputs, if there is no such stage): if the first pass ends here, gates that let
    /// only words in their second pass go on. `sources` names for every lane the output port that feeds it; what is
    /// returned are the valid bits of those ports for the next stage.
    pub(super) fn leave(
        &self,
        module: &mut Module,
        stage: StageIdx,
        sources: &[u32],
        valid: Bundle,
        data: Bundle,
    ) -> Bundle {
        if stage.0 != self.second.after {
            return valid;
        }
        let going_on = module.bundle(Kind::Wires, "delivered_valid", self.lanes, 1);
        for (lane, &source) in (0..).zip(sources) {
            let gate = self.gate(LaneIdx(lane), valid.lane(source)).output("valid_o", going_on.lane(source));
            module.instances.push(gate);
            module.assigns.push((self.end_data.lane(lane), data.lane(source).into()));
        }
        going_on
    }

    /// The same behind the last stage, where nothing goes on.
    pub(super) fn end(&self, module: &mut Module, sources: &[u32], valid: Bundle, data: Bundle) {
        for (lane, &source) in (0..).zip(sources) {
            module.instances.push(self.gate(LaneIdx(lane), valid.lane(source)).unused("valid_o"));
            module.assigns.push((self.end_data.lane(lane), data.lane(source).into()));
        }
    }

    fn gate(&self, lane: LaneIdx, valid: Net) -> Instance {
        Instance::new(format!("u_pass_gate_{lane}"), Of::cell(PassGateSpec))
            .input("deliver_i", self.deliver)
            .input("valid_i", valid)
            .output("back_valid_o", self.end_valid.lane(lane.0))
    }
}
