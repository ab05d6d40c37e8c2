//! The parameters of a run, checked once.

use frit_network::multibutterfly::Shape;
use frit_network::{Refusal, refuse};

/// How the two sides of a node take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Both at once, as hardware does.
    Parallel,
    /// The moves of all upper sides, then of all lower ones, as the paper writes it. A message can go further in a phase.
    Sequential,
}

/// What a multibutterfly is and how it is run. The names are those of the paper; those of `frit route multibutterfly --set`
/// stand in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// N = 2^n.
    pub rows: u64,
    /// d (`d`): ports of a node on each side.
    pub degree: u32,
    /// R (`r`), a power of two: ports that a side is committed to.
    pub committed: u32,
    /// h (`h`): the degree that is declared. A side with a smaller size commits without a request.
    pub threshold: u32,
    /// The degree that is offered, at most h (`ha`): messages of each active row by rule, and the most of a file.
    pub offered: u32,
    /// L (`l`), a power of two: every L-th row sends and receives.
    pub stride: u32,
    /// Z (`z`): rounds of requests in a phase.
    pub requests: u32,
    /// Y (`y`): rounds of moves in a phase.
    pub moves: u32,
    /// Sizes are the smallest power of two greater than a count, as the paper says (`strict`), else not less than it.
    pub strict: bool,
    /// Splitters with at most so many inputs commit without requests (`free`).
    pub free: u32,
    /// X (`x`): bits behind the address of a message, which is then moved bit by bit; 0 moves messages as words.
    pub payload: u32,
    /// A side that is left after Z rounds commits to its R least requested ports (`force`, an extension).
    pub force: bool,
    /// Both sides at once, or one after the other (`order`).
    pub order: Order,
    /// Seed of wires and traffic.
    pub seed: u64,
}

/// The most of h, and of messages that a row sends.
pub const MAX_THRESHOLD: u32 = 1 << 20;
/// The most rounds of a kind in a phase.
pub const MAX_ROUNDS: u32 = 1 << 16;
/// The most payload bits.
pub const MAX_PAYLOAD: u32 = 1 << 20;
/// Bits of a message that a node keeps, address bit not counted, in the bit model.
pub const BITS_KEPT: u32 = 4;
/// The most bits of a message that pass an edge in a round, in the bit model.
pub const BITS_MOVED: u32 = 2;
/// The most messages.
pub const MAX_MESSAGES: u64 = 1 << 26;
/// The most memory that a run may take, in bytes.
pub const MAX_MEMORY: u64 = 16 << 30;

impl Parameters {
    /// The defaults of `frit route multibutterfly` from 8 rows on: d 4, R 2, h 8, Z 2, Y 3, words, both sides at once.
    pub fn new(rows: u64, seed: u64) -> Self {
        Parameters {
            rows,
            degree: 4,
            committed: 2,
            threshold: 8,
            offered: 8,
            stride: 1,
            requests: 2,
            moves: 3,
            strict: true,
            free: 8,
            payload: 0,
            force: false,
            order: Order::Parallel,
            seed,
        }
    }

    /// The network without its wires.
    ///
    /// # Errors
    ///
    /// A parameter that is out of its range.
    pub fn shape(&self) -> Result<Shape, Refusal> {
        let shape = Shape::new(self.rows, self.degree)?;
        let rows = shape.rows();
        let ranges = [
            ("h", self.threshold, "the declared degree", 1, MAX_THRESHOLD),
            ("ha", self.offered, "messages of a row; h, the declared degree, limits them", 0, self.threshold),
            ("l", self.stride, "every l-th row is active", 1, rows),
            ("z", self.requests, "rounds of requests in a phase", 1, MAX_ROUNDS),
            ("y", self.moves, "rounds of moves in a phase", 1, MAX_ROUNDS),
            ("x", self.payload, "bits after the address, 0 for the word model", 0, MAX_PAYLOAD),
        ];
        for (name, given, meaning, least, most) in ranges {
            if !(least..=most).contains(&given) {
                refuse!("{name} = {given}: {meaning}; it must be from {least} to {most}");
            }
        }
        let powers = [
            ("r", self.committed, "ports that a side commits to"),
            ("l", self.stride, "every l-th row is active"),
        ];
        for (name, given, meaning) in powers {
            if !given.is_power_of_two() {
                let example = given.min(1 << 30).next_power_of_two();
                refuse!("{name} = {given}: {meaning}; it must be a power of two, for example {example}");
            }
        }
        if self.committed > self.degree {
            refuse!(
                "r = {}, but a node has d = {} ports on a side; r must not be greater than d",
                self.committed,
                self.degree
            );
        }
        if self.threshold < self.committed {
            refuse!(
                "h = {}, r = {}: a side that commits without a request must not put more than h / r messages on a port, which is less than one; h must be r or more",
                self.threshold,
                self.committed
            );
        }
        Ok(shape)
    }

    /// Active rows, which send and receive: the multiples of L.
    pub fn active_rows(&self) -> u32 {
        (self.rows / u64::from(self.stride)) as u32
    }

    /// W of a number of full buffers: the smallest power of two greater than it, or (not strict) not less than it and 0 for
    /// none.
    pub fn size_of(&self, count: u32) -> u32 {
        match (self.strict, count) {
            (true, _) => (count + 1).next_power_of_two(),
            (false, 0) => 0,
            (false, _) => count.next_power_of_two(),
        }
    }

