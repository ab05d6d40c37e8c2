use crate::atoms::{BitReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`SideCommit`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideCommitSpec;

impl Describe for SideCommitSpec {
    fn module(&self) -> String {
        "frit_side_commit".into()
    }
    fn title(&self) -> &'static str {
        "frit_side_commit"
    }
    fn summary(&self) -> &'static str {
        "Commits a side, once: unasked to its first ports where it is small, else to ports that are granted."
    }
    fn details(&self) -> &'static str {
        "State: F (reset to 0)."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(SideCommit::default())
    }
    fn example() -> Self {
        SideCommitSpec
    }
}

/// Whether a side is committed to ports, F: unasked if it is small, or when enough of its requests are granted.
#[derive(LogicBlock)]
pub struct SideCommit {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    unasked_i: Signal<In, Bit>,
    small_i: Signal<In, Bit>,
    decide_i: Signal<In, Bit>,
    enough_i: Signal<In, Bit>,
    first_o: Signal<Out, Bit>,
    granted_o: Signal<Out, Bit>,
    committed_o: Signal<Out, Bit>,
    first: Signal<Local, Bit>,
    granted: Signal<Local, Bit>,
    committed: BitReg,
}

impl Default for SideCommit {
    fn default() -> Self {
        SideCommit {
            clk_i: Default::default(),
            rst_i: Default::default(),
            unasked_i: Default::default(),
            small_i: Default::default(),
            decide_i: Default::default(),
            enough_i: Default::default(),
            first_o: Default::default(),
            granted_o: Default::default(),
            committed_o: Default::default(),
            first: Default::default(),
            granted: Default::default(),
            committed: BitReg::default().purpose("F"),
        }
    }
}

cell_ports!(SideCommit:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: not committed",
    In unasked_i "step 1 of a stage",
    In small_i "the side need not ask",
    In decide_i "the grants of a round of requests are there",
    In enough_i "there are enough of them",
    Out first_o "it takes its first ports, same cycle",
    Out granted_o "it takes the lowest granted ports, same cycle",
    Out committed_o "F",
);

impl Logic for SideCommit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, committed);
        self.committed.reset.next = self.rst_i.val();
        self.first.next = self.unasked_i.val() & self.small_i.val() & !self.committed.q.val();
        self.granted.next = self.decide_i.val() & self.enough_i.val() & !self.committed.q.val();
        self.committed.d.next = self.committed.q.val() | self.first.val() | self.granted.val();
        self.first_o.next = self.first.val();
        self.granted_o.next = self.granted.val();
        self.committed_o.next = self.committed.q.val();
    }
}
