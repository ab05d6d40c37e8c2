//! Values in the file of a sweep.

use serde::Deserialize;

/// A value, or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a value or a list of values")]
pub enum OneOrMore<T> {
    /// A value.
    One(T),
    /// A list.
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    /// All of them.
    pub fn list(&self) -> &[T] {
        match self {
            OneOrMore::One(value) => std::slice::from_ref(value),
            OneOrMore::More(values) => values,
        }
    }
}
