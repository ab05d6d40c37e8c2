//! Which rows meet at a switch.
//!
//! A row is a place in memory that holds one message per round. The message of a lane starts in the row of that lane,
//! and a switch leaves in the row of its upper input port what goes to its upper output port. So a link moves no data:
//! which row stands at which port of a stage follows from the link tables alone, the same for all rounds.

use frit_network::{LaneIdx, Network, StageIdx};

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
    /// The input lane of each row.
    pub lane_in: Vec<u32>,
    /// The output lane of each row.
    pub lane_out: Vec<u32>,
}

/// The row of an input lane.
///
/// The lanes that meet in a few stages of a butterfly are powers of two apart. Rows so far apart would share the few
/// sets of a cache that such a distance reaches, so the bits of a lane's number are folded into the four lowest, and
/// lanes that differ in four adjacent bits have rows side by side in these.
fn row(lane: LaneIdx, lanes: u32) -> u32 {
    if !lanes.is_power_of_two() {
        return lane.0;
    }
    // The shifts double, so that the last is by the lane's upper half or more: this adds lane >> 4, >> 8, >> 12, ...
    [4, 8, 16].iter().fold(lane.0, |row, by| row ^ row >> by)
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
        let lanes = network.lanes();
        let lane_in = by_row(LaneIdx::all(lanes).map(|lane| row(lane, lanes)));
        Wiring { meetings, lane_in, lane_out: by_row(rows.into_iter()) }
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
    let lanes = network.lanes();
    through(network.link(StageIdx(0)), &LaneIdx::all(lanes).map(|lane| row(lane, lanes)).collect::<Vec<_>>())
}

/// The lanes by row, of the rows by lane.
fn by_row(rows: impl ExactSizeIterator<Item = u32>) -> Vec<u32> {
    let mut lanes = vec![0; rows.len()];
    for (lane, row) in rows.enumerate() {
        lanes[row as usize] = lane as u32;
    }
    lanes
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
            assert_eq!(wiring.lane_out[row as usize] as usize, lane);
        }
    }

    #[test]
    fn every_lane_has_a_row_and_neighbours_in_any_four_bits_are_apart() {
        for lanes in [4, 10, 16, 1 << 10, 1 << 15, 258] {
            let mut rows: Vec<u32> = LaneIdx::all(lanes).map(|lane| row(lane, lanes)).collect();
            rows.sort_unstable();
            assert_eq!(rows, (0..lanes).collect::<Vec<_>>());
        }
        for bit in 0..12 {
            let mut low: Vec<u32> = (0..16).map(|four| row(LaneIdx(four << bit), 1 << 16) % 16).collect();
            low.sort_unstable();
            assert_eq!(low, (0..16).collect::<Vec<_>>());
        }
    }
}
