//! A column as inputs of splitters, and as outputs.

use frit_network::PortIdx;
use frit_network::multibutterfly::Shape;
use frit_router::multibutterfly::Parameters;

/// A side of a node: sent ≤ placed ≤ end. Buffers below `sent` are dead, those below `placed` have messages, those below
/// `end` are ghosts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub sent: u32,
    pub placed: u32,
    pub end: u32,
    /// W.
    pub size: u32,
    /// The messages that have not been sent, in their order.
    pub first: u32,
    pub last: u32,
    /// F: where the rows begin to which its ports lead ([`Column::ends`]), once it is committed.
    pub ends: u32,
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
    /// The sides that had messages or ghosts when sizes were set, in order. Nothing comes to the others.
    pub full: Vec<u32>,
    /// The rows to which the ports of committed sides lead, `ports` for each.
    pub ends: Vec<u32>,
    /// min(R, m), a power of two.
    pub ports: u32,
    /// By sides of splitters.
    pub waiting: Vec<Waiting>,
    /// Some side may have messages or ghosts that have not been sent.
    pub busy: bool,
}

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

/// No message, or no ports.
pub(super) const NONE: u32 = u32::MAX;

impl Column {
    /// An empty column.
    pub(super) fn new(shape: Shape, parameters: &Parameters, column: u32) -> Self {
        let empty = Side { sent: 0, placed: 0, end: 0, size: 0, first: NONE, last: NONE, ends: NONE };
        Column {
            sides: vec![empty; 2 * shape.rows() as usize],
            full: Vec::new(),
            ends: Vec::new(),
            ports: parameters.ports_of(shape, column),
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
        next[message as usize] = NONE;
        match std::mem::replace(&mut of.last, message) {
            NONE => of.first = message,
            last => next[last as usize] = message,
        }
        buffer
    }

    /// Commits a side to ports, which lead to these rows.
    pub(super) fn commit(&mut self, side: usize, ends: impl Iterator<Item = u32>) {
        self.sides[side].ends = self.ends.len() as u32;
        self.ends.extend(ends);
    }

    /// The rows to which the ports of a committed side lead.
    #[inline]
    pub(super) fn ends_of(&self, side: &Side) -> &[u32] {
        &self.ends[side.ends as usize..][..self.ports as usize]
    }
}

impl Outputs {
    pub(super) fn new(shape: Shape) -> Self {
        let none = vec![0; shape.rows() as usize];
        Outputs { once: none.clone(), twice: none.clone(), coming: none, settled: true }
    }
}

/// How many of the buffers `from` … `to` − 1 belong to a port: buffer k to port k mod `ports`.
#[inline]
pub(super) fn of_port(from: u32, to: u32, port: PortIdx, ports: u32) -> u32 {
    let below = |end: u32| (end + ports - 1 - port.0) >> ports.trailing_zeros();
    below(to) - below(from)
}

#[cfg(test)]
mod tests {
    use super::of_port;
    use frit_network::PortIdx;

    #[test]
    fn buffers_are_dealt_around() {
        for (from, to, ports) in [(0, 0, 4), (0, 9, 4), (3, 9, 4), (5, 5, 2), (2, 7, 1)] {
            for port in 0..ports {
                let expected = (from..to).filter(|buffer| buffer % ports == port).count() as u32;
                assert_eq!(
                    of_port(from, to, PortIdx(port), ports),
                    expected,
                    "{from}..{to}, {port} of {ports}"
                );
            }
        }
    }
}
