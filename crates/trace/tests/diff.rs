//! `frit diff`: what is the same, what differs and where, and what cannot be compared.

use crate::support;
use frit_network::Refusal;

use std::path::{Path, PathBuf};

use frit_trace::diff::{Align, DiffOptions, DiffOutcome, DiffReport, TableDiff, WaveDiff, diff_files};
use frit_trace::wave::WaveWriter;
use proptest::prelude::*;
use support::{Cycle, after_reset, cycles, decl, write};
use tempfile::TempDir;

pub fn options() -> DiffOptions {
    DiffOptions::default()
}

pub fn waves(a: &Path, b: &Path, options: &DiffOptions) -> WaveDiff {
    match diff_files(a, b, options) {
        Ok(DiffReport::Waves(report)) => *report,
        other => panic!("{other:?}"),
    }
}

pub fn unusable(a: &Path, b: &Path, options: &DiffOptions) -> Refusal {
    let result = diff_files(a, b, options);
    assert_eq!(DiffOutcome::of(&result), DiffOutcome::Unusable);
    assert_eq!(DiffOutcome::of(&result).exit_code(), 2);
    result.err().unwrap()
}

pub struct Runs {
    dir: TempDir,
}

impl Runs {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn wave(&self, name: &str, top: &str, cycles: &[Cycle]) -> PathBuf {
        write(&self.dir.path().join(name), top, cycles)
    }

    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

#[test]
fn vcd_and_fst_of_one_run_are_the_same() {
    let runs = Runs::new();
    let run = after_reset(3, &cycles(20));
    let a = runs.wave("a.vcd", "tb.dut", &run);
    let b = runs.wave("b.fst", "tb.dut", &run);
    let report = waves(&a, &b, &options());
    assert!(report.same(), "{}", report.render_text());
    // All but the clock; the cycles of reset come before the alignment.
    assert_eq!((report.compared_signals, report.compared_cycles), (4, 20));
    assert_eq!((report.a.cycle_0_is, report.a.cycle_0_time), (4, 45));
    assert_eq!(report.a.clock, "tb.dut.clk_i");
    assert_eq!(report.b.reset.as_deref(), Some("tb.dut.rst_i"));
    assert_eq!(DiffOutcome::of(&diff_files(&a, &b, &options())), DiffOutcome::Same);
}

#[test]
fn a_difference_is_found_in_its_cycle() {
    let runs = Runs::new();
    let good = cycles(40);
    let mut bad = good.clone();
    bad[17].data.as_mut().unwrap()[2] ^= 1 << 40;
    bad[17].valid = Some(1 - bad[17].valid.unwrap());
    bad[30].label = Some(7);
    let a = runs.wave("a.vcd", "tb", &after_reset(2, &good));
    let b = runs.wave("b.fst", "tb", &after_reset(5, &bad));
    let report = waves(&a, &b, &options());
    let first = report.first.as_ref().unwrap();
    assert_eq!((first.cycle, first.signals_in_this_cycle), (17, 2));
    assert_eq!(first.signal, "tb.u_fabric.data_o");
    // Cycle 0 of A is its cycle 3: edge 0 starts the first cycle of reset and ends none.
    assert_eq!((first.cycle_in_a, first.cycle_in_b), (20, 23));
    assert_eq!((first.time_a, first.time_b), (205, 235));
    assert_eq!((report.differences, report.differing_signals), (3, 3));
    let found: Vec<_> = report
        .signals
        .iter()
        .map(|signal| (signal.signal.as_str(), signal.first_cycle, signal.cycles))
        .collect();
    let expected =
        [("tb.u_fabric.data_o", 17, 1), ("tb.u_fabric.valid_o", 17, 1), ("tb.u_fabric.label", 30, 1)];
    assert_eq!(found, expected);
    let context = report.context.as_ref().unwrap();
    assert_eq!((context.first_cycle, context.different_cycle, context.rows.len()), (14, 17, 2));
    assert_eq!(context.rows[1].a, ["0", "0", "1", "0", "0", "1", "0"]);
    assert_eq!(context.rows[1].b, ["0", "0", "1", "1", "0", "1", "0"]);
    assert_eq!(DiffOutcome::of(&diff_files(&a, &b, &options())).exit_code(), 1);

    let json = serde_json::to_value(diff_files(&a, &b, &options()).unwrap()).unwrap();
    assert_eq!(json["kind"], "waves");
    assert_eq!(json["first"]["cycle"], 17);
    assert_eq!(json["first"]["b"].as_str().unwrap().len(), 2 + 50);
    let one = DiffOptions { max_differences: 1, ..options() };
    assert_eq!(waves(&a, &b, &one).signals.len(), 1);
}

#[test]
fn the_report_reads_well() {
    let runs = Runs::new();
    let good = cycles(8);
    let mut bad = good.clone();
    bad[4].data.as_mut().unwrap()[0] ^= 1;
    bad[6].valid = None;
    let a = runs.wave("a.vcd", "tb", &good);
    let b = runs.wave("b.vcd", "TOP.tb", &bad);
    let text = waves(&a, &b, &DiffOptions { context: 1, ..options() }).render_text();
    let dir = format!("{}/", runs.dir.path().display());
    let expected = "\
different: 4 signals compared in 9 cycles; 2 values differ in 2 signals
  A: a.vcd, clock tb.clk_i, reset tb.rst_i; cycle 0 is its cycle 0, which ends at 5 ns
  B: b.vcd, clock TOP.tb.clk_i, reset TOP.tb.rst_i, without the prefix TOP; cycle 0 is its cycle 0, which ends at 5 ns
first difference: cycle 5, signal tb.u_fabric.data_o
  A has 0x040000000400000000fffffffffffffffb0000000000000004  (before the edge at 55 ns, its cycle 5)
  B has 0x040000000400000000fffffffffffffffb0000000000000005  (before the edge at 55 ns, its cycle 5)
1 signal differs in that cycle:
  cycle                                   4                  >5                   6
  tb.u_fabric.data_o  A  ..0000000000000003  ..0000000000000004  ..0000000000000005
                      B  ..0000000000000003  ..0000000000000005  ..0000000000000005
signals by the cycle in which they first differ:
  cycle 5: tb.u_fabric.data_o  A ..0000000000000004  B ..0000000000000005  (1 cycle)
  cycle 7: tb.u_fabric.valid_o  A 0  B x  (1 cycle)
";
    assert_eq!(text.replace(&dir, ""), expected);
}

#[test]
fn prefixes_are_stripped_and_mapped() {
    let runs = Runs::new();
    let run = cycles(5);
    let a = runs.wave("a.vcd", "tb.dut", &run);
    for top in ["TOP.tb.dut", "dut", "other.wrapper.dut"] {
        let b = runs.wave("b.fst", top, &run);
        let report = waves(&a, &b, &options());
        assert!(report.same() && report.compared_signals == 4, "{top}: {}", report.render_text());
    }
    // Nested: the model has no scope `core` around the fabric.
    let inner = runs.wave("inner.vcd", "tb.dut.core", &run);
    let fabric = DiffOptions { only: vec!["*.u_fabric.*".into()], ..options() };
    assert_eq!(waves(&a, &inner, &fabric).compared_signals, 3);

    let renamed = runs.wave("renamed.vcd", "tb.dut_verilator", &run);
    let map = |text: &str| DiffOptions { maps: vec![text.parse().unwrap()], ..options() };
    let report = waves(&a, &renamed, &map("tb.dut_verilator=tb.dut"));
    assert!(report.same() && report.a.stripped_prefix.is_empty() && report.only_in_b.count == 0);
    let error = unusable(&a, &renamed, &map("tb.dut_veri=tb.dut")).to_string();
    assert!(error.contains("--map tb.dut_veri=tb.dut changes no name") && error.contains("such as tb.dut"));
    assert!("a".parse::<frit_trace::diff::NameMap>().unwrap_err().to_string().contains("give FROM=TO"));
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn waveforms_of_real_simulators_are_compared() {
    assert!(!waves(&data("icarus.fst"), &data("verilator.vcd"), &options()).same());
    let common = DiffOptions { common: true, ..options() };
    let report = waves(&data("icarus.fst"), &data("verilator.vcd"), &common);
    assert!(report.same(), "{}", report.render_text());
    assert_eq!((report.compared_signals, report.compared_cycles), (26, 14));
    // Only Verilator dumps parameters.
    assert_eq!(report.only_in_b.names, ["tb.W", "tb.dut.W", "tb.dut.u_first.W", "tb.dut.u_second.W"]);

    for good in ["icarus.fst", "verilator.vcd"] {
        let report = waves(&data(good), &data("verilator_top.fst"), &options());
        assert_eq!((&*report.a.stripped_prefix, &*report.b.stripped_prefix), ("tb.dut", "TOP.fabric"));
        let first = report.first.unwrap();
        assert_eq!((first.cycle_in_a, first.cycle_in_b, first.signal.as_str()), (10, 10, "data_i"));
        assert_eq!((first.a.as_str(), first.b.as_str()), ("0x100000009", "0x100000008"));
        assert_eq!((first.time_a, first.time_b), (105_000, 105));
        assert_eq!(report.differing_signals, 7);
    }
}

#[test]
fn cycles_are_aligned_by_hand() {
    let runs = Runs::new();
    let run = cycles(20);
    let late: Vec<Cycle> = cycles(3).into_iter().chain(run.clone()).collect();
    let a = runs.wave("a.vcd", "tb", &run);
    let b = runs.wave("b.vcd", "tb", &late);
    let align = |text: &str| DiffOptions { align: text.parse().unwrap(), ..options() };
    assert!(!waves(&a, &b, &align("first")).same());
    // Cycle 0 holds what was before the first edge; skip it in both.
    let report = waves(&a, &b, &align("1:4"));
    assert!(report.same() && report.compared_cycles == 20, "{}", report.render_text());
    assert!(waves(&b, &a, &align("4:1")).same());
    assert_eq!("7".parse::<Align>().unwrap(), Align::Cycles { a: 0, b: 7 });
    assert!("x:1".parse::<Align>().unwrap_err().to_string().contains("both as A:B"));
    let error = unusable(&a, &b, &align("99:0")).to_string();
    assert!(error.contains("has 0") && error.contains("align earlier"), "{error}");
}

#[test]
fn reset_cycles_are_ignored_on_request() {
    let runs = Runs::new();
    let mut a = cycles(20);
    let mut b = a.clone();
    a[9].reset = true;
    b[9].reset = true;
    b[9].label = Some(0);
    let (a, b) = (runs.wave("a.vcd", "tb", &a), runs.wave("b.fst", "tb", &b));
    let by_hand = DiffOptions { align: Align::Cycles { a: 0, b: 0 }, ..options() };
    assert_eq!(waves(&a, &b, &by_hand).first.unwrap().cycle, 10);
    let report = waves(&a, &b, &DiffOptions { ignore_reset: true, ..by_hand });
    assert!(report.same());
    assert_eq!((report.compared_cycles, report.reset_cycles_ignored), (20, 1));
    // Aligned on the reset in the middle, what is before it is not compared.
    assert_eq!(waves(&a, &b, &options()).compared_cycles, 10);
}

#[test]
fn unknown_bits_differ_unless_told_otherwise() {
    let runs = Runs::new();
    let good = cycles(10);
    let mut unknown = good.clone();
    unknown[4].data = None;
    let (a, b) = (runs.wave("a.vcd", "tb", &good), runs.wave("b.fst", "tb", &unknown));
    let report = waves(&a, &b, &options());
    let first = report.first.unwrap();
    assert_eq!((first.cycle, first.b), (5, format!("0b{}", "x".repeat(200))));
    assert!(waves(&a, &b, &DiffOptions { x_is_dont_care: true, ..options() }).same());
    assert!(waves(&b, &a, &DiffOptions { x_is_dont_care: true, ..options() }).same());
}

#[test]
fn filters_choose_signals() {
    let runs = Runs::new();
    let good = cycles(10);
    let mut bad = good.clone();
    bad[2].label = Some(1);
    let (a, b) = (runs.wave("a.vcd", "tb", &good), runs.wave("b.vcd", "tb", &bad));
    assert!(waves(&a, &b, &DiffOptions { ignore: vec!["label".into()], ..options() }).same());
    assert!(waves(&a, &b, &DiffOptions { only: vec!["*_o".into()], ..options() }).same());
    assert!(!waves(&a, &b, &DiffOptions { only: vec!["*.label".into()], ..options() }).same());
    let error = unusable(&a, &b, &DiffOptions { only: vec!["nothing".into()], ..options() }).to_string();
    assert!(error.contains("none of the 5 common signals is left") && error.contains("widen --only"));
}

#[test]
fn widths_and_lengths_are_compared() {
    let runs = Runs::new();
    let wave = |name: &str, width: u32, cycles: u64| {
        let path = runs.dir.path().join(name);
        let mut wave = WaveWriter::create(
            &path,
            "1ns",
            &[decl("tb", "clk", 1), decl("tb", "v", width), decl("tb", "w", 2)],
        )
        .unwrap();
        for time in 0..2 * cycles {
            wave.time(time).unwrap();
            wave.change(0, &[time % 2]).unwrap();
            wave.change(1, &[1]).unwrap();
            wave.change(2, &[1]).unwrap();
        }
        wave.finish().unwrap();
        path
    };
    let (a, b) = (wave("a.vcd", 4, 5), wave("b.fst", 5, 5));
    let report = waves(&a, &b, &options());
    assert!(!report.same());
    assert_eq!((report.differences, report.compared_signals), (0, 1));
    assert!(report.render_text().contains("width: tb.v is 4 bits in A, 5 bits in B"));
    let long = wave("c.fst", 4, 8);
    let report = waves(&a, &long, &options());
    assert!(report.same() && report.render_text().contains("the last 3 cycles of B, A has ended"));
    let strict = waves(&a, &long, &DiffOptions { same_length: true, ..options() });
    assert!(!strict.same() && strict.render_text().contains("length: B goes on for 3 cycles after A ends"));
}

#[test]
fn files_that_cannot_be_compared_say_why() {
    let runs = Runs::new();
    let a = runs.wave("a.vcd", "tb", &cycles(5));
    let error = |b: &Path| unusable(&a, b, &options()).to_string();
    let other = runs.dir.path().join("other.vcd");
    let mut wave = WaveWriter::create(&other, "1ns", &[decl("x", "alpha", 1), decl("x", "beta", 1)]).unwrap();
    wave.time(5).unwrap();
    wave.finish().unwrap();
    let text = error(&other);
    assert!(text.contains("map one prefix to the other with --map FROM=TO"), "{text}");
    assert!(text.contains("tb.u_fabric.valid_o") && text.contains("2: x.alpha, x.beta"), "{text}");
    let same_names = unusable(&other, &other, &options()).to_string();
    assert!(same_names.contains("no one-bit signal named clk_i, clk, clock: name its clock"), "{same_names}");
    let clock = DiffOptions { clock: Some("alpha".into()), ..options() };
    assert!(unusable(&other, &other, &clock).to_string().contains("x.alpha of"));
    let no_reset = DiffOptions { reset: Some("nope".into()), ..options() };
    assert!(unusable(&a, &a, &no_reset).to_string().contains("no one-bit signal named nope"));

    let always = after_reset(5, &[]);
    let stuck = runs.wave("stuck.vcd", "tb", &always);
    assert!(error(&stuck).contains("never falls"));
    let trace = runs.file("t.csv", "cycle,a\n1,2\n");
    assert!(error(&trace).contains("is a waveform and"));
    assert!(error(&runs.file("e.vcd", "")).contains("is empty"));
    assert!(error(&runs.file("g.vcd", "nonsense\n")).contains("is neither VCD, nor FST, nor a CSV"));
    assert!(error(&runs.file("z.fst", "\u{0}\u{0}\u{0}\u{0}")).contains("z.fst"));
    assert!(error(&runs.dir.path().join("missing.fst")).contains("cannot read"));
    let whole = std::fs::read(&a).unwrap();
    std::fs::write(runs.dir.path().join("cut.vcd"), &whole[..whole.len() - 1]).unwrap();
    assert!(error(&runs.dir.path().join("cut.vcd")).contains("is broken"));
}

pub fn tables(a: &Path, b: &Path, options: &DiffOptions) -> TableDiff {
    match diff_files(a, b, options) {
        Ok(DiffReport::Tables(report)) => *report,
        other => panic!("{other:?}"),
    }
}

#[test]
fn traces_are_compared_row_by_row() {
    let runs = Runs::new();
    let header = "cycle,stage,switch,state\n";
    let a = runs.file("a.csv", &format!("{header}0,0,0,1\n0,0,1,0\n1,0,0,1\n2,10,0,0\n2,9,0,1\n"));
    // Inside a cycle the order does not matter.
    let same = runs.file("s.csv", &format!("{header}0,0,1,0\n0,0,0,1\n1,0,0,1\n2,9,0,1\n2,10,0,0\n"));
    let report = tables(&a, &same, &options());
    assert!(report.same());
    assert_eq!(report.render_text(), "same: 5 rows compared\n");
    let b = runs.file("b.csv", &format!("{header}0,0,0,1\n0,0,1,0\n1,0,0,0\n2,9,0,1\n3,0,0,0\n"));
    let report = tables(&a, &b, &options());
    assert_eq!((report.changed, report.only_in_a, report.only_in_b), (1, 1, 1));
    let first = report.first.clone().unwrap();
    assert_eq!((first.cycle, first.a.unwrap().line, first.b.unwrap().cells[3].as_str()), (1, 4, "0"));
    assert!(
        report
            .render_text()
            .contains("first difference: cycle 1 (cycle,stage,switch,state)\n  A line 4: 1,0,0,1\n")
    );
    let late = runs.file("l.csv", &format!("{header}7,0,0,1\n7,0,1,0\n8,0,0,1\n9,9,0,1\n9,10,0,0\n"));
    assert!(tables(&a, &late, &DiffOptions { align: Align::Cycles { a: 0, b: 7 }, ..options() }).same());

    let other = runs.file("o.csv", "cycle,output\n1,1\n");
    assert!(unusable(&a, &other, &options()).to_string().contains("the columns differ"));
    let none = runs.file("n.csv", header);
    assert!(unusable(&none, &none, &options()).to_string().contains("no row follows"));
    let unsorted = runs.file("u.csv", &format!("{header}3,0,0,1\n2,0,0,1\n"));
    assert!(unusable(&a, &unsorted, &options()).to_string().contains("sort the lines by cycle"));
}

fn any_cycles() -> impl Strategy<Value = Vec<Cycle>> {
    let value = |bits: u32| proptest::option::weighted(0.8, 0..1u64 << bits);
    let cycle = (value(1), value(33), proptest::option::weighted(0.8, any::<[u64; 3]>())).prop_map(
        |(valid, label, data)| Cycle {
            reset: false,
            valid,
            label,
            data: data.map(|limbs| [limbs[0], limbs[1], limbs[2], limbs[0] % 256]),
        },
    );
    proptest::collection::vec(cycle, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_run_equals_itself_and_any_flipped_bit_is_found(
        run in any_cycles(), at in any::<prop::sample::Index>(), bit in 0..200usize, reset in 0..4usize,
    ) {
        let runs = Runs::new();
        let a = runs.wave("a.vcd", "tb", &after_reset(2, &run));
        let same = runs.wave("b.fst", "TOP.tb", &after_reset(reset + 1, &run));
        let report = waves(&a, &same, &options());
        prop_assert!(report.same(), "{}", report.render_text());
        prop_assert_eq!(report.compared_cycles, run.len());

        let mut bad = run.clone();
        let at = at.index(run.len());
        let data = bad[at].data.get_or_insert_default();
        data[bit / 64] ^= 1 << (bit % 64);
        let bad = runs.wave("bad.fst", "TOP.tb", &after_reset(reset + 1, &bad));
        let report = waves(&a, &bad, &options());
        prop_assert_eq!(report.differences, 1);
        let first = report.first.unwrap();
        prop_assert_eq!((first.cycle, first.signal.as_str()), (at, "tb.u_fabric.data_o"));
        prop_assert_ne!(first.a, first.b);
    }
}

/// Two cycles of a clock and of a signal that is declared so.
pub fn declared(variable: &str, more: &str) -> String {
    format!(
        "$timescale 1ns $end\n$scope module tb $end\n$var wire 1 ! clk_i $end\n$var wire {variable} $end\n{more}$upscope $end\n\
         $enddefinitions $end\n#0\n0!\nb11 \"\n#5\n1!\n#10\n0!\n#15\n1!\n#20\n"
    )
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused() {
    let runs = Runs::new();
    let a = runs.file("a.vcd", &declared("8 \" data_o [7:0]", ""));
    let text = unusable(&a, "/dev/null".as_ref(), &options()).to_string();
    assert!(text.starts_with("/dev/null is not a regular file"), "{text}");
}
