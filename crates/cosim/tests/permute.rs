//! `D_permute` under rust-hdl lets each beat leave in the cycle and with the words that the model says.

use frit_cells::design::permute::build;
use frit_cells::design::pinout::Pinout;
use frit_device::permute::STREAMED;
use frit_model::permute::run;
use frit_network::options::Request;
use frit_permute::gf2::Matrix;
use frit_permute::{Form, Streamed, streamed, with_matrix, with_permutation};
use frit_traffic::random::SplitMix64;
use frit_trial::permute as permuting;

fn planned(system: &str, lanes: u64, options: &[(&str, &str)]) -> Streamed {
    let request = Request::new(system, lanes);
    let request = options.iter().fold(request, |request, (key, value)| request.with(key, value));
    streamed(&request).unwrap()
}

/// The first difference between rust-hdl and the model, with the hardware of another plan if there is a fault.
fn difference(plan: &Streamed, width: u32, fault: Option<&str>) -> Option<String> {
    let mut built = plan.clone();
    fault.into_iter().for_each(|fault| STREAMED.plant(&mut built, fault).unwrap());
    let outcome = permuting::run(plan, width, &build(&built, width).unwrap(), Pinout::OWN).unwrap();
    let expected = run(plan, width);
    let at =
        (0..expected.len().max(outcome.beats.len())).find(|&at| outcome.beats.get(at) != expected.get(at));
    let beat =
        at.map(|at| format!("beat {at}: {:?}, expected {:?}", outcome.beats.get(at), expected.get(at)));
    beat.or(outcome.complaint)
}

fn agrees(plan: &Streamed, width: u32) {
    assert_eq!(difference(plan, width, None), None, "{}", plan.name());
}

#[test]
fn linear_orders() {
    for (lanes, rows, columns) in [(2, 4, 4), (4, 4, 8), (8, 8, 8), (4, 8, 2), (8, 2, 16), (2, 2, 32)] {
        let options = [("rows", rows.to_string()), ("cols", columns.to_string())];
        for more in [
            [("banks", "1"), ("pages", "auto")],
            [("banks", "1"), ("pages", "2")],
            [("banks", "2"), ("pages", "auto")],
        ] {
            let mut all: Vec<(&str, &str)> = options.iter().map(|(k, v)| (*k, v.as_str())).collect();
            all.extend(more);
            agrees(&planned("transpose", lanes, &all), 9);
        }
    }
    agrees(&planned("permute", 4, &[("words", "64")]), 5);
    agrees(&planned("permute", 8, &[("kind", "stride"), ("words", "128"), ("stride", "4")]), 33);
}

#[test]
fn skewed_storage() {
    for (lanes, rows, columns) in [
        (2, 6, 6),
        (2, 2, 6),
        (2, 6, 2),
        (4, 12, 12),
        (4, 12, 8),
        (4, 8, 12),
        (2, 10, 6),
        (8, 24, 8),
        (3, 3, 3),
        (3, 3, 9),
        (3, 9, 6),
        (5, 10, 10),
        (6, 6, 12),
    ] {
        let (rows, columns) = (rows.to_string(), columns.to_string());
        let plan = planned("transpose", lanes, &[("rows", &rows), ("cols", &columns)]);
        assert_eq!(plan.form, Form::Skewed);
        agrees(&plan, 9);
        agrees(&planned("transpose", lanes, &[("rows", &rows), ("cols", &columns), ("pages", "2")]), 9);
    }
}

/// Matrices of many sizes, one after the other.
#[test]
fn loaded_sizes() {
    for (lanes, rows, columns) in [(2, 4, 4), (2, 2, 6), (2, 10, 6), (4, 8, 4), (4, 12, 20), (8, 16, 24)] {
        let (rows, columns) = (rows.to_string(), columns.to_string());
        let plan = planned("transpose", lanes, &[("rows", &rows), ("cols", &columns), ("dims", "runtime")]);
        assert_eq!(plan.form, Form::Loaded);
        agrees(&plan, 9);
    }
}

#[test]
fn any_order() {
    let mut random = SplitMix64(3);
    for (lanes, cycles) in [(2, 3), (2, 7), (3, 5), (4, 6), (5, 9), (8, 3)] {
        let order = random.permutation(lanes * cycles);
        let plan = with_permutation(&Request::new("permute", lanes.into()), order).unwrap();
        assert_eq!(plan.form, Form::Coloured);
        agrees(&plan, 11);
    }
}

#[test]
fn any_matrix_and_constant() {
    let mut random = SplitMix64(4);
    let mut matrices = 0;
    while matrices < 12 {
        let bits = 3 + matrices % 4;
        let rows = (0..bits).map(|_| random.next() & ((1 << bits) - 1)).collect();
        let matrix = Matrix::new(rows, bits);
        if matrix.rank() < bits {
            continue;
        }
        matrices += 1;
        let banks = ["1", "2"][matrices as usize % 2];
        let request = Request::new("permute", 2 << (matrices % 2)).with("banks", banks);
        agrees(&with_matrix(&request, matrix, random.next() & ((1 << bits) - 1)).unwrap(), 8);
    }
}

#[test]
fn every_fault_is_a_difference() {
    let linear = planned("transpose", 4, &[("rows", "8")]);
    let skewed = planned("transpose", 4, &[("rows", "12"), ("cols", "8")]);
    let stored = planned("permute", 4, &[("kind", "stride"), ("words", "36"), ("stride", "3")]);
    let loaded = planned("transpose", 4, &[("rows", "8"), ("cols", "12"), ("dims", "runtime")]);
    let rotated = planned("transpose", 3, &[("rows", "6"), ("cols", "9")]);
    assert_eq!((linear.form, skewed.form, stored.form), (Form::OneBank, Form::Skewed, Form::Coloured));
    for plan in [linear, skewed, stored, loaded, rotated] {
        let all = STREAMED.words().flat_map(|word| STREAMED.all(word, &plan, |_| plan.columns()));
        let all: Vec<String> = all.collect();
        assert_eq!(all.len() as u32, 4 + plan.columns());
        for fault in all {
            assert!(difference(&plan, 16, Some(&fault)).is_some(), "{} {fault}", plan.name());
        }
    }
}
