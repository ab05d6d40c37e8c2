//! What knowing the schedule buys: permutations of messages, bit after bit, on the Beneš network, whose settings are computed
//! before anything moves, on systems with a schedule for all pairs, and on the dilated butterfly, whose switches find out as
//! the bits come.

use super::area::Areas;
use super::listing::Listing;
use super::table::MEASURED_UP_TO;
use crate::args::CompareFormat;
use crate::dilated;
use anyhow::{Context, Result, bail};
use frit_cells::design::dilated::Hardware;
use frit_model::h_relation::{closed_form, simulate};
use frit_network::facts;
use frit_network::facts::Facts;
use frit_router::dilated::{Mode, Packets, Parameters, Switch, claims, packets::permutations};
use frit_schedule::benes::plan_with_permutation;
use frit_schedule::{Plan, Request, plan};
use frit_traffic::Messages;
use frit_traffic::relation::Relation;

/// Bits of a message, without a header.
pub(super) const PAYLOAD: u32 = 32;
/// The seed of permutations and intermediate rows.
pub(super) const SEED: u64 = 1;
/// A chance that some bundle is too small, for its default size.
pub(super) const CHANCE: f64 = 1e-3;

/// Systems whose schedule, for all pairs, does not depend on the permutation.
const PLANNED: [&str; 3] = ["rls", "xor", "obf"];
/// Bits of a word there: a message bit by bit, an exchange for each, or all at once.
const WORDS: [u32; 2] = [1, PAYLOAD];

/// What is below the table, before what is said of areas.
const NOTES: [&str; 4] = [
    "messages: number of 32-bit messages of each terminal, one permutation for each message; steps: bit times from the first bit sent to the last bit delivered, one bit for each wire and bit time",
    "benes: settings are computed beforehand and stored, with a one-bit register after each output of a stage; the bits of all messages follow each other without a gap",
    "rls, xor, obf: run their schedule for all pairs, for any permutation; a message is sent in the round of its pair; word=1: one bit of the message each time that round comes",
    "dilated: switches read headers of 2n bits, packets pass random intermediate rows, and bundles have enough edges for a chance of overload of 1/1000; wires are all edges, including the edges to the sinks",
];

impl Areas<'_> {
    /// What is said of them below the table.
    fn note(&self) -> String {
        match self {
            Areas::Floor => "luts, ffs: the floor of the fabric's switches (docs/synth.md, docs/systems/dilated.md), without controllers and stored settings".into(),
            Areas::Mapped(mapping) => format!("luts, ffs: the fabric mapped by Yosys for {}; dilated: each kind of switch alone, times the number of switches; without controllers and stored settings", mapping.target.title()),
        }
    }
}

/// The comparison in a format.
///
/// # Errors
///
/// A size that does not exist, and one beyond memory; Yosys, if it maps the fabrics, missing or failing.
pub fn compare(terminals: u64, format: CompareFormat, areas: &Areas) -> Result<String> {
    if terminals > u64::from(MEASURED_UP_TO) {
        bail!(
            "{terminals} terminals are too many; permutations are compared for up to {MEASURED_UP_TO} terminals"
        );
    }
    let n = Parameters::new(terminals, 1, SEED).network()?.dimensions();
    let mut counts = vec![1, n];
    counts.dedup();
    let mut rows = vec![];
    for count in counts {
        if terminals > 2 {
            // The smallest has four.
            rows.push(benes(terminals as u32, count, areas)?);
            for (system, word) in PLANNED.into_iter().flat_map(|key| WORDS.map(|word| (key, word))) {
                rows.push(planned(&plan(&Request::new(system, terminals))?, count, word, areas)?);
            }
        }
        for (switch, mode) in [
            (Switch::Strong, Mode::Unrolled),
            (Switch::Weak, Mode::Unrolled),
            (Switch::Strong, Mode::Barrier),
        ] {
            let bundle = claims::bundle_for(n, count, CHANCE);
            let parameters = Parameters { switch, mode, ..Parameters::new(terminals, bundle, SEED) };
            rows.push(dilated_row(parameters, count, areas)?);
        }
    }
    let notes = NOTES.iter().map(|note| note.to_string()).chain([areas.note()]).collect();
    let members = facts! { "terminals": terminals, "area": areas.name() };
    let title = format!("Permutations, N = {terminals}");
    Listing::of(title, rows, notes, members).print(format)
}

