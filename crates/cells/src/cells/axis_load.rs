use crate::atoms::{BitReg, Bus, Const, DataReg, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Assertion, Describe, Parameter, ready, simulated};
use crate::message::MessageWords;
use crate::table::comment;
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
        "AXI4-Stream input of a terminal: takes one message of LastWord + 1 words for each of LastTerminal + 1 destinations, and gives the address at which to store each word. Latency 3 cycles, one word a cycle."
    }
    fn details(&self) -> &'static str {
        "A word passes three registers: it is held while its destination is looked up, then checked, then written. When all messages have been checked, the input is full. take_i hands the set over and begins the next set. A word of the next set waits in the last register until take_i, and is written in the cycle of take_i; the words behind it wait, too. So up to three words of the next set may arrive before take_i, and sets can follow each other without a gap. A message ends when its count of words is reached. A duplicate message for a destination is taken and dropped; so is a message for a terminal that does not exist. frit_axis_marks beside this cell looks up tdest_i while move_o is high. State, all reset to 0 except words and their destinations: the words in the three registers, the counts of words and messages, full, the bank, the errors."
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
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Stays { valid: "tvalid_i", ready: "tready_o", payload: &["tdata_i", "tlast_i", "tdest_i"] },
            ]
        }
    fn example() -> Self {
        AxisLoadSpec { width: 8, bits: 3, last_terminal: 7, message: MessageWords::new(4) }
    }
}

/// The AXI4-Stream input of a terminal: takes one message for each destination and says where its words are kept.
///
/// A message is `LastWord + 1` words with one `tdest_i`, the last with `tlast_i`. A word is held and looked up, then it is checked
/// (whether it is dropped is known), then written: each a register, and all three wait together. When all `LastTerminal + 1`
/// destinations have theirs, `full_o` is high, from the cycle in which the last word stands in the second register, until `take_i`, two
/// cycles later or more, hands the messages over to the exchange (`sent_bank_o` from then on). The next set begins in that cycle, in the
/// other bank (`bank_o`). Until then up to three words of it are taken; the first waits to be written, until `free_i`. Where there is no other
/// bank, `free_i` never comes, and `hold_i` keeps it waiting after `take_i`.
///
/// What is wrong is said for a cycle, when it was checked: `double_o` a second message for a destination, `unknown_o` one for a terminal
/// that does not exist (both are taken and dropped), `length_o` a last word in the wrong place (the message ends by its count).
///
/// [`AxisMarks`](super::AxisMarks) looks up `tdest_i` with `move_o` and knows whether it is taken (`marked_i`) or unknown
/// (`unknown_i`); until it is ready after a reset (`marks_ready_i`) the stream waits.
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
    free_i: Signal<In, Bit>,
    marks_ready_i: Signal<In, Bit>,
    marked_i: Signal<In, Bit>,
    unknown_i: Signal<In, Bit>,
    move_o: Signal<Out, Bit>,
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
    before_last: Const,
    last_word: Const,
    next_dest: Const,
    no_dest: Const,
    next_word: Const,
    no_word: Const,
    waits: Signal<Local, Bit>,
    stalls: Signal<Local, Bit>,
    acts: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    counts: Signal<Local, Bit>,
    completes: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    odd_turn: BitReg,
    full: BitReg,
    closed: BitReg,
    waiting: BitReg,
    at_last: BitReg,
    count: Reg,
    word: Reg,
    dropping: BitReg,
    held: BitReg,
    held_last: BitReg,
    held_dest: DataReg,
    held_data: DataReg,
    checked: BitReg,
    checked_dest: DataReg,
    checked_word: DataReg,
    checked_data: DataReg,
    write: BitReg,
    write_dest: DataReg,
    write_word: DataReg,
    write_data: DataReg,
    double: BitReg,
    unknown: BitReg,
    length: BitReg,
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
            free_i: Default::default(),
            marks_ready_i: Default::default(),
            marked_i: Default::default(),
            unknown_i: Default::default(),
            move_o: Default::default(),
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
            before_last: Const::before(last_terminal, bits, "TerminalBits", "LastTerminal"),
            last_word: Const::parameter(last_word, word_bits, Some("WordIndexBits")),
            next_dest: Const::one(bits, "TerminalBits"),
            no_dest: Const::zero(bits, "TerminalBits"),
            next_word: Const::one(word_bits, "WordIndexBits"),
            no_word: Const::zero(word_bits, "WordIndexBits"),
            waits: Default::default(),
            stalls: Default::default(),
            acts: Default::default(),
            ready: Default::default(),
            counts: Default::default(),
            completes: Default::default(),
            first: Default::default(),
            ends: Default::default(),
            refused: Default::default(),
            odd_turn: BitReg::default().purpose("which bank is not being read"),
            full: BitReg::default().purpose("all words of the set are checked"),
            closed: BitReg::default().purpose("the word checked belongs to the next set"),
            waiting: BitReg::default().purpose("the word to write belongs to the next set"),
            at_last: BitReg::default().purpose("the set lacks one message"),
            count: Reg::zero(bits, "TerminalBits").purpose("messages of this set that are complete"),
            word: Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word held"),
            dropping: BitReg::default().purpose("the words of this message are dropped"),
            held: BitReg::default().purpose("a word is held and its destination has been looked up"),
            held_last: Default::default(),
            held_dest: DataReg::new(bits, "TerminalBits"),
            held_data: DataReg::new(width, "W"),
            checked: BitReg::default().purpose("the word checked is not dropped"),
            checked_dest: DataReg::new(bits, "TerminalBits"),
            checked_word: DataReg::new(word_bits, "WordIndexBits"),
            checked_data: DataReg::new(width, "W"),
            write: BitReg::default().purpose("there is a word to write"),
            write_dest: DataReg::new(bits, "TerminalBits"),
            write_word: DataReg::new(word_bits, "WordIndexBits"),
            write_data: DataReg::new(width, "W"),
            double: Default::default(),
            unknown: Default::default(),
            length: Default::default(),
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
    In take_i "the exchange takes this set, for which full_o was high two cycles ago; the next set begins, in the other bank",
    In free_i "the other bank is free from this cycle on: comes with take_i, or never if there is one bank",
    In marks_ready_i "the marks are ready after a reset",
    In marked_i "the destination that was looked up already has its message",
    In unknown_i "the destination that was looked up does not exist",
    Out move_o "tdest_i is looked up; otherwise all words wait",
    Out mark_o "a message for the destination that was looked up begins, now or when it need not wait any more",
    Out write_o "writes data_o",
    Out dest_o "destination of the word to write",
    Out word_o "number of the word to write within its message",
    Out data_o "word to write",
    Out bank_o "bank in which the word to write belongs",
    Out sent_bank_o "bank that the exchange reads",
    Out turn_o "the word held completes the set: the marks of the next set begin",
    Out full_o "the set is complete, except that its last word may still be on its way into the memory",
    Out double_o "a duplicate message for a destination began",
    Out unknown_o "a message for a terminal that does not exist began",
    Out length_o "tlast_i was in the wrong place",
);

