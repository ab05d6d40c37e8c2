//! Every form, on every kind of size, run word by word.

use super::*;
use crate::check::check;
use crate::parts::{Driver, Part};
use frit_traffic::random::SplitMix64;
use proptest::prelude::*;

fn request(system: &str, lanes: u64, options: &[(&str, &str)]) -> Request {
    options.iter().fold(Request::new(system, lanes), |request, (key, value)| request.with(key, value))
}

fn planned(system: &str, lanes: u64, options: &[(&str, &str)]) -> Streamed {
    streamed(&request(system, lanes, options)).unwrap()
}

fn refused(system: &str, lanes: u64, options: &[(&str, &str)]) -> String {
    streamed(&request(system, lanes, options)).unwrap_err().to_string()
}

/// A case of `vectors.txt`.
struct Vector {
    line: &'static str,
    lanes: u64,
    images: Vec<u64>,
    columns: u32,
    switches: u64,
    two_banks: u32,
    wait: u32,
}

fn vectors() -> Vec<Vector> {
    let read = |line: &'static str| {
        let number = |before: &str| -> u64 {
            line.split_once(before).unwrap().1.split_whitespace().next().unwrap().parse().unwrap()
        };
        let images = line.split_once("matrix=").unwrap().1.split_whitespace().next().unwrap();
        Vector {
            line,
            lanes: number("lanes="),
            images: images.split(',').map(|image| image.parse().unwrap()).collect(),
            columns: number("columns ") as u32,
            switches: number("switches "),
            two_banks: number("two_banks ") as u32,
            wait: number("wait ") as u32,
        }
    };
    include_str!("vectors.txt").lines().map(read).collect()
}

#[test]
fn the_vectors_columns_switches_and_waits_and_every_word_at_its_place() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 25);
    for vector in vectors {
        let matrix = Matrix::of_images(&vector.images, vector.images.len() as u32);
        let lanes = vector.lanes;
        let one = with_matrix(&Request::new("permute", lanes), matrix.clone(), 0).unwrap();
        let got = (one.columns(), one.switches(), one.wait, one.bounds());
        let due = (vector.columns, vector.switches, vector.wait, Some([vector.columns, vector.two_banks]));
        assert_eq!(got, due, "{}", vector.line);
        let two = with_matrix(&request("permute", lanes, &[("banks", "2")]), matrix.clone(), 0).unwrap();
        assert_eq!(two.columns(), vector.two_banks, "{}", vector.line);
        if matrix.height() <= 12 {
            assert_eq!(check(&one), Ok(()), "{}", vector.line);
            assert_eq!(check(&two), Ok(()), "{}", vector.line);
        }
    }
}

#[test]
fn a_large_transpose_takes_two_orders_of_addresses_in_one_page() {
    let turn = planned("transpose", 16, &[("rows", "1024")]);
    let memory = turn.memories().next().unwrap();
    assert_eq!((memory.orders.len(), memory.depth, turn.wait), (2, 65536, 65409));
    assert_eq!(check(&turn), Ok(()));
}

#[test]
fn transposes_of_all_sizes_stand() {
    let mut forms = Vec::new();
    for lanes in [2, 3, 4, 6, 8] {
        for rows in 1..=17u64 {
            for columns in 1..=17u64 {
                let options = [("rows", rows.to_string()), ("cols", columns.to_string())];
                let request = options.iter().fold(Request::new("transpose", lanes), |r, (k, v)| r.with(k, v));
                match streamed(&request) {
                    Ok(turn) => {
                        assert_eq!(check(&turn), Ok(()), "{rows} x {columns}, {lanes} lanes");
                        if !forms.contains(&turn.form) {
                            forms.push(turn.form);
                        }
                    }
                    Err(error) => assert!(!(rows * columns).is_multiple_of(lanes), "{error}"),
                }
            }
        }
    }
    assert_eq!(forms.len(), 3, "{forms:?}");
}

