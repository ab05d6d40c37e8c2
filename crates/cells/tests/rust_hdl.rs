//! The rust-hdl network delivers what its plan says.

use frit_cells::{bench, design};
use frit_schedule::{Payload, Request, plan};

fn outcome(request: &Request, width: u32) -> bench::Outcome {
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
        (Request::new("gsen", 4), 5, 0),
        (Request::new("gsen", 6), 10, 12),
        (Request::new("gsen", 10), 19, 60),
        (Request::new("gsen", 6).with("algorithm", "ata2"), 8, 0),
        (Request::new("gsen", 10).with("algorithm", "ata2"), 13, 0),
        (Request::new("gsen", 18).with("algorithm", "ata2"), 22, 0),
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
