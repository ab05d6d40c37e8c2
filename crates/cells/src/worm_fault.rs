//! Deliberate faults of a router of worms: changes of its netlist that every engine must find.
//!
//! The same changed netlist is simulated by rust-hdl and printed as Verilog, so each fault is put into both.

use crate::cells::{PassGateSpec, RoundDelaySpec};
use crate::design::dilated::{Hardware, switch_name};
use crate::netlist::{Expr, Instance, Kind, Module, Netlist, Of, Part};
use frit_network::dilated::Node;
use frit_router::dilated::Switch;
use std::str::FromStr;

/// A deliberate fault of a router of worms. An edge is the one of this number in the switch's in bundle 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WormFault {
    /// What comes along in bundle 0 and in bundle 1 of a switch is swapped.
    SwappedBundle {
        /// The level of the switch, from 1.
        level: u32,
        /// Its row.
        row: u32,
    },
    /// The switch sees no room at the end of an out bundle.
    StuckRoom {
        /// The level of the switch, below the last.
        level: u32,
        /// Its row.
        row: u32,
        /// The out bundle.
        x: u32,
    },
    /// The switch always sees room at the end of an out bundle: the queues there overflow.
    Overflow {
        /// The level of the switch, below the last.
        level: u32,
        /// Its row.
        row: u32,
        /// The out bundle.
        x: u32,
    },
    /// The rank of an edge is one too high, in all switches but the first (strong only).
    RankOffByOne {
        /// The in edge.
        input: u32,
    },
    /// The bit behind the routing bit is stripped as well, in all switches but the first.
    StrippedTwice {
        /// The in edge.
        input: u32,
    },
}

/// Why a fault cannot be put into a netlist, or is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WormFaultError {
    /// Not the text of a fault.
    #[error("{given:?} is not a fault of a router; the faults are {}", WormFault::FORMS.join(", "))]
    Unknown {
        /// What was given.
        given: String,
    },
    /// The design has no such place.
    #[error("this design has no place for {fault}: {why}")]
    NoPlace {
        /// The fault.
        fault: WormFault,
        /// What is missing.
        why: &'static str,
    },
}

impl WormFault {
    /// How faults are written.
    pub const FORMS: [&str; 5] = [
        "swapped-bundle:LEVEL:ROW",
        "stuck-room:LEVEL:ROW:BUNDLE",
        "overflow:LEVEL:ROW:BUNDLE",
        "rank-off-by-one:EDGE",
        "stripped-twice:EDGE",
    ];
}

impl std::fmt::Display for WormFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WormFault::SwappedBundle { level, row } => write!(f, "swapped-bundle:{level}:{row}"),
            WormFault::StuckRoom { level, row, x } => write!(f, "stuck-room:{level}:{row}:{x}"),
            WormFault::Overflow { level, row, x } => write!(f, "overflow:{level}:{row}:{x}"),
            WormFault::RankOffByOne { input } => write!(f, "rank-off-by-one:{input}"),
            WormFault::StrippedTwice { input } => write!(f, "stripped-twice:{input}"),
        }
    }
}

impl FromStr for WormFault {
    type Err = WormFaultError;

    fn from_str(text: &str) -> Result<Self, WormFaultError> {
        let unknown = || WormFaultError::Unknown { given: text.into() };
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let numbers: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
        Ok(match (name, numbers.as_slice()) {
            ("swapped-bundle", &[level, row]) => WormFault::SwappedBundle { level, row },
            ("stuck-room", &[level, row, x @ 0..=1]) => WormFault::StuckRoom { level, row, x },
            ("overflow", &[level, row, x @ 0..=1]) => WormFault::Overflow { level, row, x },
            ("rank-off-by-one", &[input]) => WormFault::RankOffByOne { input },
            ("stripped-twice", &[input]) => WormFault::StrippedTwice { input },
            _ => return Err(unknown()),
        })
    }
}

