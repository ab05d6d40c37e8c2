//! A plan as hardware with loaded memories takes it: entries of 32-bit words, as beats of a stream.
//!
//! The first beat is the number of entries. An entry is one state of the network: for how many rounds it is held (16 bits), the
//! destination of each terminal (n bits, N ≤ 2^n), and the state of each switch (a bit), stage by stage. They stand side by side from the
//! lowest bit of the entry's first word on; the last word is filled up with zeros.

use crate::exchange::{Exchange, Machine, State};
use crate::peel::Held;
use frit_network::{Network, Refusal, SwitchState, TerminalIdx, radix4_groups, refusal, refuse};
use frit_schedule::looping;

/// Bits of a run length.
pub const RUN_BITS: u32 = 16;

/// The longest run of an entry; a state that is held longer takes several.
pub const MAX_RUN: u32 = (1 << RUN_BITS) - 1;

pub const BEAT_BITS: u32 = 32;

/// Cycles from a round to its words where the words lie in block RAM: two tables, the RAM, and the RAM's own register.
pub const MESSAGE_STEPS: u32 = 3;

/// The largest memory, in entries of a bank.
pub const MAX_ENTRIES: u64 = 4096;

pub const MAX_TERMINALS: u32 = 128;

/// The longest entry, in beats.
pub const MAX_BEATS: u32 = 64;

/// The sizes of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    terminals: u32,
    stages: u32,
    groups: u32,
    entry_bits: u32,
}

impl Shape {
    /// A Beneš network with `terminals` terminals, and banks of `entries` entries.
    pub fn new(terminals: u64, entries: u64) -> Result<Shape, Refusal> {
        if !terminals.is_power_of_two() || !(4..=MAX_TERMINALS.into()).contains(&terminals) {
            refuse!(
                "{terminals} terminals are not possible with a loaded schedule; give a power of two from 4 to {MAX_TERMINALS}"
            );
        }
        let stages = 2 * terminals.ilog2() - 1;
        Ok(Shape { terminals: terminals as u32, stages, groups: stages, entry_bits: entry_bits(entries)? })
    }

    /// The same Beneš network with 4×4 switches.
    pub fn radix4(self) -> Shape {
        Shape { groups: radix4_groups(self.terminal_bits()).len() as u32, ..self }
    }

    /// Any network with one lane for each terminal, and banks of so many entries.
    pub fn of(network: &Network, entries: u64) -> Result<Shape, Refusal> {
        let (terminals, stages) = (network.terminals(), network.stages());
        if !(4..=MAX_TERMINALS).contains(&terminals) {
            refuse!(
                "a loaded schedule needs 4 to {MAX_TERMINALS} terminals, but the network has {terminals}; give another network"
            );
        }
        let too_wide = |beats: u64| {
            refusal!(
                "an entry of this network would have {beats} words of 32 bits, and {MAX_BEATS} are possible; give a network with fewer stages or terminals"
            )
        };
        let most = u64::from(MAX_BEATS * BEAT_BITS);
        let bits = u64::from(terminals / 2) * u64::from(stages);
        if bits > most {
            return Err(too_wide(bits.div_ceil(BEAT_BITS.into())));
        }
        let groups = network.groups();
        let shape = Shape { terminals, stages, groups, entry_bits: entry_bits(entries)? };
        match shape.beats() > MAX_BEATS {
            true => Err(too_wide(shape.beats().into())),
            false => Ok(shape),
        }
    }

    /// The smallest memory for a program of so many entries.
    pub fn holding(terminals: u64, needed: u64) -> Result<Shape, Refusal> {
        Shape::new(terminals, bank(needed))
    }

    /// N.
    pub fn terminals(self) -> u32 {
        self.terminals
    }

    /// n: bits of a terminal's number.
    pub fn terminal_bits(self) -> u32 {
        (self.terminals - 1).ilog2() + 1
    }

    /// Columns of switches; of a Beneš network 2n − 1.
    pub fn stages(self) -> u32 {
        self.stages
    }

    /// Groups of stages, each a column of registers; a stage is a group unless its switches are parts of 4×4 switches.
    pub fn groups(self) -> u32 {
        self.groups
    }

    /// Cycles from a round to the arrival of its words: through the registers of the terminals, and those of the groups of stages.
    pub fn latency(self) -> u32 {
        self.groups + 1
    }

