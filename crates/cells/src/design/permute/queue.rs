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

/// Bits of words whose memories are read together.
const BITS_OF_A_POINTER: u32 = 64;

/// How many lanes, with words of `width` bits, have memories that are read together.
fn lanes_of_a_pointer(plan: &Streamed, width: u32) -> u32 {
    (BITS_OF_A_POINTER / plan.word_bits(width)).max(1)
}

/// The first lane of each group of lanes whose memories are read together.
pub fn pointers(plan: &Streamed, width: u32) -> impl Iterator<Item = u32> {
    (0..plan.lanes).step_by(lanes_of_a_pointer(plan, width) as usize)
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

    /// The queue at the output; `due` says when a beat takes a place. `ends` comes with a beat and says that it is the last of its data set; else
    /// beats are counted.
    pub(super) fn queue(&mut self, stage: Stage, due: Net, ends: Option<Net>, output: Output) {
        self.module.heading("The output: a queue for beats under way.");
        let (address_bits, limit) = self.plan.queue();
        let write_address = self.wire("output_write_address".into(), address_bits);
        let [write, some, shown] =
            ["output_write", "output_some", "output_shown"].map(|name| self.wire(name.into(), 1));
        let spec = BeatQueueSpec { address_bits, used_bits: address_bits + 1, limit: limit.into() };
        let control = self
            .clocked("u_output".into(), Of::cell(spec), true)
            .input("due_i", due)
            .input("push_i", stage.valid)
            .input("tready_i", output.ready)
            .output("advance_o", self.advance)
            .output("tvalid_o", output.valid)
            .output("write_address_o", write_address)
            .output("write_o", write)
            .output("some_o", some)
            .output("shown_o", shown);
        self.module.instances.push(control);
        let groups: Vec<[Net; 2]> = pointers(self.plan, self.data_bits)
            .map(|lane| {
                let [read, address] = [("read", 1), ("read_address", address_bits)]
                    .map(|(what, bits)| self.wire(format!("output_{what}_{lane}"), bits));
                let of = Of::cell(QueuePointerSpec { address_bits });
                let instance = self
                    .clocked(format!("u_output_pointer_{lane}"), of, true)
                    .input("some_i", some)
                    .input("shown_i", shown)
                    .input("tready_i", output.ready)
                    .output("read_o", read)
                    .output("address_o", address);
                self.module.instances.push(instance);
                [read, address]
            })
            .collect();
        let lanes_of_a_group = lanes_of_a_pointer(self.plan, self.data_bits);
        for (lane, word) in stage.data.into_iter().take(self.plan.lanes as usize).enumerate() {
            let width = self.width;
            let (name, lane) = (format!("u_output_{lane}"), lane as u32);
            let to = match output.data.as_slice() {
                [(_, data)] => data.lane(lane),
                fields => self.fields_of(&format!("output_word_{lane}"), fields, LaneIdx(lane)),
            };
            let [read, oldest] = groups[(lane / lanes_of_a_group) as usize];
            let instance = self
                .clocked(name, Of::cell(TurnMemorySpec { address_bits, width }), false)
                .input("write_i", write)
                .input("write_address_i", write_address)
                .input("data_i", word)
                .input("read_i", read)
                .input("read_address_i", oldest)
                .output("data_o", to);
            self.module.instances.push(instance);
        }
        let [read, oldest] = groups[0];
        if let Some(ends) = ends {
            let instance = self
                .clocked("u_output_end".into(), Of::cell(TurnMemorySpec { address_bits, width: 1 }), false)
                .input("write_i", write)
                .input("write_address_i", write_address)
                .input("data_i", ends)
                .input("read_i", read)
                .input("read_address_i", oldest)
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
