//! Expressions as one would write them. Each rule keeps the value for every value of the operands; the proofs against
//! rust-hdl's own text hold them all to it.

use super::expr::{Expr, Infix, Known, Prefix};
use super::statement::Statement;

/// Every expression of a statement simplified.
pub(super) fn statement(found: &Statement, known: &Known) -> Statement {
    let all = |block: &[Statement]| block.iter().map(|found| statement(found, known)).collect();
    match found {
        Statement::Assign(target, value) => Statement::Assign(target.clone(), expr(value, known)),
        Statement::If(test, then, otherwise) => Statement::If(expr(test, known), all(then), all(otherwise)),
        Statement::For(variable, from, to, body) => Statement::For(variable.clone(), *from, *to, all(body)),
    }
}

fn expr(found: &Expr, known: &Known) -> Expr {
    match found {
        Expr::Name(_) | Expr::Literal(_) | Expr::Element(..) => found.clone(),
        Expr::Bit(word, at) => Expr::Bit(Box::new(expr(word, known)), at.clone()),
        Expr::Prefix(sign, operand) => prefix(*sign, expr(operand, known)),
        Expr::Infix(left, sign, right) => infix(expr(left, known), *sign, expr(right, known), known),
        Expr::Choice(..) | Expr::Call(..) => unreachable!("kernels have conditions"),
    }
}

fn prefix(sign: Prefix, operand: Expr) -> Expr {
    match (sign, operand) {
        (Prefix::Not, Expr::Prefix(Prefix::Not, inner)) => *inner,
        (Prefix::Not, Expr::Infix(left, compared, right)) if compared.opposite().is_some() => {
            Expr::Infix(left, compared.opposite().unwrap_or(compared), right)
        }
        (sign, operand) => Expr::Prefix(sign, Box::new(operand)),
    }
}

fn infix(left: Expr, sign: Infix, right: Expr, known: &Known) -> Expr {
    let number = |operand: &Expr| match operand {
        Expr::Name(name) => known.get(name).copied(),
        _ => None,
    };
    match (sign, number(&right)) {
        (Infix::Shl | Infix::Shr, Some(by)) => Expr::infix(left, sign, Expr::Literal(by.to_string())),
        (Infix::Add | Infix::Sub, Some(1)) => Expr::infix(left, sign, Expr::Literal("1'b1".into())),
        (Infix::Add, _) if left == right && matches!(left, Expr::Name(_)) => {
            Expr::infix(left, Infix::Shl, Expr::Literal("1".into()))
        }
        _ => Expr::infix(left, sign, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(left: &str, sign: Infix, right: &str) -> String {
        let known = Known::from([("ONE".to_string(), 1), ("TWO".to_string(), 2)]);
        expr(&Expr::infix(Expr::name(left), sign, Expr::name(right)), &known).to_string()
    }

    #[test]
    fn numbers_stand_where_one_would_write_them() {
        assert_eq!(simple("a", Infix::Shl, "TWO"), "a << 2");
        assert_eq!(simple("a", Infix::Add, "ONE"), "a + 1'b1");
        assert_eq!(simple("a", Infix::Add, "TWO"), "a + TWO");
        assert_eq!(simple("a", Infix::Or, "ONE"), "a | ONE", "as wide as the constant");
        assert_eq!(simple("a", Infix::Add, "a"), "a << 1");
    }

    #[test]
    fn a_negated_comparison_is_the_other_one() {
        let equal = Expr::infix(Expr::name("a"), Infix::Eq, Expr::name("b"));
        let not = Expr::Prefix(Prefix::Not, Box::new(equal));
        assert_eq!(expr(&not, &Known::new()).to_string(), "a != b");
    }
}