/// Messages of which number k of all terminals are a permutation, on the Beneš network: the plan of the first permutation, the
/// steps of all, and how many were delivered.
///
/// # Errors
///
/// A size that does not exist.
pub(super) fn benes_outcome(terminals: u32, count: u32, messages: &Messages) -> Result<(Plan, u64, u64)> {
    let mut plans = (0..count).map(|k| {
        let permutation: Vec<u32> = (0..terminals).map(|s| messages.of(s)[k as usize]).collect();
        plan_with_permutation(&permutation).context("the Benes network")
    });
    let plan = plans.next().context("no permutation")??;
    let mut delivered = frit_model::fast::exchange(&plan, None, &mut ()).run.delivered;
    for plan in plans {
        delivered += frit_model::fast::exchange(&plan?, None, &mut ()).run.delivered;
    }
    // The first bit takes as many steps as there are stages; the others follow, a bit a step.
    let steps = plan.cycles() + u64::from(count) * u64::from(PAYLOAD) - 1;
    Ok((plan, steps, delivered))
}

fn benes(terminals: u32, count: u32, areas: &Areas) -> Result<Facts> {
    let (plan, steps, delivered) = benes_outcome(terminals, count, &permutations(terminals, count, SEED))?;
    let network = &plan.network;
    let (luts, ffs) = areas.planned(&plan, 1)?;
    Ok(facts! {
        "system": "benes", "options": "", "terminals": terminals, "messages": count, "steps": steps,
        "delivered": delivered, "stages": network.stages(), "switches": network.switches(),
        "wires": plan.wires(), "queue_bits": u64::from(network.stages()) * u64::from(terminals),
        "luts": luts, "ffs": ffs, "stored_bits": network.switches() * u64::from(count),
    })
}

/// The pairs of the permutations, each `times` times.
fn relation(terminals: u32, messages: &Messages, times: u32) -> Result<Relation> {
    let of = |source| messages.of(source).iter().map(move |&to| (source, to));
    let pairs = (0..terminals).flat_map(of).flat_map(|pair| std::iter::repeat_n(pair, times as usize));
    Ok(Relation::from_pairs(terminals, &pairs.collect::<Vec<_>>())?)
}

/// Messages in the turns of a schedule for all pairs, a word of so many bits at a time: steps, and how many were delivered.
///
/// # Errors
///
/// A pair that has no turn.
pub(super) fn turns(plan: &Plan, messages: &Messages, word: u32) -> Result<(u64, u64)> {
    let terminals = plan.network.terminals();
    let delivered = simulate(plan, &relation(terminals, messages, 1)?).delivered;
    let cost = closed_form(plan, &relation(terminals, messages, PAYLOAD / word)?);
    let steps = cost.with_context(|| format!("{}: a pair has no turn", plan.name()))?.steps;
    Ok((steps, delivered))
}

/// Registers of a planned system's fabric, in words.
pub(super) fn registers(plan: &Plan) -> u64 {
    u64::from(plan.network.lanes()) * u64::from(plan.entry_delay + plan.pipeline * plan.network.stages())
}

fn planned(plan: &Plan, count: u32, word: u32, areas: &Areas) -> Result<Facts> {
    let network = &plan.network;
    let terminals = network.terminals();
    let (steps, delivered) = turns(plan, &permutations(terminals, count, SEED), word)?;
    let registers = registers(plan);
    let (luts, ffs) = areas.planned(plan, word)?;
    Ok(facts! {
        "system": plan.system, "options": format!("word={word}"), "terminals": terminals, "messages": count,
        "steps": steps, "delivered": delivered, "stages": network.stages(), "switches": network.switches(),
        "wires": plan.wires() * u64::from(word), "queue_bits": registers * u64::from(word), "luts": luts,
        "ffs": ffs, "stored_bits": plan.figures.stored_bits,
    })
}

fn dilated_row(parameters: Parameters, count: u32, areas: &Areas) -> Result<Facts> {
    let packets = Packets::new(parameters, &permutations(parameters.rows as u32, count, SEED))?;
    let outcome = frit_model::dilated::simulate(&packets);
    let network = packets.network();
    let [switch, mode] = dilated::words(&parameters);
    // Too large a network has none either.
    let area = Hardware::new(&packets).ok().map(|hardware| areas.routed(&hardware)).transpose()?;
    Ok(facts! {
        "system": "dilated", "options": format!("bundle={} switch={switch} mode={mode}", parameters.bundle),
        "terminals": parameters.rows, "messages": count, "steps": outcome.steps,
        "delivered": outcome.delivered, "stages": network.levels(), "switches": network.switches(),
        "wires": network.edges(), "queue_bits": network.edges() * u64::from(parameters.queue),
        "luts": area.map(|(luts, _)| luts), "ffs": area.map(|(_, ffs)| ffs), "stored_bits": 0,
    })
}
