//! Solves the slices of an ending with bia, one run of placements after the other.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::exits::{Led, collect};
use super::solution::BiaSolution;
use super::ways::After;
use crate::board::{Color, Role, Square, SquareSet};
use crate::generate::goal::Goal;
use crate::generate::library::Library;
use crate::generate::phases::{Phase, Phases};
use crate::generate::report::Progress;
use crate::index::{BiaPlacements, Group, Transform};
use crate::material::Material;
use crate::rules::{Count, moves_available};
use crate::solve::{Keep, LaneLayout, Leaf, Simd, Solution, solve_slice};

/// Solves the slices of an ending for the wins of one side.
pub struct SliceSolver {
    material: Material,
    winner: Color,
    placements: BiaPlacements,
    before: HashMap<Material, Before>,
    /// The number of the first slice in memory.
    first: usize,
    slices: Vec<Solution>,
}

/// The solution of an ending that a slice leads to.
enum Before {
    /// With bia.
    Bia(Arc<BiaSolution>),
    /// Without bia; if the count decides, with the most moves that the winner may need, with the
    /// winner and with the loser to move.
    Pawnless(Arc<Solution>, Option<[u32; 2]>),
}

impl SliceSolver {
    /// Solves the subendings in which the winner can still win.
    pub fn new(
        library: &mut Library,
        material: Material,
        winner: Color,
        goal: Goal,
    ) -> SliceSolver {
        let mut before = HashMap::new();
        for after in material.after_a_move() {
            if !before.contains_key(&after) && !after.army(winner).is_empty() {
                let keep = match mover(material, after) == winner {
                    true => Keep::Loser,
                    false => Keep::Winner,
                };
                before.insert(after, solved_before(library, after, winner, goal, keep));
            }
        }
        SliceSolver {
            material,
            winner,
            placements: BiaPlacements::of(material),
            before,
            first: 0,
            slices: Vec::new(),
        }
    }

    /// Solves a run of slices, after all earlier ones.
    fn solve(&mut self, run: Range<usize>) {
        let solved: Vec<Solution> = run
            .into_par_iter()
            .map(|number| self.slice(number))
            .collect();
        self.slices.extend(solved);
    }

    /// Solves all slices.
    pub fn solve_all(mut self) -> BiaSolution {
        for run in self.placements.runs().collect::<Vec<_>>() {
            self.solve(run);
        }
        BiaSolution::new(self.placements, self.slices)
    }

    fn slice(&self, number: usize) -> Solution {
        let layout = LaneLayout::of_bia(self.material, self.winner, self.placements.bia(number));
        let leaves = self.leaves(&layout, number);
        let exits = collect(&layout, |led| self.after(&layout, led));
        solve_slice(layout, leaves, exits, Keep::Both, Simd::detect())
    }

