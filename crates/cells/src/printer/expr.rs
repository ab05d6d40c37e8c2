//! Expressions of a cell's Verilog, as a tree. Parentheses are no part of it: its text has those that the operators need,
//! and those that keep a reader from looking up which binds tighter.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Constants and their values.
pub type Known = BTreeMap<String, u64>;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    Not,
    /// `&`: whether all bits are 1.
    All,
    /// `|`: whether any bit is 1.
    Any,
    /// `^`: whether an odd number of bits is 1.
    Odd,
}

impl Prefix {
    fn sign(self) -> &'static str {
        match self {
            Prefix::Not => "~",
            Prefix::All => "&",
            Prefix::Any => "|",
            Prefix::Odd => "^",
        }
    }
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Verilog's own
pub enum Infix {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Infix {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Infix::Add => "+",
            Infix::Sub => "-",
            Infix::And => "&",
            Infix::Or => "|",
            Infix::Xor => "^",
            Infix::Shl => "<<",
            Infix::Shr => ">>",
            Infix::Eq => "==",
            Infix::Ne => "!=",
            Infix::Lt => "<",
            Infix::Le => "<=",
            Infix::Gt => ">",
            Infix::Ge => ">=",
        }
    }

    /// Whether a chain of it needs no parentheses.
    pub(super) fn chains(self) -> bool {
        matches!(self, Infix::Add | Infix::And | Infix::Or | Infix::Xor)
    }

    /// The comparison that holds where this one does not.
    pub(super) fn opposite(self) -> Option<Infix> {
        match self {
            Infix::Eq => Some(Infix::Ne),
            Infix::Ne => Some(Infix::Eq),
            Infix::Lt => Some(Infix::Ge),
            Infix::Ge => Some(Infix::Lt),
            Infix::Gt => Some(Infix::Le),
            Infix::Le => Some(Infix::Gt),
            _ => None,
        }
    }
}

/// Which element of a vector of signals or constants: a number, or a loop's variable and what is added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub variable: Option<String>,
    /// What is added to it, or the number itself.
    pub plus: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A signal, constant, parameter or loop's variable.
    Name(String),
    Literal(String),
    /// An element of a vector. The printed text has none: `super::loops` makes a name of each.
    Element(String, Place),
    Bit(Box<Expr>, Box<Expr>),
    /// An operator with one operand.
    Prefix(Prefix, Box<Expr>),
    /// An operator with two operands.
    Infix(Box<Expr>, Infix, Box<Expr>),
    /// The second where the first, one bit, is 1, or else the third. Kernels have conditions instead.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function of the module and its arguments. Kernels have none.
    Call(String, Vec<Expr>),
}

impl Expr {
    pub fn name(text: impl Into<String>) -> Expr {
        Expr::Name(text.into())
    }

    /// Two operands.
    pub fn infix(left: Expr, sign: Infix, right: Expr) -> Expr {
        Expr::Infix(Box::new(left), sign, Box::new(right))
    }

    /// The expression made anew from its leaves: `leaf` says what becomes of one, `None` leaves it.
    pub fn map(&self, leaf: &impl Fn(&Expr) -> Option<Expr>) -> Expr {
        if let Some(other) = leaf(self) {
            return other;
        }
        match self {
            Expr::Name(_) | Expr::Literal(_) | Expr::Element(..) => self.clone(),
            Expr::Bit(word, at) => Expr::Bit(Box::new(word.map(leaf)), Box::new(at.map(leaf))),
            Expr::Prefix(sign, operand) => Expr::Prefix(*sign, Box::new(operand.map(leaf))),
            Expr::Infix(left, sign, right) => Expr::infix(left.map(leaf), *sign, right.map(leaf)),
            Expr::Choice(test, then, otherwise) => {
                let [test, then, otherwise] = [test, then, otherwise].map(|part| Box::new(part.map(leaf)));
                Expr::Choice(test, then, otherwise)
            }
            Expr::Call(function, arguments) => {
                Expr::Call(function.clone(), arguments.iter().map(|argument| argument.map(leaf)).collect())
            }
        }
    }

