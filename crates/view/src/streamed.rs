//! The film of a streamed permutation: data sets without a gap through its columns of switches and its memories, every word with its place
//! in every cycle. The words follow the settings and addresses of the plan.

use crate::film::{Body, FORMAT, Film, Words};
use crate::routed::{Frame, Heading, Place, Routed};
use frit_network::LaneIdx;
use frit_permute::Streamed;
use frit_permute::parts::{Part, Spatial, Temporal};

/// Data sets that are shown.
const SETS: u32 = 2;
/// Between columns and between lanes; the widths of a register and of a memory.
const GAP: f64 = 60.0;
const ROW: f64 = 46.0;
const REGISTER: f64 = 62.0;
const MEMORY: f64 = 190.0;
const TOP: f64 = 60.0;
/// What the marks mean: the kinds in [`Frame::wires`] and [`Frame::inside`].
const MARKS: [&str; 3] = ["moves", "in a register", "in a memory"];
const MOVES: u32 = 0;
const HELD: u32 = 1;
const STORED: u32 = 2;

/// Words of all data sets that are shown.
pub fn messages(plan: &Streamed) -> u64 {
    u64::from(SETS) * plan.order.words()
}

/// The film; `command` makes it again.
pub fn film(plan: &Streamed, command: &str, title: &str) -> Film {
    let mut story = Story::new(plan);
    story.column("input", REGISTER);
    story.hold();
    for part in &plan.parts {
        match part {
            Part::Spatial(network) => story.network(network),
            Part::Temporal(memory) => story.memory(memory),
        }
    }
    story.step("queue");
    story.step("output");
    let last = story.routed.frames.len() as u64 - 1;
    let lanes = plan.lanes;
    Film {
        format: FORMAT,
        title: title.into(),
        about: vec![
            format!(
                "{SETS} data sets of {} words stream in, {lanes} a cycle, and leave in another order. The first word leaves in cycle {}.",
                plan.order.words(),
                plan.latency()
            ),
            "A disc is a word; its number counts the words of all data sets. Two boxes in a frame are the registers behind a switch. A memory says at which address it writes (w) and reads (r).".into(),
        ],
        why: "Why: the count of cycles sets the switches of each column and the addresses of each memory; nothing depends on the words.".into(),
        command: command.into(),
        unit: "cycle",
        last,
        terminals: plan.inner_lanes,
        difference: None,
        words: Words { terminal: "lane", ..Words::ELECTRONIC },
        body: Body::Routed(story.routed.finish()),
    }
}

/// The words of the beats where the story has come to.
struct Story<'a> {
    plan: &'a Streamed,
    routed: Routed,
    /// The words in the boxes of the last column by beat and lane.
    beats: Vec<Vec<Option<u32>>>,
    /// The cycle in which beat 0 is there.
    time: usize,
    /// From the boxes of the last column to those of the next one.
    link: Vec<u32>,
    /// The right side of the last column.
    right: f64,
}

impl<'a> Story<'a> {
    fn new(plan: &'a Streamed) -> Self {
        let (lanes, inner) = (plan.lanes, plan.inner_lanes);
        let word = |beat: u32, lane: u32| (lane < lanes).then_some(beat * lanes + lane);
        let beats: Vec<Vec<_>> =
            (0..SETS * plan.cycles).map(|beat| (0..inner).map(|lane| word(beat, lane)).collect()).collect();
        let words = plan.order.words();
        let ends =
            |word: u64| [word, plan.order.destination(word % words)].map(|at| (at % u64::from(lanes)) as u32);
        let frames = beats.len() + plan.latency() as usize + 1;
        let routed = Routed {
            height: (TOP + f64::from(inner) * ROW + 30.0) as u32,
            messages: (0..messages(plan)).map(ends).collect(),
            marks: MARKS.to_vec(),
            frames: vec![Frame::default(); frames],
            ..Routed::default()
        };
        Story { plan, routed, beats, time: 1, link: (0..inner).collect(), right: 0.0 }
    }

