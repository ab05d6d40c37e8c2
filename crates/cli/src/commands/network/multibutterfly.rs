//! The multibutterfly: its splitters and wires, the way of a message, and how far some inputs reach.

use crate::args::{NetworkArgs, NetworkFormat};
use crate::multibutterfly::{need_memory, room};
use crate::table::{self, pairs};
use crate::ui::HEAD;
use anyhow::{Result, bail};
use frit_model::multibutterfly::simulate_ticking;
use frit_network::MultiButterfly;
use frit_network::multibutterfly::drawing::{to_dot, to_svg};
use frit_network::multibutterfly::expansion::{Reach, needed, reach};
use frit_network::multibutterfly::file::to_json;
use frit_router::multibutterfly::problem::check;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, NodeEvent, Parameters, Problem};
use serde_json::{Value, json};
use std::sync::Arc;

/// Above this no viewer shows a drawing.
const MAX_DRAWN_EDGES: u64 = 1 << 16;
/// Steps of the search for the set of inputs with the fewest outputs.
const BUDGET: u64 = 2_000_000;
/// Sides of splitters of a column that are measured, and the largest sets.
const SIDES: usize = 4;
const MOST_INPUTS: u32 = 64;

/// The reaches of a column: of each size of sets the fewest over the sides measured.
struct Measured {
    column: u32,
    sides: usize,
    reaches: Vec<Reach>,
}

/// What the arguments ask for.
pub fn network(args: &NetworkArgs, system: &Multibutterfly) -> Result<String> {
    if args.message.is_none() && args.traffic.is_some() {
        bail!("--traffic needs --message, which selects the message to show; pass both");
    }
    let parameters = Parameters { seed: args.seed.unwrap_or(1), ..system.parameters };
    let shape = check(&parameters, u64::from(parameters.offered) * u64::from(parameters.active_rows()))?;
    let drawn = matches!(args.format, NetworkFormat::Dot | NetworkFormat::Svg);
    if drawn && shape.edges() > MAX_DRAWN_EDGES {
        bail!(
            "{} edges are too many to draw (at most {MAX_DRAWN_EDGES}); use a smaller -n or d, or --format json for the tables",
            shape.edges()
        );
    }
    let messages = if args.message.is_some() { parameters.offered } else { 0 };
    need_memory(&parameters, u64::from(messages) * u64::from(parameters.active_rows()), 1, false)?;
    let problem = problem(args, system, parameters)?;
    let path = args.message.map(|message| path(&problem, message)).transpose()?;
    let measured = args.expansion.then(|| measure(problem.network()));
    let mut title = format!("multibutterfly {}, d {}", shape.rows(), shape.degree());
    if let (Some(message), Some(path)) = (args.message, &path) {
        let rows: Vec<String> = path.iter().map(u32::to_string).collect();
        title += &format!(", message {message} through rows {}", rows.join(", "));
    }
    Ok(match args.format {
        NetworkFormat::Dot => to_dot(problem.network(), "multibutterfly", path.as_deref()),
        NetworkFormat::Svg => to_svg(problem.network(), &title, path.as_deref()),
        NetworkFormat::Json => with_members(problem.network(), path, measured.as_deref(), &parameters)?,
        NetworkFormat::Text => {
            let table = measured.map(|measured| expansion_text(problem.network(), &measured, &parameters));
            format!("{HEAD}{title}{HEAD:#}\n{}{}", summary(&problem), table.unwrap_or_default())
        }
    })
}

fn problem(args: &NetworkArgs, system: &Multibutterfly, parameters: Parameters) -> Result<Problem> {
    let name = args.traffic.as_deref().unwrap_or(Traffic::ALL[0].0);
    let Some(rule) = Traffic::named(name) else {
        bail!(
            "--traffic {name} is not a kind of traffic for --message; give one of {}",
            Traffic::ALL.map(|(name, _)| name).join(", ")
        );
    };
    // Without a message none is drawn.
    let offered = if args.message.is_some() { parameters.offered } else { 0 };
    let messages = rule.messages(&Parameters { offered, ..parameters });
    Ok(match &system.wiring {
        Some(wiring) => Problem::on(Arc::clone(wiring), parameters, &messages)?,
        None => Problem::new(parameters, &messages)?,
    })
}

/// The rows that a message passes, as far as it comes.
fn path(problem: &Problem, wanted: u32) -> Result<Vec<u32>> {
    let Some(of) = problem.messages().get(wanted as usize) else {
        bail!("--message {wanted} is out of range; messages are 0..{}", problem.messages().len());
    };
    let mut path = vec![of.source];
    let mut see = |event: &NodeEvent| match *event {
        NodeEvent::Place { row, message, .. } | NodeEvent::Deliver { row, message, .. }
            if message == wanted =>
        {
            path.push(row.0);
        }
        _ => {}
    };
    simulate_ticking(problem, false, &room, Some(&mut see), &mut |_| ())?;
    Ok(path)
}

