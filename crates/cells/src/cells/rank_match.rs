use crate::atoms::Bus;
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RankMatch`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankMatchSpec {
    /// Bits of a count.
    pub bits: u32,
}

impl Describe for RankMatchSpec {
    fn module(&self) -> String {
        "frit_rank_match".into()
    }
    fn title(&self) -> &'static str {
        "frit_rank_match"
    }
    fn summary(&self) -> &'static str {
        "Whether a head is given an edge where edges are released: if its rank among the heads is the edge's among the unused ones."
    }
    fn details(&self) -> &'static str {
        "For one in edge of a strong switch and the edges of one number of both out bundles. A rank that is too large (its top bit) is no edge's. Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RankBits", self.bits, "bits of a count, its top bit included, 2 or more").at_least(2),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RankMatch::new(self.bits as usize))
    }
    fn example() -> Self {
        RankMatchSpec { bits: 3 }
    }
}

/// A head and an edge of each out bundle.
#[derive(LogicBlock)]
pub struct RankMatch {
    want0_i: Signal<In, Bit>,
    want1_i: Signal<In, Bit>,
    rank0_i: Bus<In>,
    rank1_i: Bus<In>,
    free0_i: Signal<In, Bit>,
    free1_i: Signal<In, Bit>,
    place0_i: Bus<In>,
    place1_i: Bus<In>,
    given0_o: Signal<Out, Bit>,
    given1_o: Signal<Out, Bit>,
}

impl RankMatch {
    /// For ranks of `bits` bits.
    pub fn new(bits: usize) -> Self {
        RankMatch {
            want0_i: Default::default(),
            want1_i: Default::default(),
            rank0_i: Bus::named(bits, "RankBits"),
            rank1_i: Bus::named(bits, "RankBits"),
            free0_i: Default::default(),
            free1_i: Default::default(),
            place0_i: Bus::named(bits, "RankBits"),
            place1_i: Bus::named(bits, "RankBits"),
            given0_o: Default::default(),
            given1_o: Default::default(),
        }
    }
}

cell_ports!(RankMatch:
    In want0_i "the head wants an edge of out bundle 0",
    In want1_i "the head wants an edge of out bundle 1",
    In rank0_i "heads before it that want one of out bundle 0",
    In rank1_i "heads before it that want one of out bundle 1",
    In free0_i "nobody has the edge of out bundle 0",
    In free1_i "nobody has the edge of out bundle 1",
    In place0_i "edges of out bundle 0 before it that nobody has",
    In place1_i "edges of out bundle 1 before it that nobody has",
    Out given0_o "the head is given the edge of out bundle 0, same cycle",
    Out given1_o "the head is given the edge of out bundle 1, same cycle",
);

impl Logic for RankMatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.given0_o.next = self.want0_i.val() & self.free0_i.val() & (self.rank0_i.val() == self.place0_i.val());
        self.given1_o.next = self.want1_i.val() & self.free1_i.val() & (self.rank1_i.val() == self.place1_i.val());
    }
}
