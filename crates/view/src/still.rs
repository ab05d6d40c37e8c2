//! Stills: one cycle of a film, or the whole way of a round, as a drawing in SVG that needs nothing else.

use crate::film::{Film, Planned};
use crate::planned::reported_states;
use frit_network::export::{SOURCES, escape};
use std::fmt::Write;

/// What a still shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// What is in the network in a cycle, a message on the wire that it takes there.
    Cycle(u64),
    /// One round all the way, as if it were at all stages at once.
    Round(u32),
}

/// A message on a wire.
struct Token {
    lane: u32,
    round: u32,
    hop: u32,
    port: u32,
    waits: bool,
}

/// The state of each switch of the physical stages, `0`, `1` or `.`, and the messages.
struct Shown {
    states: Vec<Vec<u8>>,
    tokens: Vec<Token>,
}

/// A still of a film of rounds, of several moments one below the other. The moments are the film's.
pub fn planned(film: &Film, body: &Planned, moments: &[Moment]) -> String {
    let (width, height) = (body.layout.width, body.layout.height + 16);
    let total = height * moments.len() as u32;
    let mut svg = String::new();
    // Writing to a String cannot fail, so the results of write! are dropped here and below.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total}\" width=\"{width}\" height=\"{total}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" role=\"img\">"
    );
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{total}\" fill=\"#ffffff\"/>");
    for (place, moment) in (0..).zip(moments) {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", place * height);
        panel(&mut svg, film, body, *moment);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, film: &Film, body: &Planned, moment: Moment) {
    let shown = match moment {
        Moment::Cycle(cycle) => in_cycle(body, cycle),
        Moment::Round(round) => of_round(body, round),
    };
    let when = match moment {
        Moment::Cycle(cycle) => format!("cycle {cycle}"),
        Moment::Round(round) => format!("round {round}"),
    };
    let ways = matches!(moment, Moment::Round(_));
    head(svg, film, body, &format!("{}, {when}", film.title));
    wires(svg, body, &shown.tokens, ways);
    boxes(svg, film, body, &shown.states);
    names(svg, film, body);
    shown.tokens.iter().for_each(|token| draw_token(svg, body, token, ways));
    foot(svg, film, body);
}

/// The lane whose message each output of each hop carries in a round: `[hop][port]`.
fn way(body: &Planned, round: u32) -> Vec<Vec<Option<u32>>> {
    let lanes = body.columns[0].len();
    let mut way = vec![(0..lanes as u32).map(Some).collect::<Vec<_>>()];
    for hop in 0..body.delay.len() {
        let states = reported_states(body, round, hop as u32);
        let mut next = vec![None; lanes];
        for (port, lane) in way[hop].iter().enumerate() {
            let input = body.columns[hop][port] as usize;
            match states[input / 2] {
                b'.' => {}
                state => next[input ^ usize::from(state == b'1')] = *lane,
            }
        }
        way.push(next);
    }
    way
}

fn tokens(body: &Planned, round: u32, hop: u32, waits: bool) -> Vec<Token> {
    let carried = way(body, round).swap_remove(hop as usize);
    let on = (0..).zip(carried).filter_map(|(port, lane)| Some((port, lane?)));
    on.map(|(port, lane)| Token { lane, round, hop, port, waits }).collect()
}

fn in_cycle(body: &Planned, cycle: u64) -> Shown {
    let stages = body.layout.box_x.len();
    let switches = body.columns[0].len() / 2;
    let mut shown = Shown { states: vec![vec![b'.'; switches]; stages], tokens: vec![] };
    for (round, &injected) in (0..).zip(&body.injected) {
        let Some(since) = cycle.checked_sub(injected).filter(|&since| since <= body.latency) else {
            continue;
        };
        let acting = body.delay.iter().position(|&delay| delay == since);
        let next = body.delay.iter().position(|&delay| delay > since);
        let hops = body.delay.len();
        let hop = if since == body.latency { hops } else { acting.or(next).unwrap_or(hops) };
        let waits = since != body.latency && acting.is_none();
        if let Some(hop) = acting.filter(|_| since != body.latency) {
            shown.states[body.stage_of[hop] as usize] = reported_states(body, round, hop as u32);
        }
        shown.tokens.extend(tokens(body, round, hop as u32, waits));
    }
    shown
}

fn of_round(body: &Planned, round: u32) -> Shown {
    let hops = body.delay.len() as u32;
    let mut states = vec![vec![]; body.layout.box_x.len()];
    for hop in 0..hops {
        states[body.stage_of[hop as usize] as usize] = reported_states(body, round, hop);
    }
    let tokens = (0..=hops).flat_map(|hop| tokens(body, round, hop, false)).collect();
    Shown { states, tokens }
}

fn head(svg: &mut String, film: &Film, body: &Planned, title: &str) {
    let _ = writeln!(svg, "<text x=\"12\" y=\"20\" font-size=\"15\">{}</text>", escape(title));
    for (stage, x) in (film.words.first_stage..).zip(&body.layout.box_x) {
        let middle = x + body.layout.box_width / 2;
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"40\" text-anchor=\"middle\" fill=\"#555b66\">{} {stage}</text>",
            film.words.stage
        );
    }
}

