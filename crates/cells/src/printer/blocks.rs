//! The combinational part as several `always @(*)` blocks, so that outputs may be wired to inputs.
//!
//! A process of Verilog does not notice a change that it causes itself while it runs. If one block drives `ready_o`, which
//! follows the registers alone, and reads `start_i` besides, then a wire from `ready_o` to `start_i` changes an input of the block
//! in the middle of its run: under an event-driven simulator what follows `start_i` keeps its old value. So each block drives
//! only what follows all the inputs that it reads; what registers take next, which no wire sees, has a block of its own. The read address
//! of a short memory is not in it: its word comes in the same cycle, and the block may read it.

use super::expr::Expr;
use super::statement::{Statement, kept, slice};
use super::tree::Scope;
use rust_hdl::prelude::AtomKind;
use std::collections::{BTreeMap, BTreeSet};

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// What it is for, in a line.
    pub(super) title: String,
    pub(super) statements: Vec<Statement>,
    /// Whether it computes what registers take next.
    pub(super) next: bool,
}

/// A block as it is printed: continuous assignments, and between them a process for the rest.
pub(super) struct Parts<'a> {
    pub(super) before: Vec<&'a Statement>,
    pub(super) process: Vec<&'a Statement>,
    pub(super) behind: Vec<&'a Statement>,
}

impl Block {
    /// What is driven once, whatever the order of the statements, needs no process.
    pub(super) fn parts(&self) -> Parts<'_> {
        let mut parts = Parts { before: Vec::new(), process: Vec::new(), behind: Vec::new() };
        for (at, statement) in self.statements.iter().enumerate() {
            if self.next || !self.is_continuous(at) {
                parts.process.push(statement);
            } else if parts.process.is_empty() {
                parts.before.push(statement);
            } else {
                parts.behind.push(statement);
            }
        }
        parts
    }

    /// The names that continuous assignments drive.
    pub(super) fn wires(&self) -> Vec<String> {
        let Parts { before, behind, .. } = self.parts();
        before.into_iter().chain(behind).filter_map(Statement::target).map(String::from).collect()
    }

    /// Whether the statement drives a whole signal that no other statement drives, is read by later statements only, and reads what no
    /// later statement drives.
    fn is_continuous(&self, at: usize) -> bool {
        let Statement::Assign(Expr::Name(target), value) = &self.statements[at] else { return false };
        let (earlier, later) = (&self.statements[..at], &self.statements[at + 1..]);
        let reads = names(value);
        !reads.contains(target)
            && !earlier.iter().any(|other| other.names().contains(target))
            && !later.iter().any(|other| other.names_target(target))
            && !later.iter().any(|other| reads.iter().any(|name| other.names_target(name)))
    }
}

/// What a wire outside may join.
pub(super) struct Ports {
    pub(super) inputs: BTreeSet<String>,
    pub(super) outputs: BTreeSet<String>,
    /// Read addresses of memories that are read in the same cycle.
    pub(super) addresses: BTreeSet<String>,
}

impl Ports {
    pub(super) fn of(scope: &Scope) -> Ports {
        let [inputs, outputs] =
            [AtomKind::InputParameter, AtomKind::OutputParameter].map(|kind| scope.named(kind));
        let short = scope.memories().into_iter().filter(|memory| memory.short);
        let addresses = short.map(|memory| format!("{}_read_address", memory.name)).collect();
        Ports { inputs, outputs, addresses }
    }

    /// The inputs that a name follows.
    fn followed(&self, name: &str, statements: &[Statement]) -> BTreeSet<String> {
        let (_, names) = slice(statements, &[name.to_string()]);
        names.intersection(&self.inputs).cloned().collect()
    }
}

/// Outputs with an input that their block reads and they do not follow.
pub(super) fn races(blocks: &[Block], statements: &[Statement], ports: &Ports) -> Vec<(String, String)> {
    let of = |block: &Block| -> Vec<(String, String)> {
        let mut driven = Vec::new();
        block.statements.iter().for_each(|statement| targets(statement, &mut driven));
        let read: BTreeSet<String> = block.statements.iter().flat_map(Statement::names).collect();
        let outputs = driven.iter().filter(|name| ports.outputs.contains(*name));
        let pair = |output: &String| {
            let followed = ports.followed(output, statements);
            let other = read.iter().find(|name| ports.inputs.contains(*name) && !followed.contains(*name))?;
            Some((output.clone(), other.clone()))
        };
        outputs.filter_map(pair).collect()
    };
    blocks.iter().flat_map(of).collect()
}

