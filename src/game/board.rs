//! The full board: any men, bia among them.

use thiserror::Error;

use crate::board::{Color, Lettering, Position, PositionError, Role, Square, SquareSet, attacks};
use crate::rules::RuleSet;

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A pawn. It goes one step forward and takes one step diagonally forward.
    Bia,
    /// Any other man.
    Man(Role),
}

impl Piece {
    /// Its upper-case letter: `P` for a bia.
    pub const fn letter(self, lettering: Lettering) -> char {
        match self {
            Piece::Bia => 'P',
            Piece::Man(role) => lettering.letter(role),
        }
    }
}

/// A legal position of a whole game.
///
/// Whoever holds one knows that there is one king of each colour, that they do not touch, that the
/// side not to move is not in check and that no bia has reached its last rank. Whether play could
/// have led there is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FullBoard {
    rules: RuleSet,
    by_color: [SquareSet; 2],
    by_role: [SquareSet; 5],
    bia: SquareSet,
    promoted: SquareSet,
    leapers: SquareSet,
    turn: Color,
}

/// Why men on squares are not a legal position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FullBoardError {
    /// A fault that a position without bia may have too.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A bia that should have been promoted.
    #[error("there is a {0} pawn on {1}, its last rank: write the man that it has become")]
    LastRank(Color, Square),
}

/// A step forward, in ranks.
pub(super) const fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The squares on which a bia attacks.
fn bia_attacks(color: Color, from: Square) -> SquareSet {
    let ahead = forward(color);
    [-1, 1]
        .into_iter()
        .filter_map(|file| from.offset(file, ahead))
        .collect()
}

impl FullBoard {
    /// The position in which a game begins.
    pub fn start(rules: RuleSet) -> FullBoard {
        use Role::{Khon, King, Knight, Met, Rook};
        let white = match rules {
            RuleSet::Makruk | RuleSet::Ouk => [Rook, Knight, Khon, King, Met, Khon, Knight, Rook],
            RuleSet::Asean => [Rook, Knight, Khon, Met, King, Khon, Knight, Rook],
        };
        let black = match rules {
            // Each king has the other side's met before it.
            RuleSet::Makruk | RuleSet::Ouk => [Rook, Knight, Khon, Met, King, Khon, Knight, Rook],
            RuleSet::Asean => white,
        };
        let mut board = FullBoard::empty(rules, Color::White);
        for file in 0..8 {
            let on = |rank: usize| Square::wrapping(rank * 8 + file);
            board.put(on(0), Color::White, Piece::Man(white[file]), false);
            board.put(on(2), Color::White, Piece::Bia, false);
            board.put(on(5), Color::Black, Piece::Bia, false);
            board.put(on(7), Color::Black, Piece::Man(black[file]), false);
        }
        if rules == RuleSet::Ouk {
            board.leapers = board.by_role[King.index()] | board.by_role[Met.index()];
        }
        board
    }

    /// No man on any square: not a legal position yet.
    pub(super) fn empty(rules: RuleSet, turn: Color) -> FullBoard {
        FullBoard {
            rules,
            by_color: [SquareSet::EMPTY; 2],
            by_role: [SquareSet::EMPTY; 5],
            bia: SquareSet::EMPTY,
            promoted: SquareSet::EMPTY,
            leapers: SquareSet::EMPTY,
            turn,
        }
    }

    /// Puts a man on an empty square.
    pub(super) fn put(&mut self, square: Square, color: Color, piece: Piece, promoted: bool) {
        let set = square.set();
        self.by_color[color.index()] |= set;
        match piece {
            Piece::Bia => self.bia |= set,
            Piece::Man(role) => self.by_role[role.index()] |= set,
        }
        if promoted {
            self.promoted |= set;
        }
    }

    /// Takes away whatever stands on a square.
    pub(super) fn clear(&mut self, square: Square) {
        let others = !square.set();
        let sets = self.by_color.iter_mut().chain(&mut self.by_role).chain([
            &mut self.bia,
            &mut self.promoted,
            &mut self.leapers,
        ]);
        for set in sets {
            *set &= others;
        }
    }

