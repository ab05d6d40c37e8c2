//! The requests of a phase: only sides of splitters where a node waits are visited.

use super::Fast;
use super::column::{NONE, Outputs, of_port};
use frit_network::multibutterfly::{Node, SplitterSide};
use frit_network::{PortIdx, RowIdx};
use frit_router::multibutterfly::NodeEvent;

impl<S: FnMut(&NodeEvent)> Fast<'_, S> {
    pub(super) fn requests(&mut self, phase: u32) {
        let dimensions = self.shape.dimensions();
        if phase < dimensions {
            self.commit_unasked(phase);
        }
        for column in 0..dimensions.min(phase + 1) {
            for (number, side) in self.shape.sides(column).enumerate() {
                if !self.columns[column as usize].waiting[number].rows.is_empty() {
                    self.ask(side, number, phase);
                }
            }
        }
        if phase < dimensions {
            self.fill_with_ghosts(phase);
        }
    }

    /// Sides of a new column that are small enough, or in small splitters, take the first ports; the others wait.
    fn commit_unasked(&mut self, column: u32) {
        let threshold = self.problem.parameters().threshold_of(self.shape, column);
        let of = &mut self.columns[column as usize];
        let (full, mut ports) = (std::mem::take(&mut of.full), (0..of.ports).collect::<Vec<u32>>());
        let mut from = 0;
        for (number, side) in self.shape.sides(column).enumerate() {
            // Both sides of a splitter are among the same.
            let rows = self.shape.input_rows(side);
            from += full[from..].partition_point(|place| place / 2 < rows.start);
            let places = full[from..].iter().take_while(|&place| place / 2 < rows.end);
            for &place in places.filter(|&place| place % 2 == side.side) {
                let row = place / 2;
                if self.columns[column as usize].sides[place as usize].size > threshold {
                    self.columns[column as usize].waiting[number].rows.push(row);
                    continue;
                }
                ports = self.commit(side, RowIdx(row), ports, column);
            }
        }
        self.columns[column as usize].full = full;
    }

    /// Commits a side to ports. Gives them back.
    fn commit(&mut self, side: SplitterSide, row: RowIdx, ports: Vec<u32>, phase: u32) -> Vec<u32> {
        let SplitterSide { column, side, .. } = side;
        let ends = self.problem.network().ends(Node { column, row }, side);
        let ends = ports.iter().map(|&port| ends[port as usize]);
        self.columns[column as usize].commit((2 * row.0 + side) as usize, ends);
        let event = NodeEvent::Commit { phase, column, side, row, ports };
        (self.see)(&event);
        let NodeEvent::Commit { ports, .. } = event else { unreachable!("it is a commit") };
        ports
    }

    /// Step 2, and `force`, on a side of a splitter.
    fn ask(&mut self, side: SplitterSide, number: usize, phase: u32) {
        let p = self.problem.parameters();
        let mut waiting = std::mem::take(&mut self.columns[side.column as usize].waiting[number]);
        let before = waiting.rows.len();
        for _ in 0..p.requests {
            if waiting.silent.is_some() || waiting.rows.is_empty() {
                break;
            }
            self.post(side, &waiting.rows);
            let ports = u64::from(self.shape.ports(side.column));
            self.figures.requests += waiting.rows.len() as u64 * ports;
            let asked = waiting.rows.len();
            waiting.rows = self.grant(side, waiting.rows, phase);
            if waiting.rows.len() == asked {
                waiting.silent = Some(phase);
            }
        }
        if p.force && !waiting.rows.is_empty() {
            self.force(side, &waiting.rows, phase);
            waiting.rows.clear();
        }
        if waiting.rows.len() < before {
            if phase > side.column {
                self.figures.late += (before - waiting.rows.len()) as u64;
            }
            self.post(side, &waiting.rows);
        }
        self.outputs[side.column as usize].settled = false;
        self.columns[side.column as usize].waiting[number] = waiting;
    }

    fn post(&mut self, side: SplitterSide, waiting: &[u32]) {
        let rows = self.shape.output_rows(side);
        let rows = rows.start as usize..rows.end as usize;
        let Outputs { once, twice, .. } = &mut self.outputs[side.column as usize];
        once[rows.clone()].fill(0);
        twice[rows].fill(0);
        for &row in waiting {
            let size = self.columns[side.column as usize].sides[(2 * row + side.side) as usize].size;
            let batch = self.problem.parameters().batch(self.shape, side.column, size);
            for &end in self.problem.network().ends(Node { column: side.column, row: RowIdx(row) }, side.side)
            {
                let once = &mut once[end as usize];
                twice[end as usize] |= *once & batch;
                *once |= batch;
            }
        }
    }

    /// Commits those who have enough grants. Gives the others.
    fn grant(&mut self, side: SplitterSide, mut waiting: Vec<u32>, phase: u32) -> Vec<u32> {
        let SplitterSide { column, side: s, .. } = side;
        let network = self.problem.network();
        let needed = self.columns[column as usize].ports as usize;
        let mut ports = Vec::with_capacity(needed);
        waiting.retain(|&row| {
            let size = self.columns[column as usize].sides[(2 * row + s) as usize].size;
            let batch = self.problem.parameters().batch(self.shape, column, size);
            let twice = &self.outputs[column as usize].twice;
            ports.clear();
            let ends = (0..).zip(network.ends(Node { column, row: RowIdx(row) }, s));
            let granted = ends.filter(|&(_, &end)| twice[end as usize] & batch == 0);
            ports.extend(granted.map(|(port, _)| port).take(needed));
            if ports.len() < needed {
                return true;
            }
            ports = self.commit(side, RowIdx(row), std::mem::take(&mut ports), phase);
            false
        });
        waiting
    }

    /// Commits all that wait to their least requested ports.
    fn force(&mut self, side: SplitterSide, waiting: &[u32], phase: u32) {
        let SplitterSide { column, side: s, .. } = side;
        let network = self.problem.network();
        let first = self.shape.output_rows(side).start;
        let mut asked = vec![0u32; self.shape.outputs(column) as usize];
        for &row in waiting {
            let ends = network.ends(Node { column, row: RowIdx(row) }, s);
            ends.iter().for_each(|end| asked[(end - first) as usize] += 1);
        }
        for &row in waiting {
            let ends = (0..).zip(network.ends(Node { column, row: RowIdx(row) }, s));
            let mut order: Vec<(u32, u32)> =
                ends.map(|(port, end)| (asked[(end - first) as usize], port)).collect();
            order.sort_unstable();
            order.truncate(self.columns[column as usize].ports as usize);
            let mut ports: Vec<u32> = order.into_iter().map(|(_, port)| port).collect();
            ports.sort_unstable();
            self.commit(side, RowIdx(row), ports, phase);
        }
    }

    /// Step 5: the newest outputs keep ghosts for all that may come.
    fn fill_with_ghosts(&mut self, column: u32) {
        let (before, after) = self.columns.split_at_mut(column as usize + 1);
        let of = &before[column as usize];
        let outputs = &mut self.outputs[column as usize];
        for side in of.full.iter().map(|&place| &of.sides[place as usize]).filter(|side| side.ends != NONE) {
            for (q, &row) in (0..).zip(of.ends_of(side)) {
                outputs.coming[row as usize] += of_port(0, side.end, PortIdx(q), of.ports);
            }
        }
        for (row, (once, coming)) in outputs.once.iter().zip(&outputs.coming).enumerate() {
            let ghosts = once + coming;
            self.figures.max_raw = self.figures.max_raw.max(ghosts);
            if let Some(next) = after.first_mut() {
                next.sides[2 * row].end = ghosts;
                next.sides[2 * row + 1].end = ghosts;
            }
        }
        outputs.settled = false;
        if let Some(next) = after.first_mut() {
            next.busy = true;
        }
    }
}
