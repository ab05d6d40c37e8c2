//! A column as inputs of splitters, and as outputs.

use frit_network::multibutterfly::Shape;
use frit_router::multibutterfly::Parameters;

/// A side of a node: sent ≤ placed ≤ end. Buffers below `sent` are dead, those below `placed` have messages, those below
/// `end` are ghosts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    pub sent: u32,
    pub placed: u32,
    pub end: u32,
    /// W.
    pub size: u32,
    /// F.
    pub committed: bool,
}

/// The messages of a side for one port, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    pub first: u32,
    pub last: u32,
    /// The row to which the port leads, once it is chosen.
    pub to: u32,
}

/// Inputs of a side of a splitter that are not committed.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// Their rows.
    pub rows: Vec<u32>,
    /// The phase in which some asked in a round of requests and none was committed.
    pub silent: Option<u32>,
}

/// A column as inputs.
pub(super) struct Column {
    /// Of node r the sides 2r and 2r + 1.
    pub sides: Vec<Side>,
    /// The banks of side s: `bank_count` from s · `bank_count` on.
    pub banks: Vec<Bank>,
    /// min(R, m), a power of two.
    pub bank_count: u32,
    /// By sides of splitters.
    pub waiting: Vec<Waiting>,
    /// Some side may have messages or ghosts that have not been sent.
    pub busy: bool,
}

/// A column as outputs.
pub(super) struct Outputs {
    /// The sizes that stand at each node, added up: g'.
    pub once: Vec<u32>,
    /// Those that more than one asks.
    pub twice: Vec<u32>,
    /// g''.
    pub coming: Vec<u32>,
    /// Nothing was reported in the last round, and g' has not changed since.
    pub settled: bool,
}

/// No message.
pub(super) const NONE: u32 = u32::MAX;

impl Column {
    /// An empty column.
    pub(super) fn new(shape: Shape, parameters: &Parameters, column: u32) -> Self {
        let sides = 2 * shape.rows() as usize;
        let bank_count = parameters.ports_of(shape, column);
        Column {
            sides: vec![Side::default(); sides],
            banks: vec![Bank { first: NONE, last: NONE, to: NONE }; sides * bank_count as usize],
            bank_count,
            waiting: vec![Waiting::default(); 2 << column],
            busy: false,
        }
    }

    /// Places a message behind those of a side. Gives its buffer.
    #[inline]
    pub(super) fn push(&mut self, side: usize, message: u32, next: &mut [u32]) -> u32 {
        let of = &mut self.sides[side];
        let buffer = of.placed;
        of.placed += 1;
        let place = side * self.bank_count as usize + (buffer & (self.bank_count - 1)) as usize;
        let bank = &mut self.banks[place];
        next[message as usize] = NONE;
        match bank.last {
            NONE => bank.first = message,
            last => next[last as usize] = message,
        }
        bank.last = message;
        buffer
    }
}

impl Outputs {
    pub(super) fn new(shape: Shape) -> Self {
        let none = vec![0; shape.rows() as usize];
        Outputs { once: none.clone(), twice: none.clone(), coming: none, settled: true }
    }
}

/// How many of the buffers `from` … `to` − 1 belong to a bank.
#[inline]
pub(super) fn in_bank(from: u32, to: u32, bank: u32, banks: u32) -> u32 {
    let below = |end: u32| (end + banks - 1 - bank) >> banks.trailing_zeros();
    below(to) - below(from)
}

#[cfg(test)]
mod tests {
    use super::in_bank;

    #[test]
    fn buffers_are_dealt_around() {
        for (from, to, banks) in [(0, 0, 4), (0, 9, 4), (3, 9, 4), (5, 5, 2), (2, 7, 1)] {
            for bank in 0..banks {
                let expected = (from..to).filter(|buffer| buffer % banks == bank).count() as u32;
                assert_eq!(in_bank(from, to, bank, banks), expected, "{from}..{to}, {bank} of {banks}");
            }
        }
    }
}
