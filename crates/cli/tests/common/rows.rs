//! Rows of CSV files.

use std::collections::BTreeMap;

/// The rows of a CSV file, by column.
pub fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

/// The mean of a column over the rows with these cells.
pub fn mean(rows: &[BTreeMap<String, String>], cells: &[(&str, &str)], column: &str) -> f64 {
    let chosen = rows.iter().filter(|row| cells.iter().all(|(name, cell)| row[*name] == *cell));
    let values: Vec<f64> = chosen.map(|row| row[column].parse().unwrap()).collect();
    assert!(!values.is_empty(), "{cells:?}");
    values.iter().sum::<f64>() / values.len() as f64
}
