//! The solved positions just after a promotion.
//!
//! A promotion leads to few positions of the ending after it: those in which the new man still
//! stands on the square of its promotion. So a slice needs an eighth of that ending, and only with
//! one side to move.

use std::collections::HashMap;

use rayon::prelude::*;

use super::exit::{Destination, Limit};
use crate::board::{Color, Game, Role, Square, SquareSet};
use crate::generate::goal::{Goal, Key};
use crate::index::{Bia, BiaPlacements, Transform};
use crate::material::Material;
use crate::parallel::ForkedByOneFunction;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::solve::{BitPlanes, LaneLayout, LaneWords, Solution};

/// Identifies the positions after the promotions to one kind of man.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Promoted {
    /// The game, which decides how bia promote. An ending without bia belongs to every game.
    pub game: Game,
    /// The material after the promotion.
    pub material: Material,
    /// The side whose wins are solved.
    pub winner: Color,
    /// The goal under which the wins are solved.
    pub goal: Goal,
    /// The side that promotes.
    pub side: Color,
    /// The man that the bia becomes.
    pub role: Role,
}

impl Promoted {
    /// Every kind of promotion that can lead to a material.
    pub fn all(game: Game, (material, winner, goal): Key) -> Vec<Promoted> {
        let roles = game.promotions();
        let sides = Color::ALL.into_iter();
        let men = sides.flat_map(|side| roles.iter().map(move |&role| (side, role)));
        men.filter(|&(side, role)| material.army(side).count(role) > 0)
            .map(|(side, role)| Promoted {
                game,
                material,
                winner,
                goal,
                side,
                role,
            })
            .collect()
    }
}

/// The positions with one placement of the remaining bia and the new man on one square. The first
/// field is the number of the placement.
pub type Place = (usize, Square);

/// The solved positions just after the promotions to one kind of man, with the other side to move.
#[derive(Debug)]
pub struct AfterPromotion {
    placements: BiaPlacements,
    solutions: HashMap<Place, Solution>,
}

impl AfterPromotion {
    /// Puts together the positions of each place.
    pub(super) fn new(
        material: Material,
        solutions: impl IntoIterator<Item = (Place, Solution)>,
    ) -> AfterPromotion {
        AfterPromotion {
            placements: BiaPlacements::of(material),
            solutions: solutions.into_iter().collect(),
        }
    }

    /// The positions of each place, in no particular order.
    pub(super) fn solutions(&self) -> impl Iterator<Item = (Place, &Solution)> {
        self.solutions
            .iter()
            .map(|(&place, solution)| (place, solution))
    }

    /// The positions with these bia and the new man on `square`.
    pub fn after(
        &self,
        rest: Bia,
        square: Square,
        limit: Option<Limit>,
    ) -> Option<Destination<'_>> {
        let (mirror, place) = place_of(&self.placements, rest, square)?;
        Some(Destination {
            limit,
            promoted_is_fixed: true,
            ..Destination::new(self.solutions.get(&place)?, mirror)
        })
    }

    /// Replaces each distance by 1 if it is a win of at most `most` moves or plies, else by 0.
    #[must_use]
    pub fn won_within(self, most: u32) -> AfterPromotion {
        let solutions: Vec<_> = self.solutions.into_iter().collect();
        let solutions: Vec<(Place, Solution)> = solutions
            .into_par_iter()
            .erased()
            .map(|(place, mut solution)| {
                // With the loser to move, stored numbers are one more than the distance.
                if let Some(lost) = &mut solution.loser_to_move {
                    *lost = up_to(lost, most.saturating_add(1), None);
                } else {
                    let open = Some(&mut solution.open);
                    solution.winner_to_move = up_to(&solution.winner_to_move, most, open);
                }
                (place, solution)
            })
            .collect();
        AfterPromotion {
            placements: self.placements,
            solutions: solutions.into_iter().collect(),
        }
    }
}

