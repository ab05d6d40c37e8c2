//! Data sets through the bare parts, word by word: the yardstick for every streamed permutation.
//!
//! For a bank of memories two cases are run at once, which between them hold for every pause of input and output. Beat h of the
//! output is read just before beat h + S of the input is written, S being the cycles of a data set: the hardware never reads later,
//! since it reads a beat in each cycle in which one is due and stands still as a whole while its output waits. What lies there then
//! must be the word that is due, so nothing overwrote it. And the word must have been written with beat h + `wait` or earlier, the
//! earliest time at which the hardware reads.

use crate::parts::{Part, Temporal};
use crate::script::sizes;
use crate::streamed::{Form, Streamed};
use frit_network::LaneIdx;

/// What is wrong with a streamed permutation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum Fault {
    #[error("data set {set}: word {place} of the output is {got}, not word {due} of the input")]
    Misplaced { set: u64, place: u64, got: String, due: u64 },
    #[error(
        "part {part}, lane {lane}, beat {beat}: the word is written with beat {written}, more than {wait} beats later"
    )]
    Early { part: usize, lane: LaneIdx, beat: u64, written: u64, wait: u32 },
    #[error("part {part}, lane {lane}: address {address} is outside a memory of {depth} words")]
    Outside { part: usize, lane: LaneIdx, address: u32, depth: u32 },
    #[error("part {part}: reading waits for {wait} beats, but {needed} are enough")]
    LongWait { part: usize, wait: u32, needed: u32 },
}

/// No word.
const NONE: u64 = u64::MAX;

/// Runs data sets without a gap, so many that each order of addresses follows each other one that it can follow.
///
/// # Errors
///
/// The first fault.
pub fn check(streamed: &Streamed) -> Result<(), Fault> {
    if streamed.largest().is_some() {
        // Each size by itself: two matrices never share a page.
        return sizes(streamed)
            .into_iter()
            .try_for_each(|(rows, columns)| run(&streamed.of_size(rows, columns), 3));
    }
    let orders = |part: &Part| match part {
        Part::Temporal(memory) => memory.orders.len() as u64,
        Part::Spatial(_) => 1,
    };
    let sets = streamed.parts.iter().map(orders).max().unwrap_or(1) + 2;
    run(streamed, sets)
}

fn run(streamed: &Streamed, sets: u64) -> Result<(), Fault> {
    let (words, lanes, inner) = (streamed.order.words(), u64::from(streamed.lanes), streamed.inner_lanes);
    let mut beats: Vec<Vec<u64>> = (0..sets * u64::from(streamed.cycles))
        .map(|beat| {
            (0..u64::from(inner)).map(|lane| if lane < lanes { beat * lanes + lane } else { NONE }).collect()
        })
        .collect();
    for (at, part) in streamed.parts.iter().enumerate() {
        match part {
            Part::Spatial(network) => {
                let routes: Vec<Vec<u32>> = (0..streamed.cycles).map(|cycle| network.route(cycle)).collect();
                for (beat, row) in beats.iter_mut().enumerate() {
                    let before = row.clone();
                    let route = &routes[beat % streamed.cycles as usize];
                    before.iter().zip(route).for_each(|(&word, &to)| row[to as usize] = word);
                }
            }
            Part::Temporal(memory) => beats = remember(at, memory, streamed, &beats)?,
        }
    }
    let sources = streamed.order.sources();
    for (beat, row) in beats.iter().enumerate() {
        for (lane, &got) in row.iter().enumerate().take(lanes as usize) {
            let at = beat as u64 * lanes + lane as u64;
            let (set, place) = (at / words, at % words);
            let due = u64::from(sources[place as usize]);
            if got != set * words + due {
                let got = match got {
                    NONE => "no word".to_string(),
                    _ => format!("word {} of data set {}", got % words, got / words),
                };
                return Err(Fault::Misplaced { set, place, got, due });
            }
        }
    }
    Ok(())
}

