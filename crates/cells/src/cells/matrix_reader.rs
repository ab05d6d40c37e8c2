use crate::table::*;

cell! {
    /// Decides to read the beats of a matrix that has entered a corner turn whose sizes are loaded, and says from where.
    ///
    /// A beat of the output has N words of one column c. In the memory of lane m they lie at the address
    /// (⌊c/N⌋·rows + block of rows)·N + (m xor c mod N).
    MatrixReader, MatrixReaderSpec, "frit_matrix_reader":
    "Decides to read the beats of a matrix that has entered a corner turn whose sizes are loaded, and says where each beat is read. Sizes are in blocks of N rows and of N columns, where N = 2^LaneBits is the number of words of a beat.";
    "A matrix is read with the size that it was written with. State, all reset to 0: whether a matrix is read, whether it was decided to read a beat, column mod N, page; set with hand_i: the size, address, address at which the column begins, rows and columns of the beats behind, and whether this one is in the last block of rows and of columns.";
    parameters {
        Bits bits: u32 = 4, "bits of a size and of an address in blocks, 2 or more", at_least 2;
        LaneBits lane_bits: u32 = 2, "bits of the number of a lane, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In advance_i: Bit, "beats may be read";
        In hand_i: Bit, "the matrix of these sizes can be read from the next cycle on";
        In rows_i: Bus(bits, "Bits"), "its blocks of rows";
        In columns_i: Bus(bits, "Bits"), "its blocks of columns";
        In page_i: Bit, "its page";
        Out free_o: Bit = free, "the matrix before has been read when this cycle ends";
        Out due_o: Bit = due.q, "a beat is read, one cycle later";
        Out ends_o: Bit = last, "the beat that comes next is the last of its matrix";
        Out low_o: Bus(lane_bits, "LaneBits") = low.q, "column mod N of the beat that comes next";
        Out address_o: Bus(bits, "Bits") = address.q, "address of the beat that comes next, without the bits of lane and column";
        Out page_o: Bit = odd.q, "page of the beat that comes next";
    }
    parts {
        one: Const = Const::one(bits, "Bits");
        two: Const = Const::local(2, bits, Some("Bits"), "2");
        zero: Const = Const::zero(bits, "Bits");
        low_one: Const = Const::one(lane_bits, "LaneBits");
        lane_before: Const = Const::local((1 << lane_bits) - 2, lane_bits, Some("LaneBits"), "{LaneBits{1'b1}} - 1'b1");
        step: Signal<Local, Bit>;
        last: Signal<Local, Bit>;
        ending: Signal<Local, Bit>;
        free: Signal<Local, Bit>;
        active: BitReg = BitReg::default().purpose("a matrix is read");
        due: BitReg = BitReg::default().purpose("a beat is read");
        odd: BitReg = BitReg::default().purpose("page of the matrix");
        rows: Reg = Reg::zero(bits, "Bits").purpose("blocks of rows of the matrix");
        columns: Reg = Reg::zero(bits, "Bits").purpose("blocks of columns of the matrix");
        row: Reg = Reg::zero(bits, "Bits").purpose("block of rows behind that of the beat, from 1");
        column: Reg = Reg::zero(bits, "Bits").purpose("block of columns behind that of the beat, from 1");
        row_end: BitReg = BitReg::default().purpose("the beat is in the last block of rows");
        column_end: BitReg = BitReg::default().purpose("the beat is in the last block of columns");
        low_matrix: BitReg = BitReg::default().purpose("the matrix has one block of rows");
        address: Reg = Reg::zero(bits, "Bits").purpose("address of the beat in blocks");
        start: Reg = Reg::zero(bits, "Bits").purpose("address at which the column begins");
        low_end: BitReg = BitReg::default().purpose("the beat is in the last column of its block");
        low: Reg = Reg::zero(lane_bits, "LaneBits").purpose("column in its block");
    }
}

impl kernel::Kernel for MatrixReader {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Which beat leaves, and whether it ends the matrix.");
        self.step.next = self.active.q.val() & self.advance_i.val();
        self.last.next = self.row_end.q.val() & self.low_end.q.val() & self.column_end.q.val();
        self.ending.next = self.step.val() & self.last.val();
        self.due.d.next = self.step.val();
        self.active.d.next = self.hand_i.val() | (self.active.q.val() & !self.ending.val());

        comment!("Where the next beat is read: down a column of blocks, once for each word of a beat, then the next column.");
        if self.step.val() {
            self.row.d.next = self.row.q.val() + self.one.val();
            self.address.d.next = self.address.q.val() + self.one.val();
            self.row_end.d.next = self.row.q.val() == self.rows.q.val();
            if self.row_end.q.val() {
                self.row.d.next = self.two.val();
                self.row_end.d.next = self.low_matrix.q.val();
                self.low.d.next = self.low.q.val() + self.low_one.val();
                self.low_end.d.next = self.low.q.val() == self.lane_before.val();
                if self.low_end.q.val() {
                    self.start.d.next = self.address.q.val() + self.one.val();
                    self.column.d.next = self.column.q.val() + self.one.val();
                    self.column_end.d.next = self.column.q.val() == self.columns.q.val();
                } else {
                    self.address.d.next = self.start.q.val();
                }
            }
        }
        comment!("Between two matrices the counters stand at the first beat.");
        self.free.next = !self.active.q.val() | self.ending.val();
        if self.free.val() {
            self.row.d.next = self.two.val();
            self.column.d.next = self.two.val();
            self.address.d.next = self.zero.val();
            self.start.d.next = self.zero.val();
        }
        comment!("The size and the page of the matrix that is handed over.");
        if self.hand_i.val() {
            self.rows.d.next = self.rows_i.val();
            self.columns.d.next = self.columns_i.val();
            self.low_matrix.d.next = self.rows_i.val() == self.one.val();
            self.row_end.d.next = self.rows_i.val() == self.one.val();
            self.column_end.d.next = self.columns_i.val() == self.one.val();
            self.odd.d.next = self.page_i.val();
        }
    }
}
