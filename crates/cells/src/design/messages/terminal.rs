//! The two sides of a terminal: the messages that it sends, and those that it receives.

use super::{Said, Stream, Top, Wires};
use crate::cells::{
    BankMemorySpec, MessageDrainSpec, MessageInputSpec, MessageQueueSpec, MessageSendSpec, PairCounterSpec,
    ScheduleWordSpec, ShortTableSpec, TurnMemorySpec,
};
use crate::netlist::{Bundle, Expr, Instance, Of, Part};

impl Top {
    /// The input of a terminal: its stream, its memory, and what its rounds read.
    pub(super) fn input(
        &mut self,
        terminal: u32,
        wires: &Wires,
        stream: &Stream,
        user: Bundle,
        said: &mut Said,
    ) {
        let (width, bits, message) = (self.width, self.shape.terminal_bits(), self.words);
        let pairs = 1 << bits;
        let mut wire = |name: &str, bits| self.wire(format!("{name}_{terminal}"), bits);
        let [write, load_bank, end, full, wrong, sent_bank, read_bank, left] =
            ["write", "load_bank", "ends", "full", "wrong", "sent_bank", "read_bank", "left"]
                .map(|name| wire(name, 1));
        let (dest, word, data) =
            (wire("load_dest", bits), wire("load_word", message.bits), wire("load_data", width));
        let (messages, next, length) =
            (wire("messages", pairs), wire("next_word", message.bits), wire("last_word", message.bits));
        let [again, begun] = ["again", "begun"].map(|name| wire(name, 1));
        let stored = wire("stored_word", message.bits);
        let (step, read_dest) = (wire("step", 1), wire("read_dest", bits));
        let (read, given, last) = (wire("read", width), wire("given", width), wire("last", 1));
        let user = user.lane(terminal);
        let bit = |at: u32| Expr::Concat(vec![Part::Net { net: user, bits: Some((at, at)), invert: false }]);
        let instance = self
            .clocked(
                format!("u_input_{terminal}"),
                Of::cell(MessageInputSpec { width, bits, pairs, message }),
            )
            .input("tvalid_i", stream.valid.lane(terminal))
            .output("tready_o", stream.ready.lane(terminal))
            .input("tdata_i", stream.data.lane(terminal))
            .input("tdest_i", stream.whom.lane(terminal))
            .input("tlast_i", stream.last.lane(terminal))
            .input("tset_i", bit(0))
            .input("tempty_i", bit(1))
            .input("take_i", wires.taken)
            .output("write_o", write)
            .output("bank_o", load_bank)
            .output("dest_o", dest)
            .output("word_o", word)
            .output("data_o", data)
            .output("end_o", end)
            .output("messages_o", messages)
            .output("full_o", full)
            .output("error_o", wrong);
        self.module.instances.push(instance);
        let asked = wires.send_dest.lane(terminal);
        let instance = Instance::new(
            format!("u_lengths_{terminal}"),
            Of::cell(ShortTableSpec { width: message.bits, address_bits: 1 + bits }),
        )
        .input("clk_i", self.clk)
        .input("write_i", end)
        .input("write_address_i", Expr::Concat(vec![load_bank.into(), dest.into()]))
        .input("data_i", word)
        .input("read_address_i", Expr::Concat(vec![sent_bank.into(), asked.into()]))
        .output("data_o", length);
        self.module.instances.push(instance);
        let spec = PairCounterSpec { bits, pairs, word_bits: message.bits };
        let instance = self
            .clocked(format!("u_sent_{terminal}"), Of::cell(spec))
            .input("clear_i", wires.taken)
            .input("step_i", wires.send_ready)
            .input("pair_i", asked)
            .output("stored_o", stored)
            .output("step_o", step)
            .output("pair_o", read_dest)
            .output("again_o", again)
            .output("begun_o", begun)
            .output("count_o", next);
        self.module.instances.push(instance);
        let spec = MessageSendSpec { bits, pairs, word_bits: message.bits };
        let instance = self
            .clocked(format!("u_send_{terminal}"), Of::cell(spec))
            .input("length_i", length)
            .input("stored_i", stored)
            .input("ends_i", wires.send_last)
            .input("take_i", wires.take)
            .input("bank_i", load_bank)
            .input("step_i", step)
            .input("dest_i", read_dest)
            .input("word_i", next)
            .input("again_i", again)
            .input("begun_i", begun)
            .input("taken_i", wires.taken)
            .input("messages_i", messages)
            .output("bank_o", sent_bank)
            .output("read_bank_o", read_bank)
            .output("valid_o", wires.send_valid.lane(terminal))
            .output("last_o", last)
            .output("error_o", left);
        self.module.instances.push(instance);
        let instance = Instance::new(
            format!("u_messages_{terminal}"),
            Of::cell(BankMemorySpec { width, address_bits: self.address_bits() }),
        )
        .input("clk_i", self.clk)
        .input("write_i", write)
        .input("write_address_i", Expr::Concat(vec![load_bank.into(), dest.into(), word.into()]))
        .input("data_i", data)
        .input("read_address_i", Expr::Concat(vec![read_bank.into(), read_dest.into(), next.into()]))
        .output("data_o", read);
        self.module.instances.push(instance);
        let instance = Instance::new(format!("u_given_{terminal}"), Of::cell(ScheduleWordSpec { width }))
            .input("clk_i", self.clk)
            .input("step_i", Expr::constant(1, 1))
            .input("data_i", read)
            .output("data_o", given);
        self.module.instances.push(instance);
        let sent = Expr::Concat(vec![last.into(), given.into()]);
        self.module.assigns.push((wires.send_data.lane(terminal), sent));
        said.full.push(Part::Net { net: full, bits: None, invert: true });
        said.message.push(wrong.into());
        said.left.push(left.into());
    }

