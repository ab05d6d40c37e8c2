//! Sequences, permutations, packets.

use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use frit_schedule::benes::plan_with_permutation;
use frit_schedule::check::check_plan;
use frit_schedule::de_bruijn::DeBruijn;
use frit_traffic::messages::Messages;
use frit_traffic::permutation::parse;
use frit_traffic::relation::{Relation, lines};

/// Messages that are made of a file; it may ask for many more.
const MAX_MESSAGES: u64 = 1 << 20;

pub(super) fn sequence(_: &Scratch, input: &[u8]) -> Outcome {
    let text = String::from_utf8_lossy(input);
    // The order that its length asks for, or one beside it.
    let bits = text.chars().filter(|c| matches!(c, '0' | '1')).count().max(1);
    let order = bits.ilog2() + u32::from(text.starts_with('#'));
    let sequence = match DeBruijn::parse(&text, order) {
        Ok(sequence) => sequence,
        Err(error) => return refused(&error, &["line ", "order", "bits", "word"]),
    };
    let mut words: Vec<u32> = sequence.words().collect();
    words.sort_unstable();
    equal("words", &words, &(0..1 << order).collect())?;
    let written: String =
        (0..sequence.len() as u64).map(|at| if sequence.bit(at) { '1' } else { '0' }).collect();
    equal("sequence", &DeBruijn::parse(&written, order).map_err(|e| e.to_string())?, &sequence)?;
    Ok(Answer::Taken)
}

pub(super) fn permutation(_: &Scratch, input: &[u8]) -> Outcome {
    let permutation = match parse(&String::from_utf8_lossy(input)) {
        Ok(permutation) => permutation,
        Err(error) => return refused(&error, &["line ", "source", "no number"]),
    };
    let written: Vec<String> = permutation.iter().map(u32::to_string).collect();
    equal("permutation", &parse(&written.join("\n")).map_err(|e| e.to_string())?, &permutation)?;
    if permutation.len() > 256 {
        return Ok(Answer::Taken);
    }
    match plan_with_permutation(&permutation) {
        Ok(plan) => {
            let report = check_plan(&plan);
            if !report.complete() {
                return Err(format!("the Benes network does not route {permutation:?}: {report:?}"));
            }
            Ok(Answer::Taken)
        }
        Err(error) => refused(&error, &["terminals"]),
    }
}

pub(super) fn relation(_: &Scratch, input: &[u8]) -> Outcome {
    const TERMINALS: u32 = 8;
    let text = String::from_utf8_lossy(input);
    let places = ["line ", "a terminal has more than ", " messages are too many "];
    let packets = match lines(&text, TERMINALS) {
        Ok(packets) => packets,
        Err(error) => return refused(&error, &places),
    };
    let written: Vec<String> = packets.iter().map(|(s, d, count)| format!("{s},{d},{count}")).collect();
    let written = written.join("\n");
    equal("packets", &lines(&written, TERMINALS).map_err(|e| e.to_string())?, &packets)?;
    let total: u64 = packets.iter().map(|packet| u64::from(packet.2)).sum();
    let relation = match Relation::parse(&text, TERMINALS) {
        Ok(relation) => relation,
        Err(error) => return refused(&error, &places),
    };
    let mut counted = 0;
    let mut row = [0; TERMINALS as usize];
    for source in 0..TERMINALS {
        relation.row(source, &mut row);
        counted += row.iter().map(|&count| u64::from(count)).sum::<u64>();
    }
    equal("packets of the relation", &counted, &total)?;
    if total <= MAX_MESSAGES {
        let messages = Messages::parse(&text, TERMINALS).map_err(|e| e.to_string())?;
        equal("messages", &(messages.len() as u64), &total)?;
        equal("h", &u64::from(messages.degree(TERMINALS)), &relation.h())?;
    }
    Ok(Answer::Taken)
}
