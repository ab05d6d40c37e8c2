//! Stored schedules: what the switches do in every round is in tables that were computed off line.
//!
//! A table holds either the state of every switch or the label of every lane, round by round. Where the messages go
//! is not stated beside it but found by routing the table on the network when it is made, so a table cannot claim what it
//! does not do.

use crate::bits::Bits;
use crate::route::{Routed, route_labels, route_settings};
use frit_network::refusal::NearestSize;
use frit_network::{LaneIdx, Network, Refusal, RoundIdx, StageIdx, SwitchIdx, SwitchState, refusal, refuse};

/// Rounds × lanes that a table may have: 4096 rounds of 4096 lanes.
pub const MAX_ENTRIES: u64 = 1 << 24;

/// What a table says of every round.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entries {
    /// The state of every switch, at `(round * stages + stage) * switches + switch`: 0 straight, 1 cross.
    Settings(Bits),
    /// The label of every lane, at `round * lanes + lane`: one bit per stage, the first stage's the most significant.
    Labels(Vec<u64>),
}

/// Bits that a stored schedule takes in ROMs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBits {
    /// Switch states, or labels that are not the destinations.
    pub control: u64,
    /// What the senders know: the destination of every lane in every round.
    pub destinations: u64,
    /// What the receivers know: the source of every lane in every round.
    pub sources: u64,
}

impl StoredBits {
    /// All together.
    pub fn total(self) -> u64 {
        self.control + self.destinations + self.sources
    }
}

/// A stored schedule, and the destinations it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    rounds: u32,
    stages: u32,
    lanes: u32,
    terminals: u32,
    entries: Entries,
    /// The output lane that every lane reaches, at `round * lanes + lane`.
    destinations: Vec<u32>,
}

impl Tables {
    /// A table of settings: `settings(round)` gives the states `[stage][switch]` of a round.
    ///
    /// # Panics
    ///
    /// If a round has not a state for every switch.
    pub fn settings(
        network: &Network,
        rounds: u32,
        mut settings: impl FnMut(RoundIdx) -> Vec<Vec<SwitchState>>,
    ) -> Result<Tables, Refusal> {
        let mut tables = Tables::empty(network, rounds)?;
        let switches = network.switches_per_stage() as usize;
        let mut bits = Bits::zeros(rounds as usize * tables.stages as usize * switches);
        for round in RoundIdx::all(rounds) {
            let states = settings(round);
            let whole =
                states.len() == tables.stages as usize && states.iter().all(|row| row.len() == switches);
            assert!(
                whole,
                "round {round}: every switch of {} stages of {switches} has a state",
                tables.stages
            );
            let first = round.idx() * tables.stages as usize * switches;
            for (at, _) in states.iter().flatten().enumerate().filter(|(_, state)| state.bit()) {
                bits.set(first + at);
            }
            tables.routed(route_settings(network, &states));
        }
        tables.entries = Entries::Settings(bits);
        Ok(tables)
    }

    /// A table of labels: `label(round, lane)` has one bit per stage, the first stage's the most significant.
    pub fn labels(
        network: &Network,
        rounds: u32,
        label: impl Fn(RoundIdx, LaneIdx) -> u64,
    ) -> Result<Tables, Refusal> {
        let mut tables = Tables::empty(network, rounds)?;
        let (stages, lanes) = (tables.stages, tables.lanes);
        if stages > u64::BITS {
            refuse!(
                "a network of {stages} stages cannot be routed by stored labels, which have at most {} bits; give states instead",
                u64::BITS
            );
        }
        let mut labels = Vec::with_capacity(rounds as usize * lanes as usize);
        for round in RoundIdx::all(rounds) {
            let row: Vec<u64> = LaneIdx::all(lanes).map(|lane| label(round, lane)).collect();
            let wide = |label: u64| label.checked_shr(stages).unwrap_or(0) != 0;
            if let Some(lane) = row.iter().position(|&label| wide(label)) {
                let (label, lane) = (row[lane], LaneIdx(lane as u32));
                refuse!(
                    "round {round}: the label {label} of lane {lane} does not fit into the {stages} bits that the stages read"
                );
            }
            let bit = |lane: LaneIdx, stage: StageIdx| row[lane.idx()] >> (stages - 1 - stage.0) & 1 == 1;
            let routed = route_labels(network, round, bit);
            tables.routed(routed.map_err(|conflict| refusal!("the labels have a conflict: {conflict}"))?);
            labels.extend(row);
        }
        tables.entries = Entries::Labels(labels);
        Ok(tables)
    }

    fn empty(network: &Network, rounds: u32) -> Result<Tables, Refusal> {
        let lanes = network.lanes();
        if rounds == 0 {
            refuse!("the schedule has no round; give at least one");
        }
        check_size(rounds.into(), lanes.into())?;
        Ok(Tables {
            rounds,
            stages: network.stages(),
            lanes,
            terminals: network.terminals(),
            entries: Entries::Labels(Vec::new()),
            destinations: Vec::with_capacity(rounds as usize * lanes as usize),
        })
    }

    fn routed(&mut self, round: Routed) {
        self.destinations.extend(round.destinations);
    }

    fn at(&self, round: RoundIdx, lane: LaneIdx) -> usize {
        round.idx() * self.lanes as usize + lane.idx()
    }

    /// Rounds.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether labels are stored, not settings.
    pub fn self_routing(&self) -> bool {
        matches!(self.entries, Entries::Labels(_))
    }

    /// The output lane that `lane` reaches in `round`.
    pub fn destination(&self, round: RoundIdx, lane: LaneIdx) -> LaneIdx {
        LaneIdx(self.destinations[self.at(round, lane)])
    }

