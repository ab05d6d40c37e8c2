//! An uneven exchange as one drawing: the demand, its configurations, and what arrives where and when.

use frit_demand::run::Arrival;
use frit_demand::{Demand, Exchange};
use frit_network::TerminalIdx;
use frit_network::drawing::{SOURCES, ink_on, look, sheet};
use std::fmt::Write;

/// Above so many terminals rows are too thin to be seen.
pub const MAX_TERMINALS: u32 = 128;
/// Width of the time line, and of the square of the demand.
const WIDTH: f64 = 900.0;
const SQUARE: f64 = 240.0;
/// The left edge, and what stands between two parts.
const LEFT: f64 = 48.0;
const GAP: f64 = 40.0;
/// Between two lines of text, and the room for the legend's heading.
const LINE: f64 = 18.0;
const LEGEND: f64 = 140.0;

/// The drawing, in SVG: words from a source are of its colour.
pub fn timeline(demand: &Demand, exchange: &Exchange, arrivals: &[Arrival]) -> String {
    let n = demand.terminals();
    let row = (SQUARE / f64::from(n)).clamp(4.0, 18.0);
    let top = GAP + SQUARE + 2.0 * GAP;
    let height = top + 30.0 + row * f64::from(n) + 34.0 + LINE;
    let mut svg = sheet((LEFT + WIDTH + 20.0) as u32, height as u32);
    square(&mut svg, demand);
    let bound = demand.cycles_bound(exchange.machine.latency(), exchange.machine.lanes_per_terminal());
    let lines = [
        format!("{}: {} words between {} pairs", exchange.machine.name(), demand.total(), demand.nonzeros()),
        format!("no terminal sends or receives more than h = {}; skew {:.2}", demand.h(), demand.skew()),
        format!("{} configurations, {} rounds", exchange.slots.len(), exchange.rounds()),
        format!("{} cycles; no plan needs fewer than {bound}", exchange.cycles()),
    ];
    for (line, y) in lines.iter().zip((0..).map(|at| GAP + 12.0 + 18.0 * f64::from(at))) {
        text(&mut svg, [LEFT + SQUARE + GAP, y], "start", line);
    }
    let scale = WIDTH / (exchange.cycles() + 1) as f64;
    text(
        &mut svg,
        [LEFT, top - 22.0],
        "start",
        "Above: configurations, by the rounds for which they are held. Below: words that arrive at each terminal (row), with the source.",
    );
    let mut from = 0;
    for (at, slot) in exchange.slots.iter().enumerate() {
        let title = format!("configuration {at}: rounds {from} to {}", from + u64::from(slot.hold) - 1);
        let colour = ["#b8c4d6", "#e4e9f0"][at % 2];
        let bar = [LEFT + from as f64 * scale, top, f64::from(slot.hold) * scale, 14.0];
        rectangle(&mut svg, bar, colour, &title);
        from += u64::from(slot.hold);
    }
    let body = top + 24.0;
    for terminal in 0..n {
        label(&mut svg, [LEFT - 6.0, body + row * (f64::from(terminal) + 0.75)], TerminalIdx(terminal), row);
    }
    for [output, source, first, last] in runs(arrivals) {
        let bar = [
            LEFT + first as f64 * scale,
            body + row * output as f64,
            (last - first + 1) as f64 * scale,
            row - 1.0,
        ];
        let colour = look(source as u32).colour;
        rectangle(&mut svg, bar, colour, &format!("{source} to {output}: cycles {first} to {last}"));
        if row > 9.0 && bar[2] > 16.0 {
            let at = [bar[0] + bar[2] / 2.0, bar[1] + row * 0.72];
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{}\">{source}</text>",
                at[0],
                at[1],
                ink_on(colour)
            );
        }
    }
    let foot = body + row * f64::from(n) + 16.0;
    text(&mut svg, [LEFT, foot], "start", "cycle 0");
    text(&mut svg, [LEFT + WIDTH, foot], "end", &format!("cycle {}", exchange.cycles()));
    legend(&mut svg, n, foot + LINE);
    svg + "</svg>\n"
}

