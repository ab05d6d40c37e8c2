use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use crate::minimise::feedback_terms;
use frit_schedule::de_bruijn::DeBruijn as Sequence;
use rust_hdl::prelude::*;

/// What an instance of [`Feedback`] is made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackSpec {
    /// The order of the sequence.
    pub order: u32,
    /// The name of the sequence, part of the module's.
    pub sequence: String,
    /// The product terms: (mask, value).
    pub terms: Vec<(u64, u64)>,
}

impl FeedbackSpec {
    /// The feedback function of a sequence, or `None` where no minimal form is computed.
    pub fn of(sequence: &Sequence, name: &str) -> Option<Self> {
        let terms = feedback_terms(sequence)?;
        Some(FeedbackSpec { order: sequence.order(), sequence: name.into(), terms })
    }
}

impl Describe for FeedbackSpec {
    fn module(&self) -> String {
        format!("frit_feedback_{}_{}", self.sequence, self.order)
    }
    fn title(&self) -> &'static str {
        "frit_feedback_SEQUENCE_ORDER"
    }
    fn summary(&self) -> &'static str {
        "Next bit of a de Bruijn sequence by its minimised feedback function. Combinational."
    }
    fn details(&self) -> &'static str {
        "The next bit is the top bit of the state XOR an OR of product terms of the other bits. The terms are minimised when the module is generated. No state."
    }
    fn fixed(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Order", self.order, "order of the sequence, bits of a state, 1 to 10; the module's name contains the order and the sequence"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Feedback::new(self.order as usize, &self.terms))
    }
    fn example() -> Self {
        let sequence = Sequence::prefer_one(3).expect("a small order has a sequence");
        FeedbackSpec::of(&sequence, "prefer_one").expect("a small order has a minimal form")
    }
    fn canonical(&self) -> Self {
        self.clone()
    }
}

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

cell_ports!(Feedback:
    In state_i "state, the bit that leaves first on top",
    Out bit_o "bit that enters, same cycle",
);

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
