//! Changes of text: its words, its lines, its characters.

use super::{LONGEST, bytes, number, one, times};
use frit_traffic::random::SplitMix64;

/// The words that mean something in a kind of file.
pub(crate) type Words = &'static [&'static str];

/// What does not belong into a text, or only seems to.
const STRANGE: [&str; 17] = [
    "\u{1b}[2J",
    "\0",
    "\u{7f}",
    "\u{202e}",
    "\u{feff}",
    "\r\n",
    "\r",
    "\t",
    " ",
    "é",
    "\u{9b}31m",
    "\"",
    "'",
    "#",
    ",",
    "\u{2028}",
    "\\",
];

/// Changes a text in one to four places.
pub(crate) fn text(input: &mut Vec<u8>, random: &mut SplitMix64, words: Words) {
    for _ in 0..times(random) {
        match random.below(12) {
            0 => bytes(input, random),
            1..=3 => lines(input, random),
            4 | 5 => digits(input, random),
            _ => pieces(input, random, words),
        }
        input.truncate(LONGEST);
    }
}

/// Exchanges two words that are numbers, or a digit by another: what is read as before, with another meaning.
pub(super) fn digits(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let mut pieces = split(input);
    let is_number = |piece: &&[u8]| piece.iter().all(u8::is_ascii_digit);
    let numbers: Vec<usize> = (0..pieces.len()).filter(|&at| is_number(&pieces[at])).collect();
    let places: Vec<usize> = (0..input.len()).filter(|&at| input[at].is_ascii_digit()).collect();
    if !numbers.is_empty() && random.below(2) == 0 {
        pieces.swap(*one(&numbers, random), *one(&numbers, random));
        *input = pieces.concat();
    } else if !places.is_empty() {
        let at = *one(&places, random);
        input[at] = match input[at] {
            digit @ (b'0' | b'1') => digit ^ 1,
            _ => b'0' + random.below(10) as u8,
        };
    }
}

/// Takes, doubles, exchanges or moves whole lines.
fn lines(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let [a, b] = [0; 2].map(|_: i32| random.below(lines.len() as u32) as usize);
    match random.below(5) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        3 => lines.truncate(a + 1),
        _ => {
            let line = lines[a];
            let times = (1 << random.below(8)).min(LONGEST.div_ceil(line.len()));
            lines.splice(b..b, std::iter::repeat_n(line, times));
        }
    }
    *input = lines.concat();
}

/// Letters and digits belong together, any other character stands alone.
fn split(input: &[u8]) -> Vec<&[u8]> {
    input.chunk_by(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()).collect()
}

fn pieces(input: &mut Vec<u8>, random: &mut SplitMix64, words: Words) {
    let mut pieces: Vec<Vec<u8>> = split(input).into_iter().map(<[u8]>::to_vec).collect();
    pieces.push(Vec::new());
    let [a, b] = [0; 2].map(|_: i32| random.below(pieces.len() as u32) as usize);
    match random.below(8) {
        0 => pieces[a].clear(),
        1 => pieces[a] = pieces[b].clone(),
        2 => pieces.swap(a, b),
        3 => pieces[a] = one(&STRANGE, random).as_bytes().to_vec(),
        4 if !words.is_empty() => pieces[a] = one(words, random).as_bytes().to_vec(),
        5 if !words.is_empty() => pieces.insert(a, one(words, random).as_bytes().to_vec()),
        _ => {
            let numbers: Vec<usize> =
                (0..pieces.len()).filter(|&at| pieces[at].first().is_some_and(u8::is_ascii_digit)).collect();
            let at = if numbers.is_empty() { a } else { *one(&numbers, random) };
            pieces[at] = number(&String::from_utf8_lossy(&pieces[at]), random).into_bytes();
        }
    }
    *input = pieces.concat();
}
