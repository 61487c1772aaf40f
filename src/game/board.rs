//! The board of a game: a position and the rights that depend on earlier moves; its legal moves,
//! including the first leaps of ouk, and their algebraic notation.

use crate::board::{
    Color, LeapRights, Move, MoveList, Notation, Position, Role, SanError, Square, SquareSet,
    attacks,
};
use crate::rules::RuleSet;

/// A legal position of a game, with the squares of promoted bia and of the men that may still leap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameBoard {
    pub(super) position: Position,
    pub(super) rules: RuleSet,
    pub(super) promoted: SquareSet,
    pub(super) leapers: SquareSet,
}

impl GameBoard {
    /// The start position.
    pub fn start(rules: RuleSet) -> GameBoard {
        use Role::{Khon, King, Knight, Met, Rook};
        let white = match rules {
            RuleSet::Makruk | RuleSet::Ouk => [Rook, Knight, Khon, King, Met, Khon, Knight, Rook],
            RuleSet::Asean => [Rook, Knight, Khon, Met, King, Khon, Knight, Rook],
        };
        let black = match rules {
            // Each king faces the met of the other side, not the other king.
            RuleSet::Makruk | RuleSet::Ouk => [Rook, Knight, Khon, Met, King, Khon, Knight, Rook],
            RuleSet::Asean => white,
        };
        let men = (0..8).flat_map(|file| {
            let on = |rank: usize| Square::wrapping(rank * 8 + file);
            [
                (on(0), Color::White, white[file]),
                (on(2), Color::White, Role::Bia),
                (on(5), Color::Black, Role::Bia),
                (on(7), Color::Black, black[file]),
            ]
        });
        let position = Position::from_men(men, Color::White).expect("the start position is legal");
        let leapers = match rules.has_first_leaps() {
            true => position.by_role(King) | position.by_role(Met),
            false => SquareSet::EMPTY,
        };
        GameBoard {
            position,
            rules,
            promoted: SquareSet::EMPTY,
            leapers,
        }
    }

    /// A position of a game. `unmoved` are the kings and mets that have not moved; only those of ouk
    /// at home matter.
    pub fn new(position: Position, rules: RuleSet, unmoved: SquareSet) -> GameBoard {
        let leapers = match rules.has_first_leaps() {
            true => LeapRights::of(unmoved).leapers(&position),
            false => SquareSet::EMPTY,
        };
        GameBoard {
            position,
            rules,
            promoted: SquareSet::EMPTY,
            leapers,
        }
    }

    /// The rule set of the game.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The men and the side to move.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The squares of promoted bia.
    pub const fn promoted(&self) -> SquareSet {
        self.promoted
    }

    /// The squares of ouk's kings and mets with the right to leap.
    pub const fn leapers(&self) -> SquareSet {
        self.leapers
    }

    /// True if the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.position.is_check()
    }

    /// The position to look up in the tables; `None` if no table can contain it.
    pub fn in_tables(&self) -> Option<Position> {
        let checked = self.rules.check_in_tables(&self.position, self.leapers);
        checked.is_ok().then_some(self.position)
    }
}