impl Logic for AxisLoad {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, odd_turn, full, closed, waiting, at_last, count, word, dropping, held, held_last, held_dest, held_data);
        clock!(self, clk_i, checked, checked_dest, checked_word, checked_data, write, write_dest, write_word, write_data);
        clock!(self, clk_i, double, unknown, length);
        self.odd_turn.reset.next = self.rst_i.val();
        self.full.reset.next = self.rst_i.val();
        self.closed.reset.next = self.rst_i.val();
        self.waiting.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.count.reset.next = self.rst_i.val();
        self.word.reset.next = self.rst_i.val();
        self.dropping.reset.next = self.rst_i.val();
        self.held.reset.next = self.rst_i.val();
        self.held_last.reset.next = self.rst_i.val();
        self.checked.reset.next = self.rst_i.val();
        self.write.reset.next = self.rst_i.val();
        self.double.reset.next = self.rst_i.val();
        self.unknown.reset.next = self.rst_i.val();
        self.length.reset.next = self.rst_i.val();

        comment!("All three registers wait while the last one holds a word whose bank is not free.");
        self.waits.next = (self.waiting.q.val() & !self.free_i.val()) | self.hold_i.val();
        self.stalls.next = self.write.q.val() & self.waits.val();
        self.ready.next = self.marks_ready_i.val() & !self.stalls.val();
        self.tready_o.next = self.ready.val();
        self.move_o.next = !self.stalls.val();

        comment!("What is known of the word held.");
        self.acts.next = self.held.q.val() & !self.stalls.val();
        self.first.next = self.word.q.val() == self.no_word.val();
        self.ends.next = self.word.q.val() == self.last_word.val();
        self.refused.next = self.dropping.q.val();
        if self.first.val() {
            self.refused.next = self.marked_i.val() | self.unknown_i.val();
        }
        comment!("The three registers: the word that came, the word whose destination was looked up, the word to write.");
        self.held.d.next = self.held.q.val();
        self.held_last.d.next = self.held_last.q.val();
        self.held_dest.d.next = self.held_dest.q.val();
        self.held_data.d.next = self.held_data.q.val();
        self.checked.d.next = self.checked.q.val();
        self.checked_dest.d.next = self.checked_dest.q.val();
        self.checked_word.d.next = self.checked_word.q.val();
        self.checked_data.d.next = self.checked_data.q.val();
        self.write.d.next = self.write.q.val();
        self.write_dest.d.next = self.write_dest.q.val();
        self.write_word.d.next = self.write_word.q.val();
        self.write_data.d.next = self.write_data.q.val();
        if !self.stalls.val() {
            self.held.d.next = self.tvalid_i.val() & self.marks_ready_i.val();
            self.held_last.d.next = self.tlast_i.val();
            self.held_dest.d.next = self.tdest_i.val();
            self.held_data.d.next = self.tdata_i.val();
            self.checked.d.next = self.held.q.val() & !self.refused.val();
            self.checked_dest.d.next = self.held_dest.q.val();
            self.checked_word.d.next = self.word.q.val();
            self.checked_data.d.next = self.held_data.q.val();
            self.write.d.next = self.checked.q.val();
            self.write_dest.d.next = self.checked_dest.q.val();
            self.write_word.d.next = self.checked_word.q.val();
            self.write_data.d.next = self.checked_data.q.val();
        }
        comment!("While the word waits, it is marked again and again: what was looked up does not change.");
        self.mark_o.next = self.held.q.val() & self.first.val();
        self.double.d.next = self.acts.val() & self.first.val() & self.marked_i.val() & !self.unknown_i.val();
        self.unknown.d.next = self.acts.val() & self.first.val() & self.unknown_i.val();
        self.length.d.next = self.acts.val() & (self.held_last.q.val() ^ self.ends.val());
        comment!("The place of the word in its message. All words of a message are dropped with its first one.");
        self.word.d.next = self.word.q.val();
        self.dropping.d.next = self.dropping.q.val();
        if self.acts.val() {
            self.dropping.d.next = self.refused.val();
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.ends.val() {
                self.word.d.next = self.no_word.val();
            }
        }
        comment!("The messages of the set that have come; with the last one the set is complete.");
        self.counts.next = self.acts.val() & self.ends.val() & !self.refused.val();
        self.completes.next = self.counts.val() & self.at_last.q.val();
        self.count.d.next = self.count.q.val();
        self.at_last.d.next = self.at_last.q.val();
        if self.counts.val() {
            self.count.d.next = self.count.q.val() + self.next_dest.val();
            self.at_last.d.next = self.count.q.val() == self.before_last.val();
            if self.at_last.q.val() {
                self.count.d.next = self.no_dest.val();
            }
        }

        comment!("A set is complete until it is taken; the last of its words is behind the first two registers by then.");
        self.full.d.next = self.completes.val() | (self.full.q.val() & !self.take_i.val());
        self.closed.d.next = self.full.q.val() & !self.take_i.val();
        self.waiting.d.next = self.closed.q.val() & !self.take_i.val();
        self.odd_turn.d.next = self.odd_turn.q.val() ^ self.take_i.val();

        comment!("The word goes into the bank of its set.");
        self.write_o.next = self.write.q.val() & !self.waits.val();
        self.dest_o.next = self.write_dest.q.val();
        self.word_o.next = self.write_word.q.val();
        self.data_o.next = self.write_data.q.val();
        self.bank_o.next = self.odd_turn.q.val() ^ self.waiting.q.val();
        self.sent_bank_o.next = !self.odd_turn.q.val();
        comment!("");
        self.turn_o.next = self.completes.val();
        self.full_o.next = self.full.q.val();
        self.double_o.next = self.double.q.val();
        self.unknown_o.next = self.unknown.q.val();
        self.length_o.next = self.length.q.val();
    }
}
