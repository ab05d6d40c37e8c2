//! Deliberate faults of a multibutterfly. A fault is in all nodes of a column, which are one module; the column is not the first.

use crate::cells::{CountAdderSpec, PassGateSpec, WordMergeSpec};
use crate::fault::{FaultTable, row};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Netlist, Of, Signal};

pub const MULTIBUTTERFLY: FaultTable<Netlist> = FaultTable {
    core: "a multibutterfly",
    rows: &[
        row(
            "lost-cancel:COLUMN:PORT",
            "a request that is withdrawn at an in-port still stands",
            |netlist, [column, port, ..]| Ok(lose_cancel(nodes(netlist, column)?, port).ok_or(NOT_ASKED)?),
        ),
        row("ghost-too-many:COLUMN", "either side has one ghost too many", |netlist, [column, ..]| {
            Ok(add_ghost(nodes(netlist, column)?).ok_or("it has no ghosts")?)
        }),
        row(
            "grant-to-two:COLUMN:PORT",
            "an in-port is granted even if another in-port asks with the same size",
            |netlist, [column, port, ..]| Ok(grant(nodes(netlist, column)?, port).ok_or(NOT_ASKED)?),
        ),
        row(
            "count-one-short:COLUMN:PORT",
            "a report at an in-port is one too low, unless it is 0",
            |netlist, [column, port, ..]| Ok(shorten(nodes(netlist, column)?, port).ok_or("no such in-port")?),
        ),
    ],
};

const NOT_ASKED: &str = "nothing is asked for there";

fn nodes(netlist: &mut Netlist, column: u32) -> Result<&mut Module, &'static str> {
    let nodes = netlist.module_mut(&format!("node_{column}")).filter(|_| column > 0);
    nodes.ok_or("it must be a column that is neither the first nor the last")
}

/// No size that others ask for as well keeps an in-port from its grant.
fn grant(module: &mut Module, port: u32) -> Option<()> {
    let sizes = module.signal(module.find("twice")?).width;
    *module.instance_mut(&format!("u_request_{port}"))?.input_mut("twice_i")? =
        vec![Expr::constant(0, sizes)];
    Some(())
}

/// The in-port hears only what is a request.
fn lose_cancel(module: &mut Module, port: u32) -> Option<()> {
    let name = format!("u_request_{port}");
    let request = module.instance_mut(&name)?;
    let asks = Expr::Any(vec![request.input_mut("size_i")?.first()?.as_net()?.into()]);
    let hear = request.input_mut("hear_i")?.first()?.clone();
    let heard = module.net(Kind::Wires, "heard", 1);
    module.instances.push(
        Instance::new("u_heard", Of::cell(PassGateSpec))
            .input("deliver_i", asks)
            .input("valid_i", hear)
            .output("valid_o", heard)
            .unused("back_valid_o"),
    );
    *module.instance_mut(&name)?.input_mut("hear_i")? = vec![heard.into()];
    Some(())
}

fn adder(module: &mut Module, name: &str, bits: u32, left: Expr, right: u64) -> Net {
    let sum = module.net(Kind::Wires, name, bits);
    module.instances.push(
        Instance::new(format!("u_{name}"), Of::cell(CountAdderSpec { bits }))
            .input("left_i", left)
            .input("right_i", Expr::constant(right, bits))
            .output("sum_o", sum),
    );
    sum
}

/// Both sides are told to keep a ghost more.
fn add_ghost(module: &mut Module) -> Option<()> {
    let kept = module.instance_mut("u_side0")?.input_mut("kept_i")?.first()?.clone();
    let bits = module.signal(kept.as_net()?.signal).width;
    let wrong = adder(module, "wrong_kept", bits, kept, 1);
    for side in ["u_side0", "u_side1"] {
        *module.instance_mut(side)?.input_mut("kept_i")? = vec![wrong.into()];
    }
    Some(())
}

/// What an in-port is told becomes one less, unless it is 0.
fn shorten(module: &mut Module, port: u32) -> Option<()> {
    let report = module.find("report_i")?;
    let Signal { lanes, width: bits, .. } = *module.signal(report);
    if port >= lanes {
        return None;
    }
    let report = Net { signal: report, lane: port };
    let less = adder(module, "one_less", bits, report.into(), (1 << bits) - 1);
    let short = module.net(Kind::Wires, "short_report", bits);
    module.instances.push(
        Instance::new("u_short_report", Of::cell(WordMergeSpec { width: bits }))
            .input("left_take_i", Expr::Any(vec![report.into()]))
            .input("left_word_i", less)
            .input("right_take_i", Expr::constant(0, 1))
            .input("right_word_i", Expr::constant(0, bits))
            .unused("take_o")
            .output("word_o", short),
    );
    // The adders that take the report, but not the one that makes it less.
    for instance in module.instances.iter_mut().filter(|instance| instance.name.starts_with("u_sum_")) {
        for (_, lanes) in &mut instance.inputs {
            replace(&mut lanes[0], report, short);
        }
    }
    Some(())
}

fn replace(expr: &mut Expr, from: Net, to: Net) {
    let (Expr::Concat(parts) | Expr::Any(parts)) = expr;
    for part in parts {
        if let crate::netlist::Part::Net { net, .. } = part
            && *net == from
        {
            *net = to;
        }
    }
}
