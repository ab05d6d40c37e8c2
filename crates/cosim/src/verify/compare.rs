//! Compares an engine with the model: traces, counts, the engine's own complaint, waveforms.

use super::engines::Exchange;
use super::{Config, Engine};
use crate::campaign::{EngineRun, FirstDifference, WaveDifference, wave_difference};
use frit_cells::netlist::print::Style;
use frit_network::{Refusal, refusal};
use frit_schedule::Timeline;
use frit_trace::trace::first_difference;
use frit_traffic::trace::Run;
use std::path::Path;

/// The names of the registers in a fabric: `s<stage>_valid_<port>` and `s<stage>_data_<port>`.
const REGISTERS: [&str; 2] = ["*.u_fabric.s*_valid_*", "*.u_fabric.s*_data_*"];

/// The first difference of an engine, if there is one.
pub(super) fn first(
    config: &Config,
    engine: Engine,
    reference: &EngineRun<Exchange>,
    ran: &EngineRun<Exchange>,
) -> Result<Option<FirstDifference>, Refusal> {
    let timeline = Timeline::new(config.plan, config.payload.width_bits());
    let messages = timeline.prepare_runs;
    let mut found: Vec<FirstDifference> = Vec::new();
    found.extend(first_difference(&reference.got.recorder, &ran.got.recorder).map(|d| FirstDifference {
        run: messages,
        cycle: d.cycle,
        signal: d.signal,
        expected: d.expected,
        got: d.got,
    }));
    // A testbench knows the schedule, not the faults that the model follows: it complains, and counts what the schedule means.
    let follows = !config.plan.faults.is_empty();
    // A testbench says in one sentence what a waveform says with a signal and two values: the waveform comes first.
    let (named, sentence) = match engine {
        _ if follows => (None, None),
        Engine::RustHdl => (ran.got.complaint.clone(), None),
        _ => (None, ran.got.complaint.clone()),
    };
    found.extend(named);
    if let (Some(a), Some(b)) = (&reference.wave, &ran.wave) {
        found.extend(of_waves(&timeline, config.style, a, b)?);
    }
    found.extend(sentence);
    found.extend(
        counts(&reference.got.run, &ran.got.run)
            .into_iter()
            .filter(|(_, expected, got)| expected != got && !follows)
            .map(|(name, expected, got)| FirstDifference {
                run: messages,
                cycle: timeline.cycles,
                signal: name.into(),
                expected: expected.to_string(),
                got: got.to_string(),
            }),
    );
    // The earliest; of several in the same cycle the first in the order above, which is what people understand best.
    Ok(found.into_iter().min_by_key(|d| timeline.period(d.run, d.cycle)))
}

fn counts(a: &Run, b: &Run) -> [(&'static str, u64, u64); 6] {
    [
        ("cycles", a.cycles, b.cycles),
        ("delivered", a.delivered, b.delivered),
        ("duplicates", a.duplicates, b.duplicates),
        ("missing", a.missing, b.missing),
        ("misrouted", a.misrouted, b.misrouted),
        ("conflicts", a.conflicts, b.conflicts),
    ]
}

/// Lays the waveform of an engine over the model's. Cycle 0 of the comparison is the first after reset.
fn of_waves(
    timeline: &Timeline,
    style: Style,
    a: &Path,
    b: &Path,
) -> Result<Option<FirstDifference>, Refusal> {
    // The registers of the compact form are arrays, which waveforms name otherwise or leave out: its ports are compared.
    let ignore: &[&str] = match style {
        Style::Unrolled => &[],
        Style::Compact => &REGISTERS,
    };
    let at = |cycle: usize| {
        // Idle periods between runs belong to no cycle; they are named after the next one.
        let period = timeline.reset + cycle as u64;
        (period..).find_map(|period| timeline.cycle_at(period)).filter(|_| period < timeline.periods())
    };
    let difference = wave_difference(a, b, ignore).map_err(|error| refusal!("waveforms: {error}"))?;
    Ok(difference.map(|WaveDifference { cycle, signal, expected, got }| {
        let (run, cycle) = cycle.and_then(at).unwrap_or((timeline.prepare_runs, timeline.cycles));
        FirstDifference { run, cycle, signal, expected, got }
    }))
}
