//! Distances, as the player to move sees them, and the metrics of lookups, each with the unit of its
//! distances.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use serde::Serialize;

use crate::board::{Color, Position};
use crate::rules::{FIFTY_MOVES_PLIES, Outcome, RuleSet, plies_of_late_capture};
use crate::table::Metric;

/// A number of moves of the winning side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Moves(pub u16);

/// A number of plies, the moves of both sides.
///
/// Distances to honor in ASEAN chess are in plies, because they may end with a capture that the
/// loser is forced to make. The fifty-move rule counts that ply too, and a number of the winner's
/// moves could not include it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plies(pub u16);

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<Moves> for u16 {
    fn from(moves: Moves) -> u16 {
        moves.0
    }
}

impl From<Plies> for u16 {
    fn from(plies: Plies) -> u16 {
        plies.0
    }
}

/// The result of a position for one player, with best play by both sides and nothing counted, and
/// the distance to the end of the game. `L` is the unit of the distance: moves or plies.
///
/// Distances are ordered by that player's preference: the shortest win is the greatest, the
/// shortest loss the least. `-dtm` is the same result for the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance<L = Moves> {
    /// The player wins in this number of moves or plies. Moves are the player's own, including the
    /// one that mates.
    Win(L),
    /// Neither side can force mate.
    Draw,
    /// The player loses in this number of moves or plies. Moves are the opponent's; 0 means that
    /// the player is already checkmated.
    Loss(L),
}

impl<L> Distance<L> {
    /// Applies a function to the length of a win or loss.
    #[inline]
    pub(super) fn map<K>(self, length: impl FnOnce(L) -> K) -> Distance<K> {
        match self {
            Distance::Win(won) => Distance::Win(length(won)),
            Distance::Draw => Distance::Draw,
            Distance::Loss(lost) => Distance::Loss(length(lost)),
        }
    }

    /// The winning side, given the colour of the player to whom the distance applies. `None` for a
    /// draw.
    pub fn winner(&self, player: Color) -> Option<Color> {
        match self {
            Distance::Win(_) => Some(player),
            Distance::Draw => None,
            Distance::Loss(_) => Some(!player),
        }
    }
}

impl Distance {
    /// The distance in moves. `None` for a draw.
    pub const fn moves(self) -> Option<Moves> {
        match self {
            Distance::Win(moves) | Distance::Loss(moves) => Some(moves),
            Distance::Draw => None,
        }
    }

    /// Converts the distance after a move, seen by the side to move, into the distance before the
    /// move, seen by the player who made it.
    #[must_use]
    pub const fn before_move(self) -> Distance {
        match self {
            // The move counts as one of the winner's moves.
            Distance::Loss(Moves(moves)) => Distance::Win(Moves(moves.saturating_add(1))),
            Distance::Draw => Distance::Draw,
            Distance::Win(moves) => Distance::Loss(moves),
        }
    }

    /// Converts moves into plies. The last ply is the winner's own move, which mates. A win that
    /// takes more plies than the fifty-move rule allows becomes a draw.
    fn in_plies(self) -> Distance<Plies> {
        match self {
            Distance::Win(Moves(moves)) => {
                Distance::Win(Plies(moves.saturating_mul(2).saturating_sub(1)))
            }
            Distance::Draw => Distance::Draw,
            Distance::Loss(Moves(moves)) => Distance::Loss(Plies(moves.saturating_mul(2))),
        }
        .within_fifty_moves()
    }

    /// Converts the distance to mate right after a bare king's capture, with the stronger side to
    /// move, into plies of the fifty-move rule. This is one ply less than
    /// [`plies_of_late_capture`], which includes the capture.
    pub(super) fn after_late_capture(self) -> Distance<Plies> {
        match self {
            // `before_ply` adds the ply of the capture.
            Distance::Win(Moves(moves)) => {
                Distance::Win(Plies(plies_of_late_capture(moves).saturating_sub(1)))
            }
            _ => Distance::Draw,
        }
    }

