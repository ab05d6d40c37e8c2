use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The side of a node that a message takes: its next address bit says it.
    ArrivalSide, ArrivalSideSpec, "frit_arrival_side":
    "Gives what arrives at a node to the side that its next address bit says.";
    "Combinational. No state.";
    ports {
        In take_i: Bit, "a message arrives";
        In side_i: Bit, "its next address bit";
        Out upper_o: Bit, "it is for the upper side, same cycle";
        Out lower_o: Bit, "it is for the lower side, same cycle";
    }
}

impl Logic for ArrivalSide {
    #[hdl_gen]
    fn update(&mut self) {
        self.upper_o.next = self.take_i.val() & !self.side_i.val();
        self.lower_o.next = self.take_i.val() & self.side_i.val();
    }
}
