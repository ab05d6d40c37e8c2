//! The optical butterfly as a device: lengths, times, power and crosstalk ("Systolic Routing in an Optical Butterfly",
//! section 2.3).
//!
//! A link is exactly one slot of fibre long, so a packet that enters it at the start of a slot leaves it at the start of
//! the next, and all routers may be switched at once. Links of another length are ours: a whole number of slots, so that this
//! stays so, and a packet may be shorter than a slot ([`Parameters::link_mm`]). A path is r links and r - 1 routers. The network has r · 2^(r+1)
//! links, those from and to the processors included: this is how the paper comes to 200 m of fibre in six dimensions
//! (768 links of 256 mm are 196.6 m).
//!
//! ```
//! use frit_schedule::photonics::{Parameters, budget};
//! let budget = budget(&Parameters::paper())?;
//! assert_eq!(budget.clock_cycles, 8);
//! # Ok::<(), frit_network::Refusal>(())
//! ```

use frit_network::{Refusal, refusal, refuse};

pub mod device;

/// The largest dimension that is considered.
pub const MAX_DIMENSION: u32 = 20;

/// What the paper prints in section 2.3, rounded as there.
pub const PRINTED: [(&str, &str); 6] = [
    ("length of a bit", "2 mm"),
    ("length of a packet", "256 mm"),
    ("slot", "1.3 ns"),
    ("fibre in all", "200 m"),
    ("travel between two routers", "1.3 clock cycles"),
    ("routing time", "8 clock cycles"),
];

/// Where the parameters of [`Parameters::paper`] come from.
pub const SOURCES: [(&str, &str); 6] = [
    (
        "bit rate, packet, index, speed of light, switching, clock",
        "\"Systolic Routing in an Optical Butterfly\", section 2.3: 100 Gb/s, 128 bits, 1.5, 0.3 m/ns, 10 to 15 ps, 1 GHz",
    ),
    (
        "loss per switch, 4 dB",
        "D. Hoffman, H. Heidrich, H. Ahlers, M. K. Fluge, \"Performance of rearrangeable nonblocking 4*4 switch matrices \
         on LiNbO3\", IEEE Journal on Selected Areas in Communications 6(7), 1988, pp. 1232-1240: 4 to 7 dB for modules \
         with fibre pigtails; a router is such a module, and a small one",
    ),
    (
        "crosstalk per switch, -48 dB",
        "A. Chiba et al., \"Low-Crosstalk Balanced Bridge Interferometric-Type Optical Switch for Optical Signal \
         Routing\", IEEE Journal of Selected Topics in Quantum Electronics 19(6), 2013, 3400307: at 10 GHz (-56 dB with \
         a constant voltage) for a LiNbO3 switch that is trimmed for it. Among the best; \
         that switch needs 26 ps, while the paper assumes 10 to 15 ps",
    ),
    (
        "loss of the fibre, 0.0003 dB/m",
        "ITU-T Recommendation G.652: the maximum of category D at 1550 nm, 0.3 dB/km",
    ),
    (
        "guard 5 ps, laser 10 dBm, sensitivity -15 dBm, crosstalk in all at most -20 dB",
        "assumptions, to be replaced by the figures of real devices",
    ),
    (
        "a tenth of a laser's electrical power in the fibre, 250 mW for a switch, 500 mW for both ends of a lane",
        "assumptions, too: a travelling-wave electrode of 50 ohms driven with 5 V half of the time (V²/R; a de Bruijn sequence \
         has as many ones as zeros)",
    ),
];

