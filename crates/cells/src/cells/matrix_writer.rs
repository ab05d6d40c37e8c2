use crate::table::*;

cell! {
    /// Lets the beats of matrices into a corner turn whose sizes are loaded, and says where each beat is written.
    ///
    /// Rows and columns are counted in blocks of N, the words of a beat. The word at row r and column c lies at the address
    /// (⌊c/N⌋·rows + ⌊r/N⌋)·N + r mod N of a page. Matrices take two pages in turn: a matrix goes into a page when the one before
    /// in this page has been read.
    MatrixWriter, MatrixWriterSpec, "frit_matrix_writer":
    "Lets the beats of matrices into a corner turn whose sizes are loaded, and says where each beat is written. Sizes are in blocks of N rows and of N columns, where N = 2^LaneBits is the number of words of a beat.";
    "A matrix takes the size that is at the inputs in the cycle before its first beat enters. While this size is 0 or too large, no matrix begins: tready_o is low. A matrix that has entered waits until the one before has been read (free_i); tready_o is low meanwhile. State, all reset to 0: the size, whether a beat may enter, whether one has entered, whether the matrix waits, page, row mod N, address; rows and columns of the beats behind, and whether this one is in the last block of rows and of columns (set with the size).";
    parameters {
        Bits bits: u32 = 4, "bits of a size and of an address in blocks, 2 or more", at_least 2;
        LaneBits lane_bits: u32 = 2, "bits of the number of a lane, 1 or more";
        RowLimit(bits) row_limit: u64 = 5, "most blocks of rows";
        ColumnLimit(bits) column_limit: u64 = 3, "most blocks of columns";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In tvalid_i: Bit, "a beat is offered";
        In advance_i: Bit, "beats may move";
        In next_rows_i: Bus(bits, "Bits"), "blocks of rows of the next matrix";
        In next_columns_i: Bus(bits, "Bits"), "blocks of columns of the next matrix";
        In free_i: Bit, "the matrix before has been read when this cycle ends";
        Out tready_o: Bit, "the beat is taken";
        Out step_o: Bit = step, "a beat enters, same cycle";
        Out ends_o: Bit = last, "the beat that comes next or enters is the last of its matrix";
        Out hand_o: Bit = hand, "the matrix is complete and can be read from the next cycle on";
        Out rows_o: Bus(bits, "Bits") = rows.q, "blocks of rows of the matrix";
        Out columns_o: Bus(bits, "Bits") = columns.q, "blocks of columns of the matrix";
        Out low_o: Bus(lane_bits, "LaneBits") = low.q, "row mod N of the beat";
        Out address_o: Bus(bits, "Bits") = address.q, "address of the beat, without row mod N";
        Out page_o: Bit = odd.q, "page of the matrix";
    }
    parts {
        one: Const = Const::one(bits, "Bits");
        two: Const = Const::local(2, bits, Some("Bits"), "2");
        zero: Const = Const::zero(bits, "Bits");
        low_one: Const = Const::one(lane_bits, "LaneBits");
        lane_before: Const = Const::local((1 << lane_bits) - 2, lane_bits, Some("LaneBits"), "{LaneBits{1'b1}} - 1'b1");
        row_limit: Const = Const::parameter(row_limit, bits, Some("Bits"));
        column_limit: Const = Const::parameter(column_limit, bits, Some("Bits"));
        step: Signal<Local, Bit>;
        good: Signal<Local, Bit>;
        last: Signal<Local, Bit>;
        ending: Signal<Local, Bit>;
        hand: Signal<Local, Bit>;
        idle: Signal<Local, Bit>;
        renew: Signal<Local, Bit>;
        rows: Reg = Reg::zero(bits, "Bits").purpose("blocks of rows of the matrix");
        columns: Reg = Reg::zero(bits, "Bits").purpose("blocks of columns of the matrix");
        free_to_enter: BitReg = BitReg::default().purpose("a beat may enter");
        begun: BitReg = BitReg::default().purpose("a beat of the matrix has entered");
        complete: BitReg = BitReg::default().purpose("the matrix has entered and waits for the one before");
        odd: BitReg = BitReg::default().purpose("page of the matrix");
        column: Reg = Reg::zero(bits, "Bits").purpose("block of columns behind that of the beat, from 1");
        row: Reg = Reg::zero(bits, "Bits").purpose("block of rows behind that of the beat, from 0");
        row_after: Reg = Reg::zero(bits, "Bits").purpose("block of rows two behind that of the beat, from 0");
        row_before: Reg = Reg::zero(bits, "Bits").purpose("block of rows of the beat, from 0");
        column_end: BitReg = BitReg::default().purpose("the beat is in the last block of columns");
        row_end: BitReg = BitReg::default().purpose("the beat is in the last block of rows");
        narrow: BitReg = BitReg::default().purpose("the matrix has one block of columns");
        address: Reg = Reg::zero(bits, "Bits").purpose("address of the beat in blocks");
        low_end: BitReg = BitReg::default().purpose("the beat is in the last row of its block");
        low: Reg = Reg::zero(lane_bits, "LaneBits").purpose("row in its block");
    }
}

