//! Text from files as it is shown: a name in a waveform may hold anything, also what a terminal obeys.

pub use frit_network::name::{beginning, ends};

use std::fmt::Write;
use std::path::Path;

/// A text on one line, every character that is not printed (control characters, escape sequences with them, marks that
/// turn the direction of writing) as Rust writes it: `\u{1b}`.
pub fn printable(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_string();
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // Rust escapes these as well, but they are printed.
            '"' | '\'' | '\\' => shown.push(character),
            // Writing to a string cannot fail.
            _ => drop(write!(shown, "{}", character.escape_debug())),
        }
    }
    shown
}

/// The same of a path, which need not be text.
pub fn path(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// The same of a text of several lines, which stay, as do tabs.
pub fn printable_lines(text: &str) -> String {
    let parts = text.split_inclusive(['\n', '\t']).map(|part| match part.strip_suffix(['\n', '\t']) {
        Some(line) => printable(line) + &part[line.len()..],
        None => printable(part),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let evil = "a\u{1b}]0;title\u{7}b\u{9b}31m\u{7f}\r\n\u{202e}c";
        assert_eq!(printable(evil), "a\\u{1b}]0;title\\u{7}b\\u{9b}31m\\u{7f}\\r\\n\\u{202e}c");
        assert_eq!(printable("tb.u[3].\\q \"é\" 'x'"), "tb.u[3].\\q \"é\" 'x'");
        assert_eq!(path(Path::new("a/\u{1b}[2J")), "a/\\u{1b}[2J");
        assert_eq!(printable_lines("one\n\ttwo\u{1b}[2J\n"), "one\n\ttwo\\u{1b}[2J\n");
    }
}