    /// The same with streams of messages: a terminal gives its word [`MESSAGE_STEPS`] cycles after the round, and there is a register behind the network.
    pub fn message_latency(self) -> u32 {
        self.latency() + MESSAGE_STEPS
    }

    pub fn switches(self) -> u32 {
        self.terminals / 2
    }

    pub fn entries(self) -> u64 {
        1 << self.entry_bits
    }

    /// Bits of an entry's number.
    pub fn entry_bits(self) -> u32 {
        self.entry_bits
    }

    /// The first bit of a terminal's destination in an entry.
    pub fn destination_at(self, terminal: TerminalIdx) -> u32 {
        RUN_BITS + terminal.0 * self.terminal_bits()
    }

    /// The bit of the first switch of a stage in an entry.
    pub fn stage_at(self, stage: u32) -> u32 {
        self.destination_at(TerminalIdx(self.terminals)) + stage * self.switches()
    }

    /// Bits of an entry.
    pub fn width(self) -> u32 {
        self.stage_at(self.stages)
    }

    pub fn beats(self) -> u32 {
        self.width().div_ceil(BEAT_BITS)
    }
}

fn entry_bits(entries: u64) -> Result<u32, Refusal> {
    if !entries.is_power_of_two() || !(2..=MAX_ENTRIES).contains(&entries) {
        refuse!("{entries} entries are not possible; give a power of two from 2 to {MAX_ENTRIES}");
    }
    Ok(entries.ilog2())
}

/// What to do with a plan that does not fit a bank. A larger bank may get another plan, with fewer entries.
fn advice(needed: u64, given: u64) -> String {
    match bank(needed) {
        entries if entries <= MAX_ENTRIES => format!("give --entries {entries}"),
        _ if given < MAX_ENTRIES => {
            format!("give --entries {MAX_ENTRIES}, the most, or a demand of fewer words")
        }
        _ => format!(
            "no bank has more, and an entry lasts for at most {MAX_RUN} rounds; give a demand of fewer words"
        ),
    }
}

/// The smallest bank for so many entries; no hardware is made for more than [`MAX_ENTRIES`].
pub fn bank(needed: u64) -> u64 {
    needed.max(2).next_power_of_two()
}

/// A state of the network and for how many rounds it is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Rounds, 1 to [`MAX_RUN`].
    pub run: u32,
    /// The destination of each terminal.
    pub to: Vec<u16>,
    pub states: Vec<Vec<SwitchState>>,
}

impl Entry {
    /// The entry of a permutation, its switches set by the looping algorithm.
    pub fn new(to: Vec<u16>, run: u32) -> Entry {
        let wide: Vec<u32> = to.iter().map(|&to| to.into()).collect();
        let states = looping::settings(&wide).expect("a shape has a power of two of terminals");
        Entry { run, to, states }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub shape: Shape,
    pub entries: Vec<Entry>,
}

/// How many entries permutations take.
pub fn needed(held: &[Held]) -> u64 {
    needed_for(held.iter().map(|held| held.hold))
}

/// How many entries states take that are held for so many rounds.
pub fn needed_for(runs: impl Iterator<Item = u32>) -> u64 {
    runs.map(|run| u64::from(run.div_ceil(MAX_RUN))).sum()
}

impl Program {
    /// The program of permutations that are held one after the other.
    pub fn new(shape: Shape, held: &[Held]) -> Result<Program, Refusal> {
        check(shape, needed(held))?;
        Program::of_states(shape, held.iter().map(|held| Entry::new(held.to.clone(), held.hold)))
    }

    /// The program of states that are held one after the other, each for as many rounds as it says. A run of more than [`MAX_RUN`] rounds
    /// takes several entries.
    pub fn of_states(shape: Shape, states: impl Iterator<Item = Entry>) -> Result<Program, Refusal> {
        let split = |state: Entry| {
            let runs = (0..state.run).step_by(MAX_RUN as usize);
            runs.map(move |done| Entry { run: (state.run - done).min(MAX_RUN), ..state.clone() })
        };
        let entries: Vec<Entry> = states.flat_map(split).collect();
        check(shape, entries.len() as u64)?;
        Ok(Program { shape, entries })
    }

