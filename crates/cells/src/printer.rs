//! Prints a cell as readable, parameterised Verilog-2005, from rust-hdl's own tree.
//!
//! rust-hdl's stock printer makes a module of every register and fixes every width. This one visits the same tree:
//! registers become plain `always @(posedge clk_i)` blocks, widths and constants with a
//! [`Symbol`] stay symbolic, and the combinational part is rust-hdl's own text with the names
//! changed. The tests prove both texts equivalent.

pub mod body;

use crate::atoms::Symbol;
use crate::atoms::memory::MEMORY;
use rust_hdl::core::verilog_gen::verilog_combinatorial;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

struct Net {
    name: String,
    kind: AtomKind,
    bits: usize,
    literal: String,
    symbol: Symbol,
    /// A bus stays a vector when it is one bit wide, so that its bits can be selected.
    vector: bool,
}

impl Net {
    fn value(&self) -> &str {
        self.symbol.value.as_ref().unwrap_or(&self.literal)
    }

    /// `[W-1:0] `, `[3:0] ` or nothing.
    fn range(&self) -> String {
        match &self.symbol.width {
            Some(name) => format!("[{name}-1:0] "),
            None if self.bits == 1 && !self.vector => String::new(),
            None => format!("[{}:0] ", self.bits - 1),
        }
    }
}

#[derive(Default)]
struct Scope {
    name: String,
    nets: Vec<Net>,
    blocks: Vec<Scope>,
    code: Option<Verilog>,
    timing: Option<String>,
}

#[derive(Default)]
struct Tree {
    open: Vec<Scope>,
    root: Option<Scope>,
}

impl Probe for Tree {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let timing = node.timing().into_iter().next().map(|info| info.name);
        self.open.push(Scope { name: name.into(), code: Some(node.hdl()), timing, ..Scope::default() });
    }
    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let net = Net {
            name: name.into(),
            kind: atom.kind(),
            bits: atom.bits(),
            literal: atom.verilog().to_string(),
            symbol: Symbol::decode(&atom.descriptor().name),
            vector: Symbol::marks(&atom.descriptor().name),
        };
        if let Some(scope) = self.open.last_mut() {
            scope.nets.push(net);
        }
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let Some(scope) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(parent) => parent.blocks.push(scope),
            None => self.root = Some(scope),
        }
    }
}

/// A register of the cell being printed.
struct Register {
    name: String,
    range: String,
    /// What it is reset to, if it is.
    reset: Option<String>,
}

/// A memory of the cell being printed.
struct StoredWords {
    name: String,
    range: String,
    addresses: String,
    /// The parameter that is the width of an address.
    address_width: String,
}

/// Prints `cell` as the Verilog module `module`, with `header` lines as comments above; of a `kept` cell synthesis keeps
/// the registers although others are equal.
pub fn print(module: &str, header: &[String], cell: &dyn Block, kept: bool) -> String {
    let mut tree = Tree::default();
    cell.accept(module, &mut tree);
    let scope = tree.root.expect("a block visits its own scope");
    let (memories, registers): (Vec<&Scope>, Vec<&Scope>) =
        scope.blocks.iter().partition(|block| is_memory(block));
    let memories: Vec<StoredWords> = memories.into_iter().map(stored_words).collect();
    let registers: Vec<Register> = registers.into_iter().map(register).collect();
    let mut text = comment(header);
    write_head(&mut text, module, &scope);
    write_declarations(&mut text, &scope, &registers, &memories);
    let wiring = write_combinational(&mut text, &scope);
    write_registers(&mut text, &registers, &wiring, kept);
    write_memories(&mut text, &memories, &wiring);
    text.push_str("endmodule\n");
    text
}

/// Lines as a comment, wrapped at 100 columns.
pub fn comment(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let mut out = String::from("//");
        for word in line.split(' ') {
            if out.len() + 1 + word.len() > 100 {
                text += &out;
                out = String::from("\n//  ");
            }
            out.push(' ');
            out += word;
        }
        text += out.trim_end();
        text.push('\n');
    }
    text
}

fn is_memory(scope: &Scope) -> bool {
    scope.timing.as_deref() == Some(MEMORY)
}

