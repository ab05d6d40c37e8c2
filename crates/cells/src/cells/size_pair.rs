use crate::table::*;

cell! {
    /// A node of the tree that finds which sizes are asked for, and which more than once.
    SizePair, SizePairSpec, "frit_size_pair":
    "Joins two halves of the tree that finds which sizes the in-ports of an output ask for, and which sizes two or more in-ports ask for.";
    "Combinational. No state.";
    parameters {
        Sizes bits: u32 = 3, "number of sizes, one bit for each size";
    }
    ports {
        In left_any_i: Bus(bits, "Sizes"), "sizes asked for in the left half";
        In left_twice_i: Bus(bits, "Sizes"), "sizes asked for twice or more in the left half";
        In right_any_i: Bus(bits, "Sizes"), "sizes asked for in the right half";
        In right_twice_i: Bus(bits, "Sizes"), "sizes asked for twice or more in the right half";
        Out any_o: Bus(bits, "Sizes"), "sizes asked for in either half, same cycle";
        Out twice_o: Bus(bits, "Sizes"), "sizes asked for twice or more in both halves together, same cycle";
    }
}

impl kernel::Kernel for SizePair {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_o.next = self.left_any_i.val() | self.right_any_i.val();
        self.twice_o.next = self.left_twice_i.val() | self.right_twice_i.val() | (self.left_any_i.val() & self.right_any_i.val());
    }
}
