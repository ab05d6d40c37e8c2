//! The changes of a switch, or of what is connected to it, that faults are. Each gives `None` if there is no such place.

use crate::cells::{PassGateSpec, RankAdderSpec, RoundDelaySpec};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};

/// A lane of a signal of a module.
fn lane(module: &Module, name: &str, lane: u32) -> Option<Net> {
    Some(Net { signal: module.find(name)?, lane })
}

fn bit(net: Net, at: u32) -> Part {
    Part::Net { net, bits: Some((at, at)), invert: false }
}

/// Connects in bundle 0 of a switch where in bundle 1 belongs, and the other way round.
pub(super) fn swap_bundles(switch: &mut Instance) -> Option<()> {
    for port in ["valid_i", "bit_i", "last_i"] {
        match switch.input_mut(port) {
            Some(lanes) if lanes.len() == 2 => lanes.swap(0, 1),
            None if port == "last_i" => {}
            _ => return None,
        }
    }
    Some(())
}

/// Connects edge `e` of in bundle `y` of a switch where the next one belongs, and the other way round.
pub(super) fn swap_edges(switch: &mut Instance, y: u32, e: u32, bundle: u32) -> Option<()> {
    for port in ["valid_i", "bit_i", "last_i"] {
        let lanes = match switch.input_mut(port) {
            Some(lanes) if lanes.len() == 2 => lanes,
            None if port == "last_i" => continue,
            _ => return None,
        };
        let net = lanes.get(y as usize)?.as_net()?;
        let from = |at: u32| match at {
            at if at == e => e + 1,
            at if at == e + 1 => e,
            at => at,
        };
        *lanes.get_mut(y as usize)? = Expr::Concat((0..bundle).rev().map(|at| bit(net, from(at))).collect());
    }
    Some(())
}

/// Adds a gate: whether both are 1.
fn both(module: &mut Module, name: &str, left: Expr, right: Expr) -> Net {
    let net = module.net(Kind::Wires, name, 1);
    module.instances.push(
        Instance::new(format!("u_{name}"), Of::cell(PassGateSpec))
            .input("deliver_i", left)
            .input("valid_i", right)
            .output("valid_o", net)
            .unused("back_valid_o"),
    );
    net
}

/// Says that an in edge is left when the last bit of its worm comes in.
pub(super) fn release_early(module: &mut Module, input: u32, bundle: u32) -> Option<()> {
    let (y, e) = (input / bundle, input % bundle);
    let (valid, last) = (lane(module, "valid_i", y)?, lane(module, "last_i", y)?);
    let (room, freed) = (lane(module, "room", input)?, lane(module, "freed", input)?);
    module.instance_mut(&format!("u_tail_{input}"))?;
    let comes =
        both(module, "last_comes", Expr::Concat(vec![bit(valid, e)]), Expr::Concat(vec![bit(last, e)]));
    let early = both(module, "early", comes.into(), room.into());
    let port = lane(module, "free_o", y)?;
    let (_, free) = module.assigns.iter_mut().find(|(net, _)| *net == port)?;
    let Expr::Concat(parts) = free else { return None };
    *parts.iter_mut().find(|part| **part == Part::from(freed))? = early.into();
    Some(())
}

/// What is remembered of the edges of an out bundle that are given: that none is.
pub(super) fn forget_use(module: &mut Module, x: u32, release: bool) -> Option<()> {
    let (name, port) = if release { ("u_use", "given_i") } else { ("u_used", "total_i") };
    let width = module.signal(module.find(&format!("{}{x}", if release { "given" } else { "used" }))?).width;
    let input = module.instance_mut(&format!("{name}{x}"))?.input_mut(port)?;
    *input = vec![Expr::constant(0, width)];
    Some(())
}

/// Lets the head of in bundle 1 be shunted with that of in bundle 0.
pub(super) fn shunt_both(module: &mut Module) -> Option<()> {
    let [upper, lower] = [lane(module, "upper_take", 0)?, lane(module, "lower_take", 0)?];
    let wants = Expr::Any(vec![lane(module, "lower0", 0)?.into(), lane(module, "lower1", 0)?.into()]);
    let too = both(module, "too", upper.into(), wants);
    *module.instance_mut("u_turn_lower")?.input_mut("take_i")? =
        vec![Expr::Any(vec![lower.into(), too.into()])];
    Some(())
}

/// Adds one to what the decoder of an edge takes for the rank in out bundle 0.
pub(super) fn rank_off_by_one(module: &mut Module, input: u32) -> Option<()> {
    let name = format!("u_edge_{input}");
    let rank = module.instance_mut(&name)?.input_mut("rank0_i")?.first()?.clone();
    let bits = module.signal(rank.as_net()?.signal).width;
    let wrong = module.net(Kind::Wires, "wrong_rank", bits);
    module.instances.push(
        Instance::new("u_wrong_rank", Of::cell(RankAdderSpec { bits }))
            .input("left_i", rank)
            .input("right_i", Expr::constant(1, bits))
            .output("sum_o", wrong),
    );
    *module.instance_mut(&name)?.input_mut("rank0_i")? = vec![wrong.into()];
    Some(())
}

/// The step after its routing bit the queue of an edge loses another bit, which the shunt does not see.
pub(super) fn strip_twice(module: &mut Module, input: u32) -> Option<()> {
    let (take, pop, valid) =
        (lane(module, "take", input)?, lane(module, "pop", input)?, lane(module, "valid", input)?);
    let (clk, rst) = (lane(module, "clk_i", 0)?, lane(module, "rst_i", 0)?);
    let late = module.net(Kind::Wires, "late", 2);
    let seen = module.net(Kind::Wires, "seen", 1);
    module.instance_mut(&format!("u_queue_{input}"))?;
    let last = Part::Net { net: late, bits: Some((0, 0)), invert: false };
    module.instances.push(
        Instance::new("u_late", Of::cell(RoundDelaySpec { bits: 2 }))
            .input("clk_i", clk)
            .input("rst_i", rst)
            .input("round_i", Expr::Concat(vec![Part::Const { value: 0, bits: 1 }, take.into()]))
            .output("round_o", late),
    );
    module.instances.push(
        Instance::new("u_seen", Of::cell(PassGateSpec))
            .input("deliver_i", Expr::Concat(vec![last.clone()]))
            .input("valid_i", valid)
            .unused("valid_o")
            .output("back_valid_o", seen),
    );
    *module.instance_mut(&format!("u_shunt_{input}"))?.input_mut("valid_i")? = vec![seen.into()];
    *module.instance_mut(&format!("u_queue_{input}"))?.input_mut("pop_i")? =
        vec![Expr::Any(vec![pop.into(), last])];
    Some(())
}