impl GameBoard {
    /// All legal moves, sorted by origin square and then by target square.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = self.position.legal_moves_in(self.rules.game());
        for from in self.leapers & self.position.by_color(self.turn()) {
            for to in self.leaps(from) {
                moves.push(Move::new(from, to));
            }
        }
        moves.sort_unstable();
        moves
    }

    /// True if the move is legal.
    pub fn is_legal(&self, m: Move) -> bool {
        self.position.is_legal_in(self.rules.game(), m)
            || (m.promotion.is_none() && self.leaps(m.from).contains(m.to))
    }

    /// The empty squares that the man on `from` can reach by ouk's first leap. The king leaps like
    /// a knight to the next rank, unless it is in check; the met leaps two squares straight ahead.
    fn leaps(&self, from: Square) -> SquareSet {
        let us = self.turn();
        let role = match self.position.man_at(from) {
            Some((color, role)) if color == us && self.leapers.contains(from) => role,
            _ => return SquareSet::EMPTY,
        };
        let ahead = match us {
            Color::White => 1,
            Color::Black => -1,
        };
        let steps: &[(i8, i8)] = match role {
            Role::King if !self.is_check() => &[(-2, ahead), (2, ahead)],
            Role::Met => &[(0, 2 * ahead)],
            _ => &[],
        };
        let squares = steps
            .iter()
            .filter_map(|&(file, rank)| from.offset(file, rank))
            .filter(|&to| {
                let empty = !self.position.occupied().contains(to);
                empty && self.position.is_safe(Move::new(from, to), role)
            });
        squares.collect()
    }

    /// The position after a legal move. An illegal move makes an illegal position, but no panic.
    #[must_use]
    pub fn play(&self, m: Move) -> GameBoard {
        let Some((color, role)) = self.position.man_at(m.from) else {
            return *self;
        };
        let (from, to) = (m.from.set(), m.to.set());
        let mut next = GameBoard {
            position: self.position.play(m),
            rules: self.rules,
            promoted: self.promoted & !(from | to),
            leapers: self.leapers & !(from | to),
        };
        if m.promotion.is_some() || self.promoted.contains(m.from) {
            next.promoted |= to;
        }
        if role == Role::Rook {
            // A rook that arrives on the king's rank or file ends the king's right to leap, even
            // with men between them.
            let king = self.position.king(!color);
            if attacks::rook(m.to, SquareSet::EMPTY).contains(king) {
                next.leapers = next.leapers.without(king);
            }
        }
        next
    }

    /// True if the move captures a man.
    pub fn is_capture(&self, m: Move) -> bool {
        self.position.is_capture(m)
    }

    /// True if the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.legal_moves().is_empty()
    }
}

impl GameBoard {
    /// A legal move in algebraic notation with the letters of the game. The text of an illegal move
    /// is meaningless.
    pub fn san(&self, m: Move) -> String {
        let next = self.play(m);
        let mate = next.is_check().then(|| next.legal_moves().is_empty());
        let lettering = self.rules.lettering();
        self.position
            .write_san(m, lettering, mate, |m| self.is_legal(m))
    }