impl kernel::Kernel for MatrixWriter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Which beat enters, and whether it ends the matrix.");
        self.step.next = self.tvalid_i.val() & self.advance_i.val() & self.free_to_enter.q.val();
        self.last.next = self.column_end.q.val() & self.low_end.q.val() & self.row_end.q.val();
        self.ending.next = self.step.val() & self.last.val();
        self.hand.next = (self.ending.val() | self.complete.q.val()) & self.free_i.val();
        self.complete.d.next = (self.ending.val() | self.complete.q.val()) & !self.free_i.val();
        self.begun.d.next = (self.begun.q.val() | self.step.val()) & !self.hand.val();
        self.odd.d.next = self.odd.q.val() ^ self.hand.val();

        comment!("Where the next beat is written.");
        if self.step.val() {
            self.column.d.next = self.column.q.val() + self.one.val();
            self.address.d.next = self.address.q.val() + self.rows.q.val();
            self.column_end.d.next = self.column.q.val() == self.columns.q.val();
            if self.column_end.q.val() {
                self.column.d.next = self.two.val();
                self.column_end.d.next = self.narrow.q.val();
                self.low.d.next = self.low.q.val() + self.low_one.val();
                self.low_end.d.next = self.low.q.val() == self.lane_before.val();
                self.address.d.next = self.row_before.q.val();
                if self.low_end.q.val() {
                    self.address.d.next = self.row.q.val();
                    self.row_before.d.next = self.row.q.val();
                    self.row.d.next = self.row_after.q.val();
                    self.row_after.d.next = self.row_after.q.val() + self.one.val();
                    self.row_end.d.next = self.row_after.q.val() == self.rows.q.val();
                }
            }
        }

        comment!("Between two matrices the counters stand at the first beat.");
        self.idle.next = !(self.begun.q.val() | self.step.val());
        if self.idle.val() | self.ending.val() {
            self.column.d.next = self.two.val();
            self.row.d.next = self.one.val();
            self.row_after.d.next = self.two.val();
            self.row_before.d.next = self.zero.val();
            self.address.d.next = self.zero.val();
        }

        comment!("The size of the next matrix.");
        self.renew.next = self.hand.val() | self.idle.val();
        self.good.next = self.next_rows_i.val().any()
            & self.next_columns_i.val().any()
            & (self.next_rows_i.val() <= self.row_limit.val())
            & (self.next_columns_i.val() <= self.column_limit.val());
        self.free_to_enter.d.next = self.free_to_enter.q.val() & !self.ending.val();
        if self.renew.val() {
            self.rows.d.next = self.next_rows_i.val();
            self.columns.d.next = self.next_columns_i.val();
            self.narrow.d.next = self.next_columns_i.val() == self.one.val();
            self.column_end.d.next = self.next_columns_i.val() == self.one.val();
            self.row_end.d.next = self.next_rows_i.val() == self.one.val();
            self.free_to_enter.d.next = self.good.val();
        }

        comment!("A beat is taken while the queue behind moves and the size is possible.");
        self.tready_o.next = self.advance_i.val() & self.free_to_enter.q.val();
    }
}
