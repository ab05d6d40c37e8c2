//! Stills: one cycle of a film, or the whole way of a round, as a drawing in SVG that needs nothing else.

use crate::film::{Film, Planned};
use crate::planned::reported_states;
use frit_network::drawing::{Act, Layout, Message, Scene, Shown, to_svg};
use frit_network::{LaneIdx, PortIdx, RoundIdx, SwitchState};
use std::slice;

/// What a still shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// What is in the network in a cycle, a message on the wire that it takes there.
    Cycle(u64),
    /// One round all the way, as if it were at all stages at once.
    Round(RoundIdx),
}

/// A still of a film of rounds, of several moments one below the other. The moments are the film's.
pub fn planned(film: &Film, body: &Planned, moments: &[Moment]) -> String {
    // The way of a round that passes the stages twice has a state for each pass.
    let hops = body.delay.len() as u32;
    let unrolled = Layout::new(body.columns[0].len() as u32, hops, false);
    let way = if body.second_pass.is_some() { &unrolled } else { &body.layout };
    let scene = |moment: &Moment| match *moment {
        Moment::Cycle(cycle) => in_cycle(film, body, cycle),
        Moment::Round(round) => of_round(film, body, round, way),
    };
    to_svg(&moments.iter().map(scene).collect::<Vec<_>>())
}

/// The links of a round: of a crossbar those of its configuration.
fn links(body: &Planned, round: RoundIdx) -> &[Vec<u32>] {
    match &body.configuration {
        None => &body.columns,
        Some(of) => slice::from_ref(&body.columns[of.get(round.idx()).map_or(0, |&at| at as usize)]),
    }
}

/// The lane whose message each output of each hop carries in a round: `[hop][port]`.
fn way(body: &Planned, round: RoundIdx) -> Vec<Vec<Option<LaneIdx>>> {
    let lanes = body.columns[0].len();
    let silent = body.silent.as_ref().map_or(&[][..], |rounds| &rounds[round.idx()]);
    let sent = |lane: LaneIdx| (!silent.contains(&lane.0)).then_some(lane);
    let mut way = vec![LaneIdx::all(lanes as u32).map(sent).collect::<Vec<_>>()];
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

/// The messages of a round on the wires to a hop.
fn messages(body: &Planned, round: RoundIdx, hop: u32, waits: bool) -> Vec<(Message, bool)> {
    let hops = body.delay.len();
    let left = |lane: LaneIdx| match &body.labels {
        Some(labels) => format!("{:0hops$b}", labels[round.idx()][lane.idx()])[hop as usize..].to_string(),
        None => String::new(),
    };
    let carried = way(body, round).swap_remove(hop as usize);
    let on = (0..).map(PortIdx).zip(carried).filter_map(|(port, lane)| Some((port, lane?)));
    on.map(|(port, lane)| (Message { lane, hop, port, left: left(lane) }, waits)).collect()
}

fn acts(states: &[u8]) -> Vec<Act> {
    let act = |state: &u8| match state {
        b'.' => Act::Idle,
        state => Act::Set(SwitchState::from_bit(*state == b'1')),
    };
    states.iter().map(act).collect()
}

/// A scene of the film with nothing happening, named after what is seen.
fn empty<'a>(film: &Film, body: &'a Planned, seen: &str, layout: &'a Layout) -> Scene<'a> {
    Scene {
        title: format!("{}, {seen}", film.title),
        words: film.words,
        layout,
        columns: &body.columns,
        stage_of: body.stage_of.clone(),
        second_pass: body.second_pass,
        again: None,
        lanes_per_terminal: body.lanes_per_terminal,
        acts: None,
        messages: vec![],
        shown: Shown::Discs,
        blocks: vec![],
        stuck: body.stuck.clone(),
        notes: vec![],
    }
}

fn in_cycle<'a>(film: &Film, body: &'a Planned, cycle: u64) -> Scene<'a> {
    let mut scene = empty(film, body, &format!("cycle {cycle}"), &body.layout);
    // The last round that has come to the outputs; before there is one, the first.
    let arriving = body.injected.iter().rposition(|&from| from + body.latency <= cycle).unwrap_or(0);
    scene.columns = links(body, RoundIdx(arriving as u32));
    let switches = body.columns[0].len() / 2;
    let mut shown = vec![vec![Act::Idle; switches]; body.layout.box_x.len()];
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
            shown[body.stage_of[hop] as usize] = acts(&reported_states(body, RoundIdx(round), hop as u32));
        }
        scene.messages.extend(messages(body, RoundIdx(round), hop as u32, waits));
    }
    scene.acts = Some(shown);
    scene
}

