use crate::table::*;

cell! {
    /// Sends the rounds through a network that every message passes twice: as [`Sequencer`](super::Sequencer), but the inputs
    /// belong to new rounds for a window of cycles, then to the second pass of the same rounds for as many.
    ///
    /// `again_o`: the inputs belong to the second pass.
    PassSequencer, PassSequencerSpec, "frit_pass_sequencer":
    "Sends the rounds through a network that messages pass twice: for a window of cycles new rounds enter, then for another window the same rounds enter for their second pass.";
    "Apart from the windows it works as frit_sequencer. Windows of LastSlot + 1 cycles alternate until the last round has entered for its second pass, in slot EndSlot of the last window. The next exchange may begin directly after it. State: active, again, sent, the slot and the round, all reset to 0.";
    members {
        bits: u32 = 4, "bits of a round's number";
        slot_bits: u32 = 3, "bits of a cycle's number in its window";
        last: u64 = 9, "the last round";
        window: u64 = 4, "cycles of a window";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset: stops an exchange in any cycle";
        In start_i: Bit, "starts an exchange";
        Out ready_o: Bit = ready, "a start can be taken in this cycle";
        Out next_o: Bit, "ready_o of the next cycle, unless a reset comes between";
        Out begin_o: Bit = taken, "a start is taken, same cycle: the next cycle is cycle 0";
        Out sending_o: Bit = sending, "a round is sent in this cycle";
        Out last_o: Bit, "the last round is sent in this cycle";
        Out again_o: Bit = again.q, "the inputs belong to the second pass";
    }
    parts {
        last_round: Const = Const::parameter(last, bits, Some("RoundBits"));
        last_slot: Const = Const::parameter(window - 1, slot_bits, Some("SlotBits"));
        end_slot: Const = Const::parameter(last % window, slot_bits, Some("SlotBits"));
        one: Const = Const::one(bits, "RoundBits");
        zero: Const = Const::zero(bits, "RoundBits");
        step: Const = Const::one(slot_bits, "SlotBits");
        origin: Const = Const::zero(slot_bits, "SlotBits");
        sending: Signal<Local, Bit>;
        ending: Signal<Local, Bit>;
        ready: Signal<Local, Bit>;
        taken: Signal<Local, Bit>;
        turns: Signal<Local, Bit>;
        all_sent: Signal<Local, Bit>;
        ends_next: Signal<Local, Bit>;
        following: Bus<Local> = Bus::named(slot_bits, "SlotBits");
        active: BitReg = BitReg::default().purpose("rounds enter, for their first pass or their second");
        again: BitReg = BitReg::default().purpose("the inputs belong to the second pass");
        sent: BitReg = BitReg::default().purpose("every round has been sent");
        slot: Reg = Reg::zero(slot_bits, "SlotBits").purpose("the cycle of the window");
        round: Reg = Reg::zero(bits, "RoundBits");
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("RoundBits", self.bits, "bits of a round's number, 2 or more").at_least(2),
                Parameter::plain("SlotBits", self.slot_bits, "bits of a cycle's number in its window, 2 or more").at_least(2),
                Parameter::sized("LastRound", self.last, self.bits, "number of the last round"),
                Parameter::sized("LastSlot", self.window - 1, self.slot_bits, "cycles of a window, minus one"),
                Parameter::sized("EndSlot", self.last % self.window, self.slot_bits, "slot of the last round: the remainder of LastRound by the cycles of a window"),
            ]
        }
    }
}

impl kernel::Kernel for PassSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The first pass sends a round in each cycle until all rounds have entered; then the second pass begins.");
        self.sending.next = self.active.q.val() & !self.again.q.val() & !self.sent.q.val();
        self.ending.next =
            self.again.q.val() & self.sent.q.val() & (self.slot.q.val() == self.end_slot.val());
        self.ready.next = !self.active.q.val() | self.ending.val();
        self.taken.next = self.start_i.val() & self.ready.val();
        self.active.d.next = self.taken.val() | (self.active.q.val() & !self.ending.val());
        comment!("The cycles of a pass.");
        self.turns.next = self.slot.q.val() == self.last_slot.val();
        self.following.next = self.slot.q.val() + self.step.val();
        if self.active.q.val() {
            self.slot.d.next = self.following.val();
            if self.turns.val() {
                self.slot.d.next = self.origin.val();
                self.again.d.next = !self.again.q.val();
            }
        }
        comment!("The rounds that have entered.");
        if self.sending.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
            if self.round.q.val() == self.last_round.val() {
                self.round.d.next = self.zero.val();
                self.sent.d.next = true;
            }
        }
        comment!("At its end the exchange is as before its first slot.");
        if self.ending.val() {
            self.slot.d.next = self.origin.val();
            self.again.d.next = false;
            self.sent.d.next = false;
        }
        comment!("What the next cycle is: the last slot, or idle.");
        self.all_sent.next =
            self.sent.q.val() | (self.sending.val() & (self.round.q.val() == self.last_round.val()));
        self.ends_next.next = (self.again.q.val()
            & self.sent.q.val()
            & !self.turns.val()
            & (self.following.val() == self.end_slot.val()))
            | (!self.again.q.val()
                & self.all_sent.val()
                & self.turns.val()
                & (self.end_slot.val() == self.origin.val()));
        self.next_o.next = (self.ready.val() & !self.taken.val()) | (!self.ready.val() & self.ends_next.val());
        comment!("The last round to be sent.");
        self.last_o.next = self.sending.val() & (self.round.q.val() == self.last_round.val());
    }
}
