//! The rotator, the baseline beside the table of systems, on the binary.

use crate::common;

use common::{json, run};

#[test]
fn round_k_turns_by_k_and_the_model_and_rust_hdl_agree() {
    let (text, _) = run("schedule rotator -n 4", 0);
    let rounds =
        ["    0    00  0 1 2 3", "    1    01  1 2 3 0", "    2    10  2 3 0 1", "    3    11  3 0 1 2"];
    assert!(text.contains(&rounds.join("\n")), "{text}");
    for (terminals, cycles) in [(4, 5), (8, 10), (16, 19)] {
        let found = json(&format!("verify rotator -n {terminals} -w 8 --engines rust-hdl"), 0);
        assert_eq!(found["cycles"], cycles, "{found}");
        assert_eq!(found["rust_hdl"]["agrees"], true, "{found}");
    }
}

#[test]
fn it_has_a_row_in_a_comparison_that_names_it() {
    let report = json("compare -n 16 --systems rls,rotator", 0);
    let row = &report["rows"][1];
    let figures =
        ["rounds", "cycles", "cycles_lower_bound", "stages", "switches", "drivers", "stored_bits", "wires"];
    assert_eq!(figures.map(|figure| row[figure].as_u64().unwrap()), [16, 19, 19, 4, 32, 4, 0, 48], "{row}");
    let (text, _) = run("compare -n 16 --systems rls,rotator", 0);
    assert!(
        text.lines().any(|line| line.starts_with("rotator") && line.ends_with("pairs of 2:1 multiplexers")),
        "{text}"
    );
    assert!(!run("compare -n 16", 0).0.contains("rotator"));
}

#[test]
fn what_draws_switches_refuses_it() {
    for (command, expected) in [
        (
            "view rotator -n 8 -o page.html",
            "a page does not exist for rotator, which has multiplexers in place of 2x2 switches",
        ),
        ("view rotator --demand examples/demand4.csv -o page.html", "a page does not exist for rotator"),
        ("network rotator -n 8", "a network of switches does not exist for rotator, "),
        ("compare -n 8 --systems rls,rotator --plot plot.svg", "rotator is not one of them; leave it out"),
        ("simulate rotator -n 6", "the rotator does not exist with 6 terminals"),
    ] {
        let (_, text) = run(command, 2);
        assert!(text.contains(expected), "{command}: {text}");
    }
}
