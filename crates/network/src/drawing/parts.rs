//! The parts of a drawing: headings, wires, switches, terminals, messages, and what stands below.

use super::{Act, Message, Scene, Shown, WRONG, Words, escape, ink_on, sheet, text_width};
use crate::ids::{PortIdx, RoundIdx};
use crate::network::SwitchState;
use std::collections::BTreeMap;
use std::fmt::Write;

const QUIET: &str = "#555b66";
const TEXT: &str = "#1d2129";
const CROSS_FILL: &str = "#f6c9a8";
const MONOSPACE: &str =
    "stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\" font-family=\"Menlo, Consolas, monospace\"";
const CIRCLE: u32 = 18;
/// From the beginning of a wire to the middle of the message on it.
const BESIDE: f64 = 10.0;

/// From the middle of text to its base line.
fn middle(size: f64) -> u32 {
    (0.36 * size).round() as u32
}

/// From a line of text to the next.
pub(super) fn line_height(size: f64) -> u32 {
    (1.64 * size).round() as u32
}

/// A scene with text so large.
pub(super) fn scene(svg: &mut String, scene: &Scene, size: f64) {
    let title = escape(&scene.title);
    let _ = writeln!(svg, "<text x=\"12\" y=\"20\" font-size=\"1.36em\">{title}</text>");
    headings(svg, scene);
    blocks(svg, scene);
    wires(svg, scene);
    switches(svg, scene);
    if scene.words == Words::OPTICAL {
        processors(svg, scene, size)
    } else {
        names(svg, scene, size)
    }
    match scene.shown {
        Shown::Ways => labels(svg, scene, size),
        Shown::Discs => {
            scene.messages.iter().for_each(|(message, waits)| disc(svg, scene, message, *waits, size))
        }
    }
    foot(svg, scene, size);
}

fn heading(svg: &mut String, middle: u32, text: &str) {
    let _ =
        writeln!(svg, "<text x=\"{middle}\" y=\"40\" text-anchor=\"middle\" fill=\"{QUIET}\">{text}</text>");
}

/// What a column of switches is called.
fn stage(scene: &Scene, column: u32) -> String {
    let Words { stage, first_stage, .. } = scene.words;
    match scene.again.and_then(|again| column.checked_sub(again)) {
        Some(column) => format!("{stage} {}, second pass", first_stage + column),
        None => format!("{stage} {}", first_stage + column),
    }
}

fn headings(svg: &mut String, scene: &Scene) {
    let (words, layout) = (scene.words, scene.layout);
    for (column, x) in (0..).zip(&layout.box_x) {
        heading(svg, x + layout.box_width / 2, &stage(scene, column));
    }
    if words.first_stage > 0 {
        // The terminals are a level of their own, the first and the last.
        let last = words.first_stage + layout.box_x.len() as u32;
        for (x, level) in [(layout.input_x - 44, 0), (layout.output_x + 44, last)] {
            heading(svg, x, &format!("{} {level}", words.stage));
        }
    }
}

fn blocks(svg: &mut String, scene: &Scene) {
    for block in &scene.blocks {
        let layout = scene.layout;
        let inset = 2 * block.stage;
        let [x, top, box_width, _] = layout.switch(block.stage, block.rows.start);
        let [_, last, _, height] = layout.switch(block.stage, block.rows.end - 1);
        let (x, y) = (x - 20, top + inset - 5);
        let (width, height) = (layout.width - 4 - inset - x, last + height + 5 - inset - y);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#30343b\" fill-opacity=\"0.04\" stroke=\"{QUIET}\" stroke-dasharray=\"5 4\"/>"
        );
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" fill=\"{QUIET}\" {MONOSPACE}>{}</text>",
            // Behind the messages, above the first wire.
            x + 20 + box_width + layout.lead + 8,
            y + 9,
            escape(&block.name)
        );
    }
}

/// The points of a wire of a hop; of that which leads back to the inputs and on to the first stage.
fn wire(scene: &Scene, hop: u32, port: PortIdx) -> Vec<(u32, u32)> {
    let (layout, hop_at) = (scene.layout, hop as usize);
    let y = |lane: u32| layout.lane_y[lane as usize];
    let from = match hop_at.checked_sub(1) {
        None => layout.input_x,
        Some(before) => layout.box_x[scene.stage_of[before] as usize] + layout.box_width,
    };
    let to = scene.stage_of.get(hop_at).map_or(layout.output_x, |&stage| layout.box_x[stage as usize]);
    let input = scene.columns[hop_at][port.idx()];
    let lead = |from: u32, port: u32| match y(port) == y(input) {
        true => vec![(from, y(port)), (to, y(input))],
        false => vec![(from, y(port)), (from + layout.lead, y(port)), (to, y(input))],
    };
    if scene.second_pass != Some(hop) {
        return lead(from, port.0);
    }
    let lane = scene.columns[0].iter().position(|&to| to == input).expect("columns are permutations") as u32;
    let (above, right, left) = (layout.back_y[lane as usize], from + 14, layout.input_x - 14);
    let back = [(from, y(port.0)), (right, y(port.0)), (right, above), (left, above), (left, y(lane))];
    back.into_iter().chain(lead(layout.input_x, lane)).collect()
}

