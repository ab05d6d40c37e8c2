//! Designs as a whole are proved to keep their contract and to be what their netlists are; what is wrong is refuted, with a
//! waveform. `make formal` runs the tests that take longer, and the table of docs/formal.md.

use crate::support::{all, tools};
use frit_cells::design;
use frit_cells::fault::EXCHANGE;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::campaign::Mapping;
use frit_cosim::formal::aiger::{Aig, Latch};
use frit_cosim::formal::{Against, Contract, Ground, Proof, Verdict, abc, prove_equal};
use frit_cosim::synth::Family;
use frit_cosim::tools::ToolPath;
use frit_schedule::{Plan, Request, plan};
use frit_trace::output::write_file;
use frit_trace::wave::Wave;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

/// Every kind of exchange.
fn systems(terminals: u64) -> Vec<Plan> {
    let folded = |name| Request::new("rls-folded", terminals).with("plan", name);
    let flattened = |capacity| Request::new("rls-flattened", terminals).with("capacity", capacity);
    let mut requests = vec![folded("windowed"), folded("buffered"), folded("two-plane")];
    requests.extend([flattened("1"), flattened("2")]);
    requests.extend(["rls", "gsen", "obf", "xor", "atape", "benes"].map(|key| Request::new(key, terminals)));
    requests.extend(["rls", "obf"].map(|key| Request::new(key, terminals).with("pipeline", "2")));
    requests.push(Request::new("benes", terminals).with("radix", "4"));
    requests.iter().map(|request| plan(request).unwrap()).collect()
}

fn sources(plan: &Plan, fault: Option<&str>) -> Vec<SourceFile> {
    let mut netlist = design::build(plan, 1);
    if let Some(fault) = fault {
        EXCHANGE.plant(&mut netlist, fault).unwrap();
    }
    files(&netlist, Style::Unrolled)
}

/// The proof of the contract, and the names of the signals of its counterexample.
fn contract(tools: &ToolPath, plan: &Plan, files: &[SourceFile], lemmas: bool) -> (Proof, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
    let proof = Contract::exchange(plan, 1).prove(&ground, files, lemmas).unwrap();
    let signals = match &proof.verdict {
        Verdict::Refuted { wave, .. } => {
            Wave::open(wave).unwrap().signals().iter().map(|signal| signal.name.clone()).collect()
        }
        _ => Vec::new(),
    };
    (proof, signals)
}

/// What the counterexample violates in its last cycle.
fn violated(tools: &ToolPath, plan: &Plan, files: &[SourceFile]) -> Vec<&'static str> {
    let (proof, signals) = contract(tools, plan, files, true);
    let Verdict::Refuted { what, .. } = proof.verdict else { panic!("{proof:?}") };
    // The ports, and what is deep inside.
    for name in ["send_data_i", "s1_valid_0"] {
        assert!(signals.iter().any(|signal| signal == name), "no {name}");
    }
    what
}

#[test]
fn every_system_keeps_its_contract() {
    let Some(tools) = tools() else { return };
    for plan in systems(4) {
        let (proof, _) = contract(&tools, &plan, &sources(&plan, None), true);
        assert!(
            matches!(proof.verdict, Verdict::Proved { depth: 1, lemmas } if lemmas > 250),
            "{}: {proof:?}",
            plan.name()
        );
    }
}

/// Words go among the terminals that are served, and nothing enters for the others or comes out of them.
#[test]
fn a_padded_exchange_keeps_its_contract() {
    let Some(tools) = tools() else { return };
    for labels in ["ring", "adder"] {
        let request = Request::new("gsen", 4).with("algorithm", "latin").with("pad", "yes");
        let plan = plan(&request.with("labels", labels)).unwrap();
        let files = sources(&plan, None);
        let (proof, _) = contract(&tools, &plan, &files, true);
        assert!(proof.holds(), "{}: {proof:?}", plan.name());
        // One that serves another terminal, and one whose spare terminal sends.
        for (right, wrong) in
            [(".Served(3'd4)", ".Served(3'd5)"), (".sending_i(1'd0)", ".sending_i(sending)")]
        {
            let mut wrongly = sources(&plan, None);
            let file = wrongly.iter_mut().find(|file| file.text.contains(right)).expect("a gate");
            file.text = file.text.replacen(right, wrong, 1);
            let found = violated(&tools, &plan, &wrongly);
            assert!(found.contains(&"send"), "{wrong}: {found:?}");
        }
    }
}

