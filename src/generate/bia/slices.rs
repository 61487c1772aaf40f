//! Solves the slices of an ending with bia, run by run. In all slices of a run, the bia have the
//! same number of steps to promotion. These slices are solved in parallel.

use std::ops::Range;

use rayon::prelude::*;

use super::after_promotion::Cutting;
use super::exit::Destination;
use super::slice_exits::{MaterialChange, combine_exits, list_exits};
use super::solution::BiaSolution;
use super::subendings::{Subendings, material_after, slice_of};
use crate::board::Color;
use crate::generate::goal::Goal;
use crate::generate::phases::{Phase, Phases};
use crate::generate::report::Progress;
use crate::generate::solved_endings::SolvedEndings;
use crate::index::BiaPlacements;
use crate::material::Material;
use crate::parallel::ForkedByOneFunction;
use crate::solve::{Exits, Keep, LaneLayout, Leaf, Simd, Solution, solve_slice};

/// Solves an ending for the wins of one side, slice by slice.
pub struct SliceSolver {
    material: Material,
    winner: Color,
    goal: Goal,
    placements: BiaPlacements,
    subendings: Subendings,
    /// The number of the first slice that the solver still has in memory.
    first: usize,
    slices: Vec<Solution>,
}

impl SliceSolver {
    /// Prepares the solver, and solves the subendings in which the winner still has men.
    pub fn new(
        solved_endings: &mut SolvedEndings,
        material: Material,
        winner: Color,
        goal: Goal,
    ) -> SliceSolver {
        SliceSolver {
            material,
            winner,
            goal,
            placements: BiaPlacements::of(material),
            subendings: Subendings::new(solved_endings, material, winner, goal, |_| true),
            first: 0,
            slices: Vec::new(),
        }
    }

    /// Solves the slices of one run. All earlier slices must be solved.
    fn solve(&mut self, run: Range<usize>) {
        let solved: Vec<Solution> = run
            .into_par_iter()
            .erased()
            .map(|number| self.slice(number))
            .collect();
        self.slices.extend(solved);
    }

    /// Solves all slices, and returns them as a solved ending.
    pub fn solve_all(mut self) -> BiaSolution {
        for run in self.placements.runs().collect::<Vec<_>>() {
            self.solve(run);
        }
        BiaSolution::new(self.placements, self.slices)
    }

    /// Solves slice `number`.
    fn slice(&self, number: usize) -> Solution {
        let (layout, leaves, exits) = self.prepare(number);
        let mode = (Keep::Both, self.goal.unit());
        solve_slice(layout, leaves, exits, mode, Simd::detect())
    }

    /// The layout of slice `number`, its leaves and its exits.
    fn prepare(&self, number: usize) -> (LaneLayout, Vec<Leaf>, Exits) {
        let layout = LaneLayout::of_bia(self.material, self.winner, self.placements.bia(number));
        let leaves = self.subendings.leaves(self.material, &layout, number);
        let exits = list_exits(self.material.game(), &layout, |change| {
            self.after(&layout, change)
        });
        let exits = combine_exits(&layout, &exits);
        (layout, leaves, exits)
    }

    /// The solved positions that an exit leads to.
    fn after(&self, layout: &LaneLayout, change: &MaterialChange) -> Option<Destination<'_>> {
        let after = material_after(self.material, layout, change)?;
        if after != self.material {
            return self.subendings.after(after, change);
        }
        let solved = (self.first, &self.slices[..]);
        let before = slice_of(&self.placements, solved, self.goal, change);
        Some(before.expect("a step of a bia leads to a slice of the previous run"))
    }
}

/// Solves an ending with bia slice by slice, and passes each slice with its number to `visit`.
/// Slices that no later slice needs are dropped. Returns the number of cells solved.
pub fn solve_slices(
    solved_endings: &mut SolvedEndings,
    (material, winner, goal): (Material, Color, Goal),
    phases: &mut Phases,
    progress: &dyn Fn(Progress),
    visit: &mut dyn FnMut(usize, &Solution),
) -> u64 {
    progress(Progress::Reading);
    let solver = || SliceSolver::new(&mut *solved_endings, material, winner, goal);
    let mut solver = phases.measure(Phase::Smaller, solver);
    let promotions = solved_endings.promotions_to_keep(material.game(), (material, winner, goal));
    let mut cutting = Cutting::new(material, promotions);
    let mut cells = 0;
    let all = solver.placements.len();
    for run in solver.placements.runs().collect::<Vec<_>>() {
        progress(Progress::Slice(run.start as u32 + 1, all as u32));
        phases.measure(Phase::Solving, || solver.solve(run.clone()));
        // A step of a bia always leads to the run before, so older runs can be dropped.
        solver.slices.drain(..run.start - solver.first);
        solver.first = run.start;
        phases.measure(Phase::Collecting, || {
            for (number, slice) in run.zip(&solver.slices) {
                cells += slice.layout.lanes() as u64 * 64 * 2;
                visit(number, slice);
                cutting.add(number, slice);
            }
        });
    }
    phases.measure(Phase::Collecting, || {
        solved_endings.keep_promotions(cutting)
    });
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;
    use crate::rules::RuleSet;
    use crate::solve::solve_slice_generally;

    /// Asserts that the slices of an ending without men besides kings and bia have the same results
    /// as by the general solver.
    fn assert_as_generally(solved_endings: &mut SolvedEndings, name: &str) {
        let material: Material = name.parse().unwrap();
        let honor = match material.game() {
            Game::Makruk => Goal::Honor(RuleSet::Ouk),
            Game::Asean => Goal::Zeroing,
        };
        let mut won = 0;
        for winner in Color::ALL {
            if material.army(winner).is_empty() {
                continue;
            }
            for goal in [Goal::Mate, honor] {
                let mut solver = SliceSolver::new(solved_endings, material, winner, goal);
                for run in solver.placements.runs().collect::<Vec<_>>() {
                    solver.solve(run.clone());
                    for number in run {
                        let slice = &solver.slices[number];
                        let (layout, leaves, exits) = solver.prepare(number);
                        let mode = (Keep::Both, goal.unit());
                        let simd = Simd::detect();
                        let other = solve_slice_generally(layout, leaves, exits, mode, simd);
                        assert_eq!(slice.open[..], other.open[..], "{name} {number}");
                        let [lost, expected] =
                            [slice, &other].map(|of| of.loser_to_move.as_ref().unwrap());
                        for lane in 0..slice.layout.lanes() {
                            for bit in 0..64 {
                                let pairs = [
                                    (&slice.winner_to_move, &other.winner_to_move),
                                    (lost, expected),
                                ];
                                for (own, other) in pairs {
                                    assert_eq!(own.get(lane, bit), other.get(lane, bit));
                                }
                            }
                        }
                        let [own, other] = [slice, &other].map(|of| &of.counts);
                        assert_eq!(own.steps, other.steps, "{name} {goal:?} {number}");
                        assert_eq!(own.winner_legal, other.winner_legal);
                        assert_eq!(own.loser_legal, other.loser_legal);
                        won += own
                            .steps
                            .iter()
                            .map(|step| step.wins.positions)
                            .sum::<u64>();
                    }
                }
            }
        }
        assert!(won > 0 || name == "KPvKP", "{name}");
    }

    #[test]
    fn slices_of_kings_and_bia_are_solved_as_generally() {
        let mut solved_endings = SolvedEndings::new();
        for name in ["KPvK-asean", "KPPvK", "KPvKP", "KPvKP-asean"] {
            assert_as_generally(&mut solved_endings, name);
        }
    }
}
