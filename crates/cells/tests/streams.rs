//! `D_axis` on the rust-hdl network: every system, message lengths, one and two sets of memories, busy and idle streams.

use frit_cells::design::axis::{Bundles, Face, Streams, build, cycles};
use frit_cells::design::reset::Reset;
use frit_cells::netlist::{Expr, Part};
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
        Request::new("gsen", 6).with("algorithm", "latin"),
        Request::new("xor", 8),
        Request::new("obf", 8).with("fanout", "per-level"),
        Request::new("atape", 8),
        Request::new("benes", 4),
    ]
}

fn check(request: &Request, words: u32, sets: u32, offering: u16, taking: u16) {
    let plan: Plan = plan(request).unwrap();
    let streams = Streams::packed(words, sets);
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
        check(&request, 1, 1, 256, 256);
        check(&request, 1, 2, 100, 60);
    }
}

#[test]
fn every_system_exchanges_messages_of_several_words() {
    for request in systems() {
        check(&request, 3, 1, 120, 200);
        check(&request, 4, 2, 256, 256);
    }
}

/// Clock cycles that six exchanges more take, streams that never pause.
fn six_periods(plan: &Plan, words: u32, sets: u32) -> u64 {
    let streams = Streams::packed(words, sets);
    let netlist = build(plan, 8, streams).unwrap();
    let clocks = |exchanges| {
        let traffic = Traffic { exchanges, offering: 256, taking: 256, seed: 3 };
        let outcome = run(plan, 8, streams, &netlist, traffic).unwrap();
        assert_eq!(outcome.complaint, None, "{}", plan.name());
        assert!(outcome.cycles.iter().all(|&shown| shown == cycles(plan, streams)), "{outcome:?}");
        outcome.clocks
    };
    clocks(9) - clocks(3)
}

#[test]
fn with_two_sets_loading_exchanging_and_draining_overlap() {
    let plan = plan(&Request::new("rls", 8)).unwrap();
    // 64 words are loaded and drained, and an exchange takes 69 cycles.
    assert!(six_periods(&plan, 8, 1) > 6 * (64 + 69));
    assert_eq!(six_periods(&plan, 8, 2), 6 * 64);
}

/// A word a cycle at every input and output, without end: as many cycles an exchange as the rounds take, or as the words of a terminal
/// where its two lanes are faster than its stream. An output has room for two sets, so an exchange must be delivered before the next
/// but one begins.
#[test]
fn exchanges_follow_each_other_without_a_gap() {
    for request in systems() {
        let plan = plan(&request).unwrap();
        for words in [1, 2, 4, 8] {
            let loaded = u64::from(plan.network.terminals() * words);
            let least = plan.message_period(words).max(loaded);
            let delivered = cycles(&plan, Streams::packed(words, 2)) + 8;
            let spent = six_periods(&plan, words, 2);
            // One control bit for all levels joins an exchange at once, or when nothing is under way.
            let joins = plan.joins_late(words) || loaded <= plan.message_period(words);
            if 2 * least >= delivered && joins {
                assert_eq!(spent, 6 * least, "{} with {words} words", plan.name());
            } else {
                assert!(spent > 6 * least, "{} with {words} words", plan.name());
            }
        }
    }
}

#[test]
fn what_the_streams_cannot_carry_is_refused() {
    let error =
        |request: &Request, words| build(&plan(request).unwrap(), 8, Streams::packed(words, 1)).unwrap_err();
    let texts = [
        ("rls", 4, 0, "message length 0 is"),
        ("rls", 4, 257, "length 257"),
        ("obf", 8, 2, "of 2 words do not"),
    ];
    for (system, terminals, words, text) in texts {
        let refused = error(&Request::new(system, terminals), words).to_string();
        assert!(refused.contains(text), "{refused}");
    }
    let permutation = frit_schedule::benes::plan_with_permutation(&[1, 0, 3, 2]).unwrap();
    let refused = build(&permutation, 8, Streams::packed(1, 1)).unwrap_err();
    assert!(refused.to_string().contains("does not send one message from every terminal"), "{refused}");
}

/// The ports of the top, whatever they look like, carry the same.
#[test]
fn bundles_and_other_resets_change_nothing() {
    let bundles = |data_bits, keep, user_bits, asynchronous, low| {
        let reset = Reset { asynchronous, low };
        Face::Bundles(Bundles { data_bits, keep, user_bits, registers: keep, reset })
    };
    for (face, width) in [
        (bundles(8, false, 0, false, true), 8),
        (bundles(5, false, 0, false, false), 5),
        (bundles(12, true, 3, true, true), 17),
        (Face::Packed(Reset { asynchronous: true, low: true }), 8),
        (Face::Packed(Reset { asynchronous: false, low: true }), 8),
    ] {
        for request in [Request::new("rls", 4), Request::new("obf", 8)] {
            let plan = plan(&request).unwrap();
            let streams = Streams { words: 1, sets: 2, face };
            let netlist = build(&plan, width, streams).unwrap();
            let traffic = Traffic { exchanges: 3, offering: 200, taking: 120, seed: 4 };
            let outcome = run(&plan, width, streams, &netlist, traffic).unwrap();
            assert_eq!(outcome.complaint, None, "{face:?}");
            assert_eq!(outcome.cycles, vec![cycles(&plan, streams); 3], "{face:?}");
        }
    }
}

/// What fills the bytes of an output is seen if it is not 0.
#[test]
fn a_wrong_bit_above_the_word_is_found() {
    let plan = plan(&Request::new("rls", 4)).unwrap();
    let reset = Reset::AXI;
    let face = Face::Bundles(Bundles { data_bits: 5, keep: false, user_bits: 0, registers: false, reset });
    let streams = Streams { words: 1, sets: 1, face };
    let mut netlist = build(&plan, 5, streams).unwrap();
    let top = netlist.modules.last_mut().unwrap();
    let Expr::Concat(parts) = &mut top.assigns[1].1 else { panic!("zeros above a word") };
    parts[0] = Part::Const { value: 1, bits: 3 };
    let traffic = Traffic { exchanges: 1, offering: 256, taking: 256, seed: 4 };
    let complaint = run(&plan, 5, streams, &netlist, traffic).unwrap().complaint.unwrap();
    assert!(complaint.contains("terminal 1: the padding bits of tdata are not 0"), "{complaint}");
}

/// A wire of `D_axis` or below leads somewhere else: the streams must say so.
#[test]
fn a_wrong_wire_is_found() {
    let plan = plan(&Request::new("gsen", 6)).unwrap();
    let streams = Streams::packed(2, 2);
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
