//! Statements of a cell, and their text.

use super::expr::{Expr, Infix, Known};
use std::collections::{BTreeMap, BTreeSet};

/// Columns that a line may have.
pub const COLUMNS: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The target, and what it takes.
    Assign(Expr, Expr),
    /// The condition, what follows it, and what follows otherwise.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// A loop: its variable, the first value and the one that it does not reach.
    For(String, u64, u64, Vec<Statement>),
}

impl Statement {
    /// With every expression made anew.
    pub fn map(&self, leaf: &impl Fn(&Expr) -> Option<Expr>) -> Statement {
        let all = |block: &[Statement]| block.iter().map(|statement| statement.map(leaf)).collect();
        match self {
            Statement::Assign(target, value) => Statement::Assign(target.map(leaf), value.map(leaf)),
            Statement::If(test, then, otherwise) => Statement::If(test.map(leaf), all(then), all(otherwise)),
            Statement::For(variable, from, to, body) => {
                Statement::For(variable.clone(), *from, *to, all(body))
            }
        }
    }

    /// With other names, those of loops' variables among them.
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> Statement {
        let all = |block: &[Statement]| block.iter().map(|statement| statement.renamed(names)).collect();
        match self {
            Statement::Assign(target, value) => {
                Statement::Assign(target.renamed(names), value.renamed(names))
            }
            Statement::If(test, then, otherwise) => {
                Statement::If(test.renamed(names), all(then), all(otherwise))
            }
            Statement::For(variable, from, to, body) => {
                let variable = names.get(variable).unwrap_or(variable);
                Statement::For(variable.clone(), *from, *to, all(body))
            }
        }
    }

    /// Hands every part of every expression to `see`, in the order of execution, a target after its value; `true` marks
    /// targets.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Expr, bool)) {
        match self {
            Statement::Assign(target, value) => {
                value.visit(&mut |part| see(part, false));
                target.visit(&mut |part| see(part, true));
            }
            Statement::If(test, then, otherwise) => {
                test.visit(&mut |part| see(part, false));
                then.iter().chain(otherwise).for_each(|statement| statement.visit(see));
            }
            Statement::For(_, _, _, body) => body.iter().for_each(|statement| statement.visit(see)),
        }
    }

    /// The names in it, those of its targets among them.
    pub fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.visit(&mut |part, _| {
            if let Expr::Name(name) = part {
                names.insert(name.clone());
            }
        });
        names
    }

    /// The name of the signal that an assignment drives.
    pub fn target(&self) -> Option<&str> {
        let Statement::Assign(target, _) = self else { return None };
        match target {
            Expr::Name(name) => Some(name),
            Expr::Bit(word, _) => match &**word {
                Expr::Name(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it, or a statement in it, drives the signal `name`.
    pub fn names_target(&self, name: &str) -> bool {
        match self {
            Statement::Assign(..) => self.target() == Some(name),
            Statement::If(_, then, otherwise) => {
                then.iter().chain(otherwise).any(|statement| statement.names_target(name))
            }
            Statement::For(_, _, _, body) => body.iter().any(|statement| statement.names_target(name)),
        }
    }

    pub fn lines(&self, indent: usize) -> Vec<String> {
        self.lines_with(indent, &Known::new(), Takes::AtOnce)
    }

    /// Its lines, where constants have `known` values.
    fn lines_with(&self, indent: usize, known: &Known, takes: Takes) -> Vec<String> {
        let margin = " ".repeat(indent);
        let block = |block: &[Statement]| lines(&block.iter().collect::<Vec<_>>(), indent + 2, known, takes);
        match self {
            Statement::Assign(target, value) => {
                broken(&margin, &format!("{target} {} ", takes.sign()), value, ";")
            }
            Statement::If(test, then, otherwise) => {
                let mut lines = broken(&margin, "if (", test, ") begin");
                lines.extend(block(then));
                if !otherwise.is_empty() {
                    lines.push(format!("{margin}end else begin"));
                    lines.extend(block(otherwise));
                }
                lines.push(format!("{margin}end"));
                lines
            }
            Statement::For(v, from, to, body) => {
                let mut lines = vec![format!("{margin}for ({v} = {from}; {v} < {to}; {v} = {v} + 1) begin")];
                lines.extend(block(body));
                lines.push(format!("{margin}end"));
                lines
            }
        }
    }
}

/// When a target has its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// In the next statement.
    AtOnce,
    /// After the clock edge.
    AtTheEdge,
}

impl Takes {
    fn sign(self) -> &'static str {
        match self {
            Takes::AtOnce => "=",
            Takes::AtTheEdge => "<=",
        }
    }
}

/// The lines of a continuous assignment.
pub(super) fn continuous(target: &str, value: &Expr) -> Vec<String> {
    broken("  ", &format!("assign {target} = "), value, ";")
}

/// Conditions that one `case` replaces.
const LEAST_CASES: usize = 3;

/// The lines of statements, `indent` columns in, where constants have `known` values.
pub(super) fn lines(block: &[&Statement], indent: usize, known: &Known, takes: Takes) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = block;
    while let Some(first) = rest.first() {
        let cases = cases(rest, known);
        if cases.len() < LEAST_CASES {
            lines.extend(first.lines_with(indent, known, takes));
            rest = &rest[1..];
            continue;
        }
        let margin = " ".repeat(indent);
        lines.push(format!("{margin}case ({})", cases[0].0));
        for (_, constant, then) in &cases {
            let inner = self::lines(&then.iter().collect::<Vec<_>>(), indent + 4, known, takes);
            match (then.as_slice(), inner.as_slice()) {
                ([Statement::Assign(..)], [line]) => {
                    lines.push(format!("{margin}  {constant}: {}", line.trim_start()));
                }
                _ => {
                    lines.push(format!("{margin}  {constant}: begin"));
                    lines.extend(inner);
                    lines.push(format!("{margin}  end"));
                }
            }
        }
        lines.extend([format!("{margin}  default: ;"), format!("{margin}endcase")]);
        rest = &rest[cases.len()..];
    }
    lines
}

