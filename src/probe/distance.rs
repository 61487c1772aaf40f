//! Distances to mate, as the player to move sees them.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use serde::Serialize;

use crate::board::Color;
use crate::rules::{FIFTY_MOVES_PLIES, Outcome, plies_of_late_capture};

/// A number of moves of the winning side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Moves(pub u16);

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// How a position ends for one player when both play their best and nothing is counted.
///
/// It is ordered as that player would have it: the shortest win is the greatest, the shortest loss
/// the least. `-dtm` is the same position as the other player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The player mates in this number of its own moves.
    Win(Moves),
    /// Neither side can force mate.
    Draw,
    /// The player is mated in this number of moves of the opponent; 0 if it is mated on the board.
    Loss(Moves),
}

impl Distance {
    /// The distance, unless it is a draw.
    pub const fn moves(self) -> Option<Moves> {
        match self {
            Distance::Win(moves) | Distance::Loss(moves) => Some(moves),
            Distance::Draw => None,
        }
    }

    /// What it is worth to have moved into a position, from what that position is worth to the
    /// player to move there.
    #[must_use]
    pub const fn before_move(self) -> Distance {
        match self {
            // The move made is one of the winner's.
            Distance::Loss(Moves(moves)) => Distance::Win(Moves(moves.saturating_add(1))),
            Distance::Draw => Distance::Draw,
            Distance::Win(moves) => Distance::Loss(moves),
        }
    }

    // In ASEAN chess, with men on both sides, the fifty-move rule has either side capture in time,
    // or mate. The plies until then, of both sides, are looked up in place of moves: the last may be
    // a capture that the loser is forced to make, which moves of the winner could not tell from one of
    // its own. A win that takes more plies than the rule leaves after a capture is none.

    /// From moves of the winner, the last ply being its own, to plies.
    #[must_use]
    pub(super) fn moves_to_plies(self) -> Distance {
        match self {
            Distance::Win(Moves(moves)) => {
                Distance::Win(Moves(moves.saturating_mul(2).saturating_sub(1)))
            }
            Distance::Draw => Distance::Draw,
            Distance::Loss(Moves(moves)) => Distance::Loss(Moves(moves.saturating_mul(2))),
        }
        .within_fifty_moves()
    }

    /// From plies to the moves of the winner among them.
    #[must_use]
    pub(super) const fn plies_to_moves(self) -> Distance {
        match self {
            Distance::Win(Moves(plies)) => Distance::Win(Moves(plies.div_ceil(2))),
            Distance::Draw => Distance::Draw,
            Distance::Loss(Moves(plies)) => Distance::Loss(Moves(plies / 2)),
        }
    }

    /// [`Distance::before_move`], in plies.
    #[must_use]
    pub(super) fn before_ply(self) -> Distance {
        match self {
            Distance::Loss(Moves(plies)) => Distance::Win(Moves(plies.saturating_add(1))),
            Distance::Draw => Distance::Draw,
            Distance::Win(Moves(plies)) => Distance::Loss(Moves(plies.saturating_add(1))),
        }
        .within_fifty_moves()
    }

    fn within_fifty_moves(self) -> Distance {
        match self.moves() {
            Some(Moves(plies)) if u32::from(plies) > FIFTY_MOVES_PLIES => Distance::Draw,
            _ => self,
        }
    }

    /// What it is worth, in plies, to have captured into a position, for the player to move there:
    /// the win stands or it does not.
    #[must_use]
    pub(super) const fn after_restart(self) -> Distance {
        match self {
            Distance::Win(_) => Distance::Win(Moves(0)),
            Distance::Draw => Distance::Draw,
            Distance::Loss(_) => Distance::Loss(Moves(0)),
        }
    }

    /// What it is worth, in plies, that a bare king has captured into a position of this distance to
    /// mate, for the other player, who is to move there.
    #[must_use]
    pub(super) fn after_late_capture(self) -> Distance {
        match self {
            // The capture itself is a ply, which is counted when it is made.
            Distance::Win(Moves(moves)) => {
                Distance::Win(Moves(plies_of_late_capture(moves).saturating_sub(1)))
            }
            _ => Distance::Draw,
        }
    }

    /// The same, naming the winner by its colour, if the player has this one.
    pub fn outcome(self, player: Color) -> Outcome {
        match self {
            Distance::Draw => Outcome::Draw,
            Distance::Win(Moves(moves)) => Outcome::Win {
                winner: player,
                moves: moves.into(),
            },
            Distance::Loss(Moves(moves)) => Outcome::Win {
                winner: !player,
                moves: moves.into(),
            },
        }
    }

    /// The side that mates, if the player has this colour.
    pub fn winner(self, player: Color) -> Option<Color> {
        match self {
            Distance::Win(_) => Some(player),
            Distance::Draw => None,
            Distance::Loss(_) => Some(!player),
        }
    }

    /// A number that is the greater the better it is for the player.
    fn rank(self) -> i32 {
        match self {
            Distance::Win(Moves(moves)) => (1 << 20) - i32::from(moves),
            Distance::Draw => 0,
            Distance::Loss(Moves(moves)) => i32::from(moves) - (1 << 20),
        }
    }
}

impl Neg for Distance {
    type Output = Distance;

    fn neg(self) -> Distance {
        match self {
            Distance::Win(moves) => Distance::Loss(moves),
            Distance::Draw => Distance::Draw,
            Distance::Loss(moves) => Distance::Win(moves),
        }
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Distance) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Distance) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_prefers_a_short_win_and_a_long_loss() {
        let worst_first = [
            Distance::Loss(Moves(0)),
            Distance::Loss(Moves(9)),
            Distance::Draw,
            Distance::Win(Moves(9)),
            Distance::Win(Moves(1)),
        ];
        assert!(worst_first.is_sorted());
        let mut opposite = worst_first.map(Distance::neg);
        opposite.reverse();
        assert!(opposite.is_sorted());
    }

    #[test]
    fn the_winners_moves_are_counted_and_the_losers_are_not() {
        assert_eq!(
            Distance::Loss(Moves(0)).before_move(),
            Distance::Win(Moves(1))
        );
        assert_eq!(
            Distance::Win(Moves(5)).before_move(),
            Distance::Loss(Moves(5))
        );
        assert_eq!(Distance::Draw.before_move(), Distance::Draw);
    }
}
