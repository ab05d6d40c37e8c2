//! Which of many traffics a testbench runs: those in which messages go ways that no other goes. A wire that no message uses could be
//! broken without being noticed.

use std::collections::BTreeSet;

/// At most `most` of these traffics, each with its ways: again and again the one with most ways that are not in `seen`, the first of
/// several.
pub fn choose<W: Ord, T>(mut tried: Vec<(BTreeSet<W>, T)>, mut seen: BTreeSet<W>, most: u32) -> Vec<T> {
    let mut chosen = Vec::new();
    for _ in 0..most {
        let new = |ways: &BTreeSet<W>| ways.difference(&seen).count();
        let best = (0..tried.len()).rev().max_by_key(|&at| new(&tried[at].0));
        let Some(at) = best.filter(|&at| new(&tried[at].0) > 0) else { break };
        let (ways, traffic) = tried.remove(at);
        seen.extend(ways);
        chosen.push(traffic);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn each_choice_has_a_new_way() {
        let tried = || {
            [("a", &[1, 2][..]), ("b", &[1, 2, 3]), ("c", &[3]), ("d", &[4, 5, 6])]
                .map(|(name, ways)| (ways.iter().copied().collect(), name))
                .to_vec()
        };
        assert_eq!(choose(tried(), [].into(), 9), ["b", "d"]);
        assert_eq!(choose(tried(), [3, 4, 5].into(), 9), ["a", "d"]);
        assert_eq!(choose(tried(), [].into(), 1), ["b"]);
    }
}
