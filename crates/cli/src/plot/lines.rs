//! Lines in one place: which stretches and points several lines share, and how their pieces take turns.

use std::collections::BTreeMap;

pub type Place = (f64, f64);

/// A stretch of one line, or one that the same lines share.
#[derive(Debug, PartialEq)]
pub struct Stretch {
    pub members: Vec<usize>,
    pub places: Vec<Place>,
}

/// A point and whose mark it shows.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub member: usize,
    pub place: Place,
    /// How many marks stand side by side there, and which of them this is.
    pub beside: (usize, usize),
}

fn bits((x, y): Place) -> [u64; 2] {
    // Zero has two forms.
    [(x + 0.0).to_bits(), (y + 0.0).to_bits()]
}

pub fn stretches(lines: &[Vec<Place>]) -> Vec<Stretch> {
    let mut owners: BTreeMap<[[u64; 2]; 2], Vec<usize>> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        for pair in line.windows(2) {
            let owners = owners.entry([bits(pair[0]), bits(pair[1])]).or_default();
            if owners.last() != Some(&number) {
                owners.push(number);
            }
        }
    }
    let mut found: Vec<Stretch> = vec![];
    for (number, line) in lines.iter().enumerate() {
        let mut open = false;
        for pair in line.windows(2) {
            let members = &owners[&[bits(pair[0]), bits(pair[1])]];
            match found.last_mut().filter(|last| open && last.members == *members) {
                Some(last) if members[0] == number => last.places.push(pair[1]),
                _ if members[0] == number => {
                    found.push(Stretch { members: members.clone(), places: pair.to_vec() });
                    open = true;
                }
                _ => open = false,
            }
        }
    }
    found
}

/// All points. If several lines share a point, the line with the fewest marks so far gets it; points of one line alone count first.
/// A line that then has no mark gets one at its first point, beside the mark that is there.
pub fn points(lines: &[Vec<Place>]) -> Vec<Shown> {
    let mut shared: BTreeMap<[u64; 2], (Place, Vec<usize>)> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        for &place in line {
            let (_, members) = shared.entry(bits(place)).or_insert((place, vec![]));
            if members.last() != Some(&number) {
                members.push(number);
            }
        }
    }
    let mut places: Vec<(Place, Vec<usize>)> = shared.into_values().collect();
    places.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then(a.0.0.total_cmp(&b.0.0)));
    let mut marks = vec![0; lines.len()];
    let mut turn = |members: &[usize]| {
        let next =
            *members.iter().min_by_key(|&&member| (marks[member], member)).expect("a point is of a line");
        marks[next] += 1;
        next
    };
    let mut shown: Vec<(Place, Vec<usize>)> =
        places.iter().map(|(place, members)| (*place, vec![turn(members)])).collect();
    for (number, line) in lines.iter().enumerate().filter(|(number, _)| marks[*number] == 0) {
        let first = line.first().map(|&place| bits(place));
        if let Some((_, members)) = shown.iter_mut().find(|(place, _)| Some(bits(*place)) == first) {
            members.push(number);
        }
    }
    let beside = |(place, members): (Place, Vec<usize>)| {
        let of = members.len();
        members.into_iter().enumerate().map(move |(at, member)| Shown { member, place, beside: (of, at) })
    };
    shown.into_iter().flat_map(beside).collect()
}

/// The pieces of a line in pixels whose lengths are those of the pattern in turn, and which of the pattern each is. No pattern: one
/// piece.
pub fn pieces(line: &[Place], pattern: &[f64]) -> Vec<(usize, Vec<(i32, i32)>)> {
    let pixel = |(x, y): Place| (x.round() as i32, y.round() as i32);
    if pattern.is_empty() {
        return vec![(0, line.iter().map(|&place| pixel(place)).collect())];
    }
    let mut found: Vec<(usize, Vec<(i32, i32)>)> = vec![];
    let (mut turn, mut left) = (0, pattern[0]);
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        let on = |at: f64| (a.0 + (b.0 - a.0) * at / length, a.1 + (b.1 - a.1) * at / length);
        let mut at = 0.0;
        while at < length {
            let end = (at + left).min(length);
            match found.last_mut().filter(|last| last.0 == turn && at == 0.0) {
                Some(last) => last.1.push(pixel(on(end))),
                None => found.push((turn, vec![pixel(on(at)), pixel(on(end))])),
            }
            left -= end - at;
            at = end;
            if left <= 1e-9 {
                turn = (turn + 1) % pattern.len();
                left = pattern[turn];
            }
        }
    }
    found
}

/// The turns of lines on a stretch of this length: each is seen on short ones, too.
pub fn turns(members: usize, length: f64) -> Vec<f64> {
    vec![(length / members as f64).clamp(2.0, 12.0); members]
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Place = (0.0, 0.0);
    const B: Place = (10.0, 0.0);
    const C: Place = (20.0, 5.0);

    #[test]
    fn shared_stretches_are_found_once() {
        let lines = [vec![A, B, C], vec![A, B], vec![C, B], vec![A, B, C]];
        let stretch = |members: &[usize], places: &[Place]| Stretch {
            members: members.to_vec(),
            places: places.to_vec(),
        };
        let expected = [stretch(&[0, 1, 3], &[A, B]), stretch(&[0, 3], &[B, C]), stretch(&[2], &[C, B])];
        assert_eq!(stretches(&lines), expected);
        assert_eq!(stretches(&[vec![A, B, C], vec![B]]), [stretch(&[0], &[A, B, C])]);
    }

    #[test]
    fn every_line_shows_a_mark() {
        let shown =
            |lines: &[Vec<Place>]| points(lines).iter().map(|p| (p.member, p.beside)).collect::<Vec<_>>();
        assert_eq!(shown(&[vec![A, B, C], vec![A, B, C]]), [(0, (1, 0)), (1, (1, 0)), (0, (1, 0))]);
        // Its own point is enough: the shared one is the other's.
        assert_eq!(shown(&[vec![A, B], vec![B]]), [(0, (1, 0)), (1, (1, 0))]);
        assert_eq!(shown(&[vec![B], vec![B], vec![A]]), [(2, (1, 0)), (0, (2, 0)), (1, (2, 1))]);
    }

    #[test]
    fn pieces_take_turns_around_corners() {
        let found = pieces(&[A, B, (10.0, 10.0)], &[12.0, 4.0]);
        assert_eq!(
            found,
            [(0, vec![(0, 0), (10, 0), (10, 2)]), (1, vec![(10, 2), (10, 6)]), (0, vec![(10, 6), (10, 10)])]
        );
        assert_eq!(pieces(&[A, B], &[]), [(0, vec![(0, 0), (10, 0)])]);
        assert_eq!(pieces(&[A, A], &[3.0, 3.0]), []);
        assert_eq!((turns(2, 10.0), turns(2, 100.0)), (vec![5.0; 2], vec![12.0; 2]));
    }
}
