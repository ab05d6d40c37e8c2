//! A Beneš network as a crossbar of streams: its settings stand still while words pass, and a host changes them through registers.
//!
//! Sizes, registers, and what a host writes. What is done with a crossbar, and what is seen then, is in `frit_model`.

use crate::program::{self, MAX_TERMINALS};
use frit_network::{Network, Refusal, SwitchState, benes, benes_radix4, radix4_groups, refusal};
use frit_schedule::looping;
use frit_traffic::random::SplitMix64;

/// Bits of an address of the registers.
pub const ADDRESS_BITS: u32 = 11;

/// Where the registers are, in bytes. The first one and those of the sources stand where AMD's PG085 has them.
pub mod address {
    /// Bit 1 commits what was written; it reads 1 while the commit is under way.
    pub const CONTROL: u32 = 0x0;
    /// Bit 0: the settings do not lead each source to its output.
    pub const STATUS: u32 = 0x4;
    /// Bit i of the word i / 32: input i is open.
    pub const OPEN: u32 = 0x10;
    /// A word for each output: its source, and bit 31 if it is off.
    pub const SOURCE: u32 = 0x40;
    /// The states of the switches, 32 in a word, stage by stage.
    pub const SETTINGS: u32 = 0x400;
}

/// What commits, in [`address::CONTROL`].
pub const COMMIT: u32 = 2;

/// What switches an output off.
pub const OFF: u32 = 1 << 31;

/// The sizes of a crossbar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    terminals: u32,
    radix4: bool,
}

impl Shape {
    /// A crossbar of so many inputs and outputs.
    ///
    /// # Errors
    ///
    /// If it is not a power of two from 4 to 128.
    pub fn new(terminals: u64) -> Result<Shape, Refusal> {
        match program::Shape::new(terminals, 2) {
            Ok(shape) => Ok(Shape { terminals: shape.terminals(), radix4: false }),
            Err(_) => Err(refusal!(
                "{terminals} terminals are not possible with --crossbar; give a power of two from 4 to {MAX_TERMINALS}"
            )),
        }
    }

    /// The same crossbar with 4×4 switches.
    pub fn radix4(self) -> Shape {
        Shape { radix4: true, ..self }
    }

    /// Its network.
    pub fn network(self) -> Network {
        let n = self.terminals.into();
        let network = if self.radix4 { benes_radix4(n) } else { benes(n) };
        network.expect("a crossbar has the size of a network")
    }

    /// Whether it has 4×4 switches.
    pub fn has_radix4(self) -> bool {
        self.radix4
    }

    /// N.
    pub fn terminals(self) -> u32 {
        self.terminals
    }

    /// n: bits of a terminal's number.
    pub fn bits(self) -> u32 {
        self.terminals.ilog2()
    }

    /// S = 2n − 1: columns of 2×2 switches.
    pub fn stages(self) -> u32 {
        2 * self.bits() - 1
    }

    /// G: groups of stages, and cycles from an input to the queue of its output. Without 4×4 switches each stage is a group.
    pub fn groups(self) -> u32 {
        if self.radix4 { radix4_groups(self.bits()).len() as u32 } else { self.stages() }
    }

    pub fn switches(self) -> u32 {
        self.terminals / 2
    }

    /// The bits of the words with the settings.
    pub fn setting_words(self) -> Vec<u32> {
        let all = self.switches() * self.stages();
        (0..all.div_ceil(32)).map(|word| (all - 32 * word).min(32)).collect()
    }

    /// Registers that say which inputs are open.
    pub fn open_words(self) -> u32 {
        self.terminals.div_ceil(32)
    }

    /// The queue at each output holds 2 to the power of this many words.
    pub fn queue_bits(self) -> u32 {
        // At least four words above those that can be under way.
        (2 * self.groups() + 2 + 4).next_power_of_two().ilog2()
    }

    /// An output has room while fewer words are in its queue. As many as can be under way fit beside them.
    pub fn limit(self) -> u32 {
        (1 << self.queue_bits()) - 2 * self.groups() - 2
    }

    /// Steps in which an output says which input it wants: whether it is on, and a bit each of the source.
    pub fn steps(self) -> u32 {
        self.bits() + 1
    }

    /// The age of a commit, in cycles, in which the settings change.
    pub fn swap_age(self) -> u32 {
        // The control needs two cycles to compare an age.
        self.groups().max(3)
    }

    /// The age in which inputs begin to hear outputs.
    pub fn check_age(self) -> u32 {
        self.swap_age() + self.groups() + 1
    }

    /// The age of a commit at which its inputs open.
    pub fn opens(self) -> u32 {
        self.swap_age() + self.groups() + self.bits() + 3
    }

    /// The last age of a commit.
    pub fn last_age(self) -> u32 {
        self.swap_age() + self.groups() + self.steps() + 3
    }

    /// Cycles in which every queue becomes empty, if no word enters and outputs are always taken.
    pub fn drain(self) -> u64 {
        (1 << self.queue_bits()) + u64::from(2 * self.groups()) + 8
    }
}

/// What a host writes: an address and a word.
pub type Write = (u32, u32);

/// The sources of a text: `1,off,3,0`, one for each output.
///
/// # Errors
///
/// If they are not as many as outputs, or one is no source.
pub fn sources(shape: Shape, text: &str) -> Result<Vec<Option<u32>>, Refusal> {
    let terminals = shape.terminals();
    let one = |word: &str| match word.trim() {
        "off" => Ok(None),
        word => match word.parse() {
            Ok(source) if source < terminals => Ok(Some(source)),
            _ => Err(refusal!(
                "{word:?} is not a source of a crossbar of {terminals} terminals; give 0 to {} or off",
                terminals - 1
            )),
        },
    };
    let sources = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
    match sources.len() == terminals as usize {
        true => Ok(sources),
        false => Err(refusal!(
            "{} sources were given for {terminals} outputs; give one for each output, a number or off",
            sources.len()
        )),
    }
}

