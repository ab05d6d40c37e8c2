//! The one rule for text that comes from a file and goes into text that is emitted.

use crate::{Refusal, refusal};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;

/// The refusal of a word that is none of those known, with the one that it looks like: `what` is `a system`, `all` is `the systems`.
pub fn unknown(given: &str, what: &str, all: &str, known: &[&str]) -> Refusal {
    let lower = given.to_lowercase();
    let away = |word: &&&str| strsim::damerau_levenshtein(&lower, word);
    let meant = known.iter().min_by_key(away).filter(|word| away(word) <= (given.len() / 3).max(1));
    let meant = meant.map(|word| format!("did you mean {word}? ")).unwrap_or_default();
    refusal!("{:?} is not {what}; {meant}{all} are {}", beginning(given), known.join(", "))
}

/// A name that cannot be anything but a name wherever it is written: in a comment of Verilog, a Makefile, a string of DOT,
/// XML, a shell's word. 1 to [`Name::MAX_LENGTH`] ASCII letters, digits, `_` and `-`.
///
/// ```
/// use frit_network::Name;
/// assert_eq!(Name::new("omega-8")?.as_str(), "omega-8");
/// assert!(Name::new("omega\n`include \"/etc/passwd\"").is_err());
/// # Ok::<(), frit_network::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(String);

impl Name {
    /// The most characters of a name.
    pub const MAX_LENGTH: usize = 64;

    /// Checks a name.
    pub fn new(text: impl Into<String>) -> Result<Self, Refusal> {
        let text = text.into();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(plain) {
            return Ok(Name(text));
        }
        Err(refusal!(
            "the name {:?} is not allowed: a name is 1 to {} letters (a-z, A-Z), digits, _ and -",
            beginning(&text),
            Self::MAX_LENGTH
        ))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        Name::new(text)
    }
}

impl TryFrom<&str> for Name {
    type Error = Refusal;

    fn try_from(text: &str) -> Result<Self, Refusal> {
        Name::new(text)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// At most the first 40 characters of a text that may have any length, the rest as `...`: what an error quotes of a file.
pub fn beginning(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A text with its middle left out if it has more than 200 characters: what a parser says, which may quote all of a file and
/// ends with the place.
pub fn ends(text: &str) -> String {
    match (text.char_indices().nth(120), text.char_indices().nth_back(76)) {
        (Some((first, _)), Some((last, _))) if last > first && text[first..last].chars().count() > 3 => {
            format!("{}...{}", &text[..first], &text[last..])
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_nearly_a_known_one_is_named() {
        let text = |given: &str| {
            unknown(given, "a system", "the systems", &["rls", "transpose", "permute"]).to_string()
        };
        assert_eq!(
            text("transpos"),
            "\"transpos\" is not a system; did you mean transpose? the systems are rls, transpose, permute"
        );
        assert!(
            text("Permute").contains("did you mean permute?") && text("rsl").contains("did you mean rls?")
        );
        assert_eq!(text("mesh"), "\"mesh\" is not a system; the systems are rls, transpose, permute");
    }

    #[test]
    fn the_ends_of_a_long_text_are_kept() {
        let short = "é".repeat(200);
        assert_eq!(ends(&short), short);
        let long = ends(&format!("a{}z", "é".repeat(5000)));
        assert_eq!(long.chars().count(), 200);
        assert!(long.starts_with("aé") && long.contains("é...é") && long.ends_with("éz"));
    }

    #[test]
    fn names_are_plain_and_short() {
        for good in ["omega", "butterfly-butterfly", "A_1", "-", &"x".repeat(Name::MAX_LENGTH)] {
            assert_eq!(Name::new(good).map(|name| name.to_string()).as_deref(), Ok(good));
        }
        let long = "x".repeat(Name::MAX_LENGTH + 1);
        for bad in
            ["", "two words", "a\nb", "a\"b", "a<b", "a$b", "a`b", "a/b", "a.b", "é", "a\u{1b}[2J", &long]
        {
            assert!(Name::new(bad).is_err(), "{bad:?}");
        }
        let error = Name::new(format!("{}\n", "y".repeat(99))).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the name \"{}...\" is", "y".repeat(40))), "{error}");
        assert_eq!(beginning("xy"), "xy");
        assert_eq!(
            Name::new("a\u{1b}").unwrap_err().to_string(),
            "the name \"a\\u{1b}\" is not allowed: a name is 1 to 64 letters (a-z, A-Z), digits, _ and -"
        );
    }
}
