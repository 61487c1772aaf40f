//! Exits: what leads out of a slice of an ending with bia.
//!
//! In a slice the bia stand fixed. A bia's step, capture or promotion, and the capture of a bia, lead
//! to what has been solved before: another slice of the ending, or an ending with fewer bia or men.
//! All of a position's exits together are worth two numbers, worked out once before the first step:
//! the move with which the winner's best exit wins, and the move up to which the loser's best exit
//! keeps it from having lost. A step then has one more `or` for the winner, and one more `and` for
//! the loser.
//!
//! The numbers lie in bit planes. Sorting their positions by row and number beforehand, so that a step
//! reads no others, was slower.

use super::bit_planes::BitPlanes;
use super::gather::Scratch;
use super::geometry::Geometry;
use super::lane::LaneWords;
use super::rows::or_into;

/// The exits of a slice, in the order of its lanes. Where no man but a king has a way out, as in
/// endings without bia, there is nothing in it.
#[derive(Debug, Default)]
pub struct Exits {
    /// Winner to move: the number of the move with which an exit wins, 0 where none does. On a square
    /// of the winner's bia: the moves to the win, the winner to move, once the lane's king has taken it.
    pub win: BitPlanes,
    /// The squares of the winner's bia that the lane's king may take only to have lost at once: it has
    /// led into an ending without bia that is won in time. No lanes if there are none.
    pub at_once: LaneWords,
    /// Loser to move: of its men's exits (not its king's) the most moves in which the winner wins
    /// after one, 0 if there is none or it loses at once.
    pub hold: BitPlanes,
    /// Loser to move: some exit of its men is never lost.
    pub forever: LaneWords,
    /// Loser to move: its men have an exit, whatever it is worth.
    pub moves: LaneWords,
}

/// The exits as a run asks for them, step by step.
#[derive(Debug, Default)]
pub(super) struct ReadyExits {
    exits: Exits,
    largest_win: u16,
    largest_hold: u16,
}

impl ReadyExits {
    /// Makes the exits ready.
    pub fn new(exits: Exits) -> ReadyExits {
        ReadyExits {
            largest_win: exits.win.largest(),
            largest_hold: exits.hold.largest(),
            exits,
        }
    }

    /// The largest step at which an exit changes anything.
    pub fn last(&self) -> u16 {
        self.largest_win.max(self.largest_hold)
    }

    /// The squares of the winner's bia whose capture loses at once, for a lane.
    #[inline(always)]
    pub fn at_once(&self, lane: usize) -> u64 {
        self.exits.at_once.get(lane).copied().unwrap_or(0)
    }

    /// Adds what exits win with this move to the moves and captures gathered for a row. Returns whether
    /// there is any; `captured` tells whether there are captures.
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
        let bia = geometry.layout.bia().of(geometry.layout.winner()).0;
        if any & bia != 0 {
            if !*captured {
                scratch.captures.fill(0);
            }
            for (sum, word) in scratch.captures.iter_mut().zip(&*level) {
                *sum |= word & bia;
            }
            *captured = true;
        }
        true
    }

    /// Whether an exit of the loser's men in a row holds no longer from this step on.
    #[inline(always)]
    pub fn releases(&self, step: u16, first_lane: usize, scratch: &mut [u64]) -> bool {
        if !(1..=self.largest_hold).contains(&step) {
            return false;
        }
        self.exits.hold.level(step, first_lane, scratch);
        scratch.iter().fold(0, |any, word| any | word) != 0
    }

    /// Takes from a row's positions those that an exit of the loser's men still holds after this step.
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
