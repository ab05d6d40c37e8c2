//! `D_axis` on the rust-hdl network: every system, message lengths, one and two sets of memories, busy and idle streams.

use frit_cells::design::axis::{Streams, StreamsError, build};
use frit_cells::streams::{Traffic, run};
use frit_schedule::{Plan, Request, plan};

/// A system of every kind of control, and of every kind of second pass.
fn systems() -> Vec<Request> {
    vec![
        Request::new("rls", 8),
        Request::new("rls-folded", 8).with("plan", "windowed"),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-flattened", 4),
        Request::new("gsen", 6),
        Request::new("gsen", 10).with("algorithm", "ata2"),
        Request::new("xor", 8),
        Request::new("obf", 8).with("fanout", "per-level"),
        Request::new("atape", 8),
        Request::new("benes", 4),
    ]
}

fn check(request: &Request, words: u32, sets: u32, offering: u8, taking: u8) {
    let plan: Plan = plan(request).unwrap();
    let streams = Streams { words, sets };
    let netlist = build(&plan, 8, streams).unwrap();
    let traffic = Traffic { exchanges: 3, offering, taking, seed: 5 };
    let name = format!("{} {streams:?} offering {offering} taking {taking}", plan.name());
    let outcome = run(&plan, 8, streams, &netlist, traffic).unwrap();
    assert_eq!(outcome.complaint, None, "{name}");
    assert_eq!(outcome.cycles, vec![plan.message_cycles(words) + 1; 3], "{name}");
    let terminals = u64::from(plan.network.terminals());
    assert_eq!(outcome.words, 3 * terminals * terminals * u64::from(words), "{name}");
}

#[test]
fn every_system_exchanges_messages_of_one_word() {
    for request in systems() {
        check(&request, 1, 1, 255, 255);
        check(&request, 1, 2, 100, 60);
    }
}

#[test]
fn every_system_exchanges_messages_of_several_words() {
    for request in systems() {
        check(&request, 3, 1, 120, 200);
        check(&request, 4, 2, 255, 255);
    }
}
