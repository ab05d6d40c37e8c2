//! What every engine does with a crossbar: phases with a reset of one cycle before each.
//!
//! Clock cycle 0 of a phase is the first after its reset. In each cycle there is one draw ([`frit_traffic::drawn`]), and [`picks`] says by
//! it which inputs begin to offer a word, which outputs are taken, and which responses the host takes. An offer stays until it is taken.
//! From the cycle `quiet` of the phase on no input begins to offer a word, and all outputs are taken. The host does one access after the other. During a
//! reset everything is offered. What is not valid is ones.

use frit_demand::crossbar::{
    ADDRESS_BITS, COMMIT, OFF, Shape, Write, address, drawn, program, settings, unpacked, writes,
};
use frit_demand::loadable::Loadable;
use frit_demand::program as loaded;
use frit_traffic::drawn::block;
use frit_traffic::random::SplitMix64;

/// An access of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether it writes.
    pub write: bool,
    /// Whether it reads. If it does both, the host offers both at once, and the read returns the value from before the write.
    pub read: bool,
    /// Its address, in bytes.
    pub address: u32,
    /// What is written.
    pub word: u32,
    /// Which bytes of it are.
    pub strobes: u32,
    /// It is offered when the access before was taken, whose response may wait; else when no response waits.
    pub overlaps: bool,
    /// Cycles from then on, or from the begin of the phase.
    pub pause: u32,
    /// Cycles by which the address and the word of a write are later than that.
    pub late: [u32; 2],
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What it is for: a phrase.
    pub what: &'static str,
    /// What the host does.
    pub accesses: Vec<Access>,
    /// Of 256 cycles, those in which an input without an offer begins one.
    pub offering: u32,
    /// Of 256 cycles, those in which an output is taken.
    pub taking: u32,
    /// Of 256 cycles, those in which the host takes a response.
    pub answering: u32,
    /// Cycles from the last access to the end of all offers.
    pub run: u64,
    /// The phase ends after so many cycles; else when everything is over.
    pub cut: Option<u64>,
}

/// Every cycle.
pub const ALWAYS: u32 = 256;

/// Whether a lane does what it does in so many of 256 cycles. Lanes are the inputs, the outputs, and the host's responses to writes and to reads.
pub fn picks(draw: u32, lane: u32, of: u32) -> bool {
    block(draw.into(), lane.into(), 0, 0) & 0xff < of
}

fn write((address, word): Write) -> Access {
    Access { write: true, read: false, address, word, strobes: 15, overlaps: false, pause: 0, late: [0, 0] }
}

fn read(address: u32) -> Access {
    Access { write: false, read: true, ..write((address, 0)) }
}

fn all(writes: &[Write]) -> Vec<Access> {
    writes.iter().copied().map(write).collect()
}

fn phase(what: &'static str, accesses: Vec<Access>) -> Phase {
    Phase { what, accesses, offering: ALWAYS, taking: ALWAYS, answering: ALWAYS, run: 60, cut: None }
}

const STATUS: u32 = address::STATUS;

/// What a host does to have sources and settings, with a commit; then it looks whether they fit.
fn commit(shape: Shape, sources: &[Option<u32>], pause: u32) -> Vec<Access> {
    let mut accesses = all(&program(shape, sources));
    accesses.last_mut().expect("a program has a commit").pause = pause;
    accesses.push(Access { pause: shape.last_age(), ..read(STATUS) });
    accesses
}

