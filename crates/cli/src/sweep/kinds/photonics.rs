//! Sweeps of the optical butterfly as a device: the figures of `frit photonics` for every combination of its parameters.

use crate::photonics::{FIGURES, Figure as Fact};
use crate::plot::figure::{Corner, Figure, Ink};
use crate::sweep::grid::{Grid, MAX_POINTS};
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::OneOrMore;
use anyhow::{Context, Result, bail};
use frit_network::facts::Facts;
use frit_schedule::photonics::{NoRoom, Parameters, budget};
use serde_json::Value;
use std::collections::BTreeMap;

sweep_file! {
    "photonics": PhotonicsFile {
        #[serde(default)]
        values: BTreeMap<String, OneOrMore<f64>>,
    }
    drawing: DrawingFile { x: Option<String>, y: Option<String>, legend: Option<Corner>, }
}

const FACTS: &str = "slot_ns link_mm fibre_m end_to_end_ns last_bit_ns guard_overhead payload_bits goodput_gbps \
    power_w energy_pj_per_bit margin_db crosstalk_db closes";

/// A parameter: its name, that of its option with _ for -; its unit; its value; how it is set.
struct Parameter {
    name: &'static str,
    unit: &'static str,
    get: fn(&Parameters) -> f64,
    set: fn(&mut Parameters, f64),
}

/// A parameter that is a member of [`Parameters`].
macro_rules! parameter {
    ($name:literal, $unit:literal, $member:ident) => {
        Parameter {
            name: $name,
            unit: $unit,
            get: |p| p.$member.into(),
            set: |p, value| p.$member = value as _,
        }
    };
}

/// All of them, in the order of the columns.
static PARAMETERS: [Parameter; 18] = [
    parameter!("dimension", "r: 2^r processors", dimension),
    parameter!("bit_rate", "Gb/s", bit_rate_gbps),
    parameter!("packet_bits", "bit times of a packet", packet_bits),
    Parameter {
        name: "link",
        unit: "mm of fibre",
        get: |p| p.link_mm.unwrap_or(f64::NAN),
        set: |p, value| p.link_mm = Some(value),
    },
    parameter!("slots_per_link", "slots in a link", slots_per_link),
    parameter!("index", "refractive index", refractive_index),
    parameter!("light_speed", "m/ns", light_speed_m_per_ns),
    parameter!("switching", "ps", switching_ps),
    parameter!("guard", "ps", guard_ps),
    parameter!("loss_per_switch", "dB", loss_per_switch_db),
    parameter!("loss_per_metre", "dB", loss_per_metre_db),
    parameter!("crosstalk_per_switch", "dB", crosstalk_per_switch_db),
    parameter!("crosstalk_limit", "dB", crosstalk_limit_db),
    parameter!("laser", "dBm", laser_dbm),
    parameter!("sensitivity", "dBm", sensitivity_dbm),
    parameter!("laser_efficiency", "part of its power", laser_efficiency),
    parameter!("switch_power", "mW", switch_mw),
    parameter!("electronics_power", "mW", electronics_mw),
];

fn grid(file: &PhotonicsFile) -> Result<Grid> {
    let names = PARAMETERS.each_ref().map(|parameter| parameter.name);
    let place = |name: &str| names.iter().position(|other| *other == name);
    let mut all = vec![Parameters::paper()];
    let mut varied = vec![];
    for (name, values) in &file.values {
        let at = place(name)
            .with_context(|| format!("[values] has {name:?}: give one of {}", names.join(", ")))?;
        let mut list = values.list().to_vec();
        list.sort_by(f64::total_cmp);
        list.dedup();
        if list.is_empty() || list.len().saturating_mul(all.len()) > MAX_POINTS {
            bail!("{name}: give at least one value, and no more than {MAX_POINTS} combinations in all");
        }
        let whole = matches!(name.as_str(), "dimension" | "packet_bits" | "slots_per_link");
        if let Some(value) =
            list.iter().find(|value| whole && (value.fract() != 0.0 || !(0.0..=4e9).contains(*value)))
        {
            bail!("{name} = {value}: give a whole number");
        }
        let with = |p: &Parameters, value: f64| {
            let mut p = *p;
            (PARAMETERS[at].set)(&mut p, value);
            p
        };
        all = all.iter().flat_map(|p| list.iter().map(|&value| with(p, value)).collect::<Vec<_>>()).collect();
        if list.len() > 1 {
            varied.push(at);
        }
    }
    let (x, y) = drawn(&file.drawing, &names)?;
    varied.retain(|&at| at != x);
    let label = |name: &str, unit: &str| format!("{}: {unit}", name.replace('_', " "));
    let plot = Figure {
        legend: file.drawing.legend.unwrap_or(Corner::Left),
        ..Figure::new(
            "The optical butterfly as a device",
            label(names[x], PARAMETERS[x].unit),
            label(y.member, y.unit),
        )
    };
    let configuration = format!("photonics clock {}", Parameters::paper().clock_ghz);
    let mut grid = Grid::new(configuration, names.join(" ").leak(), FACTS, y.member, plot);
    for p in all {
        let key = PARAMETERS.iter().map(|parameter| cell((parameter.get)(&p))).collect();
        let name =
            |&at: &usize| format!("{} = {}", names[at].replace('_', " "), cell((PARAMETERS[at].get)(&p)));
        let has_room = facts(&p)?.is_some();
        if has_room {
            grid.line(varied.iter().map(name).collect::<Vec<_>>().join(", "), Ink::Step);
        }
        let x = if has_room { (PARAMETERS[x].get)(&p) } else { f64::NAN };
        let none = || FACTS.split_whitespace().map(|name| (name.into(), Value::Null)).collect();
        grid.add(x, (key, 1), "", move |_| Ok(facts(&p)?.unwrap_or_else(none)))?;
    }
    Ok(grid)
}

