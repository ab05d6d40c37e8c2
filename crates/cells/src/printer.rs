//! Prints a cell as readable, parameterised Verilog-2005, from rust-hdl's own tree.
//!
//! rust-hdl's stock printer makes a module of every register and fixes every width. This one reads the same tree
//! (`tree`, `kernel`) into expressions and statements of its own ([`expr`], [`statement`]): registers become plain
//! `always @(posedge clk_i)` blocks, widths and constants with a [`Symbol`](crate::atoms::Symbol) stay symbolic, loops stay
//! loops where that is the same (`loops`), and expressions are written as one would (`simplify`). The tests prove both
//! texts equivalent.

pub mod assertions;
mod blocks;
pub mod body;
mod constants;
pub mod expr;
mod kernel;
mod loops;
pub mod notes;
mod simplify;
pub mod statement;
mod tree;
mod words;

use crate::describe::Assertion;
use blocks::{Block as Process, Parts, Ports};
use constants::Constants;
use expr::Known;
use kernel::{Kernel, Wiring};
use loops::{folded, variables};
use notes::{Line, Notes, Speaker, column, comment};
use rust_hdl::prelude::*;
use statement::Statement;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tree::{Register, Scope, StoredWords};
pub use words::renamed;
use words::words;

/// What a reader is told about a cell beside its text.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// Lines above the module.
    pub header: Vec<String>,
    /// What ports and parameters are for, by name.
    pub meanings: BTreeMap<String, String>,
    /// The least value of parameters.
    pub least: Vec<(String, u64)>,
    /// Whether synthesis keeps the registers although others are equal.
    pub kept: bool,
    /// What is checked in simulation.
    pub assertions: Vec<Assertion>,
}

impl Contract {
    fn meaning(&self, name: &str) -> String {
        self.meanings.get(name).cloned().unwrap_or_default()
    }
}

// Writing to a String cannot fail, so the results of write! and writeln! are dropped in this file.

/// Prints `cell` as the Verilog module `module`.
pub fn print(module: &str, contract: &Contract, cell: &dyn Block) -> String {
    let scope = Scope::of(cell);
    let constants = Constants::of(&scope);
    let (mut wiring, mut notes) = (BTreeMap::new(), Notes::new());
    let (code, scalars) = match &scope.code {
        Some(Verilog::Combinatorial(block)) => {
            let kernel = Kernel::read(block, &scope);
            (wiring, notes) = (kernel.wiring, kernel.notes);
            let (statements, scalars) = folded(&kernel.statements, &constants.vectors);
            let simple = |found: &Statement| simplify::statement(found, &constants.known);
            let statements: Vec<Statement> = statements.iter().map(simple).collect();
            (Code::Blocks(blocks::split(&statements, &Ports::of(&scope))), scalars)
        }
        Some(Verilog::Custom(text)) => (Code::Text(text.clone()), BTreeSet::new()),
        _ => unreachable!("cells are written with hdl_gen, or give their Verilog"),
    };
    let mut text = comment(&contract.header);
    let wires = code.wires();
    write_head(&mut text, module, contract, &scope, &wires);
    write_declarations(&mut text, contract, &scope, &constants, (&code, &wires), &scalars);
    write_checks(&mut text, module, &contract.least);
    code.write(&mut text, &constants.known, &notes);
    write_registers(&mut text, &scope.registers(), &wiring, contract.kept);
    write_memories(&mut text, &scope.memories(), &wiring);
    assertions::write(&mut text, &contract.assertions, &scope);
    text.push_str("endmodule\n");
    text
}

/// Outputs of a cell, with an input that their block reads and they do not follow: a wire between the two would be a race.
pub fn races(cell: &dyn Block) -> Vec<(String, String)> {
    let scope = Scope::of(cell);
    let Some(Verilog::Combinatorial(block)) = &scope.code else { return Vec::new() };
    let (statements, _) = folded(&Kernel::read(block, &scope).statements, &Constants::of(&scope).vectors);
    let ports = Ports::of(&scope);
    blocks::races(&blocks::split(&statements, &ports), &statements, &ports)
}

/// The combinational part.
enum Code {
    Blocks(Vec<Process>),
    /// What a cell gives itself.
    Text(String),
}

impl Code {
    /// The names that it uses.
    fn names(&self) -> BTreeSet<String> {
        match self {
            Code::Blocks(blocks) => {
                blocks.iter().flat_map(|block| &block.statements).flat_map(Statement::names).collect()
            }
            Code::Text(text) => words(text),
        }
    }

    /// The names that continuous assignments drive.
    fn wires(&self) -> BTreeSet<String> {
        match self {
            Code::Blocks(blocks) => blocks.iter().flat_map(Process::wires).collect(),
            Code::Text(_) => BTreeSet::new(),
        }
    }

