//! Solves endings with bia that are subendings of larger endings.

use std::sync::Arc;

use super::slices::SliceSolver;
use super::solution::BiaSolution;
use crate::board::Color;
use crate::generate::goal::Goal;
use crate::generate::library::Library;
use crate::material::Material;
use crate::solve::Keep;

impl Library {
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

    /// Like [`Library::bia_solution`], but the solution of a large ending has only the distances
    /// that `keep` includes.
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
        if Library::is_large(solution.memory_bytes()) {
            solution.keep_only(keep);
            return Arc::new(solution);
        }
        let solution = Arc::new(solution);
        self.keep_bia((material, winner, goal), &solution);
        solution
    }
}
