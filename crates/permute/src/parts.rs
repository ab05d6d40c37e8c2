//! What a streamed permutation is built of: switching networks and banks of memories in a line, each with a rule that says what it
//! does in each cycle of a data set.

use crate::gf2::parity;
use frit_network::{LaneIdx, Network, PortIdx, Refusal, SwitchState};

/// How the cycles of a data set are counted: digits with these radices, the slowest first. Rules see the bits of the digits side by
/// side, the fastest digit lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The radices; their product is the number of cycles.
    pub radices: Vec<u32>,
}

impl Count {
    /// One digit.
    pub fn plain(cycles: u32) -> Self {
        Count { radices: vec![cycles] }
    }

    /// Cycles of a data set.
    pub fn cycles(&self) -> u32 {
        self.radices.iter().product()
    }

    /// The digits of a cycle, the slowest first.
    pub fn digits(&self, cycle: u32) -> Vec<u32> {
        let mut rest = cycle;
        let mut digits: Vec<u32> = Vec::with_capacity(self.radices.len());
        for radix in self.radices.iter().rev() {
            digits.push(rest % radix);
            rest /= radix;
        }
        digits.reverse();
        digits
    }

    /// Bits of each digit.
    pub fn digit_bits(&self) -> Vec<u32> {
        self.radices.iter().map(|radix| bits_of(*radix)).collect()
    }

    /// Bits of all digits.
    pub fn bits(&self) -> u32 {
        self.digit_bits().iter().sum()
    }

    /// The digits of a cycle side by side.
    pub fn word(&self, cycle: u32) -> u64 {
        let digits = self.digits(cycle).into_iter().zip(self.digit_bits());
        digits.fold(0, |word, (digit, bits)| word << bits | u64::from(digit))
    }
}

/// Bits of a digit below `radix`; none for the radix 1.
pub fn bits_of(radix: u32) -> u32 {
    32 - (radix - 1).leading_zeros()
}

/// A bit that is linear on a count: the parity of some of its bits, or the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// The bits of the count.
    pub mask: u64,
    /// Whether it is inverted.
    pub flip: bool,
}

impl Affine {
    /// Its value.
    pub fn at(&self, count: u64) -> bool {
        parity(self.mask & count) ^ self.flip
    }
}

/// What sets the switches of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Driver {
    /// One bit for all of them.
    Stage(Affine),
    /// A row of states for each cycle.
    Table(Vec<Vec<SwitchState>>),
    /// A row of states for each value of a digit of the count.
    Digit(usize, Vec<Vec<SwitchState>>),
}

/// The states of the switches of a stage.
#[derive(Clone, Copy, Debug)]
pub enum States<'a> {
    /// One for all of them.
    All(SwitchState),
    /// One for each.
    Each(&'a [SwitchState]),
}

impl States<'_> {
    /// That of a switch.
    pub fn of(self, switch: usize) -> SwitchState {
        match self {
            States::All(state) => state,
            States::Each(states) => states[switch],
        }
    }
}

impl Driver {
    /// The states of the switches of its stage in a cycle.
    pub fn states(&self, count: &Count, cycle: u32) -> States<'_> {
        match self {
            Driver::Stage(bit) => States::All(SwitchState::from_bit(bit.at(count.word(cycle)))),
            Driver::Table(rows) => States::Each(&rows[cycle as usize]),
            Driver::Digit(digit, rows) => States::Each(&rows[count.digits(cycle)[*digit] as usize]),
        }
    }

    /// Bits that set its stage: one, or one for each switch.
    pub fn bits(&self) -> u32 {
        match self {
            Driver::Stage(_) => 1,
            Driver::Table(rows) | Driver::Digit(_, rows) => rows[0].len() as u32,
        }
    }
}

/// A switching network: words change their lanes, not their cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spatial {
    /// How its cycles are counted.
    pub count: Count,
    /// Link columns, one more than stages ([`Network`]); only wires if there is one column.
    pub links: Vec<Vec<u32>>,
    /// What sets each stage.
    pub drivers: Vec<Driver>,
}

impl Spatial {
    /// Stages of switches.
    pub fn stages(&self) -> u32 {
        self.drivers.len() as u32
    }

