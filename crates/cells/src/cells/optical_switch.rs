use crate::table::*;

cell! {
    /// The optical 2×2 switch (a LiNbO3 directional coupler, say): light passes, the links hold the delay. `control_i` 0 is
    /// push (up to up, down to down), 1 is invert. No register. Port 0 is up, 1 is down.
    OpticalSwitch, OpticalSwitchSpec, "frit_optical_switch":
    "Optical 2x2 switch: control_i 0 is push (up to up, down to down), 1 is invert. Combinational: light passes the switch at once, and the links add the delay.";
    "Port 0 is up, 1 is down. No state.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In control_i: Bit, "0: push. 1: invert";
        In valid0_i: Bit, "data0_i holds the word of a packet";
        In data0_i: Bus(width, "W"), "word of the upper input";
        In valid1_i: Bit, "data1_i holds the word of a packet";
        In data1_i: Bus(width, "W"), "word of the lower input";
        Out valid0_o: Bit, "data0_o holds the word of a packet, same cycle";
        Out data0_o: Bus(width, "W"), "word of the upper output, same cycle. Follows the input also while valid0_o is low";
        Out valid1_o: Bit, "data1_o holds the word of a packet, same cycle";
        Out data1_o: Bus(width, "W"), "word of the lower output, same cycle. Follows the input also while valid1_o is low";
    }
}

impl kernel::Kernel for OpticalSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Push, or invert.");
        self.valid0_o.next = self.valid0_i.val();
        self.valid1_o.next = self.valid1_i.val();
        self.data0_o.next = self.data0_i.val();
        self.data1_o.next = self.data1_i.val();
        if self.control_i.val() {
            self.valid0_o.next = self.valid1_i.val();
            self.valid1_o.next = self.valid0_i.val();
            self.data0_o.next = self.data1_i.val();
            self.data1_o.next = self.data0_i.val();
        }
    }
}
