use crate::atoms::{BitReg, Bus, Const, DataReg, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use crate::message::MessageWords;
use rust_hdl::prelude::*;

/// What an instance of [`AxisLoad`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisLoadSpec {
    /// Bits of a word.
    pub width: u32,
    /// Bits of a terminal's number.
    pub bits: u32,
    /// The last terminal.
    pub last_terminal: u64,
    /// The words of a message.
    pub message: MessageWords,
}

impl Describe for AxisLoadSpec {
    fn module(&self) -> String {
        "frit_axis_load".into()
    }
    fn title(&self) -> &'static str {
        "frit_axis_load"
    }
    fn summary(&self) -> &'static str {
        "AXI4-Stream input of a terminal: takes one message of LastWord + 1 words for each of LastTerminal + 1 destinations, and gives the address at which to store each word. Latency 1 cycle, one word a cycle."
    }
    fn details(&self) -> &'static str {
        "When all messages have arrived, the input is full. take_i hands the set over and begins the next set. The first word of the next set may arrive and be held before take_i, and is written in the cycle of take_i, so that sets can follow each other without a gap. A message ends when its count of words is reached. A duplicate message for a destination is taken and dropped; so is a message for a terminal that does not exist. frit_axis_marks beside this cell looks up look_o. State: the word held with its destination, the counts of words and messages, full, the bank (all reset to 0 except the word and its destination)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TerminalBits", self.bits, "bits of a terminal's number, 2 or more").at_least(2),
            Parameter::plain("W", self.width, "bits of a word"),
            Parameter::plain("WordIndexBits", self.message.bits, "bits of a word's number, 1 or more"),
            Parameter::sized("LastTerminal", self.last_terminal, self.bits, "number of the last terminal"),
            Parameter::sized("LastWord", self.message.last, self.message.bits, "number of the last word of a message"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        let (bits, word_bits) = (self.bits as usize, self.message.bits as usize);
        ready(AxisLoad::new(simulated(self.width), bits, self.last_terminal, word_bits, self.message.last))
    }
    fn example() -> Self {
        AxisLoadSpec { width: 8, bits: 3, last_terminal: 7, message: MessageWords::new(4) }
    }
}

/// The AXI4-Stream input of a terminal: takes one message for each destination and says where its words are kept.
///
/// A message is `LastWord + 1` words with one `tdest_i`, the last with `tlast_i`. When all `LastTerminal + 1` destinations have
/// theirs, `full_o` is high, from the cycle in which the last word is written, until `take_i`, in a later cycle, hands the messages
/// over to the exchange (`sent_bank_o` from then on). The next set begins in that cycle, in the other bank (`bank_o`). Until then one
/// word of it is taken and held. `hold_i` keeps it waiting, too, where there is no other bank.
///
/// What is wrong is said for a cycle: `double_o` a second message for a destination, `unknown_o` one for a terminal that
/// does not exist (both are taken and dropped), `length_o` a last word in the wrong place (the message ends by its count).
///
/// [`AxisMarks`](super::AxisMarks) looks up `look_o` and knows whether it is taken (`marked_i`) or unknown (`unknown_i`);
/// until it is ready after a reset (`marks_ready_i`) the stream waits.
#[derive(LogicBlock)]
pub struct AxisLoad {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    tvalid_i: Signal<In, Bit>,
    tready_o: Signal<Out, Bit>,
    tdata_i: Bus<In>,
    tdest_i: Bus<In>,
    tlast_i: Signal<In, Bit>,
    hold_i: Signal<In, Bit>,
    take_i: Signal<In, Bit>,
    marks_ready_i: Signal<In, Bit>,
    marked_i: Signal<In, Bit>,
    unknown_i: Signal<In, Bit>,
    look_o: Bus<Out>,
    mark_o: Signal<Out, Bit>,
    write_o: Signal<Out, Bit>,
    dest_o: Bus<Out>,
    word_o: Bus<Out>,
    data_o: Bus<Out>,
    bank_o: Signal<Out, Bit>,
    sent_bank_o: Signal<Out, Bit>,
    turn_o: Signal<Out, Bit>,
    full_o: Signal<Out, Bit>,
    double_o: Signal<Out, Bit>,
    unknown_o: Signal<Out, Bit>,
    length_o: Signal<Out, Bit>,
    last_terminal: Const,
    last_word: Const,
    next_dest: Const,
    no_dest: Const,
    next_word: Const,
    no_word: Const,
    waits: Signal<Local, Bit>,
    stalls: Signal<Local, Bit>,
    acts: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    completes: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    nears: Signal<Local, Bit>,
    following: Bus<Local>,
    following_word: Bus<Local>,
    first: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    odd_turn: BitReg,
    full: BitReg,
    at_last: BitReg,
    closing: BitReg,
    count: Reg,
    word: Reg,
    dropping: BitReg,
    held: BitReg,
    held_last: BitReg,
    held_dest: DataReg,
    held_data: DataReg,
}

