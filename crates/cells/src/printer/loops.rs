//! The loops of a kernel: kept as loops over plain variables where that is the same, unrolled where it is not.
//!
//! A kernel gives every pass of a loop elements of its own: `port[j+1]` from `port[j]`. Where nothing outside looks at
//! the elements between, one variable is enough: `port`, which every pass takes and leaves.

use super::expr::{Expr, Infix, Place};
use super::statement::Statement;
use std::collections::{BTreeMap, BTreeSet};

/// The values of a vector of constants.
pub(super) type Vectors = BTreeMap<String, Vec<(u64, String)>>;

/// Every loop unrolled; elements have the names `port_0`, `port_1`.
pub(super) fn unrolled(block: &[Statement], constants: &Vectors) -> Vec<Statement> {
    let named = |part: &Expr| match part {
        Expr::Element(vector, Place { variable: None, plus }) => Some(match constants.get(vector) {
            Some(values) => Expr::Literal(values[*plus as usize].1.clone()),
            None => Expr::Name(format!("{vector}_{plus}")),
        }),
        _ => None,
    };
    flat(block, &|_| true).iter().map(|statement| statement.map(&named)).collect()
}

/// Loops kept where they can be, and the vectors that have become one variable. Its other elements have names.
pub(super) fn folded(block: &[Statement], constants: &Vectors) -> (Vec<Statement>, BTreeSet<String>) {
    // A loop of one pass is how a kernel names the last element.
    let block = flat(block, &|passes| passes < 2);
    let mut scalars: BTreeSet<String> = BTreeSet::new();
    let mut kept: Vec<Statement> = Vec::new();
    for (at, statement) in block.iter().enumerate() {
        let unroll = || flat(std::slice::from_ref(statement), &|_| true);
        let Statement::For(variable, from, to, body) = statement else {
            kept.extend(unroll());
            continue;
        };
        let around = Around { before: &block[..at], after: &block[at + 1..], from: *from, to: *to };
        let vectors = indexed(body, variable);
        let foldable = |vector: &String| match constants.get(vector) {
            Some(values) => term(values).is_some() && only_shifts(body, vector),
            None => around.one_variable_is_enough(body, vector),
        };
        if only_by(body, variable) && vectors.iter().all(foldable) {
            scalars.extend(vectors.into_iter().filter(|vector| !constants.contains_key(vector)));
            kept.push(statement.clone());
        } else {
            kept.extend(unroll());
        }
    }
    let plain = |part: &Expr| {
        let Expr::Element(vector, place) = part else { return None };
        Some(match (constants.get(vector), &place.variable) {
            _ if scalars.contains(vector) => Expr::name(vector),
            (Some(values), Some(variable)) => term(values).map(|term| term.of(variable))?,
            (Some(values), None) => Expr::Literal(values[place.plus as usize].1.clone()),
            (None, _) => Expr::Name(format!("{vector}_{}", place.plus)),
        })
    };
    let kept = kept.iter().map(|statement| tidy(&statement.map(&plain))).collect();
    (kept, scalars)
}

/// Variables of loops, without the underscore of one that is not used.
fn tidy(statement: &Statement) -> Statement {
    match statement {
        Statement::For(variable, from, to, body) => {
            let name = variable.trim_start_matches('_').to_string();
            Statement::For(name, *from, *to, body.iter().map(tidy).collect())
        }
        other => other.clone(),
    }
}

/// The variables of the loops in a block.
pub(super) fn variables(block: &[Statement]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in block {
        match statement {
            Statement::Assign(..) => {}
            Statement::If(_, then, otherwise) => {
                found.extend(variables(then));
                found.extend(variables(otherwise));
            }
            Statement::For(variable, _, _, body) => {
                found.insert(variable.clone());
                found.extend(variables(body));
            }
        }
    }
    found
}

