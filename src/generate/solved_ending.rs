//! An ending solved under one goal: both sides' wins as cells, and the statistics.

use super::bia::solve_slices;
use super::coded_cells::{BlackCollecting, CodedCells, WhiteCollecting};
use super::goal::Goal;
use super::phases::Phase;
use super::report::Progress;
use super::side_counts::SideCounts;
use super::table_job::TableJob;
use super::won_sets::WonSetsBuilder;
use crate::board::Color;
use crate::solve::{self, Keep, LaneLayout, Leaf, Simd, Solution, digest};
use crate::statistics::{Counts, Statistics, Wins};

/// An ending solved under one goal, with White to move.
///
/// Goals differ only in the value of captures. In many endings every capture has the same value
/// under two goals. These endings are not solved twice: see [`SolvedEnding::under`].
pub struct SolvedEnding {
    white: Side,
    /// Black's side of the results. None if Black has no men.
    black: Option<Side>,
    /// The result of each position.
    pub cells: CodedCells,
}

/// The results of solving one side's wins.
#[derive(Clone)]
struct Side {
    /// The digest of the values of all captures. Solves with equal digests find equal wins. None in
    /// endings with bia, which are solved again under every goal.
    captures: Option<blake3::Hash>,
    counts: SideCounts,
}

/// The captures that affect one side's wins, looked up before these wins are solved.
struct Captures {
    winner: Color,
    goal: Goal,
    /// The leaves (results of captures) of the whole ending. None in endings with bia, where each
    /// slice has leaves of its own.
    whole: Option<Leaves>,
}

/// The leaves of an ending that is solved whole.
struct Leaves {
    lane_layout: LaneLayout,
    leaves: Vec<Leaf>,
    digest: blake3::Hash,
}

impl Captures {
    fn of(job: &mut TableJob<'_>, winner: Color, goal: Goal) -> Captures {
        let mut captures = Captures {
            winner,
            goal,
            whole: None,
        };
        if !job.material.is_pawnless() {
            return captures;
        }
        let lane_layout = LaneLayout::new(job.material.material(), winner);
        let (leaves, digest) = job.leaves(&lane_layout, goal, |leaves| {
            let digest = digest(&leaves);
            (leaves, digest)
        });
        if let Some(sets) = &mut job.won_sets {
            sets.settle(winner, goal, digest);
        }
        captures.whole = Some(Leaves {
            lane_layout,
            leaves,
            digest,
        });
        captures
    }

    /// True if these captures have the same digest as the captures in the solve of `side`.
    fn are_those_of(&self, side: &Side) -> bool {
        let digest = self.whole.as_ref().map(|whole| whole.digest);
        digest.is_some() && digest == side.captures
    }

    /// Solves the wins of one side, and passes each slice with its number to `collect`.
    fn solve(
        self,
        job: &mut TableJob<'_>,
        keep: Keep,
        collect: &mut dyn FnMut(usize, &Solution),
    ) -> Side {
        let mut counts = SideCounts::default();
        let captures = self.whole.as_ref().map(|whole| whole.digest);
        match self.whole {
            Some(whole) => {
                let solution = whole.solve(job, self.goal, keep);
                counts.add(&solution);
                job.measure(Phase::Collecting, || collect(0, &solution));
            }
            None => {
                let ending = (job.material.material(), self.winner, self.goal);
                let report = &mut job.report;
                report.cells += solve_slices(
                    job.solved_endings,
                    ending,
                    &mut report.phases,
                    job.progress,
                    &mut |number, solution| {
                        counts.add(solution);
                        if let Some(sets) = &mut job.won_sets {
                            sets.add_slice(self.goal, number, solution);
                        }
                        collect(number, solution);
                    },
                );
            }
        }
        Side { captures, counts }
    }

    // The table stores positions with White to move: White's wins with the winner to move, Black's
    // wins with the loser to move. White's distances are dropped before Black's wins are solved;
    // the memory estimates of `super::plan` rely on that.

    fn solve_white(self, job: &mut TableJob<'_>) -> (Side, CodedCells) {
        let mut cells = WhiteCollecting::new(job.material);
        let side = self.solve(job, Keep::Winner, &mut |number, solution| {
            cells.add(number, solution);
        });
        (side, cells.finish())
    }

    fn solve_black(self, job: &mut TableJob<'_>, cells: CodedCells) -> (Side, CodedCells) {
        let mut cells = BlackCollecting::new(cells);
        let side = self.solve(job, Keep::Loser, &mut |number, solution| {
            cells.add(number, solution);
        });
        (side, cells.finish())
    }
}

