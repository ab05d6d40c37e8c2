//! Prints a cell as readable, parameterised Verilog-2005, from rust-hdl's own tree.
//!
//! rust-hdl's stock printer makes a module of every register and fixes every width. This one reads the same tree
//! (`tree`, `kernel`) into expressions and statements of its own ([`expr`], [`statement`]): registers become plain
//! `always @(posedge clk_i)` blocks and all else continuous assignments (`drives`), widths and constants with a
//! [`Symbol`](crate::atoms::Symbol) stay symbolic, loops stay loops where that is the same (`loops`), and expressions are written as one
//! would (`simplify`). The tests prove both texts equivalent.

pub mod assertions;
pub mod body;
mod constants;
mod drives;
pub mod expr;
mod kernel;
mod loops;
pub mod notes;
mod simplify;
pub mod statement;
mod tree;
mod words;

use crate::describe::Assertion;
use constants::Constants;
use drives::{Drive, Drives, holds};
use expr::{Expr, Known};
use kernel::{Kernel, Wiring};
use loops::{folded, variables};
use notes::{Line, Notes, Speaker, column, comment};
use rust_hdl::prelude::*;
use statement::{Statement, Takes};
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
    let registers = scope.registers();
    let code = Code::of(&scope, &constants, &registers);
    let mut text = comment(&contract.header);
    write_head(&mut text, module, contract, &scope);
    write_declarations(&mut text, contract, &scope, &constants, &code);
    write_checks(&mut text, module, &contract.least);
    let printer = Printer { scope: &scope, known: &constants.known, code: &code };
    printer.write_wires(&mut text);
    printer.write_registers(&mut text, &registers, contract.kept);
    write_memories(&mut text, &scope.memories(), &code.wiring);
    assertions::write(&mut text, &contract.assertions, &scope);
    text.push_str("endmodule\n");
    text
}

/// What a cell does.
#[derive(Default)]
struct Code {
    drives: Drives,
    /// What a cell gives itself.
    own: Option<String>,
    /// Vectors that have become one variable.
    scalars: BTreeSet<String>,
    wiring: BTreeMap<String, Wiring>,
    notes: Notes,
}

impl Code {
    fn of(scope: &Scope, constants: &Constants, registers: &[Register]) -> Code {
        match &scope.code {
            Some(Verilog::Combinatorial(block)) => {
                let Kernel { statements, wiring, notes } = Kernel::read(block, scope);
                let (statements, scalars) = folded(&statements, &constants.vectors);
                let simple = |found: &Statement| simplify::statement(found, &constants.known);
                let statements: Vec<Statement> = statements.iter().map(simple).collect();
                let fixed: BTreeSet<String> = scope.named(AtomKind::Constant);
                let mut signals: BTreeSet<String> = statements.iter().flat_map(Statement::names).collect();
                let loops = variables(&statements);
                signals.retain(|name| !fixed.contains(name) && !loops.contains(name));
                let names: Vec<String> = registers.iter().map(|register| register.name.clone()).collect();
                let mut seen = scope.named(AtomKind::OutputParameter);
                seen.extend(names.iter().map(|register| format!("{register}_d")));
                let pins = |memory: &StoredWords| {
                    ["d", "write", "read", "write_address", "read_address"]
                        .map(|pin| format!("{}_{pin}", memory.name))
                };
                seen.extend(scope.memories().iter().flat_map(pins));
                let drives = Drives::of(&statements, (&names, &seen), &signals, &constants.known);
                Code { drives, own: None, scalars, wiring, notes }
            }
            Some(Verilog::Custom(text)) => Code { own: Some(text.clone()), ..Code::default() },
            _ => unreachable!("cells are written with hdl_gen, or give their Verilog"),
        }
    }

    /// Whether it uses a local signal; one that only functions keep is theirs.
    fn declares(&self, local: &str) -> bool {
        match &self.own {
            Some(text) => words(text).contains(local),
            None => self.drives.wires.iter().any(|(name, _)| name == local),
        }
    }

    fn names(&self) -> BTreeSet<String> {
        match &self.own {
            Some(text) => words(text),
            None => self.drives.names(),
        }
    }
}

/// Writes what drives the signals of a cell.
struct Printer<'a> {
    scope: &'a Scope,
    known: &'a Known,
    code: &'a Code,
}

