use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RoutingWord`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutingWordSpec {
    /// The order of the sequence.
    pub order: u32,
    /// The word of slot 0.
    pub idle: u64,
}

impl Describe for RoutingWordSpec {
    fn module(&self) -> String {
        format!("frit_routing_word_{}", self.order)
    }
    fn title(&self) -> &'static str {
        "frit_routing_word_ORDER"
    }
    fn summary(&self) -> &'static str {
        "Computes the routing word of a slot from the control bits that the packets of the slot will meet. Combinational."
    }
    fn details(&self) -> &'static str {
        "a_0 = 0 and a_(j+1) = a_j XOR tau_j. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::sized("Idle", self.idle, self.order, "word of slot 0, shown while active_i is low"),
        ]
    }
    fn fixed(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Order", self.order, "control bits of a packet; the steps are unrolled, so each order has its own module"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RoutingWord::new(self.order as usize, self.idle))
    }
    fn example() -> Self {
        RoutingWordSpec { order: 4, idle: 1 }
    }
    fn canonical(&self) -> Self {
        RoutingWordSpec { idle: 1, ..*self }
    }
}

/// The routing word of a slot from the control bits that its packets will meet: a_0 = 0 and a_(j+1) = a_j XOR τ_j.
///
/// `tau_i` holds τ_0 … τ_(l-1), τ_0 on top; `word_o` a_1 … a_l, a_1 on top. a_0 is 0 and left out. While `active_i` is low
/// the word is that of slot 0.
#[derive(LogicBlock)]
pub struct RoutingWord {
    active_i: Signal<In, Bit>,
    tau_i: Bus<In>,
    word_o: Bus<Out>,
    idle: Const,
    by: Vec<Const>,
    sum: Vec<Bus<Local>>,
    _steps: usize,
    _end: usize,
}

impl RoutingWord {
    /// For `order` control bits, 1 at least; `idle` is the word of slot 0.
    pub fn new(order: usize, idle: u64) -> Self {
        // The running XOR by doubling: 1, 2, 4, … bits at a time.
        let steps: Vec<usize> = (0..).map(|k| 1 << k).take_while(|by| *by < order).collect();
        RoutingWord {
            active_i: Default::default(),
            tau_i: Bus::new(order),
            word_o: Bus::new(order),
            idle: Const::parameter(idle, order, None),
            by: steps
                .iter()
                .map(|by| Const::local(*by as u64, order, None, &format!("{order}'d{by}")))
                .collect(),
            sum: (0..=steps.len()).map(|_| Bus::new(order)).collect(),
            _steps: steps.len(),
            _end: steps.len() + 1,
        }
    }
}

cell_ports!(RoutingWord:
    In active_i "0: word_o shows the word of slot 0",
    In tau_i "tau_0 ... tau_(Order-1), tau_0 on top: the state of the controller in the next cycle",
    Out word_o "a_1 ... a_L, a_1 on top, same cycle. a_0 is 0 and left out",
);

impl Logic for RoutingWord {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum[0].next = self.tau_i.val();
        for k in 0..self._steps {
            self.sum[k + 1].next = self.sum[k].val() ^ (self.sum[k].val() >> self.by[k].val());
        }
        self.word_o.next = self.idle.val();
        if self.active_i.val() {
            for z in self._steps..self._end {
                self.word_o.next = self.sum[z].val();
            }
        }
    }
}
