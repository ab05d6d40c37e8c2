//! The constants of a cell that are not parameters.

use super::expr::Known;
use super::loops::Vectors;
use super::tree::{Net, Scope, constant_name};
use super::words::words;
use std::collections::BTreeSet;

/// A constant as the module declares it.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    /// `integer `, or its range.
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) value: String,
}

pub(super) struct Constants {
    all: Vec<Constant>,
    /// The values of those that no parameter changes and that are no indices.
    pub(super) known: Known,
    pub(super) vectors: Vectors,
}

impl Constants {
    pub(super) fn of(scope: &Scope) -> Constants {
        let mut constants = Constants { all: vec![], known: Known::new(), vectors: Vectors::new() };
        for net in scope.constants() {
            let value = number(net);
            match (net.name.split_once('$'), value) {
                (Some((vector, _)), Some(value)) => {
                    let place = constants.vectors.entry(constant_name(vector)).or_default();
                    place.push((value, net.value().to_string()));
                }
                (_, value) => {
                    if let Some(value) = value.filter(|_| !net.is_integer()) {
                        constants.known.insert(net.printed(), value);
                    }
                    constants.all.push(Constant::of(net));
                }
            }
        }
        constants
    }

    /// Those that are used, or that the values of used ones use.
    pub(super) fn needed(&self, used: &BTreeSet<String>) -> Vec<&Constant> {
        let mut names = used.clone();
        // A constant uses those before it.
        for constant in self.all.iter().rev() {
            if names.contains(&constant.name) {
                names.extend(words(&constant.value));
            }
        }
        self.all.iter().filter(|constant| names.contains(&constant.name)).collect()
    }
}

impl Constant {
    pub(super) fn of(net: &Net) -> Constant {
        let kind = if net.is_integer() { "integer ".into() } else { net.range() };
        Constant { kind, name: net.printed(), value: net.value().to_string() }
    }
}

/// The number that a constant is, whatever the parameters are.
fn number(net: &Net) -> Option<u64> {
    let text = net.value();
    let Some((_, digits)) = text.split_once('\'') else { return text.parse().ok() };
    let (base, digits) = digits.split_at_checked(1)?;
    let radix = match base {
        "b" => 2,
        "d" => 10,
        "h" => 16,
        _ => return None,
    };
    u64::from_str_radix(digits, radix).ok()
}
