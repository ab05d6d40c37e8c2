//! A user's permutation: the i-th number is the destination of source i.

use crate::npy;
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};

/// Reads a permutation from a file: an array of one axis (`.npy`), or text as [`parse`] has it.
pub fn read(bytes: &[u8]) -> Result<Vec<u32>, Refusal> {
    read_as(bytes, ["source", "destination", "go to"])
}

/// The permutation of which a file has the inverse: the source of each destination.
pub fn read_gather(bytes: &[u8]) -> Result<Vec<u32>, Refusal> {
    Ok(inverse(&read_as(bytes, ["place", "word", "take word"])?))
}

/// What is counted, what its number says, and what two of them do.
type Said = [&'static str; 3];

fn read_as(bytes: &[u8], said: Said) -> Result<Vec<u32>, Refusal> {
    if !npy::is_array(bytes) {
        return check(&numbers(&String::from_utf8_lossy(bytes), said)?, said);
    }
    let npy::Array { shape, numbers } = npy::parse(bytes)?;
    if shape.len() != 1 {
        refuse!("an array of {} axes is no permutation; give an array with one axis", shape.len());
    }
    check(&numbers, said)
}

/// The permutation whose inverse is given: of a list of sources the list of destinations.
pub fn inverse(permutation: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; permutation.len()];
    (0..).zip(permutation).for_each(|(at, &to)| inverse[to as usize] = at);
    inverse
}

/// Reads a permutation: numbers separated by commas or white space; lines starting with `#` are comments.
pub fn parse(text: &str) -> Result<Vec<u32>, Refusal> {
    read(text.as_bytes())
}

fn numbers(text: &str, [of, number, _]: Said) -> Result<Vec<u64>, Refusal> {
    let mut values: Vec<u64> = Vec::new();
    for (line, content) in text.lines().enumerate().filter(|(_, content)| !content.starts_with('#')) {
        for word in content.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty()) {
            values.push(word.parse().map_err(|_| {
                refusal!(
                    "line {}: {:?} is not a number; expected the {number}s of {of}s 0, 1, 2, ...",
                    line + 1,
                    beginning(word)
                )
            })?);
        }
    }
    Ok(values)
}

/// The numbers as a permutation.
fn check(values: &[u64], [of, number, meet]: Said) -> Result<Vec<u32>, Refusal> {
    if values.is_empty() {
        refuse!(
            "the file holds no number; expected the {number}s of {of}s 0, 1, 2, ... separated by commas or white space"
        );
    }
    let count = values.len();
    let mut first_of = vec![None; count];
    for (at, &given) in values.iter().enumerate() {
        let slot = usize::try_from(given).ok().and_then(|to| first_of.get_mut(to));
        let slot = slot.ok_or_else(|| {
            refusal!(
                "{of} {at}: {number} {given} is out of range; with {count} numbers {number}s are 0 to {}",
                count - 1
            )
        })?;
        if let Some(first) = slot.replace(at) {
            refuse!("{of}s {first} and {at} both {meet} {given}");
        }
    }
    Ok(values.iter().map(|&value| value as u32).collect())
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
            "source 1: destination 7 is out of range; with 2 numbers destinations are 0 to 1"
        );
        assert_eq!(text("0 1 1 3"), "sources 1 and 2 both go to 1");
    }

    #[test]
    fn arrays_are_read_and_lists_of_sources_turned() {
        let array = |shape: &[usize], numbers: &[u64]| read(&npy::to_npy(shape, numbers.iter().copied()));
        assert_eq!(array(&[4], &[2, 0, 3, 1]).unwrap(), [2, 0, 3, 1]);
        assert_eq!(read(b"2, 0\n3 1").unwrap(), [2, 0, 3, 1]);
        assert_eq!(inverse(&[2, 0, 3, 1]), [1, 3, 0, 2]);
        let error = |shape: &[usize], numbers: &[u64]| array(shape, numbers).unwrap_err().to_string();
        assert!(error(&[2, 2], &[2, 0, 3, 1]).contains("an array of 2 axes is no permutation"));
        assert!(error(&[2], &[2, 0]).contains("destination 2 is out of range"));
        assert_eq!(error(&[3], &[1, 1, 0]), "sources 0 and 1 both go to 1");
        assert!(error(&[0], &[]).contains("holds no number"));
        assert_eq!(read_gather(b"2 0 3 1").unwrap(), [1, 3, 0, 2]);
        let error = |text: &[u8]| read_gather(text).unwrap_err().to_string();
        assert_eq!(error(b"1 1 0"), "places 0 and 1 both take word 1");
        assert_eq!(error(b"1 2"), "place 1: word 2 is out of range; with 2 numbers words are 0 to 1");
    }
}
