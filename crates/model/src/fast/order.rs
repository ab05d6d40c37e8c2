//! In which order the switches are visited.
//!
//! Any order will do in which a message meets its switches stage by stage. This one keeps what it works on in a cache:
//! stages are taken together as long as the rows that they connect form groups that fit the second-level cache, a
//! group is taken through all of these stages before the next, and inside it the same is done once more for the first
//! level. In a butterfly d stages connect groups of 2^d rows; where a network connects everything at once (the general
//! shuffle-exchange of a size that is no power of two) one stage follows the other. Two stages whose switches form
//! fours are done in one visit, in registers ([`Step::Fours`]), which halves loads and stores.

use super::wiring::{Meeting, Wiring};
use std::ops::Range;

/// Bytes of rows worked on at a time, from the larger cache to the smaller: about half of a second-level cache (the other
/// half for tables and the next rows), and most of a first-level one. Measured, not critical: docs/performance.md.
const CACHES: [usize; 2] = [1 << 20, 36 << 10];

/// Four rows in two stages: the switches of the first are (a, b) and (c, d), those of the second (a, c) and (b, d),
/// under label control with the upper input first. Each is `row << 1 | parity`: the parity of a is that of switch
/// (a, b), of c that of (c, d), of b that of (a, c), of d that of (b, d).
pub(super) type Four = [u32; 4];

/// The two rows of a switch, upper input first, as `row << 1 | parity`.
pub(super) type Pair = [u32; 2];

/// A piece of work: ranges are of the lists of [`Order`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Messages enter these rows.
    Inject(Range<usize>),
    /// Switches of one stage.
    Pairs { stage: usize, pairs: Range<usize> },
    /// Switches of `stage` and the next.
    Fours { stage: usize, fours: Range<usize> },
    /// Messages leave these rows.
    Deliver(Range<usize>),
}

/// The whole way.
#[derive(Default)]
pub(super) struct Order {
    pub steps: Vec<Step>,
    pub rows: Vec<u32>,
    pub pairs: Vec<Pair>,
    pub fours: Vec<Four>,
    /// The input lane of each row.
    pub lane_in: Vec<u32>,
    /// The output lane of each row.
    pub lane_out: Vec<u32>,
}

impl Order {
    /// An order for rows of this many bytes. `labels`: a switch reads the label of its upper input.
    pub fn new(wiring: Wiring, row_bytes: usize, labels: bool) -> Order {
        let rows: Vec<u32> = (0..wiring.lane_in.len() as u32).collect();
        let stages = 0..wiring.meetings.len();
        let limits = CACHES.map(|bytes| (bytes / row_bytes).max(4));
        let groups = Groups::new(rows.len());
        let mut builder = Builder { wiring: &wiring, labels, limits, groups, order: Order::default() };
        builder.visit(stages, &rows, 0);
        let mut order = builder.order;
        order.lane_in = wiring.lane_in;
        order.lane_out = wiring.lane_out;
        order
    }
}

struct Builder<'a> {
    wiring: &'a Wiring,
    labels: bool,
    /// Rows that fit each cache.
    limits: [usize; 2],
    groups: Groups,
    order: Order,
}

