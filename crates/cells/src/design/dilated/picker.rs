//! What a weak switch shunts: the head whose turn it is, of one of its two in bundles.

use super::{Heads, Unused, bit, slice};
use crate::cells::{WeakChoiceSpec, WeakTurnSpec};
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
    let choice = Of::cell(WeakChoiceSpec { edges: bundle, cyclic: unused.is_some().into() });
    let turn = Of::cell(WeakTurnSpec { edges, cyclic: around.into() });
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
    for x in 0..2 {
        let (free_i, given_o) = (format!("free{x}_i"), format!("given{x}_o"));
        choice = match unused {
            Some(Unused { free, given }) => choice.input(&free_i, free[x]).output(&given_o, given[x]),
            None => choice.input(&free_i, Expr::constant(u64::MAX >> (64 - bundle), bundle)).unused(&given_o),
        };
    }
    module.instances.push(choice);
    for input in 0..heads.edge.lanes() {
        module.assigns.push((heads.edge.lane(input), chosen.into()));
    }
}
