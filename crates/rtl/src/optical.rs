//! The optical butterfly as a device, in picoseconds: a simulation-only model of its switches and fibres, the
//! testbench that sends a complete exchange through it, and the same times computed from first principles.
//!
//! All routers are switched at the start of a slot. A packet does not fill its slot: it begins [`Times::lead_ps`] after
//! the slot's start and ends before the next, so that no light is in a switch while that switches. Every hop takes
//! exactly one slot: a fibre behind a switch is shorter by the time the light takes through the switch.
//!
//! ```
//! use frit_rtl::optical::{Times, render};
//! use frit_schedule::{Request, photonics::Parameters, plan};
//! use frit_traffic::Payload;
//! let plan = plan(&Request::new("obf", 8))?;
//! let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS)?;
//! assert_eq!((times.slot_ps, times.lit_bits, times.lead_ps), (1280, 126, 18));
//! let files = render(&plan, &times, &Payload::random(8, times.packet_bits, 1))?;
//! assert!(files.iter().any(|(name, _)| name == "tb_optical_obf_n8.sv"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Files, memh};
use frit_network::{StageIdx, SwitchIdx, SwitchState};
use frit_schedule::photonics::{Parameters, PhotonicsError, budget};
use frit_schedule::plan::Plan;
use frit_schedule::systolic::Systolic;
use frit_traffic::payload::{MAX_WIDTH, Payload};
use serde::Serialize;
use std::fmt::Write;
use tera::{Context, Tera};

/// The largest dimension that is rendered: 256 processors have 4096 fibres.
pub const MAX_DIMENSION: u32 = 8;

/// The longest slot that is rendered; fibres are simulated as rings of as many words.
pub const MAX_SLOT_PS: u32 = 100_000;

/// Why there is no device model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpticalError {
    /// No optical butterfly.
    #[error("{given} is not made of optical switches: the device model is that of obf")]
    System {
        /// The system.
        given: &'static str,
    },
    /// Too many fibres.
    #[error("the device model of {given} processors would be too large: at most {}", 1 << MAX_DIMENSION)]
    Dimension {
        /// Processors.
        given: u32,
    },
    /// The parameters do not make an optical butterfly.
    #[error(transparent)]
    Photonics(#[from] PhotonicsError),
    /// A time that is no whole number of picoseconds, or out of range.
    #[error("{what} is {given_ps} ps, but must be a whole number of ps, {least}..={most}")]
    Time {
        /// Which.
        what: &'static str,
        /// What was given.
        given_ps: f64,
        /// The least allowed.
        least: u32,
        /// The most allowed.
        most: u32,
    },
    /// More bits than a word of payload may have.
    #[error("packets of {given} bits: at most {MAX_WIDTH}")]
    PacketBits {
        /// Bits of a packet.
        given: u32,
    },
    /// The payload was made for another design.
    #[error(
        "the payload is for {given_terminals} processors and has words of {given_bits} bits, expected {terminals} and {bits}"
    )]
    Payload {
        /// Terminals of the payload.
        given_terminals: u32,
        /// Bits of its words.
        given_bits: u32,
        /// Processors.
        terminals: u32,
        /// Bits of a packet.
        bits: u32,
    },
    /// A switch that is not there.
    #[error("there is no switch at level {level}, row {row}: levels are 1..={levels}, rows 0..={rows}")]
    Switch {
        /// The level given.
        level: u32,
        /// The row given.
        row: u32,
        /// The last level of switches.
        levels: u32,
        /// The last row.
        rows: u32,
    },
}

/// The times of the device, whole picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Time step of the network.
    pub slot_ps: u32,
    /// A bit.
    pub bit_ps: u32,
    /// Bits that would fill a slot.
    pub packet_bits: u32,
    /// Bits that a packet has.
    pub lit_bits: u32,
    /// From the start of the slot to that of the packet.
    pub lead_ps: u32,
    /// How long a switch has no defined output after a change of its control.
    pub switching_ps: u32,
    /// From the input of a switch to its output.
    pub propagation_ps: u32,
    /// Through a fibre from a processor.
    pub first_fibre_ps: u32,
    /// Through a fibre from a switch.
    pub fibre_ps: u32,
}

