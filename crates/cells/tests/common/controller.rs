//! A de Bruijn controller by itself: the shift register with a next-bit rule, as a netlist. An example uses it too.

use frit_cells::cells::{CellSpec, DeBruijnSpec};
use frit_cells::netlist::{Expr, Instance, Kind, Module, Netlist, Of};

/// The controller of order `order` whose sequence starts with the bits of `start`.
pub fn controller(name: &str, order: u32, start: u64, rule: CellSpec) -> Netlist {
    let mut module = Module::new(name, vec!["A de Bruijn controller with its next-bit rule.".into()]);
    let [clk, rst, run, stop] =
        ["clk_i", "rst_i", "run_i", "stop_i"].map(|port| module.net(Kind::Input, port, 1));
    let control = module.net(Kind::Output, "control_o", 1);
    let state = module.net(Kind::Output, "state_o", order);
    let bit = module.net(Kind::Wires, "next_bit", 1);
    module
        .instances
        .push(Instance::new("u_rule", Of::Cell(rule)).input("state_i", state).output("bit_o", bit));
    module.instances.push(
        Instance::new("u_register", Of::cell(DeBruijnSpec { order, start }))
            .input("clk_i", clk)
            .input("rst_i", rst)
            .input("run_i", run)
            .input("step_i", Expr::constant(1, 1))
            .input("stop_i", stop)
            .input("bit_i", bit)
            .output("control_o", control)
            .output("state_o", state)
            .unused("next_o"),
    );
    let mut netlist = Netlist::default();
    netlist.add(module);
    netlist
}
