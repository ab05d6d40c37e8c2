//! The testbench around the rust-hdl network of a dilated butterfly: it sends the packets' bits, follows every worm by the
//! shunts that it sees, and checks what comes out. Between two passes of one network it holds the packets.
//!
//! It mirrors the SystemVerilog testbench, which has the same checks.

mod bench;
mod checks;
pub mod fault;

use crate::bench::PeriodObserver;
use crate::design::dilated::Hardware;
use crate::netlist::Netlist;
use crate::netlist::simulate::Simulated;
use bench::DilatedBench;
use frit_network::Refusal;
use frit_router::dilated::{Arrival, Packets, Shunt};

/// What was wrong first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub step: u32,
    pub what: String,
}

/// What the rust-hdl network did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Every shunt, in its order.
    pub shunts: Vec<Shunt>,
    /// Every bit that came out, in its order.
    pub arrivals: Vec<Arrival>,
    /// The first step of the second pass, if the network is passed twice.
    pub second: Option<u32>,
    /// The sum of `steps_o` at the ends of all passes: steps of each until its last bit; `None` if one did not end.
    pub steps: Option<u64>,
    /// What `stuck_o` said at the end of the last pass.
    pub stuck: bool,
    /// The packets that did not arrive, by their numbers.
    pub left: Vec<u32>,
    /// What was wrong by itself.
    pub complaint: Option<Complaint>,
}

/// Runs packets through `netlist`, the hardware's own or one with a fault, for `limit` steps at most: a run of the hardware
/// for every pass.
///
/// # Errors
/// If the logic does not settle.
pub fn run(packets: &Packets, hardware: &Hardware, netlist: &Netlist, limit: u64) -> Result<Run, Refusal> {
    run_observed(packets, hardware, Simulated::new(netlist)?, limit, &mut ())
}

/// The same in a design of that netlist, every period of which `periods` sees.
///
/// # Errors
/// If the logic does not settle.
pub fn run_observed(
    packets: &Packets,
    hardware: &Hardware,
    design: Simulated,
    limit: u64,
    periods: &mut dyn PeriodObserver,
) -> Result<Run, Refusal> {
    let mut bench = DilatedBench::new(packets, hardware, design, periods);
    bench.reset()?;
    for pass in 0..hardware.passes() {
        if pass > 0 {
            bench.next_pass()?;
        }
        if !bench.pass(limit)? {
            break;
        }
    }
    Ok(bench.finish(limit))
}
