//! Readers of demands. The contents of a file say which form it has:
//!
//! - a table of N lines of N numbers, row = source; names or numbers of rows and columns may stand before them;
//! - a list, one pair a line: a table whose columns are called source, destination and words, or have no names and are three, unless
//!   there are exactly three lines;
//! - JSON: `[[0, 5], [2, 0]]`, or `{"terminals": 16, "list": [[0, 1, 5], …]}`;
//! - `.npy` or `.npz`: an N × N array of whole numbers;
//! - a trace of coflows ([`coflow`]);
//! - a line for each rank after its name and a colon, `rank 0: 0 5 2`, in any order.
//!
//! Where each rank has written a file, [`ranks`] reads them.
//!
//! A table, JSON and an array may have several layers, and ranks × experts instead of N × N ([`Reading`]).

use crate::coflow;
use crate::demand::{Demand, MAX_TERMINALS};
pub use crate::reading::{Coflows, Origin, Reading};
use crate::{order, ranks, table};
use frit_network::{Refusal, refusal, refuse};
use frit_traffic::npy::{self, Array, whole};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};

/// A whole number, which may be written as 157.0.
#[derive(Clone, Copy)]
struct Whole(u64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(from)?;
        let read = number.as_u64().or_else(|| number.as_f64().and_then(whole)).map(Whole);
        read.ok_or_else(|| D::Error::custom(format!("{number} is not a whole number from 0 on")))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonList {
    terminals: u64,
    list: Vec<(u64, u64, Whole)>,
}

/// Reads a demand from the contents of a file.
pub fn read(bytes: &[u8], reading: Reading) -> Result<Demand, Refusal> {
    Ok(read_with_origin(bytes, reading)?.0)
}

/// The same, and what the file says beside.
///
/// # Errors
/// Those of [`read`].
pub fn read_with_origin(bytes: &[u8], reading: Reading) -> Result<(Demand, Origin), Refusal> {
    let (demand, coflows) = match std::str::from_utf8(bytes) {
        Ok(text) if !npy::is_array(bytes) && is_coflows(text) => {
            reading.need_only("a trace of coflows", &["--coflow", "--window", "--words-per-mb"])?;
            let (demand, coflows) = coflow::parse(text, reading)?;
            (demand, Some(coflows))
        }
        _ => {
            reading.need_only("a table of words", &["--layer", "--experts-per-rank"])?;
            (contents(bytes, reading)?, None)
        }
    };
    match reading.terminals {
        Some(expected) if expected != u64::from(demand.terminals()) => Err(refusal!(
            "the demand has {given} terminals, not {expected}; give a demand of {expected} terminals, or use another size (frit simulate ideal takes any)",
            given = demand.terminals()
        )),
        _ => Ok((demand, Origin { coflows, bytes: None })),
    }
}

/// Whether a text has ports with megabytes behind a colon.
fn is_coflows(text: &str) -> bool {
    text.contains(':') && !text.contains([',', ';', '"', '[', '{']) && labelled(text).is_none()
}

/// The lines of a text in which each line is a name, a colon, and numbers behind blanks, with their numbers.
fn labelled(text: &str) -> Option<Vec<(usize, &str, &str)>> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    // JSON has names before colons, too.
    let parts = lines.map(|(at, line)| line.split_once(':').map(|(name, row)| (at, name, row)));
    parts
        .map(|line| line.filter(|(_, name, row)| row.starts_with([' ', '\t']) && !name.contains(['"', '{'])))
        .collect()
}

fn contents(bytes: &[u8], reading: Reading) -> Result<Demand, Refusal> {
    if npy::is_array(bytes) {
        return from_array(npy::parse(bytes)?, reading);
    }
    if bytes.starts_with(b"PAR1") {
        refuse!(
            "the file is a Parquet file; write it as CSV, for example with pandas.read_parquet(…).to_csv(…)"
        );
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        refusal!(
            "the file is neither text nor an .npy file; give CSV, JSON, .npy, .npz or a trace of coflows"
        )
    })?;
    if ranks::is_of_rank(text) {
        refuse!("the file is that of one rank; give those of all ranks (frit demand RANK0 RANK1 …)");
    }
    if let Some(lines) = labelled(text).filter(|lines| !lines.is_empty()) {
        return from_lines(lines, reading);
    }
    let begins: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).take(3).collect();
    match begins[..] {
        ['[', '[', '['] => {
            let layers: Vec<Vec<Vec<Whole>>> = json(text)?;
            let sizes = layers.first().map_or((0, 0), |rows| (rows.len(), rows.first().map_or(0, Vec::len)));
            let rows = layers.iter().flatten();
            if layers.iter().any(|rows| rows.len() != sizes.0) || rows.clone().any(|row| row.len() != sizes.1)
            {
                refuse!("the layers of the JSON have different sizes; give layers of N rows of N numbers");
            }
            let numbers = rows.flatten().map(|number| number.0).collect();
            from_array(Array { shape: vec![layers.len(), sizes.0, sizes.1], numbers }, reading)
        }
        ['[', ..] => {
            let rows: Vec<Vec<Whole>> = json(text)?;
            from_rows(
                rows.into_iter().map(|row| row.into_iter().map(|number| number.0).collect()).collect(),
                reading,
            )
        }
        ['{', ..] => {
            refuse_folding(reading)?;
            let JsonList { terminals, list } = json(text)?;
            Demand::from_list(
                terminals,
                list.into_iter().map(|(source, destination, words)| (source, destination, words.0)),
            )
        }
        _ => from_table(text, reading),
    }
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        refusal!(
            "the JSON is no demand: {error}; give [[0, 5], [2, 0]] or {{\"terminals\": 16, \"list\": [[0, 1, 5]]}}"
        )
    })
}