/// The block with those loops unrolled of whose number of passes `which` says so.
fn flat(block: &[Statement], which: &impl Fn(u64) -> bool) -> Vec<Statement> {
    let mut all = Vec::new();
    for statement in block {
        match statement {
            Statement::Assign(..) => all.push(statement.clone()),
            Statement::If(test, then, otherwise) => {
                all.push(Statement::If(test.clone(), flat(then, which), flat(otherwise, which)));
            }
            Statement::For(variable, from, to, body) if which(to - from) => {
                for pass in *from..*to {
                    let body: Vec<Statement> =
                        body.iter().map(|statement| in_pass(statement, variable, pass)).collect();
                    all.extend(flat(&body, which));
                }
            }
            Statement::For(variable, from, to, body) => {
                all.push(Statement::For(variable.clone(), *from, *to, flat(body, which)));
            }
        }
    }
    all
}

fn in_pass(statement: &Statement, variable: &str, pass: u64) -> Statement {
    statement.map(&|part| match part {
        Expr::Name(name) if name == variable => Some(Expr::Literal(pass.to_string())),
        Expr::Element(vector, place) if place.variable.as_deref() == Some(variable) => {
            Some(Expr::Element(vector.clone(), Place { variable: None, plus: place.plus + pass }))
        }
        _ => None,
    })
}

/// The vectors of which a loop uses the elements that its variable names.
fn indexed(body: &[Statement], variable: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in body {
        statement.visit(&mut |part, _| {
            if let Expr::Element(vector, place) = part
                && place.variable.as_deref() == Some(variable)
            {
                found.insert(vector.clone());
            }
        });
    }
    found
}

/// Whether no element in a loop is named by another loop's variable.
fn only_by(body: &[Statement], variable: &str) -> bool {
    let mut only = true;
    for statement in body {
        statement.visit(&mut |part, _| {
            if let Expr::Element(_, Place { variable: Some(other), .. }) = part {
                only &= other == variable;
            }
        });
    }
    only
}

/// The uses of a vector in a block, in the order of execution, what an inner loop uses twice: (place, whether it is
/// driven).
fn uses(block: &[Statement], vector: &str) -> Vec<(Place, bool)> {
    let mut found = Vec::new();
    for statement in block {
        let passes = if matches!(statement, Statement::For(..)) { 2 } else { 1 };
        for _ in 0..passes {
            statement.visit(&mut |part, driven| {
                if let Expr::Element(name, place) = part
                    && name == vector
                {
                    found.push((place.clone(), driven));
                }
            });
        }
    }
    found
}

/// What stands around a loop.
struct Around<'a> {
    before: &'a [Statement],
    after: &'a [Statement],
    from: u64,
    to: u64,
}

impl Around<'_> {
    /// Whether all elements of a vector can be one variable: each pass drives the element of the next, or its own, before
    /// it reads it, reads that of the last pass only before that, and outside only the first is driven before and the last
    /// read afterwards.
    fn one_variable_is_enough(&self, body: &[Statement], vector: &str) -> bool {
        let inside = uses(body, vector);
        let carried = inside.iter().any(|(place, _)| place.plus == 1);
        let mut driven = false;
        for (place, drives) in &inside {
            let fits = match (place.variable.is_some(), place.plus, drives) {
                (true, 1, true) => true,
                (true, 1, false) => driven,
                (true, 0, true) => !carried,
                (true, 0, false) => driven != carried,
                _ => false,
            };
            if !fits {
                return false;
            }
            driven |= drives;
        }
        let outside = |block: &[Statement], allowed: u64, drives: bool| {
            uses(block, vector).iter().all(|(place, driven)| {
                carried && place.variable.is_none() && place.plus == allowed && (*driven == drives)
            })
        };
        outside(self.before, self.from, true) && outside(self.after, self.to, false)
    }
}

/// How the values of a vector of constants follow from their place.
enum Term {
    /// Up by one from a first value.
    Up(u64),
    /// Down by one from a first value.
    Down(u64),
    Powers,
}

fn term(values: &[(u64, String)]) -> Option<Term> {
    let first = values.first()?.0;
    let all = |next: &dyn Fn(u64) -> Option<u64>| {
        values.iter().enumerate().all(|(at, (value, _))| next(at as u64) == Some(*value))
    };
    if all(&|at| first.checked_add(at)) {
        Some(Term::Up(first))
    } else if all(&|at| first.checked_sub(at)) {
        Some(Term::Down(first))
    } else if all(&|at| 1u64.checked_shl(at as u32)) {
        Some(Term::Powers)
    } else {
        None
    }
}