impl Times {
    /// Through a switch, if nothing else is known: an assumption, 10 mm of waveguide with an index of about 2.1.
    pub const PROPAGATION_PS: u32 = 70;

    /// The times that follow from the parameters of a budget, for switches through which light takes
    /// `propagation_ps`. Half of the guard time lies before the change of the control, the rest behind the window.
    pub fn new(parameters: &Parameters, propagation_ps: u32) -> Result<Self, OpticalError> {
        let p = parameters;
        let budget = budget(p)?;
        let bit_ps = whole("a bit", 1000.0 / p.bit_rate_gbps, 1, MAX_SLOT_PS)?;
        // How long light takes through a link, from its length.
        let link_ps = budget.packet_mm / 1000.0 * p.refractive_index / p.light_speed_m_per_ns * 1000.0;
        let slot_ps = whole("a slot", budget.slot_ns * 1000.0, 1, MAX_SLOT_PS)?;
        let first_fibre_ps = whole("a link", link_ps, 1, MAX_SLOT_PS)?;
        let switching_ps = whole("the switching time", p.switching_ps, 1, slot_ps)?;
        let guard_ps = whole("the guard time", p.guard_ps, 0, slot_ps)?;
        let propagation = whole("the time through a switch", propagation_ps.into(), 0, slot_ps - 1)?;
        let times = Times {
            slot_ps,
            bit_ps,
            packet_bits: p.packet_bits,
            lit_bits: budget.payload_bits,
            lead_ps: switching_ps + guard_ps - guard_ps / 2,
            switching_ps,
            propagation_ps: propagation,
            first_fibre_ps,
            fibre_ps: first_fibre_ps - propagation,
        };
        times.check()?;
        Ok(times)
    }

    /// How long the light of a packet lasts.
    pub fn lit_ps(&self) -> u32 {
        self.lit_bits * self.bit_ps
    }

    /// When the start of slot 0 comes to the inputs of a level.
    pub fn reaches_ps(&self, level: u32) -> u64 {
        let hop = u64::from(self.propagation_ps + self.fibre_ps);
        u64::from(self.first_fibre_ps) + u64::from(level - 1) * hop
    }

    /// Whether the templates can be filled with these; they may have been changed since [`Times::new`].
    fn check(&self) -> Result<(), OpticalError> {
        let ends = u64::from(self.lead_ps) + u64::from(self.lit_bits) * u64::from(self.bit_ps);
        for (what, given, least, most) in [
            ("a slot", self.slot_ps, 1, MAX_SLOT_PS),
            ("a bit", self.bit_ps, 1, self.slot_ps),
            ("a packet that fills a slot", self.packet_bits.saturating_mul(self.bit_ps), 1, self.slot_ps),
            ("a packet", self.lit_bits.saturating_mul(self.bit_ps), 1, self.packet_bits * self.bit_ps),
            ("the end of a packet in its slot", u32::try_from(ends).unwrap_or(u32::MAX), 1, self.slot_ps),
            ("the switching time", self.switching_ps, 1, self.slot_ps),
            ("the time through a switch", self.propagation_ps, 0, self.slot_ps),
            ("a fibre from a processor", self.first_fibre_ps, 0, MAX_SLOT_PS),
            ("a fibre from a switch", self.fibre_ps, 0, MAX_SLOT_PS),
        ] {
            whole(what, given.into(), least, most)?;
        }
        if self.packet_bits > MAX_WIDTH {
            return Err(OpticalError::PacketBits { given: self.packet_bits });
        }
        Ok(())
    }

    /// These with packets that fill their slots.
    fn without_gap(self) -> Self {
        Times { lead_ps: 0, lit_bits: self.packet_bits, ..self }
    }
}

fn whole(what: &'static str, given_ps: f64, least: u32, most: u32) -> Result<u32, OpticalError> {
    let nearest = given_ps.round();
    let near = (given_ps - nearest).abs() <= 1e-6;
    if near && nearest >= least.into() && nearest <= most.into() {
        Ok(nearest as u32)
    } else {
        Err(OpticalError::Time { what, given_ps, least, most })
    }
}