    /// A column of boxes, with wires from the last one.
    fn column(&mut self, heading: &str, width: f64) {
        let (inner, number) = (self.plan.inner_lanes, self.routed.boxes.len());
        let left = self.right + GAP;
        let middle = |lane: u32| TOP + (f64::from(lane) + 0.5) * ROW;
        if number > 0 {
            for (lane, &to) in (0..).zip(&self.link) {
                self.routed.wires.push([self.right, middle(lane), left, middle(to)]);
                self.routed.wire_names.push(format!("to {heading}, from lane {lane}"));
            }
        }
        self.routed.headings.push(Heading { at: [left + width / 2.0, 40.0], text: heading.into() });
        for lane in 0..inner {
            let at = [left, middle(lane) - ROW * 0.4, width, ROW * 0.8];
            // Registers between others have no number: their word has the room.
            let text = if ["input", "memory", "output"].contains(&heading) {
                lane.to_string()
            } else {
                String::new()
            };
            self.routed.boxes.push(Place { at, text });
        }
        self.right = left + width;
        self.routed.width = (self.right + GAP) as u32;
        self.link = (0..inner).collect();
    }

    /// The first box of the last column.
    fn first_box(&self) -> u32 {
        self.routed.boxes.len() as u32 - self.plan.inner_lanes
    }

    /// The words are in the registers of the last column for a cycle, each in its own.
    fn hold(&mut self) {
        let first = self.first_box();
        for (beat, row) in self.beats.iter().enumerate() {
            let frame = &mut self.routed.frames[self.time + beat];
            for (lane, word) in (0..).zip(row) {
                frame.inside.extend(word.map(|word| [first + lane, word, HELD]));
            }
        }
    }

    /// The words leave the boxes of the last column over its wires, in the cycle in which they are there.
    fn leave(&mut self) {
        let first = self.routed.wires.len() as u32;
        for (beat, row) in self.beats.iter().enumerate() {
            let frame = &mut self.routed.frames[self.time + beat];
            for (lane, word) in (0..).zip(row) {
                frame.wires.extend(word.map(|word| [first + lane, word, MOVES]));
            }
        }
    }

    /// A column of registers behind the links that lead to it.
    fn step(&mut self, heading: &str) {
        self.leave();
        let link = self.link.clone();
        self.column(heading, REGISTER);
        self.wire(&link);
        self.time += 1;
        self.hold();
        if heading == "output" {
            for (beat, row) in self.beats.iter().enumerate() {
                self.routed.frames[self.time + beat].delivered.extend(row.iter().flatten());
            }
        }
    }

    /// Every word comes to the place where its link leads.
    fn wire(&mut self, link: &[u32]) {
        for row in &mut self.beats {
            let before = row.clone();
            before.iter().zip(link).for_each(|(&word, &to)| row[to as usize] = word);
        }
    }

    fn network(&mut self, network: &Spatial) {
        self.link = self.link.iter().map(|&at| network.links[0][at as usize]).collect();
        let cycles = self.plan.cycles as usize;
        for (stage, driver) in network.drivers.iter().enumerate() {
            let (link, first) = (self.link.clone(), self.routed.boxes.len() as u32);
            self.leave();
            self.column(&format!("column {stage}"), REGISTER);
            self.wire(&link);
            self.time += 1;
            for (beat, row) in self.beats.iter_mut().enumerate() {
                let cycle = beat % cycles;
                let states = driver.states(&network.count, cycle as u32);
                for (switch, pair) in row.chunks_exact_mut(2).enumerate() {
                    let state = states.of(switch);
                    if state.bit() {
                        pair.swap(0, 1);
                    }
                    let says = ["=", "x"][usize::from(state.bit())];
                    let frame = &mut self.routed.frames[self.time + beat];
                    frame.says.push((first + 2 * switch as u32, says.into()));
                }
            }
            let frames = (0..self.plan.inner_lanes / 2).map(|switch| {
                let [left, top, width, height] = self.routed.boxes[(first + 2 * switch) as usize].at;
                Place { at: [left - 6.0, top - 4.0, width + 12.0, ROW + height + 8.0], text: String::new() }
            });
            self.routed.bands.extend(frames.collect::<Vec<_>>());
            self.hold();
            self.link = network.links[stage + 1].clone();
        }
    }

