//! What is known of the points of a sweep.

use std::collections::BTreeMap;

/// The rows that are known.
pub struct Rows {
    /// The columns, those of the key first.
    pub(super) columns: &'static [&'static str],
    /// By key: the cells of the columns behind it.
    pub(super) cells: BTreeMap<Vec<String>, Vec<String>>,
}

impl Rows {
    /// A cell as a number.
    pub fn number(&self, key: &[String], column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|c| *c == column)?.checked_sub(key.len())?;
        self.cells.get(key)?.get(at)?.parse().ok()
    }

    /// Whether the point with this key is known.
    pub fn has(&self, key: &[String]) -> bool {
        self.cells.contains_key(key)
    }
}