/// The phases for sources, beside others that are drawn.
pub fn phases(shape: Shape, sources: &[Option<u32>]) -> Vec<Phase> {
    let drawn = |seed, on| drawn(shape, seed, on);
    let several = |seeds: std::ops::Range<u64>, on| -> Vec<Access> {
        seeds.flat_map(|seed| commit(shape, &drawn(seed, on), 20 + 7 * seed as u32)).collect()
    };
    let held = commit(shape, &drawn(11, 256), 5);
    let in_commit = held.len() as u64 * 8;
    let mut phases = vec![
        phase("every output is off after a reset", registers(shape)),
        phase("the sources that were given", commit(shape, sources, 0)),
        Phase { taking: 40, run: 200, ..phase("commits while outputs stand still", several(4..7, 256)) },
        Phase { taking: 0, ..phase("no output is taken until all inputs have stopped", held.clone()) },
        Phase {
            offering: 100,
            taking: 140,
            answering: 90,
            ..phase("commits under traffic", several(0..4, 200))
        },
        Phase { taking: 16, run: 600, ..phase("queues that are full again and again", held.clone()) },
        Phase { answering: 60, ..phase("registers are read and written", every_register(shape)) },
        phase("registers are addressed with each bit wrong", every_address(shape)),
        phase("registers are given each bit that must be 0", every_bit(shape)),
        Phase { answering: 60, ..phase("responses that wait while a commit is under way", waiting(shape)) },
        phase("one commit behind the other", hasty(shape)),
        phase("reads in each cycle of a commit", watched(shape)),
        Phase { answering: 60, ..phase("accesses are offered while responses wait", overlapping(shape)) },
        phase("registers are written while they are read", overtaken(shape)),
        Phase { taking: 200, ..phase("settings that do not fit the sources", faulty(shape)) },
        Phase { answering: 140, ..phase("settings and sources that are drawn", misfits(shape)) },
        phase("two outputs want one source", twice(shape)),
        phase("one output alone is on and wants another input", singles(shape)),
        Phase { cut: Some(in_commit), ..phase("a reset in the middle of the traffic", held.clone()) },
        Phase {
            cut: Some(in_commit / 2),
            ..phase("a reset while registers are written", commit(shape, &drawn(12, 256), 0))
        },
    ];
    // A flag of a queue that was not reset shows when three words are in it, which wait because the next commit stops the inputs. Chance offers
    // none to six words.
    for seed in 20..24 {
        let (full, mut few) = (in_commit + 200, all(&program(shape, &drawn(seed, 256))));
        few.push(write((address::CONTROL, COMMIT)));
        let stopped = u64::from(shape.groups()) + 2;
        phases.extend([
            Phase {
                taking: 12,
                run: full,
                cut: Some(full),
                ..phase("a reset while the queues are full", held.clone())
            },
            Phase {
                offering: 140,
                taking: 0,
                run: stopped,
                ..phase("few words after a reset of full queues", few)
            },
        ]);
    }
    phases.extend(interrupted(shape));
    phases.push(phase("every output is off after that", registers(shape)));
    phases
}

/// Phases that end around the cycle in which each input hears that its output wants another one.
fn interrupted(shape: Shape) -> Vec<Phase> {
    let good = drawn(shape, 91, 256);
    let mut moved = good.clone();
    moved.rotate_left(1);
    let mut accesses = all(&writes(shape, &good, &settings(&moved)));
    // A write takes three cycles, and takes effect in the second one.
    let effect = 3 * accesses.len() as u64 + 1;
    accesses.push(write((address::CONTROL, COMMIT)));
    let heard = effect + u64::from(shape.last_age()) - 2;
    let cut =
        |cycle| Phase { cut: Some(cycle), ..phase("a reset around the end of a commit", accesses.clone()) };
    (heard - 2..heard + 4).map(cut).collect()
}

/// Places of a list: all of a short one, else the first, the last and those that differ from the first in one bit.
fn places(count: u32) -> impl Iterator<Item = u32> {
    (0..count).filter(move |&at| count <= 16 || at == 0 || at.is_power_of_two() || at + 1 == count)
}

/// Reads every register, and addresses that have none.
fn registers(shape: Shape) -> Vec<Access> {
    let lists = [
        (address::OPEN, shape.open_words()),
        (address::SOURCE, shape.terminals()),
        (address::SETTINGS, shape.setting_words().len() as u32),
    ];
    let rows = lists.into_iter().flat_map(|(from, count)| (0..=count).map(move |word| from + 4 * word));
    [address::CONTROL, STATUS, 0x8].into_iter().chain(rows).map(read).collect()
}

