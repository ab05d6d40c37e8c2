//! The page of the cells, docs/cells.md (`make book` writes it), from what they say about themselves.

use crate::cell::{CellPort, Dir};
use crate::cells::CellSpec;
use crate::describe::Parameter;
use crate::prose::with_names;
use std::fmt::Write;

const INTRODUCTION: &str = "\
# The cells

Every design is wires and instances of these modules. Each is described once, in `crates/cells/src/cells`, as a rust-hdl block with
its contract: rust-hdl simulates that description, `frit generate` prints it as the Verilog-2005 that ships
(`crates/cells/tests/golden` holds it), and this page is made from it with the book.

What all of them have in common:

- `clk_i` is the only clock, its rising edge the active one. `rst_i` is synchronous and active high. It resets controllers and valid
  bits; data and labels have no reset, so hold it for as many cycles as the network has stages and they are flushed.
- Outputs that come out of a register change only with the clock. The others follow the inputs in the same cycle; they are marked
  *same cycle*.
- An input port is a wire that must always be driven. Between terminals and network there is no back-pressure: a switch, a link or a
  delay holds what it takes for one cycle. Messages are held by `frit_fifo` between two passes, and around an exchange with streams by
  `frit_message_memory` and `frit_axis_drain`, whose streams wait for each other (`tvalid`, `tready`).
- Set all parameters of an instance. The defaults are only there so that a file can be read by itself.

Bits of a port are a number or the parameter that says them. One row per port, in the order of the module.
";

pub fn page() -> String {
    let mut text = String::from(INTRODUCTION);
    // Writing to a String cannot fail.
    for (group, cells) in CellSpec::groups() {
        let _ = write!(text, "\n## {group}\n");
        cells.iter().for_each(|cell| section(&mut text, cell));
    }
    text
}

fn section(text: &mut String, cell: &CellSpec) {
    let (parameters, fixed, ports) = (cell.parameters(), cell.fixed(), cell.ports());
    let is_name = |word: &str| {
        let numbers = parameters.iter().chain(&fixed).any(|parameter| parameter.name == word);
        let known = word.starts_with("frit_") || word == "D_selftest";
        numbers || known || ports.iter().any(|port| port.name == word)
    };
    let marked = |text: &str| with_names(text, is_name).replace("same cycle", "*same cycle*");
    let contract = [cell.summary(), cell.details()].map(|part| with_names(part, is_name)).join(" ");
    let _ = write!(text, "\n### {}\n\n{}\n\n", cell.title(), wrapped(&linked(&contract)));
    if !parameters.is_empty() {
        rows(text, "parameter | default | meaning", &parameters, marked);
    }
    if !fixed.is_empty() {
        rows(text, "part of the module | for example | meaning", &fixed, marked);
    }
    let _ = writeln!(text, "| port | direction | bits | meaning |\n|---|---|---|---|");
    for port in &ports {
        let direction = if port.dir == Dir::In { "in" } else { "out" };
        let _ = writeln!(
            text,
            "| `{}` | {direction} | {} | {} |",
            port.name,
            bits(port, &fixed),
            marked(port.meaning)
        );
    }
}

fn rows(text: &mut String, head: &str, parameters: &[Parameter], marked: impl Fn(&str) -> String) {
    let _ = writeln!(text, "| {head} |\n|---|---|---|");
    for Parameter { name, value, meaning, .. } in parameters {
        let _ = writeln!(text, "| `{name}` | {value} | {} |", marked(meaning));
    }
    text.push('\n');
}

/// The parameter or the part of the module that is the width of a port, else the width itself.
fn bits(port: &CellPort, fixed: &[Parameter]) -> String {
    let part = || fixed.iter().find(|part| part.value == u64::from(port.width)).map(|part| part.name.into());
    let named = port.width_name.clone().or_else(|| if port.width > 1 { part() } else { None });
    named.unwrap_or_else(|| port.width.to_string())
}

/// Names of other pages as links.
fn linked(text: &str) -> String {
    ["controllers.md", "prototype.md"]
        .iter()
        .fold(text.to_string(), |text, page| text.replace(page, &format!("[{page}]({page})")))
}

/// Lines of 130 columns at most.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() > 130 {
            lines.push(word.into());
        } else {
            *line += &format!(" {word}");
        }
    }
    lines.join("\n")
}
