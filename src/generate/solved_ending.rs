//! An ending solved under one goal: both sides' wins, as cells and as statistics.

use super::coded_cells::CodedCells;
use super::context::Context;
use super::goal::Goal;
use super::phases::Phase;
use super::report::Progress;
use super::won_sets::Gathering;
use crate::board::Color;
use crate::solve::{
    self, Counted, Keep, LaneLayout, Leaf, Simd, Solution, SolveCounts, StepCounts, digest,
};
use crate::stats::{Counts, Statistics, Wins};

/// An ending under one goal, White to move.
///
/// Goals differ in what a capture is worth, and many endings have none where they do. In those
/// nothing is solved twice: see [`SolvedEnding::under`].
pub struct SolvedEnding {
    white: Side,
    /// None if Black has no men.
    black: Option<Side>,
    /// The result of each position.
    pub cells: CodedCells,
}

/// What is known of one side's wins.
#[derive(Clone)]
struct Side {
    /// What its captures lead to: where that is the same, so are its wins.
    captures: blake3::Hash,
    lane_layout: LaneLayout,
    counts: SolveCounts,
}

/// What one side's captures lead to, before its wins are solved.
struct Captures {
    lane_layout: LaneLayout,
    leaves: Vec<Leaf>,
    goal: Goal,
    digest: blake3::Hash,
}

impl Captures {
    fn of(context: &mut Context<'_>, winner: Color, goal: Goal) -> Captures {
        let lane_layout = LaneLayout::new(context.material.material(), winner);
        let (leaves, digest) = context.leaves(&lane_layout, goal, |leaves| {
            let digest = digest(&leaves);
            (leaves, digest)
        });
        if let Some(sets) = &mut context.won_sets {
            sets.settle(winner, goal, digest);
        }
        Captures {
            lane_layout,
            leaves,
            goal,
            digest,
        }
    }

    /// Solves the side's wins.
    fn solve(self, context: &mut Context<'_>, keep: Keep) -> (Side, Solution) {
        context.report.cells += self.lane_layout.lanes() as u64 * 64 * 2;
        let progress = context.progress;
        let winner = self.lane_layout.winner();
        let wanted = |sets: &Gathering| sets.goals(winner).next().is_some();
        let keep = match context.won_sets.as_ref().is_some_and(wanted) {
            true => Keep::Both,
            false => keep,
        };
        let solution = context.measure(Phase::Solving, || {
            let watch = &mut |step: solve::StepDone| progress(Progress::Solved(step.moves));
            solve::solve(
                self.lane_layout,
                self.leaves,
                keep,
                self.goal.unit(),
                Simd::detect(),
                watch,
            )
        });
        if let Some(sets) = &mut context.won_sets {
            let add = || sets.add(self.goal, self.digest, &solution);
            context.report.phases.measure(Phase::Collecting, add);
        }
        let side = Side {
            captures: self.digest,
            lane_layout: solution.layout.clone(),
            counts: solution.counts.clone(),
        };
        (side, solution)
    }

    // White to move is stored: White's wins with the winner to move, Black's with the loser.
    // White's distances are gone when Black's are solved: [`super::plan`] counts the arrays that
    // are there at the same time.

    fn solve_white(self, context: &mut Context<'_>) -> (Side, CodedCells) {
        let (side, solution) = self.solve(context, Keep::Winner);
        let cells = context.measure(Phase::Collecting, || CodedCells::collect(&solution));
        (side, cells)
    }

    fn solve_black(self, context: &mut Context<'_>) -> (Side, Solution) {
        self.solve(context, Keep::Loser)
    }
}

impl SolvedEnding {
    /// Solves both sides' wins.
    pub fn new(context: &mut Context<'_>, goal: Goal) -> SolvedEnding {
        let (white, cells) = Captures::of(context, Color::White, goal).solve_white(context);
        if context.material.is_bare() {
            return SolvedEnding {
                white,
                black: None,
                cells,
            };
        }
        let (black, solution) = Captures::of(context, Color::Black, goal).solve_black(context);
        SolvedEnding {
            white,
            black: Some(black),
            cells: context.measure(Phase::Collecting, || cells.with_black(&solution)),
        }
    }