/// Which colour words of which source have.
fn legend(svg: &mut String, n: u32, y: f64) {
    text(svg, [LEFT, y], "start", "words from terminal");
    let each = (WIDTH - LEGEND) / SOURCES.len() as f64;
    for (first, at) in (0..n.min(SOURCES.len() as u32)).zip(0..) {
        let x = LEFT + LEGEND + each * f64::from(at);
        let sources: Vec<u32> = (first..n).step_by(SOURCES.len()).collect();
        let named = match sources[..] {
            [a, b, _, .., last] => format!("{a}, {b} … {last}"),
            _ => sources.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        };
        rectangle(svg, [x, y - 10.0, 12.0, 12.0], look(first).colour, &format!("words from {named}"));
        text(svg, [x + 17.0, y], "start", &named);
    }
}

/// The demand as a square: the more words, the darker.
fn square(svg: &mut String, demand: &Demand) {
    let n = demand.terminals();
    let cell = SQUARE / f64::from(n);
    let most = demand.matrix().iter().copied().max().unwrap_or(0).max(1);
    text(
        svg,
        [LEFT, GAP - 12.0],
        "start",
        &format!("words from terminal (row) to terminal (column); black is {most}"),
    );
    for source in 0..n {
        label(svg, [LEFT - 6.0, GAP + cell * (f64::from(source) + 0.6) + 2.0], TerminalIdx(source), cell);
    }
    for (source, destination, words) in demand.pairs() {
        let shade = 235 - (f64::from(words) / f64::from(most) * 215.0) as u32;
        let at = [LEFT + cell * f64::from(destination), GAP + cell * f64::from(source), cell, cell];
        let title = format!("{source} to {destination}: {words} words");
        rectangle(svg, at, &format!("#{shade:02x}{shade:02x}{shade:02x}"), &title);
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{GAP}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"none\" stroke=\"#6a7382\"/>"
    );
}

/// Words of one source that arrive at one terminal in one cycle after the other: output, source, the first cycle and the last.
fn runs(arrivals: &[Arrival]) -> Vec<[u64; 4]> {
    let mut words: Vec<[u64; 3]> =
        arrivals.iter().map(|a| [a.output.into(), a.source.into(), a.cycle]).collect();
    words.sort_unstable();
    let joined = |a: &[u64; 3], b: &[u64; 3]| a[..2] == b[..2] && b[2] == a[2] + 1;
    words.chunk_by(joined).map(|run| [run[0][0], run[0][1], run[0][2], run[run.len() - 1][2]]).collect()
}

/// The number of a terminal beside its row, where rows have room for it.
fn label(svg: &mut String, at: [f64; 2], terminal: TerminalIdx, row: f64) {
    if row > 9.0 || terminal.0.is_multiple_of(8) {
        text(svg, at, "end", &terminal.to_string());
    }
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, line: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#1d2129\">{line}</text>"
    );
}

fn rectangle(svg: &mut String, [x, y, width, height]: [f64; 4], fill: &str, title: &str) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\"><title>{title}</title></rect>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_demand::run::run;
    use frit_demand::{Kind, benes, generate};

    #[test]
    fn every_pair_configuration_and_word_is_drawn() {
        let demand = generate(&Kind::named("zipf").unwrap(), 8, 3).unwrap();
        let exchange = benes::plan(&demand).unwrap();
        let mut arrivals: Vec<Arrival> = Vec::new();
        run(&demand, &exchange, &mut arrivals).unwrap();
        let runs = runs(&arrivals);
        assert_eq!(runs.iter().map(|run| run[3] - run[2] + 1).sum::<u64>(), demand.total());
        let svg = timeline(&demand, &exchange, &arrivals);
        // With a legend of the eight colours.
        let drawn = demand.nonzeros() as usize + exchange.slots.len() + runs.len() + 8;
        assert_eq!(svg.matches("<title>").count(), drawn);
        for source in 0..8 {
            let sample = format!("fill=\"{}\"><title>words from {source}</title>", look(source).colour);
            assert_eq!(svg.matches(&sample).count(), 1, "{sample}");
        }
        // One word later: a run falls in two.
        let mut late = arrivals.clone();
        let pair = |a: &&mut Arrival| (a.output, a.source) == (arrivals[0].output, arrivals[0].source);
        late.iter_mut().filter(pair).nth(1).unwrap().cycle += 1000;
        assert!(self::runs(&late).len() > runs.len());
    }
}
