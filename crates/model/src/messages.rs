//! Messages of any length around a network whose schedule is loaded, cycle by cycle, from their contract: when beats are taken, exchanges start,
//! words leave and errors rise. It knows nothing of the memories and the counters.
//!
//! A beat that is taken in cycle c is stored in cycle c + 1, unless the set before it is complete and was not handed over. The set of an
//! exchange is handed over in the cycle after its start, or in the last round of the exchange before, if that is later. An exchange can be
//! started two cycles after the last set was complete, if a program is loaded, fewer than two exchanges are under way, and all messages of the
//! exchange before the last have left the memories at the outputs. A word that arrives in cycle c can leave from cycle c + 5 on, if it is the last of its message.

mod model;
pub mod script;

use crate::crossbar::part_with;
use crate::event::{self, marks};
use frit_demand::loadable::{Job, Loadable};
use frit_demand::program::{Program, Shape};
use frit_network::{Refusal, refusal, refuse};
use frit_traffic::drawn::hexadecimal;
use model::Model;
use script::{Phase, phases};

/// The longest message, in words.
pub const MAX_LENGTH: u32 = 4096;

/// The largest network.
pub const MAX_TERMINALS: u32 = 64;

marks! {
    /// What can be seen at the ports.
    MessageMark {
        /// An exchange is started.
        Start = "start",
        /// `error_load_o` rises.
        Load = "load" at "error_load_o",
        /// `error_start_o` rises.
        Early = "early" at "error_start_o",
        /// `error_stray_o` rises.
        Stray = "stray" at "error_stray_o",
        /// `error_message_o` rises.
        Message = "message" at "error_message_o",
        /// `error_left_o` rises.
        Left = "left" at "error_left_o",
        /// The last round of an exchange arrives.
        Done = "done" at "done_o",
        /// An input takes a beat.
        In = "in",
        /// A word is taken from an output.
        Out = "out",
    }
}

/// Something seen at the ports.
pub type Event = event::Event<MessageMark>;

/// A phase that was run.
pub type MessagesRun = event::PhaseRun<MessageMark>;

/// Hardware, and what is done with it and seen there.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The network, and its memory.
    pub on: Loadable,
    /// Bits of a word.
    pub width: u32,
    /// Words of the longest message.
    pub length: u32,
    /// The program of the demand.
    pub program: Program,
    /// What is done.
    pub phases: Vec<Phase>,
    /// What is seen in each phase.
    pub ran: Vec<MessagesRun>,
}

impl Trial {
    /// The trial of a job beside another one; messages have at most `length` words, or as many as the longest.
    ///
    /// # Errors
    ///
    /// If there is no such hardware, or the job does not fit it.
    pub fn new(on: Loadable, width: u32, jobs: [Job; 2], length: Option<u32>) -> Result<Trial, Refusal> {
        let needed = jobs.iter().flat_map(|job| &job.words).copied().max().unwrap_or(0).max(1);
        let length = length.unwrap_or(needed);
        check(on.shape(), length)?;
        if needed > length {
            refuse!(
                "the demand has a message of {needed} words, and --length says {length}; give --length {needed}, or a demand of shorter messages"
            );
        }
        let phases = phases(&on, &jobs, length)?;
        let ran = phases
            .iter()
            .enumerate()
            .map(|(at, phase)| Model::new(&on, width, length, at, phase).run())
            .collect();
        let [Job { program, .. }, _] = jobs;
        Ok(Trial { on, width, length, program, phases, ran })
    }

    /// The sizes.
    pub fn shape(&self) -> Shape {
        self.on.shape()
    }

    /// All that every engine sees.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.ran.iter().flat_map(|ran| &ran.events)
    }
}

/// Whether there is hardware of this size.
///
/// # Errors
///
/// If there is none.
pub fn check(shape: Shape, length: u32) -> Result<(), Refusal> {
    if shape.terminals() > MAX_TERMINALS {
        refuse!(
            "streams around a loaded schedule have at most {MAX_TERMINALS} terminals, not {}; leave --axis out, or give a smaller network",
            shape.terminals()
        );
    }
    match (1..=MAX_LENGTH).contains(&length) {
        true => Ok(()),
        false => Err(refusal!(
            "messages of {length} words are not possible with --demand; give --length 1 to {MAX_LENGTH}"
        )),
    }
}