impl Printer<'_> {
    fn write_wires(&self, text: &mut String) {
        if let Some(code) = &self.code.own {
            text.push('\n');
            for line in code.lines() {
                let _ = writeln!(text, "{}", format!("  {line}").trim_end());
            }
            return;
        }
        let mut speaker = Speaker::new(&self.code.notes);
        let mut apart = true;
        for (name, drive) in &self.code.drives.wires {
            let is_function = matches!(drive, Drive::Function { .. });
            if apart || is_function {
                text.push('\n');
            }
            apart = is_function;
            speaker.on(text, "  ", name);
            let value = match drive {
                Drive::Value(value) => value.clone(),
                Drive::Function { reads, locals, body } => {
                    self.write_function(text, name, reads, locals, body)
                }
            };
            statement::continuous(name, &value).iter().for_each(|line| *text += &format!("{line}\n"));
        }
    }

    /// Writes the function that makes a signal of those that it reads; the call.
    fn write_function(
        &self,
        text: &mut String,
        name: &str,
        reads: &[String],
        locals: &[String],
        body: &[Statement],
    ) -> Expr {
        let inside = |read: &String| format!("{read}_f");
        let function = format!("{name}_of");
        let mut names: BTreeMap<String, String> =
            reads.iter().chain(locals).map(|read| (read.clone(), inside(read))).collect();
        names.insert(name.into(), function.clone());
        let inputs: Vec<String> =
            reads.iter().map(|read| format!("    input {}{}", self.range(read), inside(read))).collect();
        let _ = writeln!(text, "  function {}{function} (\n{}\n  );", self.range(name), inputs.join(",\n"));
        locals
            .iter()
            .for_each(|local| *text += &format!("    reg {}{};\n", self.range(local), inside(local)));
        let loops: Vec<String> = variables(body).into_iter().collect();
        if !loops.is_empty() {
            let _ = writeln!(text, "    integer {};", loops.join(", "));
        }
        text.push_str("    begin\n");
        let body: Vec<Statement> = body.iter().map(|statement| statement.renamed(&names)).collect();
        for line in statement::lines(&body.iter().collect::<Vec<_>>(), 6, self.known, Takes::AtOnce) {
            let _ = writeln!(text, "{line}");
        }
        text.push_str("    end\n  endfunction\n");
        Expr::Call(function, reads.iter().map(Expr::name).collect())
    }

    fn range(&self, name: &str) -> String {
        let pins = |block: &Scope| {
            let named = |net: &tree::Net| format!("{}_{}", block.name, net.name) == name;
            block.nets.iter().find(|net| named(net)).map(tree::Net::range)
        };
        let own = |net: &&tree::Net| net.printed() == name || net.name.split('$').next() == Some(name);
        let found = self.scope.nets.iter().find(own).map(tree::Net::range);
        found
            .or_else(|| self.scope.blocks.iter().find_map(pins))
            .unwrap_or_else(|| panic!("{name} is no signal of the cell"))
    }

    fn write_registers(&self, text: &mut String, registers: &[Register], kept: bool) {
        // Yosys honours this on the process, not on the register.
        let keep = if kept { "  (* keep *)\n" } else { "" };
        let wired = |r: &Register| self.code.wiring.get(&r.name).cloned().unwrap_or_default();
        let (with, without): (Vec<&Register>, Vec<&Register>) =
            registers.iter().partition(|r| r.reset.is_some());
        let (at_once, with): (Vec<&Register>, Vec<&Register>) =
            with.into_iter().partition(|r| r.asynchronous);
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
            self.write_process(text, 6, &group);
            text.push_str("    end\n  end\n");
        }
        if let Some(first) = without.first() {
            let clock = wired(first).clock;
            let _ =
                writeln!(text, "\n  // Registers without a reset.\n{keep}  always @(posedge {clock}) begin");
            self.write_process(text, 4, &without);
            text.push_str("  end\n");
        }
    }

    /// What some registers take at a clock edge.
    fn write_process(&self, text: &mut String, indent: usize, group: &[&Register]) {
        let drives = &self.code.drives;
        let (stored, other): (Vec<&Register>, Vec<&Register>) =
            group.iter().partition(|r| drives.registers.contains(&r.name));
        let margin = " ".repeat(indent);
        for r in other {
            let _ = writeln!(text, "{margin}{0}_q <= {0}_d;", r.name);
        }
        let statements = drives.process(&stored.iter().map(|r| r.name.clone()).collect());
        let next = |name: &str| format!("{}_d", name.trim_end_matches("_q"));
        let lines = |run: &[&Statement]| statement::lines(run, indent, self.known, Takes::AtTheEdge);
        Speaker::new(&self.code.notes).process(text, &margin, &statements, next, holds, lines);
    }
}

/// The parameters that are widths, with their default values.
fn widths(scope: &Scope) -> BTreeMap<&str, usize> {
    let all = scope.nets.iter().chain(scope.blocks.iter().flat_map(|block| &block.nets));
    all.filter_map(|net| Some((net.symbol.width.as_deref()?, net.bits))).collect()
}

fn write_head(text: &mut String, module: &str, contract: &Contract, scope: &Scope) {
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
                _ => "output wire",
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
    code: &Code,
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
        let name = if code.scalars.contains(vector) { vector.to_string() } else { net.printed() };
        if code.declares(&name) && declared.insert(name.clone()) {
            let purpose = net.symbol.purpose.clone().unwrap_or_default();
            lines.push(Line::new(format!("wire {}{name};", net.range()), purpose));
        }
    }
    for r in &registers {
        lines.push(Line::new(format!("reg {0}{1}_q;", r.range, r.name), r.purpose.clone()));
        if code.declares(&format!("{}_d", r.name)) {
            lines.push(Line::new(format!("wire {0}{1}_d;", r.range, r.name), "what it takes next"));
        }
    }
    for StoredWords { name, range, addresses, address_width, collides, block, held, short, purpose } in
        scope.memories()
    {
        if collides {
            let what = "a word that is read while it is written is never used (attribute of Yosys)";
            lines.push(Line::new("(* no_rw_check *)", what));
        }
        if block {
            let what =
                "a small memory too: LUTs used as RAM need slow multiplexers (attribute of Yosys and Vivado)";
            lines.push(Line::new("(* ram_style = \"block\" *)", what));
        }
        lines.push(Line::new(format!("reg {range}{name} [0:(1<<{address_width})-1];"), &purpose));
        if !short {
            lines.push(Line::new(format!("reg {range}{name}_q;"), "word read"));
        }
        lines.push(Line::new(format!("wire {range}{name}_d;"), "word to write"));
        let both = format!("wire {addresses}{name}_read_address, {name}_write_address;");
        lines.push(Line::new(both, "addresses of the words to read and to write"));
        lines.push(Line::new(format!("wire {name}_write;"), "a word is written"));
        if held {
            lines.push(Line::new(format!("wire {name}_read;"), "a word is read"));
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
