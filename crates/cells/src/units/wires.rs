//! A module without what is inside its instances: the wires between them, which a run mostly does not use one alone.

use crate::netlist::{Instance, Kind, Module, ModuleId, Net, Netlist, Of};

/// Outputs of instances that are driven, at most; a module with more is left out.
const MOST_DRIVEN: usize = 1 << 10;

/// A module that holds only the wires of another one. Each output of an instance of that module is an input here, and each input of an
/// instance is an output, both named `u_instance.port`; inputs that are clocks are left out. None if the module has no instances, or if
/// they have more than [`MOST_DRIVEN`] outputs.
pub fn wires(netlist: &Netlist, id: ModuleId) -> Option<Netlist> {
    let whole = netlist.module(id);
    let driven = whole.instances.iter().flat_map(|instance| &instance.outputs);
    if whole.instances.is_empty() || driven.count() > MOST_DRIVEN {
        return None;
    }
    let mut module = Module { instances: Vec::new(), ..whole.clone() };
    for instance in &whole.instances {
        for (name, lanes) in instance.outputs.iter().filter(|(_, lanes)| lanes.iter().any(Option::is_some)) {
            let port = port(&mut module, netlist, instance, name, Kind::Input, lanes.len());
            let to = port.into_iter().zip(lanes).filter_map(|(from, to)| Some(((*to)?, from.into())));
            module.assigns.extend(to);
        }
        for (name, lanes) in instance.inputs.iter().filter(|(name, _)| name != "clk_i") {
            let port = port(&mut module, netlist, instance, name, Kind::Output, lanes.len());
            module.assigns.extend(port.into_iter().zip(lanes.iter().cloned()));
        }
    }
    Some(Netlist { modules: vec![module], ..Netlist::default() })
}

/// Adds a port to the module that stands for the port `name` of an instance, and returns its lanes.
fn port(
    module: &mut Module,
    netlist: &Netlist,
    of: &Instance,
    name: &str,
    kind: Kind,
    lanes: usize,
) -> Vec<Net> {
    let width = match &of.of {
        Of::Cell(spec) => spec.ports().iter().find(|port| port.name == name).map(|port| port.width),
        Of::Module(inner) => {
            let inner = netlist.module(*inner);
            inner.find(name).map(|id| inner.signal(id).width)
        }
    };
    let width = width.unwrap_or_else(|| panic!("{} has no port {name}", of.name));
    let bundle = module.bundle(kind, format!("{}.{name}", of.name), lanes as u32, width);
    (0..bundle.lanes()).map(|lane| bundle.lane(lane)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Expr;

    #[test]
    fn what_goes_into_an_instance_comes_out() {
        let mut netlist = Netlist::default();
        let mut inner = Module::new("inner", Vec::new());
        let (a, y) = (inner.net(Kind::Input, "a_i", 2), inner.net(Kind::Output, "y_o", 2));
        inner.assigns.push((y, a.into()));
        let inner = netlist.add(inner);
        let mut outer = Module::new("outer", Vec::new());
        let (x, z) = (outer.net(Kind::Input, "x_i", 2), outer.net(Kind::Output, "z_o", 2));
        outer.instances.push(Instance::new("u_inner", Of::Module(inner)).input("a_i", x).output("y_o", z));
        let outer = netlist.add(outer);
        assert_eq!(wires(&netlist, inner), None);
        let alone = wires(&netlist, outer).unwrap();
        let top = alone.top();
        let names: Vec<&str> = top.signals.iter().map(|signal| signal.name.as_str()).collect();
        assert_eq!(names, ["x_i", "z_o", "u_inner.y_o", "u_inner.a_i"]);
        let of = |name: &str| Net { signal: top.find(name).unwrap(), lane: 0 };
        let expected: [(Net, Expr); 2] =
            [(z, of("u_inner.y_o").into()), (of("u_inner.a_i"), of("x_i").into())];
        assert_eq!(top.assigns, expected);
    }
}
