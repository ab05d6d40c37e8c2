//! The dilated butterfly: its bundles, and the worms in it after so many steps.

use crate::args::{NetworkArgs, NetworkFormat};
use crate::dilated::{KINDS, messages, need_memory, words};
use crate::table::pairs;
use crate::ui::{HEAD, pretty};
use anyhow::{Result, bail};
use frit_model::dilated::{Snapshot, snapshot};
use frit_network::dilated::drawing::{Held, to_dot, to_svg};
use frit_router::dilated::{Dilated, Packets, Parameters};
use serde_json::{Value, json};

/// Above these no viewer shows a drawing.
const MAX_DRAWN_SWITCHES: u64 = 1 << 14;
const MAX_DRAWN_EDGES: usize = 1 << 17;

/// What the arguments ask for.
pub fn network(args: &NetworkArgs, system: &Dilated) -> Result<String> {
    if args.step.is_none() && (args.traffic.is_some() || args.seed.is_some()) {
        bail!(
            "--traffic and --seed need --step, which selects the step to show; pass --step as well, or leave them out"
        );
    }
    let parameters = Parameters { direct: args.direct, seed: args.seed.unwrap_or(1), ..system.parameters };
    let network = parameters.network()?;
    let drawn = matches!(args.format, NetworkFormat::Dot | NetworkFormat::Svg);
    if drawn && network.switches() > MAX_DRAWN_SWITCHES {
        bail!(
            "{} switches are too many to draw (at most {MAX_DRAWN_SWITCHES}); use a smaller -n, or --format json",
            network.switches()
        );
    }
    let snapshot = args.step.map(|step| taken(args, system, parameters, step)).transpose()?;
    if drawn && snapshot.as_ref().is_some_and(|snapshot| snapshot.held.len() > MAX_DRAWN_EDGES) {
        bail!("packets hold more than {MAX_DRAWN_EDGES} edges, too many to draw; use a smaller -n");
    }
    let [_, mode] = words(&parameters);
    let mut title = format!("dilated {}: bundles of {}, {mode}", parameters.rows, parameters.bundle);
    if let Some(snapshot) = &snapshot {
        title += &format!(", after {} steps", snapshot.steps);
    }
    let held = snapshot.as_ref().map(|snapshot| snapshot.held.as_slice());
    Ok(match args.format {
        NetworkFormat::Dot => to_dot(&network, "dilated"),
        NetworkFormat::Svg => to_svg(&network, &title, held),
        NetworkFormat::Json => {
            let value = json!({
                "system": "dilated", "terminals": parameters.rows, "levels": network.levels(), "bundle": parameters.bundle,
                "mode": mode, "switches": network.switches(), "edges": network.edges(),
                "queue_bits": network.edges() * u64::from(parameters.queue),
                "snapshot": snapshot.as_ref().map(snapshot_json),
            });
            pretty(&value)?
        }
        NetworkFormat::Text => {
            let edges = network.edges();
            let mut rows = vec![
                ("rows", parameters.rows.to_string()),
                ("levels", format!("{} ({mode})", network.levels())),
                ("switches", network.switches().to_string()),
                (
                    "bundles",
                    format!("{} of {} edges", edges / u64::from(parameters.bundle), parameters.bundle),
                ),
                ("edges", edges.to_string()),
                (
                    "queue bits",
                    format!("{} ({} an edge)", edges * u64::from(parameters.queue), parameters.queue),
                ),
            ];
            if let Some(Snapshot { held, delivered, waiting, .. }) = &snapshot {
                let moving = held.iter().filter(|held| !held.left).count();
                let heads = held.iter().filter(|held| held.head).count();
                rows.push((
                    "packets",
                    format!("{waiting} at their rows, {heads} heads on edges, {delivered} delivered"),
                ));
                rows.push(("edges held", format!("{moving}, and {} used up", held.len() - moving)));
            }
            format!("{HEAD}{title}{HEAD:#}\n{}", pairs(&rows))
        }
    })
}

/// Runs the traffic that the arguments ask for.
fn taken(args: &NetworkArgs, system: &Dilated, parameters: Parameters, step: u64) -> Result<Snapshot> {
    let traffic = args.traffic.as_deref().unwrap_or(KINDS[0]);
    if !KINDS.contains(&traffic) {
        bail!("--traffic {traffic} is not a kind of traffic for --step; give one of {}", KINDS.join(", "));
    }
    let count = parameters.rows * u64::from(system.per_input);
    need_memory(&parameters, count, 1, true)?;
    let messages = messages(traffic, parameters.network()?.rows(), system.per_input, parameters.seed);
    Ok(snapshot(&Packets::new(parameters, &messages)?, step))
}

fn snapshot_json(snapshot: &Snapshot) -> Value {
    let held = |held: &Held| {
        let edge = held.edge;
        json!({
            "packet": held.packet, "level": edge.node.level, "row": edge.node.row, "y": edge.y, "e": edge.e,
            "bits": held.bits, "left": held.left, "head": held.head,
        })
    };
    json!({
        "steps": snapshot.steps, "delivered": snapshot.delivered, "waiting": snapshot.waiting,
        "held": snapshot.held.iter().map(held).collect::<Vec<Value>>(),
    })
}
