//! The identifiers of short texts that the cells give as they are: ranges, the values of constants.

use std::collections::{BTreeMap, BTreeSet};

/// Applies `map` to every identifier of a text; literals such as `4'h3` are left alone.
fn map_words(text: &str, mut map: impl FnMut(&str) -> String) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\'');
    for c in text.chars().chain(std::iter::once('\n')) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            out += &map(&word);
        } else {
            out += &word;
        }
        word.clear();
        out.push(c);
    }
    out.truncate(out.len() - 1);
    out
}

pub(super) fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    map_words(text, |word| {
        found.insert(word.to_string());
        String::new()
    });
    found
}

/// Renames the identifiers of a text.
pub fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    map_words(text, |word| names.get(word).cloned().unwrap_or_else(|| word.to_string()))
}
