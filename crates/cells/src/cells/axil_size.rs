use crate::atoms::{BitReg, Const, Reg};
use crate::registers::{ID, VERSION, sized};
use crate::table::cell;
use rust_hdl::prelude::*;

/// Bits of the number of a word.
const WORD_BITS: usize = 6;

cell! {
    /// The size of the next matrix behind an AXI4-Lite port; the map is [`crate::registers::SIZED`].
    AxilSize, AxilSizeSpec, "frit_axil_size":
    "The register of the size of the next matrix of a corner turn, behind an AXI4-Lite port, and the values that the design was generated with. docs/registers.md has the map.";
    "A write to SIZE is answered with SLVERR (2) and has no effect if a number is 0, larger than its limit or no multiple of LaneMask + 1, or if a byte of the word is not valid. An access to address 64 or above is answered with SLVERR and has no effect. A write to another register is answered with OKAY and has no effect. The port takes the address and the word of a write independently. The write takes effect in the cycle after both have been taken, and its response comes one cycle later. The response to a read comes in the cycle after its address was taken. One write and one read can be under way at a time. State: a write and its response, a read (reset to 0), the size (reset to the limits).";
    parameters {
        System(32) system: u64 = 0x0123_4567, "value of register SYSTEM";
        Terminals(32) terminals: u64 = 4, "value of register TERMINALS";
        Width(32) width: u64 = 32, "value of register WIDTH";
        RowLimit(16) row_limit: u64 = 24, "most rows";
        ColumnLimit(16) column_limit: u64 = 40, "most columns";
        LaneMask(16) lane_mask: u64 = 3, "words of a beat, minus 1";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In awvalid_i: Bit, "write address is offered";
        Out awready_o: Bit, "a write address can be taken";
        In awword_i: Bus(6), "bits 7:2 of the write address";
        In wvalid_i: Bit, "write word is offered";
        Out wready_o: Bit, "a write word can be taken";
        In wrows_i: Bus(16), "bits 15:0 of the write word";
        In wcolumns_i: Bus(16), "bits 31:16 of the write word";
        In wpartial_i: Bit, "a byte of the write word is not valid";
        Out bvalid_o: Bit, "write response is offered";
        In bready_i: Bit, "the write response can be taken";
        Out bresp_o: Bus(2), "write response: 0 OKAY, 2 SLVERR";
        In arvalid_i: Bit, "read address is offered";
        Out arready_o: Bit, "a read address can be taken";
        In arword_i: Bus(6), "bits 7:2 of the read address";
        Out rvalid_o: Bit, "read word and read response are offered";
        In rready_i: Bit, "the read word can be taken";
        Out rdata_o: Bus(32), "read word";
        Out rresp_o: Bus(2), "read response: 0 OKAY, 2 SLVERR";
        In limits_i: Bus(32), "value of register LIMITS";
        In size_i: Bus(32), "columns_o and rows_o side by side: value of register SIZE";
        Out rows_o: Bus(16), "rows of the next matrix";
        Out columns_o: Bus(16), "columns of the next matrix";
    }
    with {
        let word = |at: u64| Const::local(at, WORD_BITS, None, &format!("{WORD_BITS}'d{at}"));
        let at = |name: &str| word(sized(name).index());
        let number = |value: u32| Const::local(value.into(), 32, None, &format!("32'h{value:08x}"));
        let response = |value: u64| Const::local(value, 2, None, &format!("2'd{value}"));
        let parameter = |value: u64, bits: usize| Const::parameter(value, bits, None);
    }
    parts {
        system: Const = parameter(system, 32);
        terminals: Const = parameter(terminals, 32);
        width: Const = parameter(width, 32);
        row_limit: Const = parameter(row_limit, 16);
        column_limit: Const = parameter(column_limit, 16);
        lane_mask: Const = parameter(lane_mask, 16);
        id: Const = number(ID);
        version: Const = number(VERSION);
        zero: Const = number(0);
        at_id: Const = at("ID");
        at_version: Const = at("VERSION");
        at_system: Const = at("SYSTEM");
        at_terminals: Const = at("TERMINALS");
        at_width: Const = at("WIDTH");
        at_limits: Const = at("LIMITS");
        at_size: Const = at("SIZE");
        at_end: Const = word(u64::from(crate::registers::SPACE / 4));
        okay: Const = response(0);
        refused: Const = response(2);
        read: crate::atoms::Bus<Local> = crate::atoms::Bus::new(32).purpose("value of the register at arword_i");
        writing: Signal<Local, Bit>;
        chosen: Signal<Local, Bit>;
        possible: Signal<Local, Bit>;
        reading: Signal<Local, Bit>;
        aw_held: BitReg = BitReg::default().purpose("the address of a write has been taken");
        w_held: BitReg = BitReg::default().purpose("the word of a write has been taken");
        partial: BitReg = BitReg::default().purpose("a byte of this word is not valid");
        answered: BitReg = BitReg::default().purpose("the response to a write waits to be taken");
        shown: BitReg = BitReg::default().purpose("the word of a read waits to be taken");
        aw_word: Reg = Reg::fixed(WORD_BITS);
        w_rows: Reg = Reg::fixed(16);
        w_columns: Reg = Reg::fixed(16);
        response: Reg = Reg::fixed(2);
        read_data: Reg = Reg::fixed(32);
        read_response: Reg = Reg::fixed(2);
        rows: Reg = Reg::fixed_reset_to(&parameter(row_limit, 16), "RowLimit");
        columns: Reg = Reg::fixed_reset_to(&parameter(column_limit, 16), "ColumnLimit");
    }
}

