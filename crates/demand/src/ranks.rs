//! Demands of which each rank has written a file: counts of experts, or the exchanges that PyTorch recorded ([`crate::torch`]).
//!
//! Counts are CSV with one of two headers. `layer_id,expert_id,count` (or `layer,expert,count`): SGLang's recorder of expert distributions
//! dumps such a file for each rank, `expert_distribution_rankR_timestampT.csv`. `layer,expert`: a line for each choice of an expert, as
//! llama.cpp's example `moe-trace` writes them.

use crate::demand::{Demand, check_terminals};
use crate::order::{in_order, rank_of};
use crate::reading::{Origin, Reading};
use crate::table::{cells, numbers};
use crate::torch::{self, Trace};
use frit_network::{Refusal, refuse};
use std::collections::{BTreeMap, BTreeSet};

/// How often each expert of each layer was chosen.
type Counts = BTreeMap<(u64, u64), u64>;

/// Names of the columns of counts. The last one may be missing.
const COLUMNS: [&[&str]; 3] = [&["layer_id", "layer"], &["expert_id", "expert"], &["count"]];

/// What the file of one rank says.
pub struct RankFile {
    name: String,
    contents: Contents,
}

enum Contents {
    Counts(Counts),
    Trace(Trace),
}

/// Whether a text has a form in which each rank writes a file.
pub fn is_of_rank(text: &str) -> bool {
    torch::is_trace(text) || is_counts(text)
}

fn is_counts(text: &str) -> bool {
    let header: Vec<&str> = text.lines().next().map_or(Vec::new(), |line| cells(line, Some(',')).collect());
    let known = header.iter().zip(COLUMNS).all(|(name, names)| names.contains(name));
    known && (2..=3).contains(&header.len())
}

impl RankFile {
    /// Reads the contents of a file. Its name, without folders, may say its rank.
    ///
    /// # Errors
    /// No text in one of the forms, or a damaged one.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<RankFile, Refusal> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            refuse!("the file is compressed; unpack it (gunzip)");
        }
        let contents = match std::str::from_utf8(bytes) {
            Ok(text) if torch::is_trace(text) => Contents::Trace(torch::parse(text)?),
            Ok(text) if is_counts(text) => Contents::Counts(counts(text)?),
            _ => refuse!(
                "of several files each must be of one rank: CSV with the columns layer_id,expert_id,count or layer,expert, or a JSON trace of PyTorch"
            ),
        };
        Ok(RankFile { name: name.into(), contents })
    }
}

fn counts(text: &str) -> Result<Counts, Refusal> {
    let mut counts = Counts::new();
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let columns = lines.next().map_or(0, |(_, header)| cells(header, Some(',')).count());
    for (at, line) in lines {
        let row = numbers(at, 0, cells(line, Some(',')))?;
        let (key, count) = match row[..] {
            [layer, expert, count] if columns == 3 => ((layer, expert), count),
            [layer, expert] if columns == 2 => ((layer, expert), 1),
            _ => refuse!("line {at} has {} numbers, but the header has {columns} names", row.len()),
        };
        let sum: &mut u64 = counts.entry(key).or_default();
        *sum = sum.saturating_add(count);
    }
    Ok(counts)
}

