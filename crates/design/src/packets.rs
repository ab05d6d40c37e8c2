//! What routed systems are given by rule, and the commands that write their files.

use frit_cells::design::dilated::Hardware;
use frit_network::Refusal;
use frit_router::dilated::packets::{bit_reversal, permutations, transpose};
use frit_router::dilated::{Mode, Packets, Parameters as Dilated, Switch};
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters, Problem};
use frit_traffic::Messages;
use std::sync::Arc;

/// Traffic of the dilated butterfly by rule; the first is the default.
pub const KINDS: [&str; 3] = ["permutation", "bit-reversal", "transpose"];

/// Traffic of a kind of [`KINDS`]: `per_input` packets of each row.
pub fn messages(kind: &str, rows: u32, per_input: u32, seed: u64) -> Messages {
    match kind {
        "bit-reversal" => bit_reversal(rows, per_input),
        "transpose" => transpose(rows, per_input),
        _ => permutations(rows, per_input, seed),
    }
}

/// The packets of a kind of [`KINDS`] on a dilated butterfly.
///
/// # Errors
/// If there is no such network, or there are too many packets for it.
pub fn by_rule(parameters: Dilated, kind: &str, per_input: u32) -> Result<Packets, Refusal> {
    let messages = messages(kind, parameters.network()?.rows(), per_input, parameters.seed);
    Packets::new(parameters, &messages)
}

/// The words of switch and mode.
pub fn words(parameters: &Dilated) -> [&'static str; 2] {
    let switch = if parameters.switch == Switch::Strong { "strong" } else { "weak" };
    [switch, if parameters.mode == Mode::Unrolled { "unrolled" } else { "barrier" }]
}

/// The command that writes the files of a dilated butterfly with these packets, every number named. `traffic` is what they are called,
/// `per_input` how many each row has if that is a rule.
pub fn dilated_command(packets: &Packets, traffic: &str, per_input: Option<u32>) -> String {
    let Dilated { rows, bundle, payload, seed, direct, mode, release, .. } = *packets.parameters();
    let [switch, _] = words(packets.parameters());
    let per_input = per_input.map_or(String::new(), |count| format!(" --set per-input={count}"));
    let mut command = format!(
        "frit generate dilated -n {rows} --set bundle={bundle}{per_input} --set payload={payload} --set switch={switch}"
    );
    if mode == Mode::Barrier {
        command += " --set mode=barrier";
    }
    if release {
        command += " --set release=yes";
    }
    if traffic != KINDS[0] {
        command += &format!(" --traffic {traffic}");
    }
    if direct {
        command += " --direct";
    }
    format!("{command} --seed {seed}")
}

/// Up to here simulators build the unrolled form in seconds (docs/rtl-simulation.md).
const MAX_UNROLLED_EDGES: u64 = 500;

/// Whether simulators should be given the compact form.
pub fn is_large(hardware: &Hardware) -> bool {
    hardware.network().edges() > MAX_UNROLLED_EDGES
}

/// The messages of a rule on a multibutterfly, with these parameters and the wires of the system.
///
/// # Errors
/// If there is no such network, or there are too many messages for it.
pub fn problem(
    system: &Multibutterfly,
    parameters: Parameters,
    messages: &Messages,
) -> Result<Problem, Refusal> {
    match &system.wiring {
        Some(wiring) => Problem::on(Arc::clone(wiring), parameters, messages),
        None => Problem::new(parameters, messages),
    }
}

/// The rule that a name means, the first one without a name; none if there is no such rule.
pub fn rule(name: Option<&str>) -> Option<(&'static str, Traffic)> {
    let name = name.unwrap_or(Traffic::ALL[0].0);
    Traffic::ALL.into_iter().find(|(known, _)| *known == name)
}

/// The command that writes the files of a multibutterfly with these messages, every number named; `wired`: its wires are a file's.
pub fn multibutterfly_command(parameters: &Parameters, traffic: &str, wired: bool) -> String {
    let Parameters {
        rows, degree, committed, threshold, offered, stride, requests, moves, free, seed, ..
    } = *parameters;
    let strict = if parameters.strict { "yes" } else { "no" };
    let wiring = if wired { " --set wiring=FILE" } else { "" };
    format!(
        "frit generate multibutterfly -n {rows} --set d={degree} --set r={committed} --set h={threshold} --set ha={offered} \
         --set l={stride} --set z={requests} --set y={moves} --set strict={strict} --set free={free}{wiring} \
         --traffic {traffic} --seed {seed}"
    )
}