fn stored_words(scope: &Scope) -> StoredWords {
    let net = |name: &str| scope.nets.iter().find(|net| net.name == name).expect("a memory has this pin");
    let address = net("read_address");
    let address_width = address.symbol.width.clone().expect("the width of an address is a parameter");
    StoredWords {
        name: scope.name.clone(),
        range: net("q").range(),
        addresses: address.range(),
        address_width,
    }
}

fn register(scope: &Scope) -> Register {
    let timing = scope.timing.as_deref().expect("the blocks inside a cell are registers and memories");
    let reset = timing.split_once(' ').map(|(_, text)| text).filter(|text| !text.is_empty());
    let q = scope.nets.iter().find(|net| net.name == "q").expect("a register has an output q");
    Register { name: scope.name.clone(), range: q.range(), reset: reset.map(String::from) }
}

/// A constant of the module in capitals, a parameter as `LastRound`.
fn constant_name(net: &Net) -> String {
    if !net.symbol.parameter {
        return net.name.to_uppercase().replace('$', "_");
    }
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    net.name.split('_').filter(|part| !part.is_empty()).map(word).collect()
}

// Writing to a String cannot fail, so the results of write! and writeln! are dropped in this file.

fn write_head(text: &mut String, module: &str, scope: &Scope) {
    let mut widths: BTreeMap<&str, usize> = BTreeMap::new();
    let all = scope.nets.iter().chain(scope.blocks.iter().flat_map(|block| &block.nets));
    for net in all {
        if let Some(name) = &net.symbol.width {
            widths.insert(name, net.bits);
        }
    }
    let mut parameters: Vec<String> =
        widths.iter().map(|(name, bits)| format!("  parameter {name} = {bits}")).collect();
    parameters.extend(
        scope
            .nets
            .iter()
            .filter(|net| net.symbol.parameter)
            .map(|net| format!("  parameter {}{} = {}", net.range(), constant_name(net), net.value())),
    );
    let ports: Vec<String> = scope
        .nets
        .iter()
        .filter(|net| net.kind.is_parameter())
        .map(|net| {
            let direction = if net.kind == AtomKind::InputParameter { "input  wire" } else { "output reg " };
            format!("  {direction} {}{}", net.range(), net.name)
        })
        .collect();
    let _ = write!(text, "module {module} ");
    if !parameters.is_empty() {
        let _ = write!(text, "#(\n{}\n) ", parameters.join(",\n"));
    }
    let _ = writeln!(text, "(\n{}\n);", ports.join(",\n"));
}

fn write_declarations(text: &mut String, scope: &Scope, registers: &[Register], memories: &[StoredWords]) {
    for net in scope.nets.iter().filter(|net| net.kind == AtomKind::Constant && !net.symbol.parameter) {
        let value = net.value();
        // Plain integers (indices) are left without a range.
        let range = if net.symbol.width.is_none() && net.bits == 32 { String::new() } else { net.range() };
        let _ = writeln!(text, "  localparam {range}{} = {value};", constant_name(net));
    }
    for net in scope.nets.iter().filter(|net| net.kind == AtomKind::LocalSignal) {
        let _ = writeln!(text, "  reg {}{};", net.range(), net.name.replace('$', "_"));
    }
    for r in registers {
        let _ = writeln!(text, "  reg {0}{1}_q, {1}_d;", r.range, r.name);
    }
    for StoredWords { name, range, addresses, address_width } in memories {
        let _ = writeln!(text, "  reg {range}{name} [0:(1<<{address_width})-1];");
        let _ = writeln!(text, "  reg {range}{name}_q, {name}_d;");
        let _ = writeln!(text, "  reg {addresses}{name}_read_address, {name}_write_address;");
        let _ = writeln!(text, "  reg {name}_write;");
    }
}

