//! Readers of demands. The contents of a file say which form it has:
//!
//! - numbers, separated by commas, semicolons or white space: N lines of N numbers, row = source; no cell between commas is empty;
//! - with the line `source,destination,words` first: a list, one pair a line; without that line, lines of three numbers are a list
//!   unless there are exactly three of them;
//! - JSON: `[[0, 5], [2, 0]]`, or `{"terminals": 16, "list": [[0, 1, 5], …]}`;
//! - `.npy`: an N × N array of whole numbers;
//! - a trace of coflows ([`coflow`]).
//!
//! Lines that start with `#` are comments in the first two.

use crate::coflow;
use crate::demand::{Demand, MAX_TERMINALS};
use crate::npy;
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What a reader needs to know beside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The number of terminals, if it is known. A list without it has as many as its largest terminal needs.
    pub terminals: Option<u64>,
    /// Of a trace: the one coflow, or all together.
    pub coflow: Option<u64>,
    /// Of a trace: words for each megabyte.
    pub words_per_mb: u32,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { terminals: None, coflow: None, words_per_mb: 1 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonList {
    terminals: u64,
    list: Vec<(u64, u64, u64)>,
}

/// Reads a demand from the contents of a file.
pub fn read(bytes: &[u8], reading: Reading) -> Result<Demand, Refusal> {
    let demand = contents(bytes, reading)?;
    match reading.terminals {
        Some(expected) if expected != u64::from(demand.terminals()) => Err(refusal!(
            "the demand has {given} terminals, not {expected}; give -n {given}, or a demand of {expected} terminals",
            given = demand.terminals()
        )),
        _ => Ok(demand),
    }
}

fn contents(bytes: &[u8], reading: Reading) -> Result<Demand, Refusal> {
    if bytes.starts_with(npy::MAGIC) {
        return from_npy(bytes);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        refusal!("the file is neither text nor an .npy file; give CSV, JSON, .npy or a trace of coflows")
    })?;
    match text.trim_start().as_bytes().first() {
        Some(b'[') => {
            let rows: Vec<Vec<u64>> = json(text)?;
            Demand::from_rows(&rows)
        }
        Some(b'{') => {
            let JsonList { terminals, list } = json(text)?;
            Demand::from_list(terminals, list)
        }
        _ if text.contains(':') => coflow::parse(text, reading.coflow, reading.words_per_mb),
        _ => from_lines(text, reading.terminals),
    }
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        refusal!(
            "the JSON is no demand: {error}; give [[0, 5], [2, 0]] or {{\"terminals\": 16, \"list\": [[0, 1, 5]]}}"
        )
    })
}

fn from_npy(bytes: &[u8]) -> Result<Demand, Refusal> {
    let array = npy::parse(bytes)?;
    match array.shape[..] {
        [rows, columns] if rows == columns && rows <= MAX_TERMINALS as usize && rows > 0 => {
            let rows: Vec<Vec<u64>> = array.numbers.chunks_exact(rows).map(<[u64]>::to_vec).collect();
            Demand::from_rows(&rows)
        }
        _ => Err(refusal!(
            "the array has the shape {}; a demand is N x N, row = source",
            beginning(&format!("{:?}", array.shape))
        )),
    }
}

