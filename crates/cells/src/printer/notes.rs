//! What stands beside the declarations of a module: their meaning, in a column of comments.

use super::statement::COLUMNS;

/// A declaration, and what it is for.
pub struct Line {
    /// The text.
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

/// Lines as a comment, wrapped.
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
