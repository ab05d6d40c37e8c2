//! `frit photonics`.

use crate::Verdict;
use crate::args::{Format, PhotonicsArgs};
use crate::photonics::{FIGURES, Figure, number};
use crate::table::{self, pairs};
use crate::ui::{BAD, GOOD, HEAD, Ui, pretty};
use anyhow::{Result, bail};
use frit_schedule::photonics::{Budget, MAX_DIMENSION, PRINTED, Parameters, SOURCES, budget};
use serde_json::{Map, Value, json};

pub fn run(ui: &Ui, args: &PhotonicsArgs) -> Result<Verdict> {
    let parameters = parameters(args)?;
    let budget = budget(&parameters)?;
    if args.format == Format::Json {
        let value = |f: &Figure| (f.member.to_string(), (f.value)(&parameters, &budget));
        let members: Map<String, Value> = FIGURES.iter().map(value).collect();
        let paper: Map<String, Value> =
            FIGURES.iter().filter_map(|f| Some((f.member.to_string(), paper(f.printed?).into()))).collect();
        let value = json!({
            "parameters": parameters_json(&parameters), "figures": members, "paper": paper,
            "sources": SOURCES.iter().map(|(what, source)| json!({"what": what, "source": source})).collect::<Vec<_>>(),
        });
        ui.print(&pretty(&value)?)?;
    } else {
        ui.print(&text(ui, &parameters, &budget))?;
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

fn text(ui: &Ui, p: &Parameters, b: &Budget) -> String {
    let rows: Vec<Vec<String>> = FIGURES
        .iter()
        .map(|f| {
            let printed = f.printed.map_or(String::new(), |name| paper(name).into());
            vec![f.name.into(), (f.text)(p, b), printed, f.explanation.into()]
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
