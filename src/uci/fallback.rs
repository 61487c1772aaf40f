//! A move where no table knows the position: legal, and not quite blind.

use crate::board::{Role, Square};
use crate::game::{FullBoard, GameMove, GameState, Piece};

fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Bia => 10,
        Piece::Man(Role::Met) => 17,
        Piece::Man(Role::Khon) => 27,
        Piece::Man(Role::Knight) => 30,
        Piece::Man(Role::Rook) => 50,
        Piece::Man(Role::King) => 0,
    }
}

fn worth_at(board: &FullBoard, square: Square) -> i32 {
    board.piece_at(square).map_or(0, |(_, piece)| worth(piece))
}

/// What a move wins at once: the man it takes and what the bia becomes.
fn gain(board: &FullBoard, m: GameMove) -> i32 {
    let promoted = m
        .promotion
        .map_or(0, |role| worth(Piece::Man(role)) - worth(Piece::Bia));
    worth_at(board, m.to) + promoted
}

/// The best of the moves by what they win and what the best reply wins back. None without moves.
pub(super) fn choose(state: &GameState, moves: &[GameMove]) -> Option<GameMove> {
    let value = |m: GameMove| {
        let board = &state.board;
        let next = board.play(m);
        let replies = next.legal_moves();
        if replies.is_empty() {
            return if next.is_check() { 10_000 } else { 0 };
        }
        let answer = |&reply: &GameMove| {
            // What takes a guarded man is taken back.
            let after = next.play(reply);
            let back = match after.is_attacked(reply.to, after.turn()) {
                true => worth_at(&after, reply.to),
                false => 0,
            };
            gain(&next, reply) - back
        };
        let worst = replies.iter().map(answer).max().unwrap_or(0);
        10 * (gain(board, m) - worst.max(0)) + i32::from(next.is_check())
    };
    moves.iter().copied().max_by_key(|&m| value(m))
}
