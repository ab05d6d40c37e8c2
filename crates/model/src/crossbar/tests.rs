use super::*;
use frit_demand::crossbar::drawn;

fn trial(terminals: u64) -> Trial {
    let shape = Shape::new(terminals).unwrap();
    Trial::new(shape, 20, drawn(shape, 1, 256))
}

fn of(ran: &CrossbarRun, what: CrossbarMark) -> impl Iterator<Item = &Event> {
    ran.events.iter().filter(move |event| event.what == what)
}

#[test]
fn no_word_is_lost_but_by_a_reset() {
    for terminals in [4, 8, 32] {
        let trial = trial(terminals);
        for (phase, ran) in trial.phases.iter().zip(&trial.ran).filter(|(phase, _)| phase.cut.is_none()) {
            let mut words = [CrossbarMark::In, CrossbarMark::Out]
                .map(|what| of(ran, what).map(|event| &event.data).collect::<Vec<_>>());
            words.iter_mut().for_each(|words| words.sort());
            assert_eq!(words[0], words[1], "{}", phase.what);
            assert_eq!(
                words[0].is_empty(),
                ["every output is off", "registers are", "one output alone"]
                    .iter()
                    .any(|what| phase.what.starts_with(what)),
                "{}",
                phase.what
            );
        }
    }
}

/// The phases do what they are called.
#[test]
fn queues_are_full_or_hold_three_words_when_they_should() {
    for terminals in [4, 8, 32] {
        let trial = trial(terminals);
        let phases = || trial.phases.iter().zip(&trial.ran);
        let inside =
            |ran: &CrossbarRun| of(ran, CrossbarMark::In).count() - of(ran, CrossbarMark::Out).count();
        let full = phases().filter(|(phase, _)| phase.what == "a reset while the queues are full");
        let held: Vec<usize> = full.map(|(_, ran)| inside(ran)).collect();
        let capacity = terminals as usize * (1 << trial.shape.queue_bits());
        assert!(held.len() == 4 && held.iter().all(|&words| 2 * words > capacity), "{held:?} of {capacity}");
        // One of the outputs at least has exactly three words.
        let few = phases().filter(|(phase, _)| phase.what == "few words after a reset of full queues");
        let mut threes = 0;
        for (_, ran) in few {
            let places = of(ran, CrossbarMark::Out).map(|event| event.place);
            let mut words = vec![0; terminals as usize];
            places.for_each(|place| words[place as usize] += 1);
            threes += words.iter().filter(|&&words| words == 3).count();
        }
        assert!(threes > 0, "{terminals} terminals");
    }
}

#[test]
fn an_input_that_is_always_offered_and_taken_never_waits() {
    for terminals in [4, 8, 16, 32, 64, 128] {
        let trial = trial(terminals);
        let ran = &trial.ran[1];
        for input in 0..trial.shape.terminals() {
            let cycles: Vec<u64> = of(ran, CrossbarMark::In)
                .filter(|event| event.place == input)
                .map(|event| event.cycle)
                .collect();
            assert!(
                cycles.len() > 50 && cycles.windows(2).all(|pair| pair[1] == pair[0] + 1),
                "{terminals} {input}"
            );
        }
    }
}

/// The commits after which an output that is on receives another input than its source.
fn misfits(shape: Shape, accesses: &[Access]) -> usize {
    let on = Loadable::benes(program::Shape::new(shape.terminals().into(), 2).unwrap());
    let mut written = std::collections::BTreeMap::new();
    let wrong = |access: &&Access| {
        written.insert(access.address, access.word);
        let words: Vec<u32> = written.range(address::SETTINGS..).map(|(_, word)| *word).collect();
        let commits = access.address == address::CONTROL && access.word & COMMIT != 0;
        commits
            && (0..).zip(on.reached(&unpacked(shape, &words))).any(|(input, output)| {
                let wanted = written[&(address::SOURCE + 4 * output)];
                wanted & OFF == 0 && wanted != input
            })
    };
    accesses.iter().filter(|access| access.write).filter(wrong).count()
}

#[test]
fn settings_that_do_not_fit_are_an_error_until_the_next_commit() {
    let trial = trial(8);
    let interrupted = "a reset around the end of a commit";
    let last = trial.phases.iter().filter(|phase| phase.what == interrupted).map(|phase| phase.cut).max();
    for (phase, ran) in trial.phases.iter().zip(&trial.ran) {
        let due = match phase.what {
            // Only the latest of these resets lets the error be seen.
            what if what == interrupted => usize::from(Some(phase.cut) == last),
            "settings that do not fit the sources" => 3,
            "two outputs want one source" => 1,
            "settings and sources that are drawn"
            | "one output alone is on and wants another input"
            | "reads in each cycle of a commit"
            | "accesses are offered while responses wait" => misfits(trial.shape, &phase.accesses),
            // A source that is written to the control register as well can be a commit.
            "registers are addressed with each bit wrong" => of(ran, CrossbarMark::Error).count(),
            _ => 0,
        };
        assert_eq!(of(ran, CrossbarMark::Error).count(), due, "{}", phase.what);
        let stays = due - of(ran, CrossbarMark::Cleared).count();
        assert!(stays <= 1, "{}: only the last error stays", phase.what);
    }
}
