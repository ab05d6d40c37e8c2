//! Rows of a comparison with columns of their own, as text, CSV, JSON or Markdown.

use crate::args::CompareFormat;
use crate::table::{csv_cell, render};
use crate::ui::{HEAD, pretty};
use anyhow::Result;
use frit_network::facts::{Facts, shown};
use serde_json::Value;

/// What is printed.
pub struct Listing {
    pub title: String,
    /// In CSV and JSON and for people.
    pub columns: Vec<String>,
    /// A cell for each of the columns.
    pub rows: Vec<Vec<Value>>,
    /// Below the table, a line each.
    pub notes: Vec<String>,
    /// Of the JSON object, beside `rows`.
    pub members: Facts,
}

impl Listing {
    /// Of rows with the same facts.
    pub fn of(title: String, rows: Vec<Facts>, notes: Vec<String>, members: Facts) -> Self {
        let columns = rows.first().map_or(vec![], |row| row.keys().cloned().collect());
        let cells = |row: Facts| row.into_iter().map(|(_, value)| value).collect();
        Listing { title, columns, rows: rows.into_iter().map(cells).collect(), notes, members }
    }

    /// In a format.
    ///
    /// # Errors
    ///
    /// A value that JSON cannot write.
    pub fn print(self, format: CompareFormat) -> Result<String> {
        Ok(match format {
            CompareFormat::Text => self.text(),
            CompareFormat::Csv => {
                self.lines("", |cells| cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(","))
            }
            CompareFormat::Md => {
                let rule = format!("|{}\n", " --- |".repeat(self.columns.len()));
                let table = self.lines("-", |cells| format!("| {} |", cells.join(" | ")));
                let (head, body) = table.split_once('\n').unwrap_or((&table, ""));
                format!("{head}\n{rule}{body}\n{}", self.notes("- "))
            }
            CompareFormat::Json => {
                let object = |row: &Vec<Value>| -> Value {
                    self.columns.iter().cloned().zip(row.iter().cloned()).collect()
                };
                let mut report = self.members.clone();
                report.insert("rows".into(), self.rows.iter().map(object).collect());
                pretty(&report)?
            }
        })
    }

    fn text(&self) -> String {
        let heads: Vec<String> = self.columns.iter().map(|name| name.replace('_', " ")).collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| cells(row, "-")).collect();
        format!("{HEAD}{}{HEAD:#}\n{}\n{}", self.title, render(&heads, &rows), self.notes(""))
    }

    /// The names of the columns, then the rows, a line each.
    fn lines(&self, none: &str, line: impl Fn(Vec<String>) -> String) -> String {
        let head = line(self.columns.clone());
        std::iter::once(head)
            .chain(self.rows.iter().map(|row| line(cells(row, none))))
            .map(|line| line + "\n")
            .collect()
    }

    fn notes(&self, bullet: &str) -> String {
        self.notes.iter().map(|note| format!("{bullet}{note}\n")).collect()
    }
}

/// The cells as text, `none` where there is no figure.
fn cells(row: &[Value], none: &str) -> Vec<String> {
    row.iter().map(|cell| shown(cell).unwrap_or_else(|| none.into())).collect()
}