    /// The lane whose message every output lane takes in `round`.
    pub fn sources(&self, round: RoundIdx) -> Vec<u32> {
        let mut sources = vec![0; self.lanes as usize];
        for lane in 0..self.lanes {
            sources[self.destination(round, LaneIdx(lane)).idx()] = lane;
        }
        sources
    }

    /// The label of a lane, if labels are stored.
    pub fn label(&self, round: RoundIdx, lane: LaneIdx) -> Option<u64> {
        match &self.entries {
            Entries::Labels(labels) => Some(labels[self.at(round, lane)]),
            Entries::Settings(_) => None,
        }
    }

    /// The state of a switch, if settings are stored.
    pub fn state(&self, round: RoundIdx, stage: StageIdx, switch: SwitchIdx) -> Option<SwitchState> {
        let switches = self.lanes as usize / 2;
        match &self.entries {
            Entries::Labels(_) => None,
            Entries::Settings(bits) => {
                let row = round.idx() * self.stages as usize + stage.idx();
                Some(SwitchState::from_bit(bits.get(row * switches + switch.idx())))
            }
        }
    }

    /// Whether every label is the number of the terminal it leads to, so that senders need one table and not two.
    pub fn labels_are_destinations(&self) -> bool {
        let owned = self.lanes / self.terminals;
        match &self.entries {
            Entries::Labels(labels) => {
                self.stages == self.address_bits()
                    && labels.iter().zip(&self.destinations).all(|(&l, &d)| l == u64::from(d / owned))
            }
            Entries::Settings(_) => false,
        }
    }

    fn address_bits(&self) -> u32 {
        (self.terminals - 1).ilog2() + 1
    }

    /// Bits in ROMs.
    pub fn stored_bits(&self) -> StoredBits {
        let entries = u64::from(self.rounds) * u64::from(self.lanes);
        let numbers = entries * u64::from(self.address_bits());
        let control = match &self.entries {
            Entries::Settings(bits) => bits.len() as u64,
            Entries::Labels(_) if self.labels_are_destinations() => 0,
            Entries::Labels(_) => entries * u64::from(self.stages),
        };
        StoredBits { control, destinations: numbers, sources: numbers }
    }
}

/// Whether a table of so many rounds and lanes may be made.
pub fn check_size(rounds: u64, lanes: u64) -> Result<(), Refusal> {
    match rounds.checked_mul(lanes) {
        Some(entries) if entries <= MAX_ENTRIES => Ok(()),
        // A round for each terminal: the largest power of two whose square is allowed.
        _ => Err(refusal!(
            "{rounds} rounds of {lanes} lanes exceed the {MAX_ENTRIES} entries of a stored schedule; give fewer rounds or a smaller network"
        )
        .with(NearestSize(1 << (MAX_ENTRIES.ilog2() / 2)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::butterfly;

    #[test]
    fn destinations_are_those_of_the_network() {
        let network = butterfly(8).unwrap();
        // Round 1 crosses the last stage.
        let cross = |stage: usize, round| SwitchState::from_bit(round == RoundIdx(1) && stage == 2);
        let tables =
            Tables::settings(&network, 2, |round| (0..3).map(|stage| vec![cross(stage, round); 4]).collect())
                .unwrap();
        let row = |round| {
            LaneIdx::all(8).map(|lane| tables.destination(RoundIdx(round), lane).0).collect::<Vec<_>>()
        };
        assert_eq!(row(0), [0, 4, 1, 5, 2, 6, 3, 7]);
        assert_eq!(row(1), [1, 5, 0, 4, 3, 7, 2, 6]);
        assert_eq!(tables.sources(RoundIdx(0)), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(tables.state(RoundIdx(1), StageIdx(2), SwitchIdx(3)), Some(SwitchState::Cross));
        assert_eq!(tables.state(RoundIdx(0), StageIdx(2), SwitchIdx(3)), Some(SwitchState::Straight));
        assert!(!tables.self_routing() && tables.label(RoundIdx(0), LaneIdx(0)).is_none());
        let bits = StoredBits { control: 2 * 3 * 4, destinations: 2 * 8 * 3, sources: 2 * 8 * 3 };
        assert_eq!(tables.stored_bits(), bits);
    }

    #[test]
    fn labels_that_conflict_are_refused_with_their_place() {
        let network = butterfly(8).unwrap();
        // The identity: inputs 0 and 1 both go to the upper half.
        let error = Tables::labels(&network, 1, |_, lane| lane.0.into()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the labels have a conflict: round 0, stage 0, switch 0: inputs 0 and 1 both want output 0"
        );
        let straight = |_, LaneIdx(lane)| u64::from(lane >> 1 | (lane & 1) << 2);
        let tables = Tables::labels(&network, 1, straight).unwrap();
        assert!(tables.labels_are_destinations());
        let bits = StoredBits { control: 0, destinations: 24, sources: 24 };
        assert_eq!(tables.stored_bits(), bits);
        let error = Tables::labels(&network, 1, |_, _| 8).unwrap_err();
        let text = "round 0: the label 8 of lane 0 does not fit into the 3 bits that the stages read";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_made() {
        let network = butterfly(8192).unwrap();
        let text = |rounds| Tables::labels(&network, rounds, |_, _| unreachable!()).unwrap_err().to_string();
        assert!(text(8192).starts_with("8192 rounds of 8192 lanes exceed the 16777216 entries of a stored"));
        assert_eq!(text(0), "the schedule has no round; give at least one");
    }
}