/// Beats through a bank of memories.
fn remember(
    part: usize,
    memory: &Temporal,
    streamed: &Streamed,
    beats: &[Vec<u64>],
) -> Result<Vec<Vec<u64>>, Fault> {
    let lanes = beats[0].len();
    let (cycles, total) = (u64::from(streamed.cycles), beats.len() as u64);
    let mut words = vec![(NONE, 0); lanes * memory.depth as usize];
    let place = |write: bool, beat: u64, lane: usize| {
        let (set, cycle) = (beat / cycles, (beat % cycles) as u32);
        let order = &memory.orders[(set % memory.orders.len() as u64) as usize];
        let address = match write {
            true => order.write.at(&memory.write_count, cycle, LaneIdx(lane as u32)),
            false => order.read.at(&memory.read_count, cycle, LaneIdx(lane as u32)),
        };
        match address < memory.depth {
            true => Ok(lane * memory.depth as usize + address as usize),
            false => Err(Fault::Outside { part, lane: LaneIdx(lane as u32), address, depth: memory.depth }),
        }
    };
    let mut needed = 0;
    let mut read = Vec::with_capacity(beats.len());
    for beat in 0..total + cycles {
        if let Some(reading) = beat.checked_sub(cycles) {
            let mut row = Vec::with_capacity(lanes);
            for lane in 0..lanes {
                let (word, written) = words[place(false, reading, lane)?];
                if word != NONE && written > reading {
                    needed = needed.max(written - reading);
                    if written - reading > u64::from(memory.wait) {
                        let (lane, wait) = (lane as u32, memory.wait);
                        return Err(Fault::Early { part, lane: LaneIdx(lane), beat: reading, written, wait });
                    }
                }
                row.push(word);
            }
            read.push(row);
        }
        if let Some(row) = beats.get(beat as usize) {
            for (lane, &word) in row.iter().enumerate() {
                words[place(true, beat, lane)?] = (word, beat);
            }
        }
    }
    // A matrix whose size is loaded is read when all of it has been written.
    match needed < u64::from(memory.wait) && streamed.form != Form::Loaded {
        true => Err(Fault::LongWait { part, wait: memory.wait, needed: needed as u32 }),
        false => Ok(read),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{Address, Driver};
    use crate::systems::streamed;
    use frit_network::options::Request;

    fn planned(system: &str, lanes: u64, options: &[(&str, &str)]) -> Streamed {
        let request = Request::new(system, lanes);
        let request = options.iter().fold(request, |request, (key, value)| request.with(key, value));
        streamed(&request).unwrap()
    }

    fn memory(streamed: &mut Streamed) -> &mut Temporal {
        let found = streamed.parts.iter_mut().find_map(|part| match part {
            Part::Temporal(memory) => Some(memory),
            Part::Spatial(_) => None,
        });
        found.unwrap()
    }

    #[test]
    fn each_kind_of_mistake_is_seen() {
        for options in [[("rows", "16"), ("cols", "16")], [("rows", "12"), ("cols", "8")]] {
            let sound = planned("transpose", 4, &options);
            assert_eq!(check(&sound), Ok(()));
            // A setting.
            let mut wrong = sound.clone();
            let Part::Spatial(network) = &mut wrong.parts[0] else { panic!("a network in front") };
            let Driver::Stage(bit) = &mut network.drivers[0] else { panic!("a driver of a stage") };
            bit.flip = !bit.flip;
            assert!(matches!(check(&wrong), Err(Fault::Misplaced { .. })));
            // A wait that is too short, and one that is too long.
            let mut wrong = sound.clone();
            memory(&mut wrong).wait -= 1;
            assert!(matches!(check(&wrong), Err(Fault::Early { .. })));
            memory(&mut wrong).wait += 2;
            assert!(matches!(check(&wrong), Err(Fault::LongWait { .. })));
            // A data set that takes the order of the one before.
            let mut wrong = sound.clone();
            let orders = &mut memory(&mut wrong).orders;
            orders[1] = orders[0].clone();
            assert!(matches!(check(&wrong), Err(Fault::Misplaced { .. } | Fault::Early { .. })));
        }
    }

    #[test]
    fn an_address_outside_the_memory_is_seen() {
        let mut wrong = planned("transpose", 4, &[("rows", "12"), ("cols", "8")]);
        let Address::Skewed { page, .. } = &mut memory(&mut wrong).orders[1].read else { panic!("skewed") };
        *page += 1;
        assert!(
            matches!(check(&wrong), Err(Fault::Outside { address: 48, depth: 48, .. })),
            "{:?}",
            check(&wrong)
        );
    }
}
