use crate::table::*;

cell! {
    /// The AXI4-Lite port of a crossbar: it takes a write when its address and its word are both offered, and none while a commit is under way.
    CrossbarPort, CrossbarPortSpec, "frit_crossbar_port":
    "The AXI4-Lite port of a crossbar. The registers stand in cells beside it, and so does what looks at the addresses.";
    "The port takes a write when its address and its word are both offered, no commit is under way (busy_i) and no response waits. It is ready in the next cycle, in which the write takes effect (write_o), and its response comes one cycle later. The word of a read comes three cycles after its address was offered. An access to a register that does not exist is answered with SLVERR (2), and so is a write of single bytes (strobes) or of a value that the register refuses; it changes nothing. State, all reset to 0: a write and its response, a read.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In awvalid_i: Bit, "write address is offered";
        Out awready_o: Bit = taken.q, "the write address is taken";
        In wvalid_i: Bit, "write word is offered";
        Out wready_o: Bit = taken.q, "the write word is taken";
        In wdata_i: Bus(32), "write word";
        In wstrb_i: Bus(4), "bytes of the write word that are valid";
        Out bvalid_o: Bit = answered.q, "write response is offered";
        In bready_i: Bit, "the write response can be taken";
        Out bresp_o: Bus(2) = response.q, "write response: 0 OKAY, 2 SLVERR";
        In arvalid_i: Bit, "read address is offered";
        Out arready_o: Bit = reading.q, "the read address is taken";
        Out rvalid_o: Bit = shown.q, "read word and read response are offered";
        In rready_i: Bit, "the read word can be taken";
        Out rdata_o: Bus(32) = read_data.q, "read word";
        Out rresp_o: Bus(2) = read_response.q, "read response: 0 OKAY, 2 SLVERR";
        In busy_i: Bit, "a commit is under way";
        Out write_o: Bit = writing.q, "the write of data_o takes effect, to the register that was addressed in the last cycle";
        Out data_o: Bus(32) = data.q, "what is written";
        In known_i: Bit, "the register exists and takes the value, same cycle";
        In found_i: Bit, "the read address of two cycles before was that of a register";
        In value_i: Bus(32), "value of this register";
    }
    with {
        let response = |value: u64| Const::local(value, 2, None, &format!("2'd{value}"));
    }
    parts {
        all: Const = Const::local(15, 4, None, "4'd15");
        okay: Const = response(0);
        error_response: Const = response(2);
        takes: Signal<Local, Bit>;
        taken: BitReg = BitReg::default().purpose("a write is taken in this cycle");
        writing: BitReg = BitReg::default().purpose("it has all bytes, and takes effect");
        answered: BitReg = BitReg::default().purpose("the response to a write waits to be taken");
        reading: BitReg = BitReg::default().purpose("the address of a read is taken in this cycle");
        looking: BitReg = BitReg::default().purpose("the value of the register is there");
        shown: BitReg = BitReg::default().purpose("the word of a read waits to be taken");
        data: Reg = Reg::fixed(32);
        response: Reg = Reg::fixed(2);
        read_data: Reg = Reg::fixed(32);
        read_response: Reg = Reg::fixed(2);
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![Assertion::Stays { valid: "wvalid_i", ready: "wready_o", payload: &["wdata_i", "wstrb_i"] }]
        }
    }
}

impl kernel::Kernel for CrossbarPort {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A write, in the cycle after both of its halves are offered; then its response.");
        comment!("No write is taken while a commit is under way, so that what is written belongs to the next one.");
        self.takes.next = self.awvalid_i.val()
            & self.wvalid_i.val()
            & !self.taken.q.val()
            & !self.answered.q.val()
            & !self.busy_i.val();
        self.taken.d.next = self.takes.val();
        self.writing.d.next = self.takes.val() & (self.wstrb_i.val() == self.all.val());
        self.data.d.next = self.wdata_i.val();
        comment!("The response stays until it is taken. It is an error if the register does not exist, does not take the value, or only some bytes are written.");
        self.answered.d.next = self.taken.q.val() | (self.answered.q.val() & !self.bready_i.val());
        if self.taken.q.val() {
            self.response.d.next = self.error_response.val();
            if self.writing.q.val() & self.known_i.val() {
                self.response.d.next = self.okay.val();
            }
        }

        comment!("A read: its address is taken in the cycle after it is offered, and the value comes one cycle later; then the word.");
        self.reading.d.next = self.arvalid_i.val()
            & !self.reading.q.val()
            & !self.looking.q.val()
            & !self.shown.q.val();
        self.looking.d.next = self.reading.q.val();
        self.shown.d.next = self.looking.q.val() | (self.shown.q.val() & !self.rready_i.val());
        if self.looking.q.val() {
            self.read_data.d.next = self.value_i.val();
            self.read_response.d.next = self.error_response.val();
            if self.found_i.val() {
                self.read_response.d.next = self.okay.val();
            }
        }
    }
}
