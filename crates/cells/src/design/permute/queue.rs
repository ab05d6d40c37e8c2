//! The output of a streamed permutation: its ports, and the queue for beats under way.

use super::{Core, Stage};
use crate::cells::{BeatEndSpec, BeatQueueSpec, TurnMemorySpec};
use crate::netlist::{Bundle, Kind, Net, Of};
use frit_permute::parts::bits_of;

/// The ports of the output stream; those with lanes with the bits of a lane.
pub(super) struct Output {
    valid: Net,
    ready: Net,
    data: Vec<(u32, Bundle)>,
    last: Net,
}

impl Core<'_> {
    pub(super) fn output_ports(&mut self) -> Output {
        Output {
            valid: self.module.net(Kind::Output, "m_axis_tvalid_o", 1),
            ready: self.module.net(Kind::Input, "m_axis_tready_i", 1),
            data: self.bundles(Kind::Output, "m_axis", "o"),
            last: self.module.net(Kind::Output, "m_axis_tlast_o", 1),
        }
    }

    /// The queue at the output; `due` says when a beat takes a place.
    pub(super) fn queue(&mut self, stage: Stage, due: Net, output: Output) {
        self.module.heading("The output: a queue for beats under way.");
        let (address_bits, limit) = self.plan.queue();
        let [write_address, read_address] =
            ["output_write_address", "output_read_address"].map(|name| self.wire(name.into(), address_bits));
        let read = self.wire("output_read".into(), 1);
        let spec = BeatQueueSpec { address_bits, used_bits: address_bits + 1, limit: limit.into() };
        let control = self
            .clocked("u_output".into(), Of::cell(spec), true)
            .input("due_i", due)
            .input("push_i", stage.valid)
            .input("tready_i", output.ready)
            .output("advance_o", self.advance)
            .output("tvalid_o", output.valid)
            .output("write_address_o", write_address)
            .output("read_o", read)
            .output("read_address_o", read_address);
        self.module.instances.push(control);
        for (lane, word) in stage.data.into_iter().take(self.plan.lanes as usize).enumerate() {
            let width = self.width;
            let (name, lane) = (format!("u_output_{lane}"), lane as u32);
            let to = match output.data.as_slice() {
                [(_, data)] => data.lane(lane),
                fields => self.fields_of(&format!("output_word_{lane}"), fields, lane),
            };
            let instance = self
                .clocked(name, Of::cell(TurnMemorySpec { address_bits, width }), false)
                .input("write_i", stage.valid)
                .input("write_address_i", write_address)
                .input("data_i", word)
                .input("read_i", read)
                .input("read_address_i", read_address)
                .output("data_o", to);
            self.module.instances.push(instance);
        }
        let last = u64::from(self.plan.cycles) - 1;
        let spec = BeatEndSpec { bits: bits_of(self.plan.cycles), last };
        let end = self
            .clocked("u_output_end".into(), Of::cell(spec), true)
            .input("read_i", read)
            .output("last_o", output.last);
        self.module.instances.push(end);
    }
}
