//! What stands beside the declarations of a module: their meaning, in a column of comments.

use super::drives::targets;
use super::statement::{COLUMNS, Statement};
use std::collections::BTreeMap;

/// For every signal that a kernel drives: the comment above each statement that drives it, in their order; empty without one.
pub(super) type Notes = BTreeMap<String, Vec<String>>;

/// Says above which statements a comment of the kernel stands, as they are printed one after the other.
pub(super) struct Speaker<'a> {
    notes: &'a Notes,
    last: &'a str,
}

impl<'a> Speaker<'a> {
    pub(super) fn new(notes: &'a Notes) -> Self {
        Speaker { notes, last: "" }
    }

    /// The comments on all that a signal takes.
    pub(super) fn on(&mut self, text: &mut String, margin: &str, signal: &str) {
        let mut said: Vec<&str> = Vec::new();
        for note in self.notes.get(signal).into_iter().flatten().map(String::as_str) {
            if !note.is_empty() && !said.contains(&note) {
                said.push(note);
            }
        }
        self.say(text, margin, &said);
    }

    /// What is said, but for its beginning where that was said last. Signals that have no comment may stand between those of one.
    fn say(&mut self, text: &mut String, margin: &str, said: &[&'a str]) {
        let Some(last) = said.last() else { return };
        let new = if said[0] == self.last { &said[1..] } else { said };
        new.iter().for_each(|note| *text += &wrapped(margin, note));
        self.last = last;
    }

    /// Adds the statements of a process as `write` has them, each comment above the first of those that it is about. `drives` says
    /// by which name of the kernel a signal is driven, and `silent` which statements are not written.
    pub(super) fn process(
        &mut self,
        text: &mut String,
        margin: &str,
        statements: &[Statement],
        drives: impl Fn(&str) -> String,
        silent: impl Fn(&Statement) -> bool,
        write: impl Fn(&[&Statement]) -> Vec<String>,
    ) {
        let mut counted: BTreeMap<String, usize> = BTreeMap::new();
        let mut noted: Vec<(&'a str, &Statement)> = Vec::new();
        for statement in statements {
            let mut driven = Vec::new();
            targets(statement, &mut driven);
            let mut note = None;
            for name in driven.iter().map(|name| drives(name)) {
                let found = self.notes.get(&name);
                let at = counted.entry(name).or_default();
                note = note.or(found.and_then(|notes| notes.get(*at)));
                *at += 1;
            }
            if !silent(statement) {
                noted.push((note.map_or("", String::as_str), statement));
            }
        }
        for run in noted.chunk_by(|one, next| one.0 == next.0) {
            if !run[0].0.is_empty() {
                self.say(text, margin, &[run[0].0]);
            }
            let statements: Vec<&Statement> = run.iter().map(|&(_, found)| found).collect();
            text.extend(write(&statements).into_iter().map(|line| line + "\n"));
        }
    }
}

/// A declaration, and what it is for.
pub struct Line {
    pub code: String,
    /// A phrase; empty if there is none.
    pub meaning: String,
}

impl Line {
    /// A declaration with its meaning.
    pub fn new(code: impl Into<String>, meaning: impl Into<String>) -> Line {
        Line { code: code.into(), meaning: meaning.into() }
    }
}

/// The declarations, two columns in, with their meanings beside them in one column, or above where they would not fit.
/// `separator` stands after each but the last.
pub fn column(lines: &[Line], separator: &str) -> String {
    let ends = |at: usize| if at + 1 < lines.len() { separator } else { "" };
    // What has line breaks has its meaning above.
    let broken = |line: &Line| line.code.contains('\n');
    let lengths = lines.iter().enumerate().filter(|(_, line)| !broken(line) && !line.meaning.is_empty());
    let column = lengths.map(|(at, line)| 2 + line.code.len() + ends(at).len()).max().unwrap_or(0);
    let fits = |line: &Line| !broken(line) && column + 5 + line.meaning.len() <= COLUMNS;
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        let code = format!("  {}{}", line.code, ends(at));
        if line.meaning.is_empty() {
            text += &format!("{code}\n");
        } else if fits(line) {
            text += &format!("{code:column$}  // {}\n", line.meaning);
        } else {
            text += &wrapped("  ", &line.meaning);
            text += &format!("{code}\n");
        }
    }
    text
}

/// A comment of whole lines, `margin` before each, wrapped.
pub fn wrapped(margin: &str, meaning: &str) -> String {
    let mut text = String::new();
    let mut line = format!("{margin}//");
    for word in meaning.split(' ') {
        if line.len() + 1 + word.len() > COLUMNS {
            text += &line;
            line = format!("\n{margin}//  ");
        }
        line.push(' ');
        line += word;
    }
    text + line.trim_end() + "\n"
}

pub fn comment(lines: &[String]) -> String {
    lines.iter().map(|line| wrapped("", line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings_stand_in_one_column() {
        let lines = [Line::new("input  wire a", "the first"), Line::new("output reg  [3:0] b", "the second")];
        let expected = "  input  wire a,       // the first\n  output reg  [3:0] b  // the second\n";
        assert_eq!(column(&lines, ","), expected);
    }

    #[test]
    fn a_long_meaning_stands_above() {
        let lines =
            [Line::new("input  wire a", "word ".repeat(30).trim()), Line::new("input  wire b", "short")];
        let text = column(&lines, ",");
        assert!(text.lines().all(|line| line.len() <= COLUMNS), "{text}");
        assert!(text.lines().next().is_some_and(|line| line.starts_with("  // word")), "{text}");
        assert!(text.ends_with("  input  wire b   // short\n"), "{text}");
    }
}
