//! What a weak switch shunts: the head whose turn it is, of one of its two in bundles.

use super::{Heads, Unused, bit, slice};
use crate::cells::{CyclicChoiceSpec, CyclicTurnSpec, WeakChoiceSpec, WeakTurnSpec};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of};

/// Adds a weak switch's choice: whose turn it is in each in bundle, and which of the two is served.
///
/// Where edges are released (`unused`) a head waits for the next edge of its bundle; with `around` the first in edge follows
/// the last.
#[expect(clippy::too_many_arguments, reason = "the parts of one switch")]
pub(super) fn add(
    module: &mut Module,
    bundle: u32,
    edges: u32,
    clk: Net,
    rst: Net,
    heads: &Heads,
    unused: Option<&Unused>,
    around: bool,
) {
    let bundles = heads.take.lanes() / edges;
    let chosen = module.net(Kind::Wires, "chosen", bundle);
    let choice = match unused {
        None => Of::cell(WeakChoiceSpec { edges: bundle }),
        Some(_) => Of::cell(CyclicChoiceSpec { edges: bundle }),
    };
    let turn = match around {
        false => Of::cell(WeakTurnSpec { edges }),
        true => Of::cell(CyclicTurnSpec { edges }),
    };
    let mut choice =
        Instance::new("u_choice", choice).input("clk_i", clk).input("rst_i", rst).output("edge_o", chosen);
    for (y, side) in (0..).zip(["upper", "lower"]) {
        if y >= bundles {
            choice = choice
                .input(&format!("{side}0_i"), Expr::constant(0, 1))
                .input(&format!("{side}1_i"), Expr::constant(0, 1))
                .unused(&format!("{side}_o"));
            continue;
        }
        let wants = [0, 1].map(|x| module.net(Kind::Wires, format!("{side}{x}"), 1));
        let given = module.net(Kind::Wires, format!("{side}_take"), 1);
        let takes = module.net(Kind::Wires, format!("{side}_takes"), edges);
        module.instances.push(
            Instance::new(format!("u_turn_{side}"), turn.clone())
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("want0_i", slice(heads.want[0], y * edges, edges))
                .input("want1_i", slice(heads.want[1], y * edges, edges))
                .input("take_i", given)
                .output("want0_o", wants[0])
                .output("want1_o", wants[1])
                .output("take_o", takes),
        );
        for e in 0..edges {
            module.assigns.push((heads.take.lane(y * edges + e), bit(takes, e)));
        }
        choice = choice
            .input(&format!("{side}0_i"), wants[0])
            .input(&format!("{side}1_i"), wants[1])
            .output(&format!("{side}_o"), given);
    }
    if let Some(Unused { free, given }) = unused {
        choice = choice
            .input("free0_i", free[0])
            .input("free1_i", free[1])
            .output("given0_o", given[0])
            .output("given1_o", given[1]);
    }
    module.instances.push(choice);
    for input in 0..heads.edge.lanes() {
        module.assigns.push((heads.edge.lane(input), chosen.into()));
    }
}
