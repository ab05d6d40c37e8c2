//! A plan in a file: which configuration each network has, from which cycle on, and for how long. [`read`] reads the forms that
//! [`PlanFile::csv`] and [`PlanFile::json`] write, also if another program wrote them; [`check`](crate::check) says what such a plan does.
//! [`plan_forms`](crate::plan_forms) has the forms of other projects.

use crate::few::Few;
use crate::peel::Held;
pub use crate::peel::NONE;
use crate::table::cells;
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};
use frit_traffic::npy::whole;
use frit_traffic::pace::Pace;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Result as Written, Write};

/// The most networks side by side.
pub const MAX_PLANES: u32 = 256;

/// The longest plan that is read: 2^53.
const MAX_CYCLES: u64 = 1 << 53;

/// A configuration of a network, and when it is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the network.
    pub plane: u32,
    /// The cycle in which the first words enter. The network changes its configuration in the δ cycles before.
    pub start: u64,
    /// The number of cycles in which words enter.
    pub hold: u64,
    /// The destination of each source, or [`NONE`].
    pub to: Vec<u16>,
}

impl Row {
    /// The cycle after the last one in which words enter.
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.hold)
    }

    /// The sources that have a destination, with it.
    pub fn circuits(&self) -> impl Iterator<Item = (usize, u16)> + '_ {
        self.to.iter().copied().enumerate().filter(|&(_, to)| to != NONE)
    }
}

/// A plan of configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    /// N.
    pub terminals: u32,
    /// δ: the cycles that a network takes to change its configuration.
    pub delta: u32,
    /// The number of networks side by side.
    pub planes: u32,
    pub rows: Vec<Row>,
    /// Of a plan that was read from lines: the line of each row.
    lines: Option<Vec<usize>>,
}

impl PlanFile {
    /// The plan of a planner: each network changes its configuration in δ cycles, holds it, and changes it again.
    pub fn new(terminals: u32, delta: u32, few: Few) -> PlanFile {
        let planes = few.planes.len() as u32;
        let mut rows = Vec::with_capacity(few.configurations());
        for (plane, configurations) in (0..).zip(few.planes) {
            let mut start = u64::from(delta);
            for held in configurations {
                let row = Row { plane, start, hold: held.hold.into(), to: held.to };
                start = row.end() + u64::from(delta);
                rows.push(row);
            }
        }
        PlanFile::of_rows(terminals, delta, planes, rows)
    }

    /// A plan of these configurations.
    pub fn of_rows(terminals: u32, delta: u32, planes: u32, rows: Vec<Row>) -> PlanFile {
        PlanFile { terminals, delta, planes, rows, lines: None }
    }

    /// The cycle after the last one in which words enter; 0 without configurations.
    pub fn cycles(&self) -> u64 {
        self.rows.iter().map(Row::end).max().unwrap_or(0)
    }

    /// The configurations, without their networks and starts.
    pub fn held(&self) -> Vec<Held> {
        let held = |row: &Row| Held { to: row.to.clone(), hold: row.hold.try_into().unwrap_or(u32::MAX) };
        self.rows.iter().map(held).collect()
    }

    /// Where a row stands in its file.
    pub fn place(&self, row: usize) -> String {
        match &self.lines {
            Some(lines) => format!("line {}", lines[row]),
            None => format!("configurations[{row}]"),
        }
    }

