use crate::table::*;

cell! {
    /// Starts exchanges of messages of any length: when all terminals have a complete set, the program is loaded and the outputs have room. A set is
    /// handed over when the exchange before it has had its last round.
    MessageControl, MessageControlSpec, "frit_message_control":
    "Starts exchanges of messages of any length. At most two exchanges are under way; each uses one of two banks at the inputs and at the outputs.";
    "State, all reset to 0: whether all sets are complete and the outputs have room, whether an exchange has started whose set was not handed over, whether an exchange has rounds, whether in the last cycle a start was taken and sets were handed over, whether outputs had messages of each bank and an exchange ended in the last cycle, whether one or two are under way, the banks of the next exchange and of the words that arrive, the error.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In start_i: Bit, "starts an exchange, if ready_o is high";
        In loaded_i: Bit, "a program is loaded";
        In waiting_i: Bit, "a terminal has no complete set";
        In even_i: Bit, "an output has messages of bank 0";
        In odd_i: Bit, "an output has messages of bank 1";
        In ends_i: Bit, "the round is the last of its exchange";
        In done_i: Bit, "the last round of an exchange arrives";
        Out ready_o: Bit = ready, "a start is taken; comes from registers";
        Out start_o: Bit = started.q, "a start was taken in the last cycle";
        Out take_o: Bit = takes, "the sets are handed over, same cycle as ends_i at the earliest";
        Out taken_o: Bit = taken.q, "the sets were handed over in the last cycle";
        Out bank_o: Bit = arriving.q, "bank of the words that arrive";
        Out error_o: Bit = late.q, "error: start_i was high while ready_o was low; stays until reset";
    }
    parts {
        ready: Signal<Local, Bit>;
        starts: Signal<Local, Bit>;
        free: Signal<Local, Bit>;
        takes: Signal<Local, Bit>;
        crowded: Signal<Local, Bit>;
        complete: BitReg = BitReg::default().purpose("all sets are complete");
        room: BitReg = BitReg::default().purpose("the outputs have room");
        owed: BitReg = BitReg::default().purpose("an exchange has started, and its sets were not handed over");
        sending: BitReg = BitReg::default().purpose("an exchange has rounds");
        started: BitReg = BitReg::default().purpose("a start was taken in the last cycle");
        taken: BitReg = BitReg::default().purpose("sets were handed over in the last cycle");
        even: BitReg = BitReg::default().purpose("an output had messages of bank 0");
        odd: BitReg = BitReg::default().purpose("an output had messages of bank 1");
        ended: BitReg = BitReg::default().purpose("an exchange has just ended");
        one: BitReg = BitReg::default().purpose("one exchange or two are under way");
        two: BitReg = BitReg::default().purpose("two exchanges are under way");
        starting: BitReg = BitReg::default().purpose("bank of the next exchange");
        arriving: BitReg = BitReg::default().purpose("bank of the words that arrive");
        late: BitReg = BitReg::default().purpose("a start came too early");
    }
}

impl kernel::Kernel for MessageControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A start.");
        self.ready.next = self.loaded_i.val() & self.complete.q.val() & self.room.q.val();
        self.starts.next = self.start_i.val() & self.ready.val();
        self.started.d.next = self.starts.val();
        self.late.d.next = self.late.q.val() | (self.start_i.val() & !self.ready.val());
        comment!("Its sets are handed over in the last round of the exchange before.");
        self.free.next = !self.sending.q.val() | self.ends_i.val();
        self.takes.next = self.owed.q.val() & self.free.val();
        self.owed.d.next = self.starts.val() | (self.owed.q.val() & !self.free.val());
        self.taken.d.next = self.takes.val();
        self.sending.d.next = self.takes.val() | (self.sending.q.val() & !self.ends_i.val());
        comment!("From a start to done_i an exchange is under way.");
        if self.starts.val() & !self.done_i.val() {
            self.one.d.next = true;
            self.two.d.next = self.one.q.val();
        }
        if self.done_i.val() & !self.starts.val() {
            self.one.d.next = self.two.q.val();
            self.two.d.next = false;
        }
        comment!("Each exchange uses the other bank at the outputs.");
        self.starting.d.next = self.starting.q.val() ^ self.starts.val();
        self.arriving.d.next = self.arriving.q.val() ^ self.done_i.val();
        comment!("What the terminals say is kept for a cycle. After a start it counts only when the inputs know that the sets have been handed over.");
        self.complete.d.next =
            !self.waiting_i.val() & !self.owed.q.val() & !self.taken.q.val() & !self.starts.val();
        comment!("The outputs have room if the bank of the next exchange is empty, and stays so. An output's answer comes in a register, so in the cycle behind done_i it does not yet count the messages of the exchange that has ended.");
        self.even.d.next = self.even_i.val();
        self.odd.d.next = self.odd_i.val();
        self.ended.d.next = self.done_i.val();
        self.crowded.next = self.even.q.val();
        if self.starting.q.val() {
            self.crowded.next = self.odd.q.val();
        }
        self.room.d.next = !self.crowded.val() & !self.two.q.val() & !self.ended.q.val() & !self.starts.val();
    }
}