    /// The program of a plan of the Beneš network.
    pub fn of(shape: Shape, exchange: &Exchange) -> Result<Program, Refusal> {
        if !matches!(exchange.machine, Machine::Benes(_)) || exchange.machine.terminals() != shape.terminals()
        {
            refuse!(
                "only plans of the Benes network are permutations that are loaded, not plans of {}",
                exchange.machine.name()
            );
        }
        let held: Vec<Held> = exchange
            .slots
            .iter()
            .map(|slot| match &slot.state {
                State::Permutation(to) => Held { to: to.clone(), hold: slot.hold },
                state => panic!("{} has no slots like {state:?}", exchange.machine.name()),
            })
            .collect();
        Program::new(shape, &held)
    }

    pub fn rounds(&self) -> u64 {
        self.entries.iter().map(|entry| u64::from(entry.run)).sum()
    }

    /// The words of its beats, the number of entries first.
    pub fn words(&self) -> Vec<u32> {
        let entries = self.entries.iter().flat_map(|entry| packed(self.shape, entry));
        std::iter::once(self.entries.len() as u32).chain(entries).collect()
    }

    /// The refusal of a program without entries.
    pub fn empty() -> Refusal {
        refusal!("the demand has no words, so its program would be empty; give a demand with words")
    }

    pub fn read(shape: Shape, words: &[u32]) -> Result<Program, Refusal> {
        let wrong = |what: String| Err(refusal!("the program {what}"));
        let Some((&count, words)) = words.split_first() else { return wrong("has no first word".into()) };
        if count == 0 || u64::from(count) > shape.entries() {
            return wrong(format!("says it has {count} entries; a bank holds 1 to {}", shape.entries()));
        }
        let beats = shape.beats() as usize;
        if words.len() != count as usize * beats {
            let due = u64::from(count) * beats as u64 + 1;
            return wrong(format!("has {} words, but {count} entries take {due}", words.len() + 1));
        }
        let entries: Vec<Entry> = words.chunks_exact(beats).map(|words| unpacked(shape, words)).collect();
        match entries.iter().position(|entry| entry.run == 0) {
            Some(at) => wrong(format!("holds entry {at} for 0 rounds; each entry is held for 1 or more")),
            None => Ok(Program { shape, entries }),
        }
    }
}

/// Refuses programs that are empty or do not fit.
fn too_many(needed: u64, given: u64) -> Refusal {
    refusal!("the plan has {needed} entries, but a bank has {given}; {}", advice(needed, given))
}

fn check(shape: Shape, needed: u64) -> Result<(), Refusal> {
    match needed {
        0 => Err(Program::empty()),
        _ if needed > shape.entries() => Err(too_many(needed, shape.entries())),
        _ => Ok(()),
    }
}

fn packed(shape: Shape, entry: &Entry) -> Vec<u32> {
    let mut words = vec![0; shape.beats() as usize];
    let mut put = |at: u32, bits: u32, value: u32| {
        for bit in 0..bits {
            words[((at + bit) / BEAT_BITS) as usize] |= (value >> bit & 1) << ((at + bit) % BEAT_BITS);
        }
    };
    put(0, RUN_BITS, entry.run);
    for (terminal, &to) in (0..).zip(&entry.to) {
        put(shape.destination_at(TerminalIdx(terminal)), shape.terminal_bits(), to.into());
    }
    for (stage, states) in (0..).zip(&entry.states) {
        for (switch, state) in (0..).zip(states) {
            put(shape.stage_at(stage) + switch, 1, state.bit().into());
        }
    }
    words
}

fn unpacked(shape: Shape, words: &[u32]) -> Entry {
    let get = |at: u32, bits: u32| {
        let bit = |bit: u32| words[((at + bit) / BEAT_BITS) as usize] >> ((at + bit) % BEAT_BITS) & 1;
        (0..bits).map(|at| bit(at) << at).sum::<u32>()
    };
    let to = |terminal| get(shape.destination_at(terminal), shape.terminal_bits()) as u16;
    let state = |stage, switch| SwitchState::from_bit(get(shape.stage_at(stage) + switch, 1) == 1);
    Entry {
        run: get(0, RUN_BITS),
        to: TerminalIdx::all(shape.terminals()).map(to).collect(),
        states: (0..shape.stages())
            .map(|stage| (0..shape.switches()).map(|switch| state(stage, switch)).collect())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, generate};
    use crate::{benes, peel};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_program_is_read_as_it_was_written(n in 2u32..8, words in 1u32..90, seed in any::<u64>()) {
            let demand = generate(&Kind::Zipf { words, exponent: 1.0 }, 1 << n, seed).unwrap();
            let exchange = benes::plan(&demand).unwrap();
            let shape = Shape::holding(1 << n, exchange.slots.len() as u64).unwrap();
            let program = Program::of(shape, &exchange).unwrap();
            prop_assert_eq!(program.rounds(), u64::from(demand.h()));
            let words = program.words();
            prop_assert_eq!(words.len() as u32, 1 + program.entries.len() as u32 * shape.beats());
            prop_assert_eq!(Program::read(shape, &words).unwrap(), program);
        }
    }