impl Builder<'_> {
    /// Takes `rows`, which no switch of these stages joins with others, through the stages.
    fn visit(&mut self, stages: Range<usize>, rows: &[u32], level: usize) {
        let Some(&limit) = self.limits.get(level) else { return self.work(stages, rows) };
        if rows.len() <= limit {
            return self.visit(stages, rows, level + 1);
        }
        let mut start = stages.start;
        while start < stages.end {
            let (end, groups) = self.groups.longest(&self.wiring.meetings, start..stages.end, rows, limit);
            for group in groups {
                self.visit(start..end, &group, level + 1);
            }
            start = end;
        }
    }

    /// One stage, or two, after the other.
    fn work(&mut self, stages: Range<usize>, rows: &[u32]) {
        if stages.start == 0 {
            self.order.rows.extend(rows);
            self.push(Step::Inject(self.order.rows.len() - rows.len()..self.order.rows.len()));
        }
        let mut stage = stages.start;
        while stage < stages.end {
            if stage + 1 < stages.end && self.fours(stage, rows) {
                stage += 2;
            } else {
                self.pairs(stage, rows);
                stage += 1;
            }
        }
        if stages.end == self.wiring.meetings.len() {
            self.order.rows.extend(rows);
            self.push(Step::Deliver(self.order.rows.len() - rows.len()..self.order.rows.len()));
        }
    }

    fn pairs(&mut self, stage: usize, rows: &[u32]) {
        let from = self.order.pairs.len();
        for &row in rows {
            let meeting = self.wiring.meetings[stage][row as usize];
            if !meeting.lower() {
                self.order.pairs.push([row << 1 | meeting.parity(), meeting.partner() << 1]);
            }
        }
        self.push(Step::Pairs { stage, pairs: from..self.order.pairs.len() });
    }

    /// Adds the fours of two stages, if that is what their switches form.
    fn fours(&mut self, stage: usize, rows: &[u32]) -> bool {
        let (first, second) = (&self.wiring.meetings[stage], &self.wiring.meetings[stage + 1]);
        let from = self.order.fours.len();
        self.order.fours.reserve(rows.len() / 4);
        for &a in rows {
            let (ab, ac) = (first[a as usize], second[a as usize]);
            let (b, c) = (ab.partner(), ac.partner());
            // Both upper inputs of the second stage come from one switch of the first, and c is its upper row. Masks do not tell
            // upper from lower: the least row stands for the four.
            if if self.labels { ab.lower() || ac.lower() } else { a > b || a > c } {
                continue;
            }
            let (cd, bd) = (first[c as usize], second[b as usize]);
            let d = cd.partner();
            if bd.partner() != d || c == b || (self.labels && (bd.lower() || cd.lower())) {
                break;
            }
            if self.labels || a < d {
                let four = [(a, ab), (b, ac), (c, cd), (d, bd)];
                self.order.fours.push(four.map(|(row, meeting)| row << 1 | meeting.parity()));
            }
        }
        // No row is in two of them.
        let all = 4 * (self.order.fours.len() - from) == rows.len();
        if all {
            self.push(Step::Fours { stage, fours: from..self.order.fours.len() });
        } else {
            self.order.fours.truncate(from);
        }
        all
    }

    /// Adds a step, to the last one if that is the same work on what stands before it.
    fn push(&mut self, step: Step) {
        match (self.order.steps.last_mut(), &step) {
            (Some(Step::Pairs { stage: a, pairs }), Step::Pairs { stage: b, pairs: more }) if *a == *b => {
                pairs.end = more.end;
            }
            (Some(Step::Fours { stage: a, fours }), Step::Fours { stage: b, fours: more }) if *a == *b => {
                fours.end = more.end;
            }
            _ => self.order.steps.push(step),
        }
    }
}

/// Finds the groups of rows that a few stages connect (disjoint sets).
struct Groups {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Groups {
    fn new(rows: usize) -> Groups {
        Groups { parent: vec![0; rows], size: vec![1; rows] }
    }

    fn root(&mut self, mut row: u32) -> u32 {
        while self.parent[row as usize] != row {
            let above = self.parent[self.parent[row as usize] as usize];
            self.parent[row as usize] = above;
            row = above;
        }
        row
    }

    fn reset(&mut self, rows: &[u32]) {
        for &row in rows {
            self.parent[row as usize] = row;
            self.size[row as usize] = 1;
        }
    }

    /// Connects what a stage connects; the size of the largest group that changed.
    fn join(&mut self, meetings: &[Meeting], rows: &[u32]) -> usize {
        let mut largest = 0;
        for &row in rows {
            let meeting = meetings[row as usize];
            if meeting.lower() {
                continue;
            }
            let (a, b) = (self.root(row), self.root(meeting.partner()));
            if a != b {
                self.parent[a.max(b) as usize] = a.min(b);
                self.size[a.min(b) as usize] += self.size[a.max(b) as usize];
            }
            largest = largest.max(self.size[a.min(b) as usize]);
        }
        largest as usize
    }

    /// The end of the longest run of stages, one at least, whose groups hold no more than `limit` rows; the groups, each in the order
    /// of its rows, by their first rows.
    fn longest(
        &mut self,
        meetings: &[Vec<Meeting>],
        stages: Range<usize>,
        rows: &[u32],
        limit: usize,
    ) -> (usize, Vec<Vec<u32>>) {
        self.reset(rows);
        let mut end = stages.start;
        let mut largest = 0;
        while end < stages.end && largest <= limit {
            let before: Vec<[u32; 2]> =
                rows.iter().map(|&row| [self.parent[row as usize], self.size[row as usize]]).collect();
            largest = self.join(&meetings[end], rows);
            if largest > limit && end > stages.start {
                for (&row, [parent, size]) in rows.iter().zip(before) {
                    (self.parent[row as usize], self.size[row as usize]) = (parent, size);
                }
                break;
            }
            end += 1;
        }
        (end, self.of(rows))
    }