#[test]
fn names_say_numbers_as_they_were_read() {
    let array = |shape: &str, order: &str| {
        planned("permute", 4, &[("kind", "axes"), ("shape", shape), ("axes", order)])
    };
    for (shape, order) in [(" 4x4", "1,0"), ("+4x4", "+1,0"), ("4x\n4", "1,\n0"), ("004x4", "01, 00")] {
        let plan = array(shape, order);
        assert_eq!(plan.name(), "permute_4x4_10_16_p4");
        assert_eq!((plan.options["shape"].as_str(), plan.options["axes"].as_str()), ("4x4", "1,0"));
    }
    // With more than ten axes digits alone do not tell two orders apart.
    let shape = &["2"; 11].join("x");
    let [one, other] =
        ["1,0,10,2,3,4,5,6,7,8,9", "10,1,0,2,3,4,5,6,7,8,9"].map(|order| array(shape, order).name());
    assert_ne!(one, other);
    assert!(one.contains("_1_0_10_2_3_"), "{one}");
}

#[test]
fn any_number_of_lanes_has_skewed_storage() {
    for lanes in [3, 5, 6, 7, 10, 12] {
        for (tall, wide) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (4, 4), (2, 5)] {
            let [rows, columns] = [tall, wide].map(|blocks| (blocks * lanes).to_string());
            let turn = planned("transpose", lanes, &[("rows", &rows), ("cols", &columns)]);
            assert_eq!((turn.form, turn.modulo()), (Form::Skewed, true));
            assert_eq!(turn.pages(), if tall == wide { 1 } else { 2 }, "{rows} x {columns}, {lanes} lanes");
            assert_eq!(check(&turn), Ok(()), "{rows} x {columns}, {lanes} lanes");
            let two = planned("transpose", lanes, &[("rows", &rows), ("cols", &columns), ("pages", "2")]);
            assert_eq!((two.pages(), check(&two)), (2, Ok(())));
        }
    }
    // AMD's 64K inverse FFT, and more words than tables have.
    let fft = planned("transpose", 10, &[("rows", "260")]);
    assert_eq!((fft.wait, fft.memory_words(), check(&fft)), (6709, 108_160, Ok(())));
    let large = planned("transpose", 14, &[("rows", "196"), ("cols", "770")]);
    assert_eq!((large.pages(), check(&large)), (2, Ok(())));
    // A rotation by another amount brings words to wrong places.
    let mut wrong = planned("transpose", 5, &[("rows", "10")]);
    let Part::Spatial(front) = &mut wrong.parts[0] else { panic!("a network") };
    let Driver::Digit(_, rows) = &mut front.drivers[0] else { panic!("a rotation") };
    rows.rotate_left(1);
    assert!(check(&wrong).is_err());
}

#[test]
fn a_square_of_any_multiple_has_one_page() {
    let turn = planned("transpose", 8, &[("rows", "24")]);
    assert_eq!((turn.form, turn.columns(), turn.memory_words()), (Form::Skewed, 6, 576));
    let two = planned("transpose", 8, &[("rows", "24"), ("pages", "2")]);
    assert_eq!(two.memory_words(), 1152);
    assert_eq!((check(&turn), check(&two)), (Ok(()), Ok(())));
    let finn = planned("transpose", 8, &[("rows", "128"), ("cols", "384")]);
    assert_eq!((finn.form, finn.columns(), finn.bounds()), (Form::Skewed, 6, None));
    assert_eq!(check(&finn), Ok(()));
}

