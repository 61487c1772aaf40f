//! ASEAN chess's fifty-move rule: fifty moves of each side without a capture are a draw.
//!
//! The rule also applies during a count against a bare king. [`super::allowance`] computes the
//! moves that the rule leaves, [`super::late_capture`] the time gained by a bare king's capture. In
//! a game a pawn's move restarts the rule too, but the tables of ASEAN chess have no pawns.

/// The number of plies without a capture after which an ASEAN game is drawn: fifty moves of each
/// side.
pub const FIFTY_MOVES_PLIES: u32 = 100;

/// The number of plies left for the next capture. The last of these plies may be the capture
/// itself.
pub(super) const fn plies_left(plies_since_capture: u32) -> u32 {
    FIFTY_MOVES_PLIES.saturating_sub(plies_since_capture)
}