impl AxisLoad {
    /// For words of `width` bits, terminals 0 … `last_terminal` in `bits` bits and messages of words 0 … `last_word` in
    /// `word_bits` bits; `bits` is 2 at least.
    pub fn new(width: usize, bits: usize, last_terminal: u64, word_bits: usize, last_word: u64) -> Self {
        AxisLoad {
            clk_i: Default::default(),
            rst_i: Default::default(),
            tvalid_i: Default::default(),
            tready_o: Default::default(),
            tdata_i: Bus::named(width, "W"),
            tdest_i: Bus::named(bits, "TerminalBits"),
            tlast_i: Default::default(),
            hold_i: Default::default(),
            take_i: Default::default(),
            marks_ready_i: Default::default(),
            marked_i: Default::default(),
            unknown_i: Default::default(),
            look_o: Bus::named(bits, "TerminalBits"),
            mark_o: Default::default(),
            write_o: Default::default(),
            dest_o: Bus::named(bits, "TerminalBits"),
            word_o: Bus::named(word_bits, "WordIndexBits"),
            data_o: Bus::named(width, "W"),
            bank_o: Default::default(),
            sent_bank_o: Default::default(),
            turn_o: Default::default(),
            full_o: Default::default(),
            double_o: Default::default(),
            unknown_o: Default::default(),
            length_o: Default::default(),
            last_terminal: Const::parameter(last_terminal, bits, Some("TerminalBits")),
            last_word: Const::parameter(last_word, word_bits, Some("WordIndexBits")),
            next_dest: Const::one(bits, "TerminalBits"),
            no_dest: Const::zero(bits, "TerminalBits"),
            next_word: Const::one(word_bits, "WordIndexBits"),
            no_word: Const::zero(word_bits, "WordIndexBits"),
            waits: Default::default(),
            stalls: Default::default(),
            acts: Default::default(),
            ready: Default::default(),
            completes: Default::default(),
            drops: Default::default(),
            nears: Default::default(),
            following: Bus::named(bits, "TerminalBits"),
            following_word: Bus::named(word_bits, "WordIndexBits"),
            first: Default::default(),
            ends: Default::default(),
            refused: Default::default(),
            odd_turn: BitReg::default().purpose("which bank is not being read"),
            full: Default::default(),
            at_last: BitReg::default().purpose("the next word completes the set, unless its message is dropped"),
            closing: BitReg::default().purpose("the word held completes the set, if messages have several words"),
            count: Reg::zero(bits, "TerminalBits").purpose("messages of this set that are complete"),
            word: Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word held"),
            dropping: BitReg::default().purpose("the words of this message are dropped"),
            held: BitReg::default().purpose("a word is held and its destination has been looked up"),
            held_last: Default::default(),
            held_dest: DataReg::new(bits, "TerminalBits"),
            held_data: DataReg::new(width, "W"),
        }
    }
}

cell_ports!(AxisLoad:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In tvalid_i "a word is offered",
    Out tready_o "the word is taken at this clock edge",
    In tdata_i "word",
    In tdest_i "destination of the word's message",
    In tlast_i "the word is the last of its message",
    In hold_i "writes wait: the only bank is being read",
    In take_i "the exchange takes this set, which was complete before this cycle; the next set begins, in the other bank",
    In marks_ready_i "the marks are ready after a reset",
    In marked_i "the destination looked up in the last cycle already has its message",
    In unknown_i "the destination looked up in the last cycle does not exist",
    Out look_o "destination to look up, same cycle",
    Out mark_o "the destination looked up in the last cycle gets its message now",
    Out write_o "writes the word held",
    Out dest_o "destination of the word held",
    Out word_o "number of the word held within its message",
    Out data_o "word held",
    Out bank_o "bank in which the word held belongs",
    Out sent_bank_o "bank that the exchange reads",
    Out turn_o "the word written in this cycle completes the set: the marks of the next set begin",
    Out full_o "the set is complete, or the word written in this cycle completes it",
    Out double_o "a duplicate message for a destination begins",
    Out unknown_o "a message for a terminal that does not exist begins",
    Out length_o "tlast_i was in the wrong place",
);