/// The positions whose number is from 1 to `most`, each with the number 1. Positions with a larger
/// number are added to `open`.
fn up_to(planes: &BitPlanes, most: u32, open: Option<&mut LaneWords>) -> BitPlanes {
    let most = u16::try_from(most).unwrap_or(u16::MAX);
    let mut won = BitPlanes::new(planes.lanes());
    won.make_room(1);
    for words in won.of_value_mut(1) {
        for (lane, word) in words.iter_mut().enumerate() {
            [*word] = planes.up_to(most, lane);
        }
    }
    for (lane, word) in open
        .into_iter()
        .flat_map(|open| open.iter_mut())
        .enumerate()
    {
        *word |= planes.any(lane) & !won.any(lane);
    }
    won
}

/// The place that has these bia and the new man on `square`, or their mirror image, and the
/// transform to it.
fn place_of(placements: &BiaPlacements, rest: Bia, square: Square) -> Option<(Transform, Place)> {
    let (mut mirror, number) = placements.number(rest)?;
    // If the bia are their own mirror image, only the man's squares on the left half count.
    if rest == rest.mirrored() && square.file() > 3 {
        mirror = Transform::MIRROR;
    }
    Some((mirror, (number, mirror.square(square))))
}

/// Cuts the positions after promotions out of a solved ending, slice by slice.
pub struct Cutting {
    placements: BiaPlacements,
    cut: Vec<(Promoted, Vec<(Place, Solution)>)>,
}

impl Cutting {
    /// Prepares to cut out these positions, which must be of one material.
    pub fn new(material: Material, wanted: Vec<Promoted>) -> Cutting {
        Cutting {
            placements: BiaPlacements::of(material),
            cut: wanted.into_iter().map(|key| (key, Vec::new())).collect(),
        }
    }

    /// Cuts the positions out of one slice or, without bia, out of the whole ending.
    pub fn add(&mut self, number: usize, solution: &Solution) {
        let bia = self.placements.bia(number);
        for (key, found) in &mut self.cut {
            let squares = key.game.promotion_squares(key.side);
            let places = squares.filter(|&square| {
                let place = place_of(&self.placements, bia, square);
                !bia.all().contains(square)
                    && place == Some((Transform::IDENTITY, (number, square)))
            });
            let cut = places.map(|square| ((number, square), cut(solution, *key, bia, square)));
            found.extend(cut);
        }
    }

    /// The positions that were cut out. For the plies of the fifty-move rule, distances are
    /// replaced by 1: a promotion sets back the clock, so it only matters whether the position is
    /// won.
    pub fn finish(self) -> impl Iterator<Item = (Promoted, AfterPromotion)> {
        self.cut.into_iter().map(|(key, solutions)| {
            let whole = AfterPromotion::new(key.material, solutions);
            let positions = match key.goal {
                Goal::Zeroing => whole.won_within(FIFTY_MOVES_PLIES),
                Goal::Mate | Goal::Honor(_) => whole,
            };
            (key, positions)
        })
    }
}

