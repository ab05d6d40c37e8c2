//! What a cell relies on, as checks in simulation. They stand behind a macro that testbenches define, and synthesis does not.

use super::notes::{Line, column};
use super::statement::COLUMNS;
use super::tree::Scope;
use crate::describe::Assertion;
use std::fmt::Write;

/// The macro that turns the checks on.
pub const MACRO: &str = "FRIT_ASSERT";

/// Adds the checks to the text of a cell. A check speaks once in each instance.
pub(super) fn write(text: &mut String, assertions: &[Assertion], scope: &Scope) {
    if assertions.is_empty() {
        return;
    }
    let range =
        |name: &str| scope.nets.iter().find(|net| net.name == name).map_or(String::new(), |net| net.range());
    let past = |name: &str| format!("{}_past", name.trim_end_matches("_i"));
    let (mut declared, mut kept) = (vec![Line::new("reg asserted;", "a check has failed")], String::new());
    let (mut checks, mut first) = (String::new(), vec!["asserted".to_string()]);
    for assertion in assertions {
        let (broken, message) = match *assertion {
            Assertion::Never(condition, message) => (condition.to_string(), message.to_string()),
            Assertion::Stays { valid, ready, payload } => {
                let waits = format!("{}_waits", valid.trim_end_matches("_i"));
                declared
                    .push(Line::new(format!("reg {waits};"), format!("{valid} was high and {ready} low")));
                let _ = writeln!(kept, "    {waits} <= {valid} & ~{ready} & ~rst_i;");
                let mut changed = format!("~{valid}");
                for name in payload {
                    declared.push(Line::new(format!("reg {}{};", range(name), past(name)), ""));
                    let _ = writeln!(kept, "    {} <= {name};", past(name));
                    let _ = write!(changed, " | ({name} != {})", past(name));
                }
                first.push(waits.clone());
                (
                    format!("{waits} & ({changed})"),
                    format!("{valid} or what it offers changed before {ready}"),
                )
            }
        };
        let _ = writeln!(
            checks,
            "{}) begin\n        asserted <= 1'b1;",
            broken_up(&format!("      if ({broken}"))
        );
        let _ = writeln!(checks, "        $display(\"FAIL in %m: {message}\");\n      end");
    }
    let first: String = first.iter().map(|name| format!("    {name} = 1'b0;\n")).collect();
    let _ = write!(
        text,
        "\n  // Checks of what this cell relies on, for simulation.\n`ifdef {MACRO}\n{}  initial begin\n{first}  end\n  always @(posedge clk_i) begin\n{kept}    if (~rst_i & ~asserted) begin\n{checks}    end\n  end\n`endif\n",
        column(&declared, ""),
    );
}

/// A line, broken before an operator where it would be too long.
fn broken_up(line: &str) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for (at, part) in line.split(" | ").enumerate() {
        let piece = if at == 0 { part.to_string() } else { format!("| {part}") };
        if at > 0 && length + 1 + piece.len() + ") begin".len() > COLUMNS {
            text += "\n         ";
            length = 9;
        }
        if at > 0 {
            text.push(' ');
            length += 1;
        }
        text += &piece;
        length += piece.len();
    }
    text
}