fn line(points: &[(u32, u32)]) -> String {
    points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

/// The messages of each wire that has some.
fn carried<'a>(scene: &'a Scene) -> BTreeMap<(u32, PortIdx), Vec<&'a Message>> {
    let mut carried: BTreeMap<_, Vec<&Message>> = BTreeMap::new();
    for (message, _) in &scene.messages {
        carried.entry((message.hop, message.port)).or_default().push(message);
    }
    carried
}

/// The colour of a wire with these messages: two of them are one too many.
fn wire_colour(scene: &Scene, messages: &[&Message]) -> &'static str {
    if messages.len() > 1 { WRONG } else { scene.look(messages[0].lane).colour }
}

fn wires(svg: &mut String, scene: &Scene) {
    svg.push_str("<g fill=\"none\" stroke=\"#a7adb8\" stroke-width=\"1\">\n");
    let ways = if scene.shown == Shown::Ways { carried(scene) } else { BTreeMap::new() };
    let once = |hop: &u32| scene.second_pass.is_none_or(|second| *hop == 0 || *hop >= second);
    for hop in (0..=scene.hops()).filter(once) {
        for port in
            PortIdx::all(scene.columns[0].len() as u32).filter(|&port| !ways.contains_key(&(hop, port)))
        {
            let _ = writeln!(svg, "<polyline points=\"{}\"/>", line(&wire(scene, hop, port)));
        }
    }
    for ((hop, port), messages) in &ways {
        let (points, colour) = (line(&wire(scene, *hop, *port)), wire_colour(scene, messages));
        let dashes = if messages.len() > 1 { String::new() } else { scene.look(messages[0].lane).dashed() };
        let _ =
            writeln!(svg, "<polyline points=\"{points}\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes}/>");
    }
    svg.push_str("</g>\n");
}

/// The frame of a switch that is stuck.
const STUCK: &str = " stroke-width=\"2.4\" stroke-dasharray=\"4 2.5\"";

/// A switch: its box and what is connected within it. `said` is its tooltip, `dashes` that of the frame.
fn switch(
    svg: &mut String,
    [x, y, width, height]: [u32; 4],
    act: Option<Act>,
    round: RoundIdx,
    dashes: &str,
    said: &str,
) {
    let cross = act == Some(Act::Set(SwitchState::Cross));
    let fill = if cross { CROSS_FILL } else { "#ffffff" };
    let contested = matches!(act, Some(Act::Forced { contested: true, .. }));
    let (frame, inside) = if contested { (WRONG, WRONG) } else { ("#30343b", "#b5482a") };
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\" fill=\"{fill}\" stroke=\"{frame}\"{dashes}><title>{said}</title></rect>"
    );
    let (upper, lower, right) = (y + 10, y + height - 10, x + width);
    let ways = match act {
        None | Some(Act::Idle) => return,
        Some(Act::Set(SwitchState::Straight)) => [[true, false], [false, true]],
        Some(Act::Set(SwitchState::Cross)) => [[false, true], [true, false]],
        Some(Act::Forced { ways, .. }) => ways,
    };
    let ends = [upper, lower];
    for (start, way) in ends.into_iter().zip(ways) {
        for (end, _) in ends.into_iter().zip(way).filter(|(_, way)| *way) {
            let _ = writeln!(
                svg,
                "<line x1=\"{x}\" y1=\"{start}\" x2=\"{right}\" y2=\"{end}\" stroke=\"{inside}\" stroke-width=\"1.6\"/>"
            );
        }
    }
}

fn switches(svg: &mut String, scene: &Scene) {
    let (words, layout) = (scene.words, scene.layout);
    let round = if words == Words::OPTICAL { 12 } else { 3 };
    for stage in 0..layout.box_x.len() as u32 {
        let column = self::stage(scene, stage);
        for place in 0..layout.lane_y.len() as u32 / 2 {
            let act = scene.acts.as_ref().map(|acts| acts[stage as usize][place as usize]);
            let name = format!("{} {place} of {column}", words.switch);
            let said = match act {
                None => name,
                Some(Act::Idle) => format!("{name}: does not act"),
                Some(Act::Set(state)) => format!("{name}: {}", words.states[usize::from(state.bit())]),
                Some(Act::Forced { contested: false, .. }) => name,
                Some(Act::Forced { .. }) => format!("{name}: several messages want one output, a conflict"),
            };
            let (dashes, stuck) = match scene.stuck.contains(&(stage, place)) {
                true => (STUCK, ", stuck"),
                false => ("", ""),
            };
            switch(svg, layout.switch(stage, place), act, RoundIdx(round), dashes, &format!("{said}{stuck}"));
        }
    }
}