/// Of a file with layers the one that is asked for.
fn from_array(Array { shape, numbers }: Array, reading: Reading) -> Result<Demand, Refusal> {
    let (rows, columns, layer) = match (&shape[..], reading.layer) {
        (&[rows, columns], None) => (rows, columns, 0),
        (&[1, rows, columns], None) => (rows, columns, 0),
        (&[layers, rows, columns], Some(layer)) if layer < layers => (rows, columns, layer),
        (&[layers, _, _], Some(layer)) => {
            refuse!("layer {layer} is out of range; the file has layers 0 to {}", layers.saturating_sub(1))
        }
        (&[layers, rows, columns], None) => refuse!(
            "the file has {layers} layers of {rows} x {columns} numbers; choose one (frit demand FILE --layer L, 0 to {})",
            layers.saturating_sub(1)
        ),
        (&[_, _], Some(_)) => return Err(no_layers()),
        _ => refuse!(
            "the array has the shape {}; a demand is N x N, row = source",
            frit_network::name::beginning(&format!("{shape:?}"))
        ),
    };
    if columns == 0 || rows > MAX_TERMINALS as usize {
        return Err(crate::demand::check_terminals(rows as u64)
            .err()
            .unwrap_or_else(|| refusal!("the array is empty")));
    }
    let numbers = &numbers[layer * rows * columns..][..rows * columns];
    fold(numbers.chunks_exact(columns).map(<[u64]>::to_vec).collect(), reading)
}

fn from_rows(rows: Vec<Vec<u64>>, reading: Reading) -> Result<Demand, Refusal> {
    match reading.layer {
        Some(_) => Err(no_layers()),
        None => fold(rows, reading),
    }
}

fn no_layers() -> Refusal {
    refusal!("the file has no layers; leave --layer out")
}

fn refuse_folding(reading: Reading) -> Result<(), Refusal> {
    match (reading.layer, reading.experts_per_rank) {
        (Some(_), _) => Err(no_layers()),
        (_, Some(_)) => {
            refuse!("the file has no experts but pairs of terminals; leave --experts-per-rank out")
        }
        _ => Ok(()),
    }
}

/// Adds the columns of the experts that are on one terminal.
fn fold(mut rows: Vec<Vec<u64>>, reading: Reading) -> Result<Demand, Refusal> {
    let (terminals, columns) = (rows.len(), rows.first().map_or(0, Vec::len));
    let alike = rows.iter().all(|row| row.len() == columns);
    let Some(each) = reading.experts_per_rank else {
        if alike && terminals > 1 && columns > terminals && columns.is_multiple_of(terminals) {
            refuse!(
                "there are {terminals} rows of {columns} numbers; a demand is square, row = source. If columns are experts, add those of each terminal (frit demand FILE --experts-per-rank {})",
                columns / terminals
            );
        }
        return Demand::from_rows(&rows);
    };
    if !alike || columns != terminals.saturating_mul(each as usize) {
        refuse!(
            "{terminals} terminals of {each} experts have {} columns, but there are {columns}; give another --experts-per-rank",
            terminals.saturating_mul(each as usize)
        );
    }
    for row in &mut rows {
        *row = row
            .chunks_exact(each as usize)
            .map(|experts| experts.iter().fold(0, |sum: u64, &words| sum.saturating_add(words)))
            .collect();
    }
    Demand::from_rows(&rows)
}

/// A row of numbers for each rank, after its name.
fn from_lines(lines: Vec<(usize, &str, &str)>, reading: Reading) -> Result<Demand, Refusal> {
    let named = lines.into_iter().map(|(at, name, row)| {
        let separator = [',', ';'].into_iter().find(|&separator| row.contains(separator));
        let row = table::numbers(at, 0, table::cells(row.trim(), separator))?;
        Ok((order::rank_of(name), name.to_string(), row))
    });
    let rows = order::in_order(named.collect::<Result<_, Refusal>>()?)?;
    from_rows(rows.into_iter().map(|(_, row)| row).collect(), reading)
}

