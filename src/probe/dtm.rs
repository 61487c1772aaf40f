//! Distances to mate, as the player to move sees them.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use serde::Serialize;

use crate::board::Color;
use crate::rules::Outcome;

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
pub enum Dtm {
    /// The player mates in so many of its own moves.
    Win(Moves),
    /// Neither side can force mate.
    Draw,
    /// The player is mated in so many moves of the opponent; 0 if it is mated on the board.
    Loss(Moves),
}

impl Dtm {
    /// The distance, unless it is a draw.
    pub const fn moves(self) -> Option<Moves> {
        match self {
            Dtm::Win(moves) | Dtm::Loss(moves) => Some(moves),
            Dtm::Draw => None,
        }
    }

    /// What it is worth to have moved into a position, from what that position is worth to the
    /// player to move there.
    #[must_use]
    pub const fn before_move(self) -> Dtm {
        match self {
            // The move made is one of the winner's.
            Dtm::Loss(Moves(moves)) => Dtm::Win(Moves(moves.saturating_add(1))),
            Dtm::Draw => Dtm::Draw,
            Dtm::Win(moves) => Dtm::Loss(moves),
        }
    }

    /// The same, naming the winner by its colour, if the player has this one.
    pub fn outcome(self, player: Color) -> Outcome {
        match self {
            Dtm::Draw => Outcome::Draw,
            Dtm::Win(Moves(moves)) => Outcome::Win {
                winner: player,
                moves: moves.into(),
            },
            Dtm::Loss(Moves(moves)) => Outcome::Win {
                winner: !player,
                moves: moves.into(),
            },
        }
    }

    /// The side that mates, if the player has this colour.
    pub fn winner(self, player: Color) -> Option<Color> {
        match self {
            Dtm::Win(_) => Some(player),
            Dtm::Draw => None,
            Dtm::Loss(_) => Some(!player),
        }
    }

    /// A number that is the greater the better it is for the player.
    fn rank(self) -> i32 {
        match self {
            Dtm::Win(Moves(moves)) => (1 << 20) - i32::from(moves),
            Dtm::Draw => 0,
            Dtm::Loss(Moves(moves)) => i32::from(moves) - (1 << 20),
        }
    }
}

impl Neg for Dtm {
    type Output = Dtm;

    fn neg(self) -> Dtm {
        match self {
            Dtm::Win(moves) => Dtm::Loss(moves),
            Dtm::Draw => Dtm::Draw,
            Dtm::Loss(moves) => Dtm::Win(moves),
        }
    }
}

impl Ord for Dtm {
    fn cmp(&self, other: &Dtm) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Dtm {
    fn partial_cmp(&self, other: &Dtm) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_prefers_a_short_win_and_a_long_loss() {
        let worst_first = [
            Dtm::Loss(Moves(0)),
            Dtm::Loss(Moves(9)),
            Dtm::Draw,
            Dtm::Win(Moves(9)),
            Dtm::Win(Moves(1)),
        ];
        assert!(worst_first.is_sorted());
        let mut opposite = worst_first.map(Dtm::neg);
        opposite.reverse();
        assert!(opposite.is_sorted());
    }

    #[test]
    fn the_winners_moves_are_counted_and_the_losers_are_not() {
        assert_eq!(Dtm::Loss(Moves(0)).before_move(), Dtm::Win(Moves(1)));
        assert_eq!(Dtm::Win(Moves(5)).before_move(), Dtm::Loss(Moves(5)));
        assert_eq!(Dtm::Draw.before_move(), Dtm::Draw);
    }
}
