//! Which pairs (source, destination) have arrived, where the schedule does not say in which round each does.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Parts of a table that can be worked on at a time.
const PARTS: u32 = 64;

/// The pairs that have arrived.
pub(super) enum Pairs {
    /// A bit for each pair.
    Table(Table),
    /// Each arrival as `destination << 32 | source`: smaller for a few rounds of many terminals.
    List(Mutex<Vec<u64>>),
}

/// A bit for each pair, row = destination, in parts that have a lock each.
pub(super) struct Table {
    terminals: u32,
    words_per_row: usize,
    rows_per_part: u32,
    parts: Vec<Mutex<Vec<u64>>>,
}

/// Bytes that it takes to tell `arrivals` between so many terminals apart.
pub(super) fn bytes(terminals: u32, arrivals: u64) -> u64 {
    table_bytes(terminals).min(8 * arrivals)
}

fn table_bytes(terminals: u32) -> u64 {
    terminals as u64 * terminals.div_ceil(64) as u64 * 8
}

impl Pairs {
    /// None has arrived, and `arrivals` will at the most.
    pub fn new(terminals: u32, arrivals: u64) -> Pairs {
        if 8 * arrivals < table_bytes(terminals) {
            return Pairs::List(Mutex::new(Vec::with_capacity(arrivals as usize)));
        }
        let words_per_row = terminals.div_ceil(64) as usize;
        let rows_per_part = terminals.div_ceil(PARTS);
        let part = || Mutex::new(vec![0; rows_per_part as usize * words_per_row]);
        let parts = (0..terminals.div_ceil(rows_per_part)).map(|_| part()).collect();
        Pairs::Table(Table { terminals, words_per_row, rows_per_part, parts })
    }

    /// Notes what has arrived at `terminals`: `sources` replaces what is in its list by the sources at a destination.
    pub fn note(&self, terminals: u32, mut sources: impl FnMut(u32, &mut Vec<u32>)) {
        let mut at = Vec::new();
        match self {
            Pairs::List(list) => {
                for destination in 0..terminals {
                    sources(destination, &mut at);
                    let pairs = at.iter().map(|&source| (destination as u64) << 32 | source as u64);
                    list.lock().unwrap_or_else(PoisonError::into_inner).extend(pairs);
                }
            }
            Pairs::Table(table) => {
                for (part, destinations) in table.parts() {
                    let mut rows = part.lock().unwrap_or_else(PoisonError::into_inner);
                    for (row, destination) in rows.chunks_exact_mut(table.words_per_row).zip(destinations) {
                        sources(destination, &mut at);
                        for &source in &at {
                            row[source as usize / 64] |= 1 << (source % 64);
                        }
                    }
                }
            }
        }
    }

    /// How many different pairs have arrived.
    pub fn count(self) -> u64 {
        match self {
            Pairs::List(list) => {
                let mut list = list.into_inner().unwrap_or_else(PoisonError::into_inner);
                list.sort_unstable();
                list.dedup();
                list.len() as u64
            }
            Pairs::Table(table) => {
                let parts = table
                    .parts
                    .into_iter()
                    .map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
                parts.flatten().map(|word| word.count_ones() as u64).sum()
            }
        }
    }
}

impl Table {
    /// The parts with the destinations in each.
    fn parts(&self) -> impl Iterator<Item = (&Mutex<Vec<u64>>, Range<u32>)> {
        let first = |part: usize| (part as u32 * self.rows_per_part).min(self.terminals);
        self.parts.iter().enumerate().map(move |(part, rows)| (rows, first(part)..first(part + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_once() {
        for terminals in [4, 10, 64, 130, 200] {
            for arrivals in [1, 1 << 20] {
                let pairs = Pairs::new(terminals, arrivals);
                assert_eq!(matches!(pairs, Pairs::List(_)), arrivals == 1);
                for _ in 0..2 {
                    let mut seen = 0;
                    pairs.note(terminals, |destination, sources| {
                        assert_eq!(destination, seen);
                        seen += 1;
                        sources.clear();
                        sources.extend([destination, 0, terminals - 1, destination, 0]);
                    });
                    assert_eq!(seen, terminals);
                }
                // Three sources each, but two at the first and the last destination.
                assert_eq!(pairs.count(), 3 * terminals as u64 - 2);
            }
        }
    }
}