/// Beat `k` of a terminal in hexadecimal, with `tlast` above the word.
pub fn data(width: u32, phase: usize, terminal: u32, k: u32, last: bool) -> String {
    hexadecimal(1, width + 1, |_, at| part_with(width, phase, terminal, k, at, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Mark;
    use frit_demand::demand::Demand;
    use frit_demand::peel::permutations;
    use frit_demand::{Kind, generate};
    use std::collections::{BTreeMap, BTreeSet};

    fn trial(demand: &Demand, length: Option<u32>) -> Result<Trial, Refusal> {
        let held = permutations(demand);
        let shape = Shape::holding(demand.terminals().into(), held.len() as u64).unwrap();
        let jobs = Job::permutations(shape, demand, &held).unwrap();
        Trial::new(Loadable::benes(shape), 9, jobs, length)
    }

    fn demand(n: u64, words: u32, seed: u64) -> Demand {
        generate(&Kind::LogNormal { words, sigma: 1.0 }, n, seed).unwrap()
    }

    /// Beats by the terminals between which they pass.
    fn by_pair(pairs: impl Iterator<Item = ((u32, u32), String)>) -> BTreeMap<(u32, u32), Vec<String>> {
        let mut by_pair: BTreeMap<_, Vec<_>> = BTreeMap::new();
        pairs.for_each(|(pair, data)| by_pair.entry(pair).or_default().push(data));
        by_pair
    }

    #[test]
    fn without_an_error_every_message_leaves_whole_and_one_behind_the_other() {
        for (n, words) in [(4, 3u32), (8, 6), (16, 2)] {
            let trial = trial(&demand(n, words, n), None).unwrap();
            let mut seen = BTreeSet::new();
            for (at, (phase, ran)) in trial.phases.iter().zip(&trial.ran).enumerate() {
                let what = ran.events.iter().map(|event| event.what).collect::<BTreeSet<_>>();
                seen.extend(&what);
                let errors = [MessageMark::Load, MessageMark::Stray, MessageMark::Message, MessageMark::Left];
                if phase.cut.is_some() || errors.iter().any(|error| what.contains(error)) {
                    continue;
                }
                let sent = (0..).zip(&phase.words).flat_map(|(source, words)| {
                    let beats = (0..).zip(words).filter(|(_, word)| !word.empty);
                    beats.map(move |(k, word)| ((source, word.dest), data(9, at, source, k, word.last)))
                });
                let left = ran.events.iter().filter(|event| event.what == MessageMark::Out);
                let left = left.map(|event| ((event.source, event.place), event.data.clone()));
                assert_eq!(by_pair(left), by_pair(sent), "{}", phase.what);
                // Words of a message are not mixed with those of another one.
                for terminal in 0..trial.shape().terminals() {
                    let mut open = None;
                    for event in ran
                        .events
                        .iter()
                        .filter(|event| event.what == MessageMark::Out && event.place == terminal)
                    {
                        assert_eq!(event.source, *open.get_or_insert(event.source), "{}", phase.what);
                        let last = u32::from_str_radix(&event.data, 16).unwrap() >> 9 == 1;
                        open = open.filter(|_| !last);
                    }
                }
                let count = |what| ran.events.iter().filter(|event| event.what == what).count() as u32;
                assert_eq!(
                    (count(MessageMark::Start), count(MessageMark::Done)),
                    (phase.exchanges, phase.exchanges)
                );
            }
            assert_eq!(seen, MessageMark::ALL.iter().copied().collect(), "every error occurs");
        }
    }

    #[test]
    fn exchanges_follow_each_other_and_a_set_is_loaded_meanwhile() {
        let trial = trial(&demand(8, 9, 2), None).unwrap();
        let times = |what| {
            let events = trial.ran[0].events.iter().filter(move |event| event.what == what);
            events.map(|event| event.cycle).collect::<Vec<_>>()
        };
        let (starts, done) = (times(MessageMark::Start), times(MessageMark::Done));
        let latency = u64::from(trial.shape().message_latency());
        assert_eq!(done[0], starts[0] + 4 + trial.program.rounds() + latency);
        let loaded =
            times(MessageMark::In).iter().filter(|cycle| (starts[0]..done[0]).contains(*cycle)).count();
        assert!(loaded > 60, "{loaded} beats of the next set enter while the first exchange runs");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = |n, length| trial(&demand(n, 3, 1), length).unwrap_err().to_string();
        assert!(error(8, Some(0)).starts_with("messages of 0 words are not possible"));
        assert!(error(8, Some(2)).starts_with("the demand has a message of "));
        assert!(
            error(128, None)
                .starts_with("streams around a loaded schedule have at most 64 terminals, not 128;")
        );
    }
}
