//! What is said of arrivals, by whatever checks them, and the room that it takes.

use super::plane::Vector;

/// The most bits that a lane's number has.
pub(super) const MAX_LANE_BITS: usize = 32;

/// Room for a number that is halved at each of up to [`MAX_LANE_BITS`] stages.
pub(super) type Halved = [Vector; 2 * MAX_LANE_BITS];

/// What is to be said of some arrivals: a bit for each.
#[derive(Clone, Copy, Default)]
pub(super) struct Arrived {
    /// It belongs elsewhere.
    pub astray: Vector,
    /// Under stage control: if all words are run, its pair comes in another round as well, and counts there.
    pub again: Vector,
}

impl From<Vector> for Arrived {
    fn from(astray: Vector) -> Self {
        Arrived { astray, ..Arrived::default() }
    }
}
