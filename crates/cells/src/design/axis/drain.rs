//! The outputs of `D_axis`: buffers and streams.

use super::{Axis, Reports, messages_of_a_lane};
use crate::cells::{AxisDrainSpec, AxisMergeSpec, AxisSieveSpec};
use crate::describe::counter_bits;
use crate::message::MessageWords;
use crate::netlist::{Expr, Instance, Kind, Net, Of, Part};
use frit_network::{LaneIdx, TerminalIdx};

/// The signals of one stream, its source packed above its word.
struct Beats {
    valid: Net,
    ready: Net,
    packed: Net,
    last: Net,
}

impl Axis<'_> {
    /// The output of a terminal: the buffer of its lane, or those of its two lanes merged into one stream.
    pub(super) fn drain(&mut self, terminal: TerminalIdx, reports: &Reports) {
        let output = self.output;
        let [valid, ready, last] =
            [output.valid, output.ready, output.last].map(|bundle| bundle.lane(terminal.0));
        let packed = self.module.net(Kind::Wires, format!("drain_{terminal}"), self.packed_width());
        let lanes = self.lanes_of(terminal);
        match lanes.len() {
            1 => self.buffer(LaneIdx(lanes.start), reports, Beats { valid, ready, packed, last }),
            _ => self.merge(terminal, reports, Beats { valid, ready, packed, last }),
        }
        let part =
            |high, low| Expr::Concat(vec![Part::Net { net: packed, bits: Some((high, low)), invert: false }]);
        let assigns = &mut self.module.assigns;
        assigns.push((output.data.lane(terminal.0), part(self.width - 1, 0)));
        assigns.push((
            output.whom.lane(terminal.0),
            part(self.width + self.plan.address_bits() - 1, self.width),
        ));
    }

    /// Bits of a word with its source above it.
    fn packed_width(&self) -> u32 {
        self.width + self.plan.address_bits()
    }

    /// The buffers of the two lanes of a terminal, a message of each in turn.
    fn merge(&mut self, terminal: TerminalIdx, reports: &Reports, merged: Beats) {
        let width = self.packed_width();
        let mut merge = Instance::new(format!("u_merge_{terminal}"), Of::cell(AxisMergeSpec { width }))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst);
        for (lane, side) in self.lanes_of(terminal).map(LaneIdx).zip(["up", "down"]) {
            let mut wire =
                |name: &str, bits| self.module.net(Kind::Wires, format!("lane_{name}_{lane}"), bits);
            let (valid, packed) = (wire("valid", 1), wire("data", width));
            let (last, ready) = (wire("last", 1), wire("ready", 1));
            self.buffer(lane, reports, Beats { valid, ready, packed, last });
            merge = merge
                .input(&format!("{side}_tvalid_i"), valid)
                .output(&format!("{side}_tready_o"), ready)
                .input(&format!("{side}_tdata_i"), packed)
                .input(&format!("{side}_tlast_i"), last);
        }
        self.module.instances.push(
            merge
                .output("tvalid_o", merged.valid)
                .input("tready_i", merged.ready)
                .output("tdata_o", merged.packed)
                .output("tlast_o", merged.last),
        );
    }

    /// The buffer of a lane, which keeps the source above the word.
    fn buffer(&mut self, lane: LaneIdx, reports: &Reports, beats: Beats) {
        let words = messages_of_a_lane(self.plan) * self.streams.words;
        let spec = AxisDrainSpec {
            width: self.packed_width(),
            address_bits: counter_bits(u64::from(words * self.streams.sets) - 1),
            last_of_set: u64::from(words) - 1,
            message: MessageWords::new(self.streams.words),
            sets: u64::from(self.streams.sets),
        };
        let (push, arrived) = self.arrived(lane);
        self.module.instances.push(
            Instance::new(format!("u_drain_{lane}"), Of::cell(spec))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("begin_i", self.begins.lane(lane.0 / self.plan.lanes_per_terminal()))
                .input("push_i", push)
                .input("data_i", arrived)
                .output("tvalid_o", beats.valid)
                .input("tready_i", beats.ready)
                .output("tdata_o", beats.packed)
                .output("tlast_o", beats.last)
                .output("room_o", reports.room.lane(lane.0)),
        );
    }

    /// What arrives on a lane for the first time: whether, and the source above the word.
    fn arrived(&mut self, lane: LaneIdx) -> (Net, Expr) {
        let [valid, source, data] =
            [self.recv_valid, self.recv_source, self.recv_data].map(|bundle| bundle.lane(lane.0));
        let word = Expr::Concat(vec![source.into(), data.into()]);
        if messages_of_a_lane(self.plan) == self.plan.rounds {
            return (valid, word);
        }
        let width = self.packed_width();
        let mut wire = |name: &str, bits| self.module.net(Kind::Wires, format!("sieve_{name}_{lane}"), bits);
        let [mark, marked, first] = [wire("mark", 1), wire("marked", 1), wire("first", 1)];
        let data = wire("data", width);
        // The last word of an exchange is looked at in the cycle in which it is said to be done.
        let done = self.told.iter().find(|(name, _)| *name == "done_o").expect("a port of the module").1;
        let marks = self.marks(format!("u_sieve_marks_{lane}"), Expr::constant(1, 1), source, mark, done);
        let marks = marks.output("marked_o", marked);
        self.module.instances.push(marks.unused("unknown_o").unused("ready_o"));
        let message = MessageWords::new(self.streams.words);
        self.module.instances.push(
            Instance::new(format!("u_sieve_{lane}"), Of::cell(AxisSieveSpec { width, message }))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("push_i", valid)
                .input("data_i", word)
                .input("marked_i", marked)
                .output("mark_o", mark)
                .output("push_o", first)
                .output("data_o", data),
        );
        (first, data.into())
    }
}
