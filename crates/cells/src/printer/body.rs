//! What a cell does, as pieces of text: for a printer that writes many instances of it as one loop.

use super::{
    Scope, StoredWords, Tree, constant_name, is_memory, map_words, register, stored_words,
    write_combinational,
};
use rust_hdl::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A value inside a cell.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// `[W-1:0] `, or nothing for one bit.
    pub range: String,
}

/// What `name_q` takes at each clock edge.
#[derive(Clone, Debug)]
pub enum Next {
    /// `name_d`, or at reset this value, if there is one.
    Value(Option<String>),
    /// The word at `name_read_address` of a memory whose addresses are as wide as this parameter says; the word at
    /// `name_write_address` becomes `name_d` where `name_write` is 1.
    Word(String),
}

/// A register, or what a memory shows.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Its range.
    pub range: String,
    /// What it takes.
    pub next: Next,
}

impl State {
    /// The names on which its next value depends, the one of a memory's words besides.
    pub fn sources(&self) -> Vec<String> {
        let pins: &[&str] = match self.next {
            Next::Value(_) => &["d"],
            Next::Word(_) => &["d", "write", "write_address", "read_address"],
        };
        pins.iter().map(|pin| format!("{}_{pin}", self.name)).collect()
    }
}

/// A cell whose combinational part is one block.
#[derive(Clone, Debug)]
pub struct Body {
    /// Input ports without the clock.
    pub inputs: Vec<Local>,
    /// Output ports.
    pub outputs: Vec<Local>,
    /// Local signals, the addresses of memories among them.
    pub locals: Vec<Local>,
    /// Registers and memories.
    pub registers: Vec<State>,
    /// Constants that are not parameters: name, range and value.
    pub constants: Vec<(Local, String)>,
    /// Parameters that are values: name and range. The others are widths.
    pub parameters: Vec<Local>,
    /// The statements, two columns for each level.
    pub statements: Vec<String>,
}

impl Body {
    /// The body of a cell; `None` if it has text of its own, or more than plain conditions: such a cell stays an instance.
    pub fn of(cell: &dyn Block) -> Option<Body> {
        let mut tree = Tree::default();
        cell.accept("cell", &mut tree);
        let scope = tree.root.expect("a block visits its own scope");
        if !matches!(scope.code, Some(Verilog::Combinatorial(_))) {
            return None;
        }
        let mut text = String::new();
        let wiring = write_combinational(&mut text, &scope);
        let statements: Vec<String> = text
            .lines()
            .map(|line| line.strip_prefix("  ").unwrap_or(line).trim_end().to_string())
            .filter(|line| !line.is_empty() && line != "always @(*) begin" && line != "end")
            .map(|line| line.strip_prefix("  ").unwrap_or(&line).to_string())
            .collect();
        let plain = |line: &String| {
            let text = line.trim();
            text == "end" || text.ends_with(';') || (text.starts_with("if (") && text.ends_with("begin"))
        };
        if !statements.iter().all(plain) {
            return None;
        }
        let local = |net: &super::Net| Local { name: net.name.replace('$', "_"), range: net.range() };
        let of_kind = |kind: AtomKind| scope.nets.iter().filter(move |net| net.kind == kind);
        let state = |block: &Scope| {
            let (clock, reset) = wiring.get(&block.name).expect("a register has a clock");
            assert_eq!(clock, "clk_i", "cells have one clock");
            assert!(reset.as_deref().is_none_or(|name| name == "rst_i"), "cells have one reset");
            if is_memory(block) {
                let StoredWords { name, range, address_width, .. } = stored_words(block);
                return State { name, range, next: Next::Word(address_width) };
            }
            let r = register(block);
            let next = Next::Value(r.reset.filter(|_| reset.is_some()));
            State { name: r.name, range: r.range, next }
        };
        let pins =
            scope.blocks.iter().filter(|block| is_memory(block)).map(stored_words).flat_map(|memory| {
                let pin = |pin: &str, range: &str| Local {
                    name: format!("{}_{pin}", memory.name),
                    range: range.into(),
                };
                [
                    pin("write", ""),
                    pin("write_address", &memory.addresses),
                    pin("read_address", &memory.addresses),
                ]
            });
        Some(Body {
            inputs: of_kind(AtomKind::InputParameter).map(local).filter(|net| net.name != "clk_i").collect(),
            outputs: of_kind(AtomKind::OutputParameter).map(local).collect(),
            locals: of_kind(AtomKind::LocalSignal).map(local).chain(pins).collect(),
            registers: scope.blocks.iter().map(state).collect(),
            constants: of_kind(AtomKind::Constant)
                .filter(|net| !net.symbol.parameter)
                .map(|net| {
                    let range = if net.symbol.width.is_none() && net.bits == 32 {
                        String::new()
                    } else {
                        net.range()
                    };
                    (Local { name: constant_name(net), range }, net.value().to_string())
                })
                .collect(),
            parameters: of_kind(AtomKind::Constant)
                .filter(|net| net.symbol.parameter)
                .map(|net| Local { name: constant_name(net), range: net.range() })
                .collect(),
            statements,
        })
    }

    /// The output that is register `name` itself, if there is one.
    pub fn shown_by(&self, name: &str) -> Option<&str> {
        let shows = |output: &&Local| {
            let mut to_it = self.statements.iter().filter(|line| target(line) == Some(&output.name));
            let only = to_it.next().is_some_and(|line| *line == format!("{} = {name}_q;", output.name));
            only && to_it.next().is_none()
        };
        self.outputs.iter().find(shows).map(|output| output.name.as_str())
    }

    /// The statements on which `wanted` depend, and every name that they need.
    pub fn slice(&self, wanted: &[String]) -> (Vec<&str>, BTreeSet<String>) {
        let mut needed: BTreeSet<String> = wanted.iter().cloned().collect();
        loop {
            let before = needed.len();
            let mut conditions: Vec<BTreeSet<String>> = Vec::new();
            for line in &self.statements {
                let text = line.trim();
                if text == "end" {
                    conditions.pop();
                } else if text.ends_with("begin") {
                    conditions.push(words(text));
                } else if target(text).is_some_and(|name| needed.contains(name)) {
                    needed.extend(words(text));
                    conditions.iter().for_each(|found| needed.extend(found.iter().cloned()));
                }
            }
            if needed.len() == before {
                break;
            }
        }
        let mut lines: Vec<&str> = Vec::new();
        for line in &self.statements {
            let text = line.trim();
            if target(text).is_some_and(|name| !needed.contains(name)) {
                continue;
            }
            // A condition with nothing left below it goes.
            if text == "end" && lines.last().is_some_and(|last| last.trim().starts_with("if")) {
                lines.pop();
                continue;
            }
            lines.push(line);
        }
        (lines, needed)
    }
}

/// What a statement assigns to.
fn target(line: &str) -> Option<&str> {
    let (left, _) = line.trim().strip_suffix(';')?.split_once(" = ")?;
    Some(left.split('[').next().unwrap_or(left))
}

/// The identifiers of a line.
fn words(line: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let add = std::cell::RefCell::new(&mut found);
    map_words(line, |word| {
        add.borrow_mut().insert(word.to_string());
        word.to_string()
    });
    found
}

/// Renames the identifiers of a text.
pub fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    map_words(text, |word| names.get(word).cloned().unwrap_or_else(|| word.to_string()))
}
