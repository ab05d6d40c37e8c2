//! The rust-hdl network delivers what its plan says.

use frit_cells::{bench, design};
use frit_network::{RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::check::route_round;
use frit_schedule::tables::Tables;
use frit_schedule::{Control, Demand, Phases, Plan, Request, benes, plan};
use frit_traffic::Payload;
use frit_traffic::random::SplitMix64;

fn outcome(request: &Request, width: u32) -> bench::BenchOutcome {
    let plan = plan(request).unwrap();
    let payload = Payload::random(plan.network.terminals(), width, 7);
    let outcome = bench::run(&plan, &design::build(&plan, width), &payload, &mut (), &mut ()).unwrap();
    assert_eq!(outcome.received.as_ref().unwrap(), &payload.transposed());
    outcome
}

#[test]
fn every_system_is_complete_in_its_cycles() {
    for (request, cycles, duplicates) in [
        (Request::new("rls", 4), 6, 0),
        (Request::new("rls", 8), 12, 0),
        (Request::new("rls", 16), 22, 0),
        (Request::new("rls", 8).with("direction", "left"), 12, 0),
        // With K registers in a stage K - 1 cycles more for each stage: 5 in rls, 4 in gsen and latin, 3 in ata2, xor and atape, 2 in obf.
        (Request::new("rls", 8).with("pipeline", "2"), 17, 0),
        (Request::new("rls", 8).with("pipeline", "4"), 27, 0),
        (Request::new("gsen", 10).with("pipeline", "2"), 23, 60),
        (Request::new("gsen", 6).with("algorithm", "ata2").with("pipeline", "3"), 14, 0),
        (Request::new("gsen", 10).with("algorithm", "latin").with("pipeline", "2"), 17, 0),
        (Request::new("obf", 8).with("pipeline", "2"), 8, 0),
        (Request::new("obf", 16).with("pipeline", "3").with("sequence", "prefer-same"), 17, 0),
        (Request::new("benes", 8).with("pipeline", "2"), 17, 0),
        (Request::new("xor", 8).with("pipeline", "2"), 13, 0),
        (Request::new("atape", 8).with("pipeline", "3"), 16, 0),
        (Request::new("rotator", 8).with("pipeline", "2"), 13, 0),
        (Request::new("gsen", 4), 5, 0),
        (Request::new("gsen", 6), 10, 12),
        (Request::new("gsen", 10), 19, 60),
        (Request::new("gsen", 6).with("algorithm", "ata2"), 8, 0),
        (Request::new("gsen", 10).with("algorithm", "ata2"), 13, 0),
        (Request::new("gsen", 18).with("algorithm", "ata2"), 22, 0),
        (Request::new("gsen", 6).with("algorithm", "latin").with("labels", "adder"), 8, 0),
        (Request::new("gsen", 14).with("algorithm", "latin"), 17, 0),
        (Request::new("gsen", 18).with("algorithm", "latin"), 22, 0),
        (Request::new("xor", 4), 5, 0),
        (Request::new("xor", 16), 19, 0),
        (Request::new("xor", 16).with("network", "shuffle"), 19, 0),
        (Request::new("rotator", 4), 5, 0),
        (Request::new("rotator", 16), 19, 0),
        (Request::new("atape", 4), 5, 0),
        (Request::new("atape", 16), 19, 0),
        (Request::new("benes", 4), 6, 0),
        (Request::new("benes", 16), 22, 0),
        (Request::new("obf", 4), 3, 0),
        (Request::new("obf", 8), 6, 0),
        (Request::new("obf", 16), 11, 0),
        (Request::new("obf", 16).with("controller", "feedback"), 11, 0),
        (Request::new("obf", 16).with("controller", "table"), 11, 0),
        (Request::new("obf", 32).with("sequence", "prefer-same"), 20, 0),
        (Request::new("obf", 32).with("sequence", "granddaddy").with("controller", "table"), 20, 0),
    ] {
        for width in [1, 8, 33, 64] {
            let outcome = outcome(&request, width);
            assert_eq!(outcome.complaint, None, "{request:?} W={width}");
            assert!(outcome.run.ok(), "{request:?} W={width}: {:?}", outcome.run);
            assert_eq!((outcome.run.cycles, outcome.run.duplicates), (cycles, duplicates), "{request:?}");
        }
    }
}

#[test]
fn a_padded_exchange_serves_the_first_terminals() {
    for (served, labels) in [(2, "ring"), (5, "ring"), (5, "adder"), (7, "adder"), (12, "ring"), (15, "ring")]
    {
        let request = Request::new("gsen", served).with("algorithm", "latin").with("pad", "yes");
        let plan = plan(&request.with("labels", labels)).unwrap();
        let payload = Payload::random(plan.network.terminals(), 8, 7);
        let netlist = design::build(&plan, 8);
        for exchanges in 1..4 {
            let outcome =
                bench::run(&plan.repeated(exchanges), &netlist, &payload, &mut (), &mut ()).unwrap();
            assert_eq!(outcome.complaint, None, "{served}");
            assert_eq!(outcome.run.delivered, u64::from(exchanges) * served * served);
            assert_eq!((outcome.run.missing, outcome.run.duplicates), (0, 0));
            let received = outcome.received.unwrap();
            assert_eq!(received, payload.transposed().resized(served as u32).resized(payload.terminals()));
        }
        // A plan that serves one more says what the design does not do.
        let more = Plan { demand: Demand::Among(served as u32 + 1), ..plan };
        if more.has_spare() {
            let outcome = bench::run(&more, &netlist, &payload, &mut (), &mut ()).unwrap();
            assert!(outcome.complaint.unwrap().signal.starts_with("send_valid_o"), "{served}");
            assert_eq!(outcome.run.missing, 2 * served + 1);
        }
    }
}

/// Rounds of one exchange are still on their way when those of the next enter.
#[test]
fn exchanges_follow_each_other_without_a_gap() {
    for request in [
        Request::new("rls", 4),
        Request::new("rls", 8),
        Request::new("rls", 8).with("pipeline", "2"),
        Request::new("gsen", 6).with("algorithm", "ata2").with("pipeline", "3"),
        Request::new("obf", 16).with("pipeline", "2"),
        Request::new("benes", 4).with("pipeline", "2"),
        Request::new("gsen", 6),
        Request::new("gsen", 6).with("algorithm", "ata2"),
        Request::new("gsen", 10).with("algorithm", "latin").with("labels", "adder"),
        Request::new("gsen", 6).with("algorithm", "latin"),
        Request::new("xor", 8),
        Request::new("rotator", 8),
        Request::new("atape", 8),
        Request::new("benes", 4),
        Request::new("obf", 4),
        Request::new("obf", 8),
        Request::new("obf", 8).with("fanout", "per-level"),
        Request::new("rls-folded", 4),
        Request::new("rls-folded", 8),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-folded", 8).with("plan", "two-plane"),
        Request::new("rls-flattened", 8).with("capacity", "1"),
    ] {
        let alone = plan(&request).unwrap();
        let netlist = design::build(&alone, 4);
        let payload = Payload::random(alone.network.terminals(), 4, 5);
        for exchanges in 1..4 {
            let plan = alone.repeated(exchanges);
            let outcome = bench::run(&plan, &netlist, &payload, &mut (), &mut ()).unwrap();
            let what = format!("{exchanges} of {request:?}");
            assert_eq!(outcome.complaint, None, "{what}");
            assert!(outcome.run.ok(), "{what}: {:?}", outcome.run);
            let cycles = alone.period() * u64::from(exchanges - 1) + alone.cycles();
            assert_eq!(outcome.run.cycles, cycles, "{what}");
            assert_eq!(outcome.run.delivered, u64::from(exchanges) * alone.pairs_due(), "{what}");
        }
    }
}

/// The plan with its labels, or its settings, stored in tables.
fn stored(request: &Request, settings: bool) -> Plan {
    let plan = plan(request).unwrap();
    let tables = if settings {
        Tables::settings(&plan.network, plan.rounds, |round| route_round(&plan, round).unwrap().states)
    } else {
        Tables::labels(&plan.network, plan.rounds, |round, lane| plan.label(round, lane).unwrap())
    };
    Plan { control: Control::Table(tables.unwrap()), phases: Phases::One, entry_delay: 0, ..plan }
}

#[test]
fn any_schedule_runs_from_tables() {
    for (request, settings, cycles) in [
        // Labels that are not the destinations, settings beside them, alternating switches, two lanes per terminal.
        (Request::new("rls", 8), false, 12),
        (Request::new("rls", 8), true, 12),
        (Request::new("gsen", 10), true, 19),
        (Request::new("gsen", 10).with("algorithm", "ata2"), true, 13),
        (Request::new("obf", 8), true, 5),
    ] {
        let plan = stored(&request, settings);
        let payload = Payload::random(plan.network.terminals(), 8, 3);
        let outcome = bench::run(&plan, &design::build(&plan, 8), &payload, &mut (), &mut ()).unwrap();
        assert_eq!(outcome.complaint, None, "{request:?}");
        assert_eq!(outcome.received.as_ref(), Some(&payload.transposed()), "{request:?}");
        assert_eq!(outcome.run.cycles, cycles, "{request:?}");
    }
}

#[test]
fn a_stage_of_more_than_64_switches_has_several_roms() {
    let mut permutation: Vec<u32> = (0..256).collect();
    let mut random = SplitMix64(5);
    for i in (1..256).rev() {
        permutation.swap(i, (random.next() % (i as u64 + 1)) as usize);
    }
    let plan = benes::plan_with_permutation(&permutation).unwrap();
    let state = |switch| plan.stage_state(RoundIdx(0), StageIdx(7), SwitchIdx(switch)).unwrap().bit();
    assert!((64..128).any(state) && !(64..128).all(state));
    let payload = Payload::random(256, 8, 3);
    let outcome = bench::run(&plan, &design::build(&plan, 8), &payload, &mut (), &mut ()).unwrap();
    assert_eq!(outcome.complaint, None);
    assert_eq!((outcome.run.cycles, outcome.run.delivered, outcome.run.missing), (15, 256, 0));
}