/// Without lemmas IC3 finds its own invariant: the two ways share nothing but the graph.
#[test]
fn without_lemmas_it_is_the_same() {
    let Some(tools) = tools() else { return };
    for request in [Request::new("rls", 4), Request::new("obf", 4), Request::new("benes", 4)] {
        let plan = plan(&request).unwrap();
        let (proof, _) = contract(&tools, &plan, &sources(&plan, None), false);
        assert!(matches!(proof.verdict, Verdict::Proved { lemmas: 0, .. }), "{}: {proof:?}", plan.name());
    }
}

#[test]
#[ignore = "minutes: make formal"]
fn larger_systems_keep_their_contract() {
    let Some(tools) = tools() else { return };
    for plan in systems(8).into_iter().chain(systems(16)) {
        let (proof, _) = contract(&tools, &plan, &sources(&plan, None), true);
        assert!(proof.holds(), "{}: {proof:?}", plan.name());
    }
    for plan in systems(4) {
        let (proof, _) = contract(&tools, &plan, &sources(&plan, None), false);
        assert!(proof.holds(), "{} without lemmas: {proof:?}", plan.name());
    }
}

/// A deliberate fault of a design, and the property that its counterexample violates.
#[test]
fn faults_are_refuted() {
    let Some(tools) = tools() else { return };
    let cases = [
        (Request::new("rls", 4), "swapped-wire:1", "word"),
        (Request::new("rls", 4), "dropped-valid:1:0", "arrival"),
        (Request::new("rls", 4), "wrong-label-bit:0:1", "conflict"),
        (Request::new("rls", 4), "off-by-one-counter", "busy"),
        (Request::new("gsen", 4), "late-driver:1", "word"),
        (Request::new("benes", 4), "flipped-setting:1:0:2", "word"),
    ];
    for (request, fault, property) in cases {
        let plan = plan(&request).unwrap();
        let found = violated(&tools, &plan, &sources(&plan, Some(fault)));
        assert!(found.contains(&property), "{} with {fault}: {found:?}", plan.name());
    }
}