/// The points of a wire of a hop; of that which leads back to the inputs and on to the first stage.
fn wire(body: &Planned, hop: u32, port: u32) -> Vec<(u32, u32)> {
    let (layout, hop_at) = (&body.layout, hop as usize);
    let y = |lane: u32| layout.lane_y[lane as usize];
    let from = match hop_at.checked_sub(1) {
        None => layout.input_x,
        Some(before) => layout.box_x[body.stage_of[before] as usize] + layout.box_width,
    };
    let to = body.stage_of.get(hop_at).map_or(layout.output_x, |&stage| layout.box_x[stage as usize]);
    let input = body.columns[hop_at][port as usize];
    if body.second_pass != Some(hop) {
        return vec![(from, y(port)), (to, y(input))];
    }
    let lane = body.columns[0].iter().position(|&to| to == input).expect("columns are permutations") as u32;
    let (above, right, left) = (layout.back_y[lane as usize], from + 14, layout.input_x - 14);
    vec![
        (from, y(port)),
        (right, y(port)),
        (right, above),
        (left, above),
        (left, y(lane)),
        (layout.input_x, y(lane)),
        (to, y(input)),
    ]
}

fn line(points: &[(u32, u32)]) -> String {
    points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

fn wires(svg: &mut String, body: &Planned, tokens: &[Token], ways: bool) {
    svg.push_str("<g fill=\"none\" stroke=\"#a7adb8\" stroke-width=\"1\">\n");
    let hops = body.delay.len() as u32;
    for hop in (0..=hops).filter(|&hop| body.second_pass.is_none_or(|second| hop == 0 || hop >= second)) {
        for port in 0..body.columns[0].len() as u32 {
            let _ = writeln!(svg, "<polyline points=\"{}\"/>", line(&wire(body, hop, port)));
        }
    }
    for token in tokens.iter().filter(|_| ways) {
        let points = line(&wire(body, token.hop, token.port));
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" stroke=\"{}\" stroke-width=\"1.8\"/>",
            colour(body, token)
        );
    }
    svg.push_str("</g>\n");
}

fn colour(body: &Planned, token: &Token) -> &'static str {
    SOURCES[(token.lane / body.lanes_per_terminal) as usize % SOURCES.len()]
}

fn boxes(svg: &mut String, film: &Film, body: &Planned, states: &[Vec<u8>]) {
    for (stage, row) in (0..).zip(states) {
        for (switch, state) in (0..).zip(row) {
            let [x, y, width, height] = body.layout.switch(stage, switch);
            let cross = *state == b'1';
            let fill = if cross { "#f6c9a8" } else { "#ffffff" };
            let said = match state {
                b'.' => "does not act",
                b'1' => film.words.states[1],
                _ => film.words.states[0],
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"{fill}\" stroke=\"#30343b\"><title>{} {switch} of {} {}: {said}</title></rect>",
                film.words.switch,
                film.words.stage,
                stage + film.words.first_stage
            );
            if *state == b'.' {
                continue;
            }
            let (upper, lower, right) = (y + 10, y + height - 10, x + width);
            let ends = if cross { [lower, upper] } else { [upper, lower] };
            for (start, end) in [upper, lower].into_iter().zip(ends) {
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x}\" y1=\"{start}\" x2=\"{right}\" y2=\"{end}\" stroke=\"#b5482a\" stroke-width=\"1.6\"/>"
                );
            }
        }
    }
}

fn names(svg: &mut String, film: &Film, body: &Planned) {
    for (lane, y) in (0..).zip(&body.layout.lane_y) {
        let (terminal, side) = (lane / body.lanes_per_terminal, lane % body.lanes_per_terminal);
        let name = match body.lanes_per_terminal {
            1 => terminal.to_string(),
            _ => format!("{terminal} {}", film.words.ports[side as usize]),
        };
        for (x, anchor) in [(body.layout.input_x - 18, "end"), (body.layout.output_x + 10, "start")] {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">{name}</text>", y + 4);
        }
    }
}

/// A message: in a cycle a disc on its wire, on a way only the text; who sent it, and what is left of its label.
fn draw_token(svg: &mut String, body: &Planned, token: &Token, ways: bool) {
    let points = wire(body, token.hop, token.port);
    let part = if token.waits { 0.3 } else { 0.42 };
    let back = points.len() > 2;
    let (x, y) = match (ways, points.as_slice()) {
        (true, [first, ..]) => (f64::from(first.0) + 6.0, f64::from(first.1) - 3.0),
        (false, [first, .., last]) if !back => {
            let between = |a: u32, b: u32| f64::from(a) + (f64::from(b) - f64::from(a)) * part;
            (between(first.0, last.0), between(first.1, last.1))
        }
        (_, points) => (f64::from(points[2].0) - 12.0, f64::from(points[2].1)),
    };
    let (lane, hops) = (token.lane as usize, body.delay.len());
    let label = body.labels.as_ref().map(|labels| labels[token.round as usize][lane]);
    let left =
        label.map_or(String::new(), |label| format!("{label:0hops$b}")[token.hop as usize..].to_string());
    let (source, colour) = (token.lane / body.lanes_per_terminal, colour(body, token));
    if ways {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\" font-family=\"Menlo, Consolas, monospace\"><tspan font-weight=\"bold\">{source}</tspan> {left}</text>"
        );
        return;
    }
    let ring = if body.second_pass.is_some_and(|second| token.hop >= second) {
        " stroke=\"#1d2129\" stroke-width=\"1.5\""
    } else {
        ""
    };
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\" fill=\"{colour}\"{ring}/>");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"#ffffff\" text-anchor=\"middle\">{source}</text>",
        y + 3.0
    );
    if !left.is_empty() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\" font-family=\"Menlo, Consolas, monospace\">{left}</text>",
            x - 8.0,
            y - 10.0
        );
    }
}

fn foot(svg: &mut String, film: &Film, body: &Planned) {
    let [straight, cross] = film.words.states;
    let labels = if body.labels.is_some() { ", what is left of its label" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"{}\" fill=\"#555b66\">two lines: {straight} &#160; orange: {cross} &#160; at a message: who sent it{labels}</text>",
        body.layout.height + 2
    );
}
