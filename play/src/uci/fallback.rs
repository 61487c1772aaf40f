//! Chooses a legal move by material, for positions that no table contains.

use sakmak::board::{Move, Role, Square};
use sakmak::game::{GameBoard, GameState};

/// The worth of a man, in tenths of a bia.
pub(super) fn worth(role: Role) -> i32 {
    match role {
        Role::Bia => 10,
        Role::Met => 17,
        Role::Khon => 27,
        Role::Knight => 30,
        Role::Rook => 50,
        Role::King => 0,
    }
}

fn worth_at(board: &GameBoard, square: Square) -> i32 {
    let man = board.position().man_at(square);
    man.map_or(0, |(_, role)| worth(role))
}

/// The material that a move gains immediately, by capture and by promotion.
fn gain(board: &GameBoard, m: Move) -> i32 {
    let promoted = m.promotion.map_or(0, |role| worth(role) - worth(Role::Bia));
    worth_at(board, m.to) + promoted
}

/// Chooses the move that gains the most material after the gain of the best reply is subtracted.
/// None if there are no moves.
pub(super) fn choose(state: &GameState, moves: &[Move]) -> Option<Move> {
    let value = |m: Move| {
        let board = &state.board;
        let next = board.play(m);
        let replies = next.legal_moves();
        if replies.is_empty() {
            return if next.is_check() { 10_000 } else { 0 };
        }
        let answer = |&reply: &Move| {
            // If the captured man is guarded, the recapture is taken into account.
            let after = next.play(reply);
            let takers = after.position().attackers(reply.to, after.turn());
            let back = match takers.is_empty() {
                true => 0,
                false => worth_at(&after, reply.to),
            };
            gain(&next, reply) - back
        };
        let worst = replies.iter().map(answer).max().unwrap_or(0);
        10 * (gain(board, m) - worst.max(0)) + i32::from(next.is_check())
    };
    moves.iter().copied().max_by_key(|&m| value(m))
}