/// Writes the `always @(*)` block and returns the reset signal of each register.
fn write_combinational(text: &mut String, scope: &Scope) -> BTreeMap<String, (String, Option<String>)> {
    let block = match &scope.code {
        Some(Verilog::Combinatorial(block)) => block,
        Some(Verilog::Custom(code)) => {
            code.lines().for_each(|line| {
                let _ = writeln!(text, "{}", format!("  {line}").trim_end());
            });
            return BTreeMap::new();
        }
        _ => unreachable!("cells are written with hdl_gen, or give their Verilog"),
    };
    let mut wiring: BTreeMap<String, (String, Option<String>)> = BTreeMap::new();
    let rename = |word: &str| rename(word, scope);
    text.push('\n');
    for line in verilog_combinatorial(block).lines() {
        let assignment = line.trim().trim_end_matches(';').split_once(" = ");
        if let Some((target, source)) = assignment {
            if let Some(name) = target.strip_suffix("$clock") {
                wiring.entry(name.into()).or_default().0 = source.into();
                continue;
            }
            if let Some(name) = target.strip_suffix("$reset") {
                wiring.entry(name.into()).or_default().1 = Some(source.into());
                continue;
            }
        }
        if !line.trim().is_empty() {
            let indent = (line.len() - line.trim_start().len()) / 2;
            let _ = writeln!(text, "  {}{}", " ".repeat(indent), map_words(line.trim(), rename));
        }
    }
    wiring
}

/// `x$q` → `x_q`, `x$d` → `x_d`, constants in capitals, other `$` → `_`.
fn rename(word: &str, scope: &Scope) -> String {
    let block = word.split_once('$').filter(|(name, _)| scope.blocks.iter().any(|block| block.name == *name));
    if let Some((name, pin)) = block {
        return format!("{name}_{pin}");
    }
    let constant = scope.nets.iter().find(|net| net.kind == AtomKind::Constant && net.name == word);
    constant.map_or_else(|| word.replace('$', "_"), constant_name)
}

/// Applies `map` to every identifier of a line; literals such as `4'h3` are left alone.
fn map_words(line: &str, map: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\'');
    for c in line.chars().chain(std::iter::once('\n')) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            out += &map(&word);
        } else {
            out += &word;
        }
        word.clear();
        if c != '\n' {
            out.push(c);
        }
    }
    out
}

fn write_registers(
    text: &mut String,
    registers: &[Register],
    wiring: &BTreeMap<String, (String, Option<String>)>,
    kept: bool,
) {
    // Yosys honours this on the process, not on the register.
    let keep = if kept { "  (* keep *)\n" } else { "" };
    let clock = |r: &Register| wiring.get(&r.name).map(|w| w.0.clone()).unwrap_or_default();
    let reset = |r: &Register| wiring.get(&r.name).and_then(|w| w.1.clone());
    let (with, without): (Vec<&Register>, Vec<&Register>) = registers.iter().partition(|r| r.reset.is_some());
    if let Some(first) = with.first() {
        let signal = reset(first).expect("a register with reset is given one");
        let _ = writeln!(text, "\n{keep}  always @(posedge {}) begin\n    if ({signal}) begin", clock(first));
        for r in &with {
            let _ = writeln!(text, "      {}_q <= {};", r.name, r.reset.as_deref().unwrap_or_default());
        }
        text.push_str("    end else begin\n");
        for r in &with {
            let _ = writeln!(text, "      {0}_q <= {0}_d;", r.name);
        }
        text.push_str("    end\n  end\n");
    }
    if let Some(first) = without.first() {
        let _ = writeln!(text, "\n{keep}  always @(posedge {}) begin", clock(first));
        for r in &without {
            let _ = writeln!(text, "    {0}_q <= {0}_d;", r.name);
        }
        text.push_str("  end\n");
    }
}

/// In the form that synthesis tools map to block RAM.
fn write_memories(
    text: &mut String,
    memories: &[StoredWords],
    wiring: &BTreeMap<String, (String, Option<String>)>,
) {
    for StoredWords { name, .. } in memories {
        let clock = wiring.get(name).map(|w| w.0.as_str()).unwrap_or_default();
        let _ = writeln!(text, "\n  always @(posedge {clock}) begin");
        let _ = writeln!(text, "    if ({name}_write) {name}[{name}_write_address] <= {name}_d;");
        let _ = writeln!(text, "    {name}_q <= {name}[{name}_read_address];\n  end");
    }
}