fn summary(problem: &Problem) -> String {
    let shape = problem.network().shape();
    let columns = shape.dimensions();
    let small = (0..columns).find(|&column| shape.outputs(column) <= shape.degree()).unwrap_or(columns);
    let p = problem.parameters();
    let free = (0..columns).find(|&column| shape.inputs(column) <= p.free).unwrap_or(columns);
    let from = |column: u32, what: &str| match column == columns {
        true => "none".into(),
        false => format!("from column {column} on {what}"),
    };
    pairs(&[
        ("rows", shape.rows().to_string()),
        ("columns", format!("{} of nodes", columns + 1)),
        ("nodes", shape.nodes().to_string()),
        ("splitters", format!("{} (2^c between columns c and c + 1)", shape.splitters())),
        ("ports", format!("{} of a node on each side, {} of them committed", shape.degree(), p.committed)),
        ("edges", shape.edges().to_string()),
        ("complete splitters", from(small, "(no more outputs on a side than ports)")),
        ("free splitters", from(free, "(they commit without requests)")),
    ])
}

/// Measures up to some sides of every column, sets of 1, 2, 4 … inputs up to half of them.
fn measure(network: &MultiButterfly) -> Vec<Measured> {
    let shape = network.shape();
    let columns = (0..shape.dimensions()).map(|column| {
        let sides: Vec<_> = shape.sides(column).take(SIDES).collect();
        let most = MOST_INPUTS.min(shape.outputs(column));
        let sizes = (0..).map(|power| 1 << power).take_while(|&inputs| inputs <= most);
        let fewest = |inputs: u32| {
            let reaches = sides.iter().map(|&side| reach(network, side, inputs, BUDGET / u64::from(inputs)));
            let all: Vec<Reach> = reaches.collect();
            let outputs = all.iter().map(|reach| reach.outputs).min().unwrap_or(0);
            // The fewest of all are exact if nobody could have fewer.
            Reach { inputs, outputs, exact: all.iter().all(|reach| reach.exact) }
        };
        Measured { column, sides: sides.len(), reaches: sizes.map(fewest).collect() }
    });
    columns.collect()
}

/// The largest size of which, and of all smaller sizes measured, every set found reaches more than `needed` outputs an input.
fn holds_up_to(measured: &Measured, needed: f64) -> u32 {
    let holds = |reach: &&Reach| f64::from(reach.outputs) > needed * f64::from(reach.inputs);
    measured.reaches.iter().take_while(holds).last().map_or(0, |reach| reach.inputs)
}

fn expansion_text(network: &MultiButterfly, measured: &[Measured], p: &Parameters) -> String {
    let shape = network.shape();
    let needed = needed(p.degree, p.committed);
    let mut sizes: Vec<u32> =
        measured.iter().flat_map(|m| m.reaches.iter().map(|reach| reach.inputs)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let header: Vec<String> = ["column", "M", "m", "sides", "holds to"].map(String::from).to_vec();
    let header: Vec<String> =
        header.into_iter().chain(sizes.iter().map(|size| format!("k={size}"))).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = measured.iter().map(|m| {
        let start =
            [m.column, shape.inputs(m.column), shape.outputs(m.column)].map(|number| number.to_string());
        let sides = format!("{} of {}", m.sides, 2u64 << m.column);
        let holds = match holds_up_to(m, needed) {
            0 => "-".into(),
            k => format!("k={k}"),
        };
        let cell = |size: &u32| {
            let reach = m.reaches.iter().find(|reach| reach.inputs == *size);
            reach.map_or(String::new(), |r| format!("{}{}", if r.exact { "" } else { "<=" }, r.outputs))
        };
        start.into_iter().chain([sides, holds]).chain(sizes.iter().map(cell)).collect::<Vec<String>>()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    format!(
        "\nthe fewest outputs of a side that k inputs reach\n{}needed: more than (d + R - 1) / 2 = {needed} outputs an input (lemma 1), for all k up to alpha M\n\
         the paper's set: d = 40, R = 8, 24 outputs an input for k up to M / 354.7\n\
         <=: of greedy sets; all sets were too many to search\n",
        table::render(&header, &rows)
    )
}

/// The wires as `--wiring` reads them, with members for the rest.
fn with_members(
    network: &MultiButterfly,
    path: Option<Vec<u32>>,
    measured: Option<&[Measured]>,
    p: &Parameters,
) -> Result<String> {
    let needed = needed(p.degree, p.committed);
    let reach =
        |reach: &Reach| json!({ "inputs": reach.inputs, "outputs": reach.outputs, "exact": reach.exact });
    let measured = measured.map(|measured| {
        let columns = measured.iter().map(|m| {
            json!({
                "column": m.column, "sides": m.sides, "holds_to": holds_up_to(m, needed),
                "reaches": m.reaches.iter().map(reach).collect::<Vec<Value>>(),
            })
        });
        json!({ "needed": needed, "columns": columns.collect::<Vec<Value>>() })
    });
    let mut text = to_json(network);
    for (name, value) in [("path", path.map(Value::from)), ("expansion", measured)] {
        if let Some(value) = value {
            text.truncate(text.trim_end().trim_end_matches('}').trim_end().len());
            text += &format!(",\n  \"{name}\": {}\n}}\n", serde_json::to_string(&value)?);
        }
    }
    Ok(text)
}
