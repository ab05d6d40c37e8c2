//! What a routed system brings to a sweep: its columns, its points, the words of its plots.

use anyhow::Result;
use frit_network::facts::Facts;
use frit_network::facts::shown;
use frit_router::Router;
use std::sync::Arc;

/// The cell of a run in a column, as a number; none if it is not known.
pub type Cells<'a> = dyn Fn(&str) -> Option<f64> + 'a;

/// Makes a case: of a router, a kind of traffic, and whether without intermediate rows.
pub type MakeCase = fn(&dyn Router, &str, bool) -> Result<Arc<dyn Case>>;

/// A routed system that is swept.
pub struct Swept {
    /// Its key in the table of systems.
    pub name: &'static str,
    /// At the beginning of the titles of plots.
    pub title: &'static str,
    /// The columns that name a point, in words: members of `frit route`. The last is `seed`.
    pub key: &'static str,
    /// The other columns of the CSV file: facts of a run.
    pub facts: &'static str,
    /// Traffic by rule; the first is the default.
    pub traffic: &'static [&'static str],
    /// Whether a run of which a cell is known succeeded: all that was sent arrived.
    pub succeeded: fn(&Cells) -> Option<bool>,
    /// Columns that say something of every run, whether it succeeded or not; of the others only runs that did are counted.
    pub of_all: &'static [&'static str],
    /// Columns whose greatest value is that of every run: what bounds them must hold for runs that fail, too.
    pub bounded: &'static [&'static str],
    /// What can be across.
    pub across: &'static [Across],
    /// Columns whose default is computed from another, and that one.
    pub computed: &'static [(&'static str, &'static str)],
    /// A value of a column of the key, in a legend.
    pub word: fn(&str, &str) -> String,
    /// What is measured, on the vertical axis; the names of the columns if it has no words of its own.
    pub quantity: fn(&[&str]) -> Option<&'static str>,
    /// Whether this is the name of a formula.
    pub is_formula: fn(&str) -> bool,
    /// The formulas that there are, in an error.
    pub formulas: &'static str,
    /// A case: the system, the traffic, and whether without intermediate rows.
    pub case: MakeCase,
}

impl Swept {
    /// The columns of the key but the seed.
    pub fn columns(&self) -> Vec<&'static str> {
        self.key.split(' ').filter(|column| *column != "seed").collect()
    }

    pub fn cells(&self, case: &dyn Case) -> Vec<String> {
        let parameters = case.parameters();
        let cell = |column: &&str| parameters.get(*column).and_then(shown);
        self.columns().iter().map(|column| cell(column).expect("a column of the key is a member")).collect()
    }
}

/// What can be across in a plot.
pub struct Across {
    /// In the file: a column of the key, `n` (the logarithm of the terminals), or what a case computes.
    pub name: &'static str,
    /// On the axis; what stands before a colon is its short form.
    pub label: &'static str,
    /// The columns of the key that it is made of: they make no lines.
    pub of: &'static [&'static str],
}

/// What is run once for each seed, checked.
pub trait Case: Send + Sync {
    /// The members that say what is run, all columns of the key but the seed among them.
    fn parameters(&self) -> Facts;
    /// How long a run takes beside those of other cases, in any unit.
    fn work(&self) -> u64;
    /// What is across and no column.
    fn computed(&self, _across: &str) -> Option<f64> {
        None
    }
    /// The name and the value of a formula; none where it says nothing.
    fn formula(&self, _name: &str) -> Option<(String, f64)> {
        None
    }
    /// The members of the run with a seed, all columns behind the key among them.
    ///
    /// # Errors
    ///
    /// A run that breaks what is known of the system.
    fn run(&self, seed: u64) -> Result<Facts>;
}
