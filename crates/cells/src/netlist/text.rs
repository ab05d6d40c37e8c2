//! Nets and expressions of a netlist as text, for whichever form of it is written.

use super::width::{PARAMETER, bits_text, end_text, place_text};
use super::{Expr, Kind, Module, Net, Part, Signal};
use crate::printer::statement::COLUMNS;

/// Items separated by commas, as many on a line as fit; each line begins `indent` columns in.
pub(crate) fn wrap(items: &[String], indent: usize) -> String {
    let margin = format!("\n{}", " ".repeat(indent));
    let mut text = String::new();
    let mut column = indent;
    for (at, item) in items.iter().enumerate() {
        let comma = usize::from(at + 1 < items.len());
        if at > 0 {
            let many_lines = item.contains('\n') || items[at - 1].contains('\n');
            if many_lines || column + 2 + item.len() + comma > COLUMNS {
                text += &format!(",{margin}");
                column = indent;
            } else {
                text += ", ";
                column += 2;
            }
        }
        text += item;
        column = match item.rsplit_once('\n') {
            Some((_, last)) => last.len(),
            None => column + item.len(),
        };
    }
    text
}

pub(crate) fn width(bits: u32) -> String {
    if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) }
}

/// The range of one lane of a signal.
pub(crate) fn lane_range(signal: &Signal) -> String {
    match signal.above_word {
        Some(above) => format!("[{}:0] ", place_text(signal.width - 1, signal.width - above)),
        None => width(signal.width),
    }
}

pub(crate) fn range(signal: &Signal) -> String {
    match signal.above_word {
        Some(_) if signal.lanes == 1 => return lane_range(signal),
        Some(0) => return format!("[{}*{PARAMETER}-1:0] ", signal.lanes),
        Some(above) => return format!("[{}*({PARAMETER}+{above})-1:0] ", signal.lanes),
        None => (),
    }
    let bits = signal.lanes * signal.width;
    if bits == 1 && signal.vector {
        return "[0:0] ".into();
    }
    width(bits)
}

/// The name of a lane of a signal of kind [`Kind::Wires`].
pub(crate) fn lane_name(signal: &Signal, lane: u32) -> String {
    match signal.kind {
        Kind::Array => format!("{}[{lane}]", signal.name),
        _ if signal.lanes == 1 => signal.name.clone(),
        _ => format!("{}_{lane}", signal.name),
    }
}

pub(crate) fn net_text(module: &Module, net: Net) -> String {
    slice_text(module, net, None)
}

pub(crate) fn slice_text(module: &Module, net: Net, bits: Option<(u32, u32)>) -> String {
    let signal = module.signal(net.signal);
    let alone = matches!(signal.kind, Kind::Wires | Kind::Array);
    let base = if alone { lane_name(signal, net.lane) } else { signal.name.clone() };
    let (offset, total) = match alone {
        true => (0, signal.width),
        false => (net.lane * signal.width, signal.lanes * signal.width),
    };
    if let Some(above) = signal.above_word {
        return word_text(&base, signal, above, (!alone && signal.lanes > 1).then_some(net.lane), bits);
    }
    let (high, low) = bits.unwrap_or((signal.width - 1, 0));
    let (high, low) = (offset + high, offset + low);
    if high - low + 1 == total {
        base
    } else if high == low {
        format!("{base}[{high}]")
    } else {
        format!("{base}[{high}:{low}]")
    }
}

/// A lane of a vector of words, or the whole net, or bits of it.
fn word_text(base: &str, signal: &Signal, above: u32, lane: Option<u32>, bits: Option<(u32, u32)>) -> String {
    let word = signal.width - above;
    let bits = bits.filter(|bits| *bits != (signal.width - 1, 0));
    let size = bits_text(signal.width, word);
    match (lane, bits) {
        (None, None) => base.into(),
        (None, Some((high, low))) if high == low => format!("{base}[{}]", place_text(high, word)),
        (None, Some((high, low))) => format!("{base}[{}:{}]", place_text(high, word), end_text(low, word)),
        (Some(_), Some(_)) => panic!("{base}: bits of a lane of words"),
        (Some(0), None) => format!("{base}[0 +: {size}]"),
        (Some(1), None) => format!("{base}[{size} +: {size}]"),
        (Some(lane), None) if above == 0 => format!("{base}[{lane}*{size} +: {size}]"),
        (Some(lane), None) => format!("{base}[{lane}*({size}) +: {size}]"),
    }
}

pub(crate) fn part_text(module: &Module, part: &Part) -> String {
    match part {
        Part::Net { net, bits, invert } => {
            let text = slice_text(module, *net, *bits);
            if *invert { format!("~{text}") } else { text }
        }
        Part::Const { value, bits } => format!("{bits}'d{value}"),
    }
}

