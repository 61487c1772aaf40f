//! Exact statistics of an ending: the number of positions with each result, and examples.
//!
//! The numbers count positions on the whole board. Mirror images count as different positions, but
//! exchanging two men of the same role and side gives the same position. Lists are indexed by the
//! winner's moves to mate or, under the metric of honor, to honor.

use serde::{Deserialize, Serialize};

use crate::board::{Color, Position, Role, Square};
use crate::material::CanonicalMaterial;
#[cfg(doc)]
use crate::material::Material;

/// The squares of a position's men, in the order of [`Material::roles`]; men of the same role and
/// side are sorted by their squares. In JSON this is a list of numbers below 64.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Example(Vec<u8>);

impl Example {
    /// Makes an example with the men on these squares.
    pub fn new(squares: Vec<u8>) -> Example {
        Example(squares)
    }

    /// The squares as numbers. In a corrupt file they may be 64 or more.
    pub fn squares(&self) -> &[u8] {
        &self.0
    }

    /// The men of the example, which must have this material. Squares off the board are left out.
    pub fn men(
        &self,
        material: CanonicalMaterial,
    ) -> impl Iterator<Item = (Color, Role, Square)> + '_ {
        let roles = material.material().roles();
        roles
            .zip(&self.0)
            .filter_map(|((color, role), &square)| Some((color, role, Square::new(square)?)))
    }

    /// The position of the example, which must have this material. None if the position is illegal.
    pub fn position(&self, material: CanonicalMaterial, turn: Color) -> Option<Position> {
        if self.0.len() != material.men() {
            return None;
        }
        let men = self.men(material);
        Position::from_men(men.map(|(color, role, square)| (square, color, role)), turn).ok()
    }
}

/// The number of legal positions with one side to move, by result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The number of positions that White wins, indexed by the number of moves that White needs.
    pub white_wins: Vec<u64>,
    /// The number of positions that Black wins, indexed by the number of moves that Black needs.
    pub black_wins: Vec<u64>,
    /// The number of positions that neither side can win.
    pub draws: u64,
    /// For each entry of `white_wins`, an example position, if there is one.
    pub white_examples: Vec<Option<Example>>,
    /// For each entry of `black_wins`, an example position, if there is one.
    pub black_examples: Vec<Option<Example>>,
}

/// The number of positions that one side wins, and an example of them, both indexed by the number
/// of moves that the side needs.
pub(crate) type Wins = (Vec<u64>, Vec<Option<Example>>);

impl Counts {
    /// Makes the counts from the number of legal positions, `total`, and the wins of White and of
    /// Black. All other positions are draws. Trailing zeros are removed from both lists of wins.
    pub(crate) fn of_wins(total: u64, white: Wins, black: Wins) -> Counts {
        let cut = |(mut wins, mut examples): Wins| {
            let last = wins.iter().rposition(|&n| n > 0).unwrap_or(0);
            wins.truncate(last + 1);
            examples.truncate(last + 1);
            (wins, examples)
        };
        let (white_wins, white_examples) = cut(white);
        let (black_wins, black_examples) = cut(black);
        Counts {
            draws: total - white_wins.iter().sum::<u64>() - black_wins.iter().sum::<u64>(),
            white_wins,
            black_wins,
            white_examples,
            black_examples,
        }
    }

    /// The number of legal positions.
    pub fn legal(&self) -> u64 {
        self.white_wins.iter().sum::<u64>() + self.black_wins.iter().sum::<u64>() + self.draws
    }

    /// The number of positions that `winner` wins, indexed by the number of moves that `winner`
    /// needs.
    pub fn wins(&self, winner: Color) -> &[u64] {
        match winner {
            Color::White => &self.white_wins,
            Color::Black => &self.black_wins,
        }
    }

    /// For each entry of [`Counts::wins`], an example position, if there is one.
    pub fn examples(&self, winner: Color) -> &[Option<Example>] {
        match winner {
            Color::White => &self.white_examples,
            Color::Black => &self.black_examples,
        }
    }
}

/// The statistics of an ending under one metric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// The counts with White to move.
    pub white_to_move: Counts,
    /// The counts with Black to move.
    pub black_to_move: Counts,
}

impl Statistics {
    /// The counts with `turn` to move.
    pub fn to_move(&self, turn: Color) -> &Counts {
        match turn {
            Color::White => &self.white_to_move,
            Color::Black => &self.black_to_move,
        }
    }

    /// Converts statistics indexed by plies of both sides to statistics indexed by the winner's
    /// moves.
    #[must_use]
    pub(crate) fn plies_to_moves(self) -> Statistics {
        let fold = |counts: Counts, turn| {
            let list = |wins: Vec<u64>, examples: Vec<Option<Example>>, winner: Color| {
                let moves = |plies: usize| (plies + usize::from(turn == winner)) / 2;
                let length = wins.len().checked_sub(1).map_or(0, |last| moves(last) + 1);
                let (mut in_moves, mut shown) = (vec![0; length], vec![None; length]);
                let examples = examples.into_iter().chain(std::iter::repeat(None));
                for (plies, (wins, example)) in wins.into_iter().zip(examples).enumerate() {
                    in_moves[moves(plies)] += wins;
                    let shown = &mut shown[moves(plies)];
                    *shown = shown.take().or(example);
                }
                (in_moves, shown)
            };
            let (white_wins, white_examples) =
                list(counts.white_wins, counts.white_examples, Color::White);
            let (black_wins, black_examples) =
                list(counts.black_wins, counts.black_examples, Color::Black);
            Counts {
                white_wins,
                black_wins,
                white_examples,
                black_examples,
                draws: counts.draws,
            }
        };
        Statistics {
            white_to_move: fold(self.white_to_move, Color::White),
            black_to_move: fold(self.black_to_move, Color::Black),
        }
    }

    /// The counts with `turn` to move, as a mutable reference.
    pub fn to_move_mut(&mut self, turn: Color) -> &mut Counts {
        match turn {
            Color::White => &mut self.white_to_move,
            Color::Black => &mut self.black_to_move,
        }
    }
}