/// Something wrong with the device, put into the testbench when it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Packets fill their slots: no time to switch, no guard.
    NoGap,
    /// The control of all switches comes later, or earlier if negative.
    Skew {
        /// By so much.
        ps: i32,
    },
    /// The control comes one step late.
    LateStep,
    /// A switch does not follow its control.
    Stuck {
        /// Its level, 1 the first.
        level: u32,
        /// Its row.
        row: u32,
        /// The state it is in.
        state: SwitchState,
    },
}

impl Fault {
    /// What the testbench is started with.
    pub fn plusargs(&self) -> Vec<String> {
        match *self {
            Fault::NoGap => vec!["+nogap".into()],
            Fault::Skew { ps } => vec![format!("+skew={ps}")],
            Fault::LateStep => vec!["+late".into()],
            Fault::Stuck { level, row, state } => {
                let state = u32::from(state.bit());
                vec![format!("+stuck={state}"), format!("+level={level}"), format!("+row={row}")]
            }
        }
    }

    /// Whether the fault has a place in the network of a plan.
    pub fn check(&self, plan: &Plan) -> Result<(), OpticalError> {
        let (levels, rows) = (plan.network.stages(), plan.network.switches_per_stage() - 1);
        match *self {
            Fault::Stuck { level, row, .. } if !(1..=levels).contains(&level) || row > rows => {
                Err(OpticalError::Switch { level, row, levels, rows })
            }
            _ => Ok(()),
        }
    }
}

/// A packet at a place: at the outputs of a switch, or at the inputs of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passage {
    /// The level; r is that of the receiving processors.
    pub level: u32,
    /// The lane: 2w is up, 2w + 1 down, of row w.
    pub lane: u32,
    /// The slot in which the packet was sent.
    pub slot: u32,
    /// Its sender.
    pub source: u32,
    /// Where it is to go.
    pub destination: u32,
    /// When its light begins.
    pub first_ps: u64,
    /// When its light has ended.
    pub end_ps: u64,
}

/// When every packet of the exchange leaves every switch and arrives, from the times of the device alone: by level,
/// lane and slot.
pub fn passages(plan: &Plan, times: &Times) -> Result<Vec<Passage>, OpticalError> {
    systolic(plan)?;
    let (last, lit) = (plan.network.stages() + 1, u64::from(times.lit_ps()));
    let mut all = Vec::new();
    for slot in 0..plan.rounds {
        for (level, senders) in (1..).zip(senders(plan, slot)) {
            let through = if level < last { times.propagation_ps } else { 0 };
            let first_ps = u64::from(slot) * u64::from(times.slot_ps)
                + u64::from(times.lead_ps)
                + times.reaches_ps(level)
                + u64::from(through);
            all.extend((0..).zip(senders).map(|(lane, sender)| Passage {
                level,
                lane,
                slot,
                source: sender / 2,
                destination: plan.destination(slot, sender) / 2,
                first_ps,
                end_ps: first_ps + lit,
            }));
        }
    }
    all.sort_unstable();
    Ok(all)
}

/// A packet in a switch that is switching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// When.
    pub first_ps: u64,
    /// The level of the switch.
    pub level: u32,
    /// Its row.
    pub row: u32,
    /// The slot of the packet.
    pub slot: u32,
    /// The lane of its sender.
    pub lane: u32,
}

/// The first packet that meets a switching window, if the control comes `skew_ps` late: where intervals of light and of
/// switching overlap.
pub fn first_touch(plan: &Plan, times: &Times, fault: Option<Fault>) -> Result<Option<Touch>, OpticalError> {
    let rule = systolic(plan)?;
    let times = if fault == Some(Fault::NoGap) { times.without_gap() } else { *times };
    let skew = if let Some(Fault::Skew { ps }) = fault { i64::from(ps) } else { 0 };
    let late = u64::from(fault == Some(Fault::LateStep));
    let slot_ps = i64::from(times.slot_ps);
    let mut first: Option<Touch> = None;
    for step in (1..steps(plan)).filter(|&step| rule.state(step) != rule.state(step - 1)) {
        let window = (step + late) as i64 * slot_ps + skew;
        for slot in 0..plan.rounds {
            for (level, senders) in (1..=plan.network.stages()).zip(inputs(plan, slot)) {
                let light =
                    i64::from(slot) * slot_ps + times.reaches_ps(level) as i64 + i64::from(times.lead_ps);
                let begins = light.max(window);
                if begins < (light + i64::from(times.lit_ps())).min(window + i64::from(times.switching_ps)) {
                    // Every router has a packet at both inputs in every slot; the upper one is named.
                    let touch = Touch { first_ps: begins as u64, level, row: 0, slot, lane: senders[0] };
                    first = Some(first.map_or(touch, |other| other.min(touch)));
                }
            }
        }
    }
    Ok(first)
}

