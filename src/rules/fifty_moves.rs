//! The fifty-move rule of ASEAN chess: fifty moves of each side without a capture are a draw.
//!
//! It ends the game also while a count against a bare king runs. [`super::count`] has what it leaves
//! of a game, and [`super::late_capture`] what a capture by the bare king gains. A pawn's move would
//! start it again as a capture does, but the endings here have no pawns.

/// Fifty moves of each side, in plies: with so many since the last capture an ASEAN game is drawn.
pub const FIFTY_MOVES_PLIES: u32 = 100;

/// The plies that may follow until the next capture, which itself may be the last of them.
pub(super) const fn plies_left(plies_since_capture: u32) -> u32 {
    FIFTY_MOVES_PLIES.saturating_sub(plies_since_capture)
}
