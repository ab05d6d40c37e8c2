use crate::atoms::{BitReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`BitQueue`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitQueueSpec;

impl Describe for BitQueueSpec {
    fn module(&self) -> String {
        "frit_bit_queue".into()
    }
    fn title(&self) -> &'static str {
        "frit_bit_queue"
    }
    fn summary(&self) -> &'static str {
        "Queue of two bits at the end of an edge of a dilated butterfly: the room is known from registers."
    }
    fn details(&self) -> &'static str {
        "For worms that pass a bit a cycle (queues of two bits). A bit is taken where valid_i meets room_o; pop_i counts only where valid_o is 1. Three flip-flops hold the seven contents: the front bit, whether there are two bits, and a third that is the bit behind the front if there are two, and says whether there is one if there are not. State: all reset to 0 (empty)."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(BitQueue::default())
    }
    fn example() -> Self {
        BitQueueSpec
    }
}

/// A queue of two bits. A bit moves in where it is offered (`valid_i`) and there was room when the cycle began (`room_o`), so
/// that no path leads through queue after queue, and a worm still passes a bit in every cycle.
#[derive(LogicBlock)]
pub struct BitQueue {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    bit_i: Signal<In, Bit>,
    pop_i: Signal<In, Bit>,
    room_o: Signal<Out, Bit>,
    valid_o: Signal<Out, Bit>,
    bit_o: Signal<Out, Bit>,
    some: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    stays: Signal<Local, Bit>,
    two: BitReg,
    second: BitReg,
    front: BitReg,
}

impl Default for BitQueue {
    fn default() -> Self {
        BitQueue {
            clk_i: Default::default(),
            rst_i: Default::default(),
            valid_i: Default::default(),
            bit_i: Default::default(),
            pop_i: Default::default(),
            room_o: Default::default(),
            valid_o: Default::default(),
            bit_o: Default::default(),
            some: Default::default(),
            push: Default::default(),
            stays: Default::default(),
            two: BitReg::default().purpose("there are two bits"),
            second: BitReg::default().purpose("of two bits the one behind; else whether there is one"),
            front: BitReg::default().purpose("the bit in front"),
        }
    }
}

cell_ports!(BitQueue:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: empties it",
    In valid_i "a bit is offered",
    In bit_i "the bit",
    In pop_i "the front bit leaves",
    Out room_o "a bit that is offered is taken: there were fewer than two",
    Out valid_o "there is a bit",
    Out bit_o "the bit in front",
);

impl Logic for BitQueue {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, two, second, front);
        self.two.reset.next = self.rst_i.val();
        self.second.reset.next = self.rst_i.val();
        self.front.reset.next = self.rst_i.val();
        self.some.next = self.two.q.val() | self.second.q.val();
        self.push.next = self.valid_i.val() & !self.two.q.val();
        self.stays.next = self.some.val() & !self.pop_i.val();
        self.two.d.next = self.stays.val() & (self.two.q.val() | self.push.val());
        self.second.d.next = self.second.q.val();
        self.front.d.next = self.front.q.val();
        if !self.two.q.val() {
            // One bit or none before: the new one is the second, or the only one, or there is none.
            self.second.d.next = self.stays.val() | self.push.val();
            if self.stays.val() & self.push.val() {
                self.second.d.next = self.bit_i.val();
            }
            if !self.stays.val() {
                self.front.d.next = self.bit_i.val();
            }
        }
        if self.two.q.val() & self.pop_i.val() {
            self.front.d.next = self.second.q.val();
            self.second.d.next = true;
        }
        self.room_o.next = !self.two.q.val();
        self.valid_o.next = self.some.val();
        self.bit_o.next = self.front.q.val();
    }
}
