//! The feedback function of a de Bruijn sequence as a minimal sum of products (Quine and McCluskey).

use frit_schedule::de_bruijn::DeBruijn;
use quine_mccluskey::{Solution, minimize_minterms};

/// The largest order for which a minimal form is computed; the time doubles and more with each.
pub const MAX_ORDER: u32 = frit_schedule::obf::FEEDBACK_MAX_ORDER;

/// The product terms of the function that, XORed with a_1, gives the next bit: (mask, value) over a_2 … a_l, in a
/// canonical order. `None` above [`MAX_ORDER`].
pub fn feedback_terms(sequence: &DeBruijn) -> Option<Vec<(u64, u64)>> {
    let order = sequence.order();
    if order > MAX_ORDER {
        return None;
    }
    let (feedback, inputs) = (sequence.feedback(), order - 1);
    // Both states with these low bits agree, whatever a_1 is: take the one with a_1 = 0.
    let minterms: Vec<u32> = (0..1 << inputs).filter(|state| feedback.get(*state as usize)).collect();
    if minterms.len() == 1 << inputs {
        return Some(vec![(0, 0)]);
    }
    let names: Vec<String> = (0..inputs).rev().map(|bit| format!("x{bit}")).collect();
    let solutions = minimize_minterms(&names, &minterms, &[], false, None).ok()?;
    solutions.iter().map(terms).min()
}

fn terms(solution: &Solution) -> Vec<(u64, u64)> {
    let products = match solution {
        Solution::SOP(products) => products.as_slice(),
        Solution::One => return vec![(0, 0)],
        _ => &[],
    };
    let mut terms: Vec<(u64, u64)> = products
        .iter()
        .map(|product| {
            product.iter().fold((0, 0), |(mask, value), variable| {
                let bit: u64 = variable.name.trim_start_matches('x').parse().map_or(0, |bit: u32| 1 << bit);
                (mask | bit, if variable.is_negated { value } else { value | bit })
            })
        })
        .collect();
    terms.sort_unstable();
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_are_the_function() {
        for order in 1..=MAX_ORDER {
            for sequence in [
                DeBruijn::prefer_one(order).unwrap(),
                DeBruijn::prefer_same(order).unwrap(),
                DeBruijn::granddaddy(order).unwrap(),
            ] {
                let terms = feedback_terms(&sequence).unwrap();
                assert_eq!(feedback_terms(&sequence).unwrap(), terms, "the same every time");
                let feedback = sequence.feedback();
                for state in 0..1u64 << order {
                    let flip = terms.iter().any(|(mask, value)| state & mask == *value);
                    let next = (state >> (order - 1) & 1 == 1) != flip;
                    assert_eq!(feedback.get(state as usize), next, "order {order}, state {state:b}");
                }
            }
        }
    }
}