/// Splits the combinational part of a cell.
pub(super) fn split(statements: &[Statement], ports: &Ports) -> Vec<Block> {
    let outputs = &ports.outputs;
    let mut driven = Vec::new();
    statements.iter().for_each(|statement| targets(statement, &mut driven));
    let seen = outputs.iter().chain(&ports.addresses);
    let all: Vec<String> = seen.filter(|name| driven.contains(name)).cloned().collect();
    let shown = slice(statements, &all).1;
    let key = |name: &String| shown.contains(name).then(|| ports.followed(name, statements));
    // Names by what they follow, in the order of the text.
    let mut groups: Vec<(Option<BTreeSet<String>>, BTreeSet<String>)> = Vec::new();
    for name in &driven {
        let key = key(name);
        match groups.iter_mut().find(|(found, _)| *found == key) {
            Some((_, names)) => names.extend([name.clone()]),
            None => groups.push((key, BTreeSet::from([name.clone()]))),
        }
    }
    together(&mut groups, statements);
    let block = |(at, (key, names)): (usize, (Option<BTreeSet<String>>, BTreeSet<String>))| Block {
        next: key.is_none(),
        title: match key {
            None => "Next values of the registers (_d).".into(),
            Some(_) => title(driven.iter().filter(|name| names.contains(*name)), outputs),
        },
        statements: kept(statements, &names).iter().map(|statement| own_variables(statement, at)).collect(),
    };
    groups.into_iter().enumerate().map(block).collect()
}

