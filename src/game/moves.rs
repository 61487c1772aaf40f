//! Legal moves in a game, including the first leaps of ouk.

use super::board::GameBoard;
use crate::board::{Color, Move, MoveList, Role, Square, SquareSet, attacks};

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

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use super::*;
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
}
