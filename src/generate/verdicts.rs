//! Makes verdict tables without distance tables. [`super::generate_by_plan`] makes both kinds
//! together.

use std::path::Path;

use super::bia::solve_slices;
use super::phases::Phases;
use super::solved_endings::SolvedEndings;
use super::won_sets::WonSetsBuilder;
use crate::board::Color;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;
use crate::simd::Simd;
use crate::solve::{Keep, LaneLayout, digest, solve};
use crate::table::{TableError, TableErrorKind};
use crate::verdict::Coding;

/// The maximum number of men in an ending with a verdict table. The sets of won positions of larger
/// endings do not fit into memory.
pub const MOST_VERDICT_MEN: usize = 5;

/// Makes the verdict table of an ending under these rule sets in a directory, on the current rayon
/// pool, and returns the table's length in bytes. The content of the table does not depend on the
/// number of threads. `known` lists the codings of the sides' wins, White's first; if it is empty,
/// the best codings are searched for.
///
/// # Errors
///
/// If the ending has more than [`MOST_VERDICT_MEN`] men, or the table cannot be written. An
/// existing file then stays untouched.
pub fn generate_verdicts(
    material: CanonicalMaterial,
    rules: RuleSets,
    directory: &Path,
    solved_endings: &mut SolvedEndings,
    known: &[Coding],
) -> Result<u64, TableError> {
    if material.men() > MOST_VERDICT_MEN {
        return Err(too_many_men(material));
    }
    let mut sets = WonSetsBuilder::new(material, rules);
    let men = material.material();
    for winner in Color::ALL {
        let goals: Vec<_> = sets.goals(winner).collect();
        for goal in goals {
            if !material.is_pawnless() {
                let (ending, phases) = ((men, winner, goal), &mut Phases::default());
                let add = &mut |number, slice: &_| sets.add_slice(goal, number, slice);
                solve_slices(solved_endings, ending, phases, &|_| {}, add);
                continue;
            }
            let layout = LaneLayout::new(men, winner);
            let leaves = solved_endings.leaves(men, &layout, goal);
            let captures = digest(&leaves);
            if !sets.settle(winner, goal, captures) {
                let unit = goal.unit();
                let simd = Simd::detect();
                let solution = solve(layout, leaves, Keep::Both, unit, simd, &mut |_| {});
                sets.add(goal, captures, &solution);
            }
        }
    }
    sets.finish().write(directory, known)
}

/// Makes the error for an ending with too many men.
fn too_many_men(material: CanonicalMaterial) -> TableError {
    let kind = TableErrorKind::BadInput(format!(
        "verdict tables exist for endings of up to {MOST_VERDICT_MEN} men"
    ));
    TableError::new(None, Some(material), kind)
}
