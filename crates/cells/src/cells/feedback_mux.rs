use crate::atoms::Bus;
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`FeedbackMux`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedbackMuxSpec {
    /// Bits of a word.
    pub width: u32,
}

impl Describe for FeedbackMuxSpec {
    fn module(&self) -> String {
        "frit_feedback_mux".into()
    }
    fn title(&self) -> &'static str {
        "frit_feedback_mux"
    }
    fn summary(&self) -> &'static str {
        "Input of a network that is passed twice: again_i takes the word that comes back. Combinational."
    }
    fn details(&self) -> &'static str {
        "No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("W", self.width, "bits of a word"),
        ]
    }
    fn word_width(&self) -> Option<u32> {
        Some(self.width)
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(FeedbackMux::new(simulated(self.width)))
    }
    fn example() -> Self {
        FeedbackMuxSpec { width: 8 }
    }
}

/// The input of a network that is passed twice: the word of the terminal, or the one that comes back.
#[derive(LogicBlock)]
pub struct FeedbackMux {
    again_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    data_i: Bus<In>,
    back_valid_i: Signal<In, Bit>,
    back_data_i: Bus<In>,
    valid_o: Signal<Out, Bit>,
    data_o: Bus<Out>,
}

impl FeedbackMux {
    /// For words of `width` bits.
    pub fn new(width: usize) -> Self {
        FeedbackMux {
            again_i: Default::default(),
            valid_i: Default::default(),
            data_i: Bus::named(width, "W"),
            back_valid_i: Default::default(),
            back_data_i: Bus::named(width, "W"),
            valid_o: Default::default(),
            data_o: Bus::named(width, "W"),
        }
    }
}

cell_ports!(FeedbackMux:
    In again_i "1: what comes back enters",
    In valid_i "the terminal's valid bit",
    In data_i "the terminal's word",
    In back_valid_i "the valid bit of what comes back",
    In back_data_i "the word that comes back",
    Out valid_o "the valid bit that enters, same cycle",
    Out data_o "the word that enters, same cycle",
);

impl Logic for FeedbackMux {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.valid_i.val();
        self.data_o.next = self.data_i.val();
        if self.again_i.val() {
            self.valid_o.next = self.back_valid_i.val();
            self.data_o.next = self.back_data_i.val();
        }
    }
}
