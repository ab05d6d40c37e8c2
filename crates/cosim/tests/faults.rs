//! What hardware with a fault does is what the model with the fault does, row by row: all single faults of small designs, as
//! rust-hdl simulates them. `frit verify --fault … --expected` asks the same of the simulators.

use frit_cells::fault::EXCHANGE;
use frit_cells::{bench, design};
use frit_network::{StageIdx, SwitchIdx};
use frit_schedule::{Fault, Faults, Plan, Request, plan};
use frit_traffic::Payload;
use frit_traffic::trace::Recorder;

fn model(plan: &Plan, payload: &Payload) -> Recorder {
    let mut recorder = Recorder::default();
    frit_model::exchange(plan, Some(payload), &mut recorder);
    recorder
}

fn hardware(plan: &Plan, payload: &Payload, faults: &[Fault]) -> Recorder {
    let mut netlist = design::build(plan, payload.width_bits());
    faults.iter().for_each(|fault| EXCHANGE.plant(&mut netlist, &fault.to_string()).unwrap());
    let mut recorder = Recorder::default();
    bench::run(plan, &netlist, payload, &mut recorder, &mut ()).unwrap();
    recorder
}

#[test]
fn every_single_fault_does_in_rust_hdl_what_it_does_in_the_model() {
    let gsen = |algorithm| Request::new("gsen", 6).with("algorithm", algorithm);
    for request in [
        Request::new("rls", 4),
        Request::new("rls", 8).with("pipeline", "2"),
        Request::new("benes", 8),
        Request::new("xor", 8),
        Request::new("xor", 8).with("network", "shuffle"),
        Request::new("atape", 4),
        Request::new("obf", 8),
        gsen("stage-control"),
        gsen("ata2"),
        gsen("latin"),
    ] {
        let healthy = plan(&request).unwrap();
        let payload = Payload::random(healthy.network.terminals(), 16, 1);
        let without = model(&healthy, &payload);
        let mut seen = 0;
        for fault in Fault::all(&healthy) {
            let faulty = Plan { faults: [fault].into_iter().collect::<Faults>(), ..healthy.clone() };
            let (expected, got) = (model(&faulty, &payload), hardware(&healthy, &payload, &[fault]));
            assert_eq!(expected.settings, got.settings, "{} {fault}", healthy.name());
            assert_eq!(expected.deliveries, got.deliveries, "{} {fault}", healthy.name());
            seen += usize::from(expected.deliveries != without.deliveries);
        }
        assert!(seen > 0, "{}: no fault is seen", healthy.name());
    }
}

#[test]
fn hardware_with_another_fault_differs_from_the_model() {
    let healthy = plan(&Request::new("rls", 8)).unwrap();
    let payload = Payload::random(8, 16, 1);
    let faults = Faults::parse(&healthy, &["stuck-switch:2:1:1".into()]).unwrap();
    let expected = model(&Plan { faults, ..healthy.clone() }, &payload);
    for other in [Fault::StuckSwitch(StageIdx(2), SwitchIdx(1), false), Fault::BrokenLink(StageIdx(2), 2)] {
        assert_ne!(expected.deliveries, hardware(&healthy, &payload, &[other]).deliveries, "{other}");
    }
    assert_ne!(expected.deliveries, hardware(&healthy, &payload, &[]).deliveries);
}
