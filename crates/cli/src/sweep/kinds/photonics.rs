//! Sweeps of the optical butterfly as a device: the figures of `frit photonics` for every combination of its parameters.

use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};
use crate::sweep::designs::MAX_POINTS;
use crate::sweep::kind::{Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::OneOrMore;
use crate::sweep::rows::Rows;
use anyhow::{Context, Result, bail};
use frit_schedule::photonics::{Budget, NoRoom, Parameters, budget};
use serde::Deserialize;
use std::collections::BTreeMap;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "photonics", read };

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

/// A column behind the parameters: its name, that of `frit photonics --format json`; its unit; its value.
type Column = (&'static str, &'static str, fn(&Budget) -> f64);

static COLUMNS: [Column; 13] = [
    ("slot_ns", "ns", |b| b.slot_ns),
    ("link_mm", "mm", |b| b.link_mm),
    ("fibre_m", "m", |b| b.fibre_m),
    ("end_to_end_ns", "ns", |b| b.end_to_end_ns),
    ("last_bit_ns", "ns", |b| b.last_bit_ns),
    ("guard_overhead", "part of a slot", |b| b.guard_overhead),
    ("payload_bits", "bits of a message", |b| b.payload_bits.into()),
    ("goodput_gbps", "Gb/s of a processor", |b| b.goodput_gbps),
    ("power_w", "W", |b| b.power_w),
    ("energy_pj_per_bit", "pJ a bit", |b| b.energy_pj_per_bit),
    ("margin_db", "dB", |b| b.margin_db),
    ("crosstalk_db", "dB", |b| b.crosstalk_db),
    ("closes", "1: the budget closes", |b| u8::from(b.closes).into()),
];

/// The parameters, then the figures.
const NAMES: [&str; PARAMETERS.len() + COLUMNS.len()] = {
    let mut names = [""; PARAMETERS.len() + COLUMNS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] =
            if at < PARAMETERS.len() { PARAMETERS[at].name } else { COLUMNS[at - PARAMETERS.len()].0 };
        at += 1;
    }
    names
};

sweep_file! {
    /// The members of a file with `kind = "photonics"`.
    struct PhotonicsFile of Photonics {
        #[serde(default)]
        values: BTreeMap<String, OneOrMore<f64>>,
        #[serde(default)]
        drawing: DrawingFile,
    }
}

/// The section `[drawing]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DrawingFile {
    x: String,
    y: String,
    legend: Corner,
}

impl Default for DrawingFile {
    fn default() -> Self {
        DrawingFile { x: "guard".into(), y: "goodput_gbps".into(), legend: Corner::Left }
    }
}

/// A checked sweep.
struct Photonics {
    points: Vec<Point>,
    parameters: Vec<Parameters>,
    /// The places of parameters with several values, but for that of x.
    varied: Vec<usize>,
    x: usize,
    y: &'static Column,
    legend: Corner,
}

impl Photonics {
    fn new(file: &PhotonicsFile) -> Result<Self> {
        let drawing = &file.drawing;
        let place = |name: &str| PARAMETERS.iter().position(|parameter| parameter.name == name);
        let mut all = vec![Parameters::paper()];
        let mut varied = vec![];
        for (name, values) in &file.values {
            let names = || NAMES[..PARAMETERS.len()].join(", ");
            let at =
                place(name).with_context(|| format!("[values] has {name:?}: it is one of {}", names()))?;
            let mut list = values.list().to_vec();
            list.sort_by(f64::total_cmp);
            list.dedup();
            if list.is_empty() || list.len().saturating_mul(all.len()) > MAX_POINTS {
                bail!("{name}: give a value at least, and no more than {MAX_POINTS} combinations in all");
            }
            let whole = matches!(name.as_str(), "dimension" | "packet_bits" | "slots_per_link");
            if let Some(value) =
                list.iter().find(|value| whole && (value.fract() != 0.0 || !(0.0..=4e9).contains(*value)))
            {
                bail!("{name} = {value}: it is a whole number");
            }
            let with = |p: &Parameters, value: f64| {
                let mut p = *p;
                (PARAMETERS[at].set)(&mut p, value);
                p
            };
            all = all
                .iter()
                .flat_map(|p| list.iter().map(|&value| with(p, value)).collect::<Vec<_>>())
                .collect();
            if list.len() > 1 {
                varied.push(at);
            }
        }
        // Combinations without room are a result; what is no device at all is a mistake.
        for p in &all {
            match budget(p) {
                Err(error) if error.detail::<NoRoom>().is_none() => return Err(error.into()),
                _ => (),
            }
        }
        let (Some(x), Some(y)) = (place(&drawing.x), COLUMNS.iter().find(|(name, ..)| *name == drawing.y))
        else {
            let columns = NAMES[PARAMETERS.len()..].join(", ");
            bail!("[drawing] x = {:?}, y = {:?}: x is a parameter, y one of {columns}", drawing.x, drawing.y);
        };
        varied.retain(|&at| at != x);
        let key = |p: &Parameters| PARAMETERS.iter().map(|parameter| cell((parameter.get)(p))).collect();
        let points = all.iter().map(|p| Point { key: key(p), work: 1 }).collect();
        Ok(Photonics { points, parameters: all, varied, x, y, legend: drawing.legend })
    }

