//! The optical butterfly as a device, in picoseconds: its times, what can be wrong with it, and what is told of packets in
//! it. Data that the reference (`frit-model`) and the testbench (`frit-rtl`) have in common; each works with it on its own.
//!
//! All routers are switched at the start of a slot. A packet does not fill its slot: it begins [`Times::lead_ps`] after
//! the slot's start and ends before the next, so that no light is in a switch while that switches. Every hop takes
//! exactly one slot: a fibre behind a switch is shorter by the time the light takes through the switch.
//!
//! ```
//! use frit_schedule::photonics::{Parameters, device::Times};
//! let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS)?;
//! assert_eq!((times.slot_ps, times.lit_bits, times.lead_ps), (1280, 126, 18));
//! # Ok::<(), frit_network::Refusal>(())
//! ```

use super::{Parameters, budget};
use crate::plan::Plan;
use crate::systolic::Systolic;
use frit_network::{LaneIdx, Refusal, RowIdx, SwitchState, refusal, refuse};
use frit_traffic::payload::MAX_WIDTH;

/// The longest slot; fibres are simulated as rings of as many words.
pub const MAX_SLOT_PS: u32 = 100_000;

/// The routing of a plan whose switches are optical.
///
/// # Errors
/// If they are not.
pub fn systolic(plan: &Plan) -> Result<&Systolic, Refusal> {
    let rule = plan.systolic().ok_or_else(|| {
        refusal!("{} is not made of optical switches; the device model works for obf only", plan.system)
    })?;
    match plan.pipeline {
        1 => Ok(rule),
        given => Err(refusal!(
            "obf with pipeline={given} is a device of registers; the device model works for pipeline=1, light that passes the switches"
        )),
    }
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
    pub fn new(parameters: &Parameters, propagation_ps: u32) -> Result<Self, Refusal> {
        let p = parameters;
        let budget = budget(p)?;
        if p.slots_per_link != 1 {
            refuse!(
                "links of {} slots are not possible; the device model has links of one slot, as in the paper",
                p.slots_per_link
            );
        }
        let bit_ps = whole("a bit", 1000.0 / p.bit_rate_gbps, 1, MAX_SLOT_PS)?;
        // How long light takes through a link, from its length.
        let link_ps = budget.link_mm / 1000.0 * p.refractive_index / p.light_speed_m_per_ns * 1000.0;
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

    /// Whether a device can have these; they may have been changed since [`Times::new`].
    pub fn check(&self) -> Result<(), Refusal> {
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
            refuse!("packets of {} bits are too long; give at most {MAX_WIDTH} bits", self.packet_bits);
        }
        Ok(())
    }
}

fn whole(what: &'static str, given_ps: f64, least: u32, most: u32) -> Result<u32, Refusal> {
    let nearest = given_ps.round();
    let near = (given_ps - nearest).abs() <= 1e-6;
    if near && nearest >= least.into() && nearest <= most.into() {
        Ok(nearest as u32)
    } else {
        Err(refusal!("{what} is {given_ps} ps, but must be a whole number of ps, {least}..={most}"))
    }
}

/// Something wrong with the device, put in on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceFault {
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
        row: RowIdx,
        /// The state it is in.
        state: SwitchState,
    },
}

impl DeviceFault {
    /// Whether the fault has a place in the network of a plan.
    pub fn check(&self, plan: &Plan) -> Result<(), Refusal> {
        let (levels, rows) = (plan.network.stages(), plan.network.switches_per_stage() - 1);
        match *self {
            DeviceFault::Stuck { level, row, .. } if !(1..=levels).contains(&level) || row.0 > rows => Err(
                refusal!("level {level}, row {row} has no switch; levels are 1..={levels}, rows 0..={rows}"),
            ),
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
    pub lane: LaneIdx,
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

/// A packet in a switch that is switching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// When.
    pub first_ps: u64,
    /// The level of the switch.
    pub level: u32,
    /// Its row.
    pub row: RowIdx,
    /// The slot of the packet.
    pub slot: u32,
    /// The lane of its sender.
    pub lane: LaneIdx,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Request, plan};

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
        // Links of 512 mm: slots of twice the length, half dark.
        let long = Times::new(&Parameters { link_mm: Some(512.0), ..Parameters::paper() }, 70).unwrap();
        assert_eq!((long.slot_ps, long.first_fibre_ps, long.lit_ps()), (2560, 2560, 1260));
        let quick = Parameters { switching_ps: 12.0, guard_ps: 8.0, ..Parameters::paper() };
        assert_eq!(Times::new(&quick, 70).unwrap().lead_ps, 16);
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
            "packets of 2048 bits are too long; give at most 1024 bits"
        );
        assert_eq!(
            error(Parameters { slots_per_link: 2, ..Parameters::paper() }),
            "links of 2 slots are not possible; the device model has links of one slot, as in the paper"
        );
        assert!(Times::new(&Parameters::paper(), 1280).is_err());
        let late = Times { lead_ps: 21, ..paper() };
        assert_eq!(
            late.check().unwrap_err().to_string(),
            "the end of a packet in its slot is 1281 ps, but must be a whole number of ps, 1..=1280"
        );
        let rls = plan(&Request::new("rls", 8)).unwrap();
        assert_eq!(
            systolic(&rls).unwrap_err().to_string(),
            "rls is not made of optical switches; the device model works for obf only"
        );
        let deep = plan(&Request::new("obf", 8).with("pipeline", "2")).unwrap();
        assert_eq!(
            systolic(&deep).unwrap_err().to_string(),
            "obf with pipeline=2 is a device of registers; the device model works for pipeline=1, light that passes the switches"
        );
        let obf = plan(&Request::new("obf", 8)).unwrap();
        assert_eq!(
            DeviceFault::Stuck { level: 3, row: RowIdx(0), state: SwitchState::Cross }
                .check(&obf)
                .unwrap_err()
                .to_string(),
            "level 3, row 0 has no switch; levels are 1..=2, rows 0..=7"
        );
    }
}
