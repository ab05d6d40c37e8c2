//! VCD and FST.

use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use frit_trace::diff::{DiffOptions, diff_files};
use frit_trace::wave::{MAX_WIDTH_BITS, SignalDecl, SignalKind, Traces, Value, Wave, WaveSignal, WaveWriter};
use std::collections::BTreeSet;
use std::path::Path;

pub(super) const VCD_WORDS: [&str; 33] = [
    "$var",
    "$end",
    "$scope",
    "$upscope",
    "$enddefinitions",
    "$dumpvars",
    "$dumpoff",
    "$dumpall",
    "$comment",
    "$timescale",
    "$date",
    "$version",
    "$attrbegin",
    "wire",
    "reg",
    "real",
    "string",
    "event",
    "module",
    "begin",
    "1 ns",
    "[7:0]",
    "[0]",
    "#",
    "b",
    "r",
    "s",
    "x",
    "z",
    "\n",
    "$end\n",
    "#1 0!",
    "b10 \"",
];

/// Values that are looked at one by one; beyond that a wave is only loaded.
const MAX_VALUES: usize = 1 << 16;

pub(super) fn vcd(scratch: &Scratch, input: &[u8]) -> Outcome {
    wave(scratch, &scratch.file("input.vcd", input), places(input))
}

pub(super) fn fst(scratch: &Scratch, input: &[u8]) -> Outcome {
    wave(scratch, &scratch.file("input.fst", input), places(input))
}

/// What errors must say: a line, or a byte.
fn places(input: &[u8]) -> &'static [&'static str] {
    match input.trim_ascii_start().first() {
        Some(b'$') => &[
            "line ",
            "its last line has no line end",
            "its last value has no signal",
            " declares no signal: ",
        ],
        _ => &[
            "at byte ",
            "it has no ",
            "its time goes back from ",
            " declares no signal: ",
            " is empty: ",
            " is neither VCD, ",
        ],
    }
}

fn wave(scratch: &Scratch, path: &Path, places: &[&str]) -> Outcome {
    let mut wave = match Wave::open(path) {
        Ok(wave) => wave,
        Err(error) => return refused(&error, places),
    };
    let all: Vec<usize> = (0..wave.signals().len()).collect();
    let traces = match wave.load(&all) {
        Ok(traces) => traces,
        Err(error) => return refused(&error, places),
    };
    match diff_files(path, path, &DiffOptions::default()) {
        Ok(report) if !report.same() => return Err(format!("not equal to itself: {}", report.render_text())),
        Ok(report) if report.render_text().chars().any(|c| c.is_control() && c != '\n') => {
            return Err(format!("a raw control character in {:?}", report.render_text()));
        }
        Ok(_) => {}
        // Without a clock nothing is compared.
        Err(error) => drop(refused(&error, &[])?),
    }
    let signals = writable(&wave);
    let values = signals.len() * (wave.times().len() + 1);
    if !signals.is_empty() && values <= MAX_VALUES {
        for name in ["again.vcd", "again.fst"] {
            again(scratch, name, &wave, &traces, &signals)?;
        }
    }
    Ok(Answer::Taken)
}

/// The signals that our writers can write, each name once.
fn writable(wave: &Wave) -> Vec<WaveSignal> {
    let mut names = BTreeSet::new();
    let plain = |part: &String| {
        (1..=480).contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_graphic())
            && !part.starts_with('[')
    };
    let fits = |signal: &&WaveSignal| {
        let bits = matches!(signal.kind, SignalKind::Bits(1..=MAX_WIDTH_BITS));
        let named = !signal.scope.is_empty() && signal.scope.iter().chain([&signal.name]).all(plain);
        // What a reader takes for a range or a part of one is not the name that it was.
        bits && named && !signal.name.contains(['[', ']', ':'])
    };
    let unique = |signal: &&WaveSignal| names.insert((signal.scope.clone(), signal.name.clone()));
    wave.signals().iter().filter(fits).filter(unique).cloned().collect()
}

/// The limbs of a value without x and z.
fn limbs(value: &Value) -> Option<Vec<u64>> {
    let Value::Bits(bits) = value else { return None };
    let mut limbs = vec![0; bits.len().div_ceil(64)];
    for (at, bit) in bits.bytes().rev().enumerate() {
        match bit {
            b'0' => {}
            b'1' => limbs[at / 64] |= 1 << (at % 64),
            _ => return None,
        }
    }
    Some(limbs)
}

/// Writes what was read, with every value that has an x or z as x, and reads it.
fn again(
    scratch: &Scratch,
    name: &str,
    wave: &Wave,
    traces: &Traces,
    signals: &[WaveSignal],
) -> Result<(), String> {
    let path = scratch.nothing(name);
    let error = |error| format!("what was read is not written: {}", crate::rules::shown(&error));
    let width = |signal: &WaveSignal| match signal.kind {
        SignalKind::Bits(bits) => bits,
        _ => 1,
    };
    let decl = |signal: &WaveSignal| SignalDecl {
        scope: signal.scope.clone().into(),
        name: signal.name.clone(),
        width_bits: width(signal),
    };
    let decls: Vec<SignalDecl> = signals.iter().map(decl).collect();
    let mut writer = WaveWriter::create(&path, "1ns", decls).map_err(error)?;
    // Two times are one if they are equal; what holds is the last.
    for (at, &time) in wave.times().iter().enumerate() {
        writer.time(time).map_err(error)?;
        for (index, signal) in signals.iter().enumerate() {
            match limbs(&traces.value_before(signal, at + 1)) {
                Some(limbs) => writer.change(index, &limbs),
                None => writer.change_to_x(index),
            }
            .map_err(error)?;
        }
    }
    writer.finish().map_err(error)?;
    let mut read =
        Wave::open(&path).map_err(|e| format!("{name} is not read: {}", crate::rules::shown(&e)))?;
    equal("signals", &read.signals().len(), &signals.len())?;
    let all: Vec<usize> = (0..read.signals().len()).collect();
    let values = read.load(&all).map_err(|e| format!("{name} is not read: {}", crate::rules::shown(&e)))?;
    for signal in signals {
        let found = read.signals().iter().find(|s| (&s.scope, &s.name) == (&signal.scope, &signal.name));
        let found = found.ok_or_else(|| format!("{name} has no signal {}", signal.full_name()))?;
        for (at, time) in wave.times().iter().enumerate() {
            // A time at which nothing changes need not be there, so the last one up to it counts.
            let known = read.times().partition_point(|t| t <= time);
            let before = limbs(&traces.value_before(signal, at + 1));
            let after = limbs(&values.value_before(found, known));
            // Where a time stands twice only its last values are compared.
            if wave.times().get(at + 1) != Some(time) {
                equal(&format!("{name}, {} at {time}", signal.full_name()), &after, &before)?;
            }
        }
    }
    Ok(())
}