/// The numbers of terminals, and their lanes' names where they have several.
fn names(svg: &mut String, scene: &Scene, size: f64) {
    let lanes = scene.lanes_per_terminal;
    // Without stages messages wait in front of their wires.
    let room = if scene.stage_of.is_empty() { 22 } else { 18 };
    for (lane, y) in (0..).zip(&scene.layout.lane_y) {
        let name = match lanes {
            1 => lane.to_string(),
            _ => format!("{} {}", lane / lanes, scene.words.ports[(lane % lanes) as usize % 2]),
        };
        for (x, anchor) in [(scene.layout.input_x - room, "end"), (scene.layout.output_x + 10, "start")] {
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">{name}</text>",
                y + middle(size)
            );
        }
    }
}

/// Processors as circles, in the row of their routers; they send at the left and receive at the right.
fn processors(svg: &mut String, scene: &Scene, size: f64) {
    let (layout, lanes) = (scene.layout, scene.lanes_per_terminal);
    // The colour of what a lane sends and receives: (receives, lane).
    let mut ends = BTreeMap::new();
    if scene.shown == Shown::Ways {
        for ((hop, port), messages) in carried(scene) {
            let colour = wire_colour(scene, &messages);
            if hop == 0 {
                ends.insert((false, port), colour);
            } else if hop == scene.hops() {
                ends.insert((true, PortIdx(scene.columns[hop as usize][port.idx()])), colour);
            }
        }
    }
    let terminals = layout.lane_y.len() as u32 / lanes;
    let bits = terminals.max(2).ilog2();
    let seen = |port| ends.get(&port).copied().unwrap_or("#a7adb8");
    for terminal in 0..terminals {
        let own = terminal * lanes..(terminal + 1) * lanes;
        let middle = (layout.lane_y[own.start as usize] + layout.lane_y[own.end as usize - 1]) / 2;
        // In bits, if the circle has room for them.
        let name = match 0.6 * size * f64::from(bits + 1) < f64::from(2 * CIRCLE) {
            true => format!("P{terminal:0bits$b}", bits = bits as usize),
            false => format!("P{terminal}"),
        };
        for (receives, x, port) in
            [(false, layout.input_x - 44, layout.input_x), (true, layout.output_x + 44, layout.output_x)]
        {
            for lane in own.clone() {
                let (y, colour) = (layout.lane_y[lane as usize], seen((receives, PortIdx(lane))));
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x}\" y1=\"{middle}\" x2=\"{port}\" y2=\"{y}\" stroke=\"{colour}\"/>"
                );
            }
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{middle}\" r=\"{CIRCLE}\" fill=\"#ffffff\" stroke=\"#30343b\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                middle + self::middle(size)
            );
        }
    }
}

/// Who sent what is on a wire, and what is left of its label: above the wire, and where several messages want it, the others below it.
fn labels(svg: &mut String, scene: &Scene, size: f64) {
    let message = |message: &&Message| {
        let source = message.lane.0 / scene.lanes_per_terminal;
        format!("<tspan font-weight=\"bold\">{source}</tspan> {}", escape(&message.left))
    };
    for ((hop, port), messages) in carried(scene) {
        let first = wire(scene, hop, port)[0];
        let colour = if messages.len() > 1 { WRONG } else { TEXT };
        let (above, below) = messages.split_at(1);
        for (messages, y) in [(above, first.1 - 3), (below, first.1 + (0.9 * size) as u32 + 1)] {
            if messages.is_empty() {
                continue;
            }
            let text: Vec<String> = messages.iter().map(message).collect();
            let (x, text) = (first.0 + 6, text.join(" "));
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" {MONOSPACE}>{text}</text>");
        }
    }
}

/// Where a message stands: behind the register that holds it, on the straight beginning of its wire, where no wire crosses. On the
/// way back to the inputs a message that waits has a place of its own above the network; one that acts enters at the input.
/// `rest` in `planned.js` of the page says the same.
fn place(scene: &Scene, message: &Message, waits: bool) -> [f64; 2] {
    let layout = scene.layout;
    let points = wire(scene, message.hop, message.port);
    let beside = |(x, y): (u32, u32), dx: f64| [f64::from(x) + dx, f64::from(y)];
    if scene.second_pass != Some(message.hop) {
        let dx = match (waits, message.hop) {
            (false, _) => BESIDE,
            (true, 0) => -BESIDE,
            (true, _) => f64::from(layout.lead) / 2.0,
        };
        return beside(points[0], dx);
    }
    if !waits {
        return beside(points[5], BESIDE);
    }
    let (right, left) = (f64::from(points[2].0), f64::from(points[3].0));
    let part = (f64::from(message.port.0) + 0.5) / layout.lane_y.len() as f64;
    [left + (right - left) * part, f64::from(points[2].1)]
}

