use super::*;
use proptest::prelude::*;

type Constructor = fn(u32) -> Result<DeBruijn, SequenceError>;
const BUILT_IN: [Constructor; 3] = [DeBruijn::prefer_one, DeBruijn::prefer_same, DeBruijn::granddaddy];

fn bits(sequence: &DeBruijn) -> Vec<bool> {
    (0..sequence.len() as u64).map(|at| sequence.bit(at)).collect()
}

#[test]
fn the_papers_sequence_of_order_four() {
    assert_eq!(DeBruijn::prefer_one(4).unwrap().to_string(), "0000111101100101");
    assert_eq!(DeBruijn::granddaddy(4).unwrap().to_string(), "0000100110101111");
    assert_eq!(DeBruijn::prefer_same(4).unwrap().to_string(), "1111000011010010");
    // Alhakim, Sala and Sawada give this one.
    assert!(DeBruijn::prefer_same(5).unwrap().to_string().starts_with("1111100000111011001101000"));
}

#[test]
fn the_built_in_sequences_are_de_bruijn_sequences() {
    for constructor in BUILT_IN {
        for order in 1..=16 {
            let sequence = constructor(order).unwrap();
            assert_eq!(DeBruijn::from_bits(order, &bits(&sequence)).as_ref(), Ok(&sequence));
        }
        for given in [0, 25, u32::MAX] {
            assert_eq!(constructor(given), Err(SequenceError::Order { given }));
        }
    }
    let texts = BUILT_IN.map(|constructor| constructor(1).unwrap().to_string());
    assert_eq!(texts, ["01", "10", "01"]);
}

#[test]
fn the_largest_order() {
    for constructor in BUILT_IN {
        let sequence = constructor(MAX_ORDER).unwrap();
        assert_eq!(sequence.len(), 1 << 24);
        sequence.verify().unwrap();
    }
}

#[test]
fn prefer_one_by_its_definition() {
    // Algorithm "Prefer one" of the paper, with a set of words in place of anything clever.
    for order in 1..=10usize {
        let mut text = "0".repeat(order);
        let mut seen = std::collections::BTreeSet::from([text.clone()]);
        while let Some(bit) = ["1", "0"].into_iter().find(|bit| {
            let word = format!("{}{bit}", &text[text.len() + 1 - order..]);
            seen.insert(word)
        }) {
            text.push_str(bit);
        }
        assert_eq!(DeBruijn::prefer_one(order as u32).unwrap().to_string(), text[..1 << order]);
    }
}

#[test]
fn the_successor_rule_is_the_greedy_construction() {
    let largest = if cfg!(debug_assertions) { 14 } else { 20 };
    for order in 1..=largest {
        let sequence = DeBruijn::prefer_one(order).unwrap();
        let feedback = sequence.feedback();
        for state in 0..1u32 << order {
            assert_eq!(prefer_one_successor(order, state), feedback.get(state as usize), "{order} {state:b}");
        }
    }
}

#[test]
fn the_granddaddy_is_the_least_and_mirrors_prefer_one() {
    // Prefer-one from its first one on is the greatest sequence, so its complement is the least.
    for order in 1..=14 {
        let (one, least) = (DeBruijn::prefer_one(order).unwrap(), DeBruijn::granddaddy(order).unwrap());
        assert!((0..1u64 << order).all(|at| least.bit(at) != one.bit(at + order as u64)), "order {order}");
    }
    let all: Vec<String> = (0..1u32 << 16)
        .map(|bits| format!("{bits:016b}"))
        .filter(|text| DeBruijn::parse(text, 4).is_ok())
        .collect();
    assert_eq!(all.len(), 16 * 16); // 2^(2^(l-1)-l) sequences, each in 2^l rotations
    assert_eq!(all[0], DeBruijn::granddaddy(4).unwrap().to_string());
}

