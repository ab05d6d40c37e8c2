//! The figure of docs/latin.md: intervals that tile the positions behind each stage.

use expect_test::expect_file;
use frit_network::RoundIdx;
use frit_network::shuffle;
use frit_schedule::window::WindowLabels;
use std::fmt::Write;

/// Colours of intervals that lie side by side.
const COLOURS: [&str; 2] = ["#cfe3f7", "#fbe3c0"];
const CELL: u32 = 52;
const ROW: u32 = 62;
const LEFT: u32 = 96;

/// Behind stage k, by position: the source whose message is there and the number c of its interval.
fn behind(rule: WindowLabels, k: u32) -> Vec<(u32, i64)> {
    let (n, m) = (i64::from(rule.terminals), rule.stages);
    let (q, l) = (n / 2, 1i64 << (m - k));
    let mut row = vec![None; n as usize];
    for source in 0..rule.terminals {
        let x = (i64::from(source) << m) + rule.label(RoundIdx(0), source) as i64;
        let v = i64::from(source) << (k - 1);
        assert_eq!((x - l * v) % q, 0, "X = L v + q c");
        let position = (x.div_euclid(l) % n) as usize;
        // Intervals a turn of all positions apart are the same.
        let c = ((x - l * v) / q).rem_euclid(l);
        assert_eq!(row[position].replace((source, c)), None, "two messages at {position}");
    }
    row.into_iter().map(|at| at.expect("every position is taken")).collect()
}

fn figure(rule: WindowLabels) -> String {
    let (n, m) = (rule.terminals, rule.stages);
    let (width, height) = (LEFT + n * CELL + 12, (m + 1) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <title>gsen --algorithm latin, N = {n}: the messages of round 0 by position</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut text = |x: u32, y: u32, text: String| {
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
    };
    text(LEFT / 2, 34, "position".into());
    (0..n).for_each(|x| text(LEFT + x * CELL + CELL / 2, 34, x.to_string()));
    for k in 1..=m {
        let top = k * ROW - 10;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">behind {k}</text>", LEFT / 2, top + 25);
        for (x, (source, c)) in (0..).zip(behind(rule, k)) {
            let (left, colour) = (LEFT + x * CELL, COLOURS[(c % 2) as usize]);
            let _ = writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"42\" fill=\"{colour}\" stroke=\"#666\"/>\n\
                 <text x=\"{mid}\" y=\"{}\">{source}</text>\n\
                 <text x=\"{mid}\" y=\"{}\" font-size=\"10\" fill=\"#444\">c = {c}</text>",
                top + 20,
                top + 35,
                mid = left + CELL / 2
            );
        }
    }
    svg + "</svg>\n"
}

#[test]
fn intervals_tile_the_positions() {
    let rule = |terminals: u32| WindowLabels { terminals, stages: shuffle::stages(terminals.into()) };
    for terminals in (6..=130).step_by(4) {
        for k in 1..=rule(terminals).stages {
            let row = behind(rule(terminals), k);
            // An interval is in one piece: as many ends, going round, as there are intervals.
            let mut intervals: Vec<i64> = row.iter().map(|&(_, c)| c).collect();
            let ends = (0..row.len()).filter(|&x| row[x].1 != row[(x + 1) % row.len()].1).count();
            intervals.sort_unstable();
            intervals.dedup();
            assert_eq!(
                ends,
                if intervals.len() == 1 { 0 } else { intervals.len() },
                "N = {terminals}, k = {k}"
            );
        }
    }
    expect_file!["../../../docs/images/latin_intervals.svg"].assert_eq(&figure(rule(10)));
}