/// An expression, as a statement or a pin takes it.
pub(crate) fn expr_text(module: &Module, expr: &Expr) -> String {
    let texts = |parts: &[Part]| parts.iter().map(|part| part_text(module, part)).collect::<Vec<_>>();
    match expr {
        Expr::Concat(parts) => braces(texts(&joined(parts.clone()))),
        Expr::Any(parts) => any_text(module, parts),
    }
}

/// Whether any bit is 1: of a few, as one would write it.
fn any_text(module: &Module, parts: &[Part]) -> String {
    /// As many are written with an operator between each.
    const FEW: usize = 4;
    let inverted = |part: &Part| matches!(part, Part::Net { invert: true, .. });
    let plain = |part: &Part| match part.clone() {
        Part::Net { net, bits, .. } => Part::Net { net, bits, invert: false },
        constant => constant,
    };
    let (sign, whole, parts): (&str, bool, Vec<Part>) = match parts.iter().all(inverted) {
        // Some bit is 0 where not all are 1.
        true => ("&", true, parts.iter().map(plain).collect()),
        false => ("|", false, parts.to_vec()),
    };
    let single = |part: &Part| part_width(module, part) == 1;
    let texts: Vec<String> = parts.iter().map(|part| part_text(module, part)).collect();
    let (text, operators) = match texts.as_slice() {
        [text] if single(&parts[0]) => (text.clone(), 0),
        texts if texts.len() > FEW => (format!("{sign}{}", braces(texts.to_vec())), 1),
        texts => {
            let one = |(part, text): (&Part, &String)| match single(part) {
                true => text.clone(),
                false if texts.len() == 1 => format!("{sign}{text}"),
                false => format!("({sign}{text})"),
            };
            let all: Vec<String> = parts.iter().zip(texts).map(one).collect();
            (all.join(&format!(" {sign} ")), 1)
        }
    };
    match (whole, operators) {
        (true, 0) => format!("~{text}"),
        (true, _) => format!("~({text})"),
        (false, _) => text,
    }
}

/// Bits of a part.
pub(crate) fn part_width(module: &Module, part: &Part) -> u32 {
    match part {
        Part::Const { bits, .. } => *bits,
        Part::Net { bits: Some((high, low)), .. } => high - low + 1,
        Part::Net { net, .. } => module.signal(net.signal).width,
    }
}

/// Bits of a net that follow each other downwards become one range.
pub(crate) fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        if let (
            Some(Part::Net { net: above, bits: Some((_, low)), invert: false }),
            Part::Net { net, bits: Some((high, end)), invert: false },
        ) = (all.last_mut(), &part)
            && (*above, *low) == (*net, high + 1)
        {
            *low = *end;
            continue;
        }
        all.push(part);
    }
    all
}

/// Parts side by side; on lines of their own if they are too long for one.
pub(crate) fn braces(parts: Vec<String>) -> String {
    /// What stands before and behind on the line of a pin.
    const ROOM: usize = 60;
    if parts.len() == 1 {
        return parts.into_iter().next().unwrap_or_default();
    }
    let line = format!("{{{}}}", parts.join(", "));
    match line.len() <= ROOM && !line.contains('\n') {
        true => line,
        false => format!("{{\n      {}\n    }}", wrap(&parts, 6)),
    }
}

/// All lanes of a port: the name of a vector if they are just that, else a concatenation, lane 0 last.
pub(crate) fn lanes_text(module: &Module, lanes: &[Expr]) -> String {
    if lanes.len() == 1 {
        return expr_text(module, &lanes[0]);
    }
    if let Some(first) = lanes[0].as_net() {
        let signal = module.signal(first.signal);
        let in_order =
            |(at, lane): (usize, &Expr)| lane.as_net() == Some(Net { signal: first.signal, lane: at as u32 });
        let whole = !matches!(signal.kind, Kind::Wires | Kind::Array) && signal.lanes as usize == lanes.len();
        if whole && lanes.iter().enumerate().all(in_order) {
            return signal.name.clone();
        }
    }
    let mut texts = Vec::new();
    let mut parts = Vec::new();
    for lane in lanes.iter().rev() {
        // Lanes that are just some bits are joined with those beside them.
        if let Expr::Concat(bits) = lane
            && let [part] = bits.as_slice()
        {
            parts.push(part.clone());
            continue;
        }
        texts.extend(joined(std::mem::take(&mut parts)).iter().map(|part| part_text(module, part)));
        texts.push(expr_text(module, lane));
    }
    texts.extend(joined(parts).iter().map(|part| part_text(module, part)));
    braces(texts)
}