    /// The same ending under another goal: a side whose captures lead to the same is not solved
    /// again. None if no position's result changes.
    pub fn under(&self, context: &mut Context<'_>, goal: Goal) -> Option<SolvedEnding> {
        let captures = Captures::of(context, Color::White, goal);
        let white = (captures.digest != self.white.captures).then(|| captures.solve_white(context));
        let black = self.black.as_ref().and_then(|black| {
            let captures = Captures::of(context, Color::Black, goal);
            (captures.digest != black.captures).then(|| captures.solve_black(context))
        });
        if white.is_none() && black.is_none() {
            return None;
        }
        Some(context.measure(Phase::Collecting, || {
            let (white, cells) =
                white.unwrap_or_else(|| (self.white.clone(), self.cells.white_only()));
            let (black, cells) = match black {
                Some((side, solution)) => (Some(side), cells.with_black(&solution)),
                None => (self.black.clone(), cells.with_black_of(&self.cells)),
            };
            SolvedEnding {
                white,
                black,
                cells,
            }
        }))
    }

    /// The statistics of the ending under this goal.
    pub fn statistics(&self) -> Statistics {
        let white = &self.white;
        let of_black = |of_step: fn(&StepCounts) -> Counted| {
            let black = self.black.as_ref();
            black.map_or_else(Wins::default, |black| black.by_distance(of_step))
        };
        Statistics {
            white_to_move: Counts::of_wins(
                white.counts.winner_legal,
                white.by_distance(|step| step.wins),
                of_black(|step| step.losses),
            ),
            black_to_move: Counts::of_wins(
                white.counts.loser_legal,
                white.by_distance(|step| step.losses),
                of_black(|step| step.wins),
            ),
        }
    }
}

impl Side {
    /// Positions won by this side by distance, each with an example.
    fn by_distance(&self, of_step: impl Fn(&StepCounts) -> Counted) -> Wins {
        let wins = self.counts.steps.iter().map(of_step);
        wins.map(|win| {
            let example = win.example.map(|number| self.lane_layout.example(number));
            (win.positions, example)
        })
        .unzip()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::generate::library::Library;
    use crate::generate::report::Report;
    use crate::index::Layout;
    use crate::material::CanonicalMaterial;
    use crate::rules::{RuleSet, late_captures_matter};
    use crate::table::{CellSource, WriteOptions};

    /// The codes' meanings cell by cell, which two arrangements of the codes have in common.
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
            let (mut library, options) = (Library::new(), WriteOptions::default());
            let mut context = Context {
                material,
                directory: Path::new(""),
                library: &mut library,
                options: &options,
                progress: &|_| {},
                report: Report::new(material),
                won_sets: None,
            };
            let mut known = SolvedEnding::new(&mut context, Goal::Mate);
            for (number, rules) in RuleSet::ALL.into_iter().enumerate() {
                let goal = Goal::Honor(rules);
                context.report.cells = 0;
                let afresh = SolvedEnding::new(&mut context, goal);
                let all_cells = std::mem::take(&mut context.report.cells);
                let solved = known.under(&mut context, goal);
                wholly += u32::from(solved.is_none());
                partly += u32::from(solved.is_some() && context.report.cells < all_cells);
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

    /// Whether the plies of late captures in an ending differ from what its distances to mate say.
    fn late_captures_differ(name: &str) -> bool {
        let (mut library, options) = (Library::new(), WriteOptions::default());
        let material = name.parse().unwrap();
        let mut context = Context {
            material,
            directory: Path::new(""),
            library: &mut library,
            options: &options,
            progress: &|_| {},
            report: Report::new(material),
            won_sets: None,
        };
        let mates = SolvedEnding::new(&mut context, Goal::Mate);
        let plies = SolvedEnding::new(&mut context, Goal::Zeroing);
        plies
            .cells
            .based_on(&mates.cells, Goal::Zeroing.unit())
            .is_some()
    }

    /// The endings of knights and mets of up to five men that have no section for late captures need
    /// none.
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
