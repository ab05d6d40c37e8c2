//! Lists in the file of a sweep, of which every combination is run.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a value or a list of values")]
pub enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    pub fn list(&self) -> &[T] {
        match self {
            OneOrMore::One(value) => std::slice::from_ref(value),
            OneOrMore::More(values) => values,
        }
    }

    /// The values given, or these.
    pub fn list_or<'a>(given: &'a Option<Self>, default: &'a [T]) -> &'a [T] {
        given.as_ref().map_or(default, Self::list)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a number or a word")]
pub enum OptionValue {
    Number(u64),
    Word(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionValue::Number(number) => write!(f, "{number}"),
            OptionValue::Word(word) => f.write_str(word),
        }
    }
}

/// The options of a system, each with one value or several.
pub type Options = BTreeMap<String, OneOrMore<OptionValue>>;

/// All combinations of the values of options; the last option varies most.
pub fn combinations(options: &Options) -> Vec<BTreeMap<String, String>> {
    options.iter().fold(vec![BTreeMap::new()], |known, (name, values)| {
        let with = |one: &BTreeMap<String, String>, value: &OptionValue| {
            let mut one = one.clone();
            one.insert(name.clone(), value.to_string());
            one
        };
        known.iter().flat_map(|one| values.list().iter().map(move |value| with(one, value))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_there_once() {
        let options: Options = toml::from_str("a = [1, 2]\nb = \"x\"\nc = [\"y\", \"z\"]").unwrap();
        let words: Vec<String> = combinations(&options)
            .iter()
            .map(|one| one.values().map(String::as_str).collect::<Vec<_>>().join(""))
            .collect();
        assert_eq!(words, ["1xy", "1xz", "2xy", "2xz"]);
        assert_eq!(combinations(&Options::new()).len(), 1);
    }
}
