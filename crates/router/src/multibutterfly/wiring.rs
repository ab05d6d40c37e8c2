//! The wires of a multibutterfly from a seed.

use frit_network::MultiButterfly;
use frit_network::multibutterfly::{Shape, SplitterSide};
use frit_traffic::random::{SplitMix64, stream};

/// The stream of a side is this plus its number: 2 (2^c + j) + side.
const TAG: u64 = 0x10000;

/// Draws for one input, above which its permutation is drawn anew.
const TRIES: u32 = 1000;

/// A multibutterfly whose splitters are d permutations each, drawn so that no input has two ports to one output; small
/// splitters, with at most d outputs on a side, are complete: port k of input i leads to output (i + k) mod m.
pub fn random(shape: Shape, seed: u64) -> MultiButterfly {
    let wire = |side: SplitterSide| match shape.outputs(side.column) <= shape.degree() {
        true => shape.cyclic(side.column),
        false => splitter_side(shape, side, seed),
    };
    MultiButterfly::wired(shape, wire).expect("permutations wire every input and every output alike")
}

/// The outputs of a large splitter's side, input by input.
fn splitter_side(shape: Shape, side: SplitterSide, seed: u64) -> Vec<u32> {
    let (inputs, degree) = (shape.inputs(side.column), shape.degree() as usize);
    let number = u64::from(2 * ((1 << side.column) + side.number) + side.side);
    let mut draw = stream(seed, TAG + number);
    let mut outputs = vec![u32::MAX; inputs as usize * degree];
    for port in 0..degree {
        let wired = loop {
            if let Some(wired) = permutation(&mut draw, &outputs, inputs, degree, port) {
                break wired;
            }
        };
        wired.iter().enumerate().for_each(|(input, place)| outputs[input * degree + port] = place >> 1);
    }
    outputs
}

/// A permutation of the inputs such that its halves are outputs which are new for every input, whose first `port` ports are
/// wired; none if too many draws did not give one.
fn permutation(
    draw: &mut SplitMix64,
    outputs: &[u32],
    inputs: u32,
    degree: usize,
    port: usize,
) -> Option<Vec<u32>> {
    let mut places = draw.permutation(inputs);
    let has = |input: usize, place: u32| outputs[input * degree..][..port].contains(&(place >> 1));
    for input in 0..inputs as usize {
        let mut tries = 0;
        while has(input, places[input]) {
            if tries == TRIES {
                return None;
            }
            tries += 1;
            let other = draw.below(inputs) as usize;
            if other != input && !has(input, places[other]) && !has(other, places[input]) {
                places.swap(input, other);
            }
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::RowIdx;
    use frit_network::multibutterfly::Node;

    /// The first inputs of a splitter of 16 inputs and 4 ports, of the references.
    #[test]
    fn the_wires_of_the_references() {
        let network = random(Shape::new(16, 4).unwrap(), 1);
        let ends = |row| network.ends(Node { column: 0, row: RowIdx(row) }, 0);
        assert_eq!([0, 1, 2, 3].map(ends), [[0, 7, 5, 3], [6, 0, 1, 5], [7, 1, 5, 3], [7, 5, 6, 0]]);
    }

    #[test]
    fn small_splitters_are_complete() {
        let network = random(Shape::new(16, 4).unwrap(), 1);
        for column in 1..4 {
            for row in 0..16 {
                let mut ends = network.ends(Node { column, row: RowIdx(row) }, 1).to_vec();
                ends.sort_unstable();
                let side = SplitterSide { column, number: row >> (4 - column), side: 1 };
                assert_eq!(ends, network.shape().output_rows(side).collect::<Vec<_>>());
            }
        }
    }

    /// Dense splitters, where draws collide most, are still simple and regular: [`MultiButterfly::wired`] checks it.
    #[test]
    fn any_degree_below_the_outputs_is_drawn() {
        for degree in 1..8 {
            for seed in 0..4 {
                assert_ne!(
                    random(Shape::new(16, degree).unwrap(), seed),
                    random(Shape::new(16, degree).unwrap(), 9)
                );
            }
        }
    }
}
