//! Metrics for lookups, each with the unit of its distances.

use super::distance::{Distance, Moves, Plies};
use crate::rules::RuleSet;
use crate::table::Metric;

/// A stored distance, in the unit of its section: moves or plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Counted(pub u16);

/// A metric whose distances all have the same unit.
pub(super) trait Measure: Copy {
    /// The unit of the distances: moves or plies.
    type Length: Copy + Eq + Into<u16>;

    /// The metric: mate, or honor under a rule set.
    fn metric(self) -> Metric;

    /// A length of `n` moves or plies, in the unit of this metric.
    fn length(n: u16) -> Self::Length;

    /// Converts a stored distance. `moves` is true if the section stores moves, false if it stores
    /// plies.
    fn read(stored: Distance<Counted>, moves: bool) -> Distance<Self::Length>;

    /// Converts the distance after a move, seen by the side to move, into the distance before the
    /// move, seen by the player who made it.
    fn before(after: Distance<Self::Length>) -> Distance<Self::Length>;

    /// Adjusts the distance of the position after a capture or a bia's move, seen by the side to move
    /// in that position. A distance in plies changes, because the move restarts the fifty-move rule.
    /// Called only if both sides still have men or there are bia.
    fn after_restart(distance: Distance<Self::Length>) -> Distance<Self::Length>;

    /// Converts the distance to mate of a position right after a capture by a bare king. Used only
    /// for plies: in ASEAN chess the capture restarts the fifty-move rule.
    fn after_late_capture(dtm: Distance) -> Distance<Self::Length>;
}

/// The distance to mate, or the distance to honor under a rule set that counts moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct InMoves(Metric);

impl InMoves {
    /// The metric of the distance to mate.
    pub const DTM: InMoves = InMoves(Metric::Dtm);
}

/// The distance to honor in ASEAN chess, whose fifty-move rule counts plies.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlies;

/// A value in moves under the rules of makruk and ouk, and in plies under those of ASEAN chess.
#[derive(Clone, Copy, Debug)]
pub(super) enum Honor<M, P> {
    /// A value in moves, under the rules of makruk or ouk.
    Moves(M),
    /// A value in plies, under the rules of ASEAN chess.
    Plies(P),
}

/// The distance to honor of a position.
pub(super) type HonorDistance = Honor<Distance, Distance<Plies>>;

impl HonorDistance {
    /// The distance to honor of a drawn position.
    pub const DRAW: HonorDistance = Honor::Moves(Distance::Draw);

    /// The distance to honor in moves of the winner.
    pub fn in_moves(self) -> Distance {
        match self {
            Honor::Moves(distance) => distance,
            Honor::Plies(distance) => distance.in_moves(),
        }
    }
}

impl Honor<InMoves, InPlies> {
    /// The metric of the distance to honor under a rule set.
    #[inline]
    pub fn of(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Asean => Honor::Plies(InPlies),
            RuleSet::Makruk | RuleSet::Ouk => Honor::Moves(InMoves(Metric::Dth(rules))),
        }
    }
}

impl Measure for InMoves {
    type Length = Moves;

    #[inline]
    fn metric(self) -> Metric {
        self.0
    }

    #[inline]
    fn length(n: u16) -> Moves {
        Moves(n)
    }

    #[inline]
    fn read(stored: Distance<Counted>, _: bool) -> Distance {
        stored.map(|Counted(moves)| Moves(moves))
    }

    #[inline]
    fn before(after: Distance) -> Distance {
        after.before_move()
    }

    #[inline]
    fn after_restart(distance: Distance) -> Distance {
        distance
    }

    fn after_late_capture(dtm: Distance) -> Distance {
        dtm
    }
}

impl Measure for InPlies {
    type Length = Plies;

    #[inline]
    fn metric(self) -> Metric {
        Metric::Dth(RuleSet::Asean)
    }

    #[inline]
    fn length(n: u16) -> Plies {
        Plies(n)
    }

    #[inline]
    fn read(stored: Distance<Counted>, moves: bool) -> Distance<Plies> {
        match moves {
            true => InMoves::read(stored, moves).in_plies(),
            false => stored.map(|Counted(plies)| Plies(plies)),
        }
    }

    #[inline]
    fn before(after: Distance<Plies>) -> Distance<Plies> {
        after.before_ply()
    }

    #[inline]
    fn after_restart(distance: Distance<Plies>) -> Distance<Plies> {
        distance.after_restart()
    }

    fn after_late_capture(dtm: Distance) -> Distance<Plies> {
        dtm.after_late_capture()
    }
}