    /// The outcome in terms of White and Black, given the colour of the player.
    pub fn outcome(self, player: Color) -> Outcome {
        match self {
            Distance::Draw => Outcome::Draw,
            Distance::Win(Moves(moves)) => Outcome::Win {
                winner: player,
                moves: moves.into(),
            },
            Distance::Loss(Moves(moves)) => Outcome::Win {
                winner: !player,
                moves: moves.into(),
            },
        }
    }
}

impl Distance<Plies> {
    /// Converts plies into moves of the winner.
    pub(super) fn in_moves(self) -> Distance {
        match self {
            Distance::Win(Plies(plies)) => Distance::Win(Moves(plies.div_ceil(2))),
            Distance::Draw => Distance::Draw,
            Distance::Loss(Plies(plies)) => Distance::Loss(Moves(plies / 2)),
        }
    }

    /// Like [`Distance::before_move`], for a distance in plies. A win that takes more plies than
    /// the fifty-move rule allows becomes a draw.
    pub(super) fn before_ply(self) -> Distance<Plies> {
        match self {
            Distance::Loss(Plies(plies)) => Distance::Win(Plies(plies.saturating_add(1))),
            Distance::Draw => Distance::Draw,
            Distance::Win(Plies(plies)) => Distance::Loss(Plies(plies.saturating_add(1))),
        }
        .within_fifty_moves()
    }

    /// Turns a win or loss into a draw if it takes more plies than the fifty-move rule allows after
    /// a capture.
    fn within_fifty_moves(self) -> Distance<Plies> {
        match self {
            Distance::Win(Plies(plies)) | Distance::Loss(Plies(plies))
                if u32::from(plies) > FIFTY_MOVES_PLIES =>
            {
                Distance::Draw
            }
            _ => self,
        }
    }

    /// Converts the distance of a position right after a capture or a bia's move. The move restarted the
    /// fifty-move rule, so the length no longer matters and becomes 0. A win stays a win, and a
    /// loss a loss.
    pub(super) fn after_restart(self) -> Distance<Plies> {
        self.map(|_| Plies(0))
    }
}

impl<L: Into<u16>> Distance<L> {
    /// A sort key: the better the distance for the player, the greater the key.
    fn rank(self) -> i32 {
        match self {
            Distance::Win(length) => (1 << 20) - i32::from(length.into()),
            Distance::Draw => 0,
            Distance::Loss(length) => i32::from(length.into()) - (1 << 20),
        }
    }
}

impl<L> Neg for Distance<L> {
    type Output = Distance<L>;

    fn neg(self) -> Distance<L> {
        match self {
            Distance::Win(length) => Distance::Loss(length),
            Distance::Draw => Distance::Draw,
            Distance::Loss(length) => Distance::Win(length),
        }
    }
}

impl<L: Into<u16> + Copy + Eq> Ord for Distance<L> {
    fn cmp(&self, other: &Distance<L>) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl<L: Into<u16> + Copy + Eq> PartialOrd for Distance<L> {
    fn partial_cmp(&self, other: &Distance<L>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

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

    /// The distance of a position in which the side to move has no legal move.
    fn without_moves(position: &Position) -> Distance<Self::Length> {
        match position.is_check() {
            true => Distance::Loss(Self::length(0)),
            false => Distance::Draw,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_prefers_a_short_win_and_a_long_loss() {
        let worst_first = [
            Distance::Loss(Moves(0)),
            Distance::Loss(Moves(9)),
            Distance::Draw,
            Distance::Win(Moves(9)),
            Distance::Win(Moves(1)),
        ];
        assert!(worst_first.is_sorted());
        let mut opposite = worst_first.map(Distance::neg);
        opposite.reverse();
        assert!(opposite.is_sorted());
    }

    #[test]
    fn the_winners_moves_are_counted_and_the_losers_are_not() {
        assert_eq!(
            Distance::Loss(Moves(0)).before_move(),
            Distance::Win(Moves(1))
        );
        assert_eq!(
            Distance::Win(Moves(5)).before_move(),
            Distance::Loss(Moves(5))
        );
        assert_eq!(Distance::Draw.before_move(), Distance::Draw);
    }
}
