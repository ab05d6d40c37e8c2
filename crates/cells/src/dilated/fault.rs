//! Deliberate faults of a dilated butterfly. An edge is the one of this number in the switch's in bundle 0.

mod change;

use crate::design::dilated::switch_name;
use crate::fault::{FaultTable, row};
use crate::netlist::{Expr, Instance, Module, Netlist};
use frit_network::RowIdx;
use frit_network::dilated::Node;

pub const DILATED: FaultTable<Netlist> = FaultTable {
    core: "a dilated butterfly",
    rows: &[
        row(
            "swapped-bundle:LEVEL:ROW",
            "bits that come in bundle 0 and in bundle 1 of a switch are swapped",
            |netlist, [level, row, ..]| {
                Ok(change::swap_bundles(switch(netlist, level, row)?).ok_or(NO_BUNDLES)?)
            },
        ),
        row(
            "stuck-room:LEVEL:ROW:BUNDLE",
            "the switch sees no room at the end of an out bundle",
            |netlist, [level, row, x, _]| Ok(room(netlist, level, row, x, |_| 0)?),
        ),
        row(
            "overflow:LEVEL:ROW:BUNDLE",
            "the switch always sees room at the end of an out bundle: the queues there overflow",
            |netlist, [level, row, x, _]| {
                Ok(room(netlist, level, row, x, |bundle| u64::MAX >> (64 - bundle))?)
            },
        ),
        row(
            "rank-off-by-one:EDGE",
            "the rank of an edge is one too high, in all switches but the first (strong only)",
            |netlist, [edge, ..]| {
                let switches = switches(netlist)?;
                match (is_weak(switches), releases(switches)) {
                    (true, _) => Err("weak switches have no ranks".into()),
                    (_, true) => Err("where edges are released ranks have no decoder".into()),
                    _ => Ok(change::rank_off_by_one(switches, edge).ok_or(NO_EDGE)?),
                }
            },
        ),
        row(
            "stripped-twice:EDGE",
            "the bit after the routing bit is stripped as well, in all switches but the first",
            |netlist, [edge, ..]| Ok(change::strip_twice(switches(netlist)?, edge).ok_or(NO_EDGE)?),
        ),
        row(
            "swapped-edges:LEVEL:ROW:BUNDLE:EDGE",
            "bits that come on an edge and on the next edge of its bundle are swapped",
            |netlist, [level, row, y, e]| {
                let bundle = bundle(netlist);
                let switch = switch(netlist, level, row)?;
                if e + 1 >= bundle {
                    return Err("no edge follows it in its bundle".into());
                }
                Ok(change::swap_edges(switch, y, e, bundle).ok_or(NO_BUNDLES)?)
            },
        ),
        row(
            "early-release:EDGE",
            "an edge is released when its worm's last bit comes to its queue, not when it leaves it, in all switches but the first (with \
             release)",
            |netlist, [edge, ..]| {
                let bundle = bundle(netlist);
                let switches = switches(netlist)?;
                match releases(switches) {
                    true => Ok(change::release_early(switches, edge, bundle).ok_or(NO_EDGE)?),
                    false => Err("edges are not released".into()),
                }
            },
        ),
        row(
            "forgotten-use:BUNDLE",
            "a switch forgets which edges of an out bundle are given, in all switches but the first (strong, or with release)",
            |netlist, [x, ..]| {
                let switches = switches(netlist)?;
                let release = releases(switches);
                if is_weak(switches) && !release {
                    return Err("weak switches have no such memory".into());
                }
                Ok(change::forget_use(switches, x, release).ok_or("the bundles are 0 and 1")?)
            },
        ),
        row(
            "double-shunt",
            "the heads of in bundle 0 and of in bundle 1 are shunted in the same step, in all switches but the first (weak)",
            |netlist, _| Ok(change::shunt_both(switches(netlist)?).ok_or("strong switches may")?),
        ),
    ],
};

const NO_BUNDLES: &str = "the first switches have no bundles, those of other levels have 0 and 1";
const NO_EDGE: &str = "no such edge";

fn switch(netlist: &mut Netlist, level: u32, row: u32) -> Result<&mut Instance, &'static str> {
    let name = switch_name(Node { level, row: RowIdx(row) });
    let fabric = netlist.module_mut("fabric").ok_or("no fabric")?;
    fabric.instance_mut(&name).ok_or("no such switch")
}

/// The module of all switches but the first.
fn switches(netlist: &mut Netlist) -> Result<&mut Module, &'static str> {
    netlist.module_mut("switch").ok_or("it has but first switches")
}

fn is_weak(switches: &Module) -> bool {
    switches.find("upper_take").is_some()
}

fn releases(switches: &Module) -> bool {
    switches.find("last_i").is_some()
}

fn bundle(netlist: &mut Netlist) -> u32 {
    let first = netlist.module_mut("switch_first").expect("there are first switches");
    first.signal(first.find("room_i").expect("it asks for room")).width
}

/// Tells a switch what room there is at the end of out bundle `x`: a bit for each edge.
fn room(
    netlist: &mut Netlist,
    level: u32,
    row: u32,
    x: u32,
    told: fn(u32) -> u64,
) -> Result<(), &'static str> {
    let bundle = bundle(netlist);
    if switch(netlist, level + 1, 0).is_err() {
        return Err("after the last level there is always room");
    }
    let lanes = switch(netlist, level, row)?.input_mut("room_i").ok_or("no such bundle")?;
    *lanes.get_mut(x as usize).ok_or("the bundles are 0 and 1")? = Expr::constant(told(bundle), bundle);
    Ok(())
}
