//! ASEAN chess's fifty-move rule: fifty moves of each side without a capture are a draw.
//!
//! It also applies during a count against a bare king. [`super::count`] computes the allowance,
//! [`super::late_capture`] the gain by a bare king's capture. A pawn's move restarts the rule like
//! a capture, but these endings have no pawns in ASEAN chess.

/// Fifty moves of each side, in plies: so many since the last capture draw an ASEAN game.
pub const FIFTY_MOVES_PLIES: u32 = 100;

/// The plies left until the next capture, which may be the last of them.
pub(super) const fn plies_left(plies_since_capture: u32) -> u32 {
    FIFTY_MOVES_PLIES.saturating_sub(plies_since_capture)
}
