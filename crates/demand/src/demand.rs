//! The demand: how many words each terminal has for each other, and what no schedule can beat.

use frit_network::{Refusal, refusal, refuse};

/// The largest number of terminals: a matrix of 4096² counts takes 64 MiB.
pub const MAX_TERMINALS: u32 = 4096;

/// How many words each terminal has for each other: an N × N matrix, row = source. No row or column has more than 2^32 − 1 words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    terminals: u32,
    words: Vec<u32>,
    sent: Vec<u32>,
    received: Vec<u32>,
}

impl Demand {
    /// The demand of which [`words`](Self::words) is this matrix, row by row.
    pub fn new(terminals: u32, words: Vec<u32>) -> Result<Demand, Refusal> {
        check_terminals(terminals.into())?;
        let n = terminals as usize;
        assert_eq!(words.len(), n * n, "a count for each pair of terminals");
        let mut received = vec![0u64; n];
        let mut sent = vec![0u64; n];
        for (row, sum) in words.chunks_exact(n).zip(&mut sent) {
            for (&words, column) in row.iter().zip(&mut received) {
                *column += u64::from(words);
                *sum += u64::from(words);
            }
        }
        let narrow = |does, sums: Vec<u64>| {
            let one = |(terminal, words): (u32, u64)| {
                u32::try_from(words).map_err(|_| too_many(terminal, does, words))
            };
            (0..).zip(sums).map(one).collect::<Result<Vec<u32>, _>>()
        };
        Ok(Demand { terminals, words, sent: narrow("sends", sent)?, received: narrow("receives", received)? })
    }

    /// The demand of which these are the rows.
    pub fn from_rows(rows: &[Vec<u64>]) -> Result<Demand, Refusal> {
        let not_square = |(_, row): &(usize, &Vec<u64>)| row.len() != rows.len();
        if let Some((row, numbers)) = rows.iter().enumerate().find(not_square) {
            refuse!(
                "row {row} has {} numbers, but there are {} rows; a demand is square, row = source",
                numbers.len(),
                rows.len()
            );
        }
        let terminals = check_terminals(rows.len() as u64)?;
        let mut words = Vec::with_capacity(rows.len() * rows.len());
        for (at, row) in rows.iter().enumerate() {
            for &count in row {
                words.push(u32::try_from(count).map_err(|_| too_many(at as u32, "sends", count))?);
            }
        }
        Demand::new(terminals, words)
    }

    /// The demand of these lines (source, destination, words); words of a pair that stands on several lines are added.
    pub fn from_list(
        terminals: u64,
        list: impl IntoIterator<Item = (u64, u64, u64)>,
    ) -> Result<Demand, Refusal> {
        let terminals = check_terminals(terminals)?;
        let n = u64::from(terminals);
        let mut words = vec![0u32; (n * n) as usize];
        for (source, destination, count) in list {
            if source >= n || destination >= n {
                refuse!("{source} -> {destination} is out of range; terminals are 0 to {}", terminals - 1);
            }
            let cell = &mut words[(source * n + destination) as usize];
            let sum = u64::from(*cell).saturating_add(count);
            *cell = u32::try_from(sum).map_err(|_| too_many(source as u32, "sends", sum))?;
        }
        Demand::new(terminals, words)
    }