    /// Switches in all.
    pub fn switches(&self) -> u64 {
        self.drivers.len() as u64 * self.links[0].len() as u64 / 2
    }

    /// The network of its switches, if it has any.
    ///
    /// # Errors
    ///
    /// If its links are no network.
    pub fn network(&self) -> Result<Option<Network>, Refusal> {
        let lanes = self.links[0].len() as u32;
        let network = || Network::new("permuting", lanes, self.links.clone());
        (!self.drivers.is_empty()).then(network).transpose()
    }

    /// Where each lane leads in a cycle: followed over the bare links and switches.
    pub fn route(&self, cycle: u32) -> Vec<u32> {
        let mut at = self.links[0].clone();
        for (driver, link) in self.drivers.iter().zip(&self.links[1..]) {
            let states = driver.states(&self.count, cycle);
            let state = |port: u32| states.of(port as usize / 2);
            at.iter_mut().for_each(|port| *port = link[state(*port).output_port(PortIdx(*port)).idx()]);
        }
        at
    }
}

/// Which word of its memory a lane writes or reads in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// Each bit is linear on the count and on the lane; bit 0 first.
    Linear(Vec<(Affine, u64)>),
    /// A weighted sum of the digits of the count, plus one of these digits, which the lane changes in skewed storage.
    Skewed {
        /// Where the page begins.
        page: u32,
        /// What a step of each digit adds.
        weights: Vec<u32>,
        /// The digit that is added as it is, or changed by the lane.
        digit: usize,
        /// Whether it is changed.
        skewed: bool,
        /// How: it is xored with the lane, or, with a modulus, subtracted from it.
        modulus: Option<u32>,
    },
    /// `table[cycle·lanes + lane]`, from `page` on.
    Table {
        /// Where the page begins.
        page: u32,
        /// Lanes of a cycle.
        lanes: u32,
        /// The addresses.
        table: Vec<u32>,
    },
}

impl Address {
    /// The address of a lane in a cycle.
    pub fn at(&self, count: &Count, cycle: u32, lane: LaneIdx) -> u32 {
        match self {
            Address::Linear(rows) => {
                let word = count.word(cycle);
                let bit =
                    |(affine, lanes): &(Affine, u64)| affine.at(word) ^ parity(lanes & u64::from(lane.0));
                rows.iter().rev().fold(0, |address, row| address << 1 | u32::from(bit(row)))
            }
            Address::Skewed { page, weights, digit, skewed, modulus } => {
                let digits = count.digits(cycle);
                let sum: u32 = digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum();
                let own = digits[*digit];
                page + sum
                    + match modulus {
                        _ if !skewed => own,
                        None => own ^ lane.0,
                        Some(modulus) => (lane.0 + modulus - own) % modulus,
                    }
            }
            Address::Table { page, lanes, table } => page + table[(cycle * lanes + lane.0) as usize],
        }
    }
}

/// The addresses of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Where words are written.
    pub write: Address,
    /// Where they are read.
    pub read: Address,
}

/// A bank of memories, one for each lane: words change their cycles, not their lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temporal {
    /// How the cycles of words that are written are counted.
    pub write_count: Count,
    /// How the cycles of words that are read are counted.
    pub read_count: Count,
    /// Words of each memory.
    pub depth: u32,
    /// Words of a page of it: those of a data set, and places that are left out.
    pub page: u32,
    /// Cycles by which reading must stay behind writing.
    pub wait: u32,
    /// The addresses of data sets, taken in turn.
    pub orders: Vec<Addresses>,
}

/// A part of a streamed permutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A switching network.
    Spatial(Spatial),
    /// A bank of memories.
    Temporal(Temporal),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_side_by_side() {
        let count = Count { radices: vec![3, 4, 5] };
        assert_eq!((count.cycles(), count.bits()), (60, 7));
        assert_eq!(count.digits(59), [2, 3, 4]);
        assert_eq!(count.word(59), (2 << 2 | 3) << 3 | 4);
        assert_eq!((bits_of(1), bits_of(2), bits_of(8), bits_of(9)), (0, 1, 3, 4));
        assert_eq!(Count { radices: vec![1, 6] }.word(5), 5);
    }
}
