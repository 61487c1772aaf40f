//! The subendings that captures and exits from a slice lead to. They are solved before the slice.
//! An exit is a move of a bia or the capture of a bia.

use std::collections::HashMap;
use std::sync::Arc;

use super::after_promotion::{AfterPromotion, Promoted};
use super::exit::{Destination, Limit};
use super::slice_exits::MaterialChange;
use super::solution::BiaSolution;
use crate::board::{Color, Game, Role, Square, SquareSet};
use crate::generate::goal::{Goal, Key};
use crate::generate::solved_endings::SolvedEndings;
use crate::index::{BiaPlacements, Group, Transform};
use crate::material::Material;
use crate::rules::{Count, FIFTY_MOVES_PLIES, RuleSet, late_captures_matter, moves_available};
use crate::solve::{Keep, LaneLayout, Leaf, Solution};

/// The solved subendings of an ending with bia, each with the distances that the ending's slices
/// need.
pub struct Subendings {
    winner: Color,
    solved: HashMap<Material, Subending>,
}

/// A solved subending, and the limit of its wins if a count begins with the move to it or the clock
/// of the fifty-move rule is set back: first with the winner to move, then with the loser to move.
struct Subending {
    solved: Solved,
    limits: Option<[Limit; 2]>,
}

/// The positions of a solved subending.
enum Solved {
    /// An ending with bia.
    Bia(Arc<BiaSolution>),
    /// An ending without bia.
    Pawnless(Arc<Solution>),
    /// An ending that only a promotion leads to.
    Promoted(AfterPromotion),
}

impl Subendings {
    /// Solves the subendings of `material` that `is_wanted` accepts, except those in which the
    /// winner has no men left.
    pub fn new(
        solved_endings: &mut SolvedEndings,
        material: Material,
        winner: Color,
        goal: Goal,
        is_wanted: impl Fn(Material) -> bool,
    ) -> Subendings {
        let mut solved = HashMap::new();
        for after in material.after_a_move() {
            let wins = !after.army(winner).is_empty();
            if wins && is_wanted(after) && !solved.contains_key(&after) {
                let change = change(material, after);
                solved.insert(
                    after,
                    solve_subending(
                        solved_endings,
                        (after, winner, goal),
                        (material.game(), change),
                    ),
                );
            }
        }
        Subendings { winner, solved }
    }

    /// Finds the positions after an exit in the subending with material `after`. Returns `None` if
    /// that subending was not solved.
    pub fn after(&self, after: Material, change: &MaterialChange) -> Option<Destination<'_>> {
        let Subending { solved, limits } = self.solved.get(&after)?;
        let turn = usize::from(change.mover == self.winner);
        let limit = limits.map(|limits| limits[turn]);
        let destination = match solved {
            Solved::Bia(ending) => {
                let (mirror, number) = ending.placements().number(change.bia)?;
                Destination::new(ending.slices().get(number)?, mirror)
            }
            Solved::Pawnless(solution) => Destination::new(solution, Transform::IDENTITY),
            Solved::Promoted(positions) => {
                let (.., square) = change.promoted?;
                return positions.after(change.bia, square, limit);
            }
        };
        Some(Destination {
            limit,
            ..destination
        })
    }

    /// The leaves of slice `number` of an ending: the results of capturing each man that can move
    /// within the slice.
    pub fn leaves(&self, material: Material, layout: &LaneLayout, number: usize) -> Vec<Leaf> {
        let leaf = |(group, own): (usize, &Group)| {
            let army = material.army(own.color).without(own.role)?;
            let after = material.with_army(own.color, army);
            let Subending { solved, limits } = self.solved.get(&after)?;
            let solution: &Solution = match solved {
                Solved::Bia(ending) => &ending.slices()[number],
                Solved::Pawnless(solution) => solution,
                Solved::Promoted(_) => unreachable!("a capture leaves fewer men"),
            };
            let loser_captures = own.color == layout.winner();
            let planes = match loser_captures {
                true => Some(&solution.winner_to_move),
                false => solution.loser_to_move.as_ref(),
            };
            let planes = planes.filter(|planes| planes.largest() > 0)?;
            let rest = layout.without(group);
            let places = solution.layout.groups().iter().map(|g| {
                let same_kind = |f: &Group| (f.color, f.role) == (g.color, g.role);
                let fixed = match (g.color, g.role) == (layout.winner(), Role::Met) {
                    true => layout.fixed_mets(),
                    false => SquareSet::EMPTY,
                };
                (rest.groups().iter().position(same_kind), fixed)
            });
            let places: Vec<_> = places.collect();
            let place = |king: Square, men: &[SquareSet]| {
                let men = |group: usize| {
                    let (place, fixed) = places[group];
                    place.map_or(SquareSet::EMPTY, |place| men[place]) | fixed
                };
                solution.layout.lane(king, men)
            };
            // While bia remain, a capture begins no count. But in ASEAN chess it sets back the
            // clock.
            let Some(limits) = limits else {
                return Some(Leaf::of_solved(layout, group, planes, &place));
            };
            let most = match loser_captures {
                true => limits[0].most,
                // With the loser to move, stored numbers are one more than the distance.
                false => limits[1].most + 1,
            };
            Some(Leaf::collect(layout, group, &|king, men, out| {
                let (transform, lane) = place(king, men);
                for square in Square::all() {
                    let number = planes.get(lane, transform.square(square).index());
                    out[square.index()] = u16::from(number > 0 && u32::from(number) <= most);
                }
            }))
        };
        let groups = layout.groups().iter().enumerate();
        groups.filter_map(leaf).collect()
    }
}

