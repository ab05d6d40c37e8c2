use crate::atoms::Bus;
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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

cell_ports!(FeedbackMux: In again_i, In valid_i, In data_i, In back_valid_i, In back_data_i, Out valid_o, Out data_o);

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
