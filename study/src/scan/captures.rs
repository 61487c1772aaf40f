//! Counts decisive captures: captures of the last man by the stronger side, and captures by the
//! bare king.

use serde::{Deserialize, Serialize};

use super::dense::{AfterCaptures, Dense};
use super::lanes::{Lane, Plane};
use super::placing::{LaneResults, MAX_GROUPS, open_lanes};
use super::sample::Sample;
use sakmak::board::attacks::king_steps;
use sakmak::board::{Color, Role, Square, SquareSet, attacks};
use sakmak::index::Group;

/// Counts of positions in which White, to move, can capture Black's last man, by the result of the
/// capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastManCounts {
    /// The number of positions in which White can capture the last man.
    pub possible: u64,
    /// The number of positions in which a capture of the last man wins inside the new count.
    pub wins: u64,
    /// The number of positions in which mate can be forced after a capture of the last man, but
    /// only too late for the new count.
    pub too_late: u64,
    /// The number of positions in which mate cannot be forced after any capture of the last man.
    pub draws: u64,
    /// The number of positions in which no capture of the last man wins in time, but another move
    /// does.
    pub throws_away: u64,
    /// The number of positions counted by both `too_late` and `throws_away`.
    pub throws_away_too_late: u64,
}

impl LastManCounts {
    fn add(&mut self, other: &LastManCounts, weight: u64) {
        self.possible += other.possible * weight;
        self.wins += other.wins * weight;
        self.too_late += other.too_late * weight;
        self.draws += other.draws * weight;
        self.throws_away += other.throws_away * weight;
        self.throws_away_too_late += other.throws_away_too_late * weight;
    }
}

/// The sums over all captures of Black's last man.
#[derive(Clone, Debug, Default)]
pub struct LastMan {
    /// The position counts by the result of the capture.
    pub counts: LastManCounts,
    /// A sample of positions in which the capture throws a win in time away: mate can still be
    /// forced after it, but too late for the new count.
    pub thrown: Sample,
}

/// The results after the capture of Black's last man, with Black to move.
#[derive(Debug)]
pub struct Bared {
    /// The results without a count.
    pub all: Dense,
    /// The results under the count that the capture begins. Wins that are too long for this count
    /// are draws.
    pub in_time: Dense,
}

/// White's captures of Black's last man with the men of one plane.
struct Takes {
    /// The square of the last man.
    target: Square,
    /// The squares of all men except the kings.
    occupied: SquareSet,
    /// The plane after a capture by the king: see [`Dense::plane`].
    by_king: usize,
    /// Each white man that reaches the target on an empty board: its role, its square and the plane
    /// after it captures.
    by_men: Vec<(Role, Square, usize)>,
}

impl Takes {
    /// None if Black has no man.
    fn new(bared: &Bared, groups: &[Group], men: &[SquareSet; MAX_GROUPS]) -> Option<Takes> {
        let black = groups
            .iter()
            .position(|group| group.color == Color::Black)?;
        let target = men[black].first()?;
        let mut rest = *men;
        rest[black] = SquareSet::EMPTY;
        let mut by_men = Vec::new();
        // Black's only group is empty in `rest`, so only White's men are visited.
        for (g, group) in groups.iter().enumerate() {
            // Skips men that do not reach the target even on an empty board.
            let reaches = |from| {
                attacks::attacks(group.role, Color::White, from, SquareSet::EMPTY).contains(target)
            };
            for from in rest[g].filter(|&from| reaches(from)) {
                let mut after = rest;
                after[g] = rest[g].without(from).with(target);
                by_men.push((group.role, from, bared.all.plane(&after, groups)));
            }
        }
        Some(Takes {
            target,
            occupied: men.iter().fold(SquareSet::EMPTY, |all, &men| all | men),
            by_king: bared.all.plane(&rest, groups),
            by_men,
        })
    }
}

impl LastMan {
    /// Adds the lanes of a plane in which Black has one man besides its king.
    pub fn add(&mut self, bared: &Bared, groups: &[Group], plane: &Plane<'_>) {
        if let Some(takes) = Takes::new(bared, groups, &plane.men) {
            for lane in plane.lanes {
                self.add_lane(bared, &takes, plane, lane);
            }
        }
    }

