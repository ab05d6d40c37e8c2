//! The order of ranks: from names of files, or of lines.

use frit_network::{Refusal, refuse};

/// The rank that a name says: the number behind the last `rank`, or the whole name before its first dot.
pub(crate) fn rank_of(name: &str) -> Option<u64> {
    let name = name.to_ascii_lowercase();
    let Some(at) = name.rfind("rank") else { return name.split('.').next()?.parse().ok() };
    let number = name[at + "rank".len()..].trim_start_matches([' ', '-', '_', '.', '=']);
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Files, or lines, with their names in the order of their ranks; without ranks in the order in which they are given.
pub(crate) fn in_order<T>(mut all: Vec<(Option<u64>, String, T)>) -> Result<Vec<(String, T)>, Refusal> {
    let unknown = all.iter().find(|(rank, ..)| rank.is_none());
    let known = all.iter().find(|(rank, ..)| rank.is_some());
    if let (Some((_, unknown, _)), Some((_, known, _))) = (unknown, known) {
        refuse!(
            "{unknown} has no rank in its name, but {known} has; name all alike, for example rank0, rank1, …"
        );
    }
    if known.is_some() {
        all.sort_by_key(|(rank, ..)| *rank);
        for (at, (rank, name, _)) in (0..).zip(&all) {
            match rank.unwrap_or(at) {
                rank if rank > at => refuse!(
                    "rank {at} is missing: there are {}, and the next rank is {rank}; give those of all ranks, 0 to {}",
                    all.len(),
                    all.last().and_then(|(rank, ..)| *rank).unwrap_or(rank)
                ),
                rank if rank < at => refuse!(
                    "rank {rank} is given twice, by {} and {name}; give one for each rank",
                    all[at as usize - 1].1
                ),
                _ => (),
            }
        }
    }
    Ok(all.into_iter().map(|(_, name, each)| (name, each)).collect())
}
