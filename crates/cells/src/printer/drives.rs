//! What drives each signal of a cell: a continuous assignment, or the process of its register.
//!
//! A cell has no `always @(*)`. A simulator runs such a block when a signal that it reads changes, and an input that has its value from its
//! declaration never does: under Icarus Verilog the block then never runs, and a register takes x after the reset. A continuous
//! assignment has its value from time 0 on in every simulator. So what registers take next stands in their clocked process, and each other
//! signal has an assignment of its own: an expression, or a function where a kernel has a loop, cases, or a value that it changes again after
//! it was read. An assignment reads only what its signal follows, so that any output may be wired to any input that it does not follow.

use super::expr::{Expr, Infix, Known, Prefix};
use super::statement::{self, Statement, Takes, kept};
use std::collections::{BTreeMap, BTreeSet};

/// An expression with more operands is a function instead.
const MOST_OPERANDS: usize = 40;

/// What a signal that is no register takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Drive {
    Value(Expr),
    /// What a function makes of the signals that it reads.
    Function {
        /// The signals that it reads, constants and parameters excepted.
        reads: Vec<String>,
        /// The values that it keeps.
        locals: Vec<String>,
        body: Vec<Statement>,
    },
}

/// What drives the signals of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drives {
    /// Signals with continuous assignments, in the order of the kernel.
    pub(super) wires: Vec<(String, Drive)>,
    /// The statements of clocked processes. They drive `name_d`; what is printed drives `name_q`.
    pub(super) clocked: Vec<Statement>,
    /// The registers among them.
    pub(super) registers: BTreeSet<String>,
}

impl Drives {
    /// Of the statements of a kernel with these registers. `outputs` are seen outside of the statements; `signals` are all names that
    /// are neither constants nor parameters.
    pub(super) fn of(
        statements: &[Statement],
        (registers, outputs): (&[String], &BTreeSet<String>),
        signals: &BTreeSet<String>,
        known: &Known,
    ) -> Drives {
        let flow = Flow::of(statements, signals);
        let next = |register: &String| format!("{register}_d");
        let stored: BTreeSet<String> =
            registers.iter().filter(|r| flow.is_plain(&next(r))).cloned().collect();
        let in_process: BTreeSet<String> = stored.iter().map(next).collect();
        let mut driven = Vec::new();
        statements.iter().for_each(|statement| targets(statement, &mut driven));
        let wires = driven.into_iter().filter(|name| !in_process.contains(name));
        let mut drives = Drives {
            wires: wires.map(|name| (name.clone(), flow.drive(&name, signals, known))).collect(),
            clocked: kept(statements, &in_process),
            registers: stored,
        };
        drives.sweep(outputs);
        drives
    }

    /// Removes signals that only functions keep.
    fn sweep(&mut self, outputs: &BTreeSet<String>) {
        let mut read: BTreeSet<String> =
            self.clocked.iter().flat_map(Statement::names).chain(outputs.iter().cloned()).collect();
        loop {
            let before = read.len();
            let live = self.wires.iter().filter(|(name, _)| read.contains(name));
            let more: Vec<String> = live.flat_map(|(_, drive)| drive.reads()).collect();
            read.extend(more);
            if read.len() == before {
                break;
            }
        }
        self.wires.retain(|(name, _)| read.contains(name));
    }

    /// The statements of the process of some registers, without those that only say that a register keeps its value.
    pub(super) fn process(&self, registers: &BTreeSet<String>) -> Vec<Statement> {
        let next: BTreeSet<String> = registers.iter().map(|register| format!("{register}_d")).collect();
        let registered = |statement: &Statement| statement.map(&|part| as_register(part, &next));
        kept(&self.clocked, &next).iter().map(registered).collect()
    }

    pub(super) fn names(&self) -> BTreeSet<String> {
        let wires =
            self.wires.iter().flat_map(|(name, drive)| drive.names().into_iter().chain([name.clone()]));
        wires.chain(self.clocked.iter().flat_map(Statement::names)).collect()
    }
}

impl Drive {
    fn reads(&self) -> Vec<String> {
        match self {
            Drive::Value(value) => names(value).into_iter().collect(),
            Drive::Function { reads, .. } => reads.clone(),
        }
    }

