//! The figures of the optical butterfly as a device: those of `frit photonics`, and the columns of its sweeps.

use frit_schedule::photonics::{Budget, Parameters};
use serde_json::{Value, json};

pub struct Figure {
    pub name: &'static str,
    /// In JSON, and as a column.
    pub member: &'static str,
    pub unit: &'static str,
    pub value: fn(&Parameters, &Budget) -> Value,
    pub text: fn(&Parameters, &Budget) -> String,
    /// What the paper prints under this name, by the name there.
    pub printed: Option<&'static str>,
    pub explanation: &'static str,
}

/// A line of the table: a member of [`Budget`] with its unit and the most digits behind its point, or a member, its unit, its value and its text;
/// the name in the paper if that prints it.
macro_rules! figures {
    ($($name:literal $(($printed:literal))? $member:ident $unit:literal ($($how:tt)+) $explanation:literal)*) => {
        /// All of them, in the order in which they are shown.
        pub static FIGURES: &[Figure] = &[$(Figure {
            name: $name,
            member: stringify!($member),
            unit: $unit,
            value: figures!(@value $member $($how)+),
            text: figures!(@text $member $unit $($how)+),
            printed: figures!(@printed $($printed)?),
            explanation: $explanation,
        }),*];
    };
    (@value $member:ident $digits:literal) => { |_, b| json!(b.$member) };
    (@text $member:ident $unit:literal $digits:literal) => { |_, b| format!("{} {}", number(b.$member, $digits), $unit) };
    (@value $member:ident $value:expr, $text:expr) => { $value };
    (@text $member:ident $unit:literal $value:expr, $text:expr) => { $text };
    (@printed) => { None };
    (@printed $printed:literal) => { Some($printed) };
}

figures! {
    "length of a bit" ("length of a bit") bit_mm "mm" (3) "light in the fibre during a bit"
    "length of a packet" ("length of a packet") packet_mm "mm" (3) "time of all bits of a packet, including switching and guard"
    "length of a link" link_mm "mm" (3) "a whole number of slots; one slot in the paper"
    "slot" ("slot") slot_ns "ns" (4) "time step: a packet enters a link"
    "fibre in all" ("fibre in all") fibre_m "m" (1) "r 2^(r+1) links, including the links from and to the processors"
    "travel between routers" ("travel between two routers") cycles_per_link "clock cycles"
        (|p, b| json!(cycles_per_link(p, b)), |p, b| format!("{} clock cycles", number(cycles_per_link(p, b), 3)))
        "time of light in a link, in cycles of the processors' clock"
    "end to end" end_to_end_ns "ns" (4) "r links, from the start of a packet to its arrival"
    "routing time" ("routing time") clock_cycles "clock cycles"
        (|_, b| json!(b.clock_cycles), |_, b| format!("{} clock cycles", b.clock_cycles))
        "end to end in clock cycles, rounded up"
    "last bit" last_bit_ns "ns" (4) "from the start of a packet until its end has arrived"
    "guard overhead" guard_overhead "part of a slot"
        (|_, b| json!(b.guard_overhead), |_, b| format!("{} %", number(b.guard_overhead * 100.0, 3)))
        "switching and guard time as a fraction of the slot"
    "bits for the message" payload_bits "bits of a message"
        (|_, b| json!(b.payload_bits), |p, b| format!("{} of {}", b.payload_bits, p.packet_bits))
        "bit times of a packet outside switching and guard"
    "packet for all bits" full_packet_slot_ns "ns" (4) "time of a packet if all its bits were message bits"
    "goodput of a processor" goodput_gbps "Gb/s of a processor"
        (|_, b| json!(b.goodput_gbps), |_, b| format!("{} Gb/s", number(b.goodput_gbps, 3)))
        "message bits on the two lanes of a processor"
    "electrical power" power_w "W" (1) "lasers and electronics of 2^(r+1) lanes, (r - 1) 2^r switches"
    "energy of a bit" energy_pj_per_bit "pJ a bit"
        (|_, b| json!(b.energy_pj_per_bit), |_, b| format!("{} pJ", number(b.energy_pj_per_bit, 3)))
        "power divided by message bits, if all lanes send"
    "loss of a path" path_loss_db "dB" (3) "r - 1 switches and r links"
    "power at the receiver" received_dbm "dBm" (3) "laser power minus loss"
    "margin" margin_db "dB" (3) "power above the receiver's need; negative: too little light"
    "crosstalk" crosstalk_db "dB" (2) "of r - 1 switches, powers added, first order"
    "budget closes" closes "1: the budget closes"
        (|_, b| json!(b.closes), |_, b| if b.closes { "yes" } else { "no" }.into())
        "yes if the margin is not negative and the crosstalk is within its limit"
    "largest r" largest_dimension "r: 2^r processors"
        (|_, b| json!(b.largest_dimension), |_, b| largest(b))
        "largest dimension for which the budget closes"
}

fn cycles_per_link(p: &Parameters, b: &Budget) -> f64 {
    b.slot_ns * p.slots_per_link as f64 * p.clock_ghz
}

fn largest(b: &Budget) -> String {
    b.largest_dimension.map_or("none".into(), |r| format!("{r} ({} processors)", 1u64 << r))
}

/// A number with at most `digits` behind the point, without zeros at its end.
pub fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}