    fn memory(&mut self, memory: &Temporal) {
        self.leave();
        let (link, written) = (self.link.clone(), self.time);
        self.column("memory", MEMORY);
        self.wire(&link);
        let first = self.first_box();
        // Beat h leaves the memory, in which its words were, in cycle `read` + h.
        let read = written + memory.wait as usize + 2;
        let lanes = self.plan.lanes as usize;
        let mut cells = vec![None; lanes * memory.depth as usize];
        let mut after = vec![vec![None; self.plan.inner_lanes as usize]; self.beats.len()];
        for cycle in written..read + self.beats.len() {
            for lane in 0..lanes {
                let place = |write: bool, beat: usize| {
                    let (set, cycle) = (beat / self.plan.cycles as usize, beat % self.plan.cycles as usize);
                    let order = &memory.orders[set % memory.orders.len()];
                    let (address, count) = match write {
                        true => (&order.write, &memory.write_count),
                        false => (&order.read, &memory.read_count),
                    };
                    address.at(count, cycle as u32, LaneIdx(lane as u32))
                };
                let beat = |from: usize| cycle.checked_sub(from).filter(|&beat| beat < self.beats.len());
                let mut says = String::new();
                // A word that is read is shown in the memory up to this cycle, a word that is written from the next cycle on.
                let frame = &mut self.routed.frames[cycle];
                let own = &mut cells[lane * memory.depth as usize..][..memory.depth as usize];
                let box_ = first + lane as u32;
                frame.inside.extend(own.iter().flatten().map(|&word| [box_, word, STORED]));
                if let Some(beat) = beat(read) {
                    let address = place(false, beat);
                    after[beat][lane] = own[address as usize].take();
                    says = format!("r{address}");
                }
                if let Some(beat) = beat(written) {
                    let address = place(true, beat);
                    own[address as usize] = self.beats[beat][lane];
                    says = format!("w{address} {says}");
                }
                if !says.is_empty() {
                    frame.says.push((box_, says.trim().into()));
                }
            }
        }
        (self.beats, self.time) = (after, read);
        self.step("register");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::options::Request;
    use frit_permute::parts::Driver;
    use frit_permute::streamed;

    fn planned(lanes: u64, options: &[(&str, &str)]) -> Streamed {
        let request = Request::new("transpose", lanes);
        streamed(&options.iter().fold(request, |request, (key, value)| request.with(key, value))).unwrap()
    }

    /// Whether each word is at the output in its cycle, and nowhere before.
    fn words_leave_in_order(plan: &Streamed) -> bool {
        let Body::Routed(routed) = film(plan, "frit view", "").body else { panic!("not routed") };
        let (sources, words) = (plan.order.sources(), plan.order.words() as usize);
        let due: Vec<u32> = (0..messages(plan) as usize)
            .map(|at| (at / words * words) as u32 + sources[at % words])
            .collect();
        let latency = plan.latency() as usize;
        let left: Vec<u32> = routed.frames.iter().flat_map(|frame| frame.delivered.clone()).collect();
        left == due
            && routed.frames[..latency].iter().all(|frame| frame.delivered.is_empty())
            && routed.frames[latency..].iter().all(|frame| frame.delivered.len() <= plan.lanes as usize)
    }

    #[test]
    fn every_word_is_shown_until_it_leaves_in_its_cycle() {
        for (lanes, options) in [
            (4, &[("rows", "8")][..]),
            (4, &[("rows", "8"), ("banks", "2")]),
            (2, &[("rows", "6"), ("cols", "10")]),
            (3, &[("rows", "6"), ("cols", "4")]),
            (8, &[("rows", "2"), ("cols", "16")]),
        ] {
            assert!(words_leave_in_order(&planned(lanes, options)), "{lanes} {options:?}");
        }
    }

    #[test]
    fn a_wrong_setting_is_seen() {
        let mut plan = planned(4, &[("rows", "8")]);
        let network = plan.parts.iter_mut().find_map(|part| match part {
            Part::Spatial(network) => network.drivers.first_mut(),
            Part::Temporal(_) => None,
        });
        match network.unwrap() {
            Driver::Stage(bit) => bit.flip = !bit.flip,
            Driver::Table(_) | Driver::Digit(..) => panic!("linear"),
        }
        assert!(!words_leave_in_order(&plan));
    }
}
