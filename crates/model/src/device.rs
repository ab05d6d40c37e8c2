//! The optical butterfly as a device: when every packet passes every switch, in picoseconds, and where light and a
//! switching switch meet. The reference of the testbench that `frit-rtl` writes, from the times of the device alone.
//!
//! Each packet is followed by itself. Where it leaves a switch follows from the control at the time when its light comes
//! in, and that time from the lengths on its way; the testbench's table has the states of a round and a stage instead, so
//! that a mistake in either shows in the other.
//!
//! ```
//! use frit_model::device::{first_touch, passages};
//! use frit_schedule::photonics::{Parameters, device::{DeviceFault, Times}};
//! use frit_schedule::{Request, plan};
//! let plan = plan(&Request::new("obf", 8))?;
//! let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS)?;
//! // 8 slots of 2 lanes each to 8 processors, at two levels of switches and at the receivers.
//! assert_eq!(passages(&plan, &times)?.len(), 64 * 3);
//! assert_eq!(first_touch(&plan, &times, None)?, None);
//! assert!(first_touch(&plan, &times, Some(DeviceFault::NoGap))?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use frit_network::{LaneIdx, Refusal, RoundIdx, RowIdx, StageIdx, SwitchState};
use frit_schedule::Plan;
use frit_schedule::photonics::device::{DeviceFault, Passage, Times, Touch, systolic};
use frit_schedule::systolic::Systolic;

/// A packet at the inputs of a level.
struct Incoming {
    /// The level; r is that of the receiving processors.
    level: u32,
    /// The lane on which it comes.
    lane: LaneIdx,
    /// When its first light comes.
    first_ps: u64,
}

/// Follows the packet that a lane sends in a slot to its receiver, level by level.
fn follow<'a>(
    plan: &'a Plan,
    rule: &'a Systolic,
    times: &'a Times,
    slot: u32,
    sender: u32,
) -> impl Iterator<Item = Incoming> + 'a {
    let link = |column: u32, lane: u32| plan.network.link(StageIdx(column))[lane as usize];
    let first_ps = u64::from(slot) * u64::from(times.slot_ps)
        + u64::from(times.lead_ps)
        + u64::from(times.first_fibre_ps);
    let first = Incoming { level: 1, lane: LaneIdx(link(0, sender)), first_ps };
    std::iter::successors(Some(first), move |packet| {
        (packet.level <= plan.network.stages()).then(|| {
            let lane = leaves_on(rule, times, packet);
            let hop_ps = u64::from(times.propagation_ps) + u64::from(times.fibre_ps);
            Incoming {
                level: packet.level + 1,
                lane: LaneIdx(link(packet.level, lane.0)),
                first_ps: packet.first_ps + hop_ps,
            }
        })
    })
}

/// The lane on which a packet leaves the switch it comes to: the control changes with the slots, for all switches.
fn leaves_on(rule: &Systolic, times: &Times, packet: &Incoming) -> LaneIdx {
    match rule.state(packet.first_ps / u64::from(times.slot_ps)) {
        SwitchState::Straight => packet.lane,
        SwitchState::Cross => LaneIdx(packet.lane.0 ^ 1),
    }
}

/// When every packet of the exchange leaves every switch and arrives: by level, lane and slot.
///
/// # Errors
/// If the switches of the plan are not optical.
pub fn passages(plan: &Plan, times: &Times) -> Result<Vec<Passage>, Refusal> {
    let rule = systolic(plan)?;
    let stages = plan.network.stages();
    let mut all = Vec::new();
    for slot in 0..plan.rounds {
        for sender in 0..plan.network.lanes() {
            let destination = plan.destination(RoundIdx(slot), LaneIdx(sender)).0 / 2;
            all.extend(follow(plan, rule, times, slot, sender).map(|packet| {
                let (lane, through_ps) = match packet.level <= stages {
                    true => (leaves_on(rule, times, &packet), times.propagation_ps),
                    false => (packet.lane, 0),
                };
                let first_ps = packet.first_ps + u64::from(through_ps);
                let end_ps = first_ps + u64::from(times.lit_ps());
                Passage { level: packet.level, lane, slot, source: sender / 2, destination, first_ps, end_ps }
            }));
        }
    }
    all.sort_unstable();
    Ok(all)
}

