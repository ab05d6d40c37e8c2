use crate::table::*;

cell! {
    /// The columns whose nodes are inputs: one more in every phase.
    ColumnWave, ColumnWaveSpec, "frit_column_wave":
    "Columns of a multibutterfly that the wave has reached: in phase i the lowest i + 1 bits are 1.";
    "The top bit is set one phase after all columns have become inputs. State: the wave (reset to 0).";
    parameters {
        Columns bits: u32 = 4, "columns of inputs, plus one";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no column";
        In begin_i: Bit, "phase 0 begins in the next cycle";
        In step_i: Bit, "the next phase begins in the next cycle";
        Out wave_o: Bus(bits, "Columns") = wave.q, "columns whose nodes are inputs, one bit for each column";
    }
    parts {
        one: Const = Const::one(bits, "Columns");
        wave: Reg = Reg::zero(bits, "Columns");
    }
}

impl kernel::Kernel for ColumnWave {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("In each phase one more column takes part; a start leaves the first one.");
        if self.step_i.val() {
            self.wave.d.next = (self.wave.q.val() << self.one.val()) | self.one.val();
        }
        if self.begin_i.val() {
            self.wave.d.next = self.one.val();
        }
    }
}
