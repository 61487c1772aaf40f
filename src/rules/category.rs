//! Categories: the value of a distance under a count.

use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::board::Color;

/// The value of a position for a player, from worst to best.
///
/// The names are those of other tablebases. A cursed win and a blessed loss are *count draws*: mate
/// can be forced, but not inside the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// The opponent can force mate inside the count.
    Loss,
    /// The opponent can force mate, but not inside the count.
    BlessedLoss,
    /// Neither side can force mate.
    Draw,
    /// Mate can be forced, but not inside the count.
    CursedWin,
    /// Mate can be forced inside the count.
    Win,
}

impl Category {
    /// All five categories, from the best to the worst.
    pub const ALL: [Category; 5] = [
        Category::Win,
        Category::CursedWin,
        Category::Draw,
        Category::BlessedLoss,
        Category::Loss,
    ];

    /// The name of the category, in lower case with hyphens: `cursed-win`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Win => "win",
            Category::CursedWin => "cursed-win",
            Category::Draw => "draw",
            Category::BlessedLoss => "blessed-loss",
            Category::Loss => "loss",
        }
    }

    /// The result for the player, in points: 1 for a win, -1 for a loss, 0 for every kind of draw.
    pub const fn points(self) -> i8 {
        match self {
            Category::Win => 1,
            Category::Loss => -1,
            _ => 0,
        }
    }

    /// True if mate can be forced, but not inside the count, so that the game is drawn.
    pub const fn is_count_draw(self) -> bool {
        matches!(self, Category::CursedWin | Category::BlessedLoss)
    }
}

impl Neg for Category {
    type Output = Category;

    /// The category for the opponent.
    fn neg(self) -> Category {
        match self {
            Category::Win => Category::Loss,
            Category::CursedWin => Category::BlessedLoss,
            Category::Draw => Category::Draw,
            Category::BlessedLoss => Category::CursedWin,
            Category::Loss => Category::Win,
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of a position with best play by both sides and nothing counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Neither side can force mate.
    Draw,
    /// One side forces mate.
    Win {
        /// The side that mates.
        winner: Color,
        /// The winner's moves until mate: 1 for mate in one, 0 if the loser is mated already.
        moves: u32,
    },
}

/// The category of an outcome for the side to move. `moves_available` is the number of moves that
/// the winner has left; `None` without a count. Distances to honor are outcomes too.
///
/// Mate on the board takes precedence over an expired count: a distance of 0 is in time even if the
/// count leaves no move.
pub fn category(outcome: Outcome, turn: Color, moves_available: Option<u32>) -> Category {
    let Outcome::Win { winner, moves } = outcome else {
        return Category::Draw;
    };
    let for_winner = match moves_available {
        Some(moves_available) if moves > moves_available => Category::CursedWin,
        _ => Category::Win,
    };
    if winner == turn {
        for_winner
    } else {
        -for_winner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn the_mover_prefers_a_win_to_a_count_draw_to_a_loss() {
        let mut sorted = Category::ALL;
        sorted.sort_by(|a, b| b.cmp(a));
        assert_eq!(sorted, Category::ALL);
        assert!(Category::Win > Category::CursedWin && Category::Draw > Category::BlessedLoss);
    }

    #[test]
    fn the_opponents_view_is_the_reverse() {
        for (i, category) in Category::ALL.into_iter().enumerate() {
            assert_eq!(-category, Category::ALL[4 - i]);
        }
    }

    #[test]
    fn names_are_written_the_same_in_text_and_in_json() {
        for category in Category::ALL {
            let json = serde_json::to_string(&category).unwrap();
            assert_eq!(json, format!("\"{category}\""));
        }
        assert_eq!(Category::BlessedLoss.to_string(), "blessed-loss");
    }

    #[test]
    fn mate_on_the_last_move_of_the_count_wins_and_one_later_does_not() {
        let mate_in = |moves| Outcome::Win {
            winner: White,
            moves,
        };
        assert_eq!(category(mate_in(40), White, Some(40)), Category::Win);
        assert_eq!(category(mate_in(41), White, Some(40)), Category::CursedWin);
        assert_eq!(category(mate_in(40), Black, Some(40)), Category::Loss);
        assert_eq!(
            category(mate_in(41), Black, Some(40)),
            Category::BlessedLoss
        );
        assert_eq!(category(mate_in(900), White, None), Category::Win);
        assert_eq!(category(Outcome::Draw, White, Some(40)), Category::Draw);
    }

    #[test]
    fn a_mate_on_the_board_beats_an_expired_count() {
        let mated = Outcome::Win {
            winner: White,
            moves: 0,
        };
        assert_eq!(category(mated, Black, Some(0)), Category::Loss);
    }
}
