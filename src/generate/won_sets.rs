//! Collects the sets of won positions for a verdict table, while the ending is solved.

use std::path::Path;

use rayon::prelude::*;

use super::goal::Goal;
use crate::board::Color;
use crate::index::{BIA_BYTE, BiaPlacements, Layout};
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::rules::{Count, RuleSet, RuleSets, moves_available};
use crate::solve::{BitPlanes, LaneLayout, LaneWords, Solution};
use crate::table::{Metric, TableError};
use crate::verdict::{Coding, Set, VerdictWriter};

/// The words of a set of positions: first with the winner to move, then with the loser to move.
type Words = [LaneWords; 2];

/// The contents of an ending's verdict table: for each side, the set of positions won on the board
/// and the sets won inside the count of each rule set.
#[derive(Debug)]
pub struct WonSets {
    material: CanonicalMaterial,
    rules: RuleSets,
    sides: Vec<SideSets<Words>>,
}

/// Collects the sets of won positions during the solves of an ending. Each set comes from the solve
/// under the goal that defines it.
#[derive(Debug)]
pub(super) struct WonSetsBuilder {
    material: CanonicalMaterial,
    rules: RuleSets,
    sides: Vec<SideSets<PartialSet>>,
}

/// The sets of one side's wins: on the board, then inside the count of each wanted rule set. A set
/// of type `Set` is either finished or still being collected.
#[derive(Debug)]
struct SideSets<Set> {
    winner: Color,
    layout: LaneLayout,
    sets: Vec<Set>,
}

/// One set of won positions that is being collected.
#[derive(Debug)]
struct PartialSet {
    /// The goal that defines the set.
    goal: Goal,
    /// The largest number of moves in which a win is inside the count: first with the winner to
    /// move, then with the loser to move.
    most: [u32; 2],
    words: SetWords,
}

/// The words of a set, as far as the solves so far have determined them.
#[derive(Debug)]
enum SetWords {
    Unknown,
    /// Words taken from the solve of another goal. They are valid if the captures under the set's
    /// own goal have this digest.
    Candidate(blake3::Hash, Words),
    Settled(Words),
}

impl WonSetsBuilder {
    /// Prepares the sets of an ending under these rule sets. All sets are still unknown.
    pub fn new(material: CanonicalMaterial, rules: RuleSets) -> WonSetsBuilder {
        let men = material.material();
        let rules = rules.for_men(men);
        let placements = BiaPlacements::of(men);
        // With equal armies Black's wins mirror White's, and are not stored.
        let is_stored = |&winner: &Color| {
            let twins = winner == Color::Black && men.white == men.black;
            !men.army(winner).is_empty() && !twins
        };
        let side = |winner: Color| SideSets {
            winner,
            layout: LaneLayout::of_bia(men, winner, placements.bia(0)),
            sets: wanted(material, rules, winner),
        };
        let winners = Color::ALL.into_iter().filter(is_stored);
        WonSetsBuilder {
            material,
            rules,
            sides: winners.map(side).collect(),
        }
    }

    /// Returns the goal of each set of a side's wins. Under these goals the side's wins must be
    /// solved with either side to move. Empty if the table does not store this side's wins.
    pub fn goals(&self, winner: Color) -> impl Iterator<Item = Goal> {
        let side = self.sides.iter().find(|side| side.winner == winner);
        let sets = side.map_or(&[][..], |side| &side.sets);
        sets.iter().map(|set| set.goal)
    }

    /// Fills the sets that a solve determines. If later goals may reuse the wins under `goal` (see
    /// [`Goal::is_compared_with`]), the solve's sets are also kept as candidates for those goals,
    /// with the digest of the solve's captures.
    pub fn add(&mut self, goal: Goal, captures: blake3::Hash, solution: &Solution) {
        let winner = solution.layout.winner();
        for set in self.sets_mut(winner) {
            let may_be_the_same = goal.is_compared_with() && set.goal.unit() == goal.unit();
            if !set.is_settled() && (set.goal == goal || may_be_the_same) {
                // Drops an earlier candidate first: two together would exceed the planned memory.
                set.words = SetWords::Unknown;
                set.words = SetWords::Candidate(captures, words(solution, set.most));
            }
        }
        self.settle(winner, goal, captures);
    }