    /// N.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    pub fn words(&self, source: u32, destination: u32) -> u32 {
        self.words[source as usize * self.terminals as usize + destination as usize]
    }

    /// What a source has for every destination.
    pub fn row(&self, source: u32) -> &[u32] {
        let n = self.terminals as usize;
        &self.words[source as usize * n..][..n]
    }

    /// The whole matrix, row by row.
    pub fn matrix(&self) -> &[u32] {
        &self.words
    }

    /// The pairs that have words, in order of source, then destination: (source, destination, words).
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let n = self.terminals as usize;
        let pair = move |(at, &words): (usize, &u32)| ((at / n) as u32, (at % n) as u32, words);
        self.words.iter().enumerate().filter(|(_, words)| **words > 0).map(pair)
    }

    /// Words that each terminal sends.
    pub fn sent(&self) -> &[u32] {
        &self.sent
    }

    /// Words that each terminal receives.
    pub fn received(&self) -> &[u32] {
        &self.received
    }

    pub fn total(&self) -> u64 {
        self.sent.iter().map(|&words| u64::from(words)).sum()
    }

    /// The largest row or column sum. No network with one lane for each terminal needs fewer rounds, and `benes` needs no more.
    pub fn h(&self) -> u32 {
        self.sent.iter().chain(&self.received).copied().max().unwrap_or(0)
    }

    /// h over the mean of the row sums: 1 if every terminal sends and receives the same number of words. 1 for no words at all.
    pub fn skew(&self) -> f64 {
        match self.total() {
            0 => 1.0,
            total => f64::from(self.h()) * f64::from(self.terminals) / total as f64,
        }
    }

    /// Pairs that have words.
    pub fn nonzeros(&self) -> u64 {
        self.words.iter().filter(|&&words| words > 0).count() as u64
    }

    /// How many pairs with words each row has, and each column.
    pub fn degrees(&self) -> (Vec<u32>, Vec<u32>) {
        let n = self.terminals as usize;
        let (mut rows, mut columns) = (vec![0; n], vec![0; n]);
        for (source, destination, _) in self.pairs() {
            rows[source as usize] += 1;
            columns[destination as usize] += 1;
        }
        (rows, columns)
    }

    /// The fewest configurations (permutations) that together join every pair that has words: the largest number of such pairs in
    /// a row or column (König 1916).
    pub fn least_configurations(&self) -> u32 {
        let (rows, columns) = self.degrees();
        rows.into_iter().chain(columns).max().unwrap_or(0)
    }

    /// No schedule of one-word rounds on a network that a word passes in `latency` cycles, with `lanes` lanes for each terminal,
    /// brings the last word earlier than in this cycle; the first round enters in cycle 0. 0 if there is no word.
    pub fn cycles_bound(&self, latency: u32, lanes: u32) -> u64 {
        let rounds = u64::from(self.h().div_ceil(lanes));
        rounds.checked_sub(1).map_or(0, |last| last + u64::from(latency))
    }

    /// No schedule takes less time, in words, on `planes` networks that each take `delta` to change their configuration (the first
    /// time included): max over rows and columns of (sum + δ · pairs) / s. A line's words need as much time of any planes, and each
    /// of its pairs a configuration of its own. Time is not rounded: the bound is a fraction (numerator, planes).
    pub fn time_bound(&self, delta: u32, planes: u32) -> (u64, u32) {
        let (rows, columns) = self.degrees();
        let line = |(&sum, pairs): (&u32, u32)| u64::from(sum) + u64::from(delta) * u64::from(pairs);
        let rows = self.sent.iter().zip(rows).map(line);
        let columns = self.received.iter().zip(columns).map(line);
        (rows.chain(columns).max().unwrap_or(0), planes)
    }
}

fn too_many(terminal: u32, does: &str, words: u64) -> Refusal {
    refusal!("terminal {terminal} {does} {words} words; a terminal may send and receive at most {}", u32::MAX)
}

/// The number of terminals, if a demand may have it.
pub fn check_terminals(given: u64) -> Result<u32, Refusal> {
    match given {
        2..=4096 => Ok(given as u32),
        _ => Err(refusal!("{given} terminals are not allowed; a demand has 2 to {MAX_TERMINALS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_bounds() {
        let demand =
            Demand::from_rows(&[vec![0, 5, 0, 1], vec![2, 0, 0, 0], vec![0, 4, 0, 0], vec![0, 0, 0, 0]])
                .unwrap();
        assert_eq!((demand.h(), demand.total(), demand.nonzeros()), (9, 12, 4));
        assert_eq!((demand.sent(), demand.received()), (&[6, 2, 4, 0][..], &[2, 9, 0, 1][..]));
        assert_eq!(demand.least_configurations(), 2);
        assert_eq!(demand.skew(), 3.0);
        // Column 1: 9 words of two sources.
        assert_eq!(demand.time_bound(10, 2), (29, 2));
        assert_eq!((demand.cycles_bound(3, 1), demand.cycles_bound(3, 2)), (11, 7));
        assert_eq!(demand.pairs().collect::<Vec<_>>(), [(0, 1, 5), (0, 3, 1), (1, 0, 2), (2, 1, 4)]);
        let none = Demand::new(2, vec![0; 4]).unwrap();
        assert_eq!((none.h(), none.skew(), none.cycles_bound(3, 1)), (0, 1.0, 0));
    }

    #[test]
    fn what_is_no_demand_is_explained() {
        let text = |rows: &[Vec<u64>]| Demand::from_rows(rows).unwrap_err().to_string();
        assert_eq!(text(&[vec![1]]), "1 terminals are not allowed; a demand has 2 to 4096");
        assert_eq!(
            text(&[vec![1, 2], vec![3]]),
            "row 1 has 1 numbers, but there are 2 rows; a demand is square, row = source"
        );
        assert_eq!(
            text(&[vec![1 << 31, 1 << 31], vec![0, 0]]),
            "terminal 0 sends 4294967296 words; a terminal may send and receive at most 4294967295"
        );
        assert!(text(&[vec![1 << 31, 0], vec![1 << 31, 0]]).starts_with("terminal 0 receives 4294967296"));
        assert!(text(&[vec![u64::MAX, 0], vec![0, 0]]).starts_with("terminal 0 sends 18446744073709551615"));
        let list = |lines: &[(u64, u64, u64)]| Demand::from_list(4, lines.iter().copied());
        assert_eq!(
            list(&[(0, 4, 1)]).unwrap_err().to_string(),
            "0 -> 4 is out of range; terminals are 0 to 3"
        );
        assert_eq!(list(&[(0, 3, 1), (0, 3, 2)]).unwrap().words(0, 3), 3);
        assert!(list(&[(0, 3, u64::MAX), (0, 3, u64::MAX)]).is_err());
        assert!(Demand::from_list(u64::MAX, []).is_err());
    }
}
