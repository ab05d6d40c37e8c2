use crate::minimise::feedback_terms;
use crate::table::*;
use frit_schedule::de_bruijn::DeBruijn as Sequence;

cell! {
    /// The next bit of a de Bruijn sequence as a feedback function: a_1 XOR the OR of product terms of the other bits.
    ///
    /// Every de Bruijn sequence has this form, since two states that differ in a_1 alone have different successors. A term
    /// is true where the state, under its mask, has its value.
    Feedback, FeedbackSpec, "frit_feedback_SEQUENCE_ORDER" of sequence, order:
    "Next bit of a de Bruijn sequence by its minimised feedback function. Combinational.";
    "The next bit is the top bit of the state XOR an OR of product terms of the other bits. The terms are minimised when the module is generated. No state.";
    owned {
        order: u32 = 3, "the order of the sequence";
        sequence: String = "prefer_one".into(), "the name of the sequence, part of the module's";
        terms: Vec<(u64, u64)> = feedback_terms(&Sequence::prefer_one(3).expect("a small order")).expect("a small form"),
            "the product terms: (mask, value), both below 2^(order-1)";
    }
    ports {
        In state_i: Bus(order), "state, the bit that leaves first on top";
        Out bit_o: Bit, "bit that enters, same cycle";
    }
    with {
        let word = |value: u64| Const::local(value, order, None, &format!("{order}'d{value}"));
    }
    parts {
        top: Const = Const::local(order as u64 - 1, 32, None, &(order - 1).to_string());
        mask: Vec<Const> = terms.iter().map(|(mask, _)| word(*mask)).collect();
        value: Vec<Const> = terms.iter().map(|(_, value)| word(*value)).collect();
        flip: Signal<Local, Bit>;
        _terms: usize = terms.len();
    }
    describe {
        fn fixed(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("Order", self.order, "order of the sequence, bits of a state, 1 to 10; the module's name contains the order and the sequence"),
            ]
        }
        fn canonical(&self) -> Self {
            self.clone()
        }
    }
}

impl FeedbackSpec {
    /// The feedback function of a sequence, or `None` where no minimal form is computed.
    pub fn of(sequence: &Sequence, name: &str) -> Option<Self> {
        let terms = feedback_terms(sequence)?;
        Some(FeedbackSpec { order: sequence.order(), sequence: name.into(), terms })
    }
}

impl kernel::Kernel for Feedback {
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
