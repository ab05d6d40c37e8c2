use crate::table::*;

cell! {
    /// The side of a node that a message takes: its next address bit says it.
    ArrivalSide, ArrivalSideSpec, "frit_arrival_side":
    "Chooses the side of a node for a message that arrives: the next address bit of the message names the side.";
    "Combinational. No state.";
    ports {
        In take_i: Bit, "a message arrives";
        In side_i: Bit, "next address bit of the message: 0 upper side, 1 lower side";
        Out upper_o: Bit, "the message is for the upper side, same cycle";
        Out lower_o: Bit, "the message is for the lower side, same cycle";
    }
}

impl kernel::Kernel for ArrivalSide {
    #[hdl_gen]
    fn update(&mut self) {
        self.upper_o.next = self.take_i.val() & !self.side_i.val();
        self.lower_o.next = self.take_i.val() & self.side_i.val();
    }
}
