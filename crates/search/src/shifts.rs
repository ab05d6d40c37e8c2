//! Shifts of a network: symmetries that send every input to the one so many further.

use crate::Places;
use frit_network::Network;

/// A symmetry that sends input s to (s + by) mod N, with what it does to every other place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// How far inputs are shifted, a divisor of N; N itself is the symmetry that moves nothing.
    pub by: u32,
    /// `places[k][x]`: the place of column k (0: the inputs, k + 1: the outputs of stage k) that place `x` of it is sent to.
    pub places: Vec<Vec<u32>>,
}

impl Shift {
    /// Images of a round under it, that is: how often it must be done until nothing has moved.
    pub fn order(&self) -> u32 {
        self.places[0].len() as u32 / self.by
    }

    /// The shift by `by`, if it sends each switch's outputs to those of the same name of another.
    fn of(network: &Places, by: u32) -> Option<Shift> {
        let lanes = network.lanes();
        let mut places = vec![(0..lanes).map(|source| (source + by) % lanes).collect::<Vec<u32>>()];
        for stage in 0..network.stages() {
            let mut behind = vec![None; lanes as usize];
            for x in 0..lanes {
                let images = network.next(stage, places[stage][x as usize]);
                for (y, image) in network.next(stage, x).into_iter().zip(images) {
                    // Both inputs of a switch lead to its outputs, and must say the same of them.
                    if *behind[y as usize].get_or_insert(image) != image {
                        return None;
                    }
                }
            }
            places.push(behind.into_iter().flatten().collect());
        }
        let shift = Shift { by, places };
        // Done so often it moves nothing at the inputs; it must not elsewhere either.
        shift.power(shift.order()).iter().all(|row| row.iter().copied().eq(0..lanes)).then_some(shift)
    }

    /// The places after it was done `times` times.
    pub fn power(&self, times: u32) -> Vec<Vec<u32>> {
        let row = |row: &Vec<u32>| {
            let mut power: Vec<u32> = (0..row.len() as u32).collect();
            for _ in 0..times {
                power.iter_mut().for_each(|place| *place = row[*place as usize]);
            }
            power
        };
        self.places.iter().map(row).collect()
    }
}

/// The shifts of a network by a divisor of N, the shortest first, at last the one by N, that moves nothing. On a shuffle-exchange
/// network a shift by t sends position x behind stage k to x + 2^k t: a symmetry for every t.
pub fn shifts(network: &Network) -> Vec<Shift> {
    let places = Places::of(network);
    let divisors = (1..=places.lanes()).filter(|by| places.lanes().is_multiple_of(*by));
    divisors.filter_map(|by| Shift::of(&places, by)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::{butterfly, shuffle_exchange};

    fn by(network: &Network) -> Vec<u32> {
        shifts(network).iter().map(|shift| shift.by).collect()
    }

    #[test]
    fn a_shuffle_exchange_network_has_all_shifts_and_a_butterfly_has_few() {
        assert_eq!(by(&shuffle_exchange(12).unwrap()), [1, 2, 3, 4, 6, 12]);
        assert_eq!(by(&shuffle_exchange(8).unwrap()), [1, 2, 4, 8]);
        assert_eq!(by(&butterfly(8).unwrap()), [2, 4, 8]);
        // Wires exchanged in front of the first stage end every symmetry but the one that moves nothing.
        let whole = shuffle_exchange(10).unwrap();
        let mut links = whole.links().to_vec();
        links[0].swap(0, 3);
        assert_eq!(by(&Network::new("crossed", 10, links).unwrap()), [10]);
    }

    #[test]
    fn places_move_as_the_formula_says() {
        let network = shuffle_exchange(20).unwrap();
        for shift in shifts(&network) {
            for (k, row) in shift.places.iter().enumerate() {
                assert!((0..20).all(|x| row[x as usize] == (x + (1 << k) * shift.by) % 20), "{}", shift.by);
            }
            assert_eq!(shift.order() * shift.by, 20);
        }
    }
}
