use crate::atoms::{BitReg, Bus, Const, Memory, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The AXI4-Stream output of a lane: keeps what arrives in 2^K words, in the order of arrival, and sends it on as the
/// receiver takes it. The memory can be a block RAM.
///
/// It has room for `SETS` exchanges of `LAST_OF_SET + 1` words: `begin_i` announces one, and `room_o` says that one more may
/// begin. A word can leave two cycles after it came. Messages are `LAST_WORD + 1` words long.
#[derive(LogicBlock)]
pub struct AxisDrain {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    begin_i: Signal<In, Bit>,
    push_i: Signal<In, Bit>,
    data_i: Bus<In>,
    tvalid_o: Signal<Out, Bit>,
    tready_i: Signal<In, Bit>,
    tdata_o: Bus<Out>,
    tlast_o: Signal<Out, Bit>,
    room_o: Signal<Out, Bit>,
    last_of_set: Const,
    last_word: Const,
    sets: Const,
    next_address: Const,
    no_address: Const,
    next_word: Const,
    no_word: Const,
    one_set: Const,
    taken: Signal<Local, Bit>,
    emptied: Signal<Local, Bit>,
    after: Bus<Local>,
    filled: BitReg,
    valid: BitReg,
    head: Reg,
    tail: Reg,
    left: Reg,
    word: Reg,
    owed: Reg,
    memory: Memory,
}

impl AxisDrain {
    /// For 2^`address_bits` words of `width` bits (data and source), messages of words 0 … `last_word` in `word_bits`
    /// bits, and `sets` exchanges, 1 or 2, of words 0 … `last_of_set`.
    pub fn new(
        width: usize,
        address_bits: usize,
        last_of_set: u64,
        word_bits: usize,
        last_word: u64,
        sets: u64,
    ) -> Self {
        AxisDrain {
            clk_i: Default::default(),
            rst_i: Default::default(),
            begin_i: Default::default(),
            push_i: Default::default(),
            data_i: Bus::named(width, "W"),
            tvalid_o: Default::default(),
            tready_i: Default::default(),
            tdata_o: Bus::named(width, "W"),
            tlast_o: Default::default(),
            room_o: Default::default(),
            last_of_set: Const::parameter(last_of_set, address_bits, Some("K")),
            last_word: Const::parameter(last_word, word_bits, Some("B")),
            sets: Const::parameter(sets, 2, None),
            next_address: Const::one(address_bits, "K"),
            no_address: Const::zero(address_bits, "K"),
            next_word: Const::unit(word_bits, "B"),
            no_word: Const::zero(word_bits, "B"),
            one_set: Const::local(1, 2, None, "2'd1"),
            taken: Default::default(),
            emptied: Default::default(),
            after: Bus::named(address_bits, "K"),
            filled: Default::default(),
            valid: Default::default(),
            head: Reg::zero(address_bits, "K"),
            tail: Reg::zero(address_bits, "K"),
            left: Reg::zero(address_bits, "K"),
            word: Reg::zero(word_bits, "B"),
            owed: Reg::fixed(2),
            memory: Memory::new(width, "W", address_bits, "K"),
        }
    }
}

cell_ports!(AxisDrain: In clk_i, In rst_i, In begin_i, In push_i, In data_i, Out tvalid_o, In tready_i, Out tdata_o,
    Out tlast_o, Out room_o);

impl Logic for AxisDrain {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, filled, valid, head, tail, left, word, owed, memory);
        self.filled.reset.next = self.rst_i.val();
        self.valid.reset.next = self.rst_i.val();
        self.head.reset.next = self.rst_i.val();
        self.tail.reset.next = self.rst_i.val();
        self.left.reset.next = self.rst_i.val();
        self.word.reset.next = self.rst_i.val();
        self.owed.reset.next = self.rst_i.val();
        self.tail.d.next = self.tail.q.val();
        self.left.d.next = self.left.q.val();
        self.word.d.next = self.word.q.val();
        self.owed.d.next = self.owed.q.val();

        self.taken.next = self.valid.q.val() & self.tready_i.val();
        self.after.next = self.head.q.val();
        if self.taken.val() {
            self.after.next = self.head.q.val() + self.next_address.val();
        }
        self.head.d.next = self.after.val();
        self.emptied.next = self.taken.val() & (self.after.val() == self.tail.q.val());
        // The word at `after` is read now and stands at the output in the next cycle, if it was there before this one.
        self.valid.d.next = self.filled.q.val() & !self.emptied.val();
        self.filled.d.next = (self.filled.q.val() & !self.emptied.val()) | self.push_i.val();
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.next_address.val();
        }
        if self.begin_i.val() {
            self.owed.d.next = self.owed.q.val() + self.one_set.val();
        }
        if self.taken.val() {
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.word.q.val() == self.last_word.val() {
                self.word.d.next = self.no_word.val();
            }
            self.left.d.next = self.left.q.val() + self.next_address.val();
            if self.left.q.val() == self.last_of_set.val() {
                self.left.d.next = self.no_address.val();
                self.owed.d.next = self.owed.q.val() - self.one_set.val();
                if self.begin_i.val() {
                    self.owed.d.next = self.owed.q.val();
                }
            }
        }
        self.memory.write.next = self.push_i.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.after.val();
        self.tvalid_o.next = self.valid.q.val();
        self.tdata_o.next = self.memory.q.val();
        self.tlast_o.next = self.word.q.val() == self.last_word.val();
        self.room_o.next = self.owed.q.val() != self.sets.val();
    }
}
