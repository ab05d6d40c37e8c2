//! `frit photonics`.

use crate::Verdict;
use crate::args::{Format, PhotonicsArgs};
use crate::table::{self, pairs};
use crate::ui::{BAD, GOOD, HEAD, Ui};
use anyhow::{Result, bail};
use frit_schedule::photonics::{Budget, MAX_DIMENSION, PRINTED, Parameters, SOURCES, budget};
use serde_json::{Map, Value, json};

/// A line of the table.
#[derive(Clone)]
struct Figure {
    /// Its name, and that in JSON without the unit.
    name: &'static str,
    /// The member of the JSON object.
    member: &'static str,
    value: Value,
    text: String,
    /// What the paper prints under this name, by the name there.
    printed: Option<&'static str>,
    explanation: &'static str,
}

impl Figure {
    fn new(
        name: &'static str,
        member: &'static str,
        value: Value,
        text: String,
        explanation: &'static str,
    ) -> Self {
        Figure { name, member, value, text, printed: None, explanation }
    }

    /// The same, as the paper has a figure of the name `printed`.
    fn in_paper(self, printed: &'static str) -> Self {
        Figure { printed: Some(printed), ..self }
    }
}

pub fn run(ui: &Ui, args: &PhotonicsArgs) -> Result<Verdict> {
    let parameters = parameters(args)?;
    let budget = budget(&parameters)?;
    let figures = figures(&parameters, &budget);
    if args.format == Format::Json {
        let mut members = Map::new();
        for figure in &figures {
            members.insert(figure.member.into(), figure.value.clone());
        }
        let paper: Map<String, Value> =
            figures.iter().filter_map(|f| Some((f.member.to_string(), paper(f.printed?).into()))).collect();
        let value = json!({
            "parameters": parameters_json(&parameters), "figures": members, "paper": paper,
            "sources": SOURCES.iter().map(|(what, source)| json!({"what": what, "source": source})).collect::<Vec<_>>(),
        });
        ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
    } else {
        ui.print(&text(ui, &parameters, &budget, &figures))?;
    }
    Ok(Verdict::of(budget.closes))
}

fn parameters(args: &PhotonicsArgs) -> Result<Parameters> {
    let dimension = match (args.dimension, args.terminals) {
        (Some(dimension), _) => dimension,
        (None, None) => Parameters::paper().dimension,
        (None, Some(terminals)) => match terminals.checked_ilog2() {
            Some(r) if terminals.is_power_of_two() && (2..=MAX_DIMENSION).contains(&r) => r,
            _ => bail!(
                "-n {terminals} is not a size of the optical butterfly; give a power of two, 4 to {}",
                1u64 << MAX_DIMENSION
            ),
        },
    };
    Ok(Parameters {
        dimension,
        bit_rate_gbps: args.bit_rate,
        packet_bits: args.packet_bits,
        link_mm: args.link,
        slots_per_link: args.slots_per_link,
        refractive_index: args.index,
        light_speed_m_per_ns: args.light_speed,
        switching_ps: args.switching,
        guard_ps: args.guard,
        loss_per_switch_db: args.loss_per_switch,
        loss_per_metre_db: args.loss_per_metre,
        crosstalk_per_switch_db: args.crosstalk_per_switch,
        crosstalk_limit_db: args.crosstalk_limit,
        laser_dbm: args.laser,
        sensitivity_dbm: args.sensitivity,
        clock_ghz: args.clock,
        laser_efficiency: args.laser_efficiency,
        switch_mw: args.switch_power,
        electronics_mw: args.electronics_power,
    })
}

/// What the paper prints for one of its figures.
fn paper(name: &str) -> &'static str {
    let printed = PRINTED.iter().find(|(figure, _)| *figure == name);
    printed.expect("a figure that the paper prints").1
}

/// A number with at most `digits` behind the point, without zeros at its end.
fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// All figures, in the order in which they are shown.
fn figures(p: &Parameters, b: &Budget) -> Vec<Figure> {
    [lengths(p, b), times(b), message(p, b), energy(b), light(b)].concat()
}

