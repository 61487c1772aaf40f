//! Endings with bia, solved in memory, for larger ones to look up.

use std::collections::HashMap;
use std::rc::Rc;

use rayon::prelude::*;

use crate::board::{Color, Role, Square, SquareSet};
use crate::generate::goal::Goal;
use crate::generate::library::Library;
use crate::index::{Bia, BiaPlacements, Group, Transform};
use crate::material::Material;
use crate::rules::{Count, RuleSet, moves_available};
use crate::solve::{Keep, LaneLayout, Leaf, Simd, Solution, solve_slice};

use super::exits::{Led, collect};
use super::ways::After;

/// An ending with bia, solved for the wins of one side: its slices by the number of their placement.
#[derive(Debug)]
pub struct BiaSolution {
    placements: BiaPlacements,
    slices: Vec<Solution>,
}

/// Endings with bia by winner and goal, and the endings without that they lead to.
#[derive(Debug, Default)]
pub struct BiaLibrary {
    pawnless: Library,
    solved: HashMap<(Material, Color, Goal), Rc<BiaSolution>>,
}

/// What was solved before of an ending that a slice leads to.
enum Before {
    /// With bia.
    Bia(Rc<BiaSolution>),
    /// Without; judged, if these are the most moves that the winner may need, with the winner to move
    /// and with the loser.
    Pawnless(Rc<Solution>, Option<[u32; 2]>),
}

