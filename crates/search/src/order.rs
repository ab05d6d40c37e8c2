//! The questions about exchanges of so many rounds, in the order in which they are asked.

use crate::question::Question;
use crate::shifts::{Shift, shifts};
use frit_network::Network;

/// Kinds of orbits that are tried with each shift.
const ORBITS: usize = 4;
/// Numbers of fewer rounds for which shifts are tried, too.
const FEWER: u32 = 4;

/// The questions about exchanges of `rounds` rounds, in the order in which they are asked; the last is about any. No exchange has
/// fewer than `least`.
pub fn questions(network: &Network, rounds: u32, least: u32) -> Vec<Question> {
    let mut questions = Vec::new();
    let shifts = shifts(network);
    let least = least.max(1);
    let nearest = rounds.saturating_sub(FEWER).max(least)..rounds;
    let fewest = (least..nearest.start).take(1);
    let numbers: Vec<u32> = [rounds].into_iter().chain(nearest.rev()).chain(fewest).collect();
    for shift in shifts.iter().filter(|shift| shift.order() > 1) {
        let kinds = numbers.iter().flat_map(|&rounds| orbits(rounds, shift.order()));
        questions.extend(kinds.map(|orbits| Question { shift: shift.clone(), orbits }));
    }
    let still: Shift = shifts.into_iter().next_back().expect("the one that moves nothing");
    questions.push(Question::whole(still, rounds));
    questions
}

/// The ways to make `rounds` of divisors of `order`, those of the fewest parts first.
fn orbits(rounds: u32, order: u32) -> Vec<Vec<u32>> {
    fn of(left: u32, parts: u32, divisors: &[u32], taken: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        if parts == 0 {
            all.extend((left == 0).then(|| taken.clone()));
            return;
        }
        for (at, &divisor) in divisors.iter().enumerate() {
            // The others are no longer than this one, and no shorter than 1.
            if all.len() < ORBITS && divisor * parts >= left && left >= divisor + parts - 1 {
                taken.push(divisor);
                of(left - divisor, parts - 1, &divisors[at..], taken, all);
                taken.pop();
            }
        }
    }
    let divisors: Vec<u32> = (1..=order).rev().filter(|divisor| order.is_multiple_of(*divisor)).collect();
    let fewest = rounds.div_ceil(order);
    let mut all = Vec::new();
    for parts in fewest..=fewest + 2 {
        of(rounds, parts, &divisors, &mut Vec::new(), &mut all);
    }
    // A kind whose longest orbit is shorter than the shift allows is one of a longer shift.
    all.retain(|orbits| orbits[0] == order);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_made_of_orbits_that_divide_the_order() {
        assert_eq!(orbits(24, 20), [vec![20, 4], vec![20, 2, 2], vec![20, 2, 1, 1]]);
        assert_eq!(orbits(36, 36)[0], [36]);
        assert_eq!(orbits(7, 2)[0], [2, 2, 2, 1]);
        for orbits in orbits(112, 92) {
            assert_eq!(orbits.iter().sum::<u32>(), 112, "{orbits:?}");
        }
    }
}
