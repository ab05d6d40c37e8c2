//! The output of a streamed permutation: its ports, and the queue for beats under way.

use super::{Core, Stage};
use crate::cells::{BeatEndSpec, BeatQueueSpec, QueuePointerSpec, TurnMemorySpec};
use crate::netlist::{Bundle, Kind, Net, Of};
use frit_network::LaneIdx;
use frit_permute::Streamed;
use frit_permute::parts::bits_of;

/// The ports of the output stream; those with lanes with the bits of a lane.
pub(super) struct Output {
    valid: Net,
    ready: Net,
    data: Vec<(u32, Bundle)>,
    last: Net,
}

/// Lanes whose memories share a register with the place of the oldest beat.
const LANES_OF_A_POINTER: u32 = 8;

/// The lanes from which on memories have a register of their own with the place of the oldest beat.
pub fn pointers(plan: &Streamed) -> impl Iterator<Item = u32> {
    (1..plan.lanes.div_ceil(LANES_OF_A_POINTER)).map(|group| group * LANES_OF_A_POINTER)
}

impl Core<'_> {
    /// The place of the oldest beat, for the memories from this lane on.
    fn pointer(&mut self, lane: LaneIdx, address_bits: u32, read: Net) -> Net {
        let address = self.wire(format!("output_read_address_{lane}"), address_bits);
        let instance = self
            .clocked(format!("u_output_pointer_{lane}"), Of::cell(QueuePointerSpec { address_bits }), true)
            .input("read_i", read)
            .output("address_o", address);
        self.module.instances.push(instance);
        address
    }

    pub(super) fn output_ports(&mut self) -> Output {
        Output {
            valid: self.module.net(Kind::Output, "m_axis_tvalid_o", 1),
            ready: self.module.net(Kind::Input, "m_axis_tready_i", 1),
            data: self.bundles(Kind::Output, "m_axis", "o"),
            last: self.module.net(Kind::Output, "m_axis_tlast_o", 1),
        }
    }

    /// The queue at the output; `due` says when a beat takes a place. `ends` comes with a beat and says that it is the last of its data set; else
    /// beats are counted.
    pub(super) fn queue(&mut self, stage: Stage, due: Net, ends: Option<Net>, output: Output) {
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
        let mut oldest = read_address;
        for (lane, word) in stage.data.into_iter().take(self.plan.lanes as usize).enumerate() {
            if pointers(self.plan).any(|first| first == lane as u32) {
                oldest = self.pointer(LaneIdx(lane as u32), address_bits, read);
            }
            let width = self.width;
            let (name, lane) = (format!("u_output_{lane}"), lane as u32);
            let to = match output.data.as_slice() {
                [(_, data)] => data.lane(lane),
                fields => self.fields_of(&format!("output_word_{lane}"), fields, LaneIdx(lane)),
            };
            let instance = self
                .clocked(name, Of::cell(TurnMemorySpec { address_bits, width }), false)
                .input("write_i", stage.valid)
                .input("write_address_i", write_address)
                .input("data_i", word)
                .input("read_i", read)
                .input("read_address_i", oldest)
                .output("data_o", to);
            self.module.instances.push(instance);
        }
        if let Some(ends) = ends {
            let instance = self
                .clocked("u_output_end".into(), Of::cell(TurnMemorySpec { address_bits, width: 1 }), false)
                .input("write_i", stage.valid)
                .input("write_address_i", write_address)
                .input("data_i", ends)
                .input("read_i", read)
                .input("read_address_i", read_address)
                .output("data_o", output.last);
            self.module.instances.push(instance);
            return;
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
