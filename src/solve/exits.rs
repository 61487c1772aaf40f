//! Exits: the moves that lead out of a slice of an ending with bia. A slice has fixed bia.
//!
//! Every step, capture or promotion by a bia is an exit, and so is every capture of a bia. An exit
//! leads to solved positions, in another slice of the ending or in an ending with fewer bia or men.
//! All exits of a position are summed up by two numbers, which are computed before the first step:
//! the step at which the winner's best exit wins, and the last step at which the loser's best exit
//! still saves the loser. So exits cost a step only one more `or` for the winner and one more `and`
//! for the loser.
//!
//! The numbers are stored in bit planes. Sorting the positions by row and number, so that a step
//! reads only its own positions, was slower.

use super::bit_planes::BitPlanes;
use super::gather::Scratch;
use super::geometry::Geometry;
use super::lane::LaneWords;
use super::rows::or_into;

/// The exits of a slice, in lane order. All fields are empty if only kings have exits, as in
/// endings without bia.
#[derive(Debug, Default)]
pub struct Exits {
    /// With the winner to move: the step at which an exit wins, 0 if no exit wins. On the squares
    /// of the winner's fixed men the number has another meaning: the moves to the win, with the
    /// winner to move, after the lane's king has captured the fixed man there.
    pub win: BitPlanes,
    /// The squares of the winner's bia on which a capture by the lane's king loses at once, because
    /// it leads into an ending without bia that is won in time. There are no lanes if there are no
    /// such squares.
    pub at_once: LaneWords,
    /// With the loser to move: the greatest number of moves that the winner needs after an exit of
    /// the loser's men other than its king. It is 0 if there is no exit, or if every exit loses at
    /// once.
    pub hold: BitPlanes,
    /// With the loser to move: the positions in which an exit of its men saves the loser for good,
    /// because the winner cannot win after it.
    pub forever: LaneWords,
    /// With the loser to move: the positions in which the loser's men have an exit.
    pub moves: LaneWords,
}

/// The exits of a slice, with the largest steps at which they matter.
#[derive(Debug, Default)]
pub(super) struct ReadyExits {
    exits: Exits,
    largest_win: u16,
    largest_hold: u16,
}

impl ReadyExits {
    /// Finds the largest steps at which these exits matter.
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

    /// The squares of a lane on which the winner has a bia whose capture loses at once.
    #[inline(always)]
    pub fn at_once(&self, lane: usize) -> u64 {
        self.exits.at_once.get(lane).copied().unwrap_or(0)
    }

    /// Adds the positions won by an exit at this step to the moves and captures collected for a
    /// row. Returns true if there are any, and sets `captured` if any of the exits are captures.
    #[inline(always)]
    pub fn gather_wins(
        &self,
        geometry: &Geometry,
        step: u16,
        row: usize,
        scratch: &mut Scratch,
        captured: &mut bool,
    ) -> bool {
        if !(1..=self.largest_win).contains(&step) {
            return false;
        }
        let len = geometry.row_lanes;
        let level = &mut scratch.exits[..len];
        self.exits.win.level(step, row * len, level);
        let any = level.iter().fold(0, |any, word| any | word);
        if any == 0 {
            return false;
        }
        or_into(&mut scratch.moves, level);
        let fixed = geometry.layout.fixed_of_winner().0;
        if any & fixed != 0 {
            if !*captured {
                scratch.captures.fill(0);
            }
            for (sum, word) in scratch.captures.iter_mut().zip(&*level) {
                *sum |= word & fixed;
            }
            *captured = true;
        }
        true
    }

    /// True if a row has a position that an exit of the loser's men saves up to this step, but not
    /// after it.
    #[inline(always)]
    pub fn releases(&self, step: u16, first_lane: usize, scratch: &mut [u64]) -> bool {
        if !(1..=self.largest_hold).contains(&step) {
            return false;
        }
        self.exits.hold.level(step, first_lane, scratch);
        scratch.iter().fold(0, |any, word| any | word) != 0
    }

    /// Removes from a row the positions that an exit of the loser's men saves beyond this step.
    #[inline(always)]
    pub fn release_only(&self, step: u16, first_lane: usize, row: &mut [u64], scratch: &mut [u64]) {
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
