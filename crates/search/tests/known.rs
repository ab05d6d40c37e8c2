//! Exchanges of the general shuffle-exchange network that took longer to find than a test may: base rounds, by their labels. They are
//! routed on the bare network with all their images under the shift by 1, and no exchange has fewer rounds.

use frit_network::{LaneIdx, RoundIdx, StageIdx, shuffle_exchange};
use frit_schedule::route::route_labels;
use frit_search::bound::best;

/// A base round: the labels of sources 0, 1, 2, …, again and again from their beginning, and how many images it has.
struct Base {
    labels: &'static [u64],
    images: u32,
}

/// N = 76 in 80 rounds: 446 s of CaDiCaL.
const SEVENTY_SIX: [Base; 2] = [
    Base {
        labels: &[
            5, 109, 56, 110, 63, 10, 47, 18, 111, 100, 40, 60, 111, 88, 44, 3, 43, 46, 55, 73, 70, 4, 2, 115,
            58, 22, 45, 65, 90, 105, 27, 17, 105, 0, 114, 20, 69, 16, 113, 31, 68, 52, 85, 112, 127, 126, 62,
            42, 64, 99, 61, 19, 89, 71, 125, 102, 124, 53, 59, 108, 72, 6, 91, 67, 66, 30, 1, 22, 84, 87, 57,
            101, 41, 74, 16, 83,
        ],
        images: 76,
    },
    Base { labels: &[97, 54, 28, 75], images: 4 },
];

/// N = 84 in 96 rounds: 32 s of CaDiCaL.
const EIGHTY_FOUR: [Base; 2] = [
    Base {
        labels: &[
            2, 51, 98, 7, 67, 6, 68, 22, 75, 19, 45, 60, 104, 97, 69, 81, 122, 70, 63, 39, 17, 59, 19, 28,
            74, 31, 83, 125, 80, 118, 107, 107, 29, 21, 21, 26, 54, 79, 106, 109, 24, 61, 103, 73, 56, 126,
            58, 96, 35, 100, 57, 65, 95, 105, 44, 62, 46, 22, 4, 37, 82, 104, 120, 77, 124, 78, 48, 99, 53,
            18, 52, 10, 49, 8, 76, 64, 87, 104, 104, 55, 30, 1, 71, 93,
        ],
        images: 84,
    },
    Base { labels: &[25, 117, 5, 32, 26, 50, 111, 47, 127, 84, 66, 72], images: 12 },
];

/// N = 92 in 112 rounds: 19 s of CaDiCaL.
const NINETY_TWO: [Base; 6] = [
    Base {
        labels: &[
            82, 23, 110, 104, 62, 29, 60, 15, 65, 1, 88, 53, 2, 68, 49, 99, 67, 72, 91, 20, 50, 78, 79, 37,
            39, 38, 58, 104, 57, 123, 76, 36, 40, 113, 17, 42, 120, 13, 59, 100, 56, 105, 125, 124, 6, 41, 4,
            98, 22, 28, 70, 74, 80, 126, 19, 85, 16, 83, 117, 63, 110, 19, 26, 24, 47, 75, 84, 45, 0, 127,
            71, 81, 69, 3, 108, 26, 51, 101, 113, 54, 118, 66, 25, 77, 90, 48, 111, 5, 46, 27, 111, 103,
        ],
        images: 92,
    },
    Base { labels: &[64, 117, 43, 30], images: 4 },
    Base { labels: &[61, 10, 87, 96], images: 4 },
    Base { labels: &[14, 99, 89, 52], images: 4 },
    Base { labels: &[3, 121, 86, 44], images: 4 },
    Base { labels: &[98, 28, 55, 73], images: 4 },
];

/// Rounds in which the exchange serves every pair, or what is wrong with it.
fn served(terminals: u32, bases: &[Base]) -> Result<u32, String> {
    let network = shuffle_exchange(terminals.into()).unwrap();
    let stages = network.stages();
    let mut pairs = vec![false; (terminals * terminals) as usize];
    for Base { labels, images } in bases {
        for image in 0..*images {
            let label = |source: u32| labels[(source + terminals - image) as usize % labels.len()];
            let bit = |source: LaneIdx, stage: StageIdx| label(source.0) >> (stages - 1 - stage.0) & 1 == 1;
            let routed =
                route_labels(&network, RoundIdx(image), bit).map_err(|conflict| conflict.to_string())?;
            for (source, &destination) in (0..).zip(&routed.destinations) {
                pairs[(source * terminals + destination) as usize] = true;
            }
        }
    }
    let missing = pairs.iter().filter(|&&served| !served).count();
    if missing > 0 {
        Err(format!("{missing} pairs are missing"))
    } else {
        Ok(bases.iter().map(|base| base.images).sum())
    }
}

#[test]
fn the_fewest_rounds_for_92_terminals_are_112() {
    assert_eq!(served(92, &NINETY_TWO), Ok(112));
    assert_eq!(best(&shuffle_exchange(92).unwrap(), None).rounds, 112);
}

#[test]
fn the_fewest_rounds_for_84_terminals_are_96() {
    assert_eq!(served(84, &EIGHTY_FOUR), Ok(96));
    assert_eq!(best(&shuffle_exchange(84).unwrap(), None).rounds, 96);
}

#[test]
fn the_fewest_rounds_for_76_terminals_are_80() {
    assert_eq!(served(76, &SEVENTY_SIX), Ok(80));
    assert_eq!(best(&shuffle_exchange(76).unwrap(), None).rounds, 80);
    // Each of its base rounds is needed, and not any other.
    assert!(served(76, &SEVENTY_SIX[..1]).unwrap_err().contains("are missing"));
    let moved = [Base { labels: &[97, 54, 75, 28], images: 4 }];
    assert!(served(76, &moved).is_err());
}