    fn write(&self, text: &mut String, known: &Known, notes: &Notes) {
        match self {
            Code::Blocks(blocks) => {
                let mut speaker = Speaker::new(notes);
                let assigns =
                    |run: &[&Statement]| run.iter().flat_map(|statement| statement.continuous()).collect();
                let mut assigned = false;
                for block in blocks {
                    let Parts { before, process, behind } = block.parts();
                    if !before.is_empty() && !assigned {
                        text.push('\n');
                    }
                    speaker.add(text, "  ", &before, assigns);
                    assigned = process.is_empty();
                    if !process.is_empty() {
                        let _ = writeln!(text, "\n  // {}\n  always @(*) begin", block.title);
                        speaker.pause();
                        speaker.add(text, "    ", &process, |run| statement::lines(run, 4, known));
                        text.push_str("  end\n");
                        speaker.pause();
                    }
                    speaker.add(text, "  ", &behind, assigns);
                }
            }
            Code::Text(code) => {
                text.push('\n');
                for line in code.lines() {
                    let _ = writeln!(text, "{}", format!("  {line}").trim_end());
                }
            }
        }
    }
}

/// The parameters that are widths, with their default values.
fn widths(scope: &Scope) -> BTreeMap<&str, usize> {
    let all = scope.nets.iter().chain(scope.blocks.iter().flat_map(|block| &block.nets));
    all.filter_map(|net| Some((net.symbol.width.as_deref()?, net.bits))).collect()
}

fn write_head(text: &mut String, module: &str, contract: &Contract, scope: &Scope, wires: &BTreeSet<String>) {
    let line = |code: String, name: &str| Line::new(code, contract.meaning(name));
    let mut parameters: Vec<Line> = widths(scope)
        .into_iter()
        .map(|(name, bits)| line(format!("parameter integer {name} = {bits}"), name))
        .collect();
    parameters.extend(scope.parameters().map(|net| {
        let name = net.printed();
        line(format!("parameter {}{name} = {}", net.range(), net.value()), &name)
    }));
    let ports: Vec<Line> = scope
        .nets
        .iter()
        .filter(|net| net.kind.is_parameter())
        .map(|net| {
            let direction = match net.kind {
                AtomKind::InputParameter => "input  wire",
                _ if wires.contains(&net.name) => "output wire",
                _ => "output reg ",
            };
            line(format!("{direction} {}{}", net.range(), net.name), &net.name)
        })
        .collect();
    let _ = write!(text, "module {module} ");
    if !parameters.is_empty() {
        let _ = write!(text, "#(\n{}) ", column(&parameters, ","));
    }
    let _ = writeln!(text, "(\n{});", column(&ports, ","));
}

fn write_declarations(
    text: &mut String,
    contract: &Contract,
    scope: &Scope,
    constants: &Constants,
    (code, wires): (&Code, &BTreeSet<String>),
    scalars: &BTreeSet<String>,
) {
    let registers = scope.registers();
    let mut used = code.names();
    used.extend(registers.iter().filter_map(|r| r.reset.as_deref()).flat_map(words));
    let line = |code: String, name: &str| Line::new(code, contract.meaning(name));
    let mut lines: Vec<Line> = constants
        .needed(&used)
        .into_iter()
        .map(|found| line(format!("localparam {}{} = {};", found.kind, found.name, found.value), &found.name))
        .collect();
    let mut declared = BTreeSet::new();
    for net in scope.of_kind(AtomKind::LocalSignal) {
        let vector = net.name.split('$').next().unwrap_or_default();
        let name = if scalars.contains(vector) { vector.to_string() } else { net.printed() };
        if used.contains(&name) && declared.insert(name.clone()) {
            let purpose = net.symbol.purpose.clone().unwrap_or_default();
            let kind = if wires.contains(&name) { "wire" } else { "reg" };
            lines.push(Line::new(format!("{kind} {}{name};", net.range()), purpose));
        }
    }
    if let Code::Blocks(blocks) = code {
        let loops = blocks.iter().flat_map(|block| variables(&block.statements));
        let names: Vec<String> = loops.collect::<BTreeSet<String>>().into_iter().collect();
        if !names.is_empty() {
            lines.push(Line::new(format!("integer {};", names.join(", ")), "loop variables"));
        }
    }
    for r in &registers {
        lines.push(Line::new(format!("reg {0}{1}_q, {1}_d;", r.range, r.name), r.purpose.clone()));
    }
    for StoredWords { name, range, addresses, address_width, collides, held, short, purpose } in
        scope.memories()
    {
        if collides {
            let what = "a word that is read while it is written is never used (attribute of Yosys)";
            lines.push(Line::new("(* no_rw_check *)", what));
        }
        lines.push(Line::new(format!("reg {range}{name} [0:(1<<{address_width})-1];"), &purpose));
        if short {
            lines.push(Line::new(format!("reg {range}{name}_d;"), "word to write"));
        } else {
            lines.push(Line::new(format!("reg {range}{name}_q, {name}_d;"), "word read, and word to write"));
        }
        let (read, write) = (format!("{name}_read_address"), format!("{name}_write_address"));
        if wires.contains(&read) {
            lines.push(Line::new(format!("wire {addresses}{read};"), "address of the word to read"));
            lines.push(Line::new(format!("reg {addresses}{write};"), "address of the word to write"));
        } else {
            let both = format!("reg {addresses}{read}, {write};");
            lines.push(Line::new(both, "addresses of the words to read and to write"));
        }
        lines.push(Line::new(format!("reg {name}_write;"), "a word is written"));
        if held {
            lines.push(Line::new(format!("reg {name}_read;"), "a word is read"));
        }
        if short {
            let word = format!("wire {range}{name}_q = {name}[{name}_read_address];");
            lines.push(Line::new(word, "word read"));
        }
    }
    text.push_str(&column(&lines, ""));
}