/// Puts a fault into the netlist of a design.
///
/// # Errors
/// If the design has no such place.
pub fn inject(netlist: &mut Netlist, hardware: &Hardware, fault: WormFault) -> Result<(), WormFaultError> {
    let none = |why| WormFaultError::NoPlace { fault, why };
    let bundle = hardware.bundle();
    match fault {
        WormFault::SwappedBundle { level, row } => {
            let switch = switch_mut(netlist, level, row).ok_or_else(|| none("no such switch"))?;
            for port in ["valid_i", "bit_i"] {
                let lanes = switch.input_mut(port).filter(|lanes| lanes.len() == 2);
                lanes.ok_or_else(|| none("the first switches have no bundles"))?.swap(0, 1);
            }
        }
        WormFault::StuckRoom { level, row, x } | WormFault::Overflow { level, row, x } => {
            if level + 1 >= hardware.network().levels() {
                return Err(none("behind the last level there is always room"));
            }
            let switch = switch_mut(netlist, level, row).ok_or_else(|| none("no such switch"))?;
            let room =
                if matches!(fault, WormFault::Overflow { .. }) { u64::MAX >> (64 - bundle) } else { 0 };
            let lanes = switch.input_mut("room_i").ok_or_else(|| none("no such bundle"))?;
            lanes[x as usize] = Expr::constant(room, bundle);
        }
        WormFault::RankOffByOne { input } => {
            if hardware.switch() != Switch::Strong {
                return Err(none("weak switches have no ranks"));
            }
            let module = netlist.module_mut("switch").ok_or_else(|| none("it has but first switches"))?;
            rank_off_by_one(module, input).ok_or_else(|| none("no such edge"))?;
        }
        WormFault::StrippedTwice { input } => {
            let module = netlist.module_mut("switch").ok_or_else(|| none("it has but first switches"))?;
            strip_twice(module, input).ok_or_else(|| none("no such edge"))?;
        }
    }
    Ok(())
}

fn switch_mut(netlist: &mut Netlist, level: u32, row: u32) -> Option<&mut Instance> {
    netlist.module_mut("fabric")?.instance_mut(&switch_name(Node { level, row }))
}

/// Adds one to what the decoder of an edge takes for the rank in out bundle 0.
fn rank_off_by_one(module: &mut Module, input: u32) -> Option<()> {
    let name = format!("u_edge_{input}");
    let rank = module.instance_mut(&name)?.input_mut("rank0_i")?.first()?.clone();
    let bits = module.signal(rank.as_net()?.signal).width;
    let wrong = module.net(Kind::Wires, "wrong_rank", bits);
    module.instances.push(
        Instance::new("u_wrong_rank", Of::cell(crate::cells::RankAdderSpec { bits }))
            .input("left_i", rank)
            .input("right_i", Expr::constant(1, bits))
            .output("sum_o", wrong),
    );
    *module.instance_mut(&name)?.input_mut("rank0_i")? = vec![wrong.into()];
    Some(())
}

/// The step after its routing bit the queue of an edge loses another bit, which the shunt does not see.
fn strip_twice(module: &mut Module, input: u32) -> Option<()> {
    let lane = |module: &Module, name: &str| {
        let signal = module.find(name)?;
        Some(crate::netlist::Net { signal, lane: input })
    };
    let alone = |module: &Module, name: &str| {
        let signal = module.find(name)?;
        Some(crate::netlist::Net { signal, lane: 0 })
    };
    let (take, pop, valid) = (lane(module, "take")?, lane(module, "pop")?, lane(module, "valid")?);
    let (clk, rst) = (alone(module, "clk_i")?, alone(module, "rst_i")?);
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
        ] {
            assert_eq!(text.parse::<WormFault>().unwrap().to_string(), text);
        }
        for text in ["overflow:2:3:2", "overflow:2:3", "late-driver:1", "stripped-twice:x"] {
            let error = text.parse::<WormFault>().unwrap_err().to_string();
            assert!(error.contains("rank-off-by-one:EDGE"), "{error}");
        }
    }
}
