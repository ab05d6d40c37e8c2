//! Exchanges of the general shuffle-exchange network that took longer to find than a test may: base rounds, by their labels. They are
//! routed on the bare network with all their images under the shift by 1, and no exchange has fewer rounds.

use frit_network::shuffle_exchange;
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

/// Rounds in which the exchange serves every pair, or what is wrong with it.
fn served(terminals: u32, bases: &[Base]) -> Result<u32, String> {
    let network = shuffle_exchange(terminals.into()).unwrap();
    let stages = network.stages();
    let mut pairs = vec![false; (terminals * terminals) as usize];
    for Base { labels, images } in bases {
        for image in 0..*images {
            let label = |source: u32| labels[(source + terminals - image) as usize % labels.len()];
            let bit = |source: u32, stage: u32| label(source) >> (stages - 1 - stage) & 1 == 1;
            let routed = route_labels(&network, image, bit).map_err(|conflict| conflict.to_string())?;
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
fn the_fewest_rounds_for_76_terminals_are_80() {
    assert_eq!(served(76, &SEVENTY_SIX), Ok(80));
    assert_eq!(best(&shuffle_exchange(76).unwrap()).rounds, 80);
    // Each of its base rounds is needed, and not any other.
    assert!(served(76, &SEVENTY_SIX[..1]).unwrap_err().contains("are missing"));
    let moved = [Base { labels: &[97, 54, 75, 28], images: 4 }];
    assert!(served(76, &moved).is_err());
}