/// What a budget is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// r: 2^r processors.
    pub dimension: u32,
    /// Bits a link carries in a nanosecond.
    pub bit_rate_gbps: f64,
    /// Bit times of a packet, those for switching and guard included; of a slot, too, unless the links say how long that is.
    pub packet_bits: u32,
    /// Length of a link, millimetres of fibre; none: `slots_per_link` packets.
    pub link_mm: Option<f64>,
    /// Slots that light takes through a link; 1 in the paper. With more, as many exchanges run interleaved: a packet meets every
    /// `slots_per_link`-th element of the control.
    pub slots_per_link: u32,
    /// Refractive index of the fibre.
    pub refractive_index: f64,
    /// Light in vacuum.
    pub light_speed_m_per_ns: f64,
    /// A switch has no defined output for so long when it changes its state.
    pub switching_ps: f64,
    /// Darkness besides, for jitter and for links that are not quite equal.
    pub guard_ps: f64,
    /// From fibre to fibre through one switch.
    pub loss_per_switch_db: f64,
    /// Of the fibre.
    pub loss_per_metre_db: f64,
    /// What one switch lets through from the wrong input, relative to the right one; negative.
    pub crosstalk_per_switch_db: f64,
    /// The most that may have come together at the receiver; negative.
    pub crosstalk_limit_db: f64,
    /// Power into the first link.
    pub laser_dbm: f64,
    /// Power that the receiver needs.
    pub sensitivity_dbm: f64,
    /// Clock of the processors.
    pub clock_ghz: f64,
    /// Power into the first link as a part of what the laser takes.
    pub laser_efficiency: f64,
    /// Electrical power of a switch and its driver, on average.
    pub switch_mw: f64,
    /// Electrical power of modulator, receiver and their electronics, for a lane.
    pub electronics_mw: f64,
}

impl Parameters {
    /// The paper's example of 64 processors. What it does not give has the defaults that [`SOURCES`] explains.
    pub fn paper() -> Self {
        Parameters {
            dimension: 6,
            bit_rate_gbps: 100.0,
            packet_bits: 128,
            link_mm: None,
            slots_per_link: 1,
            refractive_index: 1.5,
            light_speed_m_per_ns: 0.3,
            switching_ps: 15.0,
            guard_ps: 5.0,
            loss_per_switch_db: 4.0,
            loss_per_metre_db: 0.0003,
            crosstalk_per_switch_db: -48.0,
            crosstalk_limit_db: -20.0,
            laser_dbm: 10.0,
            sensitivity_dbm: -15.0,
            clock_ghz: 1.0,
            laser_efficiency: 0.1,
            switch_mw: 250.0,
            electronics_mw: 500.0,
        }
    }
}

/// A packet has no room in its slot, or its bits have none in the packet: attached to the refusal.
pub struct NoRoom;

/// What it comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// A bit in the fibre.
    pub bit_mm: f64,
    /// A packet in the fibre, its switching and guard times included.
    pub packet_mm: f64,
    /// A link.
    pub link_mm: f64,
    /// Time step of the network.
    pub slot_ns: f64,
    /// All r · 2^(r+1) links.
    pub fibre_m: f64,
    /// From the start of the slot at the sender to that at the receiver: r links. The paper's routing time.
    pub end_to_end_ns: f64,
    /// The same until the end of the packet at the receiver, when the last bit is there.
    pub last_bit_ns: f64,
    /// Clock cycles that `end_to_end_ns` takes, begun ones counted.
    pub clock_cycles: u64,
    /// Switching and guard as a part of the slot.
    pub guard_overhead: f64,
    /// Bit times of the packet that are left for the message.
    pub payload_bits: u32,
    /// The slot in which all `packet_bits` would be left for it, with links longer to match.
    pub full_packet_slot_ns: f64,
    /// Bits of messages that a processor sends in a nanosecond, on both of its lanes.
    pub goodput_gbps: f64,
    /// Electrical power of all lasers, switches and electronics.
    pub power_w: f64,
    /// The same for each bit of a message, if every packet has one.
    pub energy_pj_per_bit: f64,
    /// Power lost over r links and r - 1 switches.
    pub path_loss_db: f64,
    /// Power at the receiver.
    pub received_dbm: f64,
    /// How much more than it needs.
    pub margin_db: f64,
    /// What has leaked in at the r - 1 switches of a path, relative to the signal. First order: each leak is counted
    /// once, with the power of an equal signal, and the powers add; signals and leaks lose the same from there on. All
    /// light has the same wavelength, so leaks in phase could be worse.
    pub crosstalk_db: f64,
    /// Whether power and crosstalk are within their limits.
    pub closes: bool,
    /// The largest dimension up to which they are; none if not even for r = 2.
    pub largest_dimension: Option<u32>,
}

