//! Fills the cycles of an optical plan with words.

use super::{Planned, Racks};
use crate::demand::Demand;
use crate::few::{self, Fabric};
use crate::matching::Matching;
use crate::peel::Held;
use crate::plan_file::{NONE, PlanFile, Row};
use frit_network::Refusal;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// A plan has hardly more configurations of the terminals: pairs that run out of words earlier wait.
pub(super) const MAX_ROWS: u64 = 1 << 17;

/// The words that are left, and the plan up to now.
pub(super) struct Fill<'a> {
    racks: &'a Racks,
    /// P: the terminals of a rack.
    ports: usize,
    words: Vec<u32>,
    sends: Vec<u64>,
    receives: Vec<u64>,
    /// Words from each rack to each, row by row.
    blocks: Vec<u64>,
    left: u64,
    /// The fewest and the most cycles for which terminals keep their partners.
    keep: (u64, u64),
    switches: Vec<Switch>,
    now: u64,
    plan: Vec<Row>,
    circuits: Vec<Row>,
}

/// An optical switch.
#[derive(Default)]
struct Switch {
    next: VecDeque<Held>,
    /// The permutation that it has, or changes to.
    to: Option<Vec<u16>>,
    /// From when on the permutation is held, and until when.
    start: u64,
    end: u64,
}

impl<'a> Fill<'a> {
    pub(super) fn new(racks: &'a Racks, demand: &Demand, bound: u64) -> Self {
        let wide = |sums: &[u32]| sums.iter().map(|&words| words.into()).collect();
        Fill {
            racks,
            ports: (demand.terminals() / racks.racks) as usize,
            words: demand.matrix().to_vec(),
            sends: wide(demand.sent()),
            receives: wide(demand.received()),
            blocks: racks.blocks(demand),
            left: demand.total(),
            keep: ((bound / MAX_ROWS).max(1), 1 + bound / 256),
            switches: (0..racks.uplinks).map(|_| Switch::default()).collect(),
            now: 0,
            plan: Vec::new(),
            circuits: Vec::new(),
        }
    }

    /// Follows these plans of the optical switches, with holds of `slower` percent of what the ports need at least, to the last word; `None` if
    /// that takes `most` cycles or more.
    pub(super) fn run(
        mut self,
        circuits: Vec<Vec<Held>>,
        slower: u64,
        most: u64,
        tick: &mut dyn FnMut(u64),
    ) -> Result<Option<Planned>, Refusal> {
        let total = self.left;
        self.follow(circuits, slower);
        while self.left > 0 {
            if self.now >= most {
                return Ok(None);
            }
            tick(total - self.left);
            for at in 0..self.switches.len() {
                self.change(at);
            }
            self.join_others()?;
            self.step();
        }
        (0..self.switches.len()).for_each(|at| self.release(at));
        let Racks { racks, uplinks, delta } = *self.racks;
        Ok(Some(Planned {
            terminals: PlanFile::of_rows(self.sends.len() as u32, 0, 1, self.plan),
            circuits: PlanFile::of_rows(racks, delta, uplinks, self.circuits),
        }))
    }

    /// Takes plans for the optical switches, with holds as long as the ports need for the words that are left.
    fn follow(&mut self, circuits: Vec<Vec<Held>>, slower: u64) {
        let holds = |plane: &Vec<Held>| plane.iter().map(|held| u64::from(held.hold)).sum();
        let fastest: u64 = circuits.iter().map(holds).max().unwrap_or(0);
        let ports = self.sends.iter().chain(&self.receives).copied().max().unwrap_or(0);
        let percent = (ports * 100).checked_div(fastest).unwrap_or(0).max(100) * slower / 100;
        for (switch, plane) in self.switches.iter_mut().zip(circuits) {
            let slower = |held: Held| {
                let hold = (u64::from(held.hold) * percent).div_ceil(100);
                Held { hold: hold.try_into().unwrap_or(u32::MAX), ..held }
            };
            switch.next.extend(plane.into_iter().map(slower));
        }
    }

    /// If there are racks that no optical switch joins, now or later: permutations for those switches that have none planned.
    fn join_others(&mut self) -> Result<(), Refusal> {
        let is_free =
            |switch: &Switch| switch.to.is_none() || switch.end <= self.now && switch.next.is_empty();
        let free: Vec<usize> = (0..self.switches.len()).filter(|&at| is_free(&self.switches[at])).collect();
        if free.is_empty() || self.not_joined(|_| true)?.total() == 0 {
            return Ok(());
        }
        let between = self.not_joined(|switch| !is_free(switch))?;
        let fabric = Fabric { delta: self.racks.delta, planes: free.len() as u32, matchings: None };
        let held = few::cover(self.racks.racks as usize, between.matrix().to_vec());
        for (at, plane) in free.into_iter().zip(few::spread(&held, fabric).planes) {
            self.switches[at].next.extend(plane);
            self.change(at);
        }
        Ok(())
    }

    /// The words between racks that none of these optical switches joins.
    fn not_joined(&self, by: impl Fn(&Switch) -> bool) -> Result<Demand, Refusal> {
        let count = self.racks.racks as usize;
        let mut blocks = self.blocks.clone();
        for switch in self.switches.iter().filter(|switch| by(switch)) {
            for to in switch.to.iter().chain(switch.next.iter().map(|held| &held.to)) {
                to.iter().enumerate().for_each(|(from, &to)| blocks[from * count + usize::from(to)] = 0);
            }
        }
        self.racks.of_blocks(blocks)
    }

