//! Exits: the moves that lead out of a slice of an ending with bia. In a slice, all bia are fixed.
//!
//! Every step, capture or promotion by a bia is an exit, and so is every capture of a bia. An exit
//! leads to solved positions, in another slice of the ending or in an ending with fewer bia or men.
//! Two numbers, computed before the first step, sum up all exits of a position: the step at which
//! the winner's best exit wins, and the step at which the loser's best exit stops saving the loser.
//! So in each step the exits cost only one more `or` for the winner and one more `and` for the
//! loser.
//!
//! The numbers are stored in bit planes. An alternative was slower: sorting the positions by row
//! and number, so that each step reads only the positions that it changes.

use super::bit_planes::BitPlanes;
use super::gather::Scratch;
use super::geometry::Geometry;
use super::lane::LaneWords;
use super::rows::or_into;

/// The exits of a slice, in lane order. All fields are empty for endings without bia.
#[derive(Debug, Default)]
pub struct Exits {
    /// With the winner to move: the step at which the winner's best exit wins, or 0 if no exit
    /// wins. If the lane's king is on the square of a fixed man of the winner, it has just captured
    /// that man. Then the number is the distance to the win after the capture, with the winner to
    /// move; in a solve by plies it includes the ply of the capture, as in a leaf.
    pub win: BitPlanes,
    /// The squares on which the lane's king can capture a bia of the winner but then loses at once,
    /// because the winner still wins in time without the bia. Empty if there are none.
    pub at_once: LaneWords,
    /// With the loser to move: the number of moves that the winner needs after the best exit of the
    /// loser's men other than the king; 0 if there is no exit, or if every exit loses at once. In a
    /// solve by plies it includes the ply of the exit.
    pub hold: BitPlanes,
    /// With the loser to move: the positions in which an exit of the loser's men leads to a
    /// position that the winner cannot win.
    pub forever: LaneWords,
    /// With the loser to move: the positions in which the loser's men have an exit.
    pub moves: LaneWords,
}

/// The exits of a slice, with the last steps at which they can change a position.
#[derive(Debug, Default)]
pub(super) struct ReadyExits {
    exits: Exits,
    largest_win: u16,
    largest_hold: u16,
}

impl ReadyExits {
    /// Prepares the exits for the steps of a solve.
    pub fn new(exits: Exits) -> ReadyExits {
        ReadyExits {
            largest_win: exits.win.largest(),
            largest_hold: exits.hold.largest(),
            exits,
        }
    }

    /// The last step at which an exit changes a position.
    pub fn last(&self) -> u16 {
        self.largest_win.max(self.largest_hold)
    }

    /// The squares on which the lane's king can capture a bia of the winner but then loses at once.
    #[inline(always)]
    pub fn at_once(&self, lane: usize) -> u64 {
        self.exits.at_once.get(lane).copied().unwrap_or(0)
    }

    /// Finds the positions in a row that are won by an exit at distance `won`, and adds them to
    /// `scratch.moves`. Adds those in which the lane's king has just captured a fixed man, and loses
    /// at distance `lost`, to `scratch.captures`. Returns true if it finds any wins. Sets `captured`
    /// if it adds any losses. In a solve by moves, the distances are equal.
    #[inline(always)]
    pub fn gather_wins(
        &self,
        geometry: &Geometry,
        (won, lost): (u16, Option<u16>),
        row: usize,
        scratch: &mut Scratch,
        captured: &mut bool,
    ) -> bool {
        let len = geometry.row_lanes;
        let moved = self.wins_at(won, row * len, &mut scratch.exits[..len]);
        if moved != 0 {
            or_into(&mut scratch.moves, &scratch.exits[..len]);
        }
        let any = match lost {
            Some(lost) if lost != won => self.wins_at(lost, row * len, &mut scratch.exits[..len]),
            Some(_) => moved,
            None => 0,
        };
        let fixed = geometry.layout.fixed_of_winner().0;
        if any & fixed != 0 {
            if !*captured {
                scratch.captures.fill(0);
            }
            for (sum, word) in scratch.captures.iter_mut().zip(&scratch.exits[..len]) {
                *sum |= word & fixed;
            }
            *captured = true;
        }
        moved != 0
    }

    /// Writes the positions of a row whose best exit wins at this step to `level`. Returns all words
    /// combined by `or`; if it is 0, `level` may be undefined.
    #[inline(always)]
    fn wins_at(&self, step: u16, first_lane: usize, level: &mut [u64]) -> u64 {
        if !(1..=self.largest_win).contains(&step) {
            return 0;
        }
        self.exits.win.level(step, first_lane, level);
        level.iter().fold(0, |any, word| any | word)
    }

    /// True if, in some position of the row, the best exit of the loser's men stops saving the
    /// loser at this step. `scratch` is a buffer for one row.
    #[inline(always)]
    pub fn releases(&self, step: u16, first_lane: usize, scratch: &mut [u64]) -> bool {
        if !(1..=self.largest_hold).contains(&step) {
            return false;
        }
        self.exits.hold.level(step, first_lane, scratch);
        scratch.iter().fold(0, |any, word| any | word) != 0
    }

    /// Removes from `row` the positions in which an exit of the loser's men saves the loser beyond
    /// this step. `scratch` is a buffer for one row.
    #[inline(always)]
    pub fn remove_saved(&self, step: u16, first_lane: usize, row: &mut [u64], scratch: &mut [u64]) {
        if self.exits.moves.is_empty() {
            return;
        }
        self.exits.hold.above(step, first_lane, scratch);
        let forever = &self.exits.forever[first_lane..];
        for ((word, held), forever) in row.iter_mut().zip(scratch).zip(forever) {
            *word &= !(*held | forever);
        }
    }

    /// The positions of a lane in which the loser's men have an exit.
    #[inline(always)]
    pub fn moves(&self, lane: usize) -> u64 {
        self.exits.moves.get(lane).copied().unwrap_or(0)
    }
}
