//! Sums over all positions with Black to move.

use super::lanes::{Lane, Plane};
use super::sample::Sample;
use sakmak::board::SquareSet;

/// The sums over all positions with Black to move.
#[derive(Clone, Debug, Default)]
pub struct BlackSums {
    /// The number of positions that White wins.
    pub white: u64,
    /// The number of positions that neither side wins.
    pub drawn: u64,
    /// The number of positions that Black wins.
    pub black: u64,
    /// The numbers of mutual zugzwangs of three kinds, each with a sample. Positions of the first
    /// kind are won for White with Black to move, but drawn with White to move. Those of the second
    /// kind are won for Black with White to move, but drawn with Black to move. Those of the third
    /// kind are lost for the side to move, whichever it is.
    pub zugzwangs: [(u64, Sample); 3],
}

impl BlackSums {
    /// Adds the lanes of a plane (positions that differ only in the kings).
    pub fn add(&mut self, plane: &Plane<'_>) {
        for lane in plane.lanes {
            self.add_lane(plane, lane);
        }
    }

    fn add_lane(&mut self, plane: &Plane<'_>, lane: &Lane) {
        let (white, black) = (lane.white_to_move.on_board, lane.black_to_move);
        let n = |set: SquareSet| set.len() as u64 * lane.weight;
        self.white += n(black.white);
        self.drawn += n(black.drawn);
        self.black += n(black.black);
        let found = [
            white.drawn & black.white,
            white.black & black.drawn,
            white.black & black.white,
        ];
        for ((number, sample), found) in self.zugzwangs.iter_mut().zip(found) {
            if !found.is_empty() {
                *number += n(found);
                sample.offer(&plane.placing(lane), found);
            }
        }
    }

    /// Adds the sums of another task.
    #[must_use]
    pub fn merge(mut self, other: BlackSums) -> BlackSums {
        self.white += other.white;
        self.drawn += other.drawn;
        self.black += other.black;
        for (a, b) in self.zugzwangs.iter_mut().zip(other.zugzwangs) {
            a.0 += b.0;
            a.1.merge(b.1);
        }
        self
    }
}