    /// min(R, m): ports that a side of a node of a column commits to.
    pub fn ports_of(&self, shape: Shape, column: u32) -> u32 {
        self.committed.min(shape.outputs(column))
    }

    /// The largest W with which a side of a column commits without a request.
    pub fn threshold_of(&self, shape: Shape, column: u32) -> u32 {
        if shape.inputs(column) <= self.free { u32::MAX } else { self.threshold }
    }

    /// The size of a batch: W / min(R, m), one at least.
    pub fn batch(&self, shape: Shape, column: u32, size: u32) -> u32 {
        (size / self.ports_of(shape, column)).max(1)
    }

    /// The sides whose messages move at once, pass after pass.
    pub fn passes(&self) -> &'static [&'static [u32]] {
        match self.order {
            Order::Parallel => &[&[0, 1]],
            Order::Sequential => &[&[0], &[1]],
        }
    }

    /// Phases below which no run of the bit model ends: so long a message with its payload takes to pass one edge. 1 in the word
    /// model.
    pub fn least_phases(&self) -> u32 {
        self.payload.div_ceil(BITS_MOVED * self.moves).max(1)
    }

    /// The most phases that a run has.
    pub fn most_phases(&self) -> u32 {
        8 * self.rows.ilog2() + 40 + self.payload
    }

    /// The paper's h-bar, the smallest power of two greater than 4dh / (R − 4): its bound of W, and of half of what passes a
    /// node. None unless R > 4.
    pub fn paper_bound(&self) -> Option<u64> {
        let divisor = u64::from(self.committed.checked_sub(4).filter(|&over| over > 0)?);
        // The power of two is greater than the quotient exactly if it is greater than the whole part of it.
        let quotient = 4 * u64::from(self.degree) * u64::from(self.threshold) / divisor;
        Some((quotient + 1).next_power_of_two())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: fn() -> Parameters = || Parameters::new(16, 1);

    #[test]
    fn what_is_wrong_is_said_with_what_is_allowed() {
        let text = |parameters: Parameters| parameters.shape().unwrap_err().to_string();
        assert!(text(Parameters { rows: 12, ..GOOD() }).contains("does not exist with 12 terminals"));
        assert!(text(Parameters { degree: 0, ..GOOD() }).starts_with("0 ports of a node on a side"));
        assert_eq!(
            text(Parameters { committed: 3, ..GOOD() }),
            "r = 3: ports that a side commits to; it must be a power of two, for example 4"
        );
        assert_eq!(
            text(Parameters { committed: 8, ..GOOD() }),
            "r = 8, but a node has d = 4 ports on a side; r must not be greater than d"
        );
        let text_of = text(Parameters { committed: 4, threshold: 2, offered: 2, ..GOOD() });
        assert!(
            text_of.starts_with("h = 2, r = 4: ") && text_of.ends_with("h must be r or more"),
            "{text_of}"
        );
        assert_eq!(
            text(Parameters { offered: 9, ..GOOD() }),
            "ha = 9: messages of a row; h, the declared degree, limits them; it must be from 0 to 8"
        );
        assert!(text(Parameters { stride: 32, ..GOOD() }).ends_with("it must be from 1 to 16"));
        assert!(
            text(Parameters { stride: 6, ..GOOD() }).ends_with("it must be a power of two, for example 8")
        );
        assert!(text(Parameters { moves: 0, ..GOOD() }).starts_with("y = 0: rounds of moves"));
        assert!(text(Parameters { requests: 0, ..GOOD() }).starts_with("z = 0: rounds of requests"));
        assert!(text(Parameters { payload: 1 << 21, ..GOOD() }).starts_with("x = 2097152: bits after"));
    }

    #[test]
    fn sizes_are_powers_of_two() {
        let sizes = |strict| [0, 1, 2, 3, 4, 5].map(|count| Parameters { strict, ..GOOD() }.size_of(count));
        assert_eq!(sizes(true), [1, 2, 4, 4, 8, 8]);
        assert_eq!(sizes(false), [0, 1, 2, 4, 4, 8]);
    }

    #[test]
    fn small_splitters_commit_to_fewer_ports_and_freely() {
        let parameters = Parameters { free: 4, committed: 4, ..GOOD() };
        let shape = parameters.shape().unwrap();
        assert_eq!([0, 1, 2, 3].map(|column| parameters.ports_of(shape, column)), [4, 4, 2, 1]);
        let thresholds = [0, 1, 2, 3].map(|column| parameters.threshold_of(shape, column));
        assert_eq!(thresholds, [8, 8, u32::MAX, u32::MAX]);
        assert_eq!([1, 4, 16].map(|size| parameters.batch(shape, 0, size)), [1, 1, 4]);
    }

    /// Section 3: d = 40, R = 8.
    #[test]
    fn the_bound_of_the_paper() {
        let paper = Parameters { degree: 40, committed: 8, threshold: 10, ..Parameters::new(1 << 20, 1) };
        assert_eq!(paper.paper_bound(), Some(512));
        assert_eq!(GOOD().paper_bound(), None);
        let exact = Parameters { degree: 8, committed: 8, threshold: 8, ..GOOD() };
        assert_eq!(exact.paper_bound(), Some(128), "greater than 64");
    }
}
