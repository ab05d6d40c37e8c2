//! Which rows meet at a switch.
//!
//! A row is a place in memory that holds one message per round. The message of lane l starts in row l, and a switch
//! leaves in the row of its upper input port what goes to its upper output port. So a link moves no data: which row
//! stands at which port of a stage follows from the link tables alone, the same for all rounds.

use frit_network::{Network, StageIdx};

/// Where a row goes at a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meeting(u32);

impl Meeting {
    fn new(partner: u32, switch: u32, lower: bool) -> Meeting {
        Meeting(partner << 2 | (switch & 1) << 1 | lower as u32)
    }

    /// The row at the other input of the switch.
    pub fn partner(self) -> u32 {
        self.0 >> 2
    }

    /// The number of the switch modulo 2.
    pub fn parity(self) -> u32 {
        self.0 >> 1 & 1
    }

    /// Whether this row is at the lower input port (side 1).
    pub fn lower(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The rows at the ports of a network.
pub(super) struct Wiring {
    /// For each stage and row whom it meets.
    pub meetings: Vec<Vec<Meeting>>,
    /// The output lane of each row.
    pub lane_of: Vec<u32>,
}

impl Wiring {
    /// Follows the link tables.
    pub fn new(network: &Network) -> Wiring {
        let mut meetings = Vec::new();
        let mut rows = at_inputs(network);
        for stage in 0..network.stages() {
            let mut column = vec![Meeting(0); rows.len()];
            for (switch, pair) in rows.chunks_exact(2).enumerate() {
                column[pair[0] as usize] = Meeting::new(pair[1], switch as u32, false);
                column[pair[1] as usize] = Meeting::new(pair[0], switch as u32, true);
            }
            meetings.push(column);
            rows = through(network.link(StageIdx(stage + 1)), &rows);
        }
        let mut lane_of = vec![0; rows.len()];
        for (lane, &row) in rows.iter().enumerate() {
            lane_of[row as usize] = lane as u32;
        }
        Wiring { meetings, lane_of }
    }
}

/// The rows at the input ports of every stage, by port, and at last at the output lanes.
pub(super) fn columns(network: &Network) -> Vec<Vec<u32>> {
    let mut columns = vec![at_inputs(network)];
    for stage in 0..network.stages() {
        let next = through(network.link(StageIdx(stage + 1)), &columns[stage as usize]);
        columns.push(next);
    }
    columns
}

fn at_inputs(network: &Network) -> Vec<u32> {
    through(network.link(StageIdx(0)), &(0..network.lanes()).collect::<Vec<_>>())
}

fn through(link: &[u32], rows: &[u32]) -> Vec<u32> {
    let mut moved = vec![0; rows.len()];
    for (&to, &row) in link.iter().zip(rows) {
        moved[to as usize] = row;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::shuffle_exchange;

    #[test]
    fn meetings_are_those_of_the_ports() {
        let network = shuffle_exchange(10).unwrap();
        let (wiring, columns) = (Wiring::new(&network), columns(&network));
        for (column, meetings) in columns.iter().zip(&wiring.meetings) {
            for (port, &row) in column.iter().enumerate() {
                let meeting = meetings[row as usize];
                assert_eq!(meeting.partner(), column[port ^ 1]);
                assert_eq!(meeting.parity() as usize, port / 2 % 2);
                assert_eq!(meeting.lower(), port % 2 == 1);
            }
        }
        for (lane, &row) in columns[4].iter().enumerate() {
            assert_eq!(wiring.lane_of[row as usize] as usize, lane);
        }
    }
}
