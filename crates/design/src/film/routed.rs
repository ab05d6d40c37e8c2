//! The films of the dilated butterfly, of the multibutterfly, and of streamed permutations, which have the same form.

use crate::packets::words;
use frit_cells::design::permute::Dress;
use frit_network::{Refusal, refuse};
use frit_permute::Streamed;
use frit_router::dilated::Packets;
use frit_router::multibutterfly::Problem;
use frit_rtl::permute;
use frit_view::Film;

/// Above so many edges or messages nobody sees anything, and a page has tens of megabytes.
const MAX_EDGES: u64 = 8192;
const MAX_MESSAGES: usize = 4096;
/// A page has a picture of every step.
const MAX_STEPS: u64 = 16384;

/// Refuses what cannot be seen: so many edges, and messages.
///
/// # Errors
/// If there are too many.
pub fn check(edges: u64, messages: usize) -> Result<(), Refusal> {
    match edges > MAX_EDGES || messages > MAX_MESSAGES {
        true => refuse!(
            "{edges} edges and {messages} messages are too many to show (at most {MAX_EDGES} edges and {MAX_MESSAGES} messages); use a smaller -n"
        ),
        false => Ok(()),
    }
}

/// Refuses a run of so many steps at least. `option` sets how many bits a message has.
///
/// # Errors
/// If it is too long.
pub fn check_steps(least: u64, unit: &'static str, option: &str) -> Result<(), Refusal> {
    match least > MAX_STEPS {
        true => refuse!(
            "{option}: this run has {least} {unit} at least, and a page shows up to {MAX_STEPS}; give a smaller number"
        ),
        false => Ok(()),
    }
}

/// The command that shows what another makes.
fn shown(command: &str) -> String {
    command.replacen("frit generate", "frit view", 1)
}

/// The film of packets on a dilated butterfly; `command` writes the files of this design.
pub fn dilated(packets: &Packets, command: &str) -> Film {
    let parameters = packets.parameters();
    let [switch, mode] = words(parameters);
    let title = format!(
        "dilated butterfly, {} rows, bundles of {}, {switch} switches, {mode}",
        parameters.rows, parameters.bundle
    );
    frit_view::dilated::film(packets, &shown(command), &title)
}

/// The film of messages on a multibutterfly; `command` writes the files of this design.
pub fn multibutterfly(problem: &Problem, command: &str) -> Film {
    let shape = problem.network().shape();
    let title = format!("multibutterfly, {} rows, {} ports a side", shape.rows(), shape.degree());
    frit_view::multibutterfly::film(problem, &shown(command), &title)
}

/// The film of a streamed permutation with words of `width` bits.
///
/// # Errors
/// If it has too many words.
pub fn streamed(plan: &Streamed, width: u32) -> Result<Film, Refusal> {
    if plan.largest().is_some() {
        refuse!("a page shows matrices of one size, and dims=runtime loads sizes; give dims=fixed");
    }
    let wires = u64::from(plan.inner_lanes) * u64::from(plan.columns() + 6);
    check(wires, frit_view::streamed::messages(plan) as usize)?;
    check_steps(u64::from(plan.cycles) + u64::from(plan.latency()), "cycles", "words of a data set")?;
    let title = format!("{}, {} words a cycle", plan.name(), plan.lanes);
    Ok(frit_view::streamed::film(plan, &shown(&permute::command(plan, width, Dress::default())), &title))
}
