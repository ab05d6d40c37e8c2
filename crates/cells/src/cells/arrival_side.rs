use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`ArrivalSide`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivalSideSpec;

impl Describe for ArrivalSideSpec {
    fn module(&self) -> String {
        "frit_arrival_side".into()
    }
    fn title(&self) -> &'static str {
        "frit_arrival_side"
    }
    fn summary(&self) -> &'static str {
        "Gives what arrives at a node to the side that its next address bit says."
    }
    fn details(&self) -> &'static str {
        "Combinational. No state."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(ArrivalSide::default())
    }
    fn example() -> Self {
        ArrivalSideSpec
    }
}

/// The side of a node that a message takes: its next address bit says it.
#[derive(LogicBlock, Default)]
pub struct ArrivalSide {
    take_i: Signal<In, Bit>,
    side_i: Signal<In, Bit>,
    upper_o: Signal<Out, Bit>,
    lower_o: Signal<Out, Bit>,
}

cell_ports!(ArrivalSide:
    In take_i "a message arrives",
    In side_i "its next address bit",
    Out upper_o "it is for the upper side, same cycle",
    Out lower_o "it is for the lower side, same cycle",
);

impl Logic for ArrivalSide {
    #[hdl_gen]
    fn update(&mut self) {
        self.upper_o.next = self.take_i.val() & !self.side_i.val();
        self.lower_o.next = self.take_i.val() & self.side_i.val();
    }
}