impl Logic for AxisLoad {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, odd_turn, full, at_last, closing, count, word, dropping, held, held_last, held_dest, held_data);
        self.odd_turn.reset.next = self.rst_i.val();
        self.full.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.closing.reset.next = self.rst_i.val();
        self.count.reset.next = self.rst_i.val();
        self.word.reset.next = self.rst_i.val();
        self.dropping.reset.next = self.rst_i.val();
        self.held.reset.next = self.rst_i.val();
        self.held_last.reset.next = self.rst_i.val();
        self.full.d.next = self.full.q.val();
        self.following.next = self.count.q.val();
        self.following_word.next = self.word.q.val();
        self.drops.next = self.dropping.q.val();
        self.odd_turn.d.next = self.odd_turn.q.val();

        // A word is looked up when it is taken, and held for a cycle; for longer if its set has not begun.
        self.first.next = self.word.q.val() == self.no_word.val();
        self.ends.next = self.word.q.val() == self.last_word.val();
        self.waits.next = (self.full.q.val() & !self.take_i.val()) | self.hold_i.val();
        self.stalls.next = self.held.q.val() & self.waits.val();
        self.acts.next = self.held.q.val() & !self.waits.val();
        self.ready.next = self.marks_ready_i.val() & !self.stalls.val();
        self.tready_o.next = self.ready.val();
        self.held.d.next = (self.tvalid_i.val() & self.ready.val()) | self.stalls.val();
        self.held_last.d.next = self.tlast_i.val();
        self.held_dest.d.next = self.tdest_i.val();
        self.held_data.d.next = self.tdata_i.val();
        self.look_o.next = self.tdest_i.val();
        if self.stalls.val() {
            self.held_last.d.next = self.held_last.q.val();
            self.held_dest.d.next = self.held_dest.q.val();
            self.held_data.d.next = self.held_data.q.val();
            self.look_o.next = self.held_dest.q.val();
        }

        self.refused.next = self.dropping.q.val();
        if self.first.val() {
            self.refused.next = self.marked_i.val() | self.unknown_i.val();
        }
        self.double_o.next = self.acts.val() & self.first.val() & self.marked_i.val();
        self.unknown_o.next = self.acts.val() & self.first.val() & self.unknown_i.val();
        self.length_o.next = self.acts.val() & (self.held_last.q.val() ^ self.ends.val());
        self.mark_o.next = self.acts.val() & self.first.val() & !self.refused.val();
        self.write_o.next = self.acts.val() & !self.refused.val();
        self.dest_o.next = self.held_dest.q.val();
        self.word_o.next = self.word.q.val();
        self.data_o.next = self.held_data.q.val();
        // All terminals wait for this, so it is short: of a message of several words it is known when its last one is taken
        // whether it is dropped, and a set that lacks a word is not full.
        self.completes.next = self.closing.q.val() & !self.hold_i.val();
        if self.last_word.val() == self.no_word.val() {
            self.completes.next = self.acts.val() & self.at_last.q.val() & !self.refused.val();
        }
        if self.acts.val() {
            self.drops.next = self.refused.val();
            self.following_word.next = self.word.q.val() + self.next_word.val();
            if self.ends.val() {
                self.following_word.next = self.no_word.val();
                if !self.refused.val() {
                    self.following.next = self.count.q.val() + self.next_dest.val();
                    if self.count.q.val() == self.last_terminal.val() {
                        self.following.next = self.no_dest.val();
                    }
                }
            }
        }
        self.count.d.next = self.following.val();
        self.word.d.next = self.following_word.val();
        self.dropping.d.next = self.drops.val();
        self.nears.next = (self.following.val() == self.last_terminal.val())
            & (self.following_word.val() == self.last_word.val());
        self.at_last.d.next = self.nears.val();
        self.closing.d.next = self.tvalid_i.val() & self.ready.val() & self.nears.val() & !self.drops.val();
        if self.stalls.val() {
            self.closing.d.next = self.closing.q.val();
        }
        if self.completes.val() {
            self.full.d.next = true;
        }
        if self.take_i.val() {
            self.full.d.next = false;
            self.odd_turn.d.next = !self.odd_turn.q.val();
        }
        // Words held from now on belong to the next set if this one is complete.
        self.bank_o.next = self.odd_turn.q.val() ^ self.full.q.val();
        self.sent_bank_o.next = !self.odd_turn.q.val();
        self.turn_o.next = self.completes.val();
        self.full_o.next = self.full.q.val() | self.completes.val();
    }
}