    /// Hands every part to `see`, each before its own parts.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        see(self);
        match self {
            Expr::Name(_) | Expr::Literal(_) | Expr::Element(..) => {}
            Expr::Prefix(_, operand) => operand.visit(see),
            Expr::Bit(left, right) | Expr::Infix(left, _, right) => {
                left.visit(see);
                right.visit(see);
            }
            Expr::Choice(test, then, otherwise) => {
                [test, then, otherwise].into_iter().for_each(|part| part.visit(see));
            }
            Expr::Call(_, arguments) => arguments.iter().for_each(|argument| argument.visit(see)),
        }
    }

    /// With other names.
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> Expr {
        self.map(&|part| match part {
            Expr::Name(name) => names.get(name).map(Expr::name),
            _ => None,
        })
    }

    /// The operands of a chain of one operator, from left to right; the expression alone if it is none.
    pub(super) fn chain(&self) -> (Option<Infix>, Vec<&Expr>) {
        let Expr::Infix(_, sign, _) = self else { return (None, vec![self]) };
        let mut operands = Vec::new();
        fn collect<'a>(expr: &'a Expr, sign: Infix, operands: &mut Vec<&'a Expr>) {
            match expr {
                Expr::Infix(left, other, right) if *other == sign && sign.chains() => {
                    collect(left, sign, operands);
                    collect(right, sign, operands);
                }
                _ => operands.push(expr),
            }
        }
        match sign.chains() {
            true => collect(self, *sign, &mut operands),
            false => operands.push(self),
        }
        (sign.chains().then_some(*sign), operands)
    }

    /// As an operand: in parentheses if it has an operator that could be read as another's.
    pub(super) fn operand(&self) -> String {
        match self {
            Expr::Infix(..) | Expr::Choice(..) => format!("({self})"),
            Expr::Prefix(sign, _) if *sign != Prefix::Not => format!("({self})"),
            _ => self.to_string(),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Name(text) | Expr::Literal(text) => f.write_str(text),
            Expr::Element(vector, place) => unreachable!("element {place:?} of {vector} was not resolved"),
            Expr::Bit(word, at) => write!(f, "{word}[{at}]"),
            Expr::Prefix(sign, operand) => write!(f, "{}{}", sign.sign(), operand.operand()),
            Expr::Infix(left, sign, right) => match self.chain() {
                (Some(sign), operands) => {
                    let texts: Vec<String> = operands.iter().map(|operand| operand.operand()).collect();
                    f.write_str(&texts.join(&format!(" {} ", sign.sign())))
                }
                (None, _) => write!(f, "{} {} {}", left.operand(), sign.sign(), right.operand()),
            },
            Expr::Choice(test, then, otherwise) => {
                write!(f, "{} ? {} : {}", test.operand(), then.operand(), otherwise.operand())
            }
            Expr::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Expr::to_string).collect();
                write!(f, "{function}({})", arguments.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Expr {
        Expr::name(text)
    }

    #[test]
    fn parentheses_are_those_that_the_tree_needs() {
        let sum = Expr::infix(Expr::infix(name("a"), Infix::Add, name("b")), Infix::Add, name("c"));
        assert_eq!(sum.to_string(), "a + b + c");
        let difference = Expr::infix(name("a"), Infix::Sub, Expr::infix(name("b"), Infix::Sub, name("c")));
        assert_eq!(difference.to_string(), "a - (b - c)");
        let mixed = Expr::infix(name("a"), Infix::Or, Expr::infix(name("b"), Infix::And, name("c")));
        assert_eq!(mixed.to_string(), "a | (b & c)");
        let compared = Expr::infix(Expr::infix(name("a"), Infix::And, name("b")), Infix::Eq, name("c"));
        assert_eq!(compared.to_string(), "(a & b) == c");
        let any = Expr::Prefix(Prefix::Any, Box::new(name("b")));
        assert_eq!(Expr::infix(name("a"), Infix::And, any).to_string(), "a & (|b)");
        let not = Expr::Prefix(Prefix::Not, Box::new(mixed));
        assert_eq!(not.to_string(), "~(a | (b & c))");
    }
}
