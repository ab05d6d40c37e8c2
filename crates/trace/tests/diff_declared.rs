//! `frit diff` and what a VCD declares: widths and ranges, sizes of 0, events, signals that one side lacks, a byte order mark.

use crate::diff::{Runs, declared, options, tables, unusable, waves};
use frit_trace::diff::DiffOptions;

#[test]
fn a_width_that_is_not_that_of_its_range_is_refused() {
    let runs = Runs::new();
    let right = runs.file("right.vcd", &declared("8 \" data_o [7:0]", ""));
    assert!(waves(&right, &right, &options()).same());
    for (at, wrong) in
        ["9 \" data_o [7:0]", "8 \" data_o [8:0]", "7 \" data_o[7:0]", "1 \" data_o [0:7]"].iter().enumerate()
    {
        let wrong = runs.file(&format!("{at}.vcd"), &declared(wrong, ""));
        let text = unusable(&right, &wrong, &options()).to_string();
        assert!(text.contains("line 4: data_o") && text.contains("one of the two is wrong"), "{text}");
    }
    // Ranges from below, of one bit, and the elements of an array.
    for (at, fine) in ["8 \" data_o [0:7]", "2 \" data_o [-1:0]", "8 \" data_o[3]", "8 \" data_o[3] [7:0]"]
        .iter()
        .enumerate()
    {
        let fine = runs.file(&format!("fine{at}.vcd"), &declared(fine, ""));
        assert!(waves(&fine, &fine, &options()).same());
    }
}

#[test]
fn a_signal_that_one_side_lacks_is_a_difference_unless_common_is_asked_for() {
    let runs = Runs::new();
    let a = runs.file("a.vcd", &declared("8 \" data_o [7:0]", ""));
    let b = runs.file("b.vcd", &declared("8 \" data_o [7:0]", "$var wire 1 # more_o $end\n"));
    for (a, b, side) in [(&a, &b, "B"), (&b, &a, "A")] {
        let report = waves(a, b, &options());
        assert_eq!((report.same(), report.differences), (false, 0));
        let text = report.render_text();
        assert!(
            text.starts_with("different: ") && text.contains(&format!("only in {side}: 1 signal (")),
            "{text}"
        );
        assert!(waves(a, b, &DiffOptions { common: true, ..options() }).same());
        assert!(waves(a, b, &DiffOptions { only: vec!["data_o".into()], ..options() }).same());
        assert!(waves(a, b, &DiffOptions { ignore: vec!["more_o".into()], ..options() }).same());
    }
}

/// Three cycles of a clock and of a signal `X` that is declared so, with its values in the second and in the third.
fn valued(variable: &str, values: [&str; 2]) -> String {
    format!(
        "$timescale 1ns $end\n$scope module tb $end\n$var wire 1 ! clk_i $end\n$var {variable} X x $end\n$upscope $end\n\
         $enddefinitions $end\n#0\n0!\n#5\n1!\n#10\n0!\n{}#15\n1!\n#20\n0!\n{}#25\n1!\n#30\n",
        values[0], values[1]
    )
}

#[test]
fn a_signal_with_a_size_of_0_is_compared_by_what_its_values_are() {
    let runs = Runs::new();
    for (variable, sized, values) in [
        ("wire 0", "string 1", ["sONE X\n", "sTWO X\n", "sTHREE X\n"]),
        ("parameter 0", "real 64", ["r2.5 X\n", "r3.0 X\n", "r1e-3 X\n"]),
        ("reg 0", "reg 4", ["b1010 X\n", "b1 X\n", "0X\n"]),
        ("reg\r0", "reg 1", ["1X\n", "0X\n", "xX\n"]),
    ] {
        let [one, two, three] = values;
        let file = |name: &str, variable: &str, values| runs.file(name, &valued(variable, values));
        let (a, b) = (file("a.vcd", variable, [one, two]), file("b.vcd", variable, [one, three]));
        let report = waves(&a, &b, &options());
        let first = report.first.as_ref().map(|first| (first.cycle, first.signal.as_str()));
        assert_eq!(first, Some((2, "tb.x")), "{variable}: {}", report.render_text());
        assert!(waves(&a, &a, &options()).same());
        // What is declared with the size of its values is the same signal.
        let declared = file("c.vcd", sized, [one, two]);
        assert!(waves(&a, &declared, &options()).same(), "{variable}");
        assert!(waves(&b, &declared, &options()).first.is_some(), "{variable}");
        // A side on which nothing says what it is differs.
        let never = file("d.vcd", variable, ["", ""]);
        assert!(!waves(&a, &never, &options()).same() && !waves(&never, &a, &options()).same(), "{variable}");
    }
    let mixed = runs.file("mixed.vcd", &valued("wire 0", ["sONE X\n", "r1 X\n"]));
    let text = unusable(&mixed, &mixed, &options()).to_string();
    assert!(
        text.contains("line 18: the values of \"X\" are of two kinds, a string and a real signal"),
        "{text}"
    );
    let without = runs.file("without.vcd", &valued("wire 0", ["b X\n", "b X\n"]));
    let error = unusable(&without, &without, &options()).to_string();
    assert!(error.contains(" common signals is left to compare "), "{error}");
}

#[test]
fn an_event_that_one_side_lacks_is_a_difference() {
    let runs = Runs::new();
    let plain = runs.file("a.vcd", &declared("8 \" data_o [7:0]", ""));
    let event = runs.file("b.vcd", &declared("8 \" data_o [7:0]", "$var event 1 # done $end\n"));
    let bit = runs.file("c.vcd", &declared("8 \" data_o [7:0]", "$var wire 1 # done $end\n"));
    for (a, b, side) in [(&plain, &event, "B"), (&event, &plain, "A")] {
        let text = waves(a, b, &options()).render_text();
        assert!(text.contains(&format!("only in {side}: 1 signal (tb.done)")), "{text}");
        assert!(waves(a, b, &DiffOptions { common: true, ..options() }).same());
    }
    let report = waves(&event, &event, &options());
    assert_eq!((report.same(), report.compared_signals), (true, 1));
    let report = waves(&event, &bit, &options());
    assert_eq!((report.width_mismatches[0].a.as_str(), report.same()), ("event", false));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    let runs = Runs::new();
    let marked = |name: &str, text: &str| {
        let plain = runs.file(name, text);
        (plain, runs.file(&format!("marked-{name}"), &format!("\u{feff}{text}")))
    };
    let (plain, with) = marked("a.vcd", &declared("8 \" data_o [7:0]", ""));
    let text = valued("wire 0", ["sONE X\n", "sTWO X\n"]);
    for (plain, with) in [(plain, with), marked("b.vcd", &text), marked("c.vcd", &text.replace('\n', "\r\n"))]
    {
        assert!(waves(&plain, &with, &options()).same() && waves(&with, &with, &options()).same());
    }
    let broken = runs.file("broken.vcd", &format!("\u{feff}{}1?\n", declared("8 \" data_o [7:0]", "")));
    assert!(unusable(&broken, &broken, &options()).to_string().contains("line 17: "));
    let (plain, with) = marked("t.csv", "cycle,x\n1,1\n2,5\n");
    assert!(tables(&plain, &with, &options()).same() && tables(&with, &with, &options()).same());
}