/// Computes the budget of one network.
pub fn budget(parameters: &Parameters) -> Result<Budget, Refusal> {
    check(parameters)?;
    let p = parameters;
    let r = p.dimension as f64;
    let bit_ns = 1.0 / p.bit_rate_gbps;
    let bit_m = p.light_speed_m_per_ns / (p.bit_rate_gbps * p.refractive_index);
    let slot_ns = slot_ns(p);
    let gap_ns = (p.switching_ps + p.guard_ps) / 1000.0;
    let end_to_end_ns = r * slot_ns * p.slots_per_link as f64;
    let goodput_gbps = 2.0 * payload_bits(p) / slot_ns;
    let power_mw = power_mw(p);
    let links = r * 2f64.powi(p.dimension as i32 + 1);
    Ok(Budget {
        bit_mm: bit_m * 1000.0,
        packet_mm: p.packet_bits as f64 * bit_m * 1000.0,
        link_mm: link_m(p) * 1000.0,
        slot_ns,
        fibre_m: links * link_m(p),
        end_to_end_ns,
        last_bit_ns: end_to_end_ns + p.packet_bits as f64 * bit_ns,
        clock_cycles: whole(end_to_end_ns * p.clock_ghz).ceil() as u64,
        guard_overhead: gap_ns / slot_ns,
        payload_bits: payload_bits(p) as u32,
        full_packet_slot_ns: p.packet_bits as f64 * bit_ns + gap_ns,
        goodput_gbps,
        power_w: power_mw / 1000.0,
        energy_pj_per_bit: power_mw / (2f64.powi(p.dimension as i32) * goodput_gbps),
        path_loss_db: path_loss_db(p, p.dimension),
        received_dbm: p.laser_dbm - path_loss_db(p, p.dimension),
        margin_db: margin_db(p, p.dimension),
        crosstalk_db: crosstalk_db(p, p.dimension),
        closes: closes(p, p.dimension),
        largest_dimension: (2..=MAX_DIMENSION).take_while(|&r| closes(p, r)).last(),
    })
}

/// Light in the fibre.
fn speed_m_per_ns(p: &Parameters) -> f64 {
    p.light_speed_m_per_ns / p.refractive_index
}

fn slot_ns(p: &Parameters) -> f64 {
    match p.link_mm {
        None => p.packet_bits as f64 / p.bit_rate_gbps,
        Some(link_mm) => link_mm / 1000.0 / speed_m_per_ns(p) / p.slots_per_link as f64,
    }
}

fn link_m(p: &Parameters) -> f64 {
    p.link_mm.map_or_else(|| slot_ns(p) * p.slots_per_link as f64 * speed_m_per_ns(p), |mm| mm / 1000.0)
}

/// Lasers and electronics of 2^(r+1) lanes, and (r - 1) 2^r switches.
fn power_mw(p: &Parameters) -> f64 {
    let rows = 2f64.powi(p.dimension as i32);
    let laser = 10f64.powf(p.laser_dbm / 10.0) / p.laser_efficiency;
    2.0 * rows * (laser + p.electronics_mw) + (p.dimension - 1) as f64 * rows * p.switch_mw
}

fn path_loss_db(p: &Parameters, dimension: u32) -> f64 {
    (dimension - 1) as f64 * p.loss_per_switch_db + dimension as f64 * link_m(p) * p.loss_per_metre_db
}

fn margin_db(p: &Parameters, dimension: u32) -> f64 {
    p.laser_dbm - path_loss_db(p, dimension) - p.sensitivity_dbm
}

fn crosstalk_db(p: &Parameters, dimension: u32) -> f64 {
    p.crosstalk_per_switch_db + 10.0 * ((dimension - 1) as f64).log10()
}