/// Registers that are written, at [`places`] of their lists: the address, two words that it takes, and the bits that must be 0 in them.
fn written(shape: Shape) -> Vec<(u32, [u32; 2], std::ops::Range<u32>)> {
    let (n, settings) = (shape.terminals(), shape.setting_words());
    let source = |at: u32| {
        let words = [(at + 1) % n, OFF | ((at + 2) % n)];
        (address::SOURCE + 4 * at, words, shape.bits()..31)
    };
    let setting = |word: u32| {
        let bits = settings[word as usize];
        let words = [0x5a3c_96e1, 0xa5c3_691e].map(|value| value & u32::MAX >> (32 - bits));
        (address::SETTINGS + 4 * word, words, bits..32)
    };
    places(n).map(source).chain(places(settings.len() as u32).map(setting)).collect()
}

/// Each source and word of settings, halves of a write at different times, and what is refused.
fn every_register(shape: Shape) -> Vec<Access> {
    let mut accesses = Vec::new();
    for output in 0..shape.terminals() {
        let address = address::SOURCE + 4 * output;
        let late = [output % 3, output / 3 % 3];
        accesses.push(Access {
            late,
            ..write((address, ((3 * output + 1) % shape.terminals()) | (output % 2 * OFF)))
        });
        accesses.push(read(address));
    }
    for (address, words, _) in
        written(shape).into_iter().filter(|(address, ..)| *address >= address::SETTINGS)
    {
        accesses.extend(words.into_iter().flat_map(|word| [write((address, word)), read(address)]));
    }
    let behind = address::SETTINGS + 4 * shape.setting_words().len() as u32;
    let last = address::SOURCE + 4 * shape.terminals();
    for address in [STATUS, 0x8, address::OPEN, last, behind, 0x3c, 0x7fc] {
        accesses.extend([write((address, 0)), read(address)]);
    }
    // What an output that is off has as its number stays, too.
    let all = shape.terminals() - 1;
    accesses.extend([write((last - 4, OFF | all)), read(last - 4), write((last - 4, OFF)), read(last - 4)]);
    for strobes in 0..15 {
        for (address, word) in [(address::SOURCE + 4, 2), (address::SETTINGS, 0), (address::CONTROL, COMMIT)]
        {
            accesses.push(Access { strobes, ..write((address, word)) });
        }
    }
    for (address, [before, after], _) in written(shape) {
        accesses.push(write((address, before)));
        accesses.extend([7, 11, 13, 14].map(|strobes| Access { strobes, ..write((address, after)) }));
        accesses.push(read(address));
    }
    accesses.extend([read(address::CONTROL), read(STATUS)]);
    accesses
}

/// Reads and writes at the addresses that differ in one bit from a register's, which must not change it. The lowest two bits say nothing.
fn every_address(shape: Shape) -> Vec<Access> {
    let mut accesses = Vec::new();
    let registers = written(shape).into_iter().map(|(address, words, _)| (address, words));
    for (at, (address, [before, after])) in (0..).zip(registers.chain([(address::CONTROL, [0, COMMIT])])) {
        accesses.push(write((address | (at % 4), before)));
        for other in (2..ADDRESS_BITS).map(|bit| address ^ 1 << bit) {
            accesses.extend([write((other, after)), read(address | (at % 4)), read(other)]);
        }
    }
    for address in [STATUS, address::OPEN] {
        accesses.extend((2..ADDRESS_BITS).map(|bit| read(address ^ 1 << bit)));
    }
    accesses
}