    /// The output of a terminal: its memory, the messages that have arrived, and its stream.
    pub(super) fn output(&mut self, terminal: u32, wires: &Wires, stream: &Stream, said: &mut Said) {
        let (width, bits, words) = (self.width, self.shape.terminal_bits(), self.words.bits);
        let mut wire = |name: &str, bits| self.wire(format!("{name}_{terminal}"), bits);
        let [push, pop, some, take, even, odd] =
            ["push", "pop", "some", "fetches", "even", "odd"].map(|name| wire(name, 1));
        let entry_bits = 1 + bits + words;
        let (place, oldest, word) = (wire("place", words), wire("oldest", entry_bits), wire("word", words));
        let (read_bank, read_from) = (wire("leaves_bank", 1), wire("leaves_from", bits));
        let [push_bank, push_from, push_last] = [("push_bank", 1), ("push_from", bits), ("push_last", words)]
            .map(|(name, bits)| wire(name, bits));
        let (moves, leaving) = (wire("moves", 1), wire("leaving", width));
        let (valid, source, data) = (
            wires.recv_valid.lane(terminal),
            wires.recv_source.lane(terminal),
            wires.recv_data.lane(terminal),
        );
        let [valid_late, source_late, data_late] =
            [("comes", 1), ("comes_from", bits), ("comes_data", width + 1)]
                .map(|(name, bits)| wire(name, bits));
        let part = |net, high, low| Part::Net { net, bits: Some((high, low)), invert: false };
        let spec = PairCounterSpec { bits, pairs: 1 << bits, word_bits: words };
        let instance = self
            .clocked(format!("u_received_{terminal}"), Of::cell(spec))
            .input("clear_i", wires.done)
            .input("step_i", valid)
            .input("pair_i", source)
            .unused("stored_o")
            .output("step_o", valid_late)
            .output("pair_o", source_late)
            .unused("again_o")
            .unused("begun_o")
            .output("count_o", place);
        self.module.instances.push(instance);
        let spec = ScheduleWordSpec { width: width + 1 };
        let instance = Instance::new(format!("u_comes_{terminal}"), Of::cell(spec))
            .input("clk_i", self.clk)
            .input("step_i", Expr::constant(1, 1))
            .input("data_i", data)
            .output("data_o", data_late);
        self.module.instances.push(instance);
        let (valid, source, data) = (valid_late, source_late, data_late);
        let spec = MessageQueueSpec { address_bits: bits + 1, width: entry_bits };
        let instance = self
            .clocked(format!("u_queue_{terminal}"), Of::cell(spec))
            .input("push_i", push)
            .input("data_i", Expr::Concat(vec![push_bank.into(), push_from.into(), push_last.into()]))
            .input("pop_i", pop)
            .output("some_o", some)
            .output("data_o", oldest);
        self.module.instances.push(instance);
        let whole = [
            part(oldest, entry_bits - 1, entry_bits - 1),
            part(oldest, entry_bits - 2, words),
            part(oldest, words - 1, 0),
        ];
        let [bank, from, last] = whole;
        let instance = self
            .clocked(format!("u_output_{terminal}"), Of::cell(MessageDrainSpec { bits, word_bits: words }))
            .input("some_i", some)
            .input("bank_i", Expr::Concat(vec![bank]))
            .input("source_i", Expr::Concat(vec![from]))
            .input("last_i", Expr::Concat(vec![last]))
            .input("arrives_i", valid)
            .input("ends_i", Expr::Concat(vec![part(data, width, width)]))
            .input("arriving_bank_i", wires.bank)
            .input("arriving_source_i", source)
            .input("arriving_word_i", place)
            .output("push_o", push)
            .output("push_bank_o", push_bank)
            .output("push_source_o", push_from)
            .output("push_last_o", push_last)
            .output("pop_o", pop)
            .output("read_o", take)
            .output("bank_o", read_bank)
            .output("source_o", read_from)
            .output("word_o", word)
            .output("move_o", moves)
            .output("tvalid_o", stream.valid.lane(terminal))
            .input("tready_i", stream.ready.lane(terminal))
            .output("tid_o", stream.whom.lane(terminal))
            .output("tlast_o", stream.last.lane(terminal))
            .output("even_o", even)
            .output("odd_o", odd);
        self.module.instances.push(instance);
        let instance = Instance::new(
            format!("u_words_{terminal}"),
            Of::cell(TurnMemorySpec { width, address_bits: self.address_bits() }),
        )
        .input("clk_i", self.clk)
        .input("write_i", valid)
        .input("write_address_i", Expr::Concat(vec![wires.bank.into(), source.into(), place.into()]))
        .input("data_i", Expr::Concat(vec![part(data, width - 1, 0)]))
        .input("read_i", take)
        .input("read_address_i", Expr::Concat(vec![read_bank.into(), read_from.into(), word.into()]))
        .output("data_o", leaving);
        self.module.instances.push(instance);
        let instance = Instance::new(format!("u_leaves_{terminal}"), Of::cell(ScheduleWordSpec { width }))
            .input("clk_i", self.clk)
            .input("step_i", moves)
            .input("data_i", leaving)
            .output("data_o", stream.data.lane(terminal));
        self.module.instances.push(instance);
        said.even.push(even.into());
        said.odd.push(odd.into());
    }
}