    /// Lets the man on a square keep its first leap.
    pub(super) fn add_leaper(&mut self, square: Square) {
        self.leapers |= square.set();
    }

    /// Takes a first leap away.
    pub(super) fn remove_leaper(&mut self, square: Square) {
        self.leapers = self.leapers.without(square);
    }

    /// Passes the turn.
    pub(super) fn pass(&mut self) {
        self.turn = !self.turn;
    }

    /// What a legal position must be.
    pub(super) fn check(&self) -> Result<(), FullBoardError> {
        for color in Color::ALL {
            let count = self.men(color, Role::King).len();
            if count != 1 {
                return Err(PositionError::Kings { color, count }.into());
            }
            let last = match color {
                Color::White => SquareSet(0xff << 56),
                Color::Black => SquareSet(0xff),
            };
            if let Some(square) = (self.bia & self.by_color(color) & last).first() {
                return Err(FullBoardError::LastRank(color, square));
            }
        }
        let [white, black] = Color::ALL.map(|color| self.king(color));
        if attacks::king(white).contains(black) {
            return Err(PositionError::KingsTouch { white, black }.into());
        }
        let waiting = !self.turn;
        match self.is_attacked(self.king(waiting), self.turn) {
            true => Err(PositionError::OpponentInCheck(waiting, self.king(waiting)).into()),
            false => Ok(()),
        }
    }

    /// The game that is played.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Every square with a man.
    pub const fn occupied(&self) -> SquareSet {
        SquareSet(self.by_color[0].0 | self.by_color[1].0)
    }

    /// The squares of one side's men, bia and king among them.
    pub const fn by_color(&self, color: Color) -> SquareSet {
        self.by_color[color.index()]
    }

    /// The squares of one side's men of this role.
    pub fn men(&self, color: Color, role: Role) -> SquareSet {
        self.by_color[color.index()] & self.by_role[role.index()]
    }

    /// The squares of both sides' bia.
    pub const fn bia(&self) -> SquareSet {
        self.bia
    }

    /// The squares of men that have been bia.
    pub const fn promoted(&self) -> SquareSet {
        self.promoted
    }

    /// The squares of ouk's kings and mets that still have their first leap.
    pub const fn leapers(&self) -> SquareSet {
        self.leapers
    }

    /// The square of one side's king.
    pub fn king(&self, color: Color) -> Square {
        Square::wrapping(self.men(color, Role::King).0.trailing_zeros() as usize)
    }

    /// The man on a square, if there is one.
    pub fn piece_at(&self, square: Square) -> Option<(Color, Piece)> {
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.by_color(color).contains(square))?;
        if self.bia.contains(square) {
            return Some((color, Piece::Bia));
        }
        let role = Role::ALL
            .into_iter()
            .find(|&role| self.by_role[role.index()].contains(square))?;
        Some((color, Piece::Man(role)))
    }

    /// The squares that a man attacks from where it stands. First leaps take nothing.
    pub(super) fn attacks_of(&self, color: Color, piece: Piece, from: Square) -> SquareSet {
        match piece {
            Piece::Bia => bia_attacks(color, from),
            Piece::Man(role) => attacks::attacks(role, color, from, self.occupied()),
        }
    }

    /// True if a man of side `by` attacks the square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        // A man attacks what a man of the other colour on that square would attack.
        let by_bia = bia_attacks(!by, square) & self.bia & self.by_color(by);
        !by_bia.is_empty()
            || Role::ALL.into_iter().any(|role| {
                let reach = attacks::attacks(role, !by, square, self.occupied());
                !(reach & self.men(by, role)).is_empty()
            })
    }

    /// True if the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.turn), !self.turn)
    }

    /// The same position for the tables: none while there is a bia, a first leap, or more men than
    /// any table has.
    pub fn pawnless(&self) -> Option<Position> {
        if !(self.bia | self.leapers).is_empty() {
            return None;
        }
        Position::new(self.by_color, self.by_role, self.turn).ok()
    }
}
