//! The registers of the control that hold a function of the beat that passes next: counts, addresses, settings.

use super::path::Place;
use super::{address, address_bits};
use frit_network::LaneIdx;
use frit_permute::Streamed;
use frit_permute::parts::{Address, Count, Driver, Part, Spatial, Temporal, bits_of};

/// A register and what it holds while beat `at` of a data set of a turn passes next: `values[turn][at]`.
pub(super) struct Register {
    pub path: String,
    pub bits: u32,
    /// The chain of valid bits with which it steps, and the place in it; none at the output of the queue, where it is a cycle late.
    pub place: Option<(u32, u32)>,
    pub values: Vec<Vec<u64>>,
}

struct Placed<'a> {
    all: &'a mut Vec<Register>,
    place: Option<(u32, u32)>,
    cycles: u32,
}

impl Placed<'_> {
    fn push(&mut self, path: String, bits: u32, turns: usize, value: impl Fn(usize, u32) -> u64) {
        let of = |turn| (0..self.cycles).map(|at| value(turn, at)).collect();
        let values = (0..turns).map(of).collect();
        self.all.push(Register { path, bits, place: self.place, values });
    }

    fn at(&mut self, chain: u32, level: u32) -> &mut Self {
        self.place = Some((chain, level));
        self
    }

    /// A counter in strides, which runs one beat ahead: `value` says what it counts.
    fn counter(&mut self, name: &str, bits: u32, last: u64, turns: usize, value: impl Fn(usize, u32) -> u64) {
        let cycles = self.cycles;
        let ahead = |turn: usize, at: u32| match at + 1 == cycles {
            true => value((turn + 1) % turns, 0),
            false => value(turn, at + 1),
        };
        self.push(format!("u_{name}.count_q"), bits, turns, ahead);
        self.push(format!("u_{name}.ending_q"), 1, turns, |turn, at| u64::from(ahead(turn, at) == last));
    }

    fn count(&mut self, name: &str, count: &Count) {
        for (at, &radix) in count.radices.iter().enumerate().filter(|(_, radix)| **radix > 1) {
            let digit = |_: usize, beat: u32| count.digits(beat)[at].into();
            self.counter(&format!("{name}_count_{at}"), bits_of(radix), (radix - 1).into(), 1, digit);
        }
    }

    fn turn(&mut self, name: &str, turns: usize) {
        if turns > 1 {
            let last = turns as u64 - 1;
            self.counter(&format!("{name}_turn"), bits_of(turns as u32), last, turns, |turn, _| turn as u64);
        }
    }

    fn ends(&mut self, name: &str) {
        let cycles = self.cycles;
        self.push(format!("{name}_ends"), 1, 1, |_, at| u64::from(at + 1 == cycles));
    }
}

/// All of a plan; `places` are its parts' names and where words come to them.
pub(super) fn registers(plan: &Streamed, places: &[Place]) -> Vec<Register> {
    let mut all = Vec::new();
    let plain = Count::plain(plan.cycles);
    let banks = plan.memories().count() as u32;
    for (part, &Place { tag, chain, level }) in plan.parts.iter().zip(places) {
        let mut placed = Placed { all: &mut all, place: None, cycles: plan.cycles };
        match part {
            Part::Spatial(network) => {
                // Behind a memory it shares the count of beats that are read.
                let counted = if chain == 0 { level } else { level - 2 };
                placed.at(chain, counted);
                if chain == 0 {
                    placed.count(tag, &network.count);
                    placed.ends(tag);
                }
                states(&mut placed, tag, network);
            }
            Part::Temporal(memory) => {
                let turns = memory.orders.len();
                let write = format!("{tag}_write");
                let writing = placed.at(chain, level);
                writing.count(&write, &memory.write_count);
                writing.turn(&write, turns);
                if matches!(plan.parts[0], Part::Temporal(_)) && chain == 0 {
                    writing.ends(&write);
                }
                side(writing, &write, memory, true, plan.lanes);
                let read = format!("{tag}_read");
                let reading = placed.at(chain + 1, level);
                reading.count(&read, &memory.read_count);
                reading.turn(&read, turns);
                side(reading, &read, memory, false, plan.lanes);
                if chain + 1 < banks {
                    let deciding = placed.at(chain + 1, 0);
                    deciding.count(&format!("{tag}_decided"), &plain);
                    deciding.ends(&format!("{tag}_decided"));
                }
            }
        }
    }
    // At the output a count follows a cycle late.
    let mut shown = Placed { all: &mut all, place: None, cycles: plan.cycles };
    let last = plan.cycles - 1;
    shown.push("u_output_end.count_q".into(), bits_of(plan.cycles), 1, |_, at| at.into());
    shown.push("u_output_end.ending_q".into(), 1, 1, |_, at| u64::from(at == last));
    shown.push("u_output_end.near_q".into(), 1, 1, |_, at| u64::from(at + 1 == last));
    all
}