impl Term {
    fn of(&self, variable: &str) -> Expr {
        let number = |value: u64| Expr::Literal(value.to_string());
        let place = Expr::name(variable);
        match self {
            Term::Up(0) => place,
            Term::Up(first) => Expr::infix(place, Infix::Add, number(*first)),
            Term::Down(first) => Expr::infix(number(*first), Infix::Sub, place),
            Term::Powers => Expr::infix(number(1), Infix::Shl, place),
        }
    }
}

/// Whether a vector only says how far something is shifted: there a plain number can stand.
fn only_shifts(body: &[Statement], vector: &str) -> bool {
    let mut shifts = 0;
    for statement in body {
        statement.visit(&mut |part, _| {
            if let Expr::Infix(_, Infix::Shl | Infix::Shr, by) = part
                && matches!(&**by, Expr::Element(name, _) if name == vector)
            {
                shifts += 1;
            }
        });
    }
    let mut all = 0;
    for statement in body {
        statement.visit(&mut |part, _| {
            all += usize::from(matches!(part, Expr::Element(name, _) if name == vector))
        });
    }
    shifts == all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(vector: &str, variable: Option<&str>, plus: u64) -> Expr {
        Expr::Element(vector.into(), Place { variable: variable.map(String::from), plus })
    }

    fn text(block: &[Statement]) -> String {
        block.iter().flat_map(|statement| statement.lines(0)).collect::<Vec<_>>().join("\n")
    }

    /// `x[0] = a; for j in 0..3 { x[j+1] = x[j] ^ b } o = x[read]`.
    fn running(read: u64) -> Vec<Statement> {
        let step = Expr::infix(element("x", Some("j"), 0), Infix::Xor, Expr::name("b"));
        vec![
            Statement::Assign(element("x", None, 0), Expr::name("a")),
            Statement::For("j".into(), 0, 3, vec![Statement::Assign(element("x", Some("j"), 1), step)]),
            Statement::Assign(Expr::name("o"), element("x", None, read)),
        ]
    }

    #[test]
    fn elements_that_only_pass_on_become_one_variable() {
        let (kept, scalars) = folded(&running(3), &Vectors::new());
        assert_eq!(text(&kept), "x = a;\nfor (j = 0; j < 3; j = j + 1) begin\n  x = x ^ b;\nend\no = x;");
        assert_eq!(scalars, BTreeSet::from(["x".to_string()]));
    }

    #[test]
    fn an_element_that_is_read_later_keeps_the_loop_unrolled() {
        let (kept, scalars) = folded(&running(1), &Vectors::new());
        assert!(scalars.is_empty());
        assert_eq!(text(&kept), "x_0 = a;\nx_1 = x_0 ^ b;\nx_2 = x_1 ^ b;\nx_3 = x_2 ^ b;\no = x_1;");
    }

    #[test]
    fn an_element_of_the_last_pass_cannot_be_read_behind_its_successor() {
        let mut block = running(3);
        let Statement::For(_, _, _, body) = &mut block[1] else { panic!("a loop") };
        body.push(Statement::Assign(Expr::name("late"), element("x", Some("j"), 0)));
        assert!(folded(&block, &Vectors::new()).1.is_empty());
    }

    #[test]
    fn constants_that_follow_from_their_place_are_computed() {
        let by = element("BY", Some("k"), 0);
        let body = vec![Statement::Assign(Expr::name("o"), Expr::infix(Expr::name("a"), Infix::Shr, by))];
        let block = vec![Statement::For("k".into(), 0, 3, body)];
        let values = |numbers: [u64; 3]| {
            let value = |number: u64| (number, format!("4'd{number}"));
            Vectors::from([("BY".to_string(), numbers.map(value).to_vec())])
        };
        let kept = |numbers| text(&folded(&block, &values(numbers)).0);
        assert!(kept([1, 2, 4]).contains("a >> (1 << k)"));
        assert!(kept([1, 2, 3]).contains("a >> (k + 1)"));
        assert!(kept([3, 2, 1]).contains("a >> (3 - k)"));
        assert!(kept([1, 2, 5]).contains("a >> 4'd5"), "unrolled");
    }
}
