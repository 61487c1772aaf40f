//! Legal moves on the full board.

use std::fmt;

use super::board::{FullBoard, Piece, forward};
use crate::board::{Color, Lettering, Move, Role, Square, SquareSet, attacks};
use crate::rules::RuleSet;

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameMove {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a bia becomes there.
    pub promotion: Option<Role>,
}

impl GameMove {
    /// The move as UCI engines write it: `e3f4`, and with a promotion `e5e6m`.
    pub fn uci(self, lettering: Lettering) -> impl fmt::Display {
        let letter = self.promotion.map(|role| lettering.letter(role));
        let letter = letter.map(|letter| letter.to_ascii_lowercase().to_string());
        format!("{}{}{}", self.from, self.to, letter.unwrap_or_default())
    }
}

impl From<Move> for GameMove {
    fn from(Move { from, to }: Move) -> GameMove {
        GameMove {
            from,
            to,
            promotion: None,
        }
    }
}

impl From<GameMove> for Move {
    fn from(m: GameMove) -> Move {
        Move {
            from: m.from,
            to: m.to,
        }
    }
}

/// What a bia may become.
fn promotions(rules: RuleSet) -> &'static [Role] {
    match rules {
        RuleSet::Makruk | RuleSet::Ouk => &[Role::Met],
        RuleSet::Asean => &[Role::Rook, Role::Knight, Role::Khon, Role::Met],
    }
}

/// True if a bia is promoted on this square: from the sixth rank on, in ASEAN chess on the eighth.
fn promotes(rules: RuleSet, color: Color, to: Square) -> bool {
    let rank = match color {
        Color::White => to.rank(),
        Color::Black => 7 - to.rank(),
    };
    rank >= match rules {
        RuleSet::Makruk | RuleSet::Ouk => 5,
        RuleSet::Asean => 7,
    }
}

impl FullBoard {
    /// Every legal move.
    pub fn legal_moves(&self) -> Vec<GameMove> {
        let us = self.turn();
        let mut moves = Vec::with_capacity(64);
        for from in self.by_color(us) {
            let Some((_, piece)) = self.piece_at(from) else {
                continue;
            };
            for to in self.reach(piece, from) {
                let promotes = piece == Piece::Bia && promotes(self.rules(), us, to);
                let choices = promotes.then_some(promotions(self.rules()));
                let m = GameMove {
                    from,
                    to,
                    promotion: None,
                };
                if !self.is_safe(m) {
                    continue;
                }
                match choices {
                    None => moves.push(m),
                    Some(roles) => moves.extend(roles.iter().map(|&role| GameMove {
                        promotion: Some(role),
                        ..m
                    })),
                }
            }
        }
        moves
    }

    /// The squares that a man can go to if its king's safety is not asked about.
    fn reach(&self, piece: Piece, from: Square) -> SquareSet {
        let us = self.turn();
        let attacked = self.attacks_of(us, piece, from);
        let leap = match self.leapers().contains(from) {
            true => self.leap(piece, from),
            false => SquareSet::EMPTY,
        };
        match piece {
            Piece::Bia => {
                let step = from
                    .offset(0, forward(us))
                    .map_or(SquareSet::EMPTY, Square::set);
                (attacked & self.by_color(!us)) | (step & !self.occupied())
            }
            Piece::Man(_) => (attacked & !self.by_color(us)) | leap,
        }
    }

    /// The first leaps of ouk, to empty squares: the king's as a knight one rank forward, unless it
    /// is in check; the met's two squares forward.
    fn leap(&self, piece: Piece, from: Square) -> SquareSet {
        let ahead = forward(self.turn());
        let steps: &[(i8, i8)] = match piece {
            Piece::Man(Role::King) if !self.is_check() => &[(-2, ahead), (2, ahead)],
            Piece::Man(Role::Met) => &[(0, 2 * ahead)],
            _ => &[],
        };
        let squares = steps
            .iter()
            .filter_map(|&(file, rank)| from.offset(file, rank));
        squares.collect::<SquareSet>() & !self.occupied()
    }

    /// True if the mover's king is not attacked after the move.
    fn is_safe(&self, m: GameMove) -> bool {
        let us = self.turn();
        let next = self.play(m);
        !next.is_attacked(next.king(us), !us)
    }

    /// The position after a legal move. After any other move it is not a legal one (nothing
    /// panics).
    #[must_use]
    pub fn play(&self, m: GameMove) -> FullBoard {
        let mut next = *self;
        let Some((color, piece)) = self.piece_at(m.from) else {
            return next;
        };
        next.clear(m.to);
        next.clear(m.from);
        let promoted = m.promotion.is_some() || self.promoted().contains(m.from);
        next.put(m.to, color, m.promotion.map_or(piece, Piece::Man), promoted);
        if piece == Piece::Man(Role::Rook) {
            // A rook that comes to the king's rank or file takes its leap away, whatever stands
            // between them.
            let king = self.king(!color);
            if attacks::rook(m.to, SquareSet::EMPTY).contains(king) {
                next.remove_leaper(king);
            }
        }
        next.pass();
        next
    }

    /// True if the move takes a man.
    pub fn is_capture(&self, m: GameMove) -> bool {
        self.by_color(!self.turn()).contains(m.to)
    }

    /// True if the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.legal_moves().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use super::*;

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

    /// The leaves of the tree of moves.
    fn perft(board: &FullBoard, depth: u32) -> u64 {
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
        // As many as Fairy-Stockfish's `go perft` counts.
        for (rules, counts) in [
            (RuleSet::Makruk, [23, 529, 12012]),
            (RuleSet::Asean, [23, 529, 12012]),
            (RuleSet::Ouk, [25, 625, 15031]),
        ] {
            let board = FullBoard::start(rules);
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
        // Whatever stands between the rook and the king.
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
}