/// The demand of the files of all ranks: row = rank.
///
/// # Errors
/// Ranks that are missing or given twice, files of different forms, a layer, collective or expert that is none.
pub fn demand(files: Vec<RankFile>, reading: Reading) -> Result<(Demand, Origin), Refusal> {
    let n = files.len() as u64;
    if let [one] = &files[..] {
        refuse!("{} is the file of one rank; give those of all ranks (frit demand RANK0 RANK1 …)", one.name);
    }
    check_terminals(n)?;
    if let Some(expected) = reading.terminals.filter(|&expected| expected != n) {
        refuse!("there are {n} files, one for each rank, not {expected}; give -n {n}, or {expected} files");
    }
    let (mut all, mut traces) = (Vec::new(), Vec::new());
    for RankFile { name, contents } in files {
        match contents {
            Contents::Counts(counts) => all.push((rank_of(&name), name, counts)),
            Contents::Trace(trace) => traces.push((name, trace)),
        }
    }
    if let ([(_, counts, _), ..], [(trace, _), ..]) = (&all[..], &traces[..]) {
        refuse!("{counts} has counts of experts, and {trace} is a trace of PyTorch; give files of one form");
    }
    match traces.is_empty() {
        false => torch::demand(traces, reading),
        true => {
            reading.need_only("counts of experts", &["--layer", "--experts-per-rank"])?;
            Ok((of_counts(all, reading)?, Origin::default()))
        }
    }
}

