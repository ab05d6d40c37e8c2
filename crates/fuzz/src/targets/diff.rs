//! What `frit diff` must say of two waves that are made up.

use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use crate::wave::{Choices, Expected, Form, Kind, Made, Value, edit, expected, generate, vcd};
use frit_network::Refusal;
use frit_trace::diff::{DiffOptions, DiffReport, diff_files};
use frit_trace::wave::{SignalDecl, WaveWriter};
use std::path::{Path, PathBuf};

/// The first bytes choose the wave and its edits, the others how it is written.
pub(super) fn waves(scratch: &Scratch, input: &[u8]) -> Outcome {
    let mut choices = Choices(input);
    let edits = choices.below(4).saturating_sub(1);
    let packed = choices.once_in(4);
    let a = generate(&mut choices);
    let mut b = a.clone();
    for _ in 0..edits {
        edit(&mut b, &mut choices);
    }
    let plain = vcd(&a, &mut Form::plain(&mut choices));
    let plain = scratch.file("a.vcd", plain.as_bytes());
    let other = match packed && writable(&b) {
        true => write(scratch, &b).map_err(|error| error.to_string())?,
        false => scratch.file("b.vcd", vcd(&b, &mut Form::free(&mut choices)).as_bytes()),
    };
    let must = expected(&a, &b);
    for (first, second) in [(&plain, &other), (&other, &plain)] {
        let found = found(first, second)?;
        if found != must {
            let text = std::fs::read(&other).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            let a = std::fs::read_to_string(&plain).unwrap_or_default();
            return Err(format!("{found:?}, not {must:?}, {edits} edits\n{a}\n--- against\n{text}"));
        }
    }
    Ok(if must == Expected::Unusable { Answer::Refused } else { Answer::Taken })
}

/// What is found, in the words of what is expected.
fn found(a: &Path, b: &Path) -> Result<Expected, String> {
    match diff_files(a, b, &DiffOptions::default()) {
        Ok(DiffReport::Waves(report)) => {
            // Only the event that a free form may declare is not in both.
            let alone: Vec<&String> = report.only_in_a.names.iter().chain(&report.only_in_b.names).collect();
            equal("alone", &alone.iter().all(|name| in_top(name) == "tb.tick"), &true)?;
            equal("same", &report.same(), &(report.differences == 0 && alone.is_empty()))?;
            Ok(Expected::Compared {
                cycles: report.compared_cycles,
                signals: report.compared_signals,
                differences: report.differences,
                first: report.first.as_ref().map(|first| (first.cycle, in_top(&first.signal))),
            })
        }
        Ok(DiffReport::Tables(_)) => Err("two waveforms are compared as tables".into()),
        Err(error) if UNUSABLE.iter().any(|text| error.to_string().contains(text)) => {
            refused(&error, &[])?;
            Ok(Expected::Unusable)
        }
        Err(error) => Err(format!("refused: {error}")),
    }
}

/// What is said of two waveforms that have no cycle in common.
const UNUSABLE: [&str; 3] = [" never rises: ", " never falls before ", "no cycle is left to compare: "];

/// A name with its top scope, which may have been taken off in both.
fn in_top(name: &str) -> String {
    if name.starts_with("tb.") { name.into() } else { format!("tb.{name}") }
}

/// Whether our writers can write a wave: bits, each known or all unknown, one value a step.
fn writable(made: &Made) -> bool {
    let bits = made.signals.iter().all(|signal| matches!(signal.kind, Kind::Bits(_)));
    let plain = |value: &Value| match value {
        Value::Bits(bits) => {
            bits.bytes().all(|b| b == b'x') || bits.bytes().all(|b| matches!(b, b'0' | b'1'))
        }
        _ => false,
    };
    bits && made.steps.iter().flat_map(|step| &step.changes).all(|(_, value)| plain(value))
}

fn write(scratch: &Scratch, made: &Made) -> Result<PathBuf, Refusal> {
    let path = scratch.nothing("b.fst");
    let decl = |signal: &crate::wave::Signal| SignalDecl {
        scope: [vec!["tb".to_string()], signal.scope.clone()].concat().into(),
        name: signal.name.clone(),
        width_bits: match signal.kind {
            Kind::Bits(width) => width,
            _ => 1,
        },
    };
    let mut writer = WaveWriter::create(&path, "1ns", made.signals.iter().map(decl).collect::<Vec<_>>())?;
    for step in &made.steps {
        writer.time(step.time)?;
        // A writer takes one value of a signal at a time: the last.
        let mut values: Vec<Option<&Value>> = vec![None; made.signals.len()];
        step.changes.iter().for_each(|(signal, value)| values[*signal] = Some(value));
        for (signal, value) in values.into_iter().enumerate() {
            match value {
                Some(Value::Bits(bits)) if bits.starts_with('x') => writer.change_to_x(signal)?,
                Some(Value::Bits(bits)) => writer.change(signal, &limbs(bits))?,
                _ => {}
            }
        }
    }
    writer.finish()?;
    Ok(path)
}

fn limbs(bits: &str) -> Vec<u64> {
    let mut limbs = vec![0; bits.len().div_ceil(64)];
    for (at, bit) in bits.bytes().rev().enumerate() {
        limbs[at / 64] |= u64::from(bit == b'1') << (at % 64);
    }
    limbs
}