impl Leaves {
    fn solve(self, job: &mut TableJob<'_>, goal: Goal, keep: Keep) -> Solution {
        job.report.cells += self.lane_layout.lanes() as u64 * 64 * 2;
        let progress = job.progress;
        let winner = self.lane_layout.winner();
        let wanted = |sets: &WonSetsBuilder| sets.goals(winner).next().is_some();
        let keep = match job.won_sets.as_ref().is_some_and(wanted) {
            true => Keep::Both,
            false => keep,
        };
        let solution = job.measure(Phase::Solving, || {
            let watch = &mut |step: solve::StepDone| progress(Progress::Solved(step.moves));
            solve::solve(
                self.lane_layout,
                self.leaves,
                keep,
                goal.unit(),
                Simd::detect(),
                watch,
            )
        });
        if let Some(sets) = &mut job.won_sets {
            let add = || sets.add(goal, self.digest, &solution);
            job.report.phases.measure(Phase::Collecting, add);
        }
        solution
    }
}

impl SolvedEnding {
    /// Solves both sides' wins under a goal.
    pub fn new(job: &mut TableJob<'_>, goal: Goal) -> SolvedEnding {
        let (white, cells) = Captures::of(job, Color::White, goal).solve_white(job);
        if job.material.is_bare() {
            return SolvedEnding {
                white,
                black: None,
                cells,
            };
        }
        let (black, cells) = Captures::of(job, Color::Black, goal).solve_black(job, cells);
        SolvedEnding {
            white,
            black: Some(black),
            cells,
        }
    }

    /// Solves the ending under another goal. A side whose captures have the same digest is not
    /// solved again. Returns `None` if neither side is solved again, since no result changes.
    pub fn under(&self, job: &mut TableJob<'_>, goal: Goal) -> Option<SolvedEnding> {
        let captures = Captures::of(job, Color::White, goal);
        let white = (!captures.are_those_of(&self.white)).then(|| captures.solve_white(job));
        let black = self.black.as_ref().and_then(|black| {
            let captures = Captures::of(job, Color::Black, goal);
            (!captures.are_those_of(black)).then_some(captures)
        });
        if white.is_none() && black.is_none() {
            return None;
        }
        let (white, cells) = white.unwrap_or_else(|| {
            let cells = job.measure(Phase::Collecting, || self.cells.white_only());
            (self.white.clone(), cells)
        });
        let (black, cells) = match black {
            Some(captures) => {
                let (side, cells) = captures.solve_black(job, cells);
                (Some(side), cells)
            }
            None => {
                let add = || cells.with_black_of(&self.cells);
                (self.black.clone(), job.measure(Phase::Collecting, add))
            }
        };
        Some(SolvedEnding {
            white,
            black,
            cells,
        })
    }