/// The conditions at the beginning of a block that compare one signal with constants of different values, and do not change the
/// signal: the signal, the constant, and what follows.
fn cases<'a>(block: &[&'a Statement], known: &Known) -> Vec<(&'a Expr, &'a Expr, &'a Vec<Statement>)> {
    let mut cases: Vec<(&Expr, &Expr, &Vec<Statement>)> = Vec::new();
    let mut values = BTreeSet::new();
    for statement in block {
        let Statement::If(Expr::Infix(signal, Infix::Eq, constant), then, otherwise) = statement else {
            break;
        };
        let (Expr::Name(name), Expr::Name(number)) = (&**signal, &**constant) else { break };
        let same = cases.first().is_none_or(|(first, ..)| *first == &**signal);
        let changes = then.iter().any(|found| found.names_target(name));
        let new = known.get(number).is_some_and(|value| values.insert(*value));
        if !otherwise.is_empty() || !same || changes || !new {
            break;
        }
        cases.push((signal, constant, then));
    }
    cases
}

/// An expression between `head` and `tail`; broken before the operators of its chain, or after each choice, where a line would be too
/// long.
fn broken(margin: &str, head: &str, expr: &Expr, tail: &str) -> Vec<String> {
    let whole = format!("{margin}{head}{expr}{tail}");
    if whole.len() <= COLUMNS {
        return vec![whole];
    }
    let further = " ".repeat(margin.len() + 4);
    if let Expr::Choice(..) = expr {
        let mut lines = vec![format!("{margin}{}", head.trim_end())];
        let mut rest = expr;
        while let Expr::Choice(test, then, otherwise) = rest {
            lines.extend(broken(&further, &format!("{} ? ", test.operand()), then, " :"));
            rest = otherwise;
        }
        lines.extend(broken(&further, "", rest, tail));
        return lines;
    }
    if let Expr::Call(function, arguments) = expr {
        let mut lines = vec![format!("{margin}{head}{function}(")];
        let texts: Vec<String> = arguments.iter().map(Expr::to_string).collect();
        filled(&texts, &further, &mut lines);
        return [lines, vec![format!("{margin}){tail}")]].concat();
    }
    let (Some(sign), operands) = expr.chain() else { return vec![whole] };
    let mut lines = Vec::new();
    let mut line = format!("{margin}{head}");
    for (at, operand) in operands.iter().enumerate() {
        let text = operand.operand();
        let end = if at + 1 == operands.len() { tail } else { "" };
        let piece = if at == 0 { text } else { format!("{} {text}", sign.sign()) };
        if at > 0 && line.len() + 1 + piece.len() + end.len() > COLUMNS {
            lines.push(std::mem::replace(&mut line, format!("{further}{piece}")));
        } else {
            if at > 0 {
                line.push(' ');
            }
            line += &piece;
        }
        line += end;
    }
    lines.push(line);
    lines
}