/// Changes of the sequencer and the counter: what they show while a run goes on, and after a reset in the middle of one.
#[test]
fn changed_cells_are_refuted() {
    let Some(tools) = tools() else { return };
    let plan = plan(&Request::new("rls", 4)).unwrap();
    let cases = [
        ("frit_flight.v", "busy_o = busy_q;", "busy_o = busy_q | begin_i;", "busy"),
        ("frit_flight.v", "only_i & ~begin_i", "only_i", "busy"),
        ("frit_flight.v", "busy_q <= 1'b0;", "busy_q <= busy_q;", "busy"),
        ("frit_delay_line.v", "coming == OLDEST", "coming[TOP]", "busy"),
        ("frit_sequencer.v", "last_o = at_last_q;", "last_o = at_last_q & ~taken;", "done"),
        ("frit_sequencer.v", "refused_q <= refuses;", "refused_q <= refuses | ends;", "busy"),
        (
            "frit_sequencer.v",
            "sending_q <= taken | early_q | before_last_q;",
            "sending_q <= taken | sending_q;",
            "send",
        ),
        ("frit_delay_line.v", "line_q <= {Cycles{1'b0}};", "line_q <= line_q;", "done"),
        ("frit_label_gen.v", "dest_q <= dest_q + amount;", "dest_q <= dest_q;", "send"),
        ("frit_cycle_counter.v", "Most : NONE;", "Most : Most;", "cycles"),
        ("frit_switch.v", "valid0_q <= 1'b0;", "valid0_q <= valid0_q;", "arrival"),
    ];
    let mut wrong = Vec::new();
    let step = if all() { 1 } else { 3 };
    for (name, from, to, property) in cases.into_iter().step_by(step) {
        let mut files = sources(&plan, None);
        let file = files.iter_mut().find(|file| file.name == name).unwrap();
        assert!(file.text.contains(from), "{name} has no `{from}`");
        file.text = file.text.replacen(from, to, 1);
        match contract(&tools, &plan, &files, true).0.verdict {
            Verdict::Refuted { what, .. } if what.contains(&property) => {}
            verdict => wrong.push(format!("{name} with `{to}`: {verdict:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An invariant is one only if it holds first and follows from itself.
#[test]
fn induction_is_refused_what_is_not_inductive() {
    let Some(tools) = tools() else { return };
    // Two latches: `next` of each, and what must not be.
    let says = |next: [u32; 2], bad: u32| {
        let folder = tempfile::tempdir().unwrap();
        let latches = next.map(|next| Latch { next }).to_vec();
        let aig = Aig { inputs: 1, latches, outputs: vec![bad], ..Aig::default() };
        write_file(&folder.path().join("a.aig"), aig.write()).unwrap();
        abc::induction(&tools, folder.path(), "a.aig", LIMIT).unwrap()
    };
    // Literals: 2 the input, 4 and 6 the latches.
    assert!(says([0, 2], 4), "a latch that stays 0");
    assert!(!says([6, 6], 4), "it never rises, but only because the other does not");
    assert!(!says([5, 2], 4), "it rises in the second cycle");
    assert!(!says([5, 2], 5), "it is high at first");
    assert!(!says([2, 2], 4), "an input raises it");
}

fn equal(tools: &ToolPath, plan: &Plan, against: Against) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
    let proof = prove_equal(&ground, &design::build(plan, 1), against).unwrap();
    if let Verdict::Refuted { wave, .. } = &proof.verdict {
        assert!(Wave::open(wave).is_ok());
    }
    proof.verdict
}

fn mapping(family: Family, inverted_lut: Option<usize>) -> Against {
    Against::Netlist(Mapping { family, inverted_lut })
}

#[test]
fn an_exchange_is_its_netlist_and_its_compact_form() {
    let Some(tools) = tools() else { return };
    let benes = plan(&Request::new("benes", 4)).unwrap();
    assert!(matches!(equal(&tools, &benes, Against::Compact), Verdict::Proved { .. }));
    let rls = plan(&Request::new("rls", 4)).unwrap();
    for (lut, holds) in [(None, true), (Some(40), false)] {
        let verdict = equal(&tools, &rls, mapping(Family::Ice40, lut));
        assert_eq!(matches!(verdict, Verdict::Proved { .. }), holds, "LUT {lut:?}: {verdict:?}");
        assert_eq!(matches!(verdict, Verdict::Refuted { .. }), !holds, "LUT {lut:?}: {verdict:?}");
    }
}

#[test]
#[ignore = "minutes: make formal"]
fn larger_exchanges_are_their_netlists_and_compact_forms() {
    let Some(tools) = tools() else { return };
    for plan in systems(8) {
        for against in [mapping(Family::Ice40, None), mapping(Family::Ecp5, None), Against::Compact] {
            let verdict = equal(&tools, &plan, against);
            assert!(matches!(verdict, Verdict::Proved { .. }), "{} {against:?}: {verdict:?}", plan.name());
        }
    }
    let rls = plan(&Request::new("rls", 4)).unwrap();
    let verdict = equal(&tools, &rls, mapping(Family::Ecp5, Some(40)));
    assert!(matches!(verdict, Verdict::Refuted { .. }), "{verdict:?}");
}