    /// The statistics of the ending under this goal.
    pub fn statistics(&self) -> Statistics {
        let white = &self.white.counts;
        let of_black = |wins: fn(&SideCounts) -> &Wins| {
            let black = self.black.as_ref();
            black.map_or_else(Wins::default, |black| wins(&black.counts).clone())
        };
        Statistics {
            white_to_move: Counts::of_wins(
                white.winner_legal,
                white.wins.clone(),
                of_black(|black| &black.losses),
            ),
            black_to_move: Counts::of_wins(
                white.loser_legal,
                white.losses.clone(),
                of_black(|black| &black.wins),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::generate::report::Report;
    use crate::generate::solved_endings::SolvedEndings;
    use crate::index::{BiaPlacements, Layout};
    use crate::material::CanonicalMaterial;
    use crate::rules::{RuleSet, late_captures_matter};
    use crate::table::{CellSource, Code, WriteOptions};

    /// A job that solves an ending and writes no file.
    fn job_of<'a>(
        material: CanonicalMaterial,
        solved_endings: &'a mut SolvedEndings,
        options: &'a WriteOptions,
    ) -> TableJob<'a> {
        TableJob {
            material,
            directory: Path::new(""),
            solved_endings,
            options,
            progress: &|_| {},
            report: Report::new(material),
            won_sets: None,
        }
    }

    /// The result of each cell, which does not depend on the order of the codes.
    fn values(material: CanonicalMaterial, cells: &CodedCells) -> Vec<Option<crate::table::Code>> {
        let order = LaneLayout::new(material.material(), Color::White);
        let order: Layout = order.table_layout(material);
        let cells_in_order = cells.permuted_when_read(&order);
        let mut places = vec![0; cells_in_order.cells() as usize];
        cells_in_order.read(0, &mut places);
        let code = |&place: &u16| cells.codes().get(usize::from(place)).copied();
        places.iter().map(code).collect()
    }

    #[test]
    fn what_one_goal_solved_is_right_under_another() {
        let (mut wholly, mut partly) = (0, 0);
        for name in ["KRvKS", "KRvKN", "KSvKM", "KNvKM"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let (mut solved_endings, options) = (SolvedEndings::new(), WriteOptions::default());
            let mut job = job_of(material, &mut solved_endings, &options);
            let mut known = SolvedEnding::new(&mut job, Goal::Mate);
            for (number, rules) in RuleSet::ALL.into_iter().enumerate() {
                let goal = Goal::Honor(rules);
                job.report.cells = 0;
                let afresh = SolvedEnding::new(&mut job, goal);
                let all_cells = std::mem::take(&mut job.report.cells);
                let solved = known.under(&mut job, goal);
                wholly += u32::from(solved.is_none());
                partly += u32::from(solved.is_some() && job.report.cells < all_cells);
                let solved = solved.as_ref().unwrap_or(&known);
                let same = values(material, &solved.cells) == values(material, &afresh.cells);
                assert!(same, "{name} {goal:?}");
                assert_eq!(solved.statistics(), afresh.statistics(), "{name} {goal:?}");
                if number == 0 {
                    known = afresh;
                }
            }
        }
        assert!(wholly > 0 && partly > 0, "{wholly} wholly, {partly} partly");
    }

    #[test]
    fn codes_that_no_cell_has_are_dropped_if_one_is_longer_than_the_longest_win() {
        let material: CanonicalMaterial = "KRvKS".parse().unwrap();
        let (mut solved_endings, options) = (SolvedEndings::new(), WriteOptions::default());
        let mut job = job_of(material, &mut solved_endings, &options);
        let mut cells = SolvedEnding::new(&mut job, Goal::Mate).cells;
        let (before, codes) = (values(material, &cells), cells.codes().to_vec());
        cells.drop_beyond([100; 2]);
        assert_eq!(cells.codes(), codes);
        cells.drop_beyond([0; 2]);
        assert!(values(material, &cells) == before);
        let is_used = |code: &&Code| before.contains(&Some(**code));
        assert!(cells.codes().iter().all(|code| is_used(&code)));
        assert!(cells.codes().len() < codes.len());
    }

    #[test]
    fn cells_with_bia_are_as_many_of_each_kind_as_are_counted() {
        for name in ["KPvK", "KPPvK", "KPvKP", "KMvKP"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let (mut solved_endings, options) = (SolvedEndings::new(), WriteOptions::default());
            let mut job = job_of(material, &mut solved_endings, &options);
            let mates = SolvedEnding::new(&mut job, Goal::Mate);
            let honor = mates.under(&mut job, Goal::Honor(RuleSet::Makruk));
            let honor = honor.expect("the count matters");
            let slices = BiaPlacements::of(material.material());
            let first = LaneLayout::of_bia(material.material(), Color::White, slices.bia(0));
            let order = first.table_layout(material);
            for solved in [mates, honor] {
                let mut cells = vec![0; order.cells() as usize];
                solved.cells.permuted_when_read(&order).read(0, &mut cells);
                let (mut white, mut black, mut draws) = (vec![0; 100], vec![0; 100], 0);
                for (number, slice) in cells.chunks(first.lanes() * 64).enumerate() {
                    let layout = first.with_bia(slices.bia(number));
                    let weight = layout.weight(layout.domain()[0]);
                    for &place in slice {
                        match solved.cells.codes().get(usize::from(place)) {
                            Some(Code::WhiteWins(moves)) => white[usize::from(*moves)] += weight,
                            Some(Code::BlackWins(moves)) => black[usize::from(*moves)] += weight,
                            Some(_) => draws += weight,
                            None => {}
                        }
                    }
                }
                let counts = solved.statistics().white_to_move;
                assert_eq!(draws, counts.draws, "{name}");
                for (found, counted) in [(white, &counts.white_wins), (black, &counts.black_wins)] {
                    assert_eq!(found[..counted.len()], counted[..], "{name}");
                    assert_eq!(found[counted.len()..].iter().sum::<u64>(), 0, "{name}");
                }
                for (moves, example) in counts.white_examples.iter().enumerate() {
                    let is_there = example
                        .as_ref()
                        .is_some_and(|example| example.position(material, Color::White).is_some());
                    assert_eq!(is_there, counts.white_wins[moves] > 0, "{name} {moves}");
                }
            }
        }
    }

    /// True if late captures change the distance in plies of any position of an ending.
    fn late_captures_differ(name: &str) -> bool {
        let (mut solved_endings, options) = (SolvedEndings::new(), WriteOptions::default());
        let material = name.parse().unwrap();
        let mut job = job_of(material, &mut solved_endings, &options);
        let mates = SolvedEnding::new(&mut job, Goal::Mate);
        let plies = SolvedEnding::new(&mut job, Goal::Zeroing);
        plies
            .cells
            .based_on(&mates.cells, Goal::Zeroing.unit())
            .is_some()
    }

    /// In endings of up to five men with only knights and mets, late captures matter only where the
    /// rules say so.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "too slow without --release")]
    fn late_captures_matter_where_the_rules_say() {
        for name in [
            "KNvK", "KMvK", "KNNvK", "KNMvK", "KMMvK", "KNNNvK", "KMMMvK",
        ] {
            let differ = late_captures_differ(name);
            assert_eq!(
                differ,
                late_captures_matter(name.parse().unwrap()),
                "{name}"
            );
        }
    }
}