    /// The solution at the end of a way.
    fn after(&self, layout: &LaneLayout, led: &Led) -> Option<After<'_>> {
        let mut after = self.material;
        for color in Color::ALL {
            let mut army = after.army(color);
            let lost = led.lost.map(|group| layout.groups()[group]);
            if let Some(group) = lost.filter(|group| group.color == color) {
                army = army.without(group.role)?;
            }
            if led.promoted == Some(color) {
                army = army.with(Role::Met);
            }
            while army.count(Role::Bia) > led.bia.of(color).len() {
                army = army.without(Role::Bia)?;
            }
            after = after.with_army(color, army);
        }
        let of_slices = |placements: &BiaPlacements, slices: &'_ [Solution], first: usize| {
            let (mirror, number) = placements.number(led.bia)?;
            Some((
                number.checked_sub(first).filter(|&n| n < slices.len())?,
                mirror,
            ))
        };
        let (solution, mirror) = if after == self.material {
            let found = of_slices(&self.placements, &self.slices, self.first);
            let (place, mirror) = found.expect("a bia's step leads to the run before");
            (&self.slices[place], mirror)
        } else {
            match self.before.get(&after)? {
                Before::Bia(before) => {
                    let (place, mirror) = of_slices(before.placements(), before.slices(), 0)?;
                    (&before.slices()[place], mirror)
                }
                Before::Pawnless(solution, most) => {
                    let turn = usize::from(led.mover == self.winner);
                    return Some(After {
                        solution,
                        mirror: Transform::IDENTITY,
                        most_moves: most.map(|most| most[turn]),
                    });
                }
            }
        };
        Some(After {
            solution,
            mirror,
            most_moves: None,
        })
    }

    /// The leaves of a slice: subendings after captures of other men, with the same bia.
    fn leaves(&self, layout: &LaneLayout, number: usize) -> Vec<Leaf> {
        let leaf = |(group, own): (usize, &Group)| {
            let army = self.material.army(own.color).without(own.role)?;
            let after = self.material.with_army(own.color, army);
            let Before::Bia(before) = self.before.get(&after)? else {
                return None;
            };
            let solution = &before.slices()[number];
            let planes = match own.color == layout.winner() {
                true => Some(&solution.winner_to_move),
                false => solution.loser_to_move.as_ref(),
            };
            let planes = planes.filter(|planes| planes.largest() > 0)?;
            let rest = layout.without(group);
            let like = |g: &Group| {
                let like = |f: &Group| (f.color, f.role) == (g.color, g.role);
                rest.groups().iter().position(like).expect("the same men")
            };
            let places: Vec<usize> = solution.layout.groups().iter().map(like).collect();
            let place = |king: Square, men: &[SquareSet]| {
                let men = |group: usize| men[places[group]];
                solution.layout.lane(king, men)
            };
            Some(Leaf::of_solved(layout, group, planes, &place))
        };
        let groups = layout.groups().iter().enumerate();
        groups.filter_map(leaf).collect()
    }
}

/// Solves an ending with bia slice by slice and passes each slice on with its number. Drops slices
/// that no later slice leads to. Returns the number of cells.
pub fn solve_slices(
    library: &mut Library,
    (material, winner, goal): (Material, Color, Goal),
    phases: &mut Phases,
    progress: &dyn Fn(Progress),
    visit: &mut dyn FnMut(usize, &Solution),
) -> u64 {
    progress(Progress::Reading);
    let solver = || SliceSolver::new(library, material, winner, goal);
    let mut solver = phases.measure(Phase::Smaller, solver);
    let mut cells = 0;
    let all = solver.placements.len();
    for run in solver.placements.runs().collect::<Vec<_>>() {
        progress(Progress::Slice(run.start as u32 + 1, all as u32));
        phases.measure(Phase::Solving, || solver.solve(run.clone()));
        // A step of a bia leads to the run before, and to no other.
        solver.slices.drain(..run.start - solver.first);
        solver.first = run.start;
        phases.measure(Phase::Collecting, || {
            for (number, slice) in run.zip(&solver.slices) {
                cells += slice.layout.lanes() as u64 * 64 * 2;
                visit(number, slice);
            }
        });
    }
    cells
}

/// The side that moved, from the materials before and after.
fn mover(before: Material, after: Material) -> Color {
    let lost = |color: Color| after.army(color).len() < before.army(color).len();
    let changed = |color: &Color| after.army(*color) != before.army(*color);
    match Color::ALL.into_iter().find(|&color| lost(color)) {
        Some(loser) => !loser,
        None => Color::ALL.into_iter().find(changed).unwrap_or(Color::White),
    }
}

/// The solution of a subending, with the requested distances.
fn solved_before(
    library: &mut Library,
    material: Material,
    winner: Color,
    goal: Goal,
    keep: Keep,
) -> Before {
    if !material.is_pawnless() {
        return Before::Bia(library.bia_solution_with(material, winner, goal, keep));
    }
    let Goal::Honor(rules) = goal else {
        return Before::Pawnless(library.large(material, winner, goal, keep), None);
    };
    // Against a bare king the count applies to the moves to mate.
    let counted = match material.army(!winner).is_empty() {
        true => Goal::Mate,
        false => goal,
    };
    let solution = library.large(material, winner, counted, keep);
    let most = [winner, !winner].map(|turn| {
        let available = moves_available(rules, material, winner, turn, &Count::Fresh);
        available.expect("makruk counts in every ending without bia")
    });
    Before::Pawnless(solution, Some(most))
}