/// What a block computes: the outputs that it drives, or else its other values. Long lists are cut, so that the title is a line.
fn title<'a>(driven: impl Iterator<Item = &'a String>, outputs: &BTreeSet<String>) -> String {
    let (shown, inner): (Vec<&String>, Vec<&String>) = driven.partition(|name| outputs.contains(*name));
    let (verb, names) = if shown.is_empty() { ("Computes", inner) } else { ("Drives", shown) };
    let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    match names[..] {
        [.., last] if names.len() < 2 => format!("{verb} {last}."),
        [ref first @ .., last] if names.len() < 5 => format!("{verb} {} and {last}.", first.join(", ")),
        [one, two, three, ..] => format!("{verb} {one}, {two}, {three} and {} others.", names.len() - 3),
        [..] => "Drives nothing.".into(),
    }
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

/// Joins groups where one reads what another has not finished: only the last value of a name leaves its block.
fn together(groups: &mut Vec<(Option<BTreeSet<String>>, BTreeSet<String>)>, statements: &[Statement]) {
    let mut steps = Vec::new();
    statements.iter().for_each(|statement| flatten(statement, &BTreeSet::new(), false, &mut steps));
    let last: BTreeMap<&String, usize> = steps.iter().map(|step| (&step.target, step.place)).collect();
    for step in &steps {
        for name in step.reads.iter().filter(|name| last.get(name).is_some_and(|&end| step.place <= end)) {
            let of = |name: &String| groups.iter().position(|(_, names)| names.contains(name));
            let (Some(reader), Some(writer)) = (of(&step.target), of(name)) else { continue };
            if reader != writer {
                let (first, second) = (reader.min(writer), reader.max(writer));
                let (key, names) = groups.remove(second);
                groups[first].1.extend(names);
                groups[first].0 = match (groups[first].0.take(), key) {
                    (Some(one), Some(other)) => Some(one.into_iter().chain(other).collect()),
                    (one, other) => one.or(other),
                };
            }
        }
    }
}

/// An assignment: where in the order it stands, a loop being one place, and what it reads, the conditions around it included.
struct Step {
    place: usize,
    target: String,
    reads: BTreeSet<String>,
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
            steps.push(Step { place, target: name, reads });
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

fn names(expr: &Expr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    expr.visit(&mut |part| {
        if let Expr::Name(name) = part {
            found.insert(name.clone());
        }
    });
    found
}

/// Two blocks that run at one time have no variable of a loop in common.
fn own_variables(statement: &Statement, block: usize) -> Statement {
    let variables = super::loops::variables(std::slice::from_ref(statement));
    if block == 0 || variables.is_empty() {
        return statement.clone();
    }
    let own = |name: String| (name.clone(), format!("{name}{block}"));
    statement.renamed(&variables.into_iter().map(own).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::expr::Infix;

    fn assign(target: &str, reads: [&str; 2]) -> Statement {
        let value = Expr::infix(Expr::name(reads[0]), Infix::And, Expr::name(reads[1]));
        Statement::Assign(Expr::name(target), value)
    }

    fn ports() -> Ports {
        let set = |names: [&str; 2]| names.map(String::from).into();
        Ports {
            inputs: set(["start_i", "full_i"]),
            outputs: set(["ready_o", "begin_o"]),
            addresses: ["words_read_address".into()].into(),
        }
    }

    fn drives(blocks: &[Block]) -> Vec<Vec<String>> {
        let of = |block: &Block| {
            let mut names = Vec::new();
            block.statements.iter().for_each(|statement| targets(statement, &mut names));
            names
        };
        blocks.iter().map(of).collect()
    }

    #[test]
    fn an_output_stands_apart_from_inputs_that_it_does_not_follow() {
        let cell = [
            assign("can", ["full_i", "at_q"]),
            assign("begin_o", ["start_i", "can"]),
            assign("ready_o", ["can", "can"]),
            assign("at_d", ["start_i", "full_i"]),
        ];
        let blocks = split(&cell, &ports());
        assert_eq!(drives(&blocks), [vec!["can", "ready_o"], vec!["begin_o"], vec!["at_d"]]);
        let titles: Vec<&str> = blocks.iter().map(|block| block.title.as_str()).collect();
        let expected = ["Drives ready_o.", "Drives begin_o.", "Next values of the registers (_d)."];
        assert_eq!(titles, expected);
        assert!(races(&blocks, &cell, &ports()).is_empty());
        let one = [Block { title: String::new(), statements: cell.to_vec(), next: false }];
        assert_eq!(races(&one, &cell, &ports()), [("ready_o".to_string(), "start_i".to_string())]);
    }

    #[test]
    fn the_address_of_a_word_that_comes_at_once_is_a_wire() {
        let cell =
            [assign("words_read_address", ["full_i", "full_i"]), assign("at_d", ["words_q", "start_i"])];
        let blocks = split(&cell, &ports());
        assert_eq!(drives(&blocks), [vec!["words_read_address"], vec!["at_d"]]);
        assert_eq!(blocks[0].wires(), ["words_read_address"]);
    }

    #[test]
    fn what_is_read_before_it_is_finished_stays_in_one_block() {
        let cell = [
            assign("sum", ["full_i", "at_q"]),
            assign("ready_o", ["sum", "sum"]),
            assign("sum", ["sum", "start_i"]),
            assign("begin_o", ["sum", "sum"]),
        ];
        assert_eq!(drives(&split(&cell, &ports())), [vec!["sum", "ready_o", "begin_o"]]);
    }

    #[test]
    fn what_depends_on_no_order_is_a_continuous_assignment() {
        let parted = |statements: Vec<Statement>| {
            let block = Block { title: String::new(), statements, next: false };
            (block.wires(), block.parts().process.len())
        };
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let plain = vec![assign("can", ["full_i", "at_q"]), assign("ready_o", ["can", "can"])];
        assert_eq!(parted(plain.clone()), (names(&["can", "ready_o"]), 0));
        // A signal that is driven twice, and what reads it in between.
        let twice = vec![plain[0].clone(), plain[1].clone(), assign("can", ["start_i", "at_q"])];
        assert_eq!(parted(twice), (names(&[]), 3));
        // A signal that is read before it is driven.
        assert_eq!(parted(vec![plain[1].clone(), plain[0].clone()]), (names(&[]), 2));
        let test = Statement::If(Expr::name("start_i"), vec![assign("begin_o", ["can", "can"])], vec![]);
        let mixed = vec![plain[0].clone(), assign("begin_o", ["at_q", "at_q"]), test, plain[1].clone()];
        assert_eq!(parted(mixed), (names(&["can", "ready_o"]), 2));
    }
}
