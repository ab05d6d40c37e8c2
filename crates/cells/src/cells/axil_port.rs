use crate::table::*;

cell! {
    /// The handshakes of an AXI4-Lite port; what is behind the addresses stands in a cell beside it.
    AxilPort, AxilPortSpec, "frit_axil_port":
    "The handshakes of an AXI4-Lite port of 64 bytes. The registers stand in a cell beside it.";
    "The port takes the address and the word of a write independently. The write takes effect in the cycle after both have been taken (write_o), and its response comes one cycle later. The response to a read comes in the cycle after its address was taken. One write and one read can be under way at a time. An access to address 64 or above is answered with SLVERR (2), and so is a write with refused_i. State, all reset to 0: a write and its response, a read.";
    parameters {
        Bits bits: u32 = 6, "bits of a write word that the registers look at, strobes among them", at_least 1;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In awvalid_i: Bit, "write address is offered";
        Out awready_o: Bit, "a write address can be taken";
        In awword_i: Bus(6), "bits 7:2 of the write address";
        In wvalid_i: Bit, "write word is offered";
        Out wready_o: Bit, "a write word can be taken";
        In wbits_i: Bus(bits, "Bits"), "bits of the write word, and strobes, that the registers look at";
        Out bvalid_o: Bit = answered.q, "write response is offered";
        In bready_i: Bit, "the write response can be taken";
        Out bresp_o: Bus(2) = response.q, "write response: 0 OKAY, 2 SLVERR";
        In arvalid_i: Bit, "read address is offered";
        Out arready_o: Bit, "a read address can be taken";
        In arword_i: Bus(6), "bits 7:2 of the read address";
        Out rvalid_o: Bit = shown.q, "read word and read response are offered";
        In rready_i: Bit, "the read word can be taken";
        Out rdata_o: Bus(32) = read_data.q, "read word";
        Out rresp_o: Bus(2) = read_response.q, "read response: 0 OKAY, 2 SLVERR";
        Out write_o: Bit = writing, "the write of bits_o to word_o takes effect";
        Out word_o: Bus(6) = aw_word.q, "register that is written: bits 7:2 of its address";
        Out bits_o: Bus(bits, "Bits") = w_bits.q, "what is written";
        In refused_i: Bit, "the registers refuse this write, same cycle";
        In value_i: Bus(32), "value of the register at arword_i, same cycle";
    }
    with {
        let response = |value: u64| Const::local(value, 2, None, &format!("2'd{value}"));
    }
    parts {
        at_end: Const = Const::local(16, 6, None, "6'd16");
        okay: Const = response(0);
        error_response: Const = response(2);
        writing: Signal<Local, Bit>;
        reading: Signal<Local, Bit>;
        aw_held: BitReg = BitReg::default().purpose("the address of a write has been taken");
        w_held: BitReg = BitReg::default().purpose("the word of a write has been taken");
        answered: BitReg = BitReg::default().purpose("the response to a write waits to be taken");
        shown: BitReg = BitReg::default().purpose("the word of a read waits to be taken");
        aw_word: Reg = Reg::fixed(6);
        w_bits: Reg = Reg::zero(bits, "Bits");
        response: Reg = Reg::fixed(2);
        read_data: Reg = Reg::fixed(32);
        read_response: Reg = Reg::fixed(2);
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Stays { valid: "awvalid_i", ready: "awready_o", payload: &["awword_i"] },
                Assertion::Stays { valid: "wvalid_i", ready: "wready_o", payload: &["wbits_i"] },
                Assertion::Stays { valid: "arvalid_i", ready: "arready_o", payload: &["arword_i"] },
            ]
        }
    }
}

impl kernel::Kernel for AxilPort {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A write: its two halves, then its response.");
        self.awready_o.next = !self.aw_held.q.val();
        self.wready_o.next = !self.w_held.q.val();
        self.writing.next = self.aw_held.q.val() & self.w_held.q.val() & !self.answered.q.val();
        comment!("A half is held until the other half has come.");
        self.aw_held.d.next = (self.aw_held.q.val() | self.awvalid_i.val()) & !self.writing.val();
        self.w_held.d.next = (self.w_held.q.val() | self.wvalid_i.val()) & !self.writing.val();
        if !self.aw_held.q.val() {
            self.aw_word.d.next = self.awword_i.val();
        }
        if !self.w_held.q.val() {
            self.w_bits.d.next = self.wbits_i.val();
        }
        comment!("The response stays until it is taken; an address beyond the registers is an error.");
        self.answered.d.next = self.writing.val() | (self.answered.q.val() & !self.bready_i.val());
        if self.writing.val() {
            self.response.d.next = self.okay.val();
            if self.refused_i.val() | (self.aw_word.q.val() >= self.at_end.val()) {
                self.response.d.next = self.error_response.val();
            }
        }

        comment!("A read.");
        self.arready_o.next = !self.shown.q.val();
        self.reading.next = self.arvalid_i.val() & !self.shown.q.val();
        self.shown.d.next = self.reading.val() | (self.shown.q.val() & !self.rready_i.val());
        if self.reading.val() {
            self.read_data.d.next = self.value_i.val();
            self.read_response.d.next = self.okay.val();
            if self.arword_i.val() >= self.at_end.val() {
                self.read_response.d.next = self.error_response.val();
            }
        }
    }
}
