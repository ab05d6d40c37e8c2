//! Changes of JSON: a value somewhere in it, which stays JSON.

use super::text::digits;
use super::{NUMBERS, number, one, text, times};
use frit_traffic::random::SplitMix64;
use serde_json::Value;

/// Changes a value somewhere in the text, or the text where it is no JSON.
pub(crate) fn json(input: &mut Vec<u8>, random: &mut SplitMix64) {
    match serde_json::from_slice::<Value>(input) {
        Ok(mut value) if random.below(8) > 0 => {
            for _ in 0..times(random) {
                match random.below(2) {
                    0 => order(&mut value, random),
                    _ => change(&mut value, random),
                }
            }
            *input = value.to_string().into_bytes();
        }
        _ => text(input, random, &["null", "true", "[", "]", "{", "}", ":", "\"\"", "1e999", "\\u0000"]),
    }
}

/// Goes down to a list of numbers, a list of lists or a text of digits, and changes what may be changed without leaving the
/// form: the order, how many lists there are, digits.
fn order(value: &mut Value, random: &mut SplitMix64) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let at = random.below(members.len() as u32) as usize;
            members.values_mut().nth(at).into_iter().for_each(|member| order(member, random));
        }
        Value::Array(items) if !items.is_empty() => {
            let [a, b] = [0; 2].map(|_: i32| random.below(items.len() as u32) as usize);
            let nested = !items[a].is_number();
            match random.below(if nested { 8 } else { 1 }) {
                0 => items.swap(a, b),
                1 => items.insert(b, items[a].clone()),
                2 => drop(items.remove(a)),
                _ => order(&mut items[a], random),
            }
        }
        Value::String(old) => {
            let mut bytes = std::mem::take(old).into_bytes();
            digits(&mut bytes, random);
            *old = String::from_utf8_lossy(&bytes).into_owned();
        }
        _ => {}
    }
}

/// Goes down with a probability that leaves every depth reachable, then changes what is there.
fn change(value: &mut Value, random: &mut SplitMix64) {
    match value {
        Value::Array(items) if !items.is_empty() && random.below(4) > 0 => {
            let at = random.below(items.len() as u32) as usize;
            change(&mut items[at], random);
        }
        Value::Object(members) if !members.is_empty() && random.below(8) > 0 => {
            let at = random.below(members.len() as u32) as usize;
            if random.below(12) == 0 {
                let key = members.keys().nth(at).cloned().unwrap_or_default();
                members.remove(&key);
            } else if let Some(member) = members.values_mut().nth(at) {
                change(member, random);
            }
        }
        Value::Array(items) => list(items, random),
        Value::Number(old) => {
            let new = number(&old.to_string(), random);
            *value = serde_json::from_str(&new).unwrap_or(Value::String(new));
        }
        Value::String(old) => {
            let mut bytes = std::mem::take(old).into_bytes();
            text(&mut bytes, random, &["0", "1", "01", "fritillary"]);
            *old = String::from_utf8_lossy(&bytes).into_owned();
        }
        other => *other = any(random),
    }
}

fn list(items: &mut Vec<Value>, random: &mut SplitMix64) {
    if items.is_empty() {
        items.push(any(random));
        return;
    }
    let [a, b] = [0; 2].map(|_: i32| random.below(items.len() as u32) as usize);
    match random.below(6) {
        0 => drop(items.remove(a)),
        1 => items.insert(b, items[a].clone()),
        2 => items.swap(a, b),
        3 => items.truncate(a),
        4 => items.extend_from_within(..=a.min(64)),
        _ => items[a] = any(random),
    }
}

fn any(random: &mut SplitMix64) -> Value {
    let numbers = || NUMBERS.iter().filter_map(|number| serde_json::from_str(number).ok());
    let others = [Value::Null, Value::Bool(true), Value::String("\u{1b}]0;x\u{7}".into())];
    let other = [Value::Array(Vec::new()), Value::Object(serde_json::Map::new())];
    let all: Vec<Value> = numbers().chain(others).chain(other).collect();
    one(&all, random).clone()
}
