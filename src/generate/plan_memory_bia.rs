//! Estimates the memory and disk space for making the table of an ending with bia.

use std::collections::HashMap;

use super::bia::KEPT_PROMOTIONS_BYTES;
use super::goal::Goal;
use super::method::Method;
use super::plan_memory::{
    BARE_PLANES, CELLS, Need, PROGRAM, TWO_SIDED, WORD, WRITER, kept_bytes, leaf_planes,
};
use super::solved_endings::SolvedEndings;
use crate::board::{Color, Role};
use crate::index::BiaPlacements;
use crate::material::{CanonicalMaterial, Material};
use crate::solve::{LaneLayout, solve_bytes};

/// Estimates the memory and disk space for an ending with bia, solved in memory or slice by slice.
pub fn need_of_bia(
    method: Method,
    material: CanonicalMaterial,
    cells: u64,
    with_verdicts: bool,
) -> Need {
    match method {
        Method::ByBia => by_slice(material.material()),
        _ => in_memory(material, cells, with_verdicts),
    }
}

/// Estimates the memory for an ending whose slices are all in memory.
fn in_memory(material: CanonicalMaterial, cells: u64, with_verdicts: bool) -> Need {
    let sets = match with_verdicts {
        true => cells / CELLS * WORD * 2 * solves_of_bia(material),
        false => 0,
    };
    let winners = Color::ALL.into_iter();
    let winners = winners.filter(|&winner| !material.army(winner).is_empty());
    let known = &mut HashMap::new();
    let solving = winners.map(|winner| bia_bytes(material.material(), winner, known));
    // The cells with distances to mate stay in memory while those with distances to honor are
    // collected and permuted.
    let solving = solving
        .max()
        .unwrap_or(0)
        .saturating_add(cells.saturating_mul(2));
    let kept = kept_bytes(material);
    let solving = solving.saturating_add(sets).saturating_add(kept);
    let writing = cells.saturating_mul(3).saturating_add(sets);
    let writing = writing.saturating_add(kept);
    Need {
        memory: solving.max(writing).saturating_add(TWO_SIDED),
        arrays: solving,
        work: kept_promotions(material) / PACKED,
    }
}

/// The factor by which compression shrinks the distances of slices in files.
const PACKED: u64 = 3;

/// Estimates the memory and disk space for an ending against a bare king, solved slice by slice.
fn by_slice(material: Material) -> Need {
    let winner = Color::White;
    let slices = BiaPlacements::of(material);
    let number = slices.len() as u64;
    let lanes = LaneLayout::of_bia(material, winner, slices.bia(0)).lane_count();
    let words = |columns: u64| lanes.saturating_mul(WORD * columns);
    // Captures lead to subendings. The distances of all subendings are kept with White to move; the
    // subending that is being solved needs more memory.
    let known = &mut HashMap::new();
    let captures = |material: Material| {
        let endings = material.after_a_move().into_iter();
        endings.filter(move |after| after.men() < material.men())
    };
    let kept_of = |material: Material| {
        let bytes = captures(material)
            .map(|after| LaneLayout::cells(after, winner) / CELLS * WORD * (1 + BARE_PLANES));
        bytes.fold(0, u64::saturating_add)
    };
    let mut solving_of = |material: Material| {
        let subendings = Subendings::of(material, captures(material).collect(), winner, known);
        let canonical = material.canonical().0;
        kept_of(material)
            .saturating_add(subendings.solving)
            .saturating_add(kept_bytes(canonical))
    };
    let army = material.army(winner);
    let promoted = army.without(Role::Bia).unwrap_or(army).with(Role::Met);
    let after = material.with_army(winner, promoted);
    let bia = army.count(Role::Bia) as u64;
    // Slices that stay in memory for later slices: a single slice if there is one bia, otherwise
    // the slices of two runs.
    let run = slices.runs().map(|run| run.len() as u64).max().unwrap_or(1);
    let waiting = words(BARE_PLANES) * if bia == 1 { 1 } else { 2 * run };
    let exits = words(BARE_PLANES + 1);
    let collecting = waiting + words(BARE_PLANES) * bia + exits;
    // Arrays of a solve: the open, newly lost and previously lost positions, and the distances with
    // either side to move.
    let solving = waiting.saturating_sub(words(BARE_PLANES)) + exits + words(3 + 2 * BARE_PLANES);
    let own = kept_of(material).saturating_add(collecting.max(solving));
    let subendings = solving_of(material).max(solving_of(after));
    // Arrays after a promotion: the won positions and the captures; then the open, newly lost and
    // previously lost positions, and the distances.
    let promoting = kept_of(after).saturating_add(words(3 + 2 * BARE_PLANES));
    // The part of the cells after a promotion that is read at a time: those with White's king on
    // one square, or with one placement of the bia.
    let after_slices = BiaPlacements::of(after);
    let parts = match after.is_pawnless() {
        true => LaneLayout::new(after, winner).domain().len(),
        false => after_slices.len(),
    };
    let reading = LaneLayout::cells(after, winner) / parts as u64;
    // A block may extend from one slice into the next. Then two permuted slices are in memory, and
    // one of them also unpermuted.
    let cells = lanes.saturating_mul(CELLS);
    let writing = cells.saturating_mul(if number > 1 { 3 } else { 2 });
    let arrays = subendings.max(own).max(promoting).max(reading).max(writing);
    // Files: each slice's distances under both goals, and the positions after promotions.
    let files = words(1 + BARE_PLANES).saturating_mul(2 * number);
    Need {
        memory: arrays.saturating_add(PROGRAM + WRITER),
        arrays,
        work: files / PACKED,
    }
}