/// The names of the files that the engines read, and the name of the design, `optical_obf_n8`.
pub fn design_name(plan: &Plan) -> String {
    format!("optical_{}", plan.name())
}

/// The device model of an optical butterfly: switch (in ticks, and with delays), fibre, network, testbench, tables, file
/// lists and Makefile.
pub fn render(plan: &Plan, times: &Times, payload: &Payload) -> Result<Files, OpticalError> {
    let rule = systolic(plan)?;
    times.check()?;
    let (terminals, bits) = (plan.network.terminals(), times.packet_bits);
    if rule.dimension() > MAX_DIMENSION {
        return Err(OpticalError::Dimension { given: terminals });
    }
    if (payload.terminals(), payload.width_bits()) != (terminals, bits) {
        let (given_terminals, given_bits) = (payload.terminals(), payload.width_bits());
        return Err(OpticalError::Payload { given_terminals, given_bits, terminals, bits });
    }
    let name = design_name(plan);
    let context = context(&device(plan, rule, times, &name));
    let fill = |template: &str| {
        Tera::one_off(template, &context, false)
            .expect("a template of this crate names only what it is given")
    };
    Ok(vec![
        (
            "frit_linbo3_switch.v".into(),
            include_str!("../../../testbench/optical/frit_linbo3_switch.v").into(),
        ),
        (
            "frit_linbo3_switch_events.v".into(),
            include_str!("../../../testbench/optical/frit_linbo3_switch_events.v").into(),
        ),
        ("frit_fibre.v".into(), include_str!("../../../testbench/optical/frit_fibre.v").into()),
        (format!("{name}_optics.v"), fill(include_str!("../../../testbench/optical/optics.v.tera"))),
        (format!("tb_{name}.sv"), fill(include_str!("../../../testbench/optical/tb.sv.tera"))),
        (format!("tb_{name}_events.sv"), fill(include_str!("../../../testbench/optical/tb_events.sv.tera"))),
        (format!("{name}_payload.memh"), memh::payload(&name, payload)),
        (format!("{name}_control.memh"), control_table(&name, plan, rule)),
        (format!("{name}_routes.memh"), route_table(&name, plan)),
        (format!("{name}_destinations.memh"), destination_table(&name, plan)),
        (format!("{name}_tb.f"), fill(include_str!("../../../testbench/optical/tb.f.tera"))),
        (format!("{name}_events_tb.f"), fill(include_str!("../../../testbench/optical/events_tb.f.tera"))),
        ("Makefile".into(), fill(include_str!("../../../testbench/optical/Makefile.tera"))),
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
    lane: u32,
    to: u32,
}

fn device<'a>(plan: &Plan, rule: &Systolic, times: &Times, design: &'a str) -> Device<'a> {
    let (network, r) = (&plan.network, rule.dimension());
    let tag_bits = (plan.rounds * network.lanes() - 1).ilog2() + 1;
    let links = (0..)
        .zip(network.links())
        .flat_map(|(level, link)| (0..).zip(link).map(move |(lane, &to)| Link { level, lane, to }));
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

fn systolic(plan: &Plan) -> Result<&Systolic, OpticalError> {
    plan.systolic().ok_or(OpticalError::System { given: plan.system })
}

/// For each level of routers, the senders of the packets at its inputs in a slot.
fn inputs(plan: &Plan, slot: u32) -> Vec<Vec<u32>> {
    walk(plan, slot).0
}

/// For each level of routers the senders of the packets at its outputs in a slot, and those at the processors.
fn senders(plan: &Plan, slot: u32) -> Vec<Vec<u32>> {
    walk(plan, slot).1
}

fn walk(plan: &Plan, slot: u32) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let network = &plan.network;
    let mut at: Vec<u32> = (0..network.lanes()).collect();
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for column in 0..=network.stages() {
        let link = network.link(StageIdx(column));
        let mut next = vec![0; at.len()];
        for (lane, &to) in link.iter().enumerate() {
            next[to as usize] = at[lane];
        }
        at = next;
        before.push(at.clone());
        if column < network.stages() {
            for (switch, pair) in (0..).zip(at.chunks_exact_mut(2)) {
                if plan.stage_state(slot, StageIdx(column), SwitchIdx(switch)) == Some(SwitchState::Cross) {
                    pair.swap(0, 1);
                }
            }
        }
        behind.push(at.clone());
    }
    (before, behind)
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
    let rows = (0..plan.rounds)
        .flat_map(|slot| (0..plan.network.lanes()).map(move |lane| plan.destination(slot, lane) / 2));
    table(design, "destinations; word [slot * lanes + lane of the sender]", rows)
}

