//! The optical butterfly as a device, in picoseconds: a simulation-only model of its switches and fibres, and the
//! testbench that sends a complete exchange through it, with the tables of what it expects. The same paths and times are
//! computed once more by `frit-model`, from the device's times alone.
//!
//! ```
//! use frit_rtl::optical::render;
//! use frit_schedule::photonics::{Parameters, device::Times};
//! use frit_schedule::{Request, plan};
//! use frit_traffic::Payload;
//! let plan = plan(&Request::new("obf", 8))?;
//! let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS)?;
//! let files = render(&plan, &times, &Payload::random(8, times.packet_bits, 1))?;
//! assert!(files.iter().any(|(name, _)| name == "tb_optical_obf_n8.sv"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::template::{context, fill};
use crate::{Files, memh};
use frit_network::{LaneIdx, Refusal, RoundIdx, StageIdx, SwitchIdx, SwitchState, refuse};
use frit_schedule::photonics::device::{DeviceFault, Times, systolic};
use frit_schedule::plan::Plan;
use frit_schedule::systolic::Systolic;
use frit_traffic::Payload;
use serde::Serialize;
use std::fmt::Write;

/// The largest dimension that is rendered: 256 processors have 4096 fibres.
pub const MAX_DIMENSION: u32 = 8;

/// What the testbench is started with to have this fault.
pub fn plusargs(fault: &DeviceFault) -> Vec<String> {
    match *fault {
        DeviceFault::NoGap => vec!["+nogap".into()],
        DeviceFault::Skew { ps } => vec![format!("+skew={ps}")],
        DeviceFault::LateStep => vec!["+late".into()],
        DeviceFault::Stuck { level, row, state } => {
            let state = u32::from(state.bit());
            vec![format!("+stuck={state}"), format!("+level={level}"), format!("+row={row}")]
        }
    }
}

/// The names of the files that the engines read, and the name of the design, `optical_obf_n8`.
pub fn design_name(plan: &Plan) -> String {
    format!("optical_{}", plan.name())
}

/// The device model of an optical butterfly: switch (in ticks, and with delays), fibre, network, testbench, tables, file
/// lists and Makefile.
pub fn render(plan: &Plan, times: &Times, payload: &Payload) -> Result<Files, Refusal> {
    let rule = systolic(plan)?;
    times.check()?;
    let (terminals, bits) = (plan.network.terminals(), times.packet_bits);
    if rule.dimension() > MAX_DIMENSION {
        refuse!(
            "the device model of {terminals} processors would be too large; give at most {} processors",
            1 << MAX_DIMENSION
        );
    }
    if (payload.terminals(), payload.width_bits()) != (terminals, bits) {
        let (given_terminals, given_bits) = (payload.terminals(), payload.width_bits());
        refuse!(
            "the payload is for {given_terminals} processors and has words of {given_bits} bits, expected {terminals} and {bits}"
        );
    }
    let name = design_name(plan);
    let context = context(&device(plan, rule, times, &name));
    let fill = |template: &str| fill(template, &context);
    Ok(vec![
        ("frit_linbo3_switch.v".into(), include_str!("../testbench/optical/frit_linbo3_switch.v").into()),
        (
            "frit_linbo3_switch_events.v".into(),
            include_str!("../testbench/optical/frit_linbo3_switch_events.v").into(),
        ),
        ("frit_fibre.v".into(), include_str!("../testbench/optical/frit_fibre.v").into()),
        (format!("{name}_optics.v"), fill(include_str!("../testbench/optical/optics.v.tera"))),
        (format!("tb_{name}.sv"), fill(include_str!("../testbench/optical/tb.sv.tera"))),
        (format!("tb_{name}_events.sv"), fill(include_str!("../testbench/optical/tb_events.sv.tera"))),
        (format!("tb_{name}_drawn.sv"), fill(include_str!("../testbench/optical/tb_drawn.sv.tera"))),
        (format!("{name}_payload.memh"), memh::payload(&name, payload)),
        (format!("{name}_control.memh"), control_table(&name, plan, rule)),
        (format!("{name}_routes.memh"), route_table(&name, plan)),
        (format!("{name}_destinations.memh"), destination_table(&name, plan)),
        (format!("{name}_tb.f"), fill(include_str!("../testbench/optical/tb.f.tera"))),
        (format!("{name}_events_tb.f"), fill(include_str!("../testbench/optical/events_tb.f.tera"))),
        (format!("{name}_drawn_tb.f"), fill(include_str!("../testbench/optical/drawn_tb.f.tera"))),
        ("Makefile".into(), fill(include_str!("../testbench/optical/Makefile.tera"))),
    ])
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Device<'a> {
    design: &'a str,
    source: &'a str,
    terminals: u32,
    lanes: u32,
    dimension: u32,
    stages: u32,
    levels: Vec<u32>,
    router_levels: Vec<u32>,
    switches: u64,
    slots: u32,
    steps: u64,
    lane_bits: u32,
    terminal_bits: u32,
    tag_bits: u32,
    bits: u32,
    links: Vec<Link>,
    slot_ps: u32,
    bit_ps: u32,
    packet_bits: u32,
    lit_bits: u32,
    lead_ps: u32,
    switching_ps: u32,
    propagation_ps: u32,
    first_fibre_ps: u32,
    fibre_ps: u32,
    end_ps: u64,
}

/// A fibre from a lane of a level to one of the next.
#[derive(Serialize)]
struct Link {
    level: u32,
    lane: LaneIdx,
    to: u32,
}