    fn add_lane(&mut self, bared: &Bared, takes: &Takes, plane: &Plane<'_>, lane: &Lane) {
        let target = takes.target;
        let mut best = LaneResults::default();
        let mut wins = SquareSet::EMPTY;
        let mut take = |after: usize, king: Square, lanes: SquareSet| {
            let words = bared.all.at(after, king).only(lanes);
            best.add(words);
            if !words.white.is_empty() {
                wins |= bared.in_time.at(after, king).white & lanes;
            }
        };
        if attacks::king(lane.king).contains(target) {
            take(takes.by_king, target, SquareSet::ALL);
        }
        let occupied = takes.occupied | lane.king.set();
        for &(role, from, after) in &takes.by_men {
            if attacks::attacks(role, Color::White, from, occupied).contains(target) {
                take(after, lane.king, open_lanes(role, from, target));
            }
        }
        let timed = &lane.white_to_move;
        let possible = best.legal() & timed.on_board.legal();
        if possible.is_empty() {
            return;
        }
        let late = best.white & !wins;
        let thrown = timed.in_time & possible & !wins;
        let n = |set: SquareSet| (set & possible).len() as u64;
        let counts = LastManCounts {
            possible: n(possible),
            wins: n(wins),
            too_late: n(late),
            draws: n(!best.white),
            throws_away: n(thrown),
            throws_away_too_late: n(thrown & late),
        };
        self.counts.add(&counts, lane.weight);
        self.thrown.offer(&plane.placing(lane), thrown & late);
    }

    /// Adds the sums of another task.
    pub fn merge(mut self, other: LastMan) -> LastMan {
        self.counts.add(&other.counts, 1);
        self.thrown.merge(other.thrown);
        self
    }
}

/// Counts of positions in which the bare king, to move, can capture a man of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BareCaptures {
    /// The number of positions in which the king can capture a man of this kind.
    pub possible: u64,
    /// The number of positions in which the remaining men cannot force mate after the capture.
    pub draws: u64,
    /// The number of positions in which the remaining men can force mate after the capture, but not
    /// within the moves left by makruk's count, which a capture does not restart.
    pub too_late: u64,
}

impl BareCaptures {
    fn add(&mut self, other: &BareCaptures, weight: u64) {
        self.possible += other.possible * weight;
        self.draws += other.draws * weight;
        self.too_late += other.too_late * weight;
    }
}

/// The sums over the bare king's captures, indexed by the role of the captured man.
pub type RoleCaptures = [BareCaptures; 5];

/// Adds the lanes of a plane in which Black has a bare king. `after` contains the subendings after
/// captures: first with all of White's wins, then only with those in time.
pub fn add_bare_captures(
    sums: &mut RoleCaptures,
    (all, in_time): (&AfterCaptures, &AfterCaptures),
    groups: &[Group],
    plane: &Plane<'_>,
) {
    for (g, group) in groups.iter().enumerate() {
        let (all, in_time) = (all.after(group.role), in_time.after(group.role));
        // Each man that can be taken, with the plane after the capture.
        let taken: Vec<(Square, usize)> = plane.men[g]
            .map(|taken| {
                let mut rest = plane.men;
                rest[g] = rest[g].without(taken);
                (taken, all.plane(&rest, groups))
            })
            .collect();
        for lane in plane.lanes {
            let legal = lane.black_to_move.legal();
            // A position with several capturable men of one role is counted once.
            let mut best = LaneResults::default();
            let mut late = SquareSet::EMPTY;
            for &(taken, after) in &taken {
                // A protected man cannot be taken: with Black's king on its square and White to
                // move, the position is illegal.
                let words = all.at(after, lane.king).only(taken.set());
                if words.legal().is_empty() {
                    continue;
                }
                best.add(words.map(king_steps));
                if !words.white.is_empty() {
                    late |= king_steps(words.white & !in_time.at(after, lane.king).white);
                }
            }
            let n = |set: SquareSet| (set & legal).len() as u64;
            let counts = BareCaptures {
                possible: n(best.legal()),
                draws: n(best.drawn),
                too_late: n(late & !best.drawn),
            };
            sums[group.role.index()].add(&counts, lane.weight);
        }
    }
}

/// Adds two lists of counts, role by role.
pub fn merge_captures(mut a: RoleCaptures, b: &RoleCaptures) -> RoleCaptures {
    for (a, b) in a.iter_mut().zip(b) {
        a.add(b, 1);
    }
    a
}

/// The role with this index in [`RoleCaptures`].
pub fn role_of(place: usize) -> Role {
    Role::ALL[place]
}
