//! The waveform of an engine, laid over the reference's.

use frit_network::Refusal;
use frit_trace::diff::{DiffOptions, DiffReport, diff_files};
use std::path::Path;

/// The first difference of two waveforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveDifference {
    /// The cycle behind reset; none if the waveforms differ as a whole.
    pub cycle: Option<usize>,
    /// The signal, or what else differs.
    pub signal: String,
    /// What the reference shows.
    pub expected: String,
    /// What the engine shows.
    pub got: String,
}

/// Lays waveform `b` over the reference's, `a`, but for signals that fit a pattern of `ignore`. Cycle 0 of the comparison is
/// the first after reset. Every signal of the reference must be there, and both must end together.
///
/// # Errors
/// If a file is no waveform.
pub fn wave_difference(a: &Path, b: &Path, ignore: &[&str]) -> Result<Option<WaveDifference>, Refusal> {
    difference(a, b, DiffOptions { ignore: texts(ignore), ..DiffOptions::default() })
}

/// The same, but for signals that fit a pattern of `unknown`: a bit of these that is x agrees with anything.
///
/// # Errors
/// If a file is no waveform, or no signal fits a pattern.
pub fn known_wave_difference(
    a: &Path,
    b: &Path,
    unknown: &[&str],
) -> Result<Option<WaveDifference>, Refusal> {
    let known = wave_difference(a, b, unknown)?;
    let only = texts(unknown);
    let rest = difference(a, b, DiffOptions { only, x_is_dont_care: true, ..DiffOptions::default() })?;
    Ok(known.into_iter().chain(rest).min_by_key(|found| found.cycle))
}

fn texts(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|pattern| pattern.to_string()).collect()
}

fn difference(a: &Path, b: &Path, options: DiffOptions) -> Result<Option<WaveDifference>, Refusal> {
    // A testbench sees more than the model; what the model has and the testbench lacks is told below.
    let options = DiffOptions { same_length: true, common: true, max_differences: 1, ..options };
    let DiffReport::Waves(diff) = diff_files(a, b, &options)? else {
        unreachable!("both files are waveforms")
    };
    let whole = |signal: &str, expected: String, got: String| {
        Ok(Some(WaveDifference { cycle: None, signal: signal.into(), expected, got }))
    };
    if let Some(first) = diff.first {
        let (cycle, signal, expected, got) = (Some(first.cycle), first.signal, first.a, first.b);
        return Ok(Some(WaveDifference { cycle, signal, expected, got }));
    }
    if let Some(mismatch) = diff.width_mismatches.first() {
        return whole(&mismatch.signal, mismatch.a.clone(), mismatch.b.clone());
    }
    if diff.a.cycles != diff.b.cycles {
        return whole("waveform length", diff.a.cycles.to_string(), diff.b.cycles.to_string());
    }
    if diff.only_in_a.count > 0 {
        return whole("signals of the model", diff.only_in_a.names.join(", "), "not in the waveform".into());
    }
    Ok(None)
}
