//! A wave as a VCD, in one of the many forms that mean the same.

use super::{Choices, Kind, Made, Signal, Step, TOP, Value};

/// How a VCD is written.
pub(crate) struct Form<'a, 'b> {
    choices: &'a mut Choices<'b>,
    plain: bool,
}

impl<'a, 'b> Form<'a, 'b> {
    /// As most simulators write it.
    pub fn plain(choices: &'a mut Choices<'b>) -> Self {
        Form { choices, plain: true }
    }

    pub fn free(choices: &'a mut Choices<'b>) -> Self {
        Form { choices, plain: false }
    }

    /// True once in so many, and never where it is plain.
    fn once_in(&mut self, times: usize) -> bool {
        !self.plain && self.choices.once_in(times)
    }

    /// The same, chosen by the last byte.
    fn last_once_in(&mut self, times: usize) -> bool {
        !self.plain && self.choices.last_once_in(times)
    }

    /// What stands between two words.
    fn space(&mut self) -> &'static str {
        if self.once_in(4) { self.choices.one(&["\n", "\t", "  ", "\r\n", " \n\n "]) } else { " " }
    }

    /// What stands behind a change: it may share its line with the next.
    fn end(&mut self) -> &'static str {
        if self.once_in(4) { self.choices.one(&[" ", "\t", "\r\n", "\n\n", " \n"]) } else { "\n" }
    }
}

/// An event, whose values mean nothing.
const EVENT: &str = "~tick";