impl Logic for AxilSize {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, aw_held, w_held, partial, answered, shown, aw_word, w_rows, w_columns);
        clock!(self, clk_i, response, read_data, read_response, rows, columns);
        self.aw_held.reset.next = self.rst_i.val();
        self.w_held.reset.next = self.rst_i.val();
        self.partial.reset.next = self.rst_i.val();
        self.answered.reset.next = self.rst_i.val();
        self.shown.reset.next = self.rst_i.val();
        self.aw_word.reset.next = self.rst_i.val();
        self.w_rows.reset.next = self.rst_i.val();
        self.w_columns.reset.next = self.rst_i.val();
        self.response.reset.next = self.rst_i.val();
        self.read_data.reset.next = self.rst_i.val();
        self.read_response.reset.next = self.rst_i.val();
        self.rows.reset.next = self.rst_i.val();
        self.columns.reset.next = self.rst_i.val();

        // A write: its two halves, then what it does, then its response.
        self.awready_o.next = !self.aw_held.q.val();
        self.wready_o.next = !self.w_held.q.val();
        self.writing.next = self.aw_held.q.val() & self.w_held.q.val() & !self.answered.q.val();
        self.aw_held.d.next = (self.aw_held.q.val() | self.awvalid_i.val()) & !self.writing.val();
        self.w_held.d.next = (self.w_held.q.val() | self.wvalid_i.val()) & !self.writing.val();
        self.aw_word.d.next = self.aw_word.q.val();
        if !self.aw_held.q.val() {
            self.aw_word.d.next = self.awword_i.val();
        }
        self.w_rows.d.next = self.w_rows.q.val();
        self.w_columns.d.next = self.w_columns.q.val();
        self.partial.d.next = self.partial.q.val();
        if !self.w_held.q.val() {
            self.w_rows.d.next = self.wrows_i.val();
            self.w_columns.d.next = self.wcolumns_i.val();
            self.partial.d.next = self.wpartial_i.val();
        }
        self.chosen.next = self.aw_word.q.val() == self.at_size.val();
        self.possible.next = self.w_rows.q.val().any()
            & self.w_columns.q.val().any()
            & (self.w_rows.q.val() <= self.row_limit.val())
            & (self.w_columns.q.val() <= self.column_limit.val())
            & !(self.w_rows.q.val() & self.lane_mask.val()).any()
            & !(self.w_columns.q.val() & self.lane_mask.val()).any()
            & !self.partial.q.val();
        self.rows.d.next = self.rows.q.val();
        self.columns.d.next = self.columns.q.val();
        if self.writing.val() & self.chosen.val() & self.possible.val() {
            self.rows.d.next = self.w_rows.q.val();
            self.columns.d.next = self.w_columns.q.val();
        }
        self.answered.d.next = self.writing.val() | (self.answered.q.val() & !self.bready_i.val());
        self.response.d.next = self.response.q.val();
        if self.writing.val() {
            self.response.d.next = self.okay.val();
            if (self.aw_word.q.val() >= self.at_end.val()) | (self.chosen.val() & !self.possible.val()) {
                self.response.d.next = self.refused.val();
            }
        }
        self.bvalid_o.next = self.answered.q.val();
        self.bresp_o.next = self.response.q.val();

        // A read.
        self.arready_o.next = !self.shown.q.val();
        self.reading.next = self.arvalid_i.val() & !self.shown.q.val();
        self.shown.d.next = self.reading.val() | (self.shown.q.val() & !self.rready_i.val());
        self.read.next = self.zero.val();
        if self.arword_i.val() == self.at_id.val() {
            self.read.next = self.id.val();
        }
        if self.arword_i.val() == self.at_version.val() {
            self.read.next = self.version.val();
        }
        if self.arword_i.val() == self.at_system.val() {
            self.read.next = self.system.val();
        }
        if self.arword_i.val() == self.at_terminals.val() {
            self.read.next = self.terminals.val();
        }
        if self.arword_i.val() == self.at_width.val() {
            self.read.next = self.width.val();
        }
        if self.arword_i.val() == self.at_limits.val() {
            self.read.next = self.limits_i.val();
        }
        if self.arword_i.val() == self.at_size.val() {
            self.read.next = self.size_i.val();
        }
        self.read_data.d.next = self.read_data.q.val();
        self.read_response.d.next = self.read_response.q.val();
        if self.reading.val() {
            self.read_data.d.next = self.read.val();
            self.read_response.d.next = self.okay.val();
            if self.arword_i.val() >= self.at_end.val() {
                self.read_response.d.next = self.refused.val();
            }
        }
        self.rvalid_o.next = self.shown.q.val();
        self.rdata_o.next = self.read_data.q.val();
        self.rresp_o.next = self.read_response.q.val();
        self.rows_o.next = self.rows.q.val();
        self.columns_o.next = self.columns.q.val();
    }
}