    /// `plane,start,hold,0,1,…`, a line for each configuration with the destination of each source; with a pace `start_us,hold_us` before
    /// the destinations.
    pub fn csv(&self, out: &mut impl Write, pace: Option<Pace>) -> Written<()> {
        let sources: String = (0..self.terminals).map(|source| format!(",{source}")).collect();
        writeln!(out, "plane,start,hold{}{sources}", if pace.is_some() { ",start_us,hold_us" } else { "" })?;
        for row in &self.rows {
            write!(out, "{},{},{}", row.plane, row.start, row.hold)?;
            if let Some(pace) = pace {
                write!(out, ",{},{}", us(pace, row.start), us(pace, row.hold))?;
            }
            for &to in &row.to {
                match to {
                    NONE => write!(out, ",")?,
                    to => write!(out, ",{to}")?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// The same as JSON, with a line for each configuration.
    pub fn json(&self, out: &mut impl Write, pace: Option<Pace>) -> Written<()> {
        self.json_with(out, &[], pace, |row| {
            let to: Vec<Value> =
                row.to.iter().map(|&to| if to == NONE { json!(-1) } else { to.into() }).collect();
            ("destinations", to.into())
        })
    }

    /// An object with the sizes of the plan, `more` members, and a line for each configuration, whose last member is `circuits`.
    pub(crate) fn json_with(
        &self,
        out: &mut impl Write,
        more: &[(&str, Value)],
        pace: Option<Pace>,
        circuits: impl Fn(&Row) -> (&'static str, Value),
    ) -> Written<()> {
        writeln!(out, "{{\n  \"terminals\": {},\n  \"planes\": {},", self.terminals, self.planes)?;
        writeln!(out, "  \"delta\": {},\n  \"cycles\": {},", self.delta, self.cycles())?;
        for (name, value) in more {
            writeln!(out, "  \"{name}\": {value},")?;
        }
        write!(out, "  \"configurations\": [")?;
        for (at, row) in self.rows.iter().enumerate() {
            let mut members = json!({ "plane": row.plane, "start": row.start, "hold": row.hold });
            if let Some(pace) = pace {
                members["start_us"] = us(pace, row.start).into();
                members["hold_us"] = us(pace, row.hold).into();
            }
            let (name, value) = circuits(row);
            members[name] = value;
            write!(out, "{}\n    {members}", if at > 0 { "," } else { "" })?;
        }
        writeln!(out, "\n  ]\n}}")
    }
}

/// Microseconds, to a picosecond.
fn us(pace: Pace, cycles: u64) -> f64 {
    pace.time_ps(cycles) as f64 / 1e6
}

/// Reads a plan as CSV or JSON. A configuration without a start begins δ cycles after the previous one of its network ends; JSON may say itself what
/// δ is.
///
/// # Errors
///
/// A file that is no plan. Whether the plan can be run is not looked at.
pub fn read(bytes: &[u8], delta: u32) -> Result<PlanFile, Refusal> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| refusal!("the file is no text; give a plan as CSV or JSON"))?;
    let mut starts = Starts::new(delta);
    let contents = if text.trim_start().starts_with('{') { from_json } else { from_csv };
    let (terminals, rows, lines) = contents(text, &mut starts)?;
    let used: BTreeSet<u32> = rows.iter().map(|row| row.plane).collect();
    let planes = used.len().max(1) as u32;
    let plan = PlanFile { terminals, delta: starts.delta, planes, rows, lines };
    match plan.cycles() {
        // Sums of such times, over all networks, do not overflow.
        0..=MAX_CYCLES => Ok(plan),
        cycles => refuse!("the plan ends in cycle {cycles}; give a plan of at most {MAX_CYCLES} cycles"),
    }
}

/// The number of terminals, the rows, and their lines if there are any.
type Contents = (u32, Vec<Row>, Option<Vec<usize>>);

/// From which cycle on each network can have its next configuration.
struct Starts {
    delta: u32,
    free: [u64; MAX_PLANES as usize],
}

impl Starts {
    fn new(delta: u32) -> Self {
        Starts { delta, free: [delta.into(); MAX_PLANES as usize] }
    }

    /// The row with its start, or as early as it can begin.
    fn timed(&mut self, row: Row, start: Option<u64>) -> Row {
        let free = &mut self.free[row.plane as usize];
        let row = Row { start: start.unwrap_or(*free), ..row };
        *free = row.end().saturating_add(self.delta.into());
        row
    }
}

/// A column of a plan.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Plane,
    Start,
    Hold,
    /// Microseconds, which follow from the cycles.
    Ignored,
    Source(usize),
}

fn from_csv(text: &str, starts: &mut Starts) -> Result<Contents, Refusal> {
    let lines = (1..).zip(text.lines().map(|line| line.trim_matches([' ', '\r'])));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().map_or("", |(_, line)| line);
    let separator = [',', ';', '\t'].into_iter().find(|&separator| first.contains(separator));
    let column = |name: &str| match name.to_lowercase().as_str() {
        "plane" => Some(Column::Plane),
        "start" => Some(Column::Start),
        "hold" => Some(Column::Hold),
        "start_us" | "hold_us" => Some(Column::Ignored),
        name => name.parse().ok().map(Column::Source),
    };
    let columns: Option<Vec<Column>> = cells(first, separator).map(column).collect();
    let columns = columns.filter(|columns| separator.is_some() && columns.contains(&Column::Hold));
    let Some(columns) = columns else {
        refuse!(
            "the first line {:?} is not that of a plan; it has the names plane,start,hold and the numbers of the sources, 0,1,…",
            beginning(first)
        );
    };
    let terminals = columns.iter().filter(|column| matches!(column, Column::Source(_))).count();
    for (at, column) in columns.iter().enumerate() {
        let above = matches!(column, Column::Source(source) if *source >= terminals);
        if above || *column != Column::Ignored && columns[..at].contains(column) {
            refuse!(
                "column {} of the first line is one too many; a plan has each source from 0 on, and each name, once",
                at + 1
            );
        }
    }
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for (line, text) in lines {
        let mut row = Row { plane: 0, start: 0, hold: 0, to: vec![NONE; terminals] };
        let mut start = None;
        let mut given = 0;
        for (at, cell) in cells(text, separator).enumerate() {
            given += 1;
            let wrong =
                |is: &str| refusal!("line {line}, cell {}: {:?} is not {is}", at + 1, beginning(cell));
            let number = || cell.parse().ok().or_else(|| cell.parse().ok().and_then(whole));
            match columns.get(at) {
                Some(Column::Plane) => row.plane = plane(number()).ok_or_else(|| wrong(PLANE))?,
                Some(Column::Start) if cell.is_empty() => (),
                Some(Column::Start) => start = Some(number().ok_or_else(|| wrong(CYCLES))?),
                Some(Column::Hold) => row.hold = number().ok_or_else(|| wrong(CYCLES))?,
                Some(&Column::Source(source)) if !["", "-1"].contains(&cell) => {
                    row.to[source] = destination(number()).ok_or_else(|| wrong(DESTINATION))?;
                }
                _ => (),
            }
        }
        if given != columns.len() {
            refuse!("line {line} has {given} cells, but the first line has {}", columns.len());
        }
        rows.push(starts.timed(row, start));
        numbers.push(line);
    }
    Ok((terminals as u32, rows, Some(numbers)))
}

const PLANE: &str = "a network; give 0 to 255";
const CYCLES: &str = "a number of cycles; give a whole number from 0 on";
const DESTINATION: &str =
    "a destination; give the number of a terminal, or nothing (in JSON -1) if the source sends nothing";

fn plane(number: Option<u64>) -> Option<u32> {
    number.filter(|&number| number < MAX_PLANES.into()).map(|number| number as u32)
}

fn destination(number: Option<u64>) -> Option<u16> {
    number.and_then(|number| u16::try_from(number).ok()).filter(|&to| to != NONE)
}

#[derive(Deserialize)]
struct JsonPlan {
    terminals: u32,
    delta: Option<u32>,
    planes: Option<u64>,
    configurations: Vec<JsonRow>,
}

#[derive(Deserialize)]
struct JsonRow {
    #[serde(default)]
    plane: u64,
    start: Option<u64>,
    hold: u64,
    destinations: Vec<Option<i64>>,
}

fn from_json(text: &str, starts: &mut Starts) -> Result<Contents, Refusal> {
    let plan: JsonPlan = serde_json::from_str(text).map_err(|error| {
        refusal!(
            "the JSON is no plan: {error}; give {{\"terminals\": 2, \"configurations\": [{{\"plane\": 0, \"start\": 0, \"hold\": 9, \"destinations\": [1, 0]}}]}}"
        )
    })?;
    if let Some(delta) = plan.delta {
        *starts = Starts::new(delta);
    }
    let mut rows = Vec::with_capacity(plan.configurations.len());
    for (at, read) in plan.configurations.into_iter().enumerate() {
        let wrong = |number: i64, is: &str| refusal!("configurations[{at}]: {number} is not {is}");
        if read.destinations.len() != plan.terminals as usize {
            refuse!(
                "configurations[{at}] has {} destinations, but the plan has {} terminals",
                read.destinations.len(),
                plan.terminals
            );
        }
        let to = |given: Option<i64>| match given {
            None | Some(-1) => Ok(NONE),
            Some(given) => destination(given.try_into().ok()).ok_or_else(|| wrong(given, DESTINATION)),
        };
        let to = read.destinations.into_iter().map(to).collect::<Result<_, _>>()?;
        let plane = plane(Some(read.plane)).ok_or_else(|| wrong(read.plane as i64, PLANE))?;
        if let Some(planes) = plan.planes.filter(|&planes| read.plane >= planes) {
            refuse!(
                "configurations[{at}] is of plane {plane}, but the plan says that it has {planes} planes, from 0 on"
            );
        }
        rows.push(starts.timed(Row { plane, start: 0, hold: read.hold, to }, read.start));
    }
    Ok((plan.terminals, rows, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> PlanFile {
        let held = |to: [u16; 4], hold| Held { to: to.into(), hold };
        let planes = vec![vec![held([1, 0, 3, 2], 5), held([2, 3, 0, 1], 2)], vec![held([3, 2, 1, 0], 4)]];
        PlanFile::new(4, 10, Few { planes, time: 27 })
    }

    fn written(write: impl Fn(&mut Vec<u8>) -> Written<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_plan_has_starts_behind_delta_and_is_read_again() {
        let plan = plan();
        let csv = written(|out| plan.csv(out, None));
        assert_eq!(csv, "plane,start,hold,0,1,2,3\n0,10,5,1,0,3,2\n0,25,2,2,3,0,1\n1,10,4,3,2,1,0\n");
        assert_eq!(plan.cycles(), 27);
        // 14,336 bytes at 400 Gb/s are 286.72 ns.
        let pace = Pace::parse(Some(14336), Some("400G"), None).unwrap();
        let paced = written(|out| plan.csv(out, pace));
        assert_eq!(paced.lines().nth(2), Some("0,25,2,7.168,0.57344,2,3,0,1"), "{paced}");
        for text in [csv.clone(), paced, csv.replace(',', "; "), csv.replace("plane", "\"Plane\"")] {
            let read = read(text.as_bytes(), 10).unwrap();
            assert_eq!((&read.rows, read.planes, read.place(1)), (&plan.rows, 2, "line 3".into()), "{text}");
        }
        for json in [written(|out| plan.json(out, None)), written(|out| plan.json(out, pace))] {
            let read = read(json.as_bytes(), 10).unwrap();
            assert_eq!(read, plan, "{json}");
            assert_eq!(read.place(1), "configurations[1]");
        }
    }

    #[test]
    fn starts_and_destinations_may_be_missing() {
        let rows = |text: &str, delta| read(text.as_bytes(), delta).unwrap().rows;
        let row = |start, hold, to: [u16; 2]| Row { plane: 0, start, hold, to: to.into() };
        let wanted = [row(3, 5, [1, NONE]), row(11, 2, [NONE, 0])];
        assert_eq!(rows("hold,0,1\n5,1,\n\n# a comment\n2.0,-1,0\n", 3), wanted);
        assert_eq!(rows("1,start,hold,0,plane\n,,5,1,0\n0,11,2,-1,0\n", 3), wanted);
        let json = |first: &str| {
            format!(
                "{{\"terminals\": 2, \"configurations\": [{{\"hold\": 5, \"destinations\": [1, null]}},
                {{\"hold\": 2, {first} \"destinations\": [-1, 0], \"power\": 7}}]}}"
            )
        };
        assert_eq!(rows(&json(""), 3), wanted);
        assert_eq!(rows(&json("\"start\": 11,"), 3), wanted);
        let empty = read(b"hold,0,1\n", 3).unwrap();
        assert_eq!((empty.rows.len(), empty.planes, empty.cycles()), (0, 1, 0));
        assert_eq!(written(|out| empty.csv(out, None)), "plane,start,hold,0,1\n");
    }

    #[test]
    fn what_is_no_plan_is_refused_in_one_line() {
        let deep = "{\"terminals\":".repeat(10_000);
        for (text, expected) in [
            ("", "the first line \"\" is not that of a plan"),
            ("0,5\n5,0\n", "the first line \"0,5\" is not that of a plan; it has the names plane,start,hold"),
            ("plane,start,0,1\n", "is not that of a plan"),
            ("hold,0,2\n", "column 3 of the first line is one too many"),
            ("hold,0,1,1\n", "column 4 of the first line is one too many"),
            ("hold,hold,0,1\n", "column 2 of the first line is one too many"),
            ("hold,0,1\n5,1\n", "line 2 has 2 cells, but the first line has 3"),
            ("hold,0,1\n5,1,0,0\n", "line 2 has 4 cells"),
            ("hold,0,1\n-5,1,0\n", "line 2, cell 1: \"-5\" is not a number of cycles; give a whole number"),
            ("hold,0,1\n5,1,x\n", "line 2, cell 3: \"x\" is not a destination; give the number"),
            ("hold,0,1\n5,1,65535\n", "\"65535\" is not a destination"),
            ("plane,hold,0,1\n256,5,1,0\n", "line 2, cell 1: \"256\" is not a network; give 0 to 255"),
            ("start,hold,0,1\n1.5,5,1,0\n", "line 2, cell 1: \"1.5\" is not a number of cycles"),
            ("start,hold,0\n18446744073709551615,5,0\n", "the plan ends in cycle 18446744073709551615; give"),
            ("hold,0\n9007199254740992,0\n1,0\n", "the plan ends in cycle 9007199254740993; give"),
            ("{\"terminals\": 2}", "the JSON is no plan: missing field `configurations`"),
            (deep.as_str(), "the JSON is no plan: "),
            (
                "{\"terminals\":2,\"configurations\":[{\"hold\":1,\"destinations\":[1]}]}",
                "configurations[0] has 1 destinations, but the plan has 2 terminals",
            ),
            (
                "{\"terminals\":1,\"configurations\":[{\"hold\":1,\"destinations\":[-2]}]}",
                "configurations[0]: -2 is not a destination",
            ),
            (
                "{\"terminals\":0,\"configurations\":[{\"hold\":1,\"plane\":256,\"destinations\":[]}]}",
                "configurations[0]: 256 is not a network",
            ),
        ] {
            let error = read(text.as_bytes(), 0).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(error.lines().count() == 1 && error.len() < 300, "{error}");
        }
        let error = read(&[0xff, 0xfe], 0).unwrap_err().to_string();
        assert!(error.starts_with("the file is no text"), "{error}");
    }
}
