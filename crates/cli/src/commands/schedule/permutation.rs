//! `frit schedule check`: a user's permutation on one Butterfly, by conflict windows and by routing it.

use crate::Verdict;
use crate::args::{CheckArgs, Format};
use crate::ui::{BAD, GOOD, Ui};
use anyhow::{Context, Result, bail};
use frit_network::drawing::{Act, Message, Scene, Words, layout, to_svg};
use frit_network::{Network, StageIdx, butterfly};
use frit_schedule::admissible::{self, Meeting};
use frit_schedule::route::{forced, route_labels};
use frit_trace::output;
use frit_traffic::permutation;
use serde_json::{Value, json};

/// Meetings that are printed; the others are counted.
const PRINTED: usize = 16;
/// More can be drawn, and not be seen.
const MAX_DRAWN: usize = 1024;

pub(super) fn check(ui: &Ui, args: &CheckArgs) -> Result<Verdict> {
    let name = args.permutation.display().to_string();
    let text = output::read_text(&args.permutation)?;
    let permutation = permutation::parse(&text).context(name.clone())?;
    let meetings = admissible::windows(&permutation).context(name)?;
    let network = butterfly(permutation.len() as u64)?;
    let stages = network.stages();
    let bit = |lane: u32, stage: u32| permutation[lane as usize] >> (stages - 1 - stage) & 1 == 1;
    let by_routing = route_labels(&network, 0, bit).err().map(|conflict| (conflict.stage, conflict.switch));
    let by_windows = meetings.first().map(|first| (first.stage, first.switch));
    assert_eq!(by_windows, by_routing, "conflict windows and routing must agree");
    if let Some(path) = &args.drawing {
        if permutation.len() > MAX_DRAWN {
            bail!(
                "--drawing cannot show {} terminals; use a permutation of at most {MAX_DRAWN}",
                permutation.len()
            );
        }
        output::write_file(path, draw(&network, &permutation, bit))?;
    }
    ui.print(&match args.format {
        Format::Json => {
            let meeting = |m: &Meeting| {
                json!({
                    "stage": m.stage, "switch": m.switch, "inputs": m.inputs, "wanted": m.wanted,
                    "window": m.stage.0 + 1,
                })
            };
            let all: Vec<Value> = meetings.iter().map(meeting).collect();
            let value = json!({
                "terminals": permutation.len(), "admissible": meetings.is_empty(),
                "first_conflict": all.first(), "conflicts": all,
            });
            format!("{}\n", serde_json::to_string_pretty(&value)?)
        }
        Format::Text if meetings.is_empty() => {
            format!("{GOOD}admissible{GOOD:#}: one Butterfly routes it without conflict\n")
        }
        Format::Text => {
            let mut lines: Vec<String> = meetings.iter().take(PRINTED).map(in_words).collect();
            if let Some(more @ 1..) = meetings.len().checked_sub(PRINTED) {
                lines.push(format!("and {more} more (--format json lists all)"));
            }
            let text = format!("{BAD}not admissible{BAD:#}: {}\n", lines.join("\n                "));
            text
        }
    })?;
    Ok(Verdict::of(meetings.is_empty()))
}

fn in_words(meeting: &Meeting) -> String {
    let Meeting { stage, switch, wanted, inputs } = meeting;
    let inputs: Vec<String> = inputs.iter().map(u32::to_string).collect();
    let (last, others) = inputs.split_last().expect("two meet");
    let all = if others.len() == 1 { "both" } else { "all" };
    format!(
        "at stage {}, switch {}, inputs {} and {last} {all} want output {wanted} (window {})",
        stage.0,
        switch.0,
        others.join(", "),
        stage.0 + 1
    )
}

/// The messages on their way through the network, where they meet together and in red, as in Figure 3 of "Realizing the right Latin
/// square on the Butterfly-Butterfly".
fn draw(network: &Network, permutation: &[u32], bit: impl Fn(u32, u32) -> bool + Copy) -> String {
    let stages = network.stages() as usize;
    let forced = forced(network, bit);
    let layout = layout(network);
    let meetings = forced.meetings();
    let title = format!(
        "a permutation of {} terminals on the Butterfly, {} conflicts",
        permutation.len(),
        meetings.len()
    );
    let mut scene = Scene::new(title, Words::ELECTRONIC, network, &layout);
    for (hop, ports) in (0..).zip(&forced.carried) {
        for (port, lanes) in (0..).zip(ports) {
            scene.messages.extend(lanes.iter().map(|&lane| {
                let left = format!("{:0stages$b}", permutation[lane as usize])[hop as usize..].to_string();
                (Message { lane, hop, port, left }, false)
            }));
        }
    }
    let row = |(stage, ports): (u32, &Vec<Vec<u32>>)| {
        let mut acts = vec![[[false; 2]; 2]; network.switches_per_stage() as usize];
        for (lanes, &input) in ports.iter().zip(network.link(StageIdx(stage))) {
            for &lane in lanes {
                acts[input as usize / 2][input as usize % 2][usize::from(bit(lane, stage))] = true;
            }
        }
        let met = |switch: u32| meetings.iter().any(|m| (m.stage.0, m.switch.0) == (stage, switch));
        (0..).zip(acts).map(|(switch, ways)| Act::Forced { ways, contested: met(switch) }).collect()
    };
    scene.acts = Some((0..).zip(&forced.carried[..stages]).map(row).collect());
    scene.notes.push(
        "red: a switch where several messages want the same output, and the wire behind that output".into(),
    );
    to_svg(&[scene])
}
