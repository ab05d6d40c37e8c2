use crate::atoms::{Bus, Const};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The next bit of a de Bruijn sequence as a feedback function: a_1 XOR the OR of product terms of the other bits.
///
/// Every de Bruijn sequence has this form, since two states that differ in a_1 alone have different successors. A term
/// is true where the state, under its mask, has its value.
#[derive(LogicBlock)]
pub struct Feedback {
    state_i: Bus<In>,
    bit_o: Signal<Out, Bit>,
    top: Const,
    mask: Vec<Const>,
    value: Vec<Const>,
    flip: Signal<Local, Bit>,
    _terms: usize,
}

impl Feedback {
    /// The function of order `order` with these terms: (mask, value), both below 2^(order-1).
    pub fn new(order: usize, terms: &[(u64, u64)]) -> Self {
        let word = |value: u64| Const::local(value, order, None, &format!("{order}'d{value}"));
        Feedback {
            state_i: Bus::new(order),
            bit_o: Default::default(),
            top: Const::local(order as u64 - 1, 32, None, &(order - 1).to_string()),
            mask: terms.iter().map(|(mask, _)| word(*mask)).collect(),
            value: terms.iter().map(|(_, value)| word(*value)).collect(),
            flip: Default::default(),
            _terms: terms.len(),
        }
    }
}

cell_ports!(Feedback: In state_i, Out bit_o);

impl Logic for Feedback {
    #[hdl_gen]
    fn update(&mut self) {
        self.flip.next = false;
        for t in 0..self._terms {
            if (self.state_i.val() & self.mask[t].val()) == self.value[t].val() {
                self.flip.next = true;
            }
        }
        self.bit_o.next = self.state_i.val().get_bit(self.top.val().index()) ^ self.flip.val();
    }
}
