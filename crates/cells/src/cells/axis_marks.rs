use crate::atoms::{BitReg, Bus, Const, DataReg, Memory, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`AxisMarks`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisMarksSpec {
    /// Bits of a terminal's number.
    pub bits: u32,
    /// The last terminal.
    pub last: u64,
}

impl Describe for AxisMarksSpec {
    fn module(&self) -> String {
        "frit_axis_marks".into()
    }
    fn title(&self) -> &'static str {
        "frit_axis_marks"
    }
    fn summary(&self) -> &'static str {
        "Which terminals have had their message in this set: marked_o and unknown_o speak of the look_i of the last cycle, which mark_i marks. turn_i begins the next set."
    }
    fn details(&self) -> &'static str {
        "Every terminal is marked once before turn_i; a mark says in which of two turns it was made, even and odd sets take turns, so nothing is cleared between them. After reset the marks are written once, in 2^TerminalBits cycles. State: the marks (a memory, not reset), the turn, the terminal looked up, the last mark and whether a turn came with it."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TerminalBits", self.bits, "bits of a terminal's number, 2 or more").at_least(2),
            Parameter::sized("LastTerminal", self.last, self.bits, "the last terminal"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(AxisMarks::new(self.bits as usize, self.last))
    }
    fn example() -> Self {
        AxisMarksSpec { bits: 3, last: 5 }
    }
}

/// Which terminals have had their message in this set: a mark for each, looked up a cycle ahead.
///
/// `marked_o` and `unknown_o` speak of the terminal that was `look_i` in the last cycle: it has had its message; it is
/// beyond `LastTerminal`. `mark_i` marks that terminal. Every terminal is marked once before `turn_i` begins the next set: so a
/// mark says in which of two turns it was made, even and odd sets take turns, and nothing is cleared between them. The last
/// mark of a set may be made in the cycle of `turn_i`; what is looked up in that cycle belongs to the next set. After
/// reset the marks are written once, in 2^TerminalBits cycles; then `ready_o` is high.
#[derive(LogicBlock)]
pub struct AxisMarks {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    look_i: Bus<In>,
    mark_i: Signal<In, Bit>,
    turn_i: Signal<In, Bit>,
    marked_o: Signal<Out, Bit>,
    unknown_o: Signal<Out, Bit>,
    ready_o: Signal<Out, Bit>,
    last_terminal: Const,
    next_terminal: Const,
    no_terminal: Const,
    even: Const,
    odd: Const,
    never: Const,
    mark: Bus<Local>,
    following: Bus<Local>,
    ready: BitReg,
    beyond: BitReg,
    odd_turn: BitReg,
    fresh: BitReg,
    turned: BitReg,
    at: Reg,
    looked: DataReg,
    fresh_at: DataReg,
    marks: Memory,
}

impl AxisMarks {
    /// For terminals 0 … `last` in `bits` bits, 2 at least.
    pub fn new(bits: usize, last: u64) -> Self {
        let mark = |value: u64| Const::local(value, 2, None, &format!("2'd{value}"));
        AxisMarks {
            clk_i: Default::default(),
            rst_i: Default::default(),
            look_i: Bus::named(bits, "TerminalBits"),
            mark_i: Default::default(),
            turn_i: Default::default(),
            marked_o: Default::default(),
            unknown_o: Default::default(),
            ready_o: Default::default(),
            last_terminal: Const::parameter(last, bits, Some("TerminalBits")),
            next_terminal: Const::one(bits, "TerminalBits"),
            no_terminal: Const::zero(bits, "TerminalBits"),
            even: mark(0),
            odd: mark(1),
            never: mark(2),
            mark: Bus::new(2),
            following: Bus::named(bits, "TerminalBits"),
            ready: Default::default(),
            beyond: BitReg::default().purpose("every terminal that exists has been written"),
            odd_turn: BitReg::default().purpose("which of two turns this set has"),
            fresh: BitReg::default().purpose("a mark was made in the last cycle"),
            turned: BitReg::default().purpose("a set ended with the last cycle"),
            at: Reg::zero(bits, "TerminalBits").purpose("the terminal whose mark is written after reset"),
            looked: DataReg::new(bits, "TerminalBits").purpose("the terminal looked up in the last cycle"),
            fresh_at: DataReg::new(bits, "TerminalBits").purpose("the terminal that it was made for"),
            marks: Memory::fixed(2, bits, "TerminalBits"),
        }
    }
}

cell_ports!(AxisMarks:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In look_i "the terminal to look up",
    In mark_i "mark the terminal looked up in the last cycle",
    In turn_i "the next set begins, with what is looked up now",
    Out marked_o "the terminal looked up in the last cycle has its mark",
    Out unknown_o "it is beyond LastTerminal",
    Out ready_o "the marks have been written after the reset",
);

impl Logic for AxisMarks {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, ready, beyond, odd_turn, fresh, turned, at, looked, fresh_at, marks);
        self.ready.reset.next = self.rst_i.val();
        self.beyond.reset.next = self.rst_i.val();
        self.odd_turn.reset.next = self.rst_i.val();
        self.fresh.reset.next = self.rst_i.val();
        self.turned.reset.next = self.rst_i.val();
        self.at.reset.next = self.rst_i.val();
        self.ready.d.next = self.ready.q.val();
        self.beyond.d.next = self.beyond.q.val();
        self.at.d.next = self.at.q.val();
        self.odd_turn.d.next = self.odd_turn.q.val() ^ self.turn_i.val();
        self.mark.next = self.even.val();
        if self.odd_turn.q.val() {
            self.mark.next = self.odd.val();
        }
        self.marks.read_address.next = self.look_i.val();
        self.looked.d.next = self.look_i.val();
        // A mark written in the cycle in which it was looked up was not seen: what was read may be anything. It counts unless its
        // set ended with that cycle.
        self.fresh.d.next = self.mark_i.val();
        self.turned.d.next = self.turn_i.val();
        self.fresh_at.d.next = self.looked.q.val();
        self.marked_o.next = self.marks.q.val() == self.mark.val();
        self.unknown_o.next = self.marks.q.val() == self.never.val();
        if self.fresh.q.val() & (self.fresh_at.q.val() == self.looked.q.val()) {
            self.marked_o.next = !self.turned.q.val();
            self.unknown_o.next = false;
        }
        self.ready_o.next = self.ready.q.val();

        self.marks.write.next = self.mark_i.val();
        self.marks.write_address.next = self.looked.q.val();
        self.marks.d.next = self.mark.val();
        self.following.next = self.at.q.val() + self.next_terminal.val();
        if !self.ready.q.val() {
            self.marks.write.next = true;
            self.marks.write_address.next = self.at.q.val();
            self.marks.d.next = self.odd.val();
            if self.beyond.q.val() {
                self.marks.d.next = self.never.val();
            }
            if self.at.q.val() == self.last_terminal.val() {
                self.beyond.d.next = true;
            }
            self.at.d.next = self.following.val();
            if self.following.val() == self.no_terminal.val() {
                self.ready.d.next = true;
            }
        }
    }
}
