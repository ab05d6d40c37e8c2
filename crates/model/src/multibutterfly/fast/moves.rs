//! The moves of a phase: a round takes the columns from the last to the first, each with its outputs.

use super::Fast;
use super::column::{Bank, Column, NONE, in_bank};
use frit_router::multibutterfly::NodeEvent;
use std::ops::Range;

impl<S: FnMut(NodeEvent)> Fast<'_, S> {
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
        for row in 0..self.shape.rows() {
            for side in sides {
                let place = (2 * row + side) as usize;
                let of = self.columns[column as usize].sides[place];
                if of.end == of.sent {
                    continue;
                }
                if of.committed {
                    most = most.max(self.send(column, place, phase));
                    reported |= of.end > of.placed;
                    busy |= of.end > of.placed;
                } else {
                    busy = true;
                }
            }
        }
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
        let Column { sides, banks, bank_count, .. } = &mut before[column as usize];
        let (of, banks_of) = (&mut sides[place], place * *bank_count as usize);
        let mut next_column = after.first_mut();
        let (mut most, messages) = (0, self.problem.messages());
        for (q, bank) in (0..).zip(&mut banks[banks_of..][..*bank_count as usize]) {
            self.outputs[column as usize].coming[bank.to as usize] +=
                in_bank(of.placed, of.end, q, *bank_count);
            let Bank { first, to: row, .. } = *bank;
            (bank.first, bank.last) = (NONE, NONE);
            let (mut message, mut count) = (first, 0);
            while message != NONE {
                let behind = self.next[message as usize];
                count += 1;
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
                        (self.see)(NodeEvent::Place { phase, column, row, side, buffer, message });
                    }
                    None => {
                        self.arrived[message as usize] = true;
                        self.delivered += 1;
                        (self.see)(NodeEvent::Deliver { phase, column: column + 1, row, message });
                    }
                }
                message = behind;
            }
            self.figures.moves += u64::from(count);
            most = most.max(count);
        }
        of.sent = of.placed;
        most
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