/// What is across, a parameter, and what is drawn.
fn drawn(file: &DrawingFile, names: &[&str]) -> Result<(usize, &'static Fact)> {
    let (x, y) = (file.x.as_deref().unwrap_or("guard"), file.y.as_deref().unwrap_or("goodput_gbps"));
    let columns: Vec<&str> = FACTS.split_whitespace().collect();
    let fact = FIGURES.iter().find(|fact| fact.member == y && columns.contains(&y));
    names.iter().position(|name| *name == x).zip(fact).with_context(|| {
        format!("[drawing] x = {x:?}, y = {y:?}: x is a parameter, y one of {}", columns.join(", "))
    })
}

/// The figures; none where a packet has no room for a bit, or is longer than its slot. What is no device at all is an error.
fn facts(p: &Parameters) -> Result<Option<Facts>> {
    match budget(p) {
        Ok(budget) => Ok(Some(FIGURES.iter().map(|f| (f.member.into(), (f.value)(p, &budget))).collect())),
        Err(error) if error.detail::<NoRoom>().is_some() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A number as a cell; nothing where there is none.
fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::rows::Rows;

    fn sweep(text: &str) -> Result<Grid> {
        grid(&crate::toml_text::read(&format!("kind = \"photonics\"\n{text}"))?)
    }

    #[test]
    fn a_row_is_what_the_command_says() {
        let sweep = sweep("[values]\nguard = [0, 50, 2000]\npacket_bits = [128, 256]").unwrap();
        assert_eq!(sweep.points().len(), 6);
        let run = |at| sweep.run(at, &|_| ()).unwrap();
        for (at, point) in sweep.points().iter().enumerate() {
            let cells = run(at);
            let mut p = Parameters::paper();
            for (parameter, cell) in PARAMETERS.iter().zip(&point.key).filter(|(_, cell)| !cell.is_empty()) {
                (parameter.set)(&mut p, cell.parse().unwrap());
            }
            match budget(&p) {
                Ok(budget) => assert_eq!(cells[7].parse::<f64>().unwrap(), budget.goodput_gbps),
                Err(_) => assert!(
                    p.guard_ps == 2000.0 && p.packet_bits == 128 && cells.iter().all(String::is_empty)
                ),
            }
        }
        let rows = (0..6).map(|at| (sweep.points()[at].key.clone(), run(at)));
        let figure = sweep.figure(&Rows::of(sweep.columns(), rows));
        let lines: Vec<_> = figure.series.iter().map(|line| (line.name.as_str(), line.means.len())).collect();
        assert_eq!(lines, [("packet bits = 128", 2), ("packet bits = 256", 3)]);
        assert!(figure.series[0].means[0].y > figure.series[0].means[1].y, "guard takes from the goodput");
    }

    #[test]
    fn what_is_no_device_is_refused() {
        let error = |text: &str| sweep(text).err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(
            error("[values]\nguards = 1")
                .contains("[values] has \"guards\": give one of dimension, bit_rate")
        );
        assert!(error("[values]\ndimension = 2.5").contains("dimension = 2.5: give a whole number"));
        assert!(error("[values]\nguard = []").contains("guard: give at least one value"));
        assert!(error("[values]\nindex = 0.5").contains("the refractive index is 0.5"));
        assert!(error("[values]\ndimension = [6, 21]").contains("the dimension is 21, but must be 2..=20"));
        assert!(
            error("[drawing]\ny = \"cost\"").contains("y = \"cost\": x is a parameter, y one of slot_ns")
        );
        assert!(error("[drawing]\nz = 1").contains("unknown"));
    }
}