/// Words with one bit that must be 0, which must not change a register; and each bit of the control register but that of a commit.
fn every_bit(shape: Shape) -> Vec<Access> {
    let mut accesses = Vec::new();
    for (address, [before, after], zeros) in written(shape) {
        accesses.push(write((address, before)));
        accesses.extend(zeros.map(|bit| write((address, after | 1 << bit))));
        accesses.push(read(address));
    }
    accesses.extend(
        (0..32)
            .map(|bit| 1 << bit)
            .filter(|word| *word != COMMIT)
            .map(|word| write((address::CONTROL, word))),
    );
    accesses.extend([write((address::CONTROL, !COMMIT)), read(address::CONTROL)]);
    accesses
}

/// Reads of each kind behind a commit. The host lets responses wait, so they wait while the commit is under way, begins and ends.
fn waiting(shape: Shape) -> Vec<Access> {
    let kinds = [address::OPEN, address::SOURCE, address::SETTINGS, address::CONTROL, STATUS, 0x8];
    let one = |seed: u64| {
        let mut accesses = all(&program(shape, &drawn(shape, 60 + seed, 256)));
        accesses.extend(kinds.map(read));
        accesses
    };
    (0..4).flat_map(one).collect()
}

/// A write in each cycle of a commit, which waits for its end, and reads, which do not.
fn hasty(shape: Shape) -> Vec<Access> {
    let mut accesses = all(&program(shape, &drawn(shape, 31, 256)));
    let reads = [address::CONTROL, address::OPEN, address::CONTROL, STATUS, address::OPEN, address::CONTROL];
    accesses.extend(reads.map(read));
    for pause in 0..4 {
        let seed = 32 + u64::from(pause);
        let mut next = all(&program(shape, &drawn(shape, seed, 256)));
        next[0].pause = 4 * pause;
        accesses.extend(next);
    }
    accesses.extend([Access { pause: shape.last_age(), ..read(STATUS) }, read(address::OPEN)]);
    accesses
}

/// After a commit a read of each register that it changes, in each of the cycles that follow. In turn the settings fit the sources and do not.
fn watched(shape: Shape) -> Vec<Access> {
    let good = drawn(shape, 71, 256);
    let mut accesses = all(&writes(shape, &good, &settings(&good)));
    let [right, wrong] = [good[0], good[1]].map(|source| write((address::SOURCE, source.unwrap_or(0))));
    let reads = [address::CONTROL, STATUS, address::OPEN];
    for (turn, pause) in (0..shape.last_age() + 3).enumerate() {
        // Of a large crossbar each register in a third of the cycles.
        for (at, &register) in
            reads.iter().enumerate().filter(|(at, _)| shape.terminals() <= 8 || turn % 3 == *at)
        {
            accesses.push(if (turn + at) % 2 == 0 { wrong } else { right });
            accesses.push(write((address::CONTROL, COMMIT)));
            accesses.push(Access { overlaps: true, pause, ..read(register) });
            accesses.push(Access { pause: shape.last_age(), ..read(STATUS) });
        }
    }
    accesses
}

/// Reads and writes that are offered while the response to the access before waits, some with an error.
fn overlapping(shape: Shape) -> Vec<Access> {
    let mut random = SplitMix64(81);
    let mut registers = written(shape);
    registers.extend([(address::CONTROL, [0, COMMIT], 0..0), (0x8, [0, 1], 0..0)]);
    let mut draw = |below: u32| random.below(below);
    let one = |_| {
        let (address, words, _) = &registers[draw(registers.len() as u32) as usize];
        let access = if draw(2) == 0 { read(*address) } else { write((*address, words[draw(2) as usize])) };
        let late = if access.write { [draw(3), draw(3)] } else { [0, 0] };
        Access { overlaps: draw(4) != 0, pause: draw(4) / 2, late, ..access }
    };
    let mut accesses = all(&program(shape, &drawn(shape, 82, 256)));
    accesses.extend((0..160).map(one));
    accesses
}

/// Writes each register, and reads it in the same cycle.
fn overtaken(shape: Shape) -> Vec<Access> {
    let one = |(address, words, _): (u32, [u32; 2], _)| {
        words.map(|word| Access { read: true, ..write((address, word)) })
    };
    written(shape).into_iter().flat_map(one).collect()
}

