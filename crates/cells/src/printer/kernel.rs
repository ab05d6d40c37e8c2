//! Reads what a kernel says from rust-hdl's tree into our own.

use super::expr::{Expr, Infix, Place, Prefix};
use super::notes::Notes;
use super::statement::Statement;
use super::tree::{Scope, constant_name};
use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogOp,
    VerilogOpUnary, VerilogStatement,
};
use rust_hdl::prelude::AtomKind;
use std::collections::{BTreeMap, BTreeSet};

/// What drives the clock and the reset of a register or memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Wiring {
    pub(super) clock: String,
    pub(super) reset: Option<String>,
}

pub(super) struct Kernel {
    /// Its statements, but for those that wire clocks and resets.
    pub(super) statements: Vec<Statement>,
    /// For every signal that is driven: the comment above each statement that drives it, empty without one.
    pub(super) notes: Notes,
    /// For every register and memory.
    pub(super) wiring: BTreeMap<String, Wiring>,
}

impl Kernel {
    pub(super) fn read(block: &VerilogBlock, scope: &Scope) -> Kernel {
        let mut reader = Reader { scope, wiring: BTreeMap::new() };
        let (mut said_of, mut note) = (Vec::new(), String::new());
        for statement in block {
            if let VerilogStatement::Comment(text) = statement {
                note = said(text);
            }
            said_of.extend(reader.statement(statement).into_iter().map(|read| (read, note.clone())));
        }
        let (mut statements, mut notes) = (Vec::new(), Notes::new());
        for (read, note) in settled(said_of) {
            driven(&read).into_iter().for_each(|name| notes.entry(name).or_default().push(note.clone()));
            statements.push(read);
        }
        Kernel { statements, notes, wiring: reader.wiring }
    }
}

/// The signals that a statement drives.
fn driven(statement: &Statement) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    statement.visit(&mut |part, is_target| match part {
        Expr::Name(name) if is_target => drop(names.insert(name.clone())),
        _ => (),
    });
    names
}

/// That a register keeps its value stands where something else is said of it, under the same comment, and not at all if it always takes
/// something else.
fn settled(statements: Vec<(Statement, String)>) -> Vec<(Statement, String)> {
    let (mut kept, mut rest) = (Vec::new(), Vec::new());
    for (statement, note) in statements {
        match &statement {
            Statement::Assign(Expr::Name(d), Expr::Name(q))
                if d.strip_suffix("_d").is_some_and(|name| q.strip_suffix("_q") == Some(name)) =>
            {
                kept.push((d.clone(), statement));
            }
            _ => {
                let driven = driven(&statement);
                let whole = matches!(statement, Statement::Assign(Expr::Name(_), _));
                for (_, found) in kept.extract_if(.., |(name, _)| driven.contains(name)).filter(|_| !whole) {
                    rest.push((found, note.clone()));
                }
                rest.push((statement, note));
            }
        }
    }
    rest.extend(kept.into_iter().map(|(_, found)| (found, String::new())));
    rest
}

/// What `comment!("…")` says; rust-hdl may keep some of the tokens around it.
fn said(tokens: &str) -> String {
    let text = tokens.split_once("(\"").map_or(tokens, |(_, text)| text);
    text.trim_end_matches("\")").replace("\\\"", "\"")
}

struct Reader<'a> {
    scope: &'a Scope,
    wiring: BTreeMap<String, Wiring>,
}

