//! What a cell does, as pieces of text: for a printer that writes many instances of it as one loop.

use super::{Tree, constant_name, is_memory, map_words, register, write_combinational};
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

/// A register: `name_q` takes `name_d` at each clock edge.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Its range.
    pub range: String,
    /// What `rst_i` sets it to, if it does.
    pub reset: Option<String>,
}

/// A cell without memories whose combinational part is one block.
#[derive(Clone, Debug)]
pub struct Body {
    /// Input ports without the clock.
    pub inputs: Vec<Local>,
    /// Output ports.
    pub outputs: Vec<Local>,
    /// Local signals.
    pub locals: Vec<Local>,
    /// Registers.
    pub registers: Vec<State>,
    /// Constants that are not parameters: name, range and value.
    pub constants: Vec<(Local, String)>,
    /// Parameters that are values: name and range. The others are widths.
    pub parameters: Vec<Local>,
    /// The statements, two columns for each level.
    pub statements: Vec<String>,
}

impl Body {
    /// The body of a cell; `None` if it has a memory, text of its own, or more than plain conditions: such a cell stays an
    /// instance.
    pub fn of(cell: &dyn Block) -> Option<Body> {
        let mut tree = Tree::default();
        cell.accept("cell", &mut tree);
        let scope = tree.root.expect("a block visits its own scope");
        if !matches!(scope.code, Some(Verilog::Combinatorial(_))) || scope.blocks.iter().any(is_memory) {
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
        let registers = scope.blocks.iter().map(register).map(|r| {
            let (clock, reset) = wiring.get(&r.name).expect("a register has a clock");
            assert_eq!(clock, "clk_i", "cells have one clock");
            assert!(reset.as_deref().is_none_or(|name| name == "rst_i"), "cells have one reset");
            State { reset: r.reset.filter(|_| reset.is_some()), name: r.name, range: r.range }
        });
        Some(Body {
            inputs: of_kind(AtomKind::InputParameter).map(local).filter(|net| net.name != "clk_i").collect(),
            outputs: of_kind(AtomKind::OutputParameter).map(local).collect(),
            locals: of_kind(AtomKind::LocalSignal).map(local).collect(),
            registers: registers.collect(),
            constants: of_kind(AtomKind::Constant)
                .filter(|net| !net.symbol.parameter)
                .map(|net| {
                    let range = if net.symbol.width.is_none() && net.bits == 32 {
                        String::new()
                    } else {
                        net.range()
                    };
                    (Local { name: constant_name(&net.name), range }, net.value().to_string())
                })
                .collect(),
            parameters: of_kind(AtomKind::Constant)
                .filter(|net| net.symbol.parameter)
                .map(|net| Local { name: constant_name(&net.name), range: net.range() })
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
