//! `D_axis` on the rust-hdl network: every system, message lengths, one and two sets of memories, busy and idle streams.

use frit_cells::design::axis::{Streams, StreamsError, build, cycles};
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
    assert_eq!(outcome.cycles, vec![cycles(&plan, streams); 3], "{name}");
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

/// Clock cycles from one exchange to the next, streams that never pause.
fn period(words: u32, sets: u32) -> u64 {
    let plan = plan(&Request::new("rls", 8)).unwrap();
    let streams = Streams { words, sets };
    let netlist = build(&plan, 8, streams).unwrap();
    let clocks = |exchanges| {
        let traffic = Traffic { exchanges, offering: 255, taking: 255, seed: 3 };
        run(&plan, 8, streams, &netlist, traffic).unwrap().clocks
    };
    (clocks(9) - clocks(3)) / 6
}

#[test]
fn with_two_sets_loading_exchanging_and_draining_overlap() {
    let [one, two] = [period(8, 1), period(8, 2)];
    // 64 words are loaded and drained, and an exchange takes 69 cycles.
    assert!(one > 64 + 69, "{one}");
    assert!((69..69 + 6).contains(&two), "{two}");
}

#[test]
fn what_the_streams_cannot_carry_is_refused() {
    let error =
        |request: &Request, words| build(&plan(request).unwrap(), 8, Streams { words, sets: 1 }).unwrap_err();
    assert_eq!(error(&Request::new("rls", 4), 0), StreamsError::Words(0));
    assert_eq!(error(&Request::new("rls", 4), 257), StreamsError::Words(257));
    assert_eq!(error(&Request::new("obf", 8), 2), StreamsError::SharedControl(2));
    let permutation = frit_schedule::benes::plan_with_permutation(&[1, 0, 3, 2]).unwrap();
    let refused = build(&permutation, 8, Streams { words: 1, sets: 1 }).unwrap_err();
    assert!(refused.to_string().contains("does not send one message from every terminal"), "{refused}");
}

/// A wire of `D_axis` or below leads somewhere else: the streams must say so.
#[test]
fn a_wrong_wire_is_found() {
    let plan = plan(&Request::new("gsen", 6)).unwrap();
    let streams = Streams { words: 2, sets: 2 };
    let broken = [
        ("axis_l2_b2", "u_messages_1", "read_address_i", "u_messages_2", "read_address_i"),
        ("axis_l2_b2", "u_drain_0", "push_i", "u_drain_1", "begin_i"),
        ("axis_l2_b2", "u_load_3", "take_i", "u_load_3", "hold_i"),
        ("axis_l2_b2", "u_sieve_marks_2", "turn_i", "u_load_3", "hold_i"),
        ("axis_l2_b2_core", "u_fabric", "valid_i", "u_count_send_word", "step_i"),
        ("axis_l2_b2_core", "u_count_round", "step_i", "u_count_send_word", "step_i"),
    ];
    for (module, instance, port, other, other_port) in broken {
        let mut netlist = build(&plan, 8, streams).unwrap();
        let module = netlist.module_mut(module).unwrap();
        let source = module.instance_mut(other).unwrap().input_mut(other_port).unwrap()[0].clone();
        module.instance_mut(instance).unwrap().input_mut(port).unwrap()[0] = source;
        let traffic = Traffic { exchanges: 3, offering: 200, taking: 200, seed: 1 };
        let outcome = run(&plan, 8, streams, &netlist, traffic).unwrap();
        assert!(
            outcome.complaint.is_some() || outcome.cycles != vec![cycles(&plan, streams); 3],
            "{instance}.{port} was not missed"
        );
    }
}
