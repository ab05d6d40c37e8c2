//! A user's permutation: the i-th number is the destination of source i.

use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};

/// Reads a permutation: numbers separated by commas or white space; lines starting with `#` are comments.
pub fn parse(text: &str) -> Result<Vec<u32>, Refusal> {
    let mut values: Vec<u64> = Vec::new();
    for (line, content) in text.lines().enumerate().filter(|(_, content)| !content.starts_with('#')) {
        for word in content.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty()) {
            values.push(word.parse().map_err(|_| {
                refusal!(
                    "line {}: {:?} is not a number; expected the destinations of sources 0, 1, 2, ...",
                    line + 1,
                    beginning(word)
                )
            })?);
        }
    }
    if values.is_empty() {
        refuse!(
            "the file holds no number; expected the destinations of sources 0, 1, 2, ... separated by commas or white space"
        );
    }
    let count = values.len();
    let mut source_of = vec![None; count];
    for (source, &given) in values.iter().enumerate() {
        let slot = usize::try_from(given).ok().and_then(|to| source_of.get_mut(to));
        let slot = slot.ok_or_else(|| {
            refusal!(
                "source {source}: destination {given} is out of range; with {count} numbers destinations are 0..{count}"
            )
        })?;
        if let Some(first) = slot.replace(source) {
            refuse!("sources {first} and {source} both go to {given}");
        }
    }
    Ok(values.into_iter().map(|v| v as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_spaces_and_comments() {
        assert_eq!(parse("# d of 0, 1, ...\n1, 0\n3\t2").unwrap(), [1, 0, 3, 2]);
    }

    #[test]
    fn what_is_no_permutation_is_explained() {
        let text = |t: &str| parse(t).unwrap_err().to_string();
        assert!(text("").starts_with("the file holds no number"));
        assert!(text("0 one").starts_with("line 1: \"one\" is not a number"));
        assert!(text(&"x".repeat(1000)).len() < 150);
        assert_eq!(
            text("0 7"),
            "source 1: destination 7 is out of range; with 2 numbers destinations are 0..2"
        );
        assert_eq!(text("0 1 1 3"), "sources 1 and 2 both go to 1");
    }
}
