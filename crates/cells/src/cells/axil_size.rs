use crate::registers::{ID, VERSION, sized};
use crate::table::*;

const WORD_BITS: usize = 6;

cell! {
    /// The size of the next matrix behind an AXI4-Lite port; the map is [`crate::registers::SIZED`].
    AxilSize, AxilSizeSpec, "frit_axil_size":
    "The register of the size of the next matrix of a corner turn, behind frit_axil_port, and the values that the design was generated with. docs/registers.md has the map.";
    "A write to SIZE is refused and has no effect if a number is 0, larger than its limit or no multiple of LaneMask + 1, or if a byte of the word is not valid. A write to another register has no effect. State: the size (reset to the limits).";
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
        In write_i: Bit, "a write takes effect";
        In word_i: Bus(6), "register that is written: bits 7:2 of its address";
        In wrows_i: Bus(16), "bits 15:0 of the write word";
        In wcolumns_i: Bus(16), "bits 31:16 of the write word";
        In strobes_i: Bus(4), "bytes of the write word that are valid, one bit for each";
        Out refused_o: Bit, "SIZE cannot take this word, same cycle";
        In arword_i: Bus(6), "bits 7:2 of the read address";
        Out value_o: Bus(32), "value of the register at arword_i, same cycle";
        In limits_i: Bus(32), "value of register LIMITS";
        In size_i: Bus(32), "columns_o and rows_o side by side: value of register SIZE";
        Out rows_o: Bus(16) = rows.q, "rows of the next matrix";
        Out columns_o: Bus(16) = columns.q, "columns of the next matrix";
    }
    with {
        let word = |at: u64| Const::local(at, WORD_BITS, None, &format!("{WORD_BITS}'d{at}"));
        let at = |name: &str| word(sized(name).index());
        let number = |value: u32| Const::local(value.into(), 32, None, &format!("32'h{value:08x}"));
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
        every: Const = Const::local(15, 4, None, "4'd15");
        possible: Signal<Local, Bit>;
        rows: Reg = Reg::fixed_reset_to(&parameter(row_limit, 16), "RowLimit");
        columns: Reg = Reg::fixed_reset_to(&parameter(column_limit, 16), "ColumnLimit");
    }
}

impl kernel::Kernel for AxilSize {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A size that the design can have: both numbers, and all bytes of the word.");
        self.possible.next = self.wrows_i.val().any()
            & self.wcolumns_i.val().any()
            & (self.wrows_i.val() <= self.row_limit.val())
            & (self.wcolumns_i.val() <= self.column_limit.val())
            & !(self.wrows_i.val() & self.lane_mask.val()).any()
            & !(self.wcolumns_i.val() & self.lane_mask.val()).any()
            & (self.strobes_i.val() == self.every.val());
        self.refused_o.next = (self.word_i.val() == self.at_size.val()) & !self.possible.val();
        if self.write_i.val() & (self.word_i.val() == self.at_size.val()) & self.possible.val() {
            self.rows.d.next = self.wrows_i.val();
            self.columns.d.next = self.wcolumns_i.val();
        }

        comment!("What is read.");
        self.value_o.next = self.zero.val();
        if self.arword_i.val() == self.at_id.val() {
            self.value_o.next = self.id.val();
        }
        if self.arword_i.val() == self.at_version.val() {
            self.value_o.next = self.version.val();
        }
        if self.arword_i.val() == self.at_system.val() {
            self.value_o.next = self.system.val();
        }
        if self.arword_i.val() == self.at_terminals.val() {
            self.value_o.next = self.terminals.val();
        }
        if self.arword_i.val() == self.at_width.val() {
            self.value_o.next = self.width.val();
        }
        if self.arword_i.val() == self.at_limits.val() {
            self.value_o.next = self.limits_i.val();
        }
        if self.arword_i.val() == self.at_size.val() {
            self.value_o.next = self.size_i.val();
        }
    }
}