    fn names(&self) -> BTreeSet<String> {
        match self {
            Drive::Value(value) => names(value),
            Drive::Function { body, .. } => body.iter().flat_map(Statement::names).collect(),
        }
    }
}

/// `name_d` as the register itself.
fn as_register(part: &Expr, next: &BTreeSet<String>) -> Option<Expr> {
    let Expr::Name(name) = part else { return None };
    let register = name.strip_suffix("_d").filter(|_| next.contains(name))?;
    Some(Expr::Name(format!("{register}_q")))
}

/// Whether a statement of a process only says that a register keeps its value.
pub(super) fn holds(statement: &Statement) -> bool {
    matches!(statement, Statement::Assign(target, value) if target == value)
}

/// An assignment: where in the order it stands, a loop being one place, and what it reads, the conditions around it included.
struct Step {
    place: usize,
    in_loop: bool,
    target: String,
    reads: BTreeSet<String>,
}

/// Which assignment reads what.
struct Flow<'a> {
    statements: &'a [Statement],
    steps: Vec<Step>,
    places: BTreeMap<String, Vec<usize>>,
    /// Signals that a kernel has in place of a constant, since linters object to a comparison with one. They stay variables of functions.
    stands_in: BTreeSet<String>,
}

impl Flow<'_> {
    fn of<'a>(statements: &'a [Statement], signals: &BTreeSet<String>) -> Flow<'a> {
        let mut steps = Vec::new();
        statements.iter().for_each(|statement| flatten(statement, &BTreeSet::new(), false, &mut steps));
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for step in &steps {
            places.entry(step.target.clone()).or_default().push(step.place);
        }
        let stands_in = statements.iter().filter_map(|statement| match statement {
            Statement::Assign(Expr::Name(name), Expr::Name(value)) if !signals.contains(value) => {
                Some(name.clone())
            }
            _ => None,
        });
        let stands_in = stands_in.filter(|name| places[name].len() == 1).collect();
        Flow { statements, steps, places, stands_in }
    }

    /// What a step reads before it has its last value, but after it had another, or in place of a constant.
    fn unfinished<'s>(&'s self, step: &'s Step) -> impl Iterator<Item = &'s String> {
        let changes = |name: &&String| {
            let Some(places) = self.places.get(*name) else { return false };
            let before = |place: &usize| *place < step.place || (step.in_loop && *place == step.place);
            let changes = places.iter().any(before) && places.iter().any(|place| *place >= step.place);
            changes || self.stands_in.contains(*name)
        };
        step.reads.iter().filter(changes)
    }

    /// Whether a process can store what `next` takes: nothing reads it, and it needs neither a loop nor a value that changes again.
    fn is_plain(&self, next: &str) -> bool {
        let read = self.steps.iter().any(|step| step.reads.contains(next));
        let mut own = self.steps.iter().filter(|step| step.target == next);
        !read && own.all(|step| !step.in_loop && self.unfinished(step).next().is_none())
    }

    fn drive(&self, name: &str, signals: &BTreeSet<String>, known: &Known) -> Drive {
        let mut own = BTreeSet::from([name.to_string()]);
        loop {
            let steps = self.steps.iter().filter(|step| own.contains(&step.target));
            let more: BTreeSet<String> = steps.flat_map(|step| self.unfinished(step)).cloned().collect();
            let before = own.len();
            own.extend(more);
            if own.len() == before {
                break;
            }
        }
        let body = kept(self.statements, &own);
        let chooses = statement::lines(&body.iter().collect::<Vec<_>>(), 0, known, Takes::AtOnce);
        let cases = chooses.iter().any(|line| line.trim_start().starts_with("case ("));
        if own.len() == 1
            && !cases
            && let Some(value) = value(&body, name, None)
            && operands(&value) <= MOST_OPERANDS
        {
            return Drive::Value(value);
        }
        let reads: BTreeSet<String> = body.iter().flat_map(Statement::names).collect();
        let reads = reads.into_iter().filter(|read| signals.contains(read) && !own.contains(read)).collect();
        own.remove(name);
        Drive::Function { reads, locals: own.into_iter().collect(), body }
    }
}

