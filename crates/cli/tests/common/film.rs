//! What a page of `frit view` must show in each cycle, told by the files of `frit simulate` alone.

use super::browser::{Shown, Watched};
use super::rows::rows;
use std::collections::BTreeMap;

/// The texts that are compared in each cycle, by the ids of their elements.
pub const COMPARED: [&str; 5] = ["cycle-now", "cycle-last", "states-text", "matrix-text", "deliveries-text"];

/// The lines of each text of [`COMPARED`], for each cycle.
pub type Expected = Vec<[Vec<String>; COMPARED.len()]>;

/// A text that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub cycle: usize,
    pub id: &'static str,
    pub expected: Vec<String>,
    pub found: Vec<String>,
}

/// What the files say of a network of so many terminals.
pub fn expected(settings: &str, deliveries: &str, terminals: usize) -> Expected {
    let (settings, deliveries) = (numbers(settings), numbers(deliveries));
    let most = |rows: &[Row], column: &str| rows.iter().map(|row| row[column]).max().unwrap();
    let last = most(&settings, "cycle").max(most(&deliveries, "cycle"));
    let (stages, switches) = (most(&settings, "stage") + 1, most(&settings, "switch") + 1);
    let mut matrix = vec![vec!['.'; terminals]; terminals];
    let cycle = |cycle: usize| {
        let mut states = vec![vec!['.'; switches]; stages];
        for row in settings.iter().filter(|row| row["cycle"] == cycle) {
            states[row["stage"]][row["switch"]] = ['=', 'x'][row["state"]];
        }
        let mut arrived: Vec<&Row> = deliveries.iter().filter(|row| row["cycle"] == cycle).collect();
        arrived.sort_by_key(|row| row["output"]);
        for row in &arrived {
            matrix[row["source"]][row["output"]] = '#';
        }
        let arrivals =
            arrived.iter().map(|row| format!("{}>{} {}", row["source"], row["output"], row["round"]));
        let numbers = [cycle, last].map(|number| vec![number.to_string()]);
        let [now, last] = numbers;
        [now, last, text(&states), text(&matrix), arrivals.collect()]
    };
    (0..=last).map(cycle).collect()
}

type Row = BTreeMap<String, usize>;

/// The rows of a CSV file, without the columns that are no numbers.
fn numbers(text: &str) -> Vec<Row> {
    let row = |row: BTreeMap<String, String>| {
        row.into_iter().filter_map(|(name, cell)| Some((name, cell.parse().ok()?))).collect()
    };
    rows(text).into_iter().map(row).collect()
}

fn text(rows: &[Vec<char>]) -> Vec<String> {
    rows.iter().map(|row| row.iter().collect()).collect()
}

/// Every text of every cycle that is not as expected.
pub fn differences(expected: &Expected, watched: &Watched) -> Vec<Difference> {
    assert_eq!(watched.cycles.len(), expected.len(), "cycles of the page; it says {:?}", watched.stuck);
    let moments = expected.iter().zip(&watched.cycles).enumerate();
    moments.flat_map(|(cycle, (expected, shown))| differing(cycle, expected, shown)).collect()
}

fn differing(cycle: usize, expected: &[Vec<String>; COMPARED.len()], shown: &Shown) -> Vec<Difference> {
    let texts = COMPARED.into_iter().zip(expected);
    let pairs = texts.map(|(id, expected)| (id, expected.clone(), owned(shown.lines(id))));
    pairs
        .filter(|(_, expected, found)| expected != found)
        .map(|(id, expected, found)| Difference { cycle, id, expected, found })
        .collect()
}

fn owned(lines: Vec<&str>) -> Vec<String> {
    lines.into_iter().map(String::from).collect()
}