/// Cuts out the positions with the new man on one square.
fn cut(solution: &Solution, key: Promoted, bia: Bia, square: Square) -> Solution {
    let army = key.material.army(key.side).without(key.role);
    let rest = army.map(|army| key.material.with_army(key.side, army));
    let rest = rest.expect("the new man belongs to the material");
    let layout = LaneLayout::of_whole_board(rest, key.winner, bia);
    let solved = &solution.layout;
    // For each group of the solved ending: its group without the new man, and the new man.
    let places: Vec<(Option<usize>, SquareSet)> = solved
        .groups()
        .iter()
        .map(|g| {
            let groups = &mut layout.groups().iter();
            let place = groups.position(|own| (own.color, own.role) == (g.color, g.role));
            match (g.color, g.role) == (key.side, key.role) {
                true => (place, square.set()),
                false => (place, SquareSet::EMPTY),
            }
        })
        .collect();
    let slab = layout.lanes() / layout.domain().len();
    // The lane of the solved ending for each lane with the winner's king on one square, and the
    // transform of its bits. None if two men share a square.
    let lanes_of = |at: usize| {
        let king = layout.domain()[at];
        let fixed = bia.all().disjoint_union([square.set(), king.set()]);
        let lanes = (at * slab..(at + 1) * slab).map(|lane| {
            let (_, men) = layout.men(lane);
            fixed?.disjoint_union(men.iter().copied())?;
            let men = |group: usize| {
                let (place, new) = places[group];
                place.map_or(SquareSet::EMPTY, |place| men[place]) | new
            };
            Some(solved.lane(king, men).1)
        });
        (solved.to_domain(king).inverse(), lanes.collect())
    };
    let slabs: Vec<(Transform, Vec<Option<usize>>)> = (0..layout.domain().len())
        .into_par_iter()
        .erased()
        .map(lanes_of)
        .collect();
    let copy = |from: &[u64], to: &mut [u64]| {
        for (to, (back, lanes)) in to.chunks_mut(slab).zip(&slabs) {
            for (to, lane) in to.iter_mut().zip(lanes) {
                *to = lane.map_or(0, |lane| back.set(SquareSet(from[lane])).0);
            }
        }
    };
    let copy_planes = |from: &BitPlanes| {
        let mut planes = BitPlanes::new(layout.lanes());
        planes.make_room(from.limit());
        for (to, from) in planes.words_mut().zip(from.words()) {
            copy(from, to);
        }
        planes
    };
    if key.side == key.winner {
        let lost = solution.loser_to_move.as_ref().map(copy_planes);
        return Solution::of_lost(layout.clone(), lost.unwrap_or_default());
    }
    let mut open = LaneWords::zeroed(layout.lanes());
    copy(&solution.open, &mut open);
    let won = copy_planes(&solution.winner_to_move);
    Solution::of_won(layout, won, open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::bia::BiaSolution;
    use crate::generate::bia::slices::SliceSolver;
    use crate::generate::solved_endings::SolvedEndings;

    /// A solved ending, whole.
    enum Whole {
        Bia(BiaSolution),
        Pawnless(Box<Solution>),
    }

    impl Whole {
        fn of(solved_endings: &mut SolvedEndings, (material, winner, goal): Key) -> Whole {
            match material.is_pawnless() {
                true => {
                    let keep = crate::solve::Keep::Both;
                    let solution = solved_endings.solve(material, winner, goal, keep, &mut |_| {});
                    Whole::Pawnless(Box::new(solution))
                }
                false => {
                    let slices = SliceSolver::new(solved_endings, material, winner, goal);
                    Whole::Bia(slices.solve_all())
                }
            }
        }

        /// The numbers of a lane of the ending, and its open positions: for the winner to move or,
        /// if `lost`, for the loser to move.
        fn lane(
            &self,
            bia: Bia,
            king: Square,
            men: impl Fn(Color, Role) -> SquareSet,
            lost: bool,
        ) -> ([u16; 64], u64) {
            let (solution, lane, transform) = match self {
                Whole::Bia(ending) => ending.lane(bia, king, men),
                Whole::Pawnless(solution) => {
                    let (transform, lane) = solution.layout.lane(king, |group| {
                        let group = solution.layout.groups()[group];
                        men(group.color, group.role)
                    });
                    (&**solution, lane, transform)
                }
            };
            let planes = match lost {
                true => solution.loser_to_move.as_ref().unwrap(),
                false => &solution.winner_to_move,
            };
            let mut numbers = [0; 64];
            planes.numbers(lane, &mut numbers);
            let open = transform.inverse().set(SquareSet(solution.open[lane])).0;
            (transform.pull_back(&numbers), open)
        }
    }

    /// Compares all positions after promotions with those of the whole ending. Returns the number
    /// of won positions.
    fn compare(game: Game, name: &str, goal: Goal) -> u64 {
        let material: Material = name.parse().unwrap();
        let mut won = 0;
        for winner in Color::ALL {
            if material.army(winner).is_empty() {
                continue;
            }
            let ending = (material, winner, goal);
            let mut solved_endings = SolvedEndings::new();
            let whole = Whole::of(&mut solved_endings, ending);
            let placements = BiaPlacements::of(material);
            for key in Promoted::all(game, ending) {
                let positions = solved_endings.after_promotion(key);
                let all = (0..placements.len()).map(|number| placements.bia(number));
                for bia in all.flat_map(|bia| [bia, bia.mirrored()]) {
                    for square in key.game.promotion_squares(key.side) & !bia.all() {
                        won += compare_place(&whole, &positions, key, bia, square);
                    }
                }
            }
        }
        won
    }

    fn compare_place(
        whole: &Whole,
        positions: &AfterPromotion,
        key: Promoted,
        bia: Bia,
        square: Square,
    ) -> u64 {
        let destination = positions.after(bia, square, None).unwrap();
        let (solution, mirror) = (destination.solution, destination.mirror);
        let layout = &solution.layout;
        let is_lost = key.side == key.winner;
        let mut won = 0;
        for lane in 0..layout.lanes() {
            let (slab, men) = layout.men(lane);
            let king = layout.domain()[slab];
            let fixed = bia.moved(mirror).all().with(mirror.square(square));
            let men_and_king = men.iter().copied().chain([king.set()]);
            let Some(all) = fixed.disjoint_union(men_and_king) else {
                continue;
            };
            let men_of = |color: Color, role: Role| {
                let groups = layout.groups().iter().zip(&men);
                let same = groups.filter(|(g, _)| (g.color, g.role) == (color, role));
                let mut found = same.fold(SquareSet::EMPTY, |all, (_, &men)| all | men);
                if (color, role) == (key.side, key.role) {
                    found |= mirror.square(square).set();
                }
                mirror.set(found)
            };
            let (expected, open) = whole.lane(bia, mirror.square(king), men_of, is_lost);
            let planes = match is_lost {
                true => solution.loser_to_move.as_ref().unwrap(),
                false => &solution.winner_to_move,
            };
            let mut numbers = [0; 64];
            planes.numbers(lane, &mut numbers);
            for (bit, &number) in expected.iter().enumerate() {
                let at = mirror.square(Square::wrapping(bit));
                if all.contains(at) {
                    continue;
                }
                let expected = match key.goal {
                    Goal::Zeroing => u16::from(number > 0),
                    _ => number,
                };
                assert_eq!(numbers[at.index()], expected, "{key:?} {lane} {bit}");
                let is_open = !is_lost && solution.open[lane] >> at.index() & 1 != 0;
                assert_eq!(
                    is_open,
                    !is_lost && open >> bit & 1 != 0,
                    "{key:?} {lane} {bit}"
                );
                won += u64::from(number > 0);
            }
        }
        won
    }

    #[test]
    fn positions_after_promotions_are_those_of_the_whole_ending() {
        for (game, name, goal) in [
            (Game::Asean, "KRvKS", Goal::Zeroing),
            (Game::Asean, "KSMvK", Goal::Mate),
            (Game::Asean, "KRRvK", Goal::Mate),
            (Game::Asean, "KRvKP-asean", Goal::Zeroing),
            (Game::Asean, "KSPvK-asean", Goal::Mate),
            (Game::Makruk, "KMPvK", Goal::Mate),
            (Game::Makruk, "KRvKM", Goal::Mate),
        ] {
            assert!(compare(game, name, goal) > 0, "{name}");
        }
    }

    #[test]
    fn distances_beyond_a_limit_are_open() {
        let mut planes = BitPlanes::new(1);
        let mut numbers = [0; 64];
        numbers[..5].copy_from_slice(&[0, 1, 7, 8, 200]);
        planes.set_lane(0, &numbers);
        let mut open = LaneWords::zeroed(1);
        open[0] = 1;
        let won = up_to(&planes, 7, Some(&mut open));
        assert_eq!((won.any(0), won.largest(), open[0]), (0b00110, 1, 0b11001));
        let all = up_to(&planes, u32::MAX, None);
        assert_eq!(all.any(0), 0b11110);
    }
}
