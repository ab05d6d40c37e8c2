//! How the ports of a top look: as those of the modules of a design (`clk_i`, `rst_i`, `s_axis_tdata_i`), or with the names that AXI4-Stream
//! tools look for (`aclk`, `aresetn`, `s_axis_tdata`); and which reset it has.

use super::reset::{Reset, clock_and_reset};
use crate::netlist::{Bundle, Instance, Kind, Module, Netlist, Of};
use frit_schedule::Plan;

/// How the ports of a top look that stands around a module of a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pinout {
    /// Names that do not say the direction: `aclk`, `s_axis_tdata`.
    pub axis: bool,
    pub reset: Reset,
}

impl Pinout {
    /// That of the modules of a design.
    pub const OWN: Pinout = Pinout { axis: false, reset: Reset::OWN };

    /// The pinout with these names and a reset that may come and go at any time or not; its level is `low`, or the usual one.
    pub fn of(axis: bool, asynchronous: bool, low: Option<bool>) -> Pinout {
        let usual = Pinout { axis, ..Pinout::OWN }.usual();
        Pinout { axis, reset: Reset { asynchronous, low: low.unwrap_or(usual.low) } }
    }

    /// The reset that is usual with these names.
    fn usual(self) -> Reset {
        if self.axis { Reset::AXI } else { Reset::OWN }
    }

    /// What stands behind the name of the module inside.
    fn suffix(self) -> String {
        match (self.axis, self.reset == self.usual()) {
            (true, true) => "ports".into(),
            (true, false) => format!("ports_{}", self.reset.word()),
            (false, _) => self.reset.word().into(),
        }
    }

    /// The options of `frit generate` that ask for it, with a space before.
    pub fn arguments(self) -> String {
        let style = if self.axis { " --port-style axis" } else { "" };
        format!("{style}{}", self.reset.arguments(self.usual()))
    }

    /// What the port `inner` of the module inside is called.
    pub fn outer(self, inner: &str) -> &str {
        match inner {
            "rst_i" if !self.axis => self.reset.port(),
            "rst_i" => clock_and_reset(self.reset)[1],
            _ if !self.axis => inner,
            "clk_i" => clock_and_reset(self.reset)[0],
            _ => without_direction(inner),
        }
    }

    /// What the port `outer` of the top stands for in the module inside.
    pub fn inner(self, outer: &str, kind: Kind) -> String {
        match outer {
            _ if outer == self.outer("rst_i") => "rst_i".into(),
            _ if !self.axis || outer.starts_with("s_axil_") => outer.into(),
            _ if outer == self.outer("clk_i") => "clk_i".into(),
            _ => format!("{outer}_{}", if kind == Kind::Input { "i" } else { "o" }),
        }
    }

    /// Adds a top around that of `netlist` with the same ports under these names; `generated` is the line of its header that says
    /// which command makes it.
    pub fn add(self, netlist: &mut Netlist, generated: String) {
        let (id, inner) = (netlist.top_id(), netlist.top().clone());
        let (clk, rst) = (self.outer("clk_i").to_string(), self.outer("rst_i").to_string());
        let mut header = inner.header.clone();
        header[1] = generated;
        if self.axis {
            header.truncate(2);
            header.push(format!(
                "{} with ports that AXI4-Stream tools know: their names do not end in _i and _o.",
                inner.name
            ));
        }
        header.push(format!("{rst}: {}. Everything else is as in {}.", self.reset.meaning(), inner.name));
        let mut module = Module::new(format!("{}_{}", inner.name, self.suffix()), header);
        let mut ports: Vec<(&str, Kind, Bundle)> = Vec::new();
        for signal in inner.ports() {
            let meaning = if signal.name == "rst_i" { self.reset.meaning() } else { signal.meaning };
            let name = self.outer(&signal.name);
            let bundle = module.bundle(signal.kind, name, signal.lanes, signal.width);
            let declared = module.signals.last_mut().expect("a port was declared");
            (declared.vector, declared.meaning) = (signal.vector, meaning);
            ports.push((&signal.name, signal.kind, bundle));
        }
        let [clk, rst] = [clk, rst].map(|name| Bundle::of(&module, &name).lane(0));
        let rst = self.reset.inside(&mut module, clk, rst);
        let instance = Instance::new("u_design", Of::Module(id));
        let instance = ports.iter().fold(instance, |instance, (name, kind, bundle)| match (*name, kind) {
            ("rst_i", _) => instance.input(name, rst.clone()),
            (_, Kind::Input) => instance.inputs(name, bundle.drive()),
            _ => instance.outputs(name, bundle.driven()),
        });
        module.instances.push(instance);
        netlist.add(module);
    }
}

/// The name of a port without the direction at its end.
pub fn without_direction(name: &str) -> &str {
    name.strip_suffix("_i").or(name.strip_suffix("_o")).unwrap_or(name)
}

/// The netlist of an exchange ([`super::build`]) with a top of this reset around it.
pub fn exchange(plan: &Plan, width_bits: u32, reset: Reset) -> Netlist {
    let mut netlist = super::build(plan, width_bits);
    let pinout = Pinout { axis: false, reset };
    pinout.add(&mut netlist, super::generated(plan, width_bits, &pinout.arguments()));
    netlist
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_found_by_either_name() {
        for axis in [false, true] {
            for reset in [Reset::OWN, Reset::AXI, Reset { asynchronous: true, low: true }] {
                let pinout = Pinout { axis, reset };
                let inputs =
                    ["clk_i", "rst_i", "s_axis_tdata_i", "s_axil_awaddr"].map(|name| (name, Kind::Input));
                for (name, kind) in
                    inputs.into_iter().chain([("error_o", Kind::Output), ("s_axil_rdata", Kind::Output)])
                {
                    assert_eq!(pinout.inner(pinout.outer(name), kind), name, "{pinout:?}");
                }
            }
        }
    }
}
