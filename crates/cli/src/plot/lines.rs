//! Lines in one place: which stretches and points several lines share, and how their pieces take turns.

use std::collections::BTreeMap;

/// A place in a plot.
pub type Place = (f64, f64);

/// A stretch of one line, or one that the same lines share.
#[derive(Debug, PartialEq)]
pub struct Stretch {
    /// The lines, by number.
    pub members: Vec<usize>,
    /// Two or more.
    pub places: Vec<Place>,
}

/// A point and whose mark it shows.
#[derive(Debug, PartialEq)]
pub struct Shown {
    /// The line.
    pub member: usize,
    /// Where.
    pub place: Place,
    /// How many marks stand side by side there, and which of them this is.
    pub beside: (usize, usize),
}

fn bits((x, y): Place) -> [u64; 2] {
    // Zero has two forms.
    [(x + 0.0).to_bits(), (y + 0.0).to_bits()]
}

/// All lines, each stretch once.
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

/// All points. Where the same lines share as many points as they are, or more, their marks take turns; else they stand side by side.
pub fn points(lines: &[Vec<Place>]) -> Vec<Shown> {
    let mut owners: BTreeMap<[u64; 2], Vec<usize>> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        for &place in line {
            let owners = owners.entry(bits(place)).or_default();
            if owners.last() != Some(&number) {
                owners.push(number);
            }
        }
    }
    let mut shared: BTreeMap<&[usize], usize> = BTreeMap::new();
    owners.values().for_each(|members| *shared.entry(members).or_default() += 1);
    let mut turns: BTreeMap<&[usize], usize> = BTreeMap::new();
    let mut shown = vec![];
    for (number, line) in lines.iter().enumerate() {
        for &place in line {
            let members = owners[&bits(place)].as_slice();
            if members[0] != number {
                continue;
            }
            if shared[members] < members.len() {
                let beside =
                    |(at, &member): (usize, &usize)| Shown { member, place, beside: (members.len(), at) };
                shown.extend(members.iter().enumerate().map(beside));
            } else {
                let turn = turns.entry(members).or_default();
                shown.push(Shown { member: members[*turn % members.len()], place, beside: (1, 0) });
                *turn += 1;
            }
        }
    }
    shown
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
        assert_eq!(shown(&[vec![A], vec![A], vec![B]]), [(0, (2, 0)), (1, (2, 1)), (2, (1, 0))]);
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