fn of_counts(files: Vec<(Option<u64>, String, Counts)>, reading: Reading) -> Result<Demand, Refusal> {
    let n = files.len();
    let files = in_order(files)?;
    let keys = || files.iter().flat_map(|(_, counts)| counts.keys());
    let layers: BTreeSet<u64> = keys().map(|&(layer, _)| layer).collect();
    let (Some(&first), Some(&last)) = (layers.first(), layers.last()) else {
        refuse!("the files have no counts; give a line layer_id,expert_id,count for each expert")
    };
    let layer = match reading.layer.map(|layer| layer as u64) {
        Some(layer) if layers.contains(&layer) => layer,
        Some(layer) => refuse!(
            "layer {layer} is not in the files; they have {} layers, from {first} to {last}",
            layers.len()
        ),
        None if first == last => first,
        None => refuse!(
            "the files have {} layers, from {first} to {last}; choose one (frit demand FILE … --layer L)",
            layers.len()
        ),
    };
    let Some(each) = reading.experts_per_rank.map(u64::from) else {
        let most = keys().map(|&(_, expert)| expert).max().unwrap_or(0);
        refuse!(
            "the files count experts, up to expert {most}; say how many are on each terminal, for example --experts-per-rank {}",
            most / n as u64 + 1
        );
    };
    let mut rows = vec![vec![0u64; n]; n];
    for ((name, counts), row) in files.iter().zip(&mut rows) {
        for (&(_, expert), &count) in counts.range((layer, 0)..=(layer, u64::MAX)) {
            let Some(words) = row.get_mut((expert / each) as usize) else {
                refuse!(
                    "{name} counts expert {expert}; with {n} terminals of {each} experts there are 0 to {}; give another --experts-per-rank, or the files of all ranks",
                    n as u64 * each - 1
                );
            };
            *words = words.saturating_add(count);
        }
    }
    Demand::from_rows(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)], reading: Reading) -> Result<(Demand, Origin), Refusal> {
        let files = files.iter().map(|(name, text)| RankFile::parse(name, text.as_bytes()));
        demand(files.collect::<Result<_, _>>()?, reading)
    }

    const TWO: Reading = Reading {
        terminals: None,
        coflow: None,
        window: None,
        words_per_mb: None,
        layer: None,
        experts_per_rank: Some(2),
        collective: None,
        word_bytes: None,
    };
    const ZERO: (&str, &str) =
        ("expert_distribution_rank0_timestamp17.5.csv", "layer_id,expert_id,count\n3,0,5\n3,1,1\n3,3,7\n");
    const ONE: (&str, &str) =
        ("expert_distribution_rank1_timestamp17.6.csv", "layer_id,expert_id,count\n3,2,9\n");

    #[test]
    fn counts_of_all_ranks_are_a_demand() {
        let matrix = |files: &[(&str, &str)], reading| of(files, reading).unwrap().0.matrix().to_vec();
        // Whatever the order of the files: their names say the ranks.
        assert_eq!(matrix(&[ZERO, ONE], TWO), [6, 7, 0, 9]);
        assert_eq!(matrix(&[ONE, ZERO], TWO), [6, 7, 0, 9]);
        // Names without ranks: the order of the files.
        let of_order = [("b.csv", ONE.1), ("a.csv", ZERO.1)];
        assert_eq!(matrix(&of_order, TWO), [0, 9, 6, 7]);
        assert_eq!(matrix(&[("1.csv", ONE.1), ("0.csv", ZERO.1)], TWO), [6, 7, 0, 9]);
        // A line for each choice, in two layers.
        let (zero, one) = ("layer,expert\r\n0,1\r\n1,2\r\n0,1\r\n", "layer,expert\n1,3\n");
        let layer =
            |layer| matrix(&[("rank-0", zero), ("rank-1", one)], Reading { layer: Some(layer), ..TWO });
        assert_eq!([layer(0), layer(1)], [[2, 0, 0, 0], [0, 1, 0, 1]]);
        let ranks = ["rank3.json", "trace_rank_12_of_16.csv", "Rank=7", "5.json", "rank", "a5.json", "0"];
        let due = [Some(3), Some(12), Some(7), Some(5), None, None, Some(0)];
        assert_eq!(ranks.map(rank_of), due);
    }

    #[test]
    fn damage_is_explained() {
        let text = |files: &[(&str, &str)], reading| of(files, reading).unwrap_err().to_string();
        let head = "layer_id,expert_id,count\n";
        let with = |line: &str| text(&[ZERO, ("rank1", &format!("{head}{line}\n"))], TWO);
        for (said, expected) in [
            (text(&[ONE], TWO), "is the file of one rank; give those of all ranks"),
            (text(&[ONE, ("rank2", ONE.1)], TWO), "rank 0 is missing: there are 2, and the next rank is 1"),
            (
                text(&[ZERO, ONE, ("rank3", ONE.1)], TWO),
                "rank 2 is missing: there are 3, and the next rank is 3",
            ),
            (text(&[ZERO, ONE, ("other_rank1", ONE.1)], TWO), "rank 1 is given twice, by expert_dist"),
            (text(&[ZERO, ("b.csv", ONE.1)], TWO), "b.csv has no rank in its name, but expert_dist"),
            (with("3,4,1"), "rank1 counts expert 4; with 2 terminals of 2 experts there are 0 to 3"),
            (with("3,18446744073709551615,1"), "counts expert 18446744073709551615; with 2"),
            (with("3,1,-4"), "line 2, cell 3: \"-4\" is not a number of words"),
            (with("3,1"), "line 2 has 2 numbers, but the header has 3 names"),
            (with("3,1,4294967296"), "4294967296 words"),
            (with("4,1,1"), "the files have 2 layers, from 3 to 4; choose one"),
            (
                text(&[ZERO, ONE], Reading { layer: Some(2), ..TWO }),
                "layer 2 is not in the files; they have 1",
            ),
            (
                text(&[ZERO, ONE], Reading { experts_per_rank: None, ..TWO }),
                "up to expert 3; say how many are on each terminal, for example --experts-per-rank 2",
            ),
            (text(&[("rank0", head), ("rank1", head)], TWO), "the files have no counts"),
            (text(&[ZERO, ("rank1", "0,1\n1,0\n")], TWO), "of several files each must be of one rank"),
            (text(&[ZERO, ("rank1", "{\"traceEvents\": []}")], TWO), "give files of one form"),
            (
                text(&[ZERO, ONE], Reading { collective: Some(0), ..TWO }),
                "--collective does not apply to counts of experts (but --layer or --experts-per-rank does)",
            ),
            (
                text(&[ZERO, ONE], Reading { terminals: Some(4), ..TWO }),
                "there are 2 files, one for each rank, not 4",
            ),
            (RankFile::parse("r", &[0x1f, 0x8b, 8]).err().unwrap().to_string(), "unpack it (gunzip)"),
        ] {
            assert!(said.contains(expected) && said.lines().count() == 1 && said.len() < 250, "{said}");
        }
    }
}