fn states(placed: &mut Placed, tag: &str, network: &Spatial) {
    let mut linear = Vec::new();
    for (column, driver) in network.drivers.iter().enumerate() {
        match driver {
            Driver::Stage(bit) => linear.push(bit),
            Driver::Table(_) | Driver::Digit(..) => {
                let switches = driver.bits();
                let word = |at: u32| {
                    let states = driver.states(&network.count, at);
                    let bits = (0..switches as usize).rev().map(|switch| states.of(switch).bit());
                    bits.fold(0, |word, bit| word << 1 | u64::from(bit))
                };
                placed.push(format!("{tag}_stored_{column}"), switches, 1, |_, at| word(at));
            }
        }
    }
    if !linear.is_empty() {
        let word = |at: u32| {
            let count = network.count.word(at);
            linear.iter().rev().fold(0, |word, bit| word << 1 | u64::from(bit.at(count)))
        };
        placed.push(format!("{tag}_states"), linear.len() as u32, 1, |_, at| word(at));
    }
}

/// The addresses of a side of a bank, and what is added up for them.
fn side(placed: &mut Placed, name: &str, memory: &Temporal, write: bool, lanes: u32) {
    let count = if write { &memory.write_count } else { &memory.read_count };
    let turns = memory.orders.len();
    let mut made: Vec<Vec<Vec<u64>>> = Vec::new();
    for lane in LaneIdx::all(lanes) {
        placed.push(format!("{name}_address_{lane}"), address_bits(memory), turns, |turn, at| {
            address(memory, turn, write, at, lane).into()
        });
        // Lanes with equal addresses share a register.
        let own = placed.all.last().expect("just pushed").values.clone();
        match made.contains(&own) {
            true => drop(placed.all.pop()),
            false => made.push(own),
        }
    }
    let weights =
        |turn: usize| match if write { &memory.orders[turn].write } else { &memory.orders[turn].read } {
            Address::Skewed { weights, .. } => Some(weights.clone()),
            _ => None,
        };
    let (Some(first), Some(second)) = (weights(0), weights(turns - 1)) else { return };
    let bits = address_bits(memory) - bits_of(lanes) - u32::from(memory.depth > memory.page);
    let mut sums = vec![("first", first.clone())];
    if first != second {
        sums.push(("second", second));
    }
    for (which, weights) in sums {
        for (at, &radix) in count.radices.iter().enumerate().filter(|(_, radix)| **radix > 1) {
            let stride = u64::from(weights[at] / lanes.next_power_of_two());
            let (own, bits) = if stride == 0 { (1, bits_of(radix)) } else { (stride, bits) };
            // The slowest digit is counted only for its weight.
            let digit = |_: usize, beat: u32| u64::from(count.digits(beat)[at]) * own;
            let last = u64::from(radix - 1) * own;
            placed.counter(&format!("{name}_{which}_{at}"), bits, last, 1, digit);
        }
    }
}
