//! The inputs of `D_axis`: streams, marks and message memories.

use super::{Axis, Reports};
use crate::cells::{AxisLoadSpec, AxisMarksSpec, BankMemorySpec, MessageMemorySpec};
use crate::message::MessageWords;
use crate::netlist::{Expr, Instance, Kind, Net, Of, Part};
use frit_network::TerminalIdx;

impl Axis<'_> {
    /// The input of a terminal: its stream, and a memory for each of its lanes.
    pub(super) fn load(&mut self, TerminalIdx(terminal): TerminalIdx, reports: &Reports) {
        let (width, address) = (self.width, self.plan.address_bits());
        let message = MessageWords::new(self.streams.words);
        let mut wire =
            |name: &str, bits| self.module.net(Kind::Wires, format!("load_{name}_{terminal}"), bits);
        let (write, dest) = (wire("write", 1), wire("dest", address));
        let word = (self.streams.words > 1).then(|| wire("word", message.bits));
        // Which bank is loaded matters only if there are two.
        let data = wire("data", width);
        let [bank, sent_bank] =
            ["bank", "sent_bank"].map(|name| (self.streams.sets == 2).then(|| wire(name, 1)));
        let [mark, marked, turn] = ["mark", "marked", "turn"].map(|name| wire(name, 1));
        let [unknown, ready] = [wire("unknown", 1), wire("marks_ready", 1)];
        let moves = wire("moves", 1);
        let look = self.input.whom.lane(terminal);
        let marks = self.marks(format!("u_load_marks_{terminal}"), moves.into(), look, mark, turn);
        let marks = marks.output("marked_o", marked);
        self.module.instances.push(marks.output("unknown_o", unknown).output("ready_o", ready));
        let last_terminal = u64::from(self.plan.network.terminals()) - 1;
        // Without a second bank nothing is loaded while the first is read.
        let (never, begin) = (Expr::constant(0, 1), self.begins.lane(terminal));
        let (soon, hold) = match self.streams.sets {
            1 => (never, Expr::Any([begin, self.stays.expect("a net of one set")].map(Part::from).into())),
            _ => (self.soon.into(), never),
        };
        let input = self.input;
        self.module.instances.push(
            Instance::new(
                format!("u_load_{terminal}"),
                Of::cell(AxisLoadSpec { width, bits: address, last_terminal, message }),
            )
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("tvalid_i", input.valid.lane(terminal))
            .output("tready_o", input.ready.lane(terminal))
            .input("tdata_i", input.data.lane(terminal))
            .input("tdest_i", input.whom.lane(terminal))
            .input("tlast_i", input.last.lane(terminal))
            .input("hold_i", hold)
            .input("take_i", begin)
            .input("soon_i", soon)
            .input("marks_ready_i", ready)
            .input("marked_i", marked)
            .input("unknown_i", unknown)
            .output("move_o", moves)
            .output("mark_o", mark)
            .output("write_o", write)
            .output("dest_o", dest)
            .outputs("word_o", vec![word])
            .output("data_o", data)
            .outputs("bank_o", vec![bank])
            .outputs("sent_bank_o", vec![sent_bank])
            .output("turn_o", turn)
            .output("full_o", reports.full.lane(terminal))
            .output("double_o", reports.double.lane(terminal))
            .output("unknown_o", reports.unknown.lane(terminal))
            .output("length_o", reports.length.lane(terminal)),
        );
        for lane in self.lanes_of(TerminalIdx(terminal)) {
            let (write_address, bits) = self.address(bank, dest, word);
            let (read_address, _) = self.address(sent_bank, self.send_dest.lane(lane), self.send_word);
            // The first word of the next set may be written while the last one of this set is read: at the same place, if messages have
            // one word.
            let memory = match self.streams.words {
                1 => Of::cell(MessageMemorySpec { width, address_bits: bits }),
                _ => Of::cell(BankMemorySpec { width, address_bits: bits }),
            };
            self.module.instances.push(
                Instance::new(format!("u_messages_{lane}"), memory)
                    .input("clk_i", self.clk)
                    .input("write_i", write)
                    .input("write_address_i", write_address)
                    .input("data_i", data)
                    .input("read_address_i", read_address)
                    .output("data_o", self.send_data.lane(lane)),
            );
        }
    }

    /// The marks of the destinations, or sources, of one stream, looked up with `moves`, whose next set begins with `turn`.
    pub(super) fn marks(&self, name: String, moves: Expr, look: Net, mark: Net, turn: Net) -> Instance {
        let last = u64::from(self.plan.network.terminals()) - 1;
        let spec = AxisMarksSpec { bits: self.plan.address_bits(), last };
        Instance::new(name, Of::cell(spec))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("move_i", moves)
            .input("look_i", look)
            .input("mark_i", mark)
            .input("turn_i", turn)
    }

    /// Where a word is kept: the bank, the destination, the word in its message; and how many bits that is.
    fn address(&self, bank: Option<Net>, dest: Net, word: Option<Net>) -> (Expr, u32) {
        let (mut parts, mut bits) = (Vec::new(), self.plan.address_bits());
        if let Some(bank) = bank {
            parts.push(bank.into());
            bits += 1;
        }
        parts.push(dest.into());
        if let Some(word) = word {
            parts.push(word.into());
            bits += MessageWords::new(self.streams.words).bits;
        }
        (Expr::Concat(parts), bits)
    }
}