    fn of(&mut self, rows: &[u32]) -> Vec<Vec<u32>> {
        // A root is the least row of its group, so `size` is free to hold the group's place.
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for &row in rows {
            let root = self.root(row);
            if root == row {
                let size = self.size[row as usize] as usize;
                self.size[row as usize] = groups.len() as u32;
                groups.push(Vec::with_capacity(size));
            }
            groups[self.size[root as usize] as usize].push(row);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::{Network, butterfly_butterfly, optical_butterfly, shuffle_exchange};

    /// Replays an order and holds it to the wiring: every row enters once, meets its partner at every stage in turn (on
    /// its own side under label control) at a switch of the right parity, and leaves once. Gives the number of fours.
    struct Replay<'a> {
        wiring: &'a Wiring,
        labels: bool,
        /// The next stage of each row; none before it has entered.
        next: Vec<Option<usize>>,
    }

    impl Replay<'_> {
        fn switch(&mut self, upper: u32, lower: u32, parity: u32, stage: usize) {
            let meeting = self.wiring.meetings[stage][upper as usize];
            assert_eq!(
                (meeting.partner(), meeting.parity()),
                (lower, parity & 1),
                "stage {stage}, row {upper}"
            );
            assert!(!self.labels || !meeting.lower(), "stage {stage}, row {upper}");
            for row in [upper, lower] {
                assert_eq!(self.next[row as usize].replace(stage + 1), Some(stage), "row {row}");
            }
        }

        fn step(&mut self, order: &Order, step: Step) {
            match step {
                Step::Inject(rows) => {
                    for &row in &order.rows[rows] {
                        assert_eq!(self.next[row as usize].replace(0), None);
                    }
                }
                Step::Pairs { stage, pairs } => {
                    for &[a, b] in &order.pairs[pairs] {
                        self.switch(a >> 1, b >> 1, a, stage);
                    }
                }
                Step::Fours { stage, fours } => {
                    for four in &order.fours[fours] {
                        let ([a, b, c, d], parity) = (four.map(|row| row >> 1), four);
                        self.switch(a, b, parity[0], stage);
                        self.switch(c, d, parity[2], stage);
                        self.switch(a, c, parity[1], stage + 1);
                        self.switch(b, d, parity[3], stage + 1);
                    }
                }
                Step::Deliver(rows) => {
                    for &row in &order.rows[rows] {
                        let stages = self.wiring.meetings.len();
                        assert_eq!(self.next[row as usize].replace(usize::MAX), Some(stages));
                    }
                }
            }
        }
    }

    fn replay(network: &Network, row_bytes: usize, labels: bool) -> Order {
        let wiring = Wiring::new(network);
        let order = Order::new(Wiring::new(network), row_bytes, labels);
        let next = vec![None; network.lanes() as usize];
        let mut replay = Replay { wiring: &wiring, labels, next };
        for step in &order.steps {
            replay.step(&order, step.clone());
        }
        assert!(replay.next.iter().all(|&next| next == Some(usize::MAX)));
        order
    }

    #[test]
    fn every_message_meets_every_switch_in_turn() {
        for row_bytes in [64, 4 << 10, 64 << 10] {
            for labels in [true, false] {
                for network in [
                    butterfly_butterfly(4).unwrap(),
                    butterfly_butterfly(256).unwrap(),
                    shuffle_exchange(10).unwrap(),
                    shuffle_exchange(64).unwrap(),
                    shuffle_exchange(258).unwrap(),
                    optical_butterfly(64).unwrap(),
                ] {
                    replay(&network, row_bytes, labels);
                }
            }
        }
    }

    #[test]
    fn butterflies_are_taken_two_stages_at_a_time() {
        // 15 stages of 128 switches: seven double visits of 64 fours and one stage of pairs for each group of stages
        // that is odd.
        let order = replay(&butterfly_butterfly(256).unwrap(), 64, true);
        assert_eq!((order.fours.len(), order.pairs.len()), (7 * 64, 128));
        let order = replay(&optical_butterfly(64).unwrap(), 64, false);
        assert_eq!((order.fours.len(), order.pairs.len()), (2 * 32, 64));
        let order = replay(&shuffle_exchange(10).unwrap(), 64, false);
        assert_eq!((order.fours.len(), order.pairs.len()), (0, 20));
    }

    #[test]
    fn a_group_is_finished_before_the_next_begins() {
        // Rows of 64 KiB: sixteen to the larger cache, so stages 0 to 3 of 64 rows are done group by group.
        let order = replay(&butterfly_butterfly(64).unwrap(), 64 << 10, true);
        let injections: Vec<usize> = order
            .steps
            .iter()
            .enumerate()
            .filter_map(|(at, step)| matches!(step, Step::Inject(_)).then_some(at))
            .collect();
        assert!(injections.len() >= 4 && injections.windows(2).all(|pair| pair[1] > pair[0] + 1));
    }
}
