//! The requests that stand at an output: which sizes, which of them more than once, and who is granted.

use super::column::Column;
use crate::cells::{SizePairSpec, StandingRequestSpec};
use crate::design::tree::reduce;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of, Part};

/// Half a tree.
struct Sizes {
    any: Expr,
    twice: Expr,
}

/// Adds the requests at `in_ports` in-ports, which come from sides of column `from`, and the grants. Gives the sizes that stand, in
/// their places, as wide as a count.
pub(super) fn add(module: &mut Module, clk: Net, rst: Net, from: Column, in_ports: u32) -> Expr {
    let sizes = from.sizes();
    let hear = module.net(Kind::Input, "hear_i", 1);
    let request = module.bundle(Kind::Input, "request_i", in_ports, sizes);
    let grant = module.bundle(Kind::Output, "grant_o", in_ports, 1);
    let standing = module.bundle(Kind::Vector, "standing", in_ports, sizes);
    let twice = module.net(Kind::Wires, "twice", sizes);
    for port in 0..in_ports {
        module.instances.push(
            Instance::new(format!("u_request_{port}"), Of::cell(StandingRequestSpec { bits: sizes }))
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("hear_i", hear)
                .input("size_i", request.lane(port))
                .input("twice_i", twice)
                .output("size_o", standing.lane(port))
                .output("grant_o", grant.lane(port)),
        );
    }
    let all = tree(module, standing);
    module.assigns.push((twice, all.twice));
    in_place(from, all.any)
}

/// Which sizes stand, and which twice.
fn tree(module: &mut Module, standing: Bundle) -> Sizes {
    let sizes = module.signal(standing.lane(0).signal).width;
    let leaf = |port| Sizes { any: standing.lane(port).into(), twice: Expr::constant(0, sizes) };
    let mut count = 0;
    reduce((0..standing.lanes()).map(leaf).collect(), |left: Sizes, right| {
        let any = module.net(Kind::Wires, format!("any_{count}"), sizes);
        let twice = module.net(Kind::Wires, format!("twice_{count}"), sizes);
        module.instances.push(
            Instance::new(format!("u_sizes_{count}"), Of::cell(SizePairSpec { bits: sizes }))
                .input("left_any_i", left.any)
                .input("left_twice_i", left.twice)
                .input("right_any_i", right.any)
                .input("right_twice_i", right.twice)
                .output("any_o", any)
                .output("twice_o", twice),
        );
        count += 1;
        Sizes { any: any.into(), twice: twice.into() }
    })
}

/// Sizes as a count: each is a batch of so many buffers.
fn in_place(from: Column, any: Expr) -> Expr {
    let net = any.as_net().expect("an output has two in-ports at least");
    let (first, width) = (from.first_batch(), from.count_bits());
    let zeros = |count| (count > 0).then_some(Part::Const { value: 0, bits: count });
    let above = zeros(width - first - from.sizes());
    Expr::Concat(above.into_iter().chain([Part::from(net)]).chain(zeros(first)).collect())
}
