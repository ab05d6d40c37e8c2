//! Deliberate faults of a dilated butterfly: changes of its netlist that every engine must find.
//!
//! The same changed netlist is simulated by rust-hdl and printed as Verilog, so each fault is put into both.

mod change;

use crate::design::dilated::{Hardware, switch_name};
use crate::netlist::{Expr, Instance, Netlist};
use frit_network::RowIdx;
use frit_network::dilated::Node;
use frit_router::dilated::Switch;
use std::str::FromStr;

/// A deliberate fault of a dilated butterfly. An edge is the one of this number in the switch's in bundle 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// What comes along in bundle 0 and in bundle 1 of a switch is swapped.
    SwappedBundle {
        /// The level of the switch, from 1.
        level: u32,
        row: RowIdx,
    },
    /// The switch sees no room at the end of an out bundle.
    StuckRoom {
        /// The level of the switch, below the last.
        level: u32,
        row: RowIdx,
        x: u32,
    },
    /// The switch always sees room at the end of an out bundle: the queues there overflow.
    Overflow {
        /// The level of the switch, below the last.
        level: u32,
        row: RowIdx,
        x: u32,
    },
    /// The rank of an edge is one too high, in all switches but the first (strong only).
    RankOffByOne { input: u32 },
    /// The bit behind the routing bit is stripped as well, in all switches but the first.
    StrippedTwice { input: u32 },
    /// What comes along on an edge and on the next one of its bundle is swapped.
    SwappedEdges {
        /// The level of the switch, from 1.
        level: u32,
        row: RowIdx,
        y: u32,
        /// The first of the two edges.
        e: u32,
    },
    /// An edge is released when its worm's last bit comes to its queue, not when it leaves it, in all switches but the first
    /// (with release).
    EarlyRelease { input: u32 },
    /// Which edges of an out bundle are given is forgotten, in all switches but the first (strong, or with release).
    ForgottenUse { x: u32 },
    /// With the head of in bundle 0 that of in bundle 1 is shunted in the same step, in all switches but the first (weak).
    DoubleShunt,
}

/// Why a fault cannot be put into a netlist, or is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    #[error("{given:?} is not a fault of a router; the faults are {}", Fault::FORMS.join(", "))]
    Unknown { given: String },
    #[error("this design has no place for {fault}: {why}")]
    NoPlace { fault: Fault, why: &'static str },
}

impl Fault {
    /// How faults are written.
    pub const FORMS: [&str; 9] = [
        "swapped-bundle:LEVEL:ROW",
        "stuck-room:LEVEL:ROW:BUNDLE",
        "overflow:LEVEL:ROW:BUNDLE",
        "rank-off-by-one:EDGE",
        "stripped-twice:EDGE",
        "swapped-edges:LEVEL:ROW:BUNDLE:EDGE",
        "early-release:EDGE",
        "forgotten-use:BUNDLE",
        "double-shunt",
    ];
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::SwappedBundle { level, row } => write!(f, "swapped-bundle:{level}:{row}"),
            Fault::StuckRoom { level, row, x } => write!(f, "stuck-room:{level}:{row}:{x}"),
            Fault::Overflow { level, row, x } => write!(f, "overflow:{level}:{row}:{x}"),
            Fault::RankOffByOne { input } => write!(f, "rank-off-by-one:{input}"),
            Fault::StrippedTwice { input } => write!(f, "stripped-twice:{input}"),
            Fault::SwappedEdges { level, row, y, e } => write!(f, "swapped-edges:{level}:{row}:{y}:{e}"),
            Fault::EarlyRelease { input } => write!(f, "early-release:{input}"),
            Fault::ForgottenUse { x } => write!(f, "forgotten-use:{x}"),
            Fault::DoubleShunt => f.write_str("double-shunt"),
        }
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let unknown = || FaultError::Unknown { given: text.into() };
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let numbers: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
        Ok(match (name, numbers.as_slice()) {
            ("swapped-bundle", &[level, row]) => Fault::SwappedBundle { level, row: RowIdx(row) },
            ("stuck-room", &[level, row, x @ 0..=1]) => Fault::StuckRoom { level, row: RowIdx(row), x },
            ("overflow", &[level, row, x @ 0..=1]) => Fault::Overflow { level, row: RowIdx(row), x },
            ("rank-off-by-one", &[input]) => Fault::RankOffByOne { input },
            ("stripped-twice", &[input]) => Fault::StrippedTwice { input },
            ("swapped-edges", &[level, row, y @ 0..=1, e]) => {
                Fault::SwappedEdges { level, row: RowIdx(row), y, e }
            }
            ("early-release", &[input]) => Fault::EarlyRelease { input },
            ("forgotten-use", &[x @ 0..=1]) => Fault::ForgottenUse { x },
            ("double-shunt", &[]) => Fault::DoubleShunt,
            _ => return Err(unknown()),
        })
    }
}

