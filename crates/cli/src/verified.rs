//! What `frit verify` makes of a core: engines compared ([`report`]), or proofs ([`proofs`]).

use crate::args::{EngineArg, FamilyArg, VerifyArgs};
use crate::emitted::{engine, family};
use anyhow::Result;
use frit_cosim::verify::{Engine, EngineReport, Mapping, State};
use frit_trace::output::{Workplace, refuse_links};
use std::path::Path;

pub mod proofs;
pub mod report;

/// Where a design is verified: in the folder that the arguments name, of several designs one for each below it.
pub fn workplace(args: &VerifyArgs, design: &str, many: bool) -> Result<Workplace> {
    if let (Some(path), true) = (&args.output, many) {
        refuse_links(path, Path::new(design))?;
    }
    let below = args.output.as_deref().map(|path| if many { path.join(design) } else { path.into() });
    Ok(Workplace::new(below.as_deref(), "frit-verify-")?)
}

/// The netlist that the simulators are to run, if one was asked for.
pub fn mapping(args: &VerifyArgs) -> Option<Mapping> {
    args.netlist.map(|arg| Mapping { family: family(arg), inverted_lut: args.invert_lut })
}

/// What the first line of a report says of it.
pub fn netlist_note(netlist: Option<FamilyArg>) -> &'static str {
    match netlist {
        Some(FamilyArg::Ice40) => "; the simulators run its netlist for iCE40",
        Some(FamilyArg::Ecp5) => "; the simulators run its netlist for ECP5",
        None => "",
    }
}

/// Its member of JSON.
pub fn netlist_name(netlist: Option<FamilyArg>) -> Option<&'static str> {
    netlist.map(|family| match family {
        FamilyArg::Ice40 => "ice40",
        FamilyArg::Ecp5 => "ecp5",
    })
}

/// The engines to run: those asked for and those required, or all.
pub fn engines(args: &VerifyArgs) -> Vec<Engine> {
    if args.engines.is_empty() {
        return Engine::ALL.to_vec();
    }
    args.engines.iter().chain(&args.require).map(|arg| engine(*arg)).collect()
}

/// The engines that must run, with the option that names them: one asked for by name is not left out in silence.
pub fn required(args: &VerifyArgs) -> impl Iterator<Item = (&'static str, EngineArg)> {
    let named =
        |option, list: &'_ [EngineArg]| list.iter().map(move |arg| (option, *arg)).collect::<Vec<_>>();
    named("--require", &args.require).into_iter().chain(named("--engines", &args.engines))
}

/// Which waveforms to open: the reference's, which is the first that there is, and that of an engine that differs.
pub fn waveforms(engines: &[EngineReport], wave: Option<&Path>) -> String {
    let first = engines.iter().find_map(|report| match &report.state {
        State::Ran { wave, .. } => wave.as_deref(),
        State::NotRun { .. } => None,
    });
    let (Some(a), Some(b)) = (first, wave) else { return String::new() };
    if a == b {
        return format!("  waveform: {}\n", b.display());
    }
    let (a, b) = (a.display(), b.display());
    format!("  waveforms: {a} {b}\n  try: frit diff --common {a} {b}\n")
}
