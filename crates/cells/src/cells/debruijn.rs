use crate::atoms::{Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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
        let start = Const::parameter(start, order, Some("L"));
        DeBruijn {
            clk_i: Default::default(),
            rst_i: Default::default(),
            run_i: Default::default(),
            step_i: Default::default(),
            stop_i: Default::default(),
            bit_i: Default::default(),
            control_o: Default::default(),
            ahead_o: Default::default(),
            state_o: Bus::named(order, "L"),
            next_o: Bus::named(order, "L"),
            one: Const::unit(order, "L"),
            top: Const::top(order, "L"),
            coming: Bus::named(order, "L"),
            following: Bus::named(order, "L"),
            state: Reg::reset_to(&start, "L", "START"),
            start,
        }
    }
}

cell_ports!(DeBruijn: In clk_i, In rst_i, In run_i, In step_i, In stop_i, In bit_i, Out control_o, Out ahead_o, Out state_o, Out next_o);

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