/// A matrix or a list.
fn from_lines(text: &str, terminals: Option<u64>) -> Result<Demand, Refusal> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    let header = |line: &str| line.split(',').map(str::trim).eq(["source", "destination", "words"]);
    let headed = lines.next_if(|(_, line)| header(line)).is_some();
    let mut rows: Vec<(usize, Vec<u64>)> = Vec::new();
    for (at, line) in lines {
        let mut cells = line.split([',', ';']);
        // A line without commas is one cell with all its numbers.
        if let Some(cell) = cells.position(|cell| cell.trim().is_empty()) {
            refuse!(
                "line {at}, cell {} is empty; give a whole number in every cell, 0 where there are no words",
                cell + 1
            );
        }
        let words = line.split([',', ' ', '\t', ';']).filter(|word| !word.is_empty());
        let count = |word: &str| {
            word.parse::<u64>().map_err(|_| {
                refusal!(
                    "line {at}: {:?} is not a number of words; give whole numbers from 0 to {}",
                    beginning(word),
                    u32::MAX
                )
            })
        };
        rows.push((at, words.map(count).collect::<Result<_, _>>()?));
    }
    if rows.is_empty() && !headed {
        refuse!("the file has no numbers; give N lines of N numbers, or lines `source,destination,words`");
    }
    let listed = headed || (rows.len() != 3 && rows.iter().all(|(_, row)| row.len() == 3));
    if !listed {
        let rows: Vec<Vec<u64>> = rows.into_iter().map(|(_, row)| row).collect();
        return Demand::from_rows(&rows);
    }
    let mut list = Vec::with_capacity(rows.len());
    for (line, row) in rows {
        let [source, destination, words] = row[..] else {
            let given: Vec<String> = row.iter().map(u64::to_string).collect();
            refuse!("line {line}: {:?} is not `source,destination,words`", beginning(&given.join(",")));
        };
        list.push((source, destination, words));
    }
    let needed = list.iter().map(|&(source, destination, _)| source.max(destination).saturating_add(1)).max();
    Demand::from_list(terminals.unwrap_or(needed.unwrap_or(0).max(2)), list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Demand, Refusal> {
        read(text.as_bytes(), Reading::default())
    }

    fn of_four() -> Demand {
        Demand::from_list(4, [(0, 1, 5), (3, 2, 7), (2, 2, 1)]).unwrap()
    }

    #[test]
    fn every_form_gives_the_same_demand() {
        let wanted = of_four();
        let four = Reading { terminals: Some(4), ..Reading::default() };
        for text in [
            "0,5,0,0\n0,0,0,0\n0,0,1,0\n0,0,7,0\n",
            "# words\n0 5 0 0\n0 0 0 0\n\n0 0 1 0\n0\t0\t7\t0",
            "0,  5, 0 ,0\n0;0; 0;0\n0 , 0,1,0\n0,0,7,0\n",
            "source,destination,words\n0,1,5\n3,2,7\n2,2,1\n",
            "0,1,5\n3,2,3\n2,2,1\n3,2,4\n",
            "[[0,5,0,0],[0,0,0,0],[0,0,1,0],[0,0,7,0]]",
            " {\"terminals\": 4, \"list\": [[0,1,5],[3,2,7],[2,2,1]]}",
        ] {
            assert_eq!(read(text.as_bytes(), four).unwrap(), wanted, "{text}");
            assert_eq!(of(text).unwrap(), wanted, "{text}");
        }
        let numbers = wanted.matrix().iter().map(|&words| u64::from(words));
        assert_eq!(read(&npy::to_npy(&[4, 4], numbers), four).unwrap(), wanted);
        // Three lines of three numbers are a matrix, unless a header says otherwise.
        assert_eq!(of("0,1,2\n1,0,0\n0,2,0").unwrap().total(), 6);
        assert_eq!(of("source,destination,words\n0,1,2\n1,0,0\n0,2,0").unwrap().total(), 2);
        assert_eq!(of("4 1\n1 0 1 2 1 3:1.0\n").unwrap().words(2, 3), 1);
    }

    #[test]
    fn hostile_files_are_refused_in_one_line() {
        let deep = "[".repeat(100_000);
        for (text, expected) in [
            ("", "the file has no numbers"),
            ("1,2\n3,-4\n", "line 2: \"-4\" is not a number of words; give whole numbers"),
            ("1,2\n3,4.5\n", "line 2: \"4.5\" is not a number of words"),
            ("1,,2\n3,4,\n", "line 1, cell 2 is empty; give a whole number in every cell, 0 where"),
            ("# 2 x 2\n1,2\n3,4,\n", "line 3, cell 3 is empty"),
            (" ; 1; 2\n3;4\n", "line 1, cell 1 is empty"),
            ("source,destination,words\n0,1, \n", "line 2, cell 3 is empty"),
            ("1,2\n3\n", "row 1 has 1 numbers, but there are 2 rows"),
            ("1,2,3,4\n", "row 0 has 4 numbers, but there are 1 rows; a demand is square"),
            ("99999999999999999999,1\n1,1", "line 1: \"99999999999999999999\" is not a number of words"),
            ("4294967296,1\n1,1", "terminal 0 sends 4294967296 words"),
            ("source,destination,words\n0,1\n", "line 2: \"0,1\" is not `source,destination,words`"),
            ("source,destination,words\n0,18446744073709551615,1\n", "18446744073709551615 terminals"),
            ("0,9999999,1\n", "10000000 terminals are not allowed; a demand has 2 to 4096"),
            ("[[0,-1],[1,0]]", "the JSON is no demand: invalid value: integer `-1`"),
            ("{\"terminals\": 4}", "the JSON is no demand: missing field `list`"),
            (deep.as_str(), "the JSON is no demand: "),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(error.lines().count() == 1 && error.len() < 250, "{error}");
        }
        let error = read(&[0xff, 0xfe, 0, 1], Reading::default()).unwrap_err().to_string();
        assert!(error.starts_with("the file is neither text nor"), "{error}");
        let error = read(&npy::to_npy(&[2, 3], 0..6), Reading::default()).unwrap_err().to_string();
        assert_eq!(error, "the array has the shape [2, 3]; a demand is N x N, row = source");
        let eight = Reading { terminals: Some(8), ..Reading::default() };
        let error = read(b"1,2\n3,4", eight).unwrap_err().to_string();
        assert_eq!(error, "the demand has 2 terminals, not 8; give -n 2, or a demand of 8 terminals");
    }
}