/// Lengths, and the slot that follows from them.
fn lengths(p: &Parameters, b: &Budget) -> Vec<Figure> {
    let cycles_per_link = b.slot_ns * p.slots_per_link as f64 * p.clock_ghz;
    vec![
        Figure::new(
            "length of a bit",
            "bit_mm",
            json!(b.bit_mm),
            format!("{} mm", number(b.bit_mm, 3)),
            "light in the fibre during a bit",
        )
        .in_paper("length of a bit"),
        Figure::new(
            "length of a packet",
            "packet_mm",
            json!(b.packet_mm),
            format!("{} mm", number(b.packet_mm, 3)),
            "time of all bits of a packet, including switching and guard",
        )
        .in_paper("length of a packet"),
        Figure::new(
            "length of a link",
            "link_mm",
            json!(b.link_mm),
            format!("{} mm", number(b.link_mm, 3)),
            "a whole number of slots; one slot in the paper",
        ),
        Figure::new(
            "slot",
            "slot_ns",
            json!(b.slot_ns),
            format!("{} ns", number(b.slot_ns, 4)),
            "time step: a packet enters a link",
        )
        .in_paper("slot"),
        Figure::new(
            "fibre in all",
            "fibre_m",
            json!(b.fibre_m),
            format!("{} m", number(b.fibre_m, 1)),
            "r 2^(r+1) links, including the links from and to the processors",
        )
        .in_paper("fibre in all"),
        Figure::new(
            "travel between routers",
            "cycles_per_link",
            json!(cycles_per_link),
            format!("{} clock cycles", number(cycles_per_link, 3)),
            "time of light in a link, in cycles of the processors' clock",
        )
        .in_paper("travel between two routers"),
    ]
}

/// How long a packet takes.
fn times(b: &Budget) -> Vec<Figure> {
    vec![
        Figure::new(
            "end to end",
            "end_to_end_ns",
            json!(b.end_to_end_ns),
            format!("{} ns", number(b.end_to_end_ns, 4)),
            "r links, from the start of a packet to its arrival",
        ),
        Figure::new(
            "routing time",
            "clock_cycles",
            json!(b.clock_cycles),
            format!("{} clock cycles", b.clock_cycles),
            "end to end in clock cycles, rounded up",
        )
        .in_paper("routing time"),
        Figure::new(
            "last bit",
            "last_bit_ns",
            json!(b.last_bit_ns),
            format!("{} ns", number(b.last_bit_ns, 4)),
            "from the start of a packet until its end has arrived",
        ),
    ]
}

/// What the slot leaves for the message.
fn message(p: &Parameters, b: &Budget) -> Vec<Figure> {
    vec![
        Figure::new(
            "guard overhead",
            "guard_overhead",
            json!(b.guard_overhead),
            format!("{} %", number(b.guard_overhead * 100.0, 3)),
            "switching and guard time as a fraction of the slot",
        ),
        Figure::new(
            "bits for the message",
            "payload_bits",
            json!(b.payload_bits),
            format!("{} of {}", b.payload_bits, p.packet_bits),
            "bit times of a packet outside switching and guard",
        ),
        Figure::new(
            "packet for all bits",
            "full_packet_slot_ns",
            json!(b.full_packet_slot_ns),
            format!("{} ns", number(b.full_packet_slot_ns, 4)),
            "time of a packet if all its bits were message bits",
        ),
        Figure::new(
            "goodput of a processor",
            "goodput_gbps",
            json!(b.goodput_gbps),
            format!("{} Gb/s", number(b.goodput_gbps, 3)),
            "message bits on the two lanes of a processor",
        ),
    ]
}

/// What it takes.
fn energy(b: &Budget) -> Vec<Figure> {
    vec![
        Figure::new(
            "electrical power",
            "power_w",
            json!(b.power_w),
            format!("{} W", number(b.power_w, 1)),
            "lasers and electronics of 2^(r+1) lanes, (r - 1) 2^r switches",
        ),
        Figure::new(
            "energy of a bit",
            "energy_pj_per_bit",
            json!(b.energy_pj_per_bit),
            format!("{} pJ", number(b.energy_pj_per_bit, 3)),
            "power divided by message bits, if all lanes send",
        ),
    ]
}