pub(crate) fn vcd(made: &Made, form: &mut Form) -> String {
    let [shared, sections, events] = [0; 3].map(|_: i32| form.last_once_in(2));
    let mut ids = ids(made.signals.len(), form);
    let first = if shared { share(made, &mut ids) } else { (0..ids.len()).collect() };
    let mut text = header(made, &ids, events, form);
    // In one section or not at all; who changes nothing keeps what it has.
    let mut last: Vec<Option<Value>> = vec![None; made.signals.len()];
    for (number, step) in made.steps.iter().enumerate() {
        if number == 0 && step.time == 0 && form.once_in(4) {
            // Before any time is time 0.
        } else {
            text += &format!("#{}{}", step.time, form.end());
        }
        let dumped = if number == 0 { form.once_in(2) } else { sections && form.once_in(4) };
        if dumped {
            let others = ["$dumpall", "$dumpoff", "$dumpon"];
            let section = if number == 0 { "$dumpvars" } else { form.choices.one(&others) };
            text += &format!("{section}{}", form.end());
        }
        if events && form.once_in(3) {
            text += &format!("{}{EVENT}{}", form.choices.one(&["0", "1", "x", "b1 "]), form.end());
        }
        for (signal, value) in order(&step.changes, form) {
            if first[signal] != signal {
                continue;
            }
            change(&mut text, &ids[signal], &made.signals[signal], &value, form);
            last[signal] = Some(value);
        }
        if form.once_in(8) {
            let signal = form.choices.below(made.signals.len());
            if let Some(value) = last[signal].clone() {
                change(&mut text, &ids[signal], &made.signals[signal], &value, form);
            }
        }
        if dumped {
            text += &format!("$end{}", form.end());
        }
        if form.once_in(8) {
            text += form.choices.one(&[
                "$comment #1 0! $end\n",
                "$comment $end\n",
                "\n",
                "$comment b1 $dumpvars\n$end\n",
            ]);
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Gives signals that never differ one short name; of each, the first with that name, which has the changes of all.
fn share(made: &Made, ids: &mut [String]) -> Vec<usize> {
    let changes = |signal: usize| {
        let of = move |step: &'_ Step| -> Vec<Value> {
            step.changes.iter().filter(|change| change.0 == signal).map(|change| change.1.clone()).collect()
        };
        made.steps.iter().map(of).collect::<Vec<_>>()
    };
    let changes: Vec<_> = (0..ids.len()).map(changes).collect();
    let same = |a: usize, b: usize| made.signals[a].kind == made.signals[b].kind && changes[a] == changes[b];
    let first: Vec<usize> = (0..ids.len()).map(|b| (0..b).find(|&a| same(a, b)).unwrap_or(b)).collect();
    for (signal, &first) in first.iter().enumerate() {
        ids[signal] = ids[first].clone();
    }
    first
}

/// The changes of a step in another order, those of one signal in their own.
fn order(changes: &[(usize, Value)], form: &mut Form) -> Vec<(usize, Value)> {
    let mut changes = changes.to_vec();
    if form.once_in(2) {
        let mut signals: Vec<usize> = changes.iter().map(|change| change.0).collect();
        signals.sort_unstable();
        signals.dedup();
        form.choices.shuffle(&mut signals);
        changes.sort_by_key(|change| signals.iter().position(|&signal| signal == change.0));
    }
    changes
}

/// A short name for each signal.
fn ids(count: usize, form: &mut Form) -> Vec<String> {
    let renamed = form.once_in(2);
    let id = |at: usize| match renamed {
        false => char::from(b'!' + at as u8).to_string(),
        true => {
            // Names like times, like commands, like values: whatever is printed.
            let first = form.choices.one(&["#", "$", "b", "0", "x1", "$dumpvars", "#1", "~~~", "aaaa", "%"]);
            format!("{first}{}", char::from(b'!' + at as u8))
        }
    };
    (0..count).map(id).collect()
}

fn header(made: &Made, ids: &[String], events: bool, form: &mut Form) -> String {
    let mut text = String::new();
    if form.once_in(2) {
        text += "$date today $end\n$version by hand $end\n";
    }
    let timescale = if form.once_in(2) { form.choices.one(&["1ps", "10 us", "100\tfs"]) } else { "1ns" };
    text += &format!("$timescale{}{timescale}{}$end\n", form.space(), form.space());
    let wrapped = form.once_in(4);
    if wrapped {
        text += "$scope module TOP $end\n";
    }
    text += &format!("$scope{}module{}{TOP}{}$end{}", form.space(), form.space(), form.space(), form.end());
    if events {
        text += &format!("$var event 1 {EVENT} tick $end\n");
    }
    let mut signals: Vec<usize> = (0..made.signals.len()).collect();
    if form.once_in(2) {
        form.choices.shuffle(&mut signals);
    }
    let mut open: &[String] = &[];
    for signal in signals {
        let scope = &made.signals[signal].scope;
        // Scopes that were closed may be opened again.
        let kept =
            if form.once_in(4) { 0 } else { open.iter().zip(scope).take_while(|(a, b)| a == b).count() };
        text += &"$upscope $end\n".repeat(open.len() - kept);
        for name in &scope[kept..] {
            text += &format!("$scope module {name} $end\n");
        }
        open = scope;
        text += &declaration(&made.signals[signal], &ids[signal], form);
    }
    text += &"$upscope $end\n".repeat(open.len() + 1 + usize::from(wrapped));
    // The first changes may stand on its line.
    text + "$enddefinitions $end" + form.end()
}

fn declaration(signal: &Signal, id: &str, form: &mut Form) -> String {
    let (kind, size) = match signal.kind {
        Kind::Real => ("real", 64),
        Kind::Text => ("string", 1),
        Kind::Bits(width) => {
            (if form.plain { "wire" } else { form.choices.one(&["wire", "reg", "logic"]) }, width)
        }
    };
    let range = match signal.kind {
        Kind::Bits(width) if width > 1 && form.once_in(2) => {
            let space = if form.once_in(2) { "" } else { " " };
            format!("{space}[{}:0]", width - 1)
        }
        _ => String::new(),
    };
    let [a, b, c, d, e] = [0; 5].map(|_: i32| form.space());
    format!("$var{a}{kind}{b}{size}{c}{id}{d}{}{range}{e}$end{}", signal.name, form.end())
}

fn change(text: &mut String, id: &str, signal: &Signal, value: &Value, form: &mut Form) {
    let upper = form.once_in(4);
    let mut value = match value {
        Value::Real(real) => format!("r{real:?} "),
        Value::Text(words) => format!("s{words} "),
        Value::Bits(bits) => match signal.kind {
            Kind::Bits(1) if !form.once_in(8) => bits.clone(),
            _ => format!("b{} ", if form.once_in(2) { short(bits) } else { bits }),
        },
    };
    if upper && !matches!(signal.kind, Kind::Text) {
        value = value.to_uppercase();
    }
    text.push_str(&value);
    text.push_str(id);
    text.push_str(form.end());
}

/// Without the digits that a reader puts in front: zeros before 0 and 1, x before x, z before z.
fn short(bits: &str) -> &str {
    let mut rest = bits;
    while let Some(shorter) = rest.get(1..) {
        let (first, next) = (rest.as_bytes()[0], shorter.as_bytes().first());
        let same = match next {
            Some(b'0' | b'1') => first == b'0',
            Some(next) => first == *next,
            None => false,
        };
        if !same {
            break;
        }
        rest = shorter;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;
    use crate::wave::generate;

    /// Every form is written by some choices: two names of one signal, an event, sections of changes in the middle.
    #[test]
    fn every_form_is_written() {
        let mut random = SplitMix64(3);
        let mut seen = [0; 3];
        for _ in 0..200 {
            let input: Vec<u8> = (0..600).map(|_| random.next() as u8).collect();
            let mut choices = Choices(&input);
            let made = generate(&mut choices);
            let text = vcd(&made, &mut Form::free(&mut choices));
            let words: Vec<&str> = text.split_whitespace().collect();
            let ids: Vec<&str> = words.windows(5).filter(|w| w[0] == "$var").map(|w| w[3]).collect();
            let twice = ids.iter().enumerate().any(|(at, id)| ids[..at].contains(id));
            let found = [twice, words.contains(&EVENT), words.contains(&"$dumpoff")];
            seen.iter_mut().zip(found).for_each(|(seen, found)| *seen += u32::from(found));
        }
        assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
    }
}