#[test]
fn named_orders_and_axes() {
    let reversal = planned("permute", 8, &[("words", "1024")]);
    assert_eq!((reversal.columns(), reversal.wait), (6, 121));
    let shuffle = planned("permute", 4, &[("kind", "shuffle"), ("words", "64")]);
    assert_eq!((shuffle.columns(), shuffle.wait, shuffle.order.destination(1)), (2, 8, 2));
    let stride = planned("permute", 8, &[("kind", "stride"), ("words", "48"), ("stride", "16")]);
    assert_eq!((stride.order.destination(1), stride.order.destination(3)), (16, 1));
    let array = planned("permute", 8, &[("kind", "axes"), ("shape", "1x16x12x32"), ("axes", "0,2,1,3")]);
    assert_eq!(array.form, Form::Coloured);
    let cube = planned("permute", 4, &[("kind", "axes"), ("shape", "4x8x16"), ("axes", "2,1,0")]);
    assert_eq!(cube.form, Form::OneBank);
    let flat = planned("permute", 8, &[("kind", "axes"), ("shape", "1x128x24"), ("axes", "0,2,1")]);
    assert_eq!(flat.form, Form::Skewed);
    for plan in [reversal, shuffle, stride, array, cube, flat] {
        assert_eq!(check(&plan), Ok(()));
    }
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    assert_eq!(
        refused("transpose", 8, &[("rows", "5"), ("cols", "19")]),
        "a matrix of 5 x 19 has 95 words, which is no multiple of the 8 words of a cycle (-n); the nearest sizes are cols=16 and cols=24; pad to cols=24"
    );
    assert!(refused("transpose", 1, &[]).starts_with("-n 1: transpose moves 2 to 1024 words a cycle"));
    assert!(
        refused("transpose", 8, &[("rows", "16"), ("cols", "24"), ("pages", "1")])
            .starts_with("pages=1 is for")
    );
    assert!(refused("transpose", 8, &[("rows", "24"), ("banks", "2")]).starts_with("banks=2 is for orders"));
    assert!(
        refused("transpose", 6, &[("rows", "600"), ("cols", "601")])
            .contains("has 360600 words, more than the 65536")
    );
    assert!(refused("permute", 8, &[("words", "24")]).ends_with("give a power of two, for example words=32"));
    let axes = |shape, order| refused("permute", 8, &[("kind", "axes"), ("shape", shape), ("axes", order)]);
    assert!(
        axes("4x0", "0,1").starts_with("permute: shape cannot be \"4x0\"; give whole numbers of 1 or more")
    );
    assert!(
        axes("4x8", "0;1").starts_with("permute: axes cannot be \"0;1\"; give whole numbers of 0 or more")
    );
    let none = refused("permute", 8, &[("kind", "axes"), ("axes", "0,1")]);
    assert!(none.starts_with("shape \"\" is not a shape"), "{none}");
    let ones = ["1"; 25].join("x");
    let many = axes(&ones, "0,1");
    assert!(many.contains("is not the shape of an array with 24 axes or fewer"), "{many}");
    assert!(axes("4x8", "0,0").starts_with("axes \"0,0\" is not an order of the 2 axes"));
    let matrix = with_matrix(&Request::new("permute", 6), Matrix::identity(6), 0).unwrap_err().to_string();
    assert!(matrix.ends_with("the nearest is -n 8"), "{matrix}");
    let large = with_matrix(&Request::new("permute", 8), Matrix::identity(64), 0).unwrap_err().to_string();
    assert!(large.starts_with("a matrix of 64 rows has 18446744073709551615 words"), "{large}");
}

proptest! {
    #[test]
    fn any_order_stands(cycles in 1u32..20, lanes in 2u32..10, seed in any::<u64>()) {
        let order = SplitMix64(seed).permutation(cycles * lanes);
        let plan = with_permutation(&Request::new("permute", lanes.into()), order).unwrap();
        prop_assert_eq!(check(&plan), Ok(()));
    }

    #[test]
    fn any_matrix_with_any_constant_stands(
        bits in 2u32..9, lanes in 1u32..4, seed in any::<u64>(), banks in 1u32..3, pages in 0usize..2
    ) {
        let mut random = SplitMix64(seed);
        let matrix = loop {
            let rows = (0..bits).map(|_| random.next() & crate::gf2::ones(bits)).collect();
            let matrix = Matrix::new(rows, bits);
            if matrix.rank() == bits { break matrix; }
        };
        let constant = random.next() & crate::gf2::ones(bits);
        let options = [("banks", banks.to_string()), ("pages", ["auto", "2"][pages].to_string())];
        let request = Request::new("permute", 1 << lanes.min(bits));
        let request = options.iter().fold(request, |request, (key, value)| request.with(key, value));
        let plan = with_matrix(&request, matrix, constant).unwrap();
        prop_assert_eq!(check(&plan), Ok(()));
    }
}