/// The first packet that meets a switching window: where intervals of light and of switching overlap. With a fault the
/// packets are still named by the way they should take.
///
/// # Errors
/// If the switches of the plan are not optical.
pub fn first_touch(plan: &Plan, times: &Times, fault: Option<DeviceFault>) -> Result<Option<Touch>, Refusal> {
    let rule = systolic(plan)?;
    let lit = match fault {
        Some(DeviceFault::NoGap) => Times { lead_ps: 0, lit_bits: times.packet_bits, ..*times },
        _ => *times,
    };
    let late_ps = match fault {
        Some(DeviceFault::Skew { ps }) => i64::from(ps),
        Some(DeviceFault::LateStep) => i64::from(times.slot_ps),
        _ => 0,
    };
    // All routers change at once; the last packets pass the last of them in the last step.
    let steps = u64::from(plan.rounds) + u64::from(plan.network.stages());
    let windows: Vec<(i64, i64)> = (1..steps)
        .filter(|&step| rule.state(step) != rule.state(step - 1))
        .map(|step| step as i64 * i64::from(times.slot_ps) + late_ps)
        .map(|begins| (begins, begins + i64::from(times.switching_ps)))
        .collect();
    let mut first: Option<Touch> = None;
    for slot in 0..plan.rounds {
        for lane in 0..plan.network.lanes() {
            // Every router has a packet at both inputs in every slot, at the same time: the upper one in row 0 is named.
            for packet in follow(plan, rule, &lit, slot, lane)
                .filter(|packet| packet.level <= plan.network.stages() && packet.lane == LaneIdx(0))
            {
                let (begins, ends) =
                    (packet.first_ps as i64, packet.first_ps as i64 + i64::from(lit.lit_ps()));
                let meets = windows.iter().find(|window| begins.max(window.0) < ends.min(window.1));
                if let Some(window) = meets {
                    let first_ps = begins.max(window.0) as u64;
                    let touch =
                        Touch { first_ps, level: packet.level, row: RowIdx(0), slot, lane: LaneIdx(lane) };
                    first = Some(first.map_or(touch, |other| other.min(touch)));
                }
            }
        }
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::photonics::Parameters;
    use frit_schedule::{Request, plan};

    fn obf(terminals: u64) -> Plan {
        plan(&Request::new("obf", terminals)).unwrap()
    }

    fn paper() -> Times {
        Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap()
    }

    #[test]
    fn a_packet_is_at_the_inputs_of_level_j_j_slots_after_it_was_sent() {
        let (plan, times) = (obf(16), paper());
        let rule = systolic(&plan).unwrap();
        let packets: Vec<Incoming> = follow(&plan, rule, &times, 3, 5).collect();
        assert_eq!(packets.len() as u32, plan.latency());
        for packet in packets {
            assert_eq!(packet.first_ps, u64::from(1280 * (3 + packet.level) + 18));
        }
    }

    #[test]
    fn a_packet_arrives_r_slots_after_it_was_sent_at_its_destination() {
        for terminals in [4, 8, 16, 32] {
            let (plan, times) = (obf(terminals), paper());
            let arrivals: Vec<Passage> =
                passages(&plan, &times).unwrap().into_iter().filter(|p| p.level == plan.latency()).collect();
            assert_eq!(arrivals.len() as u64, terminals * terminals);
            let mut pairs = std::collections::BTreeSet::new();
            for arrival in arrivals {
                assert_eq!(arrival.first_ps, u64::from((arrival.slot + plan.latency()) * 1280 + 18));
                assert_eq!(arrival.lane.0 / 2, arrival.destination);
                assert!(pairs.insert((arrival.source, arrival.destination)));
            }
        }
    }

    #[test]
    fn in_no_dimension_does_a_window_meet_light() {
        for r in 2..=8 {
            assert_eq!(first_touch(&obf(1 << r), &paper(), None).unwrap(), None);
            assert!(first_touch(&obf(1 << r), &paper(), Some(DeviceFault::NoGap)).unwrap().is_some());
        }
    }

    #[test]
    fn fibres_that_are_not_shortened_bring_a_packet_into_a_window() {
        let times = Times { fibre_ps: paper().first_fibre_ps, ..paper() };
        // The control of step 4 comes while the packets of slot 1 are at level 2.
        let touch = first_touch(&obf(8), &times, None).unwrap().unwrap();
        assert_eq!((touch.first_ps, touch.level, touch.slot), (5120, 2, 1));
    }

    #[test]
    fn other_switches_are_refused() {
        let rls = plan(&Request::new("rls", 8)).unwrap();
        let expected = "rls is not made of optical switches; the device model works for obf only";
        assert_eq!(passages(&rls, &paper()).unwrap_err().to_string(), expected);
        assert_eq!(first_touch(&rls, &paper(), None).unwrap_err().to_string(), expected);
    }
}
