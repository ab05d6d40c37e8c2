//! One search of a plan: matchings on the cells that lose no more than their share, long holds first.

use super::{Best, columns, rest};
use crate::demand::Demand;
use crate::matching::Matching;
use crate::peel::Held;

/// Words that are left, with the sums and numbers of pairs of all lines: rows, then columns.
struct Left {
    n: usize,
    words: Vec<u32>,
    sums: Vec<u64>,
    pairs: Vec<u64>,
}

impl Left {
    fn new(demand: &Demand) -> Self {
        let (rows, columns) = demand.degrees();
        let wide =
            |counts: &[u32], more: &[u32]| counts.iter().chain(more).map(|&count| count.into()).collect();
        Left {
            n: demand.terminals() as usize,
            words: demand.matrix().to_vec(),
            sums: wide(demand.sent(), demand.received()),
            pairs: wide(&rows, &columns),
        }
    }

    fn load(&self, line: usize, delta: u64) -> u64 {
        self.sums[line] + delta * self.pairs[line]
    }

    fn take(&mut self, row: usize, column: usize, hold: u32) {
        let cell = &mut self.words[row * self.n + column];
        let taken = hold.min(*cell);
        let ended = u64::from(taken > 0 && taken == *cell);
        *cell -= taken;
        for line in [row, self.n + column] {
            self.sums[line] -= u64::from(taken);
            self.pairs[line] -= ended;
        }
    }
}

/// The cells that lose no more in a configuration than their row and their column may.
struct Fits {
    n: usize,
    /// A bit for each cell, row by row, as in a [`Matching`]: all that fit, and those of them that have words.
    all: Vec<u64>,
    with_words: Vec<u64>,
}

impl Fits {
    fn new(n: usize) -> Self {
        let size = n * n.div_ceil(64);
        Fits { n, all: vec![0; size], with_words: vec![0; size] }
    }

    /// For a configuration that is held for `hold` rounds; `may` is what rows, then columns may lose. Whether every row has a cell.
    fn mark(&mut self, words: &[u32], hold: u32, delta: u32, may: &[u32]) -> bool {
        let (rows, columns) = may.split_at(self.n);
        let cost = hold.saturating_add(delta);
        let width = self.n.div_ceil(64);
        let mut every = true;
        for (row, (words, &row_may)) in words.chunks_exact(self.n).zip(rows).enumerate() {
            let mut some = 0;
            for (at, (words, columns)) in words.chunks(64).zip(columns.chunks(64)).enumerate() {
                let (mut fits, mut has) = ([0u8; 64], [0u8; 64]);
                for (((fits, has), &words), &column_may) in
                    fits.iter_mut().zip(&mut has).zip(words).zip(columns)
                {
                    let ended = if words <= hold { hold - words } else { delta };
                    let loss = if words == 0 { cost } else { ended };
                    *fits = u8::from(loss <= row_may.min(column_may));
                    *has = u8::from(words > 0);
                }
                let (fits, has) = (packed(&fits), packed(&has));
                self.all[row * width + at] = fits;
                self.with_words[row * width + at] = fits & has;
                some |= fits;
            }
            every &= some != 0;
        }
        every
    }
}

/// A bit for each byte, which is 0 or 1.
fn packed(bytes: &[u8; 64]) -> u64 {
    let bits = |eight: &[u8]| {
        let word = u64::from_le_bytes(eight.try_into().expect("chunks of eight"));
        word.wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    bytes.chunks_exact(8).enumerate().map(|(at, eight)| bits(eight) << (8 * at)).sum()
}

/// A plan within a time of so many percent of the bound if matchings are found, each line losing at most `share` times what is even; `None` if
/// it turns out longer than the best one.
pub(super) fn within(best: &Best, delta: u32, percent: u64, share: u64) -> Option<Vec<Held>> {
    let demand = best.demand;
    let n = demand.terminals() as usize;
    let d = u64::from(delta);
    let mut left = Left::new(demand);
    let mut time = demand.time_bound(delta, 1).0 * percent / 100;
    let mut hold = demand.matrix().iter().copied().max().unwrap_or(0);
    let mut held = Vec::new();
    let mut taken = 0;
    let mut matching = Matching::empty(n);
    let mut fits = Fits::new(n);
    let mut order: Vec<usize> = (0..n).collect();
    while hold > 0 && left.sums[..n].iter().any(|&sum| sum > 0) {
        let cost = u64::from(hold) + d;
        // What each line may lose in this configuration.
        let may: Vec<u32> = (0..2 * n)
            .map(|line| {
                let slack = time.saturating_sub(left.load(line, d));
                let may = slack.min(slack.saturating_mul(share).saturating_mul(cost) / (2 * time.max(1)));
                may.try_into().unwrap_or(u32::MAX)
            })
            .collect();
        matching.clear();
        if !fits.mark(&left.words, hold, delta, &may) {
            hold -= hold.div_ceil(8);
            continue;
        }
        matching.allow_bits(&fits.with_words);
        order.sort_by_key(|&row| std::cmp::Reverse(left.load(row, d)));
        for &row in &order {
            matching.augment(row);
        }
        matching.allow_bits(&fits.all);
        if !matching.complete() {
            hold -= hold.div_ceil(8);
            continue;
        }
        let cell = |row: usize| left.words[row * n + matching.column_of[row] as usize];
        let needed = (0..n).map(|row| cell(row).min(hold)).max().unwrap_or(0);
        if needed == 0 {
            hold -= hold.div_ceil(8);
            continue;
        }
        for row in 0..n {
            left.take(row, matching.column_of[row] as usize, needed);
        }
        time = time.saturating_sub(u64::from(needed) + d);
        held.push(Held { to: columns(&matching.column_of), hold: needed });
        taken += u64::from(needed) + u64::from(best.fabric.delta);
        let rest = (0..2 * n).map(|line| left.load(line, best.fabric.delta.into())).max().unwrap_or(0);
        if best.is_behind(taken + rest) {
            return None;
        }
    }
    if left.sums[..n].iter().any(|&sum| sum > 0) {
        held.extend(rest(n, left.words));
    }
    Some(held)
}