/// A matrix or a list.
fn from_table(text: &str, reading: Reading) -> Result<Demand, Refusal> {
    let table = table::parse(text)?;
    if reading.experts_per_rank.is_none()
        && let Some(list) = table.list()?
    {
        refuse_folding(reading)?;
        let needed =
            list.iter().map(|&(source, destination, _)| source.max(destination).saturating_add(1)).max();
        return Demand::from_list(reading.terminals.unwrap_or(needed.unwrap_or(0).max(2)), list);
    }
    from_rows(table.rows.into_iter().map(|(_, row)| row).collect(), reading)
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
            "0,  5, 0 ,0\n0,0, 0,0\n0 , 0,1,0\n0,0,7.0,0\n",
            "0;  5; 0 ;0\n0;0; 0;0\n0;0;1;0\n0;0;7e0;0\n",
            "source,destination,words\n0,1,5\n3,2,7\n2,2,1\n",
            "0,1,5\n3,2,3\n2,2,1\n3,2,4\n",
            "[[0,5,0,0],[0,0,0,0],[0,0,1,0],[0,0,7,0]]",
            "[[0,5.0,0,0],[0,0,0,0],[0,0,1,0],[0,0,7e0,0]]",
            " {\"terminals\": 4, \"list\": [[0,1,5],[3,2,7.0],[2,2,1]]}",
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

    /// Send counts as the ranks of a program print them, in any order.
    #[test]
    fn a_line_of_each_rank_may_have_its_name() {
        for text in [
            "rank 0: 0 5 2\nrank 1: 1 0 0\nrank 2: 4 4 4\n",
            "# sendcounts\nrank 2:\t4\t4\t4\n\nrank 0: 0 5 2\nrank 1: 1 0 0\n",
            "[rank1]: 1, 0, 0\n[rank0]: 0, 5, 2\n[rank2]: 4, 4, 4\n",
            "a: 0 5 2\nb: 1 0 0\nc: 4 4 4\n",
            "rank0 0 5 2\nrank1 1 0 0\nrank2 4 4 4\n",
        ] {
            assert_eq!(of(text).unwrap().matrix(), [0, 5, 2, 1, 0, 0, 4, 4, 4], "{text}");
        }
        for (text, expected) in [
            ("rank 0: 0 5\nrank 2: 1 0\n", "rank 1 is missing: there are 2, and the next rank is 2"),
            ("rank 0: 0 5\nrank 0: 1 0\n", "rank 0 is given twice, by rank 0 and rank 0"),
            ("rank 1: 0 5\nrank 0: -1 0\n", "line 2, cell 1: \"-1\" is not a number of words"),
            ("rank 0: 0 5\nrank 1: 1\n", "row 1 has 1 numbers"),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn what_other_files_have_does_not_apply() {
        let text = |bytes: &[u8], reading| read(bytes, reading).unwrap_err().to_string();
        let window = Reading { window: Some((0, 9)), ..Reading::default() };
        let collective = Reading { collective: Some(0), ..Reading::default() };
        assert_eq!(
            text(b"0,1\n1,0\n", window),
            "--window does not apply to a table of words (but --layer or --experts-per-rank does); leave it out"
        );
        assert!(text(b"0,1\n1,0\n", collective).starts_with("--collective does not apply to a table"));
        let scaled = Reading { words_per_mb: Some(2), ..Reading::default() };
        assert!(text(b"0,1\n1,0\n", scaled).starts_with("--words-per-mb does not apply to a table"));
        for one in ["layer_id,expert_id,count\n3,0,7\n", "{\"traceEvents\": []}"] {
            assert!(of(one).unwrap_err().to_string().starts_with("the file is that of one rank"));
        }
    }

    #[test]
    fn hostile_files_are_refused_in_one_line() {
        let deep = "[".repeat(100_000);
        for (text, expected) in [
            ("", "the file has no numbers"),
            ("1,2\n3,-4\n", "line 2, cell 2: \"-4\" is not a number of words; give whole numbers"),
            ("1,2\n3,4.5\n", "line 2, cell 2: \"4.5\" is not a number of words"),
            ("1,,2\n3,4,\n", "line 1, cell 2 is empty; give a whole number in every cell, 0 where"),
            ("# 2 x 2\n1,2\n3,4,\n", "line 3, cell 3 is empty"),
            ("3;4\n ; 1\n", "line 2, cell 1 is empty"),
            ("source,destination,words\n0,1, \n", "line 2, cell 3 is empty"),
            ("1,2\n3\n", "row 1 has 1 numbers, but there are 2 rows"),
            ("1,2,3,4\n", "row 0 has 4 numbers, but there are 1 rows; a demand is square"),
            (
                "99999999999999999999,1\n1,1",
                "line 1, cell 1: \"99999999999999999999\" is not a number of words",
            ),
            ("0,1,2,3\n4,5,6,7\n", "there are 2 rows of 4 numbers; a demand is square"),
            ("nan,inf\n1,1", "line 1, cell 1: \"nan\" is not a number of words"),
            ("PAR1", "the file is a Parquet file; write it as CSV"),
            ("[[1,2.5],[3,4]]", "2.5 is not a whole number from 0 on"),
            ("[[[1,2],[3,4]],[[1,2]]]", "the layers of the JSON have different sizes"),
            ("4294967296,1\n1,1", "terminal 0 sends 4294967296 words"),
            ("source,destination,words\n0,1\n", "line 2: \"0,1\" is not `source,destination,words`"),
            ("source,destination,words\n0,18446744073709551615,1\n", "18446744073709551615 terminals"),
            ("0,9999999,1\n", "10000000 terminals are not allowed; a demand has 2 to 4096"),
            ("[[0,-1],[1,0]]", "the JSON is no demand: -1 is not a whole number from 0 on"),
            ("{\"terminals\": 4}", "the JSON is no demand: missing field `list`"),
            (deep.as_str(), "the JSON is no demand: "),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(error.lines().count() == 1 && error.len() < 250, "{error}");
        }
        let error = read(&[0xff, 0xfe, 0, 1], Reading::default()).unwrap_err().to_string();
        assert!(error.starts_with("the file is neither text nor"), "{error}");
        let of_array = |shape: &[usize]| {
            let count = shape.iter().product::<usize>() as u64;
            read(&npy::to_npy(shape, 0..count), Reading::default()).unwrap_err().to_string()
        };
        assert_eq!(
            of_array(&[2, 3]),
            "row 0 has 3 numbers, but there are 2 rows; a demand is square, row = source"
        );
        assert_eq!(of_array(&[4]), "the array has the shape [4]; a demand is N x N, row = source");
        assert!(of_array(&[0, 0]).starts_with("0 terminals are not allowed"), "{}", of_array(&[0, 0]));
        assert!(of_array(&[2, 0]).ends_with("the array is empty"), "{}", of_array(&[2, 0]));
        let eight = Reading { terminals: Some(8), ..Reading::default() };
        let error = read(b"1,2\n3,4", eight).unwrap_err().to_string();
        assert_eq!(
            error,
            "the demand has 2 terminals, not 8; give a demand of 8 terminals, or use another size (frit simulate ideal takes any)"
        );
    }

    #[test]
    fn layers_are_chosen_and_experts_are_added() {
        let layers = npy::to_npy(&[2, 2, 4], (0..8).chain([1, 2, 3, 4, 5, 6, 7, 8]));
        let of = |bytes: &[u8], layer, experts_per_rank| {
            read(bytes, Reading { layer, experts_per_rank, ..Reading::default() })
                .map(|demand| demand.matrix().to_vec())
        };
        assert_eq!(of(&layers, Some(0), Some(2)).unwrap(), [1, 5, 9, 13]);
        assert_eq!(of(&layers, Some(1), Some(2)).unwrap(), [3, 7, 11, 15]);
        assert_eq!(of(b"[[[0,1],[2,3]],[[4,5],[6,7.0]]]", Some(1), None).unwrap(), [4, 5, 6, 7]);
        assert_eq!(of(b"rank,e0,e1,e2,e3\na,1,2,3,4\nb,5,6,7,8\n", None, Some(2)).unwrap(), [3, 7, 11, 15]);
        assert_eq!(of(&npy::to_npy(&[1, 2, 2], 0..4), None, None).unwrap(), [0, 1, 2, 3]);
        let text = |bytes: &[u8], layer, each| of(bytes, layer, each).unwrap_err().to_string();
        assert_eq!(
            text(&layers, None, Some(2)),
            "the file has 2 layers of 2 x 4 numbers; choose one (frit demand FILE --layer L, 0 to 1)"
        );
        assert_eq!(text(&layers, Some(2), Some(2)), "layer 2 is out of range; the file has layers 0 to 1");
        assert!(text(&layers, Some(0), None).ends_with("(frit demand FILE --experts-per-rank 2)"));
        assert!(
            text(&layers, Some(0), Some(3))
                .starts_with("2 terminals of 3 experts have 6 columns, but there are 4")
        );
        assert_eq!(text(b"0,1\n1,0\n", Some(0), None), "the file has no layers; leave --layer out");
        assert_eq!(
            text(b"src,dst,words\n0,1,2\n", Some(0), None),
            "the file has no layers; leave --layer out"
        );
        let pairs = text(b"{\"terminals\": 2, \"list\": []}", None, Some(2));
        assert!(pairs.starts_with("the file has no experts but pairs"), "{pairs}");
    }
}
