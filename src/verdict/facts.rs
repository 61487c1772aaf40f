//! Facts about the squares of a lane that follow from the men alone: whether the position is legal,
//! and whether the side to move attacks an unprotected man.

use crate::board::attacks::king_steps;
use crate::board::{Color, Role, Square, SquareSet, attacks};

/// Sets of squares of the loser's king, for one lane.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LaneFacts {
    /// The squares on which the loser's king makes a legal position: first with the winner to move,
    /// then with the loser to move.
    pub legal: [u64; 2],
    /// The squares of the loser's king with which the side to move attacks a man that seems
    /// unprotected: first with the winner to move, then with the loser to move.
    pub takes: [u64; 2],
}

impl LaneFacts {
    /// The squares from which the loser's king can step, with the loser to move, to a square where
    /// the winner does not win. `wins` contains the squares on which the winner, if to move, wins.
    #[inline(always)]
    pub fn escapes(&self, wins: u64) -> u64 {
        king_steps(SquareSet(!wins & self.legal[0])).0
    }

    /// The squares on which, with the loser to move, the loser's king can step to a legal square or
    /// is in check. On any other square a bare king without a capture is stalemated.
    #[inline(always)]
    pub fn can_lose(&self) -> u64 {
        self.escapes(0) | !self.legal[0]
    }
}

/// The men of a plane other than the kings, with the attacks of these men that do not depend on the
/// kings.
#[derive(Clone, Debug)]
pub struct PlaneMen {
    winner: Color,
    men: Vec<(Color, Role, Square)>,
    /// The squares of the winner's men.
    winners: SquareSet,
    /// The squares of the loser's men.
    losers: SquareSet,
    /// True if two men share a square.
    overlap: bool,
    /// The squares attacked by the winner's men and by the loser's men, kings excepted, if no king
    /// blocks a line.
    attacked: [SquareSet; 2],
    /// The squares that the rooks of either side attack.
    rooks: SquareSet,
}

impl PlaneMen {
    /// Prepares a plane with these men.
    pub fn new(winner: Color, men: &[(Color, Role, SquareSet)]) -> PlaneMen {
        let mut plane = PlaneMen {
            winner,
            men: Vec::with_capacity(6),
            winners: SquareSet::EMPTY,
            losers: SquareSet::EMPTY,
            overlap: false,
            attacked: [SquareSet::EMPTY; 2],
            rooks: SquareSet::EMPTY,
        };
        for &(color, role, squares) in men {
            let all = plane.winners | plane.losers;
            plane.overlap |= !(all & squares).is_empty();
            let own = match color == winner {
                true => &mut plane.winners,
                false => &mut plane.losers,
            };
            *own |= squares;
            for from in squares {
                plane.men.push((color, role, from));
            }
        }
        let occupied = plane.winners | plane.losers;
        plane.attacked = plane.attacks(occupied);
        let rooks = plane.men.iter().filter(|(_, role, _)| *role == Role::Rook);
        plane.rooks = rooks.fold(SquareSet::EMPTY, |all, &(.., from)| {
            all | attacks::rook(from, occupied)
        });
        plane
    }

    /// The squares attacked by the winner's men and by the loser's men, if exactly the squares in
    /// `occupied` are occupied.
    fn attacks(&self, occupied: SquareSet) -> [SquareSet; 2] {
        let mut attacked = [SquareSet::EMPTY; 2];
        for &(color, role, from) in &self.men {
            let own = &mut attacked[usize::from(color != self.winner)];
            *own |= attacks::attacks(role, color, from, occupied);
        }
        attacked
    }

    /// The facts of the lane in which the winner's king is on `king`.
    pub fn facts(&self, king: Square) -> LaneFacts {
        let men = self.winners | self.losers;
        if self.overlap || men.contains(king) {
            return LaneFacts::default();
        }
        let occupied = men.with(king);
        // The winner's king may block a rook's line.
        let [winners, losers] = match self.rooks.contains(king) {
            true => self.attacks(occupied),
            false => self.attacked,
        };
        let near = attacks::king(king);
        let winners = winners | near;
        // With the loser to move, the winner's king may not be in check. So if a rook attacks that
        // king, the loser's own king must block the line.
        let mut blocking = SquareSet::ALL;
        if losers.contains(king) {
            for &(color, role, from) in &self.men {
                if color != self.winner
                    && attacks::attacks(role, color, from, occupied).contains(king)
                {
                    blocking = match role {
                        Role::Rook => blocking & attacks::between(from, king),
                        _ => SquareSet::EMPTY,
                    };
                }
            }
        }
        let free = !occupied & !near;
        let mut takes = [SquareSet::EMPTY; 2];
        for man in self.losers & winners & !losers {
            takes[0] |= !attacks::king(man);
        }
        for man in self.winners & !winners {
            takes[1] |= attacks::king(man);
        }
        if !(self.winners & losers & !winners).is_empty() {
            takes[1] = SquareSet::ALL;
        }
        LaneFacts {
            legal: [(free & !winners).0, (free & blocking).0],
            takes: takes.map(|set| set.0),
        }
    }
}