fn device<'a>(plan: &Plan, rule: &Systolic, times: &Times, design: &'a str) -> Device<'a> {
    let (network, r) = (&plan.network, rule.dimension());
    let tag_bits = (plan.rounds * network.lanes() - 1).ilog2() + 1;
    let links = (0..).zip(network.links()).flat_map(|(level, link)| {
        (0..).zip(link).map(move |(lane, &to)| Link { level, lane: LaneIdx(lane), to })
    });
    Device {
        design,
        source: plan.figures.source,
        terminals: network.terminals(),
        lanes: network.lanes(),
        dimension: r,
        stages: network.stages(),
        levels: (1..=r).collect(),
        router_levels: (1..r).collect(),
        switches: network.switches(),
        slots: plan.rounds,
        steps: steps(plan),
        lane_bits: r + 1,
        terminal_bits: r,
        tag_bits,
        bits: tag_bits + 3,
        links: links.collect(),
        slot_ps: times.slot_ps,
        bit_ps: times.bit_ps,
        packet_bits: times.packet_bits,
        lit_bits: times.lit_bits,
        lead_ps: times.lead_ps,
        switching_ps: times.switching_ps,
        propagation_ps: times.propagation_ps,
        first_fibre_ps: times.first_fibre_ps,
        fibre_ps: times.fibre_ps,
        // The slot after the last in which light arrives.
        end_ps: (steps(plan) + 2) * u64::from(times.slot_ps),
    }
}

/// The steps 0 … T + r - 2, in the last of which the last packets pass the last routers.
fn steps(plan: &Plan) -> u64 {
    u64::from(plan.rounds) + u64::from(plan.network.stages())
}

/// For each level of routers the senders of the packets at its outputs in a slot, and those at the processors: what the
/// testbench expects, from the states that the schedule gives the switches in a round.
fn senders(plan: &Plan, slot: u32) -> Vec<Vec<u32>> {
    let network = &plan.network;
    let mut at: Vec<u32> = (0..network.lanes()).collect();
    let mut behind = Vec::new();
    for column in 0..=network.stages() {
        let link = network.link(StageIdx(column));
        let mut next = vec![0; at.len()];
        for (lane, &to) in link.iter().enumerate() {
            next[to as usize] = at[lane];
        }
        at = next;
        if column < network.stages() {
            for (switch, pair) in (0..).zip(at.chunks_exact_mut(2)) {
                if plan.stage_state(RoundIdx(slot), StageIdx(column), SwitchIdx(switch))
                    == Some(SwitchState::Cross)
                {
                    pair.swap(0, 1);
                }
            }
        }
        behind.push(at.clone());
    }
    behind
}

// Writing to a string cannot fail.
fn table(design: &str, what: &str, rows: impl Iterator<Item = u32>) -> String {
    let mut text = format!("// {design}: {what}.\n// Generated; do not edit.\n");
    rows.for_each(|word| writeln!(text, "{word:x}").expect("a string grows"));
    text
}

fn control_table(design: &str, plan: &Plan, rule: &Systolic) -> String {
    let states = (0..steps(plan)).map(|step| u32::from(rule.state(step).bit()));
    table(design, "state of all switches; word [step], 0 push, 1 invert", states)
}

fn route_table(design: &str, plan: &Plan) -> String {
    let what =
        "whose packet is where; word [(slot * levels + level - 1) * lanes + lane] is the lane of its sender";
    let rows = (0..plan.rounds).flat_map(|slot| senders(plan, slot)).flatten();
    table(design, what, rows)
}

fn destination_table(design: &str, plan: &Plan) -> String {
    let rows = RoundIdx::all(plan.rounds).flat_map(|slot| {
        LaneIdx::all(plan.network.lanes()).map(move |lane| plan.destination(slot, lane).0 / 2)
    });
    table(design, "destinations; word [slot * lanes + lane of the sender]", rows)
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
    fn what_does_not_fit_is_refused_with_what_is_allowed() {
        let late = Times { lead_ps: 21, ..paper() };
        assert_eq!(
            render(&obf(8), &late, &Payload::zero(8, 128)).unwrap_err().to_string(),
            "the end of a packet in its slot is 1281 ps, but must be a whole number of ps, 1..=1280"
        );
        let error = |plan: &Plan, payload: Payload| render(plan, &paper(), &payload).unwrap_err().to_string();
        let rls = plan(&Request::new("rls", 8)).unwrap();
        assert_eq!(
            error(&rls, Payload::zero(8, 128)),
            "rls is not made of optical switches; the device model works for obf only"
        );
        assert_eq!(
            error(&obf(512), Payload::zero(8, 128)),
            "the device model of 512 processors would be too large; give at most 256 processors"
        );
        assert_eq!(
            error(&obf(8), Payload::zero(8, 126)),
            "the payload is for 8 processors and has words of 126 bits, expected 8 and 128"
        );
    }

    #[test]
    fn files_are_the_same_each_time_and_fit_to_read() {
        let payload = Payload::random(64, 128, 1);
        let files = render(&obf(64), &paper(), &payload).unwrap();
        assert_eq!(files, render(&obf(64), &paper(), &payload).unwrap());
        for (name, text) in files {
            let long: Vec<&str> = text.lines().filter(|line| line.len() > 130).collect();
            assert!(long.is_empty() && text.is_ascii(), "{name}: {long:#?}");
        }
    }
}
