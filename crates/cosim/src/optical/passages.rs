//! When packets passed, as the testbench wrote it, beside the reference.

use frit_network::{Refusal, refusal};
use frit_schedule::photonics::device::Passage;
use frit_trace::output::open;
use std::path::Path;

/// What a testbench wrote with `+passages`: by level, lane and slot.
pub(super) fn read(path: &Path) -> Result<Vec<Passage>, Refusal> {
    let mut rows = Vec::new();
    let mut reader = csv::Reader::from_reader(open(path)?);
    for (row, record) in reader.deserialize().enumerate() {
        let (level, lane, slot, source, destination, first_ps, end_ps) =
            record.map_err(|_: csv::Error| {
                refusal!("{}, line {} is not a row of numbers", path.display(), row + 2)
            })?;
        rows.push(Passage { level, lane, slot, source, destination, first_ps, end_ps });
    }
    rows.sort_unstable();
    Ok(rows)
}

/// The first packet that passed a place at another time than computed, in words.
pub(super) fn first_difference(expected: &[Passage], simulated: &[Passage]) -> Option<String> {
    let at = (0..expected.len().max(simulated.len())).find(|&i| expected.get(i) != simulated.get(i))?;
    let text = |passage: Option<&Passage>| {
        passage.map_or("nothing".to_string(), |p| {
            format!(
                "packet (source {}, destination {}, slot {}) at level {}, lane {} from {} ps to {} ps",
                p.source, p.destination, p.slot, p.level, p.lane, p.first_ps, p.end_ps
            )
        })
    };
    Some(format!("{}, computed {}", text(simulated.get(at)), text(expected.get(at))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::LaneIdx;

    #[test]
    fn passages_are_compared() {
        let passage = Passage {
            level: 1,
            lane: LaneIdx(2),
            slot: 3,
            source: 4,
            destination: 5,
            first_ps: 60,
            end_ps: 70,
        };
        assert_eq!(first_difference(&[passage], &[passage]), None);
        assert_eq!(
            first_difference(&[passage], &[Passage { first_ps: 61, ..passage }]).unwrap(),
            "packet (source 4, destination 5, slot 3) at level 1, lane 2 from 61 ps to 70 ps, computed packet (source 4, \
             destination 5, slot 3) at level 1, lane 2 from 60 ps to 70 ps"
        );
        assert!(first_difference(&[passage], &[]).unwrap().starts_with("nothing, computed "));
    }
}
