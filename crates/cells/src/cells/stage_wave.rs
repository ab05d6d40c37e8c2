use crate::atoms::{Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The columns whose nodes are inputs: one more in every stage.
    StageWave, StageWaveSpec, "frit_stage_wave":
    "The columns that the wave has reached: in stage i the lowest i + 1 bits are 1.";
    "The top bit says that all columns are inputs, a stage later. State: the wave (reset to 0).";
    parameters {
        Stages bits: u32 = 4, "columns of inputs, and one";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no column";
        In begin_i: Bit, "stage 0 comes";
        In step_i: Bit, "the next stage comes";
        Out wave_o: Bus(bits, "Stages"), "the wave";
    }
    parts {
        one: Const = Const::one(bits, "Stages");
        wave: Reg = Reg::zero(bits, "Stages");
    }
}

impl Logic for StageWave {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, wave);
        self.wave.reset.next = self.rst_i.val();
        self.wave.d.next = self.wave.q.val();
        if self.step_i.val() {
            self.wave.d.next = (self.wave.q.val() << self.one.val()) | self.one.val();
        }
        if self.begin_i.val() {
            self.wave.d.next = self.one.val();
        }
        self.wave_o.next = self.wave.q.val();
    }
}