#[test]
fn prefer_same_has_the_largest_run_lengths() {
    let runs = |text: &str| -> Vec<usize> {
        let mut runs = vec![0];
        let mut last = text.as_bytes()[0];
        for &bit in text.as_bytes() {
            if bit != last {
                runs.push(0);
                last = bit;
            }
            *runs.last_mut().unwrap() += 1;
        }
        runs
    };
    let largest = (0..1u32 << 16)
        .map(|bits| format!("{bits:016b}"))
        .filter(|text| text.starts_with('1') && text.ends_with('0') && DeBruijn::parse(text, 4).is_ok())
        .map(|text| runs(&text))
        .max()
        .unwrap();
    assert_eq!(runs(&DeBruijn::prefer_same(4).unwrap().to_string()), largest);
}

#[test]
fn words_and_positions() {
    for constructor in BUILT_IN {
        for order in 1..=9 {
            let sequence = constructor(order).unwrap();
            let positions = sequence.positions();
            for (at, word) in sequence.words().enumerate() {
                assert_eq!(word, sequence.word(at as u64));
                assert_eq!(word, sequence.word(at as u64 + 3 * sequence.len() as u64));
                assert_eq!(positions[word as usize], at as u32);
            }
        }
    }
}

#[test]
fn feedback_runs_through_the_sequence() {
    for constructor in BUILT_IN {
        let sequence = constructor(6).unwrap();
        let feedback = sequence.feedback();
        assert_eq!(feedback.count_ones(), 32);
        let mut state = sequence.word(0);
        for at in 0..200 {
            assert_eq!(state, sequence.word(at));
            state = (state << 1 | feedback.get(state as usize) as u32) & 63;
        }
    }
}

#[test]
fn a_users_sequence_may_start_anywhere_and_hold_white_space() {
    let text = " 1111 0110\n\t0101 0000\r\n";
    let sequence = DeBruijn::parse(text, 4).unwrap();
    assert_eq!(sequence.to_string(), "1111011001010000");
}

#[test]
fn what_is_no_sequence_is_explained() {
    let text = |text: &str, order| DeBruijn::parse(text, order).unwrap_err().to_string();
    assert_eq!(text("01", 0), "0 is not an order of a de Bruijn sequence; give 1 to 24");
    assert_eq!(text("0 1\n0,1", 2), "line 2, column 2: ',' is not a bit; expected 0, 1 and white space");
    assert_eq!(text("", 2), "the sequence has 0 bits, but a sequence of order 2 has 2^2 = 4");
    assert_eq!(text("00011", 2), "the sequence has 5 bits, but a sequence of order 2 has 2^2 = 4");
    assert_eq!(
        text("00110", 2),
        "the sequence has 5 bits, but a sequence of order 2 has 2^2 = 4 (the last bits repeat the first bits; leave them out, because the sequence is read cyclically)"
    );
    // One bit of 0000111101100101 flipped, at bit 6.
    assert_eq!(
        text("0000110101100101", 4),
        "the word 0110 stands at bit 3 and again at bit 8 (counted from 0), and the word 0111 is missing"
    );
    // Found only where it wraps around.
    assert_eq!(
        text("0101", 2),
        "the word 01 stands at bit 0 and again at bit 2 (counted from 0), and the word 00 is missing"
    );
    assert_eq!(
        text("11", 1),
        "the word 1 stands at bit 0 and again at bit 1 (counted from 0), and the word 0 is missing"
    );
}

proptest! {
    #[test]
    fn one_flipped_bit_is_always_refused(order in 2u32..10, which in 0usize..3, at in any::<prop::sample::Index>()) {
        let sequence = BUILT_IN[which](order).unwrap();
        let mut bits = bits(&sequence);
        let at = at.index(bits.len());
        bits[at] ^= true;
        let error = DeBruijn::from_bits(order, &bits).unwrap_err();
        let SequenceError::Repeated { word, first, second, missing } = error else { panic!("{error}") };
        let flipped = DeBruijn { order, bits: bits.into_iter().collect() };
        let number = |text: &str| u32::from_str_radix(text, 2).unwrap();
        prop_assert!(first < second);
        prop_assert_eq!(flipped.word(first as u64), number(&word));
        prop_assert_eq!(flipped.word(second as u64), number(&word));
        prop_assert!(flipped.words().all(|w| w != number(&missing)));
    }
}