/// Adds a list in as few lines as it needs.
fn filled(texts: &[String], margin: &str, lines: &mut Vec<String>) {
    let mut line = String::new();
    for (at, text) in texts.iter().enumerate() {
        let piece = if at + 1 < texts.len() { format!("{text},") } else { text.clone() };
        if line.is_empty() {
            line = format!("{margin}{piece}");
        } else if line.len() + 1 + piece.len() > COLUMNS {
            lines.push(std::mem::replace(&mut line, format!("{margin}{piece}")));
        } else {
            line += &format!(" {piece}");
        }
    }
    lines.push(line);
}

/// The statements on which `wanted` depend, and every name that they need.
pub fn slice(block: &[Statement], wanted: &[String]) -> (Vec<Statement>, BTreeSet<String>) {
    let mut needed: BTreeSet<String> = wanted.iter().cloned().collect();
    loop {
        let before = needed.len();
        let kept = kept(block, &needed);
        needed.extend(kept.iter().flat_map(Statement::names));
        if needed.len() == before {
            return (kept, needed);
        }
    }
}

/// The statements that drive a name of these, with the conditions and loops around them.
pub(super) fn kept(block: &[Statement], needed: &BTreeSet<String>) -> Vec<Statement> {
    let keep = |statement: &Statement| match statement {
        Statement::Assign(..) => {
            statement.target().is_some_and(|name| needed.contains(name)).then(|| statement.clone())
        }
        // A condition with nothing left below it goes.
        Statement::If(test, then, otherwise) => {
            let (then, otherwise) = (kept(then, needed), kept(otherwise, needed));
            let empty = then.is_empty() && otherwise.is_empty();
            (!empty).then(|| Statement::If(test.clone(), then, otherwise))
        }
        Statement::For(variable, from, to, body) => {
            let body = kept(body, needed);
            (!body.is_empty()).then(|| Statement::For(variable.clone(), *from, *to, body))
        }
    };
    block.iter().filter_map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(constants: [&str; 3], targets: [&str; 3]) -> String {
        let known = Known::from([
            ("A".to_string(), 1),
            ("B".to_string(), 2),
            ("C".to_string(), 3),
            ("D".to_string(), 3),
        ]);
        let block = [0, 1, 2].map(|at| {
            let test = Expr::infix(Expr::name("s"), Infix::Eq, Expr::name(constants[at]));
            let then = vec![Statement::Assign(Expr::name(targets[at]), Expr::name("x"))];
            Statement::If(test, then, vec![])
        });
        lines(&block.iter().collect::<Vec<_>>(), 0, &known, Takes::AtOnce).join("\n")
    }

    #[test]
    fn conditions_on_one_signal_are_a_case_if_only_one_can_hold() {
        let cases = "case (s)\n  A: o = x;\n  B: o = x;\n  C: p = x;\n  default: ;\nendcase";
        assert_eq!(text(["A", "B", "C"], ["o", "o", "p"]), cases);
        // Equal constants, one whose value a parameter changes, a signal that the second condition changes.
        for (constants, targets) in
            [(["C", "B", "D"], ["o"; 3]), (["A", "B", "N"], ["o"; 3]), (["A", "B", "C"], ["o", "s", "o"])]
        {
            assert!(!text(constants, targets).contains("case"), "{constants:?} {targets:?}");
        }
    }
}