    /// What tells a line from the others.
    fn line(&self, p: &Parameters) -> String {
        let name = |&at: &usize| {
            format!("{} = {}", PARAMETERS[at].name.replace('_', " "), cell((PARAMETERS[at].get)(p)))
        };
        self.varied.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// A number as a cell; nothing where there is none.
fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

impl Kind for Photonics {
    fn columns(&self) -> &'static [&'static str] {
        &NAMES
    }

    fn configuration(&self) -> String {
        format!("photonics clock {}", Parameters::paper().clock_ghz)
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        match budget(&self.parameters[point]) {
            Ok(budget) => Ok(COLUMNS.iter().map(|(_, _, value)| cell(value(&budget))).collect()),
            Err(error) if error.detail::<NoRoom>().is_none() => Err(error.into()),
            Err(_) => Ok(vec![String::new(); COLUMNS.len()]),
        }
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let mut series: Vec<Series> = vec![];
        for (point, p) in self.points.iter().zip(&self.parameters) {
            let Some(y) = rows.number(&point.key, self.y.0) else { continue };
            let mean = Mean::single((PARAMETERS[self.x].get)(p), y);
            let name = self.line(p);
            match series.iter_mut().find(|line| line.name == name) {
                Some(line) => line.means.push(mean),
                None => series.push(Series::new(name, vec![mean], Ink::Step)),
            }
        }
        series.iter_mut().for_each(|line| line.means.sort_by(|a, b| a.x.total_cmp(&b.x)));
        let label = |name: &str, unit: &str| format!("{}: {unit}", name.replace('_', " "));
        Figure {
            title: "The optical butterfly as a device".into(),
            x: label(PARAMETERS[self.x].name, PARAMETERS[self.x].unit),
            y: label(self.y.0, self.y.1),
            series,
            limit: None,
            mark: None,
            bars: String::new(),
            legend: self.legend,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(text: &str) -> Result<Photonics> {
        let file: PhotonicsFile = crate::toml_text::read(&format!("kind = \"photonics\"\n{text}"))?;
        Photonics::new(&file)
    }

    #[test]
    fn a_row_is_what_the_command_says() {
        let sweep = sweep("[values]\nguard = [0, 50, 2000]\npacket_bits = [128, 256]").unwrap();
        assert_eq!(sweep.points.len(), 6);
        for (at, p) in sweep.parameters.iter().enumerate() {
            let cells = sweep.run(at).unwrap();
            match budget(p) {
                Ok(budget) => assert_eq!(cells[7].parse::<f64>().unwrap(), budget.goodput_gbps),
                Err(_) => assert!(
                    p.guard_ps == 2000.0 && p.packet_bits == 128 && cells.iter().all(String::is_empty)
                ),
            }
        }
        let rows = (0..6).map(|at| (sweep.points[at].key.clone(), sweep.run(at).unwrap()));
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
                .contains("[values] has \"guards\": it is one of dimension, bit_rate")
        );
        assert!(error("[values]\ndimension = 2.5").contains("dimension = 2.5: it is a whole number"));
        assert!(error("[values]\nguard = []").contains("guard: give a value at least"));
        assert!(error("[values]\nindex = 0.5").contains("the refractive index is 0.5"));
        assert!(error("[values]\ndimension = [6, 21]").contains("the dimension is 21, but must be 2..=20"));
        assert!(
            error("[drawing]\ny = \"cost\"").contains("y = \"cost\": x is a parameter, y one of slot_ns")
        );
        assert!(error("[drawing]\nz = 1").contains("unknown"));
    }
}