impl Reader<'_> {
    fn block(&mut self, block: &VerilogBlock) -> Vec<Statement> {
        block.iter().flat_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &VerilogStatement) -> Vec<Statement> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                self.assignment(target, value).into_iter().collect()
            }
            VerilogStatement::If(condition) => vec![self.condition(condition)],
            VerilogStatement::Macro(block) => self.block(block),
            VerilogStatement::Loop(found) => {
                let body = self.block(&found.block);
                let (from, to) = (found.from.as_usize() as u64, found.to.as_usize() as u64);
                vec![Statement::For(found.index.clone(), from, to, body)]
            }
            VerilogStatement::Comment(_) => vec![],
            other => unreachable!("kernels have assignments, conditions and loops, not {other:?}"),
        }
    }

    fn assignment(&mut self, target: &VerilogExpression, value: &VerilogExpression) -> Option<Statement> {
        let value = self.expr(value);
        if let VerilogExpression::Signal(text) = target
            && let Some((block, pin @ ("clock" | "reset"))) = text.trim_end_matches("$next").split_once('$')
        {
            let wiring = self.wiring.entry(block.into()).or_default();
            match pin {
                "clock" => wiring.clock = value.to_string(),
                _ => wiring.reset = Some(value.to_string()),
            }
            return None;
        }
        Some(Statement::Assign(self.expr(target), value))
    }

    fn condition(&mut self, condition: &VerilogConditional) -> Statement {
        let test = self.expr(&condition.test);
        let then = self.block(&condition.then);
        let otherwise = match &condition.otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block),
            VerilogBlockOrConditional::Conditional(statement) => self.statement(statement),
            VerilogBlockOrConditional::None => vec![],
        };
        Statement::If(test, then, otherwise)
    }

    fn expr(&self, expr: &VerilogExpression) -> Expr {
        match expr {
            VerilogExpression::Signal(text) => self.signal(text),
            VerilogExpression::Literal(literal) => Expr::Literal(literal.to_string()),
            VerilogExpression::Paren(inner) => self.expr(inner),
            VerilogExpression::Binary(left, sign, right) => {
                Expr::infix(self.expr(left), infix(sign), self.expr(right))
            }
            VerilogExpression::Unary(sign, operand) => {
                Expr::Prefix(prefix(sign), Box::new(self.expr(operand)))
            }
            VerilogExpression::Index(word, at) => {
                Expr::Bit(Box::new(self.expr(word)), Box::new(self.expr(at)))
            }
            other => unreachable!("kernels have names, literals, bits and operators, not {other:?}"),
        }
    }

    /// `x$q` → `x_q`, constants in capitals, `port[j+1]` → an element of `port`.
    fn signal(&self, text: &str) -> Expr {
        let text = text.trim_end_matches("$next");
        let Some((vector, rest)) = text.split_once('[') else { return Expr::Name(self.printed(text)) };
        let place = rest.trim_end_matches(']').trim_matches(['(', ')']);
        let (variable, plus) = place.split_once('+').unwrap_or(match place.parse::<u64>() {
            Ok(_) => ("", place),
            Err(_) => (place, "0"),
        });
        let plus = plus.trim().parse().expect("kernels have indices of loop variables");
        let variable = Some(variable.trim().to_string()).filter(|name| !name.is_empty());
        Expr::Element(self.printed(vector), Place { variable, plus })
    }

    fn printed(&self, name: &str) -> String {
        let mut constants = self.scope.of_kind(AtomKind::Constant);
        let element = |found: &str| found.strip_prefix(name).is_some_and(|tail| tail.starts_with('$'));
        match constants.find(|net| net.name == name || element(&net.name)) {
            Some(net) if net.name == name => net.printed(),
            Some(_) => constant_name(name),
            None => name.replace('$', "_"),
        }
    }
}

fn infix(sign: &VerilogOp) -> Infix {
    match sign {
        VerilogOp::Add => Infix::Add,
        VerilogOp::Sub => Infix::Sub,
        VerilogOp::BitAnd => Infix::And,
        VerilogOp::BitOr => Infix::Or,
        VerilogOp::BitXor => Infix::Xor,
        VerilogOp::Shl => Infix::Shl,
        VerilogOp::Shr => Infix::Shr,
        VerilogOp::Eq => Infix::Eq,
        VerilogOp::Ne => Infix::Ne,
        VerilogOp::Lt => Infix::Lt,
        VerilogOp::Le => Infix::Le,
        VerilogOp::Gt => Infix::Gt,
        VerilogOp::Ge => Infix::Ge,
        VerilogOp::Mul | VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
            unreachable!("kernels do not use {sign:?}")
        }
    }
}

fn prefix(sign: &VerilogOpUnary) -> Prefix {
    match sign {
        VerilogOpUnary::Not => Prefix::Not,
        VerilogOpUnary::All => Prefix::All,
        VerilogOpUnary::Any => Prefix::Any,
        VerilogOpUnary::Xor => Prefix::Odd,
        VerilogOpUnary::Neg => unreachable!("kernels do not use {sign:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_value_stands_where_something_else_is_said_of_it() {
        let assign = |target: &str, value: &str| Statement::Assign(Expr::name(target), Expr::name(value));
        let noted = |statement: &Statement, note: &str| (statement.clone(), note.to_string());
        let [count, state] =
            ["count", "state"].map(|name| assign(&format!("{name}_d"), &format!("{name}_q")));
        let changes = Statement::If(Expr::name("step_i"), vec![assign("count_d", "next")], vec![]);
        let (always, other) = (assign("state_d", "next"), assign("ready_o", "count_q"));
        let read = [
            noted(&count, ""),
            noted(&state, ""),
            noted(&other, "a"),
            noted(&changes, "b"),
            noted(&always, "c"),
        ];
        let expected = [noted(&other, "a"), noted(&count, "b"), noted(&changes, "b"), noted(&always, "c")];
        assert_eq!(settled(read.to_vec()), expected);
        // Nothing else is said of it.
        assert_eq!(
            settled(vec![noted(&count, "a"), noted(&other, "b")]),
            [noted(&other, "b"), noted(&count, "")]
        );
    }
}