/// The material after an exit from a slice. None if the material has no man of the captured kind.
pub fn material_after(
    material: Material,
    layout: &LaneLayout,
    change: &MaterialChange,
) -> Option<Material> {
    let mut after = material;
    for color in Color::ALL {
        let mut army = after.army(color);
        let captured = change.captured_group.map(|group| layout.groups()[group]);
        if let Some(group) = captured.filter(|group| group.color == color) {
            army = army.without(group.role)?;
        }
        if let Some((_, role, _)) = change.promoted.filter(|&(side, ..)| side == color) {
            army = army.with(role);
        }
        while army.count(Role::Bia) > change.bia.of(color).len() {
            army = army.without(Role::Bia)?;
        }
        after = after.with_army(color, army);
    }
    Some(after)
}

/// Finds the slice with the bia that remain after an exit, or with their mirror image. `slices` are
/// consecutive slices, and `first` is the number of the first one.
pub fn slice_of<'a>(
    placements: &BiaPlacements,
    (first, slices): (usize, &'a [Solution]),
    goal: Goal,
    change: &MaterialChange,
) -> Option<Destination<'a>> {
    let (mirror, number) = placements.number(change.bia)?;
    let solution = slices.get(number.checked_sub(first)?)?;
    Some(Destination {
        limit: clock_set_back(goal),
        ..Destination::new(solution, mirror)
    })
}

/// The limit of the wins after a move that sets back the clock of the fifty-move rule; None if the
/// goal has no clock.
fn clock_set_back(goal: Goal) -> Option<Limit> {
    (goal == Goal::Zeroing).then_some(Limit {
        most: FIFTY_MOVES_PLIES,
        in_plies: true,
    })
}

/// The kind of move that leads from one material to another.
#[derive(Clone, Copy)]
enum ChangeOf {
    /// A side captures a man of the other side; it may promote as well.
    Capture(Color),
    /// A side promotes without a capture.
    Promotion(Color, Role),
}

fn change(before: Material, after: Material) -> ChangeOf {
    let lost = |color: &Color| after.army(*color).len() < before.army(*color).len();
    if let Some(loser) = Color::ALL.into_iter().find(lost) {
        return ChangeOf::Capture(!loser);
    }
    let new = |&(color, role): &(Color, Role)| {
        after.army(color).count(role) > before.army(color).count(role)
    };
    let mut men = Color::ALL
        .into_iter()
        .flat_map(|color| Role::PAWNLESS.into_iter().map(move |role| (color, role)));
    let (side, role) = men.find(new).expect("a promotion adds a man");
    ChangeOf::Promotion(side, role)
}

/// Solves a subending, for the positions after one kind of move. The solution of a large subending
/// may have only the distances with the other side to move.
fn solve_subending(
    solved_endings: &mut SolvedEndings,
    (material, winner, goal): Key,
    (game, change): (Game, ChangeOf),
) -> Subending {
    let mut solve = |goal: Goal| match change {
        ChangeOf::Promotion(side, role) => {
            Solved::Promoted(solved_endings.after_promotion(Promoted {
                game,
                material,
                winner,
                goal,
                side,
                role,
            }))
        }
        ChangeOf::Capture(side) => {
            let keep = match side == winner {
                true => Keep::Loser,
                false => Keep::Winner,
            };
            match material.is_pawnless() {
                true => Solved::Pawnless(solved_endings.large(material, winner, goal, keep)),
                false => {
                    Solved::Bia(solved_endings.bia_solution_with(material, winner, goal, keep))
                }
            }
        }
    };
    if !material.is_pawnless() {
        return Subending {
            solved: solve(goal),
            limits: clock_set_back(goal).map(|limit| [limit; 2]),
        };
    }
    // Against a bare king the winner has to mate inside the count.
    let is_bare = material.army(!winner).is_empty();
    let (counted, limits) = match goal {
        Goal::Zeroing if !is_bare || late_captures_matter(material.canonical().0) => {
            (goal, clock_set_back(goal).map(|limit| [limit; 2]))
        }
        Goal::Honor(rules) if !is_bare && rules.counts_with_bia() => (goal, None),
        _ => {
            let in_plies = goal == Goal::Zeroing;
            let limits = goal.rules().map(|rules| {
                most_moves(material, winner, rules).map(|most| Limit { most, in_plies })
            });
            (if is_bare { Goal::Mate } else { goal }, limits)
        }
    };
    Subending {
        solved: solve(counted),
        limits,
    }
}

/// The largest number of moves in which a win is inside the count that begins when the last bia is
/// gone: first with the winner to move, then with the loser to move.
pub fn most_moves(material: Material, winner: Color, rules: RuleSet) -> [u32; 2] {
    [winner, !winner].map(|turn| {
        let available = moves_available(rules, material, winner, turn, &Count::Fresh);
        available.expect("every rule set limits the wins in endings without bia")
    })
}
