//! Where the switches and wires of a planned system are drawn: stages from left to right, lanes from top to bottom.

use serde::Serialize;

/// Between the lanes of one switch, and between switches.
const LANE_GAP: u32 = 24;
const SWITCH_GAP: u32 = 34;
/// Between the boxes of two stages, at least; where there are many lanes as much as keeps the drawing wider than high.
const STAGE_GAP: u32 = 128;
/// Room for the part of a wire that goes up or down.
const SLANT: u32 = 76;
/// The longest straight beginning of a wire: a longer label is crossed by wires.
const MAX_LEAD: u32 = 110;
const BOX_WIDTH: u32 = 44;
/// Room for the terminals and their numbers, and for headings.
const SIDE: u32 = 100;
const TOP: u32 = 56;
/// Between two wires that lead back to the inputs.
const BACK_GAP: u32 = 4;

/// Places on a drawing, in its units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// Its size.
    pub width: u32,
    /// Its size.
    pub height: u32,
    /// The left side of the boxes of each stage.
    pub box_x: Vec<u32>,
    /// Their width.
    pub box_width: u32,
    /// The height of each lane.
    pub lane_y: Vec<u32>,
    /// The straight beginning of each wire: room for a message and its label.
    pub lead: u32,
    /// Where the wires begin.
    pub input_x: u32,
    /// Where they end.
    pub output_x: u32,
    /// The height of each lane's wire back to the inputs, above everything, if there are some.
    pub back_y: Vec<u32>,
}

impl Layout {
    /// Of a network with so many lanes and stages; with wires back to the inputs if messages pass it twice. Without stages no switch joins
    /// lanes in pairs, and all are equally far apart.
    pub fn new(lanes: u32, stages: u32, back: bool) -> Self {
        let room = if back { 16 + lanes * BACK_GAP } else { 0 };
        let top = TOP + room;
        let pair = if stages == 0 { 2 * LANE_GAP } else { LANE_GAP + SWITCH_GAP };
        let lane_y: Vec<u32> =
            (0..lanes).map(|lane| top + 20 + lane / 2 * pair + lane % 2 * LANE_GAP).collect();
        let height = lane_y.last().copied().unwrap_or(top) + 48;
        let lead = lead(lanes, if back { 2 * stages } else { stages });
        let wide = (height * 7 / 5 / (stages + 1)).saturating_sub(BOX_WIDTH);
        let gap = wide.max(STAGE_GAP).max(lead + SLANT);
        let input_x = SIDE;
        let box_x: Vec<u32> =
            (0..stages).map(|stage| input_x + gap + stage * (BOX_WIDTH + gap) - gap / 4).collect();
        let output_x = box_x.last().map_or(input_x, |last| last + BOX_WIDTH) + gap * 3 / 4;
        let back_y = if back {
            (0..lanes).map(|lane| TOP + 8 + (lanes - 1 - lane) * BACK_GAP).collect()
        } else {
            vec![]
        };
        Layout {
            width: output_x + SIDE,
            height,
            box_x,
            box_width: BOX_WIDTH,
            lane_y,
            lead,
            input_x,
            output_x,
            back_y,
        }
    }

    /// The box of a switch: left, top, width, height.
    pub fn switch(&self, stage: u32, switch: u32) -> [u32; 4] {
        let [upper, lower] = [0, 1].map(|side| self.lane_y[(2 * switch + side) as usize]);
        [self.box_x[stage as usize], upper - 10, self.box_width, lower - upper + 20]
    }
}

/// A label of a bit a hop and the number of a source, in characters 6 units wide.
fn lead(lanes: u32, hops: u32) -> u32 {
    let digits = lanes.saturating_sub(1).max(1).ilog10() + 1;
    (6 * (hops + digits + 1) + 10).min(MAX_LEAD)
}