/// What `name` has after a block, where it has `now` before it; `None` if an expression cannot say so.
fn value(block: &[Statement], name: &str, mut now: Option<Expr>) -> Option<Expr> {
    for statement in block {
        now = Some(match statement {
            Statement::Assign(Expr::Name(_), value) if names(value).contains(name) => {
                with(value, name, &now?)?
            }
            Statement::Assign(Expr::Name(_), value) => value.clone(),
            Statement::Assign(..) | Statement::For(..) => return None,
            Statement::If(test, ..) if names(test).contains(name) => return None,
            Statement::If(test, then, otherwise) => {
                let (then, otherwise) = (value(then, name, now.clone())?, value(otherwise, name, now)?);
                choice(test, then, otherwise)
            }
        });
    }
    now
}

/// One of two values.
fn choice(test: &Expr, then: Expr, otherwise: Expr) -> Expr {
    if let (Expr::Prefix(Prefix::Not, test), Expr::Name(_) | Expr::Literal(_)) = (test, &otherwise) {
        return choice(test, otherwise, then);
    }
    match then {
        then if then == otherwise => then,
        // Conditions are one bit wide.
        Expr::Choice(inner, then, other) if *other == otherwise => {
            let both = Expr::infix(test.clone(), Infix::And, *inner);
            Expr::Choice(Box::new(both), then, other)
        }
        then => Expr::Choice(Box::new(test.clone()), Box::new(then), Box::new(otherwise)),
    }
}

/// `value` with what `name` has now in its place; `None` where a bit of it is taken, for an expression has no bits in Verilog.
fn with(value: &Expr, name: &str, now: &Expr) -> Option<Expr> {
    let mut taken = false;
    value.visit(&mut |part| taken |= matches!(part, Expr::Bit(word, _) if names(word).contains(name)));
    let replaced = |part: &Expr| matches!(part, Expr::Name(found) if found == name).then(|| now.clone());
    (!taken).then(|| value.map(&replaced))
}

fn operands(value: &Expr) -> usize {
    let mut count = 0;
    value.visit(&mut |part| count += usize::from(matches!(part, Expr::Name(_) | Expr::Literal(_))));
    count
}

/// The names that a statement drives, each once, in the order of the text.
pub(super) fn targets(statement: &Statement, found: &mut Vec<String>) {
    match statement {
        Statement::Assign(..) => {
            let name = statement.target().expect("the printed text drives names and their bits");
            if !found.iter().any(|known| known == name) {
                found.push(name.into());
            }
        }
        Statement::If(_, then, otherwise) => {
            then.iter().chain(otherwise).for_each(|inner| targets(inner, found))
        }
        Statement::For(_, _, _, body) => body.iter().for_each(|inner| targets(inner, found)),
    }
}

fn flatten(statement: &Statement, conditions: &BTreeSet<String>, in_loop: bool, steps: &mut Vec<Step>) {
    let place = steps.last().map_or(0, |step| step.place + usize::from(!in_loop));
    match statement {
        Statement::Assign(target, value) => {
            let mut reads = conditions.clone();
            reads.extend(names(value));
            let name = statement.target().expect("the printed text drives names and their bits").to_string();
            // The index of a bit.
            reads.extend(names(target).into_iter().filter(|read| *read != name));
            steps.push(Step { place, in_loop, target: name, reads });
        }
        Statement::If(test, then, otherwise) => {
            let conditions = conditions.iter().cloned().chain(names(test)).collect();
            then.iter().chain(otherwise).for_each(|inner| flatten(inner, &conditions, in_loop, steps));
        }
        Statement::For(_, _, _, body) => {
            // Every pass may read what an earlier one drove.
            let from = steps.len();
            body.iter().for_each(|inner| flatten(inner, conditions, true, steps));
            steps[from..].iter_mut().for_each(|step| step.place = place);
        }
    }
}

