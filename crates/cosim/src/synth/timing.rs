//! What nextpnr reports of a placed and routed design.

use serde::Deserialize;
use std::collections::BTreeMap;

/// One run of nextpnr.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The highest clock frequency, in MHz.
    pub fmax_mhz: f64,
    /// The slowest path between registers: the cell where it starts and the one where it ends.
    pub critical: Option<(String, String)>,
}

/// The part of the report that is read.
#[derive(Deserialize)]
struct TimingReport {
    fmax: BTreeMap<String, Clock>,
    critical_paths: Vec<Path>,
}

#[derive(Deserialize)]
struct Clock {
    achieved: f64,
}

#[derive(Deserialize)]
struct Path {
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    from: Pin,
    to: Pin,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

impl Timing {
    /// Reads `--report` of a design with one clock; `None` if the report has none.
    pub fn parse(json: &str) -> Result<Option<Self>, serde_json::Error> {
        let report: TimingReport = serde_json::from_str(json)?;
        let slowest = report.fmax.values().map(|clock| clock.achieved).min_by(f64::total_cmp);
        let registers = |path: &&Path| !path.from.contains("async") && !path.to.contains("async");
        let critical =
            report.critical_paths.iter().find(registers).and_then(|path| {
                Some((path.path.first()?.from.cell.clone(), path.path.last()?.to.cell.clone()))
            });
        Ok(slowest.map(|fmax_mhz| Timing { fmax_mhz, critical }))
    }
}

/// What nextpnr's log says of the resources of the device: (name, needed, there).
pub fn utilisation(log: &str) -> impl Iterator<Item = (String, u64, u64)> + '_ {
    log.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("Info:")?.trim().split_once(':')?;
        let (needs, has) = rest.split_once('/')?;
        let needs: u64 = needs.trim().parse().ok()?;
        let has: u64 = has.split_whitespace().next()?.parse().ok()?;
        Some((name.to_string(), needs, has))
    })
}

/// The first resource of which nextpnr's log says that there is too little: (its name, needed, there).
pub fn overflow(log: &str) -> Option<(String, u64, u64)> {
    utilisation(log).find(|(_, needs, has)| needs > has)
}

/// Clock frequencies over the seeds of the placer.
#[derive(Clone, Debug, PartialEq)]
pub struct Fmax {
    /// For each seed, from 1 on.
    pub seeds: Vec<Timing>,
}

impl Fmax {
    fn sorted(&self) -> Vec<f64> {
        let mut values: Vec<f64> = self.seeds.iter().map(|timing| timing.fmax_mhz).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    /// The lowest, in MHz. There is at least one seed.
    pub fn min(&self) -> f64 {
        self.sorted()[0]
    }

    /// The highest, in MHz.
    pub fn max(&self) -> f64 {
        self.sorted()[self.seeds.len() - 1]
    }

    /// The median, in MHz; of an even number the mean of the middle two.
    pub fn median(&self) -> f64 {
        let values = self.sorted();
        let middle = values.len() / 2;
        if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
    }

    /// The slowest path of the slowest seed.
    pub fn critical(&self) -> Option<&(String, String)> {
        self.seeds.iter().min_by(|a, b| a.fmax_mhz.total_cmp(&b.fmax_mhz))?.critical.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_path_is_between_registers() {
        let timing = Timing::parse(include_str!("fixtures/report_ecp5.json")).unwrap().unwrap();
        assert_eq!(timing.fmax_mhz.round(), 394.0);
        let (from, to) = timing.critical.unwrap();
        assert_eq!(from, "u_dut.u_s4_3.state_i_TRELLIS_FF_Q");
        assert_eq!(to, "u_dut.s4_data_7_TRELLIS_FF_Q_6");
    }

    #[test]
    fn a_report_without_a_clock_or_of_something_else() {
        assert_eq!(Timing::parse(r#"{"fmax": {}, "critical_paths": []}"#).unwrap(), None);
        assert!(Timing::parse("{}").is_err());
    }

    #[test]
    fn the_log_says_what_is_too_much() {
        let log = "Info: Device utilisation:\nInfo: \t         ICESTORM_LC:   18115/   7680   235%\n\
                   Info: \t        ICESTORM_RAM:       0/     32     0%\nERROR: Unable to place cell\n";
        assert_eq!(overflow(log), Some(("ICESTORM_LC".into(), 18115, 7680)));
        assert_eq!(overflow(&log.replace("18115", "7680")), None);
        assert_eq!(overflow("ERROR: no such file"), None);
    }

    #[test]
    fn median_and_spread() {
        let fmax = |values: &[f64]| Fmax {
            seeds: values.iter().map(|&fmax_mhz| Timing { fmax_mhz, critical: None }).collect(),
        };
        let odd = fmax(&[300.0, 100.0, 250.0]);
        assert_eq!((odd.min(), odd.median(), odd.max()), (100.0, 250.0, 300.0));
        assert_eq!(fmax(&[300.0, 100.0, 250.0, 270.0]).median(), 260.0);
        assert_eq!(fmax(&[5.0]).median(), 5.0);
    }
}
