//! What a lookup asks for: a metric, with the length that its distances have.

use super::distance::{Distance, Moves, Plies};
use crate::rules::RuleSet;
use crate::table::Metric;

/// The length of a stored distance, in moves or in plies, as its section counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Counted(pub u16);

/// A metric whose distances all have one length.
pub(super) trait Measure: Copy {
    /// The length.
    type Length: Copy + Eq + Into<u16>;

    /// The metric.
    fn metric(self) -> Metric;

    /// This many of the length.
    fn length(n: u16) -> Self::Length;

    /// A stored distance; `moves` if its section counts those.
    fn read(stored: Distance<Counted>, moves: bool) -> Distance<Self::Length>;

    /// What it is worth to have moved into a position, from what that position is worth to the player
    /// to move there.
    fn before(after: Distance<Self::Length>) -> Distance<Self::Length>;

    /// What a position is worth, to the side to move, that a capture has led to; both sides still
    /// have men.
    fn after_capture(distance: Distance<Self::Length>) -> Distance<Self::Length>;

    /// What a position is worth, to the side to move, that a bare king has captured into, from the
    /// distance to mate. Only plies are asked for it: in ASEAN chess the capture starts the fifty moves again.
    fn after_late_capture(dtm: Distance) -> Distance<Self::Length>;
}

/// The distance to mate, and the distance to honor of the rule sets that count moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct InMoves(Metric);

impl InMoves {
    /// The distance to mate.
    pub const DTM: InMoves = InMoves(Metric::Dtm);
}

/// The distance to honor in ASEAN chess, whose fifty-move rule counts plies.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlies;

/// What is of moves under makruk's and ouk's rules and of plies under ASEAN chess's.
#[derive(Clone, Copy, Debug)]
pub(super) enum Honor<M, P> {
    /// Makruk's or ouk's.
    Moves(M),
    /// ASEAN chess's.
    Plies(P),
}

/// The distance to honor of a position.
pub(super) type HonorDistance = Honor<Distance, Distance<Plies>>;

impl HonorDistance {
    /// No forced mate.
    pub const DRAW: HonorDistance = Honor::Moves(Distance::Draw);

    /// In moves of the winner.
    pub fn in_moves(self) -> Distance {
        match self {
            Honor::Moves(distance) => distance,
            Honor::Plies(distance) => distance.in_moves(),
        }
    }
}

impl Honor<InMoves, InPlies> {
    /// The distance to honor of a rule set.
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
    fn after_capture(distance: Distance) -> Distance {
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
    fn after_capture(distance: Distance<Plies>) -> Distance<Plies> {
        distance.after_restart()
    }

    fn after_late_capture(dtm: Distance) -> Distance<Plies> {
        dtm.after_late_capture()
    }
}
