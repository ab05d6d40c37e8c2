//! Resets as a project has them: synchronous or not, active high or low. The modules of a design have one kind, synchronous and
//! active high; a further top around them has another.

use crate::cells::ResetSyncSpec;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use frit_schedule::Plan;

/// The reset of a top.
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

/// The netlist of [`super::build`] with a top of this reset around its exchange.
pub fn build(plan: &Plan, width_bits: u32, reset: Reset) -> Netlist {
    let mut netlist = super::build(plan, width_bits);
    add_top(&mut netlist, reset, super::generated(plan, width_bits, &reset.arguments(Reset::OWN)));
    netlist
}

/// Adds a top around that of `netlist` with the same ports but this reset. Its name is that of the other with [`Reset::word`].
pub(super) fn add_top(netlist: &mut Netlist, reset: Reset, generated: String) {
    let (id, inner) = (netlist.top_id(), netlist.top().clone());
    let mut header = inner.header.clone();
    header[1] = generated;
    header.push(format!("{}: {}. Everything else is as in {}.", reset.port(), reset.meaning(), inner.name));
    let mut module = Module::new(format!("{}_{}", inner.name, reset.word()), header);
    let mut ports: Vec<(&str, Kind, Bundle)> = Vec::new();
    for signal in inner.signals.iter().filter(|signal| matches!(signal.kind, Kind::Input | Kind::Output)) {
        let (name, meaning) = match signal.name.as_str() {
            "rst_i" => (reset.port(), reset.meaning()),
            name => (name, signal.meaning),
        };
        let bundle = module.bundle(signal.kind, name, signal.lanes, signal.width);
        let declared = module.signals.last_mut().expect("a port was declared");
        (declared.vector, declared.meaning) = (signal.vector, meaning);
        ports.push((&signal.name, signal.kind, bundle));
    }
    let port = |name: &str| {
        ports.iter().find(|(port, ..)| *port == name).expect("a top has clock and reset").2.lane(0)
    };
    let (clk, rst) = (port("clk_i"), port("rst_i"));
    let rst = reset.inside(&mut module, clk, rst);
    let instance = Instance::new("u_design", Of::Module(id));
    let instance = ports.iter().fold(instance, |instance, (name, kind, bundle)| match (*name, kind) {
        ("rst_i", _) => instance.input(name, rst.clone()),
        (_, Kind::Input) => instance.inputs(name, bundle.drive()),
        _ => instance.outputs(name, bundle.driven()),
    });
    module.instances.push(instance);
    netlist.add(module);
}