// A struct of plain fields: a failure is a mistake in it.
fn context(values: &impl Serialize) -> Context {
    Context::from_serialize(values).expect("a struct of plain fields is a context")
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    fn obf(terminals: u64) -> Plan {
        plan(&Request::new("obf", terminals)).unwrap()
    }

    fn paper() -> Times {
        Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap()
    }

    #[test]
    fn times_of_the_paper() {
        let times = paper();
        // 100 Gb/s, 128 bits, 256 mm of index 1.5; 15 ps of switching and 5 ps of guard take two bits.
        assert_eq!((times.bit_ps, times.slot_ps, times.lit_ps()), (10, 1280, 1260));
        assert_eq!((times.first_fibre_ps, times.propagation_ps, times.fibre_ps), (1280, 70, 1210));
        // 15 ps of window, 3 ps of guard, the packet, 2 ps of guard.
        assert_eq!((times.lead_ps, times.lead_ps + times.lit_ps()), (18, 1278));
        assert!((1..=8).all(|level| times.reaches_ps(level) == 1280 * u64::from(level)));
        let quick = Parameters { switching_ps: 12.0, guard_ps: 8.0, ..Parameters::paper() };
        assert_eq!(Times::new(&quick, 70).unwrap().lead_ps, 16);
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
                assert_eq!(arrival.lane / 2, arrival.destination);
                assert!(pairs.insert((arrival.source, arrival.destination)));
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_is_allowed() {
        let error = |p: Parameters| Times::new(&p, 70).unwrap_err().to_string();
        assert_eq!(
            error(Parameters { bit_rate_gbps: 30.0, ..Parameters::paper() }),
            "a bit is 33.333333333333336 ps, but must be a whole number of ps, 1..=100000"
        );
        assert_eq!(
            error(Parameters { switching_ps: 0.0, ..Parameters::paper() }),
            "the switching time is 0 ps, but must be a whole number of ps, 1..=1280"
        );
        assert_eq!(
            error(Parameters { packet_bits: 2048, ..Parameters::paper() }),
            "packets of 2048 bits: at most 1024"
        );
        assert!(Times::new(&Parameters::paper(), 1280).is_err());
        let late = Times { lead_ps: 21, ..paper() };
        assert_eq!(
            render(&obf(8), &late, &Payload::zero(8, 128)).unwrap_err().to_string(),
            "the end of a packet in its slot is 1281 ps, but must be a whole number of ps, 1..=1280"
        );
        let error = |plan: &Plan, payload: Payload| render(plan, &paper(), &payload).unwrap_err().to_string();
        let rls = plan(&Request::new("rls", 8)).unwrap();
        assert_eq!(
            error(&rls, Payload::zero(8, 128)),
            "rls is not made of optical switches: the device model is that of obf"
        );
        assert_eq!(
            error(&obf(512), Payload::zero(8, 128)),
            "the device model of 512 processors would be too large: at most 256"
        );
        assert_eq!(
            error(&obf(8), Payload::zero(8, 126)),
            "the payload is for 8 processors and has words of 126 bits, expected 8 and 128"
        );
        assert_eq!(
            Fault::Stuck { level: 3, row: 0, state: SwitchState::Cross }
                .check(&obf(8))
                .unwrap_err()
                .to_string(),
            "there is no switch at level 3, row 0: levels are 1..=2, rows 0..=7"
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