/// The sources without those that an output of a lower number has as well: such an output is off, as PG085 has it.
pub fn lower_wins(sources: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut taken = vec![false; sources.len()];
    let one =
        |source: &Option<u32>| source.filter(|&source| !std::mem::replace(&mut taken[source as usize], true));
    sources.iter().map(one).collect()
}

/// States of all switches that lead each source to its output. Inputs without an output lead to the outputs that are off, in order.
pub fn settings(sources: &[Option<u32>]) -> Vec<Vec<SwitchState>> {
    let sources = lower_wins(sources);
    let mut to = vec![u32::MAX; sources.len()];
    let mut off = Vec::new();
    for (output, source) in (0..).zip(&sources) {
        match source {
            Some(source) => to[*source as usize] = output,
            None => off.push(output),
        }
    }
    let mut off = off.into_iter();
    for output in to.iter_mut().filter(|output| **output == u32::MAX) {
        *output = off.next().expect("as many outputs are off as inputs are left");
    }
    looping::settings(&to).expect("a shape has the size of a network")
}

/// The words of settings.
pub fn packed(shape: Shape, states: &[Vec<SwitchState>]) -> Vec<u32> {
    let mut words = vec![0; shape.setting_words().len()];
    for (at, state) in states.iter().flatten().enumerate() {
        words[at / 32] |= u32::from(state.bit()) << (at % 32);
    }
    words
}

pub fn unpacked(shape: Shape, words: &[u32]) -> Vec<Vec<SwitchState>> {
    let state = |at: u32| SwitchState::from_bit(words[at as usize / 32] >> (at % 32) & 1 == 1);
    let stage = |stage| (0..shape.switches()).map(move |switch| stage * shape.switches() + switch);
    (0..shape.stages()).map(|at| stage(at).map(state).collect()).collect()
}

/// What a host writes so that outputs have these sources, and settings for others if some are given; without the commit.
pub fn writes(shape: Shape, sources: &[Option<u32>], settings: &[Vec<SwitchState>]) -> Vec<Write> {
    let source = |(at, source): (u32, &Option<u32>)| (address::SOURCE + 4 * at, source.unwrap_or(OFF));
    let words = (0..).zip(packed(shape, settings)).map(|(at, word)| (address::SETTINGS + 4 * at, word));
    (0..).zip(sources).map(source).chain(words).collect()
}

/// All that a host writes so that outputs have these sources, with the commit.
pub fn program(shape: Shape, sources: &[Option<u32>]) -> Vec<Write> {
    let sources = lower_wins(sources);
    let mut all = writes(shape, &sources, &settings(&sources));
    all.push((address::CONTROL, COMMIT));
    all
}

/// Sources of which so many of 256 are on, all different.
pub fn drawn(shape: Shape, seed: u64, on: u32) -> Vec<Option<u32>> {
    let mut random = SplitMix64(seed);
    let sources = random.permutation(shape.terminals());
    sources.into_iter().map(|source| Some(source).filter(|_| random.below(256) < on)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loadable::Loadable;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_network_leads_each_source_to_its_output(bits in 2u32..8, seed in any::<u64>()) {
            let shape = Shape::new(1 << bits).unwrap();
            let sources = drawn(shape, seed, 200);
            let on = Loadable::benes(program::Shape::new(1 << bits, 2).unwrap());
            let words = packed(shape, &settings(&sources));
            let reached = on.reached(&unpacked(shape, &words));
            for (output, source) in (0..).zip(lower_wins(&sources)) {
                prop_assert!(source.is_none_or(|source| reached[source as usize] == output));
            }
        }
    }

    #[test]
    fn the_lower_output_wins() {
        let four = Shape::new(4).unwrap();
        let given = sources(four, "1, off,1,0").unwrap();
        assert_eq!(given, [Some(1), None, Some(1), Some(0)]);
        assert_eq!(lower_wins(&given), [Some(1), None, None, Some(0)]);
        let written = program(four, &given);
        assert_eq!(written[..4], [(0x40, 1), (0x44, OFF), (0x48, OFF), (0x4c, 0)]);
        assert_eq!((written[4].0, written[5], written.len()), (0x400, (0, 2), 6));
    }

    #[test]
    fn sizes_follow_from_the_terminals() {
        let sizes = |terminals| {
            let shape = Shape::new(terminals).unwrap();
            [shape.stages(), 1 << shape.queue_bits(), shape.limit(), shape.last_age()]
        };
        assert_eq!(sizes(4), [3, 16, 8, 12]);
        assert_eq!(sizes(8), [5, 16, 4, 17]);
        assert_eq!(sizes(32), [9, 32, 12, 27]);
        assert_eq!(sizes(128), [13, 32, 4, 37]);
        assert_eq!(Shape::new(32).unwrap().setting_words(), [32, 32, 32, 32, 16]);
    }

    #[test]
    fn what_is_no_crossbar_is_explained() {
        let text = |error: Refusal| error.to_string();
        assert!(
            text(Shape::new(6).unwrap_err()).starts_with("6 terminals are not possible with --crossbar;")
        );
        let four = Shape::new(4).unwrap();
        assert!(text(sources(four, "1,2").unwrap_err()).starts_with("2 sources were given for 4 outputs;"));
        assert!(text(sources(four, "0,1,2,4").unwrap_err()).ends_with("give 0 to 3 or off"));
        assert!(text(sources(four, "0,1,2,on").unwrap_err()).starts_with("\"on\" is not a source"));
    }
}