/// A parameter that is too small stops the elaboration: a module of that name does not exist, and every tool names it.
pub(crate) fn write_checks(text: &mut String, module: &str, least: &[(String, u64)]) {
    if least.is_empty() {
        return;
    }
    text.push_str("\n  // A parameter out of range stops elaboration here: this module does not exist, and its name says why.\n  generate\n");
    for (parameter, least) in least {
        let _ = write!(
            text,
            "    if ({parameter} < {least}) begin : gen_check_{}\n      {module}_needs_{parameter}_of_{least}_or_more u_error ();\n    end\n",
            snake(parameter)
        );
    }
    text.push_str("  endgenerate\n");
}

/// `RoundBits` as `round_bits`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

fn write_registers(text: &mut String, registers: &[Register], wiring: &BTreeMap<String, Wiring>, kept: bool) {
    // Yosys honours this on the process, not on the register.
    let keep = if kept { "  (* keep *)\n" } else { "" };
    let wired = |r: &Register| wiring.get(&r.name).cloned().unwrap_or_default();
    let (with, without): (Vec<&Register>, Vec<&Register>) = registers.iter().partition(|r| r.reset.is_some());
    let (at_once, with): (Vec<&Register>, Vec<&Register>) = with.into_iter().partition(|r| r.asynchronous);
    for group in [at_once, with] {
        let Some(first) = group.first() else { continue };
        let Wiring { clock, reset } = wired(first);
        let signal = reset.expect("a register with reset is given one");
        let also = if first.asynchronous { format!(" or posedge {signal}") } else { String::new() };
        let asynchronous = if first.asynchronous { " (asynchronous)" } else { "" };
        let _ = writeln!(text, "\n  // Registers that {signal} resets{asynchronous}.");
        let _ = writeln!(text, "{keep}  always @(posedge {clock}{also}) begin\n    if ({signal}) begin");
        for r in &group {
            let _ = writeln!(text, "      {}_q <= {};", r.name, r.reset.as_deref().unwrap_or_default());
        }
        text.push_str("    end else begin\n");
        for r in &group {
            let _ = writeln!(text, "      {0}_q <= {0}_d;", r.name);
        }
        text.push_str("    end\n  end\n");
    }
    if let Some(first) = without.first() {
        let _ = writeln!(
            text,
            "\n  // Registers without a reset.\n{keep}  always @(posedge {}) begin",
            wired(first).clock
        );
        for r in &without {
            let _ = writeln!(text, "    {0}_q <= {0}_d;", r.name);
        }
        text.push_str("  end\n");
    }
}

/// Synthesis tools map this form to block RAM.
fn write_memories(text: &mut String, memories: &[StoredWords], wiring: &BTreeMap<String, Wiring>) {
    for StoredWords { name, held, short, .. } in memories {
        let read = if *held { format!("if ({name}_read) ") } else { String::new() };
        let clock = wiring.get(name).map(|w| w.clock.as_str()).unwrap_or_default();
        let kind = if *short { "RAM in LUTs, since it is read in the same cycle" } else { "block RAM" };
        let _ = writeln!(text, "\n  // Synthesis tools map this form to {kind}.");
        let _ = writeln!(text, "  always @(posedge {clock}) begin");
        let _ = writeln!(text, "    if ({name}_write) {name}[{name}_write_address] <= {name}_d;");
        if !short {
            let _ = writeln!(text, "    {read}{name}_q <= {name}[{name}_read_address];");
        }
        text.push_str("  end\n");
    }
}