/// Settings of other sources than those that outputs want: in turn two sources are swapped, an output is on that should be off, all are wrong.
fn faulty(shape: Shape) -> Vec<Access> {
    let good = drawn(shape, 21, 256);
    let mut swapped = good.clone();
    swapped.swap(1, 3);
    let mut moved = good.clone();
    moved.rotate_left(1);
    let mut off = good.clone();
    off[2] = None;
    let mut accesses = Vec::new();
    for (sources, led) in
        [(&swapped, &good), (&good, &moved), (&good, &good), (&off, &good), (&off, &swapped)]
    {
        accesses.extend(all(&writes(shape, sources, &settings(led))));
        accesses.push(Access { pause: 30, ..write((address::CONTROL, COMMIT)) });
        accesses.push(Access { pause: shape.last_age() + 20, ..read(STATUS) });
        accesses.extend((0..shape.open_words()).map(|word| read(address::OPEN + 4 * word)));
    }
    accesses
}

/// Draws settings, and a source for each output: the input that the settings lead to it, another one, or none.
fn misfits(shape: Shape) -> Vec<Access> {
    let mut random = SplitMix64(51);
    let on = Loadable::benes(
        loaded::Shape::new(shape.terminals().into(), 2).expect("a crossbar has the size of a network"),
    );
    let mut accesses = Vec::new();
    let times = if shape.terminals() <= 8 { 48 } else { 4 };
    for _ in 0..times {
        let words: Vec<u32> =
            shape.setting_words().iter().map(|bits| random.next() as u32 & u32::MAX >> (32 - bits)).collect();
        let to = on.reached(&unpacked(shape, &words));
        let mut sources = vec![None; to.len()];
        for (input, &output) in (0..).zip(&to) {
            sources[output as usize] = match random.below(4) {
                0 => None,
                1 => Some(random.below(shape.terminals())),
                _ => Some(input),
            };
        }
        accesses.extend(all(&writes(shape, &sources, &unpacked(shape, &words))));
        accesses.push(write((address::CONTROL, COMMIT)));
        accesses.push(Access { pause: shape.last_age() + 12, ..read(STATUS) });
        accesses.extend((0..shape.open_words()).map(|word| read(address::OPEN + 4 * word)));
    }
    accesses
}

/// Each input leads to an output that wants another one, while all other outputs are off; then to one that is off and has another number, or its own.
/// Of a large crossbar at some inputs only, and numbers that differ in one bit.
fn singles(shape: Shape) -> Vec<Access> {
    let (n, sources) = (shape.terminals(), drawn(shape, 92, 256));
    let mut accesses = all(&writes(shape, &vec![None; n as usize], &settings(&sources)));
    for (output, source) in (0..).zip(&sources) {
        let input = source.expect("every output is on");
        let near = |other: &u32| (other ^ input).is_power_of_two();
        if n > 16 && !matches!(input, 0 | 1) && input + 1 != n {
            continue;
        }
        let others = (0..n).filter(|other| *other != input && (n <= 8 || near(other)));
        for word in others.flat_map(|other| [other, OFF | other]).chain([OFF | input]) {
            accesses.push(write((address::SOURCE + 4 * output, word)));
            accesses.push(write((address::CONTROL, COMMIT)));
            accesses.push(Access { pause: shape.last_age(), ..read(STATUS) });
        }
        accesses.push(read(address::OPEN + 4 * (input / 32)));
    }
    accesses
}

/// Two outputs with one source: the network can lead it to one only.
fn twice(shape: Shape) -> Vec<Access> {
    let mut both = drawn(shape, 41, 256);
    both[3] = both[0];
    let mut accesses = all(&writes(shape, &both, &settings(&both)));
    accesses.push(write((address::CONTROL, COMMIT)));
    accesses.push(Access { pause: shape.last_age() + 40, ..read(STATUS) });
    accesses.extend(commit(shape, &both, 0));
    accesses
}
