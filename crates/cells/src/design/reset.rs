//! Resets as a project has them: synchronous or not, active high or low. The modules of a design have one kind, synchronous and
//! active high; a further top around them has another.

use crate::cells::ResetSyncSpec;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reset {
    /// It may come and go at any time.
    pub asynchronous: bool,
    /// It is active low.
    pub low: bool,
}

impl Reset {
    /// That of the modules of a design.
    pub const OWN: Reset = Reset { asynchronous: false, low: false };
    /// That which is usual with AXI: `aresetn`, low and synchronous.
    pub const AXI: Reset = Reset { asynchronous: false, low: true };

    /// What it is called, as part of the name of a top.
    pub fn word(self) -> &'static str {
        match (self.asynchronous, self.low) {
            (false, false) => "rst",
            (false, true) => "rstn",
            (true, false) => "arst",
            (true, true) => "arstn",
        }
    }

    /// Its port, among ports that end with their direction.
    pub fn port(self) -> &'static str {
        match (self.asynchronous, self.low) {
            (false, false) => "rst_i",
            (false, true) => "rst_ni",
            (true, false) => "arst_i",
            (true, true) => "arst_ni",
        }
    }

    /// What the port is for.
    pub fn meaning(self) -> &'static str {
        match (self.asynchronous, self.low) {
            (false, false) => "reset, synchronous, active high",
            (false, true) => "reset, synchronous, active low",
            (true, false) => "reset, at any time, active high",
            (true, true) => "reset, at any time, active low",
        }
    }

    /// The options of `frit generate` that ask for it where another one is usual, with a space before.
    pub fn arguments(self, usual: Reset) -> String {
        let kind = if self.asynchronous { " --reset async" } else { "" };
        let level = match self.low {
            low if low == usual.low => "",
            true => " --reset-level low",
            false => " --reset-level high",
        };
        format!("{kind}{level}")
    }

    /// Cycles from its end until what is behind it has left it.
    pub fn delay(self) -> u32 {
        if self.asynchronous { 4 } else { 0 }
    }

    /// The synchronous, high reset that `port` gives.
    pub(super) fn inside(self, module: &mut Module, clk: Net, port: Net) -> Expr {
        let given = Expr::Concat(vec![Part::Net { net: port, bits: None, invert: self.low }]);
        if !self.asynchronous {
            return given;
        }
        let rst = module.net(Kind::Wires, "rst", 1);
        module.instances.push(
            Instance::new("u_reset", Of::cell(ResetSyncSpec))
                .input("clk_i", clk)
                .input("arst_i", given)
                .output("rst_o", rst),
        );
        rst.into()
    }
}

/// Of a port that is a reset by its name: whether it is active low.
pub fn active_low(port: &str) -> Option<bool> {
    let is_of = |low: &bool| {
        [false, true].into_iter().any(|asynchronous| {
            let reset = Reset { asynchronous, low: *low };
            [reset.port(), clock_and_reset(reset)[1]].contains(&port)
        })
    };
    [false, true].into_iter().find(is_of)
}

/// The names of a clock and of this reset among ports whose names do not say their direction.
pub fn clock_and_reset(reset: Reset) -> [&'static str; 2] {
    ["aclk", if reset.low { "aresetn" } else { "areset" }]
}
