use crate::table::*;

cell! {
    /// Where messages enter a multibutterfly: a source takes them between runs, while both of its sides have room.
    InjectGate, InjectGateSpec, "frit_inject_gate":
    "Entrance of a multibutterfly: takes a message of a source between two runs, while both sides of the source have room.";
    "Combinational. No state.";
    ports {
        In idle_i: Bit, "no run is under way";
        In valid_i: Bit, "a message is offered";
        In full0_i: Bit, "the upper side is full";
        In full1_i: Bit, "the lower side is full";
        Out ready_o: Bit = ready, "a message can be taken, same cycle";
        Out take_o: Bit, "the message is taken, same cycle";
    }
    parts {
        ready: Signal<Local, Bit>;
    }
}

impl kernel::Kernel for InjectGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.idle_i.val() & !self.full0_i.val() & !self.full1_i.val();
        self.take_o.next = self.ready.val() & self.valid_i.val();
    }
}
