//! Designs that files describe: networks, permutations, sequences, wirings, stuck switches.

use super::{same_terminals, wired};
use crate::args::DesignArgs;
use crate::demand::contents;
use crate::memory::{self, estimate};
use anyhow::{Context, Result, bail};
use frit_network::multibutterfly::file as wiring_file;
use frit_network::options::{Request, complete};
use frit_network::{Name, StuckSwitches};
use frit_router::Router;
use frit_router::multibutterfly::row as multibutterfly;
use frit_schedule::benes::plan_with_permutation_as;
use frit_schedule::de_bruijn::DeBruijn;
use frit_schedule::obf::{SEQUENCES, plan_with_sequence};
use frit_schedule::photonics::MAX_DIMENSION;
use frit_schedule::{Plan, plan, stuck, user};
use frit_trace::output;
use frit_traffic::permutation;
use std::path::Path;

/// The stuck switches that a text names, or the file that it is.
pub fn stuck_named(text: &str) -> Result<StuckSwitches> {
    match stuck::STUCK.values.reads(text) {
        true => Ok(StuckSwitches::parse(text)?),
        false => stuck_switches(Path::new(text)),
    }
}

/// The switches that a file names as stuck.
pub fn stuck_switches(path: &Path) -> Result<StuckSwitches> {
    if !path.exists() {
        bail!(
            "--stuck {} is neither {} (STATE 0 straight, 1 cross) nor an existing file",
            path.display(),
            StuckSwitches::FORM
        );
    }
    StuckSwitches::parse(&output::read_text(path)?).with_context(|| path.display().to_string())
}

/// The plan of a user's network and schedule.
pub fn with_network(
    args: &DesignArgs,
    base: &Request,
    network: Option<&Path>,
    schedule: Option<&Path>,
) -> Result<Plan> {
    let (Some(network), Some(schedule)) = (network, schedule) else {
        bail!(
            "the system user needs a network and a schedule; give --network FILE.json and --schedule FILE.json"
        );
    };
    let wired = wired(args, base, network)?;
    let plan =
        user::plan(wired, &output::read_text(schedule)?).with_context(|| schedule.display().to_string())?;
    let mut plan = plan.pipelined_as(&base.options);
    if let Some(named) = base.options.get(stuck::STUCK.name) {
        plan.options.insert(stuck::STUCK.name.into(), Name::new(named.as_str())?);
    }
    Ok(stuck::around_named(plan)?)
}

/// The plan with the sequence in a file, in place of a built-in one.
pub fn with_sequence(request: &Request, path: &Path) -> Result<Plan> {
    let name = path.display();
    if !path.exists() {
        bail!(
            "--sequence {name} is not a built-in sequence and not an existing file; give one of {}, or a file",
            SEQUENCES.join(", ")
        );
    }
    let Some(order) = sequence_order(request.terminals) else {
        return Ok(plan(request)?); // says which sizes there are
    };
    let text = output::read_text(path)?;
    let sequence = DeBruijn::parse(&text, order)
        .with_context(|| format!("{name} (a de Bruijn sequence of order {order})"))?;
    Ok(plan_with_sequence(request, sequence)?)
}

/// The plan that routes the permutation in a file.
pub fn with_permutation(args: &DesignArgs, base: &Request, path: &Path) -> Result<Plan> {
    let name = path.display();
    let permutation = permutation::read(&contents(path)?).with_context(|| name.to_string())?;
    same_terminals(args, base, &format!("{name} is a permutation"), permutation.len() as u64)?;
    // As large as a network without tables, and the search for its settings.
    let bytes = 2 * estimate::plan("rls", permutation.len() as u64);
    memory::need(&format!("the settings for {name}"), bytes, "give a smaller permutation")?;
    plan_with_permutation_as(&permutation, &base.options).with_context(|| name.to_string())
}

/// The multibutterfly with the wires in a file.
pub fn with_wiring(args: &DesignArgs, base: &Request, path: &Path) -> Result<Box<dyn Router>> {
    let name = path.display();
    if !path.exists() {
        bail!("--wiring {name} is not an existing file; give random or a file");
    }
    let network = wiring_file::from_json(&output::read_text(path)?).with_context(|| name.to_string())?;
    same_terminals(args, base, &format!("{name} is a multibutterfly"), network.shape().rows().into())?;
    let options = complete(multibutterfly::ROW.key, multibutterfly::ROW.options, &base.options)?;
    let system = multibutterfly::with_wiring(&Request { options, ..base.clone() }, network);
    Ok(Box::new(system.with_context(|| name.to_string())?))
}

/// The order of the sequence that controls `terminals` processors, if there is such a network.
fn sequence_order(terminals: u64) -> Option<u32> {
    let dimension = terminals.checked_ilog2().filter(|r| (2..=MAX_DIMENSION).contains(r))?;
    terminals.is_power_of_two().then(|| dimension - 1)
}
