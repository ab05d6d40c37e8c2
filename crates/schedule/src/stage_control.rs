//! Stage control: a word per round, a bit of it per stage. The configurations of stage control and ATA-2 on the general
//! shuffle-exchange network ([`gsen`](crate::gsen), which names the source), those of the XOR method, and the turns of the
//! rotator.

use frit_network::{LaneIdx, Network, PortIdx, RoundIdx, StageIdx, SwitchIdx, SwitchState};

/// Which configurations the rounds run through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Round k is configuration k, 0 … 2^(n+1) - 1.
    Counter,
    /// Rounds 0 … 2^n - 1 are those configurations; the last two are 2^n + 2^(n-1) and the next, in which the
    /// switches of the inner stages alternate.
    Ata2,
    /// Round k is configuration k, on a network where it sends i, its bits rotated to the right by `rotation`, XOR k.
    Xor {
        /// Bits by which the number of a source is rotated.
        rotation: u32,
    },
    /// Round k sends i to i + k: each stage is a column of multiplexers that turns all lanes if its bit is set, the first stage by half
    /// the lanes, each next one by half as many as the one before.
    Turn,
}

/// Stage control: a word per round, a bit of it per stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageControl {
    /// n: the network has n + 1 stages.
    pub n: u32,
    /// Which configurations the rounds run through.
    pub rule: Rule,
}

impl StageControl {
    /// The control word x of a round; bit n - j drives stage j.
    pub fn word(self, round: RoundIdx) -> u32 {
        match self.rule {
            Rule::Ata2 if round.0 >> self.n & 1 == 1 => round.0 | 1 << (self.n - 1),
            _ => round.0,
        }
    }

    /// Whether the switches of the inner stages alternate in this round.
    pub fn alternates(self, round: RoundIdx) -> bool {
        self.rule == Rule::Ata2 && round.0 >> self.n & 1 == 1
    }

    /// Whether the switches of `stage` alternate in the rounds in which switches do: all but the first and last.
    pub fn alternating_stage(self, stage: StageIdx) -> bool {
        self.rule == Rule::Ata2 && stage.0 != 0 && stage.0 != self.n
    }

    /// The state of a switch in a round.
    pub fn state(self, round: RoundIdx, stage: StageIdx, switch: SwitchIdx) -> SwitchState {
        let bit = self.word(round) >> (self.n - stage.0) & 1;
        let alternate = self.alternates(round) && self.alternating_stage(stage);
        SwitchState::from_bit((bit ^ (alternate as u32 & switch.0)) & 1 == 1)
    }

    /// By how many lanes `stage` turns all of them where its bit is set; `None`: it is one of 2×2 switches.
    pub fn turn(self, stage: StageIdx) -> Option<u32> {
        (self.rule == Rule::Turn).then(|| 1 << (self.n - stage.0))
    }

    /// The output that input `lane` reaches in `round`: by the formula of the rule, or else by following the path.
    pub fn destination(self, network: &Network, round: RoundIdx, lane: LaneIdx) -> LaneIdx {
        match self.rule {
            Rule::Xor { rotation } => return LaneIdx(rotate_right(lane.0, rotation, self.n + 1) ^ round.0),
            Rule::Turn => return LaneIdx((lane.0 + round.0) % network.lanes()),
            Rule::Counter | Rule::Ata2 => {}
        }
        let mut port = PortIdx(lane.0);
        for stage in (0..network.stages()).map(StageIdx) {
            let input = PortIdx(network.link(stage)[port.idx()]);
            port = self.state(round, stage, SwitchIdx(input.0 / 2)).output_port(input);
        }
        LaneIdx(network.link(StageIdx(network.stages()))[port.idx()])
    }
}

/// The low `bits` bits of a number, rotated to the right.
pub fn rotate_right(number: u32, by: u32, bits: u32) -> u32 {
    (0..by).fold(number, |number, _| number >> 1 | (number & 1) << (bits - 1))
}