/// Puts a fault into the netlist of a design.
///
/// # Errors
/// If the design has no such place.
pub fn inject(netlist: &mut Netlist, hardware: &Hardware, fault: Fault) -> Result<(), FaultError> {
    let none = |why| FaultError::NoPlace { fault, why };
    let bundle = hardware.bundle();
    match fault {
        Fault::SwappedBundle { level, row } => {
            let switch = switch_mut(netlist, level, row).ok_or_else(|| none("no such switch"))?;
            change::swap_bundles(switch).ok_or_else(|| none("the first switches have no bundles"))?;
        }
        Fault::SwappedEdges { level, row, y, e } => {
            if e + 1 >= bundle {
                return Err(none("no edge follows it in its bundle"));
            }
            let switch = switch_mut(netlist, level, row).ok_or_else(|| none("no such switch"))?;
            change::swap_edges(switch, y, e, bundle)
                .ok_or_else(|| none("the first switches have no bundles"))?;
        }
        Fault::StuckRoom { level, row, x } | Fault::Overflow { level, row, x } => {
            if level + 1 >= hardware.network().levels() {
                return Err(none("behind the last level there is always room"));
            }
            let switch = switch_mut(netlist, level, row).ok_or_else(|| none("no such switch"))?;
            let room = if matches!(fault, Fault::Overflow { .. }) { u64::MAX >> (64 - bundle) } else { 0 };
            let lanes = switch.input_mut("room_i").ok_or_else(|| none("no such bundle"))?;
            lanes[x as usize] = Expr::constant(room, bundle);
        }
        _ => {
            change_switches(netlist, hardware, fault).map_err(none)?;
        }
    }
    Ok(())
}

fn switch_mut(netlist: &mut Netlist, level: u32, row: RowIdx) -> Option<&mut Instance> {
    netlist.module_mut("fabric")?.instance_mut(&switch_name(Node { level, row }))
}

/// Puts a fault into all switches but the first, or says why it has no place there.
fn change_switches(netlist: &mut Netlist, hardware: &Hardware, fault: Fault) -> Result<(), &'static str> {
    let (strong, release) = (hardware.switch() == Switch::Strong, hardware.release());
    let module = netlist.module_mut("switch").ok_or("it has but first switches")?;
    let (changed, missing) = match fault {
        Fault::RankOffByOne { .. } if !strong => return Err("weak switches have no ranks"),
        Fault::RankOffByOne { .. } if release => {
            return Err("where edges are released ranks have no decoder");
        }
        Fault::RankOffByOne { input } => (change::rank_off_by_one(module, input), "no such edge"),
        Fault::StrippedTwice { input } => (change::strip_twice(module, input), "no such edge"),
        Fault::EarlyRelease { .. } if !release => return Err("edges are not released"),
        Fault::EarlyRelease { input } => {
            (change::release_early(module, input, hardware.bundle()), "no such edge")
        }
        Fault::ForgottenUse { .. } if !strong && !release => {
            return Err("weak switches have no such memory");
        }
        Fault::ForgottenUse { x } => (change::forget_use(module, x, release), "no such bundle"),
        Fault::DoubleShunt if strong => return Err("strong switches may"),
        Fault::DoubleShunt => (change::shunt_both(module), "no such bundle"),
        _ => (None, "it belongs to one switch"),
    };
    changed.ok_or(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_as_they_are_written() {
        for text in [
            "swapped-bundle:1:3",
            "stuck-room:0:1:1",
            "overflow:2:3:0",
            "rank-off-by-one:4",
            "stripped-twice:0",
            "swapped-edges:1:3:1:2",
            "early-release:3",
            "forgotten-use:1",
            "double-shunt",
        ] {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }
        for text in ["overflow:2:3:2", "overflow:2:3", "late-driver:1", "stripped-twice:x", "double-shunt:1"]
        {
            let error = text.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains("rank-off-by-one:EDGE"), "{error}");
        }
    }
}