    /// Adds one solved slice of an ending with bia to the sets of a goal. `number` is the number of
    /// the slice's placement of the bia. The last slice completes the sets.
    pub fn add_slice(&mut self, goal: Goal, number: usize, solution: &Solution) {
        let slices = BiaPlacements::of(self.material.material()).len();
        let lanes = solution.layout.lanes();
        let of_goal = |set: &&mut PartialSet| set.goal == goal;
        for set in self.sets_mut(solution.layout.winner()).filter(of_goal) {
            if !set.is_settled() {
                let all = || LaneWords::unset(slices * lanes);
                set.words = SetWords::Settled([all(), all()]);
            }
            if let SetWords::Settled(words) = &mut set.words {
                let slice = number * lanes..(number + 1) * lanes;
                let [winner, loser] = words;
                fill(
                    solution,
                    set.most,
                    [&mut winner[slice.clone()], &mut loser[slice]],
                );
            }
        }
    }

    /// Completes the sets of a goal from candidates of an earlier goal whose captures have the same
    /// digest. Returns true if all sets are then complete.
    pub fn settle(&mut self, winner: Color, goal: Goal, captures: blake3::Hash) -> bool {
        let sets = self.sets_mut(winner).filter(|set| set.goal == goal);
        sets.fold(true, |all, set| {
            set.words = match std::mem::replace(&mut set.words, SetWords::Unknown) {
                SetWords::Candidate(of, words) if of == captures => SetWords::Settled(words),
                other => other,
            };
            all & set.is_settled()
        })
    }

    fn sets_mut(&mut self, winner: Color) -> impl Iterator<Item = &mut PartialSet> {
        let sides = self.sides.iter_mut();
        let side = sides.filter(move |side| side.winner == winner);
        side.flat_map(|side| &mut side.sets)
    }

    /// Returns the completed sets, after the solves under every goal.
    pub fn finish(self) -> WonSets {
        let words = |set: PartialSet| match set.words {
            SetWords::Settled(words) => words,
            _ => unreachable!("the ending is solved under {:?}", set.goal),
        };
        let side = |side: SideSets<PartialSet>| SideSets {
            winner: side.winner,
            layout: side.layout,
            sets: side.sets.into_iter().map(words).collect(),
        };
        WonSets {
            material: self.material,
            rules: self.rules,
            sides: self.sides.into_iter().map(side).collect(),
        }
    }
}

impl PartialSet {
    fn is_settled(&self) -> bool {
        matches!(self.words, SetWords::Settled(_))
    }
}

impl WonSets {
    /// Writes the verdict table into a directory, on the current rayon pool, and returns its length
    /// in bytes. `known` lists the codings of the sides' wins, White's first; if it is empty, the
    /// best codings are searched for. The content of the table does not depend on the number of
    /// threads.
    ///
    /// # Errors
    ///
    /// If the table cannot be written. An existing file then stays untouched.
    pub fn write(self, directory: &Path, known: &[Coding]) -> Result<u64, TableError> {
        let path = directory.join(crate::verdict::file_name(self.material));
        let mut writer = VerdictWriter::create(&path, self.material, self.rules)?;
        let of_material = Layout::groups_of(self.material);
        let slices = BiaPlacements::of(self.material.material()).len();
        for (number, side) in self.sides.into_iter().enumerate() {
            let place = |group| of_material.iter().position(|g| g == group);
            let order = side.layout.groups().iter().filter_map(place);
            let bia = (!self.material.is_pawnless()).then_some(BIA_BYTE);
            let order = bia.into_iter().chain(order.map(|place| place as u8));
            let order: Vec<u8> = order.collect();
            let lanes = side.layout.lanes() * slices;
            let mut sets = side.sets.into_iter();
            let has = |set| match set {
                Set::Board => true,
                Set::InTime(rules) => self.rules.contains(rules),
            };
            // Rule sets that are not wanted have empty sets.
            let nothing = || [(); 2].map(|()| LaneWords::zeroed(lanes));
            let words = |set| {
                has(set)
                    .then(|| sets.next())
                    .flatten()
                    .unwrap_or_else(nothing)
            };
            let sets = Set::all().map(words).collect();
            writer.add_side(side.winner, &order, sets, known.get(number))?;
        }
        writer.finish()
    }
}