fn of_round<'a>(film: &Film, body: &'a Planned, round: RoundIdx, layout: &'a Layout) -> Scene<'a> {
    let called = if body.demand.is_some() { "configuration" } else { "control word" };
    let word =
        body.control.as_ref().map_or(String::new(), |words| format!(", {called} {}", words[round.idx()]));
    let hops = body.delay.len() as u32;
    Scene {
        columns: links(body, round),
        stage_of: (0..hops).collect(),
        second_pass: None,
        again: body.second_pass,
        acts: Some((0..hops).map(|hop| acts(&reported_states(body, round, hop))).collect()),
        messages: (0..=hops).flat_map(|hop| messages(body, round, hop, false)).collect(),
        shown: Shown::Ways,
        ..empty(film, body, &format!("round {round}{word}"), layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::Body;
    use frit_schedule::{Request, plan};
    use frit_traffic::trace::Recorder;

    /// The middles of all marks of messages: circles, and polygons by their corners.
    fn middles(svg: &str) -> Vec<[f64; 2]> {
        let value = |line: &str, name: &str| {
            Some(line.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.to_string())
        };
        let number = |text: &str| text.parse::<f64>().unwrap();
        let middle = |line: &str| {
            if let (Some(x), Some(y)) = (value(line, "cx"), value(line, "cy")) {
                return Some([number(&x), number(&y)]);
            }
            let points = value(line, "points").filter(|_| line.starts_with("<polygon"))?;
            let corners: Vec<(f64, f64)> = points
                .split(' ')
                .map(|corner| corner.split_once(',').unwrap())
                .map(|(x, y)| (number(x), number(y)))
                .collect();
            let mean =
                |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).sum::<f64>() / corners.len() as f64;
            Some([mean(|corner| corner.0), mean(|corner| corner.1)])
        };
        // Processors are circles, too, with a white filling.
        svg.lines().filter(|line| !line.contains("#ffffff")).filter_map(middle).collect()
    }

    /// The smallest distance of two marks.
    fn nearest(middles: &[[f64; 2]]) -> f64 {
        let pairs = (0..middles.len()).flat_map(|b| (0..b).map(move |a| (middles[a], middles[b])));
        pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_message_of_a_still_hides_another() {
        for (request, in_cycle) in [
            (Request::new("rls", 16), 16 * 7),
            (Request::new("obf", 8), 48),
            (Request::new("gsen", 10).with("algorithm", "ata2"), 40),
            (Request::new("rls-folded", 8).with("plan", "windowed"), 24),
        ] {
            let plan = plan(&request).unwrap();
            let mut recorder = Recorder::default();
            frit_model::exchange(&plan, None, &mut recorder);
            let film = crate::planned::film(&plan, &recorder, None);
            let Body::Planned(body) = &film.body else { panic!("a plan is planned") };
            let mut most = 0;
            for cycle in 0..=film.last {
                let middles = middles(&planned(&film, body, &[Moment::Cycle(cycle)]));
                // Half of a mark is 8 to 10 units.
                assert!(nearest(&middles) >= 20.0, "{}, cycle {cycle}: {}", plan.name(), nearest(&middles));
                most = most.max(middles.len());
            }
            assert!(most >= in_cycle, "{}: {most} messages at most", plan.name());
        }
        // The check sees a mark that hides half of another.
        let two =
            "<circle cx=\"10.0\" cy=\"10.0\" r=\"8\"/>\n<polygon points=\"9.0,14.0 21.0,14.0 15.0,26.0\"/>\n";
        assert!(nearest(&middles(two)) < 16.0);
    }
}
