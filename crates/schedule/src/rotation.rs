//! The Latin squares of all right (left) rotations, and the labels that route them through two Butterflies: every terminal
//! computes them from its own number ("Latin square of rotations on the Butterfly-Butterfly", Algorithm 1).

use frit_network::RoundIdx;

/// Which way the rotations turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Round k sends i to (i - k) mod N (RLS).
    Right,
    /// Round k sends i to (i + k) mod N (LLS): the right rotation of order N - k.
    Left,
}

/// Whether the two Butterflies that a message passes share their middle stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Middle {
    /// They do: the bit for it is the last of the intermediate terminal, and the first of the destination is dropped.
    Shared,
    /// They do not: the label has all 2n bits.
    Whole,
}

/// The labels of Algorithm 1: the n bits of an intermediate terminal, then the n - 1 low bits of the destination, or all
/// n of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotationLabels {
    /// log2 N.
    pub n: u32,
    /// Which way the rotations turn.
    pub direction: Direction,
    /// Whether the destination's first bit is dropped.
    pub middle: Middle,
}

impl RotationLabels {
    fn modulo(self, x: u64) -> u64 {
        x & ((1 << self.n) - 1)
    }

    /// The order of the right rotation that `round` runs.
    fn right_order(self, round: RoundIdx) -> u64 {
        match self.direction {
            Direction::Right => u64::from(round.0),
            Direction::Left => self.modulo((1u64 << self.n) - u64::from(round.0)),
        }
    }

    /// The destination of `source` in `round`.
    pub fn destination(self, round: RoundIdx, source: u32) -> u32 {
        self.modulo((source as u64).wrapping_sub(self.right_order(round))) as u32
    }

    /// The intermediate terminal m: π̂((i - k) mod N) for even k, π̂((N/2 - i + k - 1) mod N) for odd k.
    pub fn intermediate(self, round: RoundIdx, source: u32) -> u32 {
        let (i, k, half) = (source as u64, self.right_order(round), 1u64 << (self.n - 1));
        let x =
            if k % 2 == 0 { i.wrapping_sub(k) } else { half.wrapping_sub(i).wrapping_add(k).wrapping_sub(1) };
        self.pi_hat(self.modulo(x)) as u32
    }

    /// π̂(x) = x if (x < N/2) == (x even), else N - 1 - x.
    fn pi_hat(self, x: u64) -> u64 {
        let low = x < 1 << (self.n - 1);
        if low == x.is_multiple_of(2) { x } else { self.modulo(!x) }
    }

    /// Bits of the destination that a label has behind the intermediate terminal.
    pub fn destination_bits(self) -> u32 {
        match self.middle {
            Middle::Shared => self.n - 1,
            Middle::Whole => self.n,
        }
    }

    /// The 2n - 1 or 2n label bits, the first stage's bit the most significant.
    pub fn label(self, round: RoundIdx, source: u32) -> u64 {
        let low = self.destination_bits();
        let destination = self.destination(round, source) as u64 & ((1 << low) - 1);
        (self.intermediate(round, source) as u64) << low | destination
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_intermediate_row() {
        let labels = RotationLabels { n: 4, direction: Direction::Right, middle: Middle::Shared };
        let row: Vec<u32> = (0..16).map(|i| labels.intermediate(RoundIdx(1), i)).collect();
        assert_eq!(row, [7, 8, 6, 10, 4, 12, 2, 14, 0, 15, 1, 13, 3, 11, 5, 9]);
    }

    #[test]
    fn the_dropped_bit_is_the_last_of_the_intermediate() {
        for n in 2..=8 {
            let labels = RotationLabels { n, direction: Direction::Right, middle: Middle::Shared };
            for round in RoundIdx::all(1 << n) {
                for source in 0..1 << n {
                    let top = labels.destination(round, source) >> (n - 1);
                    assert_eq!(labels.intermediate(round, source) & 1, top);
                }
            }
        }
    }
}
