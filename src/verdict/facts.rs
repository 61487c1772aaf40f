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
    /// The squares of the winner's men and of the loser's men.
    men: [SquareSet; 2],
    /// The squares of either side's rooks, the winner's first.
    rooks: [SquareSet; 2],
    /// True if two men share a square.
    overlap: bool,
    /// The squares that either side's men attack, without rooks and kings.
    near: [SquareSet; 2],
    /// The squares that either side's rooks attack if no king blocks a line.
    lines: [SquareSet; 2],
}

impl PlaneMen {
    /// Prepares a plane with these men.
    pub fn new(winner: Color, men: impl IntoIterator<Item = (Color, Role, SquareSet)>) -> PlaneMen {
        PlaneMen::placed(winner, |add| {
            men.into_iter()
                .for_each(|(color, role, squares)| add(color, role, squares));
        })
    }

    /// Prepares a plane with the men that `place` adds.
    pub fn placed(
        winner: Color,
        place: impl FnOnce(&mut dyn FnMut(Color, Role, SquareSet)),
    ) -> PlaneMen {
        let mut plane = PlaneMen {
            winner,
            men: [SquareSet::EMPTY; 2],
            rooks: [SquareSet::EMPTY; 2],
            overlap: false,
            near: [SquareSet::EMPTY; 2],
            lines: [SquareSet::EMPTY; 2],
        };
        place(&mut |color, role, squares| plane.add(color, role, squares));
        let occupied = plane.men[0] | plane.men[1];
        plane.lines = plane.rooks.map(|rooks| lines(rooks, occupied));
        plane
    }

    fn add(&mut self, color: Color, role: Role, squares: SquareSet) {
        let side = usize::from(color != self.winner);
        self.overlap |= !((self.men[0] | self.men[1]) & squares).is_empty();
        self.men[side] |= squares;
        match role {
            Role::Rook => self.rooks[side] |= squares,
            _ => {
                for from in squares {
                    self.near[side] |= attacks::attacks(role, color, from, SquareSet::EMPTY);
                }
            }
        }
    }

    /// Computes the facts of the lanes in which the winner's king is on these squares.
    pub fn fill(&self, kings: &[Square], facts: &mut [LaneFacts]) {
        if self.overlap {
            return facts.fill(LaneFacts::default());
        }
        let [winners, losers] = self.men;
        let men = winners | losers;
        let [by_winners, by_losers] = [0, 1].map(|side| self.near[side] | self.lines[side]);
        let free = !men & !by_winners;
        let unprotected = winners & !by_winners;
        let hanging = unprotected & by_losers;
        let loose = losers & !by_losers;
        for (facts, &king) in facts.iter_mut().zip(kings) {
            let steps = attacks::king(king);
            let near = steps.with(king);
            let all = match (hanging & !steps).is_empty() {
                true => SquareSet::EMPTY,
                false => SquareSet::ALL,
            };
            let mut takes = 0;
            for man in loose & (by_winners | steps) {
                takes |= !attacks::king(man).0;
            }
            *facts = LaneFacts {
                legal: [(free & !near).0, (!men & !near).0],
                takes: [takes, (king_steps(unprotected & !steps) | all).0],
            };
        }
        // Where the king blocks a rook's line, is in check or shares a square.
        let special = self.lines[0] | by_losers | men;
        for (facts, &king) in facts.iter_mut().zip(kings) {
            if special.contains(king) {
                *facts = self.facts(king);
            }
        }
    }

    /// The facts of the lane in which the winner's king is on `king`.
    pub fn facts(&self, king: Square) -> LaneFacts {
        let [own, others] = self.men;
        let men = own | others;
        if self.overlap || men.contains(king) {
            return LaneFacts::default();
        }
        let occupied = men.with(king);
        // The winner's king may block a rook's line.
        let lines = match (self.lines[0] | self.lines[1]).contains(king) {
            true => self.rooks.map(|rooks| lines(rooks, occupied)),
            false => self.lines,
        };
        let steps = attacks::king(king);
        let winners = self.near[0] | lines[0] | steps;
        let losers = self.near[1] | lines[1];
        // With the loser to move, the winner's king may not be in check. So if a rook attacks that
        // king, the loser's own king must block the line.
        let mut blocking = SquareSet::ALL;
        if self.near[1].contains(king) {
            blocking = SquareSet::EMPTY;
        } else if lines[1].contains(king) {
            for from in self.rooks[1] {
                if attacks::rook(from, occupied).contains(king) {
                    blocking &= attacks::between(from, king);
                }
            }
        }
        let free = !occupied & !steps;
        let mut takes = [SquareSet::EMPTY; 2];
        for man in others & winners & !losers {
            takes[0] |= !attacks::king(man);
        }
        for man in own & !winners {
            takes[1] |= attacks::king(man);
        }
        if !(own & losers & !winners).is_empty() {
            takes[1] = SquareSet::ALL;
        }
        LaneFacts {
            legal: [(free & !winners).0, (free & blocking).0],
            takes: takes.map(|set| set.0),
        }
    }
}

/// The squares that rooks attack if exactly the squares in `occupied` are occupied.
fn lines(rooks: SquareSet, occupied: SquareSet) -> SquareSet {
    rooks.fold(SquareSet::EMPTY, |all, from| {
        all | attacks::rook(from, occupied)
    })
}