pub(super) fn names(expr: &Expr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    expr.visit(&mut |part| {
        if let Expr::Name(name) = part {
            found.insert(name.clone());
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assign(target: &str, reads: [&str; 2]) -> Statement {
        let value = Expr::infix(Expr::name(reads[0]), Infix::And, Expr::name(reads[1]));
        Statement::Assign(Expr::name(target), value)
    }

    fn copy(target: &str, value: &str) -> Statement {
        Statement::Assign(Expr::name(target), Expr::name(value))
    }

    fn when(test: &str, then: Vec<Statement>) -> Statement {
        Statement::If(Expr::name(test), then, vec![])
    }

    fn drives(statements: &[Statement]) -> Drives {
        let signals: BTreeSet<String> = statements.iter().flat_map(Statement::names).collect();
        Drives::of(statements, (&["at".to_string()], &signals), &signals, &Known::new())
    }

    fn text(statements: &[Statement]) -> Vec<String> {
        let shown = |(name, drive): &(String, Drive)| match drive {
            Drive::Value(value) => format!("{name} = {value}"),
            Drive::Function { reads, locals, .. } => {
                format!("{name} = f({}; {})", reads.join(" "), locals.join(" "))
            }
        };
        drives(statements).wires.iter().map(shown).collect()
    }

    #[test]
    fn registers_take_their_next_value_in_their_process_and_all_else_is_assigned() {
        let cell = [
            assign("can", ["full_i", "at_q"]),
            assign("begin_o", ["start_i", "can"]),
            copy("at_d", "at_q"),
            when("start_i", vec![copy("at_d", "can")]),
        ];
        assert_eq!(text(&cell), ["can = full_i & at_q", "begin_o = start_i & can"]);
        let process = drives(&cell).process(&["at".to_string()].into());
        assert!(holds(&process[0]));
        assert_eq!(process[1], when("start_i", vec![copy("at_q", "can")]));
    }

    #[test]
    fn conditions_become_choices() {
        let inner = when("b", vec![copy("o", "y")]);
        let cell = [copy("o", "x"), when("a", vec![inner]), when("c", vec![copy("o", "z")])];
        assert_eq!(text(&cell), ["o = c ? z : ((a & b) ? y : x)"]);
        // A value that is changed after it was set.
        let cell = [copy("o", "x"), when("a", vec![assign("o", ["o", "y"])])];
        assert_eq!(text(&cell), ["o = a ? (x & y) : x"]);
    }

    #[test]
    fn a_value_that_changes_after_it_was_read_needs_a_function() {
        let cell = [
            assign("sum", ["full_i", "at_q"]),
            assign("ready_o", ["sum", "sum"]),
            assign("sum", ["sum", "start_i"]),
            assign("begin_o", ["sum", "sum"]),
        ];
        let expected = [
            "sum = (full_i & at_q) & start_i",
            "ready_o = f(at_q full_i start_i; sum)",
            "begin_o = sum & sum",
        ];
        assert_eq!(text(&cell).len(), 3);
        assert_eq!(text(&cell)[1..], expected[1..]);
        // A register whose next value is read, or follows such a value, is no matter of its process.
        let read = [copy("at_d", "at_q"), when("a", vec![copy("at_d", "b")]), copy("next_o", "at_d")];
        assert_eq!(text(&read), ["at_d = a ? b : at_q", "next_o = at_d"]);
        assert!(drives(&read).registers.is_empty());
        let changing = [copy("sum", "a"), copy("at_d", "sum"), copy("sum", "b")];
        assert_eq!(text(&changing), ["sum = b", "at_d = f(a b; sum)"]);
    }

    #[test]
    fn a_bit_of_a_value_that_changes_needs_a_function() {
        let bit = Expr::Bit(Box::new(Expr::name("o")), Box::new(Expr::name("N")));
        let cell = [copy("o", "x"), Statement::Assign(Expr::name("o"), bit)];
        assert_eq!(text(&cell), ["o = f(N x; )"]);
        // What stands for a constant, which is none of the signals.
        let compared = [copy("limit", "Last"), assign("o", ["a", "limit"])];
        let signals = ["limit", "o", "a"].map(String::from).into();
        let drives = Drives::of(&compared, (&[], &["o".to_string()].into()), &signals, &Known::new());
        assert!(matches!(&drives.wires[..], [(_, Drive::Function { locals, .. })] if locals == &["limit"]));
        // An output without a value in some case.
        assert_eq!(text(&[when("a", vec![copy("o", "x")])]), ["o = f(a x; )"]);
    }
}
