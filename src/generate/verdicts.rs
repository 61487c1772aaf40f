//! Verdict tables, from solved endings.

use std::path::Path;

use rayon::prelude::*;

use super::goal::Goal;
use super::library::Library;
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::rules::{Count, RuleSet, moves_available};
use crate::solve::{BitPlanes, LaneLayout, Solution};
use crate::table::{Metric, TableError, TableErrorKind};
use crate::verdict::{VerdictWriter, Words};

/// The most men of an ending that has a verdict table: the words of larger ones do not fit into memory.
pub const MOST_VERDICT_MEN: usize = 5;

/// Makes the verdict table of an ending in a directory. Returns the number of its bytes. Runs on the
/// current rayon pool; the same bytes come out whatever its size.
///
/// # Errors
///
/// If the ending has more than [`MOST_VERDICT_MEN`] men, or the table cannot be written. What was under
/// its name before stays then.
pub fn generate_verdicts(
    material: CanonicalMaterial,
    directory: &Path,
    library: &mut Library,
) -> Result<u64, TableError> {
    let men = material.material();
    let path = directory.join(crate::verdict::file_name(material));
    if material.men() > MOST_VERDICT_MEN {
        let kind = TableErrorKind::BadInput(format!("{} men are too many", material.men()));
        return Err(TableError::new(Some(&path), Some(material), kind));
    }
    let mut writer = VerdictWriter::create(&path, material)?;
    for winner in Color::ALL {
        // Where both sides have the same men, Black's wins are White's.
        let twins = winner == Color::Black && men.white == men.black;
        if men.army(winner).is_empty() || twins {
            continue;
        }
        let layout = LaneLayout::new(men, winner);
        let of_material = Layout::groups_of(material);
        let place = |group| of_material.iter().position(|g| g == group);
        let order = layout.groups().iter().filter_map(place);
        let order: Vec<u8> = order.map(|place| place as u8).collect();
        writer.add_side(winner, &order, sets(material, winner, library))?;
    }
    writer.finish()
}

/// The sets of one side's wins: on the board, then inside the count of each rule set.
fn sets(material: CanonicalMaterial, winner: Color, library: &mut Library) -> Vec<Words> {
    let men = material.material();
    let mate = library.solution(men, winner, Goal::Mate);
    let mut sets = vec![words(&mate, [u32::MAX; 2])];
    let mut mate = Some(mate);
    let bare = men.army(!winner).is_empty();
    for rules in RuleSet::ALL {
        let most = [winner, !winner].map(|turn| {
            let available = moves_available(rules, men, winner, turn, &Count::Fresh);
            available.unwrap_or(u32::MAX)
        });
        let metric = Metric::Dth(rules);
        if bare && !metric.counts_plies(material) {
            let mate = mate.get_or_insert_with(|| library.solution(men, winner, Goal::Mate));
            sets.push(words(mate, most));
        } else {
            // Its memory is for the next.
            mate = None;
            let goal = Goal::of(metric, material);
            let solution = library.solution(men, winner, goal);
            let most = match goal {
                // Its wins are those in time.
                Goal::Zeroing => [u32::MAX; 2],
                _ => most,
            };
            sets.push(words(&solution, most));
        }
    }
    sets
}

/// The positions that are won in at most so many moves, with the winner and with the loser to move.
fn words(solution: &Solution, [winner, loser]: [u32; 2]) -> Words {
    let loser_to_move = solution.loser_to_move.as_ref().expect("both sides to move");
    [
        up_to(&solution.layout, &solution.winner_to_move, winner),
        // There one more is kept.
        up_to(&solution.layout, loser_to_move, loser.saturating_add(1)),
    ]
}

/// The positions whose number is at most this one, and not 0, plane by plane.
fn up_to(layout: &LaneLayout, planes: &BitPlanes, most: u32) -> Vec<u64> {
    let kings = layout.domain().len();
    let slab_lanes = layout.lanes() / kings;
    let largest = u32::from(planes.largest());
    let word = |i: usize| {
        let lane = i % kings * slab_lanes + i / kings;
        let any = planes.any(lane);
        if any == 0 || most >= largest {
            return any;
        }
        let mut numbers = [0; 64];
        planes.numbers(lane, &mut numbers);
        let numbers = numbers.iter().enumerate();
        let more = numbers.filter(|&(_, &number)| u32::from(number) > most);
        more.fold(any, |word, (bit, _)| word & !(1 << bit))
    };
    (0..layout.lanes()).into_par_iter().map(word).collect()
}