    /// Parses a legal move.
    ///
    /// # Errors
    ///
    /// If the text means no legal move, or could mean several.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_as(text, Notation::default())
    }

    /// Parses a legal move of a game that uses this notation.
    ///
    /// # Errors
    ///
    /// If the text means no legal move, or could mean several.
    pub fn parse_san_as(&self, text: &str, notation: Notation) -> Result<Move, SanError> {
        let lettering = self.rules.lettering();
        let moves = self.legal_moves();
        self.position
            .read_san(text, lettering, &moves, self.promoted, notation)
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use super::*;
    use crate::board::LetterP;
    use crate::rules::RuleSet;

    fn moves(fen: &str, rules: RuleSet) -> Vec<String> {
        let state = GameState::from_fen(fen, rules).unwrap();
        let mut names: Vec<String> = state
            .board
            .legal_moves()
            .iter()
            .map(|m| m.uci(rules.lettering()).to_string())
            .collect();
        names.sort();
        names
    }

    /// Perft: the number of different sequences of `depth` moves from a position.
    fn perft(board: &GameBoard, depth: u32) -> u64 {
        let moves = board.legal_moves();
        match depth {
            1 => moves.len() as u64,
            _ => moves
                .iter()
                .map(|&m| perft(&board.play(m), depth - 1))
                .sum(),
        }
    }

    #[test]
    fn the_start_positions_have_their_moves() {
        // Numbers from Fairy-Stockfish's `go perft`.
        for (rules, counts) in [
            (RuleSet::Makruk, [23, 529, 12012]),
            (RuleSet::Asean, [23, 529, 12012]),
            (RuleSet::Ouk, [25, 625, 15031]),
        ] {
            let board = GameBoard::start(rules);
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(perft(&board, depth), count, "{rules} {depth}");
            }
        }
    }

    #[test]
    fn a_bia_is_promoted_on_the_rank_of_its_game() {
        let makruk = moves("4k3/8/8/2P5/8/8/8/4K3 w", RuleSet::Makruk);
        assert!(makruk.contains(&"c5c6m".to_string()));
        let asean = moves("4k3/2P5/8/2P5/8/8/8/4K3 w", RuleSet::Asean);
        for name in ["c5c6", "c7c8r", "c7c8n", "c7c8b", "c7c8q"] {
            assert!(asean.contains(&name.to_string()), "{name}");
        }
        assert!(moves("4k3/8/8/8/2p5/8/8/4K3 b", RuleSet::Ouk).contains(&"c4c3m".to_string()));
    }

    #[test]
    fn a_first_leap_is_lost_by_a_move_and_by_a_rook_that_aims_at_the_king() {
        let start = GameState::start(RuleSet::Ouk);
        let leaps = |moves: &[&str]| {
            let fen = start.replay(moves.iter().copied()).unwrap().to_string();
            fen.split(' ').nth(2).unwrap().to_string()
        };
        assert_eq!(leaps(&["d1f2"]), "Ede");
        assert_eq!(leaps(&["e3e4", "a6a5", "e1e3"]), "Dde");
        // The right to leap ends even with a man between the rook and the king.
        let fen = "3mk3/8/8/8/4P3/8/8/R2K4 w de - 0 1";
        let state = GameState::from_fen(fen, RuleSet::Ouk).unwrap();
        let after = state.replay(["a1a2", "d8c7", "a2e2"]).unwrap();
        assert!(after.board.leapers().is_empty());
    }

    #[test]
    fn a_king_in_check_does_not_leap() {
        let fen = "4k3/8/8/8/8/3r4/8/3KM3 w DE - 0 1";
        let names = moves(fen, RuleSet::Ouk);
        assert!(!names.contains(&"d1b2".to_string()) && !names.contains(&"d1f2".to_string()));
    }

    #[test]
    fn every_legal_move_is_read_back_from_what_is_written() {
        for rules in RuleSet::ALL {
            let mut state = GameState::start(rules);
            for ply in 0..300 {
                let moves = state.board.legal_moves();
                for &m in &moves {
                    let san = state.board.san(m);
                    assert_eq!(state.board.parse_san(&san), Ok(m), "{san} in {state}");
                }
                let Some(&m) = moves.get((ply * 7919) % moves.len().max(1)) else {
                    break;
                };
                state = state.play(m);
            }
        }
    }

    #[test]
    fn the_letter_p_is_a_bia_or_a_promoted_one() {
        let read = |fen: &str, text, p, promoted_apart| {
            let state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
            let notation = Notation { p, promoted_apart };
            let m = state.board.parse_san_as(text, notation);
            m.map(|m| m.to_string()).ok()
        };
        let read = |fen, text, p, apart| read(fen, text, p, apart).unwrap_or_default();
        // Only a bia, only a promoted bia, and an original met.
        let bia = "8/8/8/3k4/8/P2K4/8/8 w - - 0 1";
        let promoted = "8/8/8/3k4/8/1M~1K4/8/8 w - - 0 1";
        let met = "8/8/8/3k4/8/1M1K4/8/8 w - - 0 1";
        for p in [LetterP::Either, LetterP::Bia, LetterP::Promoted] {
            assert_eq!(read(bia, "Pa4", p, true), "a3a4");
            assert_eq!(read(promoted, "Pa4", p, true), "b3a4");
            assert_eq!(read(promoted, "Ma4", p, true), "b3a4");
            assert_eq!(read(met, "Pa4", p, true), "");
        }
        // Both could go to a4.
        let both = "8/8/8/3k4/8/PM~1K4/8/8 w - - 0 1";
        assert_eq!(read(both, "Pa4", LetterP::Bia, false), "a3a4");
        assert_eq!(read(both, "Pa4", LetterP::Promoted, false), "b3a4");
        assert_eq!(read(both, "Pa4", LetterP::Either, false), "");
        assert_eq!(read(both, "P3a4", LetterP::Promoted, false), "b3a4");
        assert_eq!(read(both, "a4", LetterP::Promoted, false), "a3a4");
        // A met and a promoted bia could go to d5.
        let mets = "8/8/2M5/6k1/2M~5/8/8/3K4 w - - 0 1";
        assert_eq!(read(mets, "Qd5", LetterP::Promoted, true), "c6d5");
        assert_eq!(read(mets, "Pd5", LetterP::Promoted, true), "c4d5");
        assert_eq!(read(mets, "Q4d5", LetterP::Promoted, true), "c4d5");
        assert_eq!(read(mets, "Qd5", LetterP::Promoted, false), "");
    }

    #[test]
    fn a_promoted_bia_needs_no_letter_where_it_alone_can_go() {
        let moves = |fen: &str, texts: &[&str]| {
            let mut state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
            let mut read = Vec::new();
            for text in texts {
                match state.board.parse_san(text) {
                    Ok(m) => (state, _) = (state.play(m), read.push(m.to_string())),
                    Err(error) => return Err(error.to_string()),
                }
            }
            Ok(read.join(" "))
        };
        let fen = "8/8/8/4P3/6p1/8/8/5K1k w";
        let line = moves(fen, &["e6=F", "g3=F", "f5", "h2", "e4"]);
        assert_eq!(line.unwrap(), "e5e6m g4g3m e6f5 g3h2 f5e4");
        // A bia that can go there is meant first.
        let bia = "8/8/8/8/2P1P3/1M~1K4/8/6k1 w";
        assert_eq!(moves(bia, &["c5"]).unwrap(), "c4c5");
        assert_eq!(
            moves("8/8/8/8/4P3/1M~1K4/8/6k1 w", &["c4"]).unwrap(),
            "b3c4"
        );
        // Nobody knows which of two is meant, and a met needs its letter.
        let two = moves("8/8/8/8/8/1M~1M~3K/8/6k1 w", &["c4"]).unwrap_err();
        assert!(two.contains("b3c4 or d3c4"), "{two}");
        let met = moves("8/8/8/8/8/1M5K/8/6k1 w", &["c4"]).unwrap_err();
        assert!(met.contains("not a legal move"), "{met}");
    }

    #[test]
    fn the_thai_letter_of_a_promoted_bia_is_not_that_of_a_met() {
        let read = |fen: &str, text: &str| {
            let state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
            state.board.parse_san(text).map(|m| m.to_string()).ok()
        };
        let mets = "8/8/2M5/6k1/2M~5/8/8/3K4 w";
        assert_eq!(read(mets, "ม็ง5").as_deref(), Some("c6d5"));
        assert_eq!(read(mets, "งง5").as_deref(), Some("c4d5"));
        assert_eq!(read(mets, "ง ค๔-ง๕").as_deref(), Some("c4d5"));
        // A FEN may not mark the promoted bia.
        let unmarked = "8/8/8/6k1/2M5/8/8/3K4 w";
        assert_eq!(read(unmarked, "งง5").as_deref(), Some("c4d5"));
    }

    #[test]
    fn a_first_leap_is_told_from_the_step_of_another_met() {
        let fen = "4k3/8/8/8/8/8/3M4/3KM3 w E - 0 1";
        let board = GameState::from_fen(fen, RuleSet::Ouk).unwrap().board;
        let san = |m: &str| board.san(m.parse().unwrap());
        assert_eq!([san("e1e3"), san("d2e3")], ["Mee3", "Mde3"]);
    }
}
