//! What a cell does, as pieces: for a printer that writes many instances of it as one loop.

use super::constants::Constants;
use super::kernel::Kernel;
use super::loops::unrolled;
use super::simplify;
use super::statement::{Statement, slice};
use super::tree::{Net, Scope, register, stored_words};
use crate::printer::expr::Expr;
use rust_hdl::prelude::*;
use std::collections::BTreeSet;

/// A value inside a cell.
#[derive(Clone, Debug)]
pub struct Local {
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
    pub name: String,
    pub range: String,
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
    pub outputs: Vec<Local>,
    /// Local signals, the addresses of memories among them.
    pub locals: Vec<Local>,
    pub registers: Vec<State>,
    /// Constants that are not parameters: name, `integer ` or range, and value.
    pub constants: Vec<(Local, String)>,
    /// Parameters that are values: name and range. The others are widths.
    pub parameters: Vec<Local>,
    /// The statements, loops unrolled.
    pub statements: Vec<Statement>,
}

impl Body {
    /// The body of a cell; `None` if it has text of its own, a reset that comes at any time, or a memory that
    /// is read in some cycles only: such a cell stays an instance.
    pub fn of(cell: &dyn Block) -> Option<Body> {
        let scope = Scope::of(cell);
        let Some(Verilog::Combinatorial(block)) = &scope.code else { return None };
        if scope.blocks.iter().any(|block| block.asynchronous || block.is_held() || block.is_short()) {
            return None;
        }
        let Kernel { statements, wiring, .. } = Kernel::read(block, &scope);
        let known = Constants::of(&scope);
        let statements: Vec<Statement> = unrolled(&statements, &known.vectors)
            .iter()
            .map(|found| simplify::statement(found, &known.known))
            .collect();
        let local = |net: &Net| Local { name: net.printed(), range: net.range() };
        let state = |block: &Scope| {
            let wiring = wiring.get(&block.name).expect("a register has a clock");
            assert_eq!(wiring.clock, "clk_i", "cells have one clock");
            let reset = wiring.reset.as_deref();
            assert!(reset.is_none_or(|name| name == "rst_i"), "cells have one reset");
            if block.is_memory() {
                let words = stored_words(block);
                return State { name: words.name, range: words.range, next: Next::Word(words.address_width) };
            }
            let r = register(block);
            let next = Next::Value(r.reset.filter(|_| reset.is_some()));
            State { name: r.name, range: r.range, next }
        };
        let registers: Vec<State> = scope.blocks.iter().map(state).collect();
        let pins = scope.memories().into_iter().flat_map(|memory| {
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
        let mut used: BTreeSet<String> = statements.iter().flat_map(Statement::names).collect();
        let resets = registers.iter().filter_map(|register| match &register.next {
            Next::Value(reset) => reset.clone(),
            Next::Word(_) => None,
        });
        used.extend(resets);
        let constant = |found: &super::constants::Constant| {
            (Local { name: found.name.clone(), range: found.kind.clone() }, found.value.clone())
        };
        Some(Body {
            inputs: scope
                .of_kind(AtomKind::InputParameter)
                .map(local)
                .filter(|net| net.name != "clk_i")
                .collect(),
            outputs: scope.of_kind(AtomKind::OutputParameter).map(local).collect(),
            locals: scope.of_kind(AtomKind::LocalSignal).map(local).chain(pins).collect(),
            registers,
            constants: known.needed(&used).into_iter().map(constant).collect(),
            parameters: scope.parameters().map(local).collect(),
            statements,
        })
    }

    /// The output that is register `name` itself, if there is one.
    pub fn shown_by(&self, name: &str) -> Option<&str> {
        let q = Expr::Name(format!("{name}_q"));
        let shows = |output: &&Local| {
            let drives = |statement: &&Statement| statement.names_target(&output.name);
            let mut to_it = self.statements.iter().filter(drives);
            let only = matches!(to_it.next(), Some(Statement::Assign(Expr::Name(_), value)) if *value == q);
            only && to_it.next().is_none()
        };
        self.outputs.iter().find(shows).map(|output| output.name.as_str())
    }

    /// The statements on which `wanted` depend, and every name that they need.
    pub fn slice(&self, wanted: &[String]) -> (Vec<Statement>, BTreeSet<String>) {
        slice(&self.statements, wanted)
    }
}
