//! How traffic went, as text, JSON or CSV, whatever the system is.

use crate::args::RouteFormat;
use crate::table;
use crate::ui::{BAD, HEAD, pretty};
use anyhow::Result;
use frit_network::facts::{Facts, shown};
use serde_json::Value;

/// Runs over seeds.
pub struct RouteReport {
    /// The first line of the text.
    pub title: String,
    /// Members of the JSON object besides the points.
    pub members: Facts,
    /// Columns of the table, behind the seed, in words: members of a point, or TITLE:MEMBER, with _ for a blank.
    pub columns: &'static str,
    /// Members of a point that are columns of the CSV, behind the seed.
    pub csv: &'static str,
    /// One for each seed.
    pub points: Vec<Point>,
    /// Lines below the table.
    pub notes: Vec<String>,
}

pub struct Point {
    /// None if nothing is drawn.
    pub seed: Option<u64>,
    pub members: Facts,
    /// Members that look otherwise in the table.
    pub shown: Vec<(&'static str, String)>,
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
            RouteFormat::Json => pretty(&self.json())?,
            RouteFormat::Csv => self.comma_separated(),
        })
    }

    fn text(&self) -> String {
        let column = |word: &'static str| word.split_once(':').unwrap_or((word, word));
        let columns: Vec<_> = self.columns.split(' ').map(column).collect();
        let titles = ["seed"].iter().chain(columns.iter().map(|(title, _)| title));
        let titles: Vec<String> = titles.map(|title| title.replace('_', " ")).collect();
        let header: Vec<&str> = titles.iter().map(String::as_str).collect();
        let row = |point: &Point| {
            let cells = columns.iter().map(|(_, member)| point.shown(member));
            [seed_text(point)].into_iter().chain(cells).collect()
        };
        let rows: Vec<Vec<String>> = self.points.iter().map(row).collect();
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
        let points: Vec<Facts> = self.points.iter().map(Point::json).collect();
        let mut value = self.members.clone();
        if let [point] = points.as_slice() {
            value.extend(point.clone());
        }
        value.insert("points".into(), points.into());
        value.into()
    }

    fn comma_separated(&self) -> String {
        let mut text = format!("seed,{}\n", self.csv.replace(' ', ","));
        for point in &self.points {
            let members = point.json();
            let cell = |name: &str| members.get(name).and_then(shown).unwrap_or_default();
            let cells: Vec<String> = ["seed"].into_iter().chain(self.csv.split(' ')).map(cell).collect();
            text += &format!("{}\n", cells.join(","));
        }
        text
    }
}

impl Point {
    /// A member as the table has it.
    fn shown(&self, member: &str) -> String {
        let value = || self.members.get(member).and_then(shown);
        let own = self.shown.iter().find(|(name, _)| *name == member).map(|(_, text)| text.clone());
        own.or_else(value).unwrap_or_default()
    }

    fn json(&self) -> Facts {
        std::iter::once(("seed".into(), self.seed.into())).chain(self.members.clone()).collect()
    }
}

fn seed_text(point: &Point) -> String {
    point.seed.map_or("-".into(), |seed| seed.to_string())
}
