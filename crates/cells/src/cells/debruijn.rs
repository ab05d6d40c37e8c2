use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`DeBruijn`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeBruijnSpec {
    /// The order of the sequence.
    pub order: u32,
    /// Its first bits, the first on top.
    pub start: u64,
}

impl Describe for DeBruijnSpec {
    fn module(&self) -> String {
        "frit_debruijn".into()
    }
    fn title(&self) -> &'static str {
        "frit_debruijn"
    }
    fn summary(&self) -> &'static str {
        "de Bruijn controller: shift register of the next bits of the sequence; bit_i comes from a next-bit rule."
    }
    fn details(&self) -> &'static str {
        "Its state is the next Order bits of the sequence, the first to leave on top. The rule that makes bit_i sees state_o; controllers.md says which of the three to take. After a cycle without run_i, and after one with stop_i, it stands at the start of the sequence. State: 1 word (reset to Start)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Order", self.order, "the order of the sequence, 1 or more"),
            Parameter::sized("Start", self.start, self.order, "the first Order bits of the sequence, the first on top"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(DeBruijn::new(self.order as usize, self.start))
    }
    fn example() -> Self {
        DeBruijnSpec { order: 4, start: 0 }
    }
}

/// The de Bruijn controller's shift register: its state is the next bits of the sequence, the first to leave on top.
///
/// While `run_i` is high it moves on by one bit in each cycle with `step_i`, taking in `bit_i`, which one of three next-bit
/// rules makes from `state_o`; without `run_i`, and after a cycle with `stop_i`, it stands at the start of the sequence. `control_o` is the bit of
/// this cycle, `ahead_o` that of the next; `next_o` the state of the next, from which the routing word of this cycle follows.
#[derive(LogicBlock)]
pub struct DeBruijn {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    run_i: Signal<In, Bit>,
    step_i: Signal<In, Bit>,
    stop_i: Signal<In, Bit>,
    bit_i: Signal<In, Bit>,
    control_o: Signal<Out, Bit>,
    ahead_o: Signal<Out, Bit>,
    state_o: Bus<Out>,
    next_o: Bus<Out>,
    start: Const,
    one: Const,
    top: Const,
    coming: Bus<Local>,
    following: Bus<Local>,
    state: Reg,
}

impl DeBruijn {
    /// A controller of order `order`, 1 at least, whose sequence begins with the bits of `start`.
    pub fn new(order: usize, start: u64) -> Self {
        let start = Const::parameter(start, order, Some("Order"));
        DeBruijn {
            clk_i: Default::default(),
            rst_i: Default::default(),
            run_i: Default::default(),
            step_i: Default::default(),
            stop_i: Default::default(),
            bit_i: Default::default(),
            control_o: Default::default(),
            ahead_o: Default::default(),
            state_o: Bus::named(order, "Order"),
            next_o: Bus::named(order, "Order"),
            one: Const::one(order, "Order"),
            top: Const::top(order, "Order"),
            coming: Bus::named(order, "Order"),
            following: Bus::named(order, "Order"),
            state: Reg::reset_to(&start, "Order", "Start"),
            start,
        }
    }
}

cell_ports!(DeBruijn:
    In clk_i "clock, rising edge",
    In rst_i "reset to the start",
    In run_i "move on by one bit",
    In step_i "move on by one bit; without it the state is held",
    In stop_i "go back to the start instead",
    In bit_i "the bit that follows the state",
    Out control_o "the bit of this cycle, the top one of the state",
    Out ahead_o "control bit of the next cycle, for drivers that have a register",
    Out state_o "the state",
    Out next_o "the state of the next cycle if it moves on, same cycle as bit_i",
);

impl Logic for DeBruijn {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, state);
        self.state.reset.next = self.rst_i.val();
        // Doubling, since a word of one bit cannot be shifted by one.
        self.following.next = self.state.q.val() + self.state.q.val();
        if self.bit_i.val() {
            self.following.next = (self.state.q.val() + self.state.q.val()) | self.one.val();
        }
        self.coming.next = self.start.val();
        if self.run_i.val() & !self.stop_i.val() {
            self.coming.next = self.state.q.val();
            if self.step_i.val() {
                self.coming.next = self.following.val();
            }
        }
        self.state.d.next = self.coming.val();
        self.ahead_o.next = self.coming.val().get_bit(self.top.val().index());
        self.control_o.next = self.state.q.val().get_bit(self.top.val().index());
        self.state_o.next = self.state.q.val();
        self.next_o.next = self.following.val();
    }
}