/// A message in a cycle: a mark on its wire, which has room for the longest number of a source.
fn disc(svg: &mut String, scene: &Scene, message: &Message, waits: bool, size: f64) {
    let sources = scene.layout.lane_y.len() as u32 / scene.lanes_per_terminal;
    // A digit is 0.56 of the height of its font wide.
    let width = 0.56 * f64::from(sources.saturating_sub(1).max(1).ilog10() + 1);
    let radius = (width * size / 2.0 + 0.6).clamp(8.0, BESIDE);
    let digits = (10.0 * size.min((2.0 * radius - 1.0) / width)).round() / 10.0;
    let at = place(scene, message, waits);
    let (source, look) = (message.lane.0 / scene.lanes_per_terminal, scene.look(message.lane));
    let ring = match scene.second_pass {
        Some(second) if message.hop >= second => " stroke=\"#1d2129\" stroke-width=\"1.5\"",
        _ => "",
    };
    let _ = writeln!(svg, "{}", look.mark(at, radius, ring));
    let [x, y] = at;
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{digits}\" fill=\"{}\" text-anchor=\"middle\">{source}</text>",
        y + 0.36 * digits,
        ink_on(look.colour)
    );
    if !message.left.is_empty() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" {MONOSPACE}>{}</text>",
            x + radius + 3.0,
            y - 3.0,
            escape(&message.left)
        );
    }
}

/// The lines below a drawing: what its signs mean, then its notes.
fn foot_lines(scene: &Scene) -> Vec<String> {
    let [straight, cross] = scene.words.states;
    let mut legend = Vec::new();
    if scene.acts.iter().flatten().flatten().any(|act| matches!(act, Act::Set(_))) {
        legend.push(format!("two lines: {straight} &#160; orange: {cross}"));
    }
    if !scene.stuck.is_empty() {
        legend.push("dashed frame: stuck".into());
    }
    if !scene.messages.is_empty() {
        let left = scene.messages.iter().any(|(message, _)| !message.left.is_empty());
        legend.push(format!(
            "at a message: who sent it{}",
            if left { ", what is left of its label" } else { "" }
        ));
    }
    let legend = (!legend.is_empty()).then(|| legend.join(" &#160; "));
    legend.into_iter().chain(scene.notes.iter().map(|note| escape(note))).collect()
}

/// How wide the title and the lines below are.
pub(super) fn texts_width(scene: &Scene, size: f64) -> u32 {
    let below = foot_lines(scene).iter().map(|line| text_width(line, size)).max().unwrap_or(0);
    below.max(text_width(&scene.title, 1.36 * size))
}

fn foot(svg: &mut String, scene: &Scene, size: f64) {
    for (place, text) in (0..).zip(foot_lines(scene)) {
        let _ = writeln!(
            svg,
            "<text x=\"12\" y=\"{}\" fill=\"{QUIET}\">{text}</text>",
            scene.layout.height + 2 + line_height(size) * place
        );
    }
}

/// A switch in its two states, with the names of its ports.
pub fn states(words: &Words) -> String {
    let mut svg = sheet(620, 190);
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"20\" font-size=\"1.36em\">The two states of a {}</text>",
        words.switch
    );
    let round = if *words == Words::OPTICAL { 20 } else { 3 };
    for (place, state) in (0..).zip([SwitchState::Straight, SwitchState::Cross]) {
        let [x, y, width, height] = [110 + 300 * place, 50, 90, 80];
        for (port, y) in words.ports.into_iter().zip([y + 10, y + height - 10]) {
            for (side, from, to, anchor, at) in [
                ("in", x - 34, x, "end", x - 40),
                ("out", x + width, x + width + 34, "start", x + width + 40),
            ] {
                let _ = writeln!(
                    svg,
                    "<line x1=\"{from}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"#30343b\"/><text x=\"{at}\" y=\"{}\" text-anchor=\"{anchor}\">{side}_{port}</text>",
                    y + 4
                );
            }
        }
        let name = words.states[place as usize];
        switch(
            &mut svg,
            [x, y, width, height],
            Some(Act::Set(state)),
            RoundIdx(round),
            "",
            &format!("{}: {name}", words.switch),
        );
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"160\" text-anchor=\"middle\" font-size=\"13\">{name} ({place})</text>",
            x + width / 2
        );
    }
    svg.push_str("</svg>\n");
    svg
}
