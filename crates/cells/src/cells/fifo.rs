use crate::atoms::{BitReg, Bus, Const, Memory, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`Fifo`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FifoSpec {
    /// Bits of a word.
    pub width: u32,
    /// Bits of an address.
    pub address_bits: u32,
}

impl Describe for FifoSpec {
    fn module(&self) -> String {
        "frit_fifo".into()
    }
    fn title(&self) -> &'static str {
        "frit_fifo"
    }
    fn summary(&self) -> &'static str {
        "FIFO of 2^AddressBits words, its memory read a cycle ahead (block RAM): a word can be popped two cycles after it was pushed. valid_o: a word was there to pop."
    }
    fn details(&self) -> &'static str {
        "Between the two passes of the buffered plan. The memory is not reset. A push beyond 2^AddressBits words overwrites the oldest; the buffered plan has N - n words in it at most. State: the pointers (reset to 0), whether a word is there (reset to 0), the memory."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("AddressBits", self.address_bits, "bits of an address, 2 or more").at_least(2),
            Parameter::plain("W", self.width, "bits of a word"),
        ]
    }
    fn word_width(&self) -> Option<u32> {
        Some(self.width)
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Fifo::new(simulated(self.width), self.address_bits as usize))
    }
    fn example() -> Self {
        FifoSpec { width: 8, address_bits: 3 }
    }
}

/// A FIFO of 2^AddressBits words between the two passes of a network: a memory with a write and a read pointer.
///
/// The memory is read a cycle ahead, so that it can be a block RAM: a word can be popped two cycles after it was pushed.
/// Pushing a word more than it holds overwrites the oldest; the plans that use it never do.
#[derive(LogicBlock)]
pub struct Fifo {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    push_i: Signal<In, Bit>,
    data_i: Bus<In>,
    pop_i: Signal<In, Bit>,
    valid_o: Signal<Out, Bit>,
    data_o: Bus<Out>,
    one: Const,
    taken: Signal<Local, Bit>,
    after: Bus<Local>,
    filled: BitReg,
    head: Reg,
    tail: Reg,
    memory: Memory,
}

impl Fifo {
    /// For words of `width` bits and 2^`address_bits` of them, 4 at least.
    pub fn new(width: usize, address_bits: usize) -> Self {
        Fifo {
            clk_i: Default::default(),
            rst_i: Default::default(),
            push_i: Default::default(),
            data_i: Bus::named(width, "W"),
            pop_i: Default::default(),
            valid_o: Default::default(),
            data_o: Bus::named(width, "W"),
            one: Const::one(address_bits, "AddressBits"),
            taken: Default::default(),
            after: Bus::named(address_bits, "AddressBits"),
            filled: BitReg::default().purpose("a word is stored"),
            head: Reg::zero(address_bits, "AddressBits"),
            tail: Reg::zero(address_bits, "AddressBits"),
            memory: Memory::new(width, "W", address_bits, "AddressBits"),
        }
    }
}

cell_ports!(Fifo:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: empties it",
    In push_i "takes a word",
    In data_i "the word",
    In pop_i "gives the oldest word, if there is one",
    Out valid_o "there was one, same cycle",
    Out data_o "the oldest word, same cycle",
);

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, filled, head, tail, memory);
        self.filled.reset.next = self.rst_i.val();
        self.head.reset.next = self.rst_i.val();
        self.tail.reset.next = self.rst_i.val();
        self.filled.d.next = self.filled.q.val();
        self.tail.d.next = self.tail.q.val();
        self.taken.next = self.pop_i.val() & self.filled.q.val();
        self.after.next = self.head.q.val();
        if self.taken.val() {
            self.after.next = self.head.q.val() + self.one.val();
        }
        self.head.d.next = self.after.val();
        if self.taken.val() & (self.after.val() == self.tail.q.val()) {
            self.filled.d.next = false;
        }
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
            self.filled.d.next = true;
        }
        self.memory.write.next = self.push_i.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.after.val();
        self.valid_o.next = self.taken.val();
        self.data_o.next = self.memory.q.val();
    }
}
