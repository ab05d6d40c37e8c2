//! The moves of a phase: a round takes the columns from the last to the first, each with its outputs.

use super::Fast;
use super::column::{NONE, of_port};
use frit_network::{PortIdx, RowIdx};
use frit_router::multibutterfly::NodeEvent;
use std::ops::Range;

impl<S: FnMut(&NodeEvent)> Fast<'_, S> {
    /// A round, for the sides given: both, or one.
    pub(super) fn round_of_moves(&mut self, phase: u32, sides: &[u32]) {
        let mut most = 0;
        for column in (0..self.shape.dimensions().min(phase + 1)).rev() {
            if self.columns[column as usize].busy || !self.outputs[column as usize].settled {
                most = most.max(self.round_of_column(column, phase, sides));
            }
        }
        self.figures.max_link = self.figures.max_link.max(most);
        self.figures.word_steps += u64::from(most) + 1;
    }

    /// A round of a column and its outputs. Gives the most messages on an edge.
    fn round_of_column(&mut self, column: u32, phase: u32, sides: &[u32]) -> u32 {
        // The rows of the outputs of each side come in turns of m.
        let outputs = self.shape.outputs(column);
        let runs = (0..1 << column).flat_map(|splitter| sides.iter().map(move |side| 2 * splitter + side));
        let runs = runs.map(|half| (half * outputs) as usize..((half + 1) * outputs) as usize);
        for rows in runs.clone() {
            self.outputs[column as usize].coming[rows].fill(0);
        }
        let (mut most, mut busy, mut reported) = (0, sides.len() < 2, false);
        let full = std::mem::take(&mut self.columns[column as usize].full);
        for &place in full.iter().filter(|&place| sides.contains(&(place % 2))) {
            let of = self.columns[column as usize].sides[place as usize];
            if of.end == of.sent {
                continue;
            }
            if of.ends == NONE {
                busy = true;
            } else {
                most = most.max(self.send(column, place as usize, phase));
                reported |= of.end > of.placed;
                busy |= of.end > of.placed;
            }
        }
        self.columns[column as usize].full = full;
        self.columns[column as usize].busy = busy;
        self.outputs[column as usize].settled = !reported && sides.len() == 2;
        for rows in runs {
            self.delete_ghosts(column, rows);
        }
        most
    }

    /// Sends all messages of a side, and reports its ghosts. Gives the most messages on an edge.
    #[inline]
    fn send(&mut self, column: u32, place: usize, phase: u32) -> u32 {
        let (before, after) = self.columns.split_at_mut(column as usize + 1);
        let of = before[column as usize].sides[place];
        let ends = before[column as usize].ends_of(&of);
        let (mut next_column, messages) = (after.first_mut(), self.problem.messages());
        let ports = ends.len() as u32;
        if of.placed < of.end {
            for (q, &row) in (0..).zip(ends) {
                self.outputs[column as usize].coming[row as usize] +=
                    of_port(of.placed, of.end, PortIdx(q), ports);
            }
        }
        let count = of.placed - of.sent;
        self.sent.clear();
        let mut message = of.first;
        for _ in 0..count {
            self.sent.push(message);
            message = self.next[message as usize];
        }
        // Port by port; message k is in buffer `sent` + k.
        let mut first = of.sent.wrapping_neg();
        let mut at = count;
        for _ in 0..count {
            while at >= count {
                at = first & (ports - 1);
                first = first.wrapping_add(1);
            }
            let (row, message) = (ends[((of.sent + at) & (ports - 1)) as usize], self.sent[at as usize]);
            at += ports;
            match &mut next_column {
                Some(next_column) => {
                    let side = self.shape.side_to(messages[message as usize].destination, column + 1);
                    let to = (2 * row + side) as usize;
                    let buffer = next_column.push(to, message, &mut self.next);
                    assert!(
                        buffer < next_column.sides[to].end,
                        "phase {phase}, column {}, row {row}, side {side}: no ghost for message {message}",
                        column + 1
                    );
                    let column = column + 1;
                    (self.see)(&NodeEvent::Place { phase, column, row: RowIdx(row), side, buffer, message });
                }
                None => {
                    self.arrived[message as usize] = true;
                    self.delivered += 1;
                    (self.see)(&NodeEvent::Deliver { phase, column: column + 1, row: RowIdx(row), message });
                }
            }
        }
        let of = &mut before[column as usize].sides[place];
        (of.sent, of.first, of.last) = (of.placed, NONE, NONE);
        self.figures.moves += u64::from(count);
        count.div_ceil(ports)
    }

    /// Outputs keep g' + g'' ghosts on both sides.
    fn delete_ghosts(&mut self, column: u32, rows: Range<usize>) {
        let outputs = &self.outputs[column as usize];
        let Some(next) = self.columns.get_mut(column as usize + 1) else { return };
        let needed = outputs.once[rows.clone()].iter().zip(&outputs.coming[rows.clone()]);
        let mut deleted = 0;
        let mut busy = false;
        for (sides, (once, coming)) in
            next.sides[2 * rows.start..2 * rows.end].chunks_exact_mut(2).zip(needed)
        {
            for side in sides {
                let end = side.placed + once + coming;
                assert!(end <= side.end, "column {}: fewer ghosts than are needed", column + 1);
                deleted += u64::from(side.end - end);
                side.end = end;
                busy |= end > side.sent;
            }
        }
        next.busy |= busy;
        self.figures.ghosts_deleted += deleted;
    }
}
