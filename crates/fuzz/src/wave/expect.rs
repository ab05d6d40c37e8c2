//! What a comparison must find, by the rules of docs/diff.md and by nothing that it is made of.

use super::{Kind, Made, TOP, Value};

/// What must be found.
#[derive(Debug, PartialEq)]
pub(crate) enum Expected {
    /// They cannot be compared.
    Unusable,
    Compared {
        cycles: usize,
        /// Signals, without the clock.
        signals: usize,
        differences: u64,
        /// Cycle and name of the first.
        first: Option<(usize, String)>,
    },
}

/// The samples of a wave: of each cycle from the aligned one on the values of all signals, or why there are none.
fn cycles(made: &Made) -> Option<Vec<Vec<Value>>> {
    let unknown = |kind| match kind {
        Kind::Bits(width) => Value::Bits("x".repeat(width as usize)),
        Kind::Real => Value::Real(f64::NAN),
        Kind::Text => Value::Text(String::new()),
    };
    let mut now: Vec<Value> = made.signals.iter().map(|signal| unknown(signal.kind)).collect();
    let mut samples = Vec::new();
    for step in &made.steps {
        let mut next = now.clone();
        for (signal, value) in &step.changes {
            next[*signal] = value.clone();
        }
        let [low, high] = ["0", "1"].map(|bit| Value::Bits(bit.into()));
        if now[0] == low && next[0] == high {
            samples.push(now);
        }
        now = next;
    }
    if samples.is_empty() {
        return None;
    }
    if made.has_reset {
        let in_reset = |sample: &Vec<Value>| sample[1] == Value::Bits("1".into());
        if let Some(first) = samples.iter().position(in_reset) {
            let active = samples[first..].iter().position(|sample| !in_reset(sample))?;
            samples.drain(..first + active);
        }
    }
    Some(samples)
}

fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) => a == b || (a.is_nan() && b.is_nan()),
        _ => a == b,
    }
}

/// What must be found between two waves with the same signals.
pub(crate) fn expected(a: &Made, b: &Made) -> Expected {
    let (Some(in_a), Some(in_b)) = (cycles(a), cycles(b)) else { return Expected::Unusable };
    let cycles = in_a.len().min(in_b.len());
    let mut differences = 0;
    let mut first: Option<(usize, String)> = None;
    for (cycle, (a_now, b_now)) in in_a.iter().zip(&in_b).enumerate() {
        for signal in 1..a.signals.len() {
            if agree(&a_now[signal], &b_now[signal]) {
                continue;
            }
            differences += 1;
            let place = (cycle, full_name(a, signal));
            first = Some(first.map_or(place.clone(), |first| first.min(place)));
        }
    }
    Expected::Compared { cycles, signals: a.signals.len() - 1, differences, first }
}

/// The name of a signal, the top scope with it.
pub(crate) fn full_name(made: &Made, signal: usize) -> String {
    let signal = &made.signals[signal];
    let mut name = TOP.to_string();
    for part in signal.scope.iter().chain([&signal.name]) {
        name += &format!(".{part}");
    }
    name
}
