//! Has a network an exchange of so many rounds?
//!
//! An *exchange* of R rounds is R settings of all switches after which every input has been joined with every output. Two
//! ways to an answer:
//!
//! - [`bound`]: what must pass counts. Positions of the network carry one message a round, so weights on the positions give a
//!   number of rounds that no exchange can do without; the weights are its certificate, and are checked in whole numbers.
//! - [`search`]: a SAT solver looks for the rounds, first for such as are images of a few of them under the network's
//!   [`shifts`] (which also finds the exchanges that hardware makes from one small table), last for any. What it did not settle
//!   within its time it calls open. [`proof`] writes down why there is nothing.
//!
//! Modules in reading order: [`shifts`], [`bound`], [`question`] (the clauses of one question), [`order`] (which questions), [`search`] (for how
//! long, and which are settled already), [`proof`].
//!
//! ```
//! let network = frit_network::shuffle_exchange(6).unwrap();
//! let outcome = frit_search::search::exchange(&network, 6, &Default::default()).unwrap();
//! assert!(matches!(outcome.answer, frit_search::search::Answer::Found(found) if found.rounds.len() == 6));
//! ```

pub mod bound;
pub mod order;
pub mod proof;
pub mod question;
pub mod search;
pub mod shifts;
mod solver;

use frit_network::{Network, StageIdx};

/// Where a message can be: *place* x of column 0 is input x, place x of column k + 1 is output port x of stage k.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// `into[k][x]`: the port of stage k that the wire from place x leads to.
    into: Vec<Vec<u32>>,
    /// Where the wires behind the last stage lead.
    exit: Vec<u32>,
}

impl Places {
    pub fn of(network: &Network) -> Places {
        let column = |c: u32| network.link(StageIdx(c)).to_vec();
        Places { into: (0..network.stages()).map(column).collect(), exit: column(network.stages()) }
    }

    /// Places of a column, and inputs.
    pub fn lanes(&self) -> u32 {
        self.exit.len() as u32
    }

    /// Stages; there is one column more.
    pub fn stages(&self) -> usize {
        self.into.len()
    }

    /// The port of stage `stage` that the wire from place `x` leads to.
    pub fn port(&self, stage: usize, x: u32) -> u32 {
        self.into[stage][x as usize]
    }

    /// The two places that a message in place `x` in front of stage `stage` can go to: outputs 0 and 1 of its switch.
    pub fn next(&self, stage: usize, x: u32) -> [u32; 2] {
        let port = self.port(stage, x);
        [port & !1, port | 1]
    }

    /// The output that a place behind the last stage leads to.
    pub fn output(&self, x: u32) -> u32 {
        self.exit[x as usize]
    }

    /// `seen[k][x]`: whether a message from `source` can be in place x of column k.
    pub fn reach(&self, source: u32) -> Vec<Vec<bool>> {
        let lanes = self.lanes() as usize;
        let mut first = vec![false; lanes];
        first[source as usize] = true;
        let mut columns = vec![first];
        for stage in 0..self.stages() {
            let mut behind = vec![false; lanes];
            for x in (0..self.lanes()).filter(|&x| columns[stage][x as usize]) {
                self.next(stage, x).into_iter().for_each(|y| behind[y as usize] = true);
            }
            columns.push(behind);
        }
        columns
    }
}
