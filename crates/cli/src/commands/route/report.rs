//! How traffic went, as text, JSON or CSV, whatever the system is.

use crate::args::RouteFormat;
use crate::table;
use crate::ui::{BAD, HEAD};
use anyhow::Result;
use serde_json::{Map, Value};

/// Runs over seeds.
pub struct RouteReport {
    /// The first line of the text.
    pub title: String,
    /// Members of the JSON object besides the points.
    pub members: Map<String, Value>,
    /// Columns of the table, behind the seed.
    pub columns: Vec<&'static str>,
    /// Members of a point that are columns of the CSV, behind the seed.
    pub csv: &'static [&'static str],
    /// One for each seed.
    pub points: Vec<Point>,
    /// Lines below the table.
    pub notes: Vec<String>,
}

/// One run.
pub struct Point {
    /// None if nothing is drawn.
    pub seed: Option<u64>,
    /// What the columns of the table hold.
    pub cells: Vec<String>,
    /// Its members in JSON.
    pub members: Vec<(&'static str, Value)>,
    /// What went wrong, a line each.
    pub faults: Vec<String>,
}

impl RouteReport {
    /// Nothing went wrong.
    pub fn fine(&self) -> bool {
        self.points.iter().all(|point| point.faults.is_empty())
    }

    pub fn print(&self, format: RouteFormat) -> Result<String> {
        Ok(match format {
            RouteFormat::Text => self.text(),
            RouteFormat::Json => format!("{}\n", serde_json::to_string_pretty(&self.json())?),
            RouteFormat::Csv => self.comma_separated(),
        })
    }

    fn text(&self) -> String {
        let header = [&["seed"], self.columns.as_slice()].concat();
        let rows: Vec<Vec<String>> =
            self.points.iter().map(|point| [&[seed_text(point)], point.cells.as_slice()].concat()).collect();
        let mut text = format!("{HEAD}{}{HEAD:#}\n{}", self.title, table::render(&header, &rows));
        self.notes.iter().for_each(|note| text += &format!("{note}\n"));
        for point in &self.points {
            for fault in &point.faults {
                text += &format!("{BAD}seed {}{BAD:#}: {fault}\n", seed_text(point));
            }
        }
        text
    }

    /// If there is one run, its members stand in the object itself as well.
    fn json(&self) -> Value {
        let points: Vec<Map<String, Value>> = self.points.iter().map(Point::json).collect();
        let mut value = self.members.clone();
        if let [point] = points.as_slice() {
            value.extend(point.clone());
        }
        value.insert("points".into(), points.into());
        value.into()
    }

    fn comma_separated(&self) -> String {
        let mut text = format!("seed,{}\n", self.csv.join(","));
        for point in &self.points {
            let members = point.json();
            let cell = |name: &str| members.get(name).map_or(String::new(), plain);
            let cells: Vec<String> = ["seed"].iter().chain(self.csv).map(|name| cell(name)).collect();
            text += &format!("{}\n", cells.join(","));
        }
        text
    }
}

impl Point {
    fn json(&self) -> Map<String, Value> {
        let members = self.members.iter().map(|(name, value)| (name.to_string(), value.clone()));
        std::iter::once(("seed".into(), self.seed.into())).chain(members).collect()
    }
}

fn seed_text(point: &Point) -> String {
    point.seed.map_or("-".into(), |seed| seed.to_string())
}

/// A value without quotation marks; nothing for null.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
