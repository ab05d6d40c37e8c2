//! What is known of the points of a sweep.

use std::collections::BTreeMap;

/// The rows that are known.
pub struct Rows {
    /// The columns, those of the key first.
    pub(super) columns: Vec<&'static str>,
    /// By key: the cells of the columns behind it.
    pub(super) cells: BTreeMap<Vec<String>, Vec<String>>,
}

impl Rows {
    #[cfg(test)]
    pub fn of(columns: &[&'static str], cells: impl IntoIterator<Item = (Vec<String>, Vec<String>)>) -> Self {
        Rows { columns: columns.to_vec(), cells: cells.into_iter().collect() }
    }

    /// A cell behind the key.
    pub fn cell(&self, key: &[String], column: &str) -> Option<&str> {
        let at = self.columns.iter().position(|c| *c == column)?.checked_sub(key.len())?;
        self.cells.get(key)?.get(at).map(String::as_str)
    }

    pub fn number(&self, key: &[String], column: &str) -> Option<f64> {
        self.cell(key, column)?.parse().ok()
    }

    /// Whether the point with this key is known.
    pub fn has(&self, key: &[String]) -> bool {
        self.cells.contains_key(key)
    }
}