    /// Racks that a permutation joins, and that have words for each other.
    fn useful<'b>(&'b self, to: &'b [u16]) -> impl Iterator<Item = (usize, usize)> + 'b {
        let pairs = to.iter().enumerate().map(|(from, &to)| (from, usize::from(to)));
        let count = self.racks.racks as usize;
        pairs.filter(move |(from, to)| from != to && self.blocks[from * count + to] > 0)
    }

    /// Gives an optical switch its next permutation, if the one that it has is of no more use, or its time is over and another one waits.
    fn change(&mut self, at: usize) {
        let switch = &self.switches[at];
        if let Some(to) = &switch.to {
            let is_over = switch.end <= self.now && !switch.next.is_empty();
            if !is_over && self.useful(to).next().is_some() {
                return;
            }
            self.release(at);
        }
        while let Some(held) = self.switches[at].next.pop_front() {
            if self.useful(&held.to).next().is_some() {
                let switch = &mut self.switches[at];
                switch.start = self.now + u64::from(self.racks.delta);
                switch.end = switch.start + u64::from(held.hold);
                switch.to = Some(held.to);
                return;
            }
        }
    }

    /// Writes down how long an optical switch had its permutation.
    fn release(&mut self, at: usize) {
        let switch = &mut self.switches[at];
        let hold = self.now.saturating_sub(switch.start);
        if let Some(to) = switch.to.take().filter(|_| hold > 0) {
            self.circuits.push(Row { plane: at as u32, start: switch.start, hold, to });
        }
    }

    /// Chooses which terminal sends to which, and lets them send until an optical switch changes or some pairs have no words left.
    fn step(&mut self) {
        let n = self.sends.len();
        let count = self.racks.racks as usize;
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&terminal| (terminal / self.ports, Reverse(self.sends[terminal])));
        let mut to = vec![NONE; n];
        let mut busy = vec![false; n];
        let joined = self.switches.iter().filter(|switch| switch.start <= self.now);
        let mut links: Vec<(usize, usize)> =
            joined.flat_map(|switch| switch.to.as_deref()).flat_map(|to| self.useful(to)).collect();
        links.sort_by_key(|(from, to)| Reverse(self.blocks[from * count + to]));
        let mut is_full = vec![false; count * count];
        for (from, into) in links {
            // Where there was no pair, there is none for another uplink.
            if is_full[from * count + into] {
                continue;
            }
            let mut free =
                order[from * self.ports..][..self.ports].iter().filter(|&&source| to[source] == NONE);
            let pair = |&source: &usize| {
                let there = into * self.ports..(into + 1) * self.ports;
                let there = there.filter(|&there| !busy[there] && self.words[source * n + there] > 0);
                Some((source, there.max_by_key(|&there| self.receives[there])?))
            };
            match free.find_map(pair) {
                Some((source, there)) => {
                    to[source] = there as u16;
                    busy[there] = true;
                }
                None => is_full[from * count + into] = true,
            }
        }
        let mut matching = Matching::empty(self.ports);
        for rack in 0..count {
            if self.blocks[rack * count + rack] == 0 {
                continue;
            }
            let first = rack * self.ports;
            matching.clear();
            matching.allow_where(|row, column| {
                let (row, column) = (first + row, first + column);
                to[row] == NONE && !busy[column] && self.words[row * n + column] > 0
            });
            for &source in &order[first..first + self.ports] {
                if to[source] == NONE {
                    matching.augment(source - first);
                }
            }
            for (row, &column) in matching.column_of.iter().enumerate() {
                if column != crate::matching::NONE {
                    to[first + row] = (first + column as usize) as u16;
                }
            }
        }
        self.send(to);
    }

    fn send(&mut self, to: Vec<u16>) {
        let n = self.sends.len();
        let mut row = Row { plane: 0, start: self.now, hold: 0, to };
        let joined = self.switches.iter().filter(|switch| switch.to.is_some());
        let events = joined.flat_map(|switch| [switch.start, switch.end]).filter(|&event| event > self.now);
        let event = events.min().map_or(u64::MAX, |event| event - self.now);
        let mut words: Vec<u32> =
            row.circuits().map(|(source, to)| self.words[source * n + usize::from(to)]).collect();
        row.hold =
            together(&mut words).map_or(event, |cycles| cycles.clamp(self.keep.0, self.keep.1).min(event));
        for (source, to) in row.circuits() {
            let to = usize::from(to);
            let cell = &mut self.words[source * n + to];
            let moved = (*cell).min(row.hold as u32);
            *cell -= moved;
            let moved = u64::from(moved);
            self.sends[source] -= moved;
            self.receives[to] -= moved;
            self.blocks[source / self.ports * self.racks.racks as usize + to / self.ports] -= moved;
            self.left -= moved;
        }
        self.now = row.end();
        self.plan.push(row);
    }
}

/// For how many cycles pairs with so many words stay joined: as long as hardly any of them runs out. `None` without pairs.
fn together(words: &mut [u32]) -> Option<u64> {
    words.sort_unstable();
    let (count, mut ended) = (words.len() as u64, 0);
    let mut best = u64::from(*words.first()?);
    for (pairs, &cycles) in (0..).zip(words.iter()) {
        let cycles = u64::from(cycles);
        let carried = ended + (count - pairs) * cycles;
        if carried * 50 < cycles * count * 49 {
            break;
        }
        best = cycles;
        ended += cycles;
    }
    Some(best)
}
