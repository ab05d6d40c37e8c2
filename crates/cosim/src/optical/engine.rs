//! The engines of the device, and how long they take.

use crate::campaign;
use crate::simulator::Simulator;
use frit_schedule::Plan;
use frit_schedule::photonics::device::Times;
use std::time::Duration;

/// A simulator with one of the two models of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The switch in ticks under Verilator.
    Verilator,
    /// The switch in ticks under Icarus.
    Icarus,
    /// The switch with delays under Icarus.
    IcarusEvents,
}

impl Engine {
    /// All engines, in the order of the report.
    pub const ALL: [Engine; 3] = [Engine::Verilator, Engine::Icarus, Engine::IcarusEvents];

    pub(super) fn simulator(self) -> Simulator {
        match self {
            Engine::Verilator => Simulator::Verilator,
            Engine::Icarus | Engine::IcarusEvents => Simulator::Icarus,
        }
    }

    /// About how long it takes on a core of its own, build and run: measured on one machine in 2026
    /// (Verilator with n = 64: 22 s and 8 s; Icarus with n = 32: 86 s; a
    /// waveform makes the run of Verilator take five times as long), to be taken as an order of magnitude.
    pub fn estimate(self, plan: &Plan, times: &Times, wave: bool) -> Duration {
        let (lanes, switches) = (u64::from(plan.network.lanes()), plan.network.switches());
        // Everything with a delay is moved in every tick: the fibres, and two ways through each switch.
        let delays = lanes * u64::from(plan.network.stages() + 1) + 2 * switches;
        let ticks = u64::from(plan.rounds + plan.network.stages() + 2) * u64::from(times.slot_ps);
        let moved = (delays * ticks) as f64;
        // Icarus takes longest to put together what is expected, lane by lane into a vector of all lanes of a level.
        let expected = (lanes * lanes * u64::from(plan.network.stages() + 1) * ticks) as f64;
        let seconds = match self {
            Engine::Verilator if wave => 4.0 + 0.013 * delays as f64 + 0.6e-6 * moved,
            Engine::Verilator => 4.0 + 0.013 * delays as f64 + 0.13e-6 * moved,
            Engine::Icarus | Engine::IcarusEvents => 0.3 + 0.15e-6 * expected,
        };
        Duration::from_secs_f64(seconds)
    }
}

impl campaign::Engine for Engine {
    fn name(self) -> &'static str {
        match self {
            Engine::Verilator => "verilator",
            Engine::Icarus => "icarus",
            Engine::IcarusEvents => "icarus-events",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::photonics::Parameters;
    use frit_schedule::{Request, plan};

    #[test]
    fn icarus_takes_minutes_where_verilator_takes_half_a_minute() {
        let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap();
        let seconds = |engine: Engine, terminals: u64| {
            engine.estimate(&plan(&Request::new("obf", terminals)).unwrap(), &times, false).as_secs()
        };
        assert!((20..45).contains(&seconds(Engine::Verilator, 64)), "{}", seconds(Engine::Verilator, 64));
        assert!((300..1200).contains(&seconds(Engine::Icarus, 64)), "{}", seconds(Engine::Icarus, 64));
        assert!(seconds(Engine::Verilator, 128) > 60 && seconds(Engine::Icarus, 8) < 5);
    }
}
