//! Legal moves.

use std::fmt;
use std::ops::{ControlFlow, Deref};
use std::str::FromStr;

use thiserror::Error;

use super::{Position, Role, Square, SquareSet, attacks};

/// A man goes from one square to another, taking what stands there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for Move {
    /// Writes the move as UCI engines do: `e3f4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A word that is not two squares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "\"{0}\" is not a move: write the square it leaves and the one it reaches, for instance e3f4"
)]
pub struct MoveError(pub String);

impl FromStr for Move {
    type Err = MoveError;

    /// Reads two squares, as in `e3f4`. Whether the move is legal depends on the position.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        let squares = text.split_at_checked(2).and_then(|(from, to)| {
            let (from, to) = (from.parse().ok()?, to.parse().ok()?);
            (from != to).then_some(Move { from, to })
        });
        squares.ok_or_else(|| MoveError(text.to_string()))
    }
}

/// More moves than eight men can have: a king and six rooks have at most 8 + 6 · 14 = 92.
const CAPACITY: usize = 96;

/// The legal moves of a position, kept without allocation. It is a slice of moves.
#[derive(Clone, Copy)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    fn new() -> MoveList {
        let nothing = Move {
            from: Square::wrapping(0),
            to: Square::wrapping(0),
        };
        MoveList {
            moves: [nothing; CAPACITY],
            len: 0,
        }
    }

    fn push(&mut self, m: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = m;
            self.len += 1;
        }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, CAPACITY>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Position {
    /// Every legal move, in the order of [`Role::ALL`], then of squares left, then reached.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _: ControlFlow<()> = self.visit_legal_moves(|m, _| {
            list.push(m);
            ControlFlow::Continue(())
        });
        list
    }

    /// Calls `visit` with the legal moves, and the roles of the men that make them, in the order of
    /// [`Position::legal_moves`], until it breaks off. Nothing is kept of them.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sakmak::board::{Fen, Lettering, Role};
    ///
    /// let position = Fen::parse("8/8/8/3k4/8/3K4/2S5/8 w", Lettering::Makruk)?.position;
    /// let khon = position.visit_legal_moves(|m, role| match role {
    ///     Role::Khon => ControlFlow::Break(m.to_string()),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(khon, ControlFlow::Break("c2b1".to_string()));
    /// # Ok::<(), sakmak::board::FenError>(())
    /// ```
    pub fn visit_legal_moves<B>(
        &self,
        mut visit: impl FnMut(Move, Role) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.turn();
        let ours = self.by_color(us);
        let king = self.king(us);
        for to in self.safe_steps(king) {
            visit(Move { from: king, to }, Role::King)?;
        }
        // The others may take the man that gives check or step between; against two there is
        // nothing that one of them could do.
        let checkers = self.attackers(king, !us);
        let answers = match checkers.first() {
            None => SquareSet::ALL,
            Some(checker) if checkers.len() == 1 => checkers | attacks::between(king, checker),
            Some(_) => return ControlFlow::Continue(()),
        };
        let rooks = self.men(!us, Role::Rook) & attacks::rook(king, SquareSet::EMPTY);
        for role in Role::MEN {
            for from in self.men(us, role) {
                let mut reached =
                    attacks::attacks(role, us, from, self.occupied()) & !ours & answers;
                for rook in rooks {
                    // A man alone between its king and a rook has to stay there or take it.
                    let between = attacks::between(king, rook);
                    if between & self.occupied() == from.set() {
                        reached &= between.with(rook);
                    }
                }
                for to in reached {
                    visit(Move { from, to }, role)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares that the king of the side to move can go to.
    fn safe_steps(&self, king: Square) -> SquareSet {
        let us = self.turn();
        let mut steps = attacks::king(king) & !self.by_color(us);
        // The king does not shield the squares behind it from a rook.
        let others = self.occupied().without(king);
        for role in Role::ALL {
            for from in self.men(!us, role) {
                steps &= !attacks::attacks(role, !us, from, others);
            }
        }
        steps
    }

    /// True if the mover's king is not attacked after the move.
    fn is_safe(&self, m: Move, role: Role) -> bool {
        let us = self.turn();
        let king = match role {
            Role::King => m.to,
            _ => self.king(us),
        };
        let occupied = self.occupied().without(m.from).with(m.to);
        self.attackers_through(king, !us, occupied)
            .without(m.to)
            .is_empty()
    }

    /// True if the move is a legal one here.
    pub fn is_legal(&self, m: Move) -> bool {
        match self.man_at(m.from) {
            Some((color, role)) if color == self.turn() => {
                (attacks::attacks(role, color, m.from, self.occupied()) & !self.by_color(color))
                    .contains(m.to)
                    && self.is_safe(m, role)
            }
            _ => false,
        }
    }

    /// The position after a legal move.
    ///
    /// The move must be one of [`Position::legal_moves`]: it is not checked again, and after any
    /// other move the result is not a legal position (nothing panics). A move from outside is asked
    /// about with [`Position::is_legal`] first.
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        self.after(m.from, m.to)
    }

    /// True if the move takes a man.
    pub fn is_capture(&self, m: Move) -> bool {
        self.by_color(!self.turn()).contains(m.to)
    }

    /// True if the side to move has no legal move.
    fn is_stuck(&self) -> bool {
        self.visit_legal_moves(|_, _| ControlFlow::Break(()))
            .is_continue()
    }

    /// True if the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.is_stuck()
    }

    /// True if the side to move is not in check and has no legal move, which is a draw.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.is_stuck()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Color, arbitrary};
    use super::*;
    use proptest::prelude::*;

    fn position(men: &[(&str, Color, Role)], turn: Color) -> Position {
        let men = men
            .iter()
            .map(|&(name, color, role)| (name.parse().unwrap(), color, role));
        Position::from_men(men, turn).unwrap()
    }

    fn names(position: &Position) -> Vec<String> {
        let mut names: Vec<_> = position.legal_moves().iter().map(Move::to_string).collect();
        names.sort();
        names
    }

    use Color::{Black, White};
    use Role::{Khon, King, Knight, Met, Rook};

    #[test]
    fn a_move_is_written_and_read_as_two_squares() {
        let m: Move = "e3f4".parse().unwrap();
        assert_eq!(m.to_string(), "e3f4");
        for wrong in ["", "e3", "e3e3", "e3f9", "e3f4q", "é3f4", "aé1"] {
            assert_eq!(wrong.parse::<Move>(), Err(MoveError(wrong.to_string())));
        }
    }

    #[test]
    fn a_pinned_man_moves_only_along_its_pin() {
        let pinned = |role| {
            position(
                &[
                    ("a1", White, King),
                    ("c1", White, role),
                    ("e1", Black, Rook),
                    ("h8", Black, King),
                ],
                White,
            )
        };
        assert_eq!(names(&pinned(Khon)), ["a1a2", "a1b1", "a1b2"]);
        assert_eq!(
            names(&pinned(Rook)),
            ["a1a2", "a1b1", "a1b2", "c1b1", "c1d1", "c1e1"]
        );
    }

    #[test]
    fn a_king_does_not_step_back_along_the_line_of_the_check() {
        let checked = position(
            &[
                ("b1", White, King),
                ("d1", Black, Rook),
                ("h8", Black, King),
            ],
            White,
        );
        assert_eq!(names(&checked), ["b1a2", "b1b2", "b1c2"]);
    }

    #[test]
    fn mate_and_stalemate_are_told_apart() {
        let corner = |black: &'static str| {
            position(
                &[
                    (black, Black, King),
                    ("b6", White, King),
                    ("h8", White, Rook),
                ],
                Black,
            )
        };
        assert!(corner("b8").is_checkmate() && !corner("b8").is_stalemate());
        let stuck = position(
            &[
                ("a8", Black, King),
                ("b6", White, King),
                ("a6", White, Met),
                ("c6", White, Knight),
            ],
            Black,
        );
        assert!(stuck.is_stalemate() && !stuck.is_checkmate());
        assert!(stuck.legal_moves().is_empty());
    }

    #[test]
    fn a_capture_takes_the_man_off_the_board() {
        let before = position(
            &[
                ("a1", White, King),
                ("d4", White, Met),
                ("e5", Black, Rook),
                ("h8", Black, King),
            ],
            White,
        );
        let m: Move = "d4e5".parse().unwrap();
        assert!(before.is_capture(m) && before.is_legal(m));
        let after = position(
            &[("a1", White, King), ("e5", White, Met), ("h8", Black, King)],
            Black,
        );
        assert_eq!(before.play(m), after);
    }

    proptest! {
        #[test]
        fn every_legal_move_leads_to_a_legal_position(position in arbitrary::position()) {
            for m in position.legal_moves() {
                let next = position.play(m);
                let again = Position::new(
                    Color::ALL.map(|color| next.by_color(color)),
                    Role::ALL.map(|role| next.by_role(role)),
                    next.turn(),
                );
                prop_assert_eq!(again, Ok(next));
                prop_assert_eq!(next.turn(), !position.turn());
                let taken = usize::from(position.is_capture(m));
                prop_assert_eq!(next.occupied().len() + taken, position.occupied().len());
            }
        }

        #[test]
        fn the_legal_moves_of_a_symmetry_are_the_symmetries_of_the_legal_moves(position in arbitrary::position()) {
            let sorted = |position: &Position, turn: fn(Square) -> Square| {
                let mut moves: Vec<_> = position
                    .legal_moves()
                    .into_iter()
                    .map(|m| Move { from: turn(m.from), to: turn(m.to) })
                    .collect();
                moves.sort();
                moves
            };
            let plain = sorted(&position, |square| square);
            prop_assert_eq!(&sorted(&position.mirrored(), Square::flip_horizontal), &plain);
            prop_assert_eq!(&sorted(&position.flipped(), Square::flip_vertical), &plain);
        }

        #[test]
        fn a_move_is_legal_exactly_if_it_is_listed(position in arbitrary::position()) {
            let moves = position.legal_moves();
            for from in Square::all() {
                for to in Square::all() {
                    let m = Move { from, to };
                    prop_assert_eq!(position.is_legal(m), moves.contains(&m));
                }
            }
        }
    }
}