/// Lists the sets of one side's wins: on the board, then inside the count of each of these rule
/// sets.
fn wanted(material: CanonicalMaterial, rules: RuleSets, winner: Color) -> Vec<PartialSet> {
    let men = material.material();
    let bare = men.army(!winner).is_empty() && men.is_pawnless();
    let nothing = |(goal, most)| PartialSet {
        goal,
        most,
        words: SetWords::Unknown,
    };
    let on_board = (Goal::Mate, [u32::MAX; 2]);
    let in_time = |rules: RuleSet| {
        let metric = Metric::Dth(rules);
        let goal = match bare && !metric.counts_plies(material) {
            true => Goal::Mate,
            false => Goal::of(metric, material),
        };
        let most = [winner, !winner].map(|turn| {
            let available = moves_available(rules, men, winner, turn, &Count::Fresh);
            // A solve in plies finds only wins that are in time.
            let available = available.filter(|_| goal != Goal::Zeroing);
            available.unwrap_or(u32::MAX)
        });
        (goal, most)
    };
    let sets = [on_board].into_iter().chain(rules.iter().map(in_time));
    sets.map(nothing).collect()
}

/// Returns the sets of positions won within `most` moves: first with the winner to move, then with
/// the loser to move.
fn words(solution: &Solution, most: [u32; 2]) -> Words {
    let lanes = solution.layout.lanes();
    let mut words = [LaneWords::unset(lanes), LaneWords::unset(lanes)];
    fill(solution, most, words.each_mut().map(|words| &mut words[..]));
    words
}

/// Writes the sets of positions won within these numbers of moves to `winners` (the winner to move)
/// and `losers` (the loser to move).
fn fill(solution: &Solution, [winner, loser]: [u32; 2], [winners, losers]: [&mut [u64]; 2]) {
    let loser_to_move = solution.loser_to_move.as_ref().expect("both sides to move");
    up_to(&solution.layout, &solution.winner_to_move, winner, winners);
    // Losses are stored as moves plus one.
    up_to(
        &solution.layout,
        loser_to_move,
        loser.saturating_add(1),
        losers,
    );
}

/// The number of lanes of a slab that are copied at a time. Their words fill four cache lines.
const TILE_LANES: usize = 32;

/// Writes to `words` the positions whose number in `planes` is between 1 and `most`. `words` is in
/// the order of the lanes, except that the winner's king is the innermost component.
fn up_to(layout: &LaneLayout, planes: &BitPlanes, most: u32, words: &mut [u64]) {
    let most = u16::try_from(most).unwrap_or(u16::MAX);
    let kings = layout.domain().len();
    let slab_lanes = layout.lanes() / kings;
    let tiles = words
        .par_chunks_mut(TILE_LANES * kings)
        .enumerate()
        .erased();
    tiles.for_each(|(tile, words)| {
        for king in 0..kings {
            let first = king * slab_lanes + tile * TILE_LANES;
            let lanes: [u64; TILE_LANES] = planes.up_to(most, first);
            for (words, lane) in words.chunks_exact_mut(kings).zip(lanes) {
                words[king] = lane;
            }
        }
    });
}
