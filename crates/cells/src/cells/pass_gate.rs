use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The end of the first pass of a network that is passed twice: a word goes on, or back. The word itself is wired both ways.
#[derive(Default, LogicBlock)]
pub struct PassGate {
    deliver_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    valid_o: Signal<Out, Bit>,
    back_valid_o: Signal<Out, Bit>,
}

cell_ports!(PassGate: In deliver_i, In valid_i, Out valid_o, Out back_valid_o);

impl Logic for PassGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.valid_i.val() & self.deliver_i.val();
        self.back_valid_o.next = self.valid_i.val() & !self.deliver_i.val();
    }
}