/// The same, for all threads.
enum BeforeRef<'a> {
    Bia(&'a BiaSolution),
    Pawnless(&'a Solution, Option<[u32; 2]>),
}

/// What leads out of an ending's slices, by the men after it.
type LedTo<'a> = HashMap<Material, BeforeRef<'a>>;

impl BiaSolution {
    /// The placements, in the order of the slices.
    pub fn placements(&self) -> &BiaPlacements {
        &self.placements
    }

    /// The slices.
    pub fn slices(&self) -> &[Solution] {
        &self.slices
    }

    /// The slice with these bia, or their mirror image, and the lane with the winner's king and the
    /// other men on these squares; what brings the lane's king to its bit.
    ///
    /// # Panics
    ///
    /// If the ending has not so many bia or they cannot stand there.
    pub fn lane(
        &self,
        bia: Bia,
        king: Square,
        men: impl Fn(Color, Role) -> SquareSet,
    ) -> (&Solution, usize, Transform) {
        let (transform, number) = self.placements.number(bia).expect("bia of this ending");
        let slice = &self.slices[number];
        let (_, lane) = slice.layout.lane(transform.square(king), |group| {
            let group = slice.layout.groups()[group];
            transform.set(men(group.color, group.role))
        });
        (slice, lane, transform)
    }

    /// The memory it takes.
    pub fn memory_bytes(&self) -> usize {
        self.slices.iter().map(Solution::memory_bytes).sum()
    }
}

impl BiaLibrary {
    /// An empty library.
    pub fn new() -> BiaLibrary {
        BiaLibrary::default()
    }

    /// Forgets all that is kept.
    pub fn forget(&mut self) {
        self.pawnless.forget();
        self.solved.clear();
    }

    /// The wins of one side in an ending with bia, both sides to move; solved now if it is not there,
    /// with all that it leads to, and kept.
    ///
    /// # Panics
    ///
    /// Under a goal other than mate and makruk's honor.
    pub fn solution(&mut self, material: Material, winner: Color, goal: Goal) -> Rc<BiaSolution> {
        assert!(
            matches!(goal, Goal::Mate | Goal::Honor(RuleSet::Makruk)),
            "endings with bia are solved under makruk's rules"
        );
        let key = (material, winner, goal);
        if let Some(solution) = self.solved.get(&key) {
            return Rc::clone(solution);
        }
        let solution = Rc::new(self.solve(material, winner, goal));
        self.solved.insert(key, Rc::clone(&solution));
        solution
    }

    /// What a slice leads to, as far as the winner can still win there.
    fn before(&mut self, material: Material, winner: Color, goal: Goal) -> Option<Before> {
        if material.army(winner).is_empty() {
            return None;
        }
        if !material.is_pawnless() {
            return Some(Before::Bia(self.solution(material, winner, goal)));
        }
        let Goal::Honor(rules) = goal else {
            let solution = self.pawnless.solution(material, winner, goal);
            return Some(Before::Pawnless(solution, None));
        };
        // Against a bare king the count is for the moves to mate.
        let counted = match material.army(!winner).is_empty() {
            true => Goal::Mate,
            false => goal,
        };
        let solution = self.pawnless.solution(material, winner, counted);
        let most = [winner, !winner].map(|turn| {
            let available = moves_available(rules, material, winner, turn, &Count::Fresh);
            available.expect("makruk counts in every ending without bia")
        });
        Some(Before::Pawnless(solution, Some(most)))
    }

    fn solve(&mut self, material: Material, winner: Color, goal: Goal) -> BiaSolution {
        let mut led_to: HashMap<Material, Before> = HashMap::new();
        for after in material.after_a_move() {
            if !led_to.contains_key(&after)
                && let Some(before) = self.before(after, winner, goal)
            {
                led_to.insert(after, before);
            }
        }
        let led_to: LedTo<'_> = led_to
            .iter()
            .map(|(&material, before)| {
                let before = match before {
                    Before::Bia(solution) => BeforeRef::Bia(solution),
                    Before::Pawnless(solution, most) => BeforeRef::Pawnless(solution, *most),
                };
                (material, before)
            })
            .collect();
        let counts = Color::ALL.map(|color| material.army(color).count(Role::Bia));
        let placements = BiaPlacements::new(counts);
        let mut slices: Vec<Solution> = Vec::with_capacity(placements.len());
        for run in placements.runs() {
            let solved: Vec<Solution> = run
                .into_par_iter()
                .map(|number| {
                    let bia = placements.bia(number);
                    let layout = LaneLayout::of_bia(material, winner, bia);
                    let leaves = leaves(&layout, material, number, &led_to);
                    let exits = collect(&layout, |led| {
                        let own = (&placements, &slices[..]);
                        after(&layout, material, led, own, &led_to)
                    });
                    solve_slice(layout, leaves, exits, Keep::Both, Simd::detect())
                })
                .collect();
            slices.extend(solved);
        }
        BiaSolution { placements, slices }
    }
}

/// What was solved of where a way leads.
fn after<'a>(
    layout: &LaneLayout,
    material: Material,
    led: &Led,
    (own_placements, own): (&BiaPlacements, &'a [Solution]),
    led_to: &LedTo<'a>,
) -> Option<After<'a>> {
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
    let of_slices = |placements: &BiaPlacements, slices: &'a [Solution]| {
        let (mirror, number) = placements.number(led.bia)?;
        let solution = slices.get(number)?;
        Some(After {
            solution,
            mirror,
            most_moves: None,
        })
    };
    if after == material {
        let found = of_slices(own_placements, own);
        return Some(found.expect("a bia's step leads to a slice before"));
    }
    match led_to.get(&after)? {
        BeforeRef::Bia(solution) => of_slices(&solution.placements, &solution.slices),
        BeforeRef::Pawnless(solution, most) => {
            let turn = usize::from(led.mover == layout.winner());
            Some(After {
                solution,
                mirror: Transform::IDENTITY,
                most_moves: most.map(|most| most[turn]),
            })
        }
    }
}

/// The leaves of a slice: what captures of men lead to while all bia stay.
fn leaves(layout: &LaneLayout, material: Material, number: usize, led_to: &LedTo<'_>) -> Vec<Leaf> {
    let leaf = |(group, own): (usize, &Group)| {
        let army = material.army(own.color).without(own.role)?;
        let BeforeRef::Bia(solution) = led_to.get(&material.with_army(own.color, army))? else {
            return None;
        };
        let solution = &solution.slices[number];
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
    layout
        .groups()
        .iter()
        .enumerate()
        .filter_map(leaf)
        .collect()
}