/// The number of times that an ending with bia is solved: each side's wins are solved to mate and
/// to makruk's honor.
pub fn solves_of_bia(material: CanonicalMaterial) -> u64 {
    if material.is_bare() { 2 } else { 4 }
}

/// The bytes for solving one side's wins in an ending with bia, including the large subendings that
/// its exits lead to. (An exit is a move of a bia or the capture of a bia.) These subendings are
/// solved first, unless they are kept.
fn bia_bytes(
    material: Material,
    winner: Color,
    known: &mut HashMap<(Material, Color), u64>,
) -> u64 {
    if let Some(&bytes) = known.get(&(material, winner)) {
        return bytes;
    }
    let Subendings {
        kept,
        solving: before,
    } = Subendings::of(material, material.after_a_move(), winner, known);
    let slices = BiaPlacements::of(material);
    let slice = LaneLayout::of_bia(material, winner, slices.bia(0)).lane_count();
    let planes = leaf_planes(material.army(winner));
    // The open positions and the distances, for the run being solved and the one before it.
    let run = slices.runs().map(|run| run.len() as u64).max().unwrap_or(0);
    let solved = slice.saturating_mul(WORD * (1 + 2 * planes) * 2 * run);
    // In addition, for the slices being solved: the pending and lost positions, and the exits.
    let exits = 2 * planes + 3;
    let at_work = slice.saturating_mul(WORD * (3 + exits) * run.min(SLICES_AT_WORK));
    let own = solved.saturating_add(at_work);
    let bytes = kept.saturating_add(before.max(own));
    known.insert((material, winner), bytes);
    bytes
}

/// The part of an ending's distances, with one side to move, in which a new man is on a square of
/// its promotion, as a denominator: an eighth, or twice as much if two men are alike.
const AFTER_PROMOTION: u64 = 4;

/// The bytes of the positions after promotions that are kept for later tables, before they
/// are compressed.
fn kept_promotions(material: CanonicalMaterial) -> u64 {
    let endings = material.closure().into_iter();
    let others = endings.filter(|e| e.men() == material.men() && *e != material);
    let bytes = others.map(|ending| {
        let winners = Color::ALL.into_iter();
        let winners = winners.filter(|&winner| !ending.army(winner).is_empty());
        let bytes = winners.map(|winner| {
            let lanes = LaneLayout::cells(ending.material(), winner) / CELLS;
            let planes = 1 + leaf_planes(ending.army(winner));
            lanes.saturating_mul(WORD * planes) / AFTER_PROMOTION
        });
        bytes.fold(0, u64::saturating_add)
    });
    let bytes = bytes.fold(0, u64::saturating_add);
    bytes.min(KEPT_PROMOTIONS_BYTES)
}

/// The memory for the large subendings of an ending.
struct Subendings {
    /// The bytes of all large subendings once they are solved. After a promotion, only the
    /// positions with the new man on its square are kept.
    kept: u64,
    /// The largest number of additional bytes needed while one of them is solved.
    solving: u64,
}

impl Subendings {
    fn of(
        before: Material,
        endings: Vec<Material>,
        winner: Color,
        known: &mut HashMap<(Material, Color), u64>,
    ) -> Subendings {
        let (mut kept, mut most) = (0u64, 0u64);
        for ending in endings {
            let army = ending.army(winner);
            if army.is_empty() {
                continue;
            }
            let lanes = LaneLayout::cells(ending, winner) / CELLS;
            let of_one_side = lanes.saturating_mul(WORD * (1 + leaf_planes(army)));
            let of_both = lanes.saturating_mul(WORD * (1 + 2 * leaf_planes(army)));
            if !SolvedEndings::is_large(usize::try_from(of_both).unwrap_or(usize::MAX)) {
                continue;
            }
            let of_kept = match ending.men() == before.men() {
                true => of_one_side / AFTER_PROMOTION,
                false => of_one_side,
            };
            kept = kept.saturating_add(of_kept);
            let solving = match ending.is_pawnless() {
                true => {
                    let layout = LaneLayout::new(ending, winner);
                    let planes = leaf_planes(army);
                    let solve = solve_bytes(&layout, Goal::Mate.unit(), planes, BARE_PLANES);
                    // The positions after promotions to each man are cut out and compressed.
                    let cutting = of_both.saturating_add(of_one_side);
                    solve.max(cutting).saturating_sub(of_kept)
                }
                // All of these bytes are in use when the last run of slices is solved.
                false => (of_both - of_kept).saturating_add(bia_bytes(ending, winner, known)),
            };
            most = most.max(solving);
        }
        Subendings {
            kept,
            solving: most,
        }
    }
}

/// The number of slices that are usually solved at the same time, at most.
const SLICES_AT_WORK: u64 = 4;