fn closes(p: &Parameters, dimension: u32) -> bool {
    margin_db(p, dimension) >= 0.0 && crosstalk_db(p, dimension) <= p.crosstalk_limit_db
}

/// Bits of a packet beside switching and guard; negative if not even those fit.
fn payload_bits(p: &Parameters) -> f64 {
    let gap_bits = (p.switching_ps + p.guard_ps) / 1000.0 * p.bit_rate_gbps;
    whole(p.packet_bits as f64 - gap_bits).floor()
}

/// A number that is meant to be whole but for the rounding of the arithmetic, made whole.
fn whole(value: f64) -> f64 {
    let nearest = value.round();
    if (value - nearest).abs() <= 1e-9 * nearest.abs().max(1.0) { nearest } else { value }
}

fn check(p: &Parameters) -> Result<(), Refusal> {
    if !(2..=MAX_DIMENSION).contains(&p.dimension) {
        refuse!("the dimension is {}, but must be 2..={MAX_DIMENSION}", p.dimension);
    }
    for (what, given) in [
        ("the bit rate in Gb/s", p.bit_rate_gbps),
        ("the number of bits in a packet", p.packet_bits as f64),
        ("the speed of light in m/ns", p.light_speed_m_per_ns),
        ("the clock in GHz", p.clock_ghz),
        ("the length of a link in mm", p.link_mm.unwrap_or(1.0)),
        ("the number of slots in a link", p.slots_per_link as f64),
        ("the efficiency of the laser", p.laser_efficiency),
    ] {
        if !(given > 0.0 && given.is_finite()) {
            refuse!("{what} is {given}, but must be more than 0");
        }
    }
    for (what, given) in [
        ("the switching time in ps", p.switching_ps),
        ("the guard time in ps", p.guard_ps),
        ("the loss per switch in dB", p.loss_per_switch_db),
        ("the loss per metre in dB", p.loss_per_metre_db),
        ("the power of a switch in mW", p.switch_mw),
        ("the power of a lane's electronics in mW", p.electronics_mw),
    ] {
        if !(given >= 0.0 && given.is_finite()) {
            refuse!("{what} is {given}, but cannot be less than 0");
        }
    }
    for (what, given) in [
        ("the crosstalk per switch", p.crosstalk_per_switch_db),
        ("the crosstalk limit", p.crosstalk_limit_db),
    ] {
        if !(given < 0.0 && given.is_finite()) {
            refuse!("{what} is {given} dB, but must be less than 0 dB");
        }
    }
    for (what, given) in [("the laser power", p.laser_dbm), ("the sensitivity", p.sensitivity_dbm)] {
        if !given.is_finite() {
            refuse!("{what} is {given}, not a number of dBm");
        }
    }
    if !(p.refractive_index >= 1.0 && p.refractive_index.is_finite()) {
        refuse!("the refractive index is {}, but must be 1 or more", p.refractive_index);
    }
    if p.laser_efficiency > 1.0 {
        refuse!("the efficiency of the laser is {}, but cannot be more than 1", p.laser_efficiency);
    }
    let (packet_ps, slot_ps) = (p.packet_bits as f64 / p.bit_rate_gbps * 1000.0, slot_ns(p) * 1000.0);
    if whole(packet_ps) > whole(slot_ps) {
        return Err(refusal!(
            "a packet of {} bit times takes {packet_ps} ps, but links of {} mm make slots of {slot_ps} ps; give fewer bits, longer links or fewer slots in a link",
            p.packet_bits,
            link_m(p) * 1000.0
        )
.with(NoRoom));
    }
    if payload_bits(p) < 1.0 {
        return Err(refusal!(
            "a packet of {packet_ps} ps ({} bits at {} Gb/s) has no room for a bit beside {} ps of switching and {} ps of guard",
            p.packet_bits,
            p.bit_rate_gbps,
            p.switching_ps,
            p.guard_ps
        )
.with(NoRoom));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