    #[test]
    fn the_bits_are_where_the_page_says() {
        // 16 bits of length, 4 destinations of 2 bits, 3 stages of 2 switches.
        let shape = Shape::new(4, 2).unwrap();
        assert_eq!((shape.width(), shape.beats(), shape.stage_at(1)), (30, 1, 26));
        let program = Program::new(shape, &[Held { to: vec![1, 0, 3, 2], hold: 5 }]).unwrap();
        assert_eq!(program.words()[..1], [1]);
        assert_eq!(program.words()[1] & 0xff_ffff, 0xb1_0005);
        assert_eq!(Shape::new(8, 2).unwrap().beats(), 2);
        assert_eq!(Shape::new(16, 2).unwrap().beats(), 5);
    }

    #[test]
    fn a_long_run_takes_several_entries() {
        let shape = Shape::new(4, 4).unwrap();
        let held = [Held { to: vec![0, 1, 2, 3], hold: 2 * MAX_RUN + 7 }];
        let program = Program::new(shape, &held).unwrap();
        let runs: Vec<u32> = program.entries.iter().map(|entry| entry.run).collect();
        assert_eq!((runs, needed(&held)), (vec![MAX_RUN, MAX_RUN, 7], 3));
    }

    #[test]
    fn what_is_no_program_is_explained() {
        let text = |error: Refusal| error.to_string();
        assert!(text(Shape::new(6, 4).unwrap_err()).starts_with("6 terminals are not possible"));
        assert!(text(Shape::new(256, 4).unwrap_err()).ends_with("from 4 to 128"));
        assert!(text(Shape::new(8, 3).unwrap_err()).starts_with("3 entries are not possible"));
        let shape = Shape::new(4, 2).unwrap();
        let held = |count| vec![Held { to: vec![0, 1, 2, 3], hold: 1 }; count];
        assert_eq!(
            text(Program::new(shape, &held(3)).unwrap_err()),
            "the plan has 3 entries, but a bank has 2; give --entries 4"
        );
        let advice = |needed, given| text(too_many(needed, given));
        assert!(advice(4096, 2).ends_with("; give --entries 4096"));
        assert!(advice(4097, 2).ends_with("; give --entries 4096, the most, or a demand of fewer words"));
        assert_eq!(
            advice(65538, 4096),
            "the plan has 65538 entries, but a bank has 4096; no bank has more, and an entry lasts for at most 65535 rounds; give a demand of fewer words"
        );
        assert_eq!(Program::new(shape, &held(0)), Err(Program::empty()));
        let cyclic = crate::exchange::plain("rls", 4).unwrap();
        let cyclic = Exchange { machine: Machine::Cyclic(Box::new(cyclic)), slots: vec![] };
        assert!(text(Program::of(shape, &cyclic).unwrap_err()).contains("not plans of rls"));
        let words = |words: &[u32]| text(Program::read(shape, words).unwrap_err());
        assert_eq!(words(&[]), "the program has no first word");
        assert_eq!(words(&[0]), "the program says it has 0 entries; a bank holds 1 to 2");
        assert_eq!(words(&[3, 1, 1, 1]), "the program says it has 3 entries; a bank holds 1 to 2");
        assert_eq!(words(&[2, 1]), "the program has 2 words, but 2 entries take 3");
        assert_eq!(
            words(&[2, 1, 0]),
            "the program holds entry 1 for 0 rounds; each entry is held for 1 or more"
        );
        assert_eq!(peel::permutations(&generate(&Kind::Uniform { words: 0 }, 4, 1).unwrap()), []);
    }
}
