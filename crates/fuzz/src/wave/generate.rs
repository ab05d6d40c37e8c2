//! A wave from choices, and its edits.

use super::{Choices, Kind, Made, Signal, Step, Value};

const MAX_SIGNALS: usize = 8;
const MAX_STEPS: usize = 48;
const SCOPES: [&str; 4] = ["u_a", "u_b", "gen[3]", "dut"];

/// A wave: a clock that rises, perhaps a reset, and others.
pub(crate) fn generate(choices: &mut Choices) -> Made {
    let twice = choices.last_once_in(3);
    let bit = |name: &str| Signal { scope: Vec::new(), name: name.into(), kind: Kind::Bits(1) };
    let mut signals = vec![bit(choices.one(&["clk_i", "clk", "clock"]))];
    let has_reset = choices.once_in(3);
    if has_reset {
        signals.push(bit(choices.one(&["rst_i", "rst", "reset"])));
    }
    for number in 0..=choices.below(MAX_SIGNALS) {
        let kind = match choices.below(8) {
            0 => Kind::Real,
            1 => Kind::Text,
            2 => Kind::Bits(choices.one(&[2, 31, 32, 33, 63, 64, 65, 129])),
            3 | 4 => Kind::Bits(8),
            _ => Kind::Bits(1),
        };
        let depth = choices.below(3);
        let scope = (0..depth).map(|_| choices.one(&SCOPES).to_string()).collect();
        signals.push(Signal { scope, name: format!("s{number}"), kind });
    }
    let mut steps = Vec::new();
    let mut time = 0;
    for step in 0..6 + choices.below(MAX_STEPS) {
        // The clock is low in even steps and high in odd ones, unless it is left as it is.
        let mut changes = Vec::new();
        if step == 0 || !choices.once_in(8) {
            changes.push((0, Value::Bits((step % 2).to_string())));
        }
        if has_reset && (step == 0 || choices.once_in(6)) {
            changes.push((1, Value::Bits(choices.one(&["1", "0", "0", "x"]).to_string())));
        }
        let others = 1 + usize::from(has_reset)..signals.len();
        for signal in others {
            let all = step == 0 && !choices.once_in(4);
            if all || choices.once_in(3) {
                changes.push((signal, value(signals[signal].kind, choices)));
            }
            // A glitch: what holds is the last.
            if choices.once_in(16) {
                changes.push((signal, value(signals[signal].kind, choices)));
            }
        }
        steps.push(Step { time, changes });
        time += 1 + choices.below(7) as u64;
    }
    let mut made = Made { signals, has_reset, steps };
    if twice {
        again(&mut made, choices);
    }
    made
}

/// A signal once more, with another name: it may be written as one with two names.
fn again(made: &mut Made, choices: &mut Choices) {
    let (signal, copy) = (choices.below(made.signals.len()), made.signals.len());
    let scope = vec![choices.one(&SCOPES).to_string()];
    made.signals.push(Signal { scope, name: "again".into(), kind: made.signals[signal].kind });
    for step in &mut made.steps {
        let changes = step.changes.iter().filter(|change| change.0 == signal);
        let copies: Vec<(usize, Value)> = changes.map(|(_, value)| (copy, value.clone())).collect();
        step.changes.extend(copies);
    }
}

fn value(kind: Kind, choices: &mut Choices) -> Value {
    match kind {
        Kind::Real => Value::Real(f64::from(choices.byte() as i8) / 4.0),
        Kind::Text => Value::Text(format!("t{}", choices.below(5))),
        Kind::Bits(width) => {
            let states = if choices.once_in(4) { ['0', '1', 'x', 'z'] } else { ['0', '1', '0', '1'] };
            let (mut byte, mut bits) = (0, String::new());
            for at in 0..width {
                // Four bits a byte; behind the eighth they repeat, so that wide values are short to describe.
                byte = if at % 4 == 0 && at < 32 { choices.byte() } else { byte.rotate_right(2) };
                bits.push(states[usize::from(byte & 3)]);
            }
            Value::Bits(bits)
        }
    }
}

/// Changes a value, takes a change out, puts one in or moves one, of any signal, the clock among them.
pub(crate) fn edit(made: &mut Made, choices: &mut Choices) {
    let step = choices.below(made.steps.len());
    let signal = choices.below(made.signals.len());
    let kind = made.signals[signal].kind;
    let changes = &mut made.steps[step].changes;
    match (choices.below(4), changes.is_empty()) {
        (0, _) => changes.push((signal, value(kind, choices))),
        (1, false) => drop(changes.remove(choices.below(changes.len()))),
        (2, false) => {
            let change = changes.remove(choices.below(changes.len()));
            let later = (step + 1).min(made.steps.len() - 1);
            made.steps[later].changes.insert(0, change);
        }
        (_, false) => {
            let at = choices.below(changes.len());
            changes[at].1 = value(made.signals[changes[at].0].kind, choices);
        }
        (_, true) => {}
    }
}
