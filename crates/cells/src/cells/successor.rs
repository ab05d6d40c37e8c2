use crate::table::*;

cell! {
    /// The next bit of the prefer-one sequence by its successor rule, from the state alone: the necklace test.
    ///
    /// The state is a_1 … a_l, a_1 (on top) leaves first. Let y be a_2 … a_l 1 and w its rotation without leading zeros. The
    /// next bit is not a_1 if w is the largest of the rotations of y, else a_1. (Fredricksen 1982; no table, so that the
    /// cell grows with l², not with 2^l.)
    Successor, SuccessorSpec, "frit_successor_ORDER" of order:
    "Next bit of the prefer-one de Bruijn sequence, computed by its successor rule (necklace test) without a table. Combinational.";
    "No state.";
    members {
        order: u32 = 4, "the order of the sequence";
    }
    ports {
        In state_i: Bus(order), "state, the bit that leaves first on top";
        Out bit_o: Bit, "bit that enters, same cycle";
    }
    with {
        let shift = |by: usize| Const::local(by as u64, order, None, &format!("{order}'d{by}"));
        let local = |count: usize, purpose: &str| -> Vec<Bus<Local>> {
            (0..count).map(|_| Bus::new(order).purpose(purpose)).collect()
        };
    }
    parts {
        one: Const = shift(1);
        top: Const = Const::local(order as u64 - 1, 32, None, &(order - 1).to_string());
        left: Vec<Const> = (1..order).map(shift).collect();
        right: Vec<Const> = (1..order).map(|by| shift(order - by)).collect();
        turned: Vec<Bus<Local>> = local(order - 1, "a rotation of the shifted state");
        largest: Signal<Local, Bit>;
        normal: Vec<Bus<Local>> = local(order, "the shifted state and a 1, with fewer and fewer of its leading zeros");
        _rotations: usize = order - 1;
        _last: usize = order - 1;
        _end: usize = order;
    }
    describe {
        fn fixed(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("Order", self.order, "order of the sequence, bits of a state, 2 to 24; the loops are unrolled, so each order has its own module"),
            ]
        }
        fn canonical(&self) -> Self {
            *self
        }
    }
}

impl kernel::Kernel for Successor {
    #[hdl_gen]
    fn update(&mut self) {
        self.normal[0].next = (self.state_i.val() << self.one.val()) | self.one.val();
        for i in 0..self._rotations {
            // Only zeros are shifted out, so this is a rotation.
            self.normal[i + 1].next = self.normal[i].val();
            if !self.normal[i].val().get_bit(self.top.val().index()) {
                self.normal[i + 1].next = self.normal[i].val() << self.one.val();
            }
        }
        self.largest.next = true;
        for i in 0..self._rotations {
            self.turned[i].next =
                (self.normal[0].val() << self.left[i].val()) | (self.normal[0].val() >> self.right[i].val());
            for z in self._last..self._end {
                if self.turned[i].val() > self.normal[z].val() {
                    self.largest.next = false;
                }
            }
        }
        self.bit_o.next = self.state_i.val().get_bit(self.top.val().index()) ^ self.largest.val();
    }
}
