use crate::atoms::BitReg;
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`WormTail`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormTailSpec;

impl Describe for WormTailSpec {
    fn module(&self) -> String {
        "frit_worm_tail".into()
    }
    fn title(&self) -> &'static str {
        "frit_worm_tail"
    }
    fn summary(&self) -> &'static str {
        "Beside a frit_bit_queue: whether the bit in front is the last of its worm."
    }
    fn details(&self) -> &'static str {
        "Nothing comes behind a worm's last bit before it has left, so of the bits in the queue only the hindmost can be it: one flip-flop is enough, and with room for another bit the hindmost is in front. State: reset to 0 (the last bit has not come)."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(WormTail::default())
    }
    fn example() -> Self {
        WormTailSpec
    }
}

/// The tail of the worm that has an edge.
#[derive(LogicBlock)]
pub struct WormTail {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    last_i: Signal<In, Bit>,
    room_i: Signal<In, Bit>,
    pop_i: Signal<In, Bit>,
    last_o: Signal<Out, Bit>,
    tail: BitReg,
}

impl Default for WormTail {
    fn default() -> Self {
        WormTail {
            clk_i: Default::default(),
            rst_i: Default::default(),
            valid_i: Default::default(),
            last_i: Default::default(),
            room_i: Default::default(),
            pop_i: Default::default(),
            last_o: Default::default(),
            tail: BitReg::default().purpose("the worm's last bit is in the queue"),
        }
    }
}

cell_ports!(WormTail:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no last bit has come",
    In valid_i "a bit is offered to the queue",
    In last_i "it is the last of its worm",
    In room_i "the queue has room: it holds one bit or none",
    In pop_i "the front bit leaves",
    Out last_o "the bit in front is the last of its worm",
);

impl Logic for WormTail {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, tail);
        self.tail.reset.next = self.rst_i.val();
        self.tail.d.next = self.tail.q.val();
        if self.valid_i.val() & self.last_i.val() & self.room_i.val() {
            self.tail.d.next = true;
        }
        if self.tail.q.val() & self.room_i.val() & self.pop_i.val() {
            self.tail.d.next = false;
        }
        self.last_o.next = self.tail.q.val() & self.room_i.val();
    }
}
