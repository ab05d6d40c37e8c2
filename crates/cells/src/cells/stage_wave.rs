use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`StageWave`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageWaveSpec {
    /// Columns of inputs, and one.
    pub bits: u32,
}

impl Describe for StageWaveSpec {
    fn module(&self) -> String {
        "frit_stage_wave".into()
    }
    fn title(&self) -> &'static str {
        "frit_stage_wave"
    }
    fn summary(&self) -> &'static str {
        "The columns that the wave has reached: in stage i the lowest i + 1 bits are 1."
    }
    fn details(&self) -> &'static str {
        "The top bit says that all columns are inputs, a stage later. State: the wave (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Stages", self.bits, "columns of inputs, and one"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(StageWave::new(self.bits as usize))
    }
    fn example() -> Self {
        StageWaveSpec { bits: 4 }
    }
}

/// The columns whose nodes are inputs: one more in every stage.
#[derive(LogicBlock)]
pub struct StageWave {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    begin_i: Signal<In, Bit>,
    step_i: Signal<In, Bit>,
    wave_o: Bus<Out>,
    one: Const,
    wave: Reg,
}

impl StageWave {
    /// For `bits` - 1 columns of inputs.
    pub fn new(bits: usize) -> Self {
        StageWave {
            clk_i: Default::default(),
            rst_i: Default::default(),
            begin_i: Default::default(),
            step_i: Default::default(),
            wave_o: Bus::named(bits, "Stages"),
            one: Const::one(bits, "Stages"),
            wave: Reg::zero(bits, "Stages"),
        }
    }
}

cell_ports!(StageWave:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no column",
    In begin_i "stage 0 comes",
    In step_i "the next stage comes",
    Out wave_o "the wave",
);

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
