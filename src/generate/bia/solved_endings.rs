//! Solves endings with bia that are subendings of larger endings.

use std::sync::Arc;

use super::after_promotion::{AfterPromotion, Cutting, Promoted};
use super::slices::SliceSolver;
use super::solution::BiaSolution;
use crate::board::{Color, Game};
use crate::generate::goal::{Goal, Key};
use crate::generate::solved_endings::SolvedEndings;
use crate::material::Material;
use crate::solve::Keep;

impl SolvedEndings {
    /// Returns the wins of one side in an ending with bia, with either side to move. Solves the
    /// ending and its subendings if necessary, and keeps the result unless it is large.
    ///
    /// # Panics
    ///
    /// If `goal` is not one of the material's game: mate in every game, the honor of makruk or ouk
    /// in makruk, and the plies of the fifty-move rule in ASEAN chess.
    #[doc(hidden)]
    pub fn bia_solution(
        &mut self,
        material: Material,
        winner: Color,
        goal: Goal,
    ) -> Arc<BiaSolution> {
        self.bia_solution_with(material, winner, goal, Keep::Both)
    }

    /// Like [`SolvedEndings::bia_solution`], but the solution of a large ending has only the
    /// distances that `keep` includes.
    pub(super) fn bia_solution_with(
        &mut self,
        material: Material,
        winner: Color,
        goal: Goal,
        keep: Keep,
    ) -> Arc<BiaSolution> {
        assert!(
            goal.is_of(material.canonical().0),
            "{goal:?} is no goal of {material}"
        );
        if let Some(solution) = self.kept_bia(&(material, winner, goal)) {
            return solution;
        }
        let mut solution = SliceSolver::new(self, material, winner, goal).solve_all();
        if SolvedEndings::is_large(solution.memory_bytes()) {
            solution.keep_only(keep);
            return Arc::new(solution);
        }
        let solution = Arc::new(solution);
        self.keep_bia((material, winner, goal), &solution);
        solution
    }

    /// Returns the positions after promotions to one kind of man. Unless they are kept,
    /// solves the ending after the promotion, and also keeps the positions after promotions to its
    /// other men, which later tables may need.
    pub(super) fn after_promotion(&mut self, wanted: Promoted) -> AfterPromotion {
        if let Some(positions) = self.promotions.get(wanted) {
            return positions;
        }
        let Promoted {
            game,
            material,
            winner,
            goal,
            ..
        } = wanted;
        if goal == Goal::Zeroing
            && material.is_pawnless()
            && material.bare_side().is_none()
            && self.wins_within_fifty_moves(material, winner)
        {
            let mates = Promoted {
                goal: Goal::Mate,
                ..wanted
            };
            return self.after_promotion(mates).won_within(u32::MAX);
        }
        let mut all = self.promotions_to_keep(game, (material, winner, goal));
        if !all.contains(&wanted) {
            all.push(wanted);
        }
        let mut cutting = Cutting::new(material, all);
        match material.is_pawnless() {
            true => cutting.add(0, &self.whole(material, winner, goal)),
            false => {
                let ending = self.bia_solution(material, winner, goal);
                for (number, slice) in ending.slices().iter().enumerate() {
                    cutting.add(number, slice);
                }
            }
        }
        let mut found = None;
        for (key, positions) in cutting.finish() {
            self.promotions.keep(key, &positions);
            if key == wanted {
                found = Some(positions);
            }
        }
        found.expect("the material has the new man")
    }

    /// The kinds of promotions to an ending whose positions later tables may need. Empty if none
    /// are kept.
    pub(super) fn promotions_to_keep(&self, game: Game, ending: Key) -> Vec<Promoted> {
        match self.promotions.keeps() {
            true => Promoted::all(game, ending),
            false => Vec::new(),
        }
    }

    /// Keeps the positions after promotions to each man of an ending whose slices have been cut.
    pub(super) fn keep_promotions(&mut self, cutting: Cutting) {
        for (key, positions) in cutting.finish() {
            self.promotions.keep(key, &positions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate_table;
    use crate::solve::BitPlanes;
    use crate::table::WriteOptions;

    /// The positions after promotions, in the order of their places.
    fn words(positions: &AfterPromotion) -> Vec<((usize, crate::board::Square), Vec<u64>)> {
        let mut all: Vec<_> = positions
            .solutions()
            .map(|(place, solution)| {
                let lost = solution.loser_to_move.as_ref();
                let any = |planes: &BitPlanes| {
                    (0..planes.lanes())
                        .map(|lane| planes.any(lane))
                        .collect::<Vec<_>>()
                };
                (
                    place,
                    [
                        any(lost.unwrap_or(&solution.winner_to_move)),
                        solution.open.to_vec(),
                    ]
                    .concat(),
                )
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn wins_inside_the_fifty_move_rule_are_known_from_a_table() {
        let directory = tempfile::tempdir().unwrap();
        let (mut known, mut solved) = (0, 0);
        for name in ["KRvKR", "KRvKN", "KRvKS", "KSvKM"] {
            let canonical = name.parse().unwrap();
            let options = WriteOptions::of(canonical);
            generate_table(
                canonical,
                directory.path(),
                &mut SolvedEndings::new(),
                &options,
                &|_| {},
            )
            .unwrap();
            let mut with_table = SolvedEndings::with_tables(vec![directory.path().to_path_buf()]);
            let mut without = SolvedEndings::new();
            let material = canonical.material();
            for material in [material, material.exchanged()] {
                for winner in Color::ALL {
                    match with_table.wins_within_fifty_moves(material, winner) {
                        true => known += 1,
                        false => solved += 1,
                    }
                    assert!(!without.wins_within_fifty_moves(material, winner));
                    let ending = (material, winner, Goal::Zeroing);
                    for key in Promoted::all(Game::Asean, ending) {
                        let found = with_table.after_promotion(key);
                        assert_eq!(
                            words(&found),
                            words(&without.after_promotion(key)),
                            "{key:?}"
                        );
                    }
                }
            }
        }
        println!("{known} known from tables, {solved} solved");
        assert!(known > 0);
    }
}