/// What light arrives, and how far that goes.
fn light(b: &Budget) -> Vec<Figure> {
    vec![
        Figure::new(
            "loss of a path",
            "path_loss_db",
            json!(b.path_loss_db),
            format!("{} dB", number(b.path_loss_db, 3)),
            "r - 1 switches and r links",
        ),
        Figure::new(
            "power at the receiver",
            "received_dbm",
            json!(b.received_dbm),
            format!("{} dBm", number(b.received_dbm, 3)),
            "laser power minus loss",
        ),
        Figure::new(
            "margin",
            "margin_db",
            json!(b.margin_db),
            format!("{} dB", number(b.margin_db, 3)),
            "power above the receiver's need; negative: too little light",
        ),
        Figure::new(
            "crosstalk",
            "crosstalk_db",
            json!(b.crosstalk_db),
            format!("{} dB", number(b.crosstalk_db, 2)),
            "of r - 1 switches, powers added, first order",
        ),
        Figure::new(
            "budget closes",
            "closes",
            json!(b.closes),
            if b.closes { "yes" } else { "no" }.into(),
            "yes if the margin is not negative and the crosstalk is within its limit",
        ),
        Figure::new(
            "largest r",
            "largest_dimension",
            json!(b.largest_dimension),
            b.largest_dimension.map_or("none".into(), |r| format!("{r} ({} processors)", 1u64 << r)),
            "largest dimension for which the budget closes",
        ),
    ]
}

/// The parameters by the names of their options, with units.
fn parameters_json(p: &Parameters) -> Value {
    json!({
        "dimension": p.dimension, "terminals": 1u64 << p.dimension, "bit_rate_gbps": p.bit_rate_gbps,
        "packet_bits": p.packet_bits, "index": p.refractive_index, "light_speed_m_per_ns": p.light_speed_m_per_ns,
        "switching_ps": p.switching_ps, "guard_ps": p.guard_ps, "loss_per_switch_db": p.loss_per_switch_db,
        "loss_per_metre_db": p.loss_per_metre_db, "crosstalk_per_switch_db": p.crosstalk_per_switch_db,
        "crosstalk_limit_db": p.crosstalk_limit_db, "laser_dbm": p.laser_dbm, "sensitivity_dbm": p.sensitivity_dbm,
        "clock_ghz": p.clock_ghz, "link_mm": p.link_mm, "slots_per_link": p.slots_per_link,
        "laser_efficiency": p.laser_efficiency, "switch_power_mw": p.switch_mw, "electronics_power_mw": p.electronics_mw,
    })
}

fn text(ui: &Ui, p: &Parameters, b: &Budget, figures: &[Figure]) -> String {
    let rows: Vec<Vec<String>> = figures
        .iter()
        .map(|f| {
            let printed = f.printed.map_or(String::new(), |name| paper(name).into());
            vec![f.name.into(), f.text.clone(), printed, f.explanation.into()]
        })
        .collect();
    let title =
        format!("{HEAD}optical butterfly, r = {}, {} processors{HEAD:#}", p.dimension, 1u64 << p.dimension);
    let mut text = format!(
        "{title}\n{}\n{}",
        pairs(&[
            (
                "link",
                format!(
                    "{} Gb/s, {} bit times a packet, index {}, light {} m/ns, fibre {} dB/m",
                    p.bit_rate_gbps,
                    p.packet_bits,
                    p.refractive_index,
                    p.light_speed_m_per_ns,
                    p.loss_per_metre_db
                )
            ),
            (
                "switch",
                format!(
                    "{} ps switching, {} ps guard, loss {} dB, crosstalk {} dB",
                    p.switching_ps, p.guard_ps, p.loss_per_switch_db, p.crosstalk_per_switch_db
                )
            ),
            (
                "ends",
                format!(
                    "laser {} dBm, receiver {} dBm, crosstalk up to {} dB, clock {} GHz",
                    p.laser_dbm, p.sensitivity_dbm, p.crosstalk_limit_db, p.clock_ghz
                )
            ),
        ]),
        table::render(&["figure", "value", "paper", "what it is"], &rows)
    );
    let verdict = if b.closes {
        format!("{GOOD}the budget closes{GOOD:#}")
    } else if b.margin_db < 0.0 {
        format!(
            "{BAD}the budget does not close{BAD:#}: the receiver needs {} dB more light",
            number(-b.margin_db, 3)
        )
    } else {
        format!("{BAD}the budget does not close{BAD:#}: too much crosstalk")
    };
    text += &format!("{verdict}\n");
    if *p != Parameters::paper() {
        text += "The column paper is the paper's example: r = 6, 100 Gb/s, 128 bits, 1 GHz.\n";
    }
    if ui.verbose() {
        text += "\nSources of the defaults\n";
        SOURCES.iter().for_each(|(what, source)| text += &format!("  {what}: {source}\n"));
    }
    text
}
