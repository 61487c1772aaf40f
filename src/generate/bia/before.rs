//! The solved endings that the exits of a slice lead to. They are solved before the slice. An exit
//! is a move or capture of a bia.

use std::collections::HashMap;
use std::sync::Arc;

use super::exits::Led;
use super::solution::BiaSolution;
use super::ways::After;
use crate::board::{Color, Role, Square, SquareSet};
use crate::generate::goal::Goal;
use crate::generate::library::Library;
use crate::index::{BiaPlacements, Group, Transform};
use crate::material::Material;
use crate::rules::{Count, moves_available};
use crate::solve::{Keep, LaneLayout, Leaf, Solution};

/// The solved endings that the exits of an ending's slices lead to. They have the requested
/// distances of one side's wins.
pub struct SolvedBefore {
    winner: Color,
    endings: HashMap<Material, Before>,
}

/// A solved ending to which an exit leads.
enum Before {
    /// An ending with bia.
    Bia(Arc<BiaSolution>),
    /// An ending without bia. The second field is a limit on wins, if a count requires one: the
    /// most moves that the winner may need, with the winner to move and with the loser to move.
    Pawnless(Arc<Solution>, Option<[u32; 2]>),
}

impl SolvedBefore {
    /// Solves the requested endings, except endings that no move from `material` leads to and
    /// endings in which the winner can no longer win.
    pub fn new(
        library: &mut Library,
        material: Material,
        winner: Color,
        goal: Goal,
        is_wanted: impl Fn(Material) -> bool,
    ) -> SolvedBefore {
        let mut endings = HashMap::new();
        for after in material.after_a_move() {
            let wins = !after.army(winner).is_empty();
            if wins && is_wanted(after) && !endings.contains_key(&after) {
                let keep = match mover(material, after) == winner {
                    true => Keep::Loser,
                    false => Keep::Winner,
                };
                endings.insert(after, solved_before(library, after, winner, goal, keep));
            }
        }
        SolvedBefore { winner, endings }
    }

    /// The solution of the ending with this material, which an exit leads to. None if that ending
    /// was not solved.
    pub fn after(&self, after: Material, led: &Led) -> Option<After<'_>> {
        match self.endings.get(&after)? {
            Before::Bia(before) => {
                let (mirror, number) = before.placements().number(led.bia)?;
                let solution = before.slices().get(number)?;
                Some(After::new(solution, mirror))
            }
            Before::Pawnless(solution, most) => {
                let turn = usize::from(led.mover == self.winner);
                Some(After {
                    most_moves: most.map(|most| most[turn]),
                    ..After::new(solution, Transform::IDENTITY)
                })
            }
        }
    }

    /// The leaves of slice `number` of a material: the results of capturing the men that can move
    /// within the slice.
    pub fn leaves(&self, material: Material, layout: &LaneLayout, number: usize) -> Vec<Leaf> {
        let leaf = |(group, own): (usize, &Group)| {
            let army = material.army(own.color).without(own.role)?;
            let after = material.with_army(own.color, army);
            let solution: &Solution = match self.endings.get(&after)? {
                Before::Bia(before) => &before.slices()[number],
                Before::Pawnless(solution, _) => solution,
            };
            let planes = match own.color == layout.winner() {
                true => Some(&solution.winner_to_move),
                false => solution.loser_to_move.as_ref(),
            };
            let planes = planes.filter(|planes| planes.largest() > 0)?;
            let rest = layout.without(group);
            let places = solution.layout.groups().iter().map(|g| {
                let like = |f: &Group| (f.color, f.role) == (g.color, g.role);
                let fixed = match (g.color, g.role) == (layout.winner(), Role::Met) {
                    true => layout.fixed_mets(),
                    false => SquareSet::EMPTY,
                };
                (rest.groups().iter().position(like), fixed)
            });
            let places: Vec<_> = places.collect();
            let place = |king: Square, men: &[SquareSet]| {
                let men = |group: usize| {
                    let (place, fixed) = places[group];
                    place.map_or(SquareSet::EMPTY, |place| men[place]) | fixed
                };
                solution.layout.lane(king, men)
            };
            Some(Leaf::of_solved(layout, group, planes, &place))
        };
        let groups = layout.groups().iter().enumerate();
        groups.filter_map(leaf).collect()
    }
}

/// The material after an exit of a slice. None if the exit captures a man that the side does not
/// have.
pub fn led_to(material: Material, layout: &LaneLayout, led: &Led) -> Option<Material> {
    let mut after = material;
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
    Some(after)
}

/// Finds the slice with a placement of bia, or with the mirror image of the placement. `slices` are
/// consecutive slices, starting with number `first`. Returns the slice and the
/// transform that leads from the placement to that of the slice.
pub fn slice_of<'a>(
    placements: &BiaPlacements,
    (first, slices): (usize, &'a [Solution]),
    led: &Led,
) -> Option<After<'a>> {
    let (mirror, number) = placements.number(led.bia)?;
    let solution = slices.get(number.checked_sub(first)?)?;
    Some(After::new(solution, mirror))
}

/// The side whose move leads from one material to another.
fn mover(before: Material, after: Material) -> Color {
    let lost = |color: Color| after.army(color).len() < before.army(color).len();
    let changed = |color: &Color| after.army(*color) != before.army(*color);
    match Color::ALL.into_iter().find(|&color| lost(color)) {
        Some(loser) => !loser,
        None => Color::ALL.into_iter().find(changed).unwrap_or(Color::White),
    }
}

/// Solves an ending that an exit leads to, with the requested distances.
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
    // Against a bare king the winner has to mate inside the count.
    let counted = match material.army(!winner).is_empty() {
        true => Goal::Mate,
        false => goal,
    };
    let solution = library.large(material, winner, counted, keep);
    let most = most_moves(material, winner, rules);
    Before::Pawnless(solution, Some(most))
}

/// The most moves of a win inside the count that begins when the last bia is gone: with the winner
/// to move and with the loser to move.
pub fn most_moves(material: Material, winner: Color, rules: crate::rules::RuleSet) -> [u32; 2] {
    [winner, !winner].map(|turn| {
        let available = moves_available(rules, material, winner, turn, &Count::Fresh);
        available.expect("makruk counts in every ending without bia")
    })
}
