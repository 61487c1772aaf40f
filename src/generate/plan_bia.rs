//! Estimates the memory and disk space for making an ending with bia.

use std::collections::HashMap;

use super::goal::Goal;
use super::library::Library;
use super::method::Method;
use super::plan_bytes::{
    BARE_PLANES, CELLS, PROGRAM, TWO_SIDED, WORD, WRITER, kept_bytes, leaf_planes,
};
use crate::board::{Color, Role};
use crate::index::BiaPlacements;
use crate::material::{CanonicalMaterial, Material};
use crate::solve::{LaneLayout, solve_bytes};

/// The bytes that making a table needs.
pub struct Need {
    /// The peak of memory.
    pub memory: u64,
    /// The part of the peak in arrays.
    pub arrays: u64,
    /// Bytes of files until the table is done.
    pub work: u64,
}

/// The bytes that an ending with bia needs by a method: in memory, or slice by slice.
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

/// All slices in memory.
fn in_memory(material: CanonicalMaterial, cells: u64, with_verdicts: bool) -> Need {
    let sets = match with_verdicts {
        true => cells / CELLS * WORD * 2 * solves_of_bia(material),
        false => 0,
    };
    let winners = Color::ALL.into_iter();
    let winners = winners.filter(|&winner| !material.army(winner).is_empty());
    let known = &mut HashMap::new();
    let solving = winners.map(|winner| bia_bytes(material.material(), winner, known));
    // The cells to mate are kept while those to honor are collected, and then permuted.
    let solving = solving
        .max()
        .unwrap_or(0)
        .saturating_add(cells.saturating_mul(2));
    let solving = solving.saturating_add(sets);
    let writing = cells.saturating_mul(3).saturating_add(sets);
    let writing = writing.saturating_add(kept_bytes(material));
    Need {
        memory: solving.max(writing).saturating_add(TWO_SIDED),
        arrays: solving,
        work: 0,
    }
}

/// By what factor the files of a slice's words, which have its distances to mate and to honor, are
/// compressed.
const PACKED: u64 = 3;

/// The bytes that an ending against a bare king needs slice by slice.
fn by_slice(material: Material) -> Need {
    let winner = Color::White;
    let slices = BiaPlacements::of(material);
    let number = slices.len() as u64;
    let lanes = LaneLayout::of_bia(material, winner, slices.bia(0)).lane_count();
    let words = |columns: u64| lanes.saturating_mul(WORD * columns);
    // The subendings, with White to move.
    let kept_of = |material: Material| {
        let smaller = material.after_a_move().into_iter();
        let smaller = smaller.filter(|after| after.men() < material.men());
        let bytes = smaller
            .map(|after| LaneLayout::cells(after, winner) / CELLS * WORD * (1 + BARE_PLANES));
        bytes.fold(0, u64::saturating_add)
    };
    let army = material.army(winner);
    let promoted = army.without(Role::Bia).unwrap_or(army).with(Role::Met);
    let after = material.with_army(winner, promoted);
    let bia = army.count(Role::Bia) as u64;
    // The slices that wait for later ones: with one bia a single one, with several those of two
    // runs.
    let run = slices.runs().map(|run| run.len() as u64).max().unwrap_or(1);
    let waiting = words(BARE_PLANES) * if bia == 1 { 1 } else { 2 * run };
    let exits = words(BARE_PLANES + 1);
    let collecting = waiting + words(BARE_PLANES) * bia + exits;
    // The open, newly lost and previously lost positions, and the distances with either side to
    // move.
    let solving = waiting.saturating_sub(words(BARE_PLANES)) + exits + words(3 + 2 * BARE_PLANES);
    let own = kept_of(material).saturating_add(collecting.max(solving));
    // The won positions and captures; then the open, newly lost and previously lost positions, and
    // the distances.
    let promoting = kept_of(after).saturating_add(words(3 + 2 * BARE_PLANES));
    // A part of the cells of the ending after a promotion: for one square of White's king, or one
    // placement.
    let after_slices = BiaPlacements::of(after);
    let parts = match after.is_pawnless() {
        true => LaneLayout::new(after, winner).domain().len(),
        false => after_slices.len(),
    };
    let reading = LaneLayout::cells(after, winner) / parts as u64;
    // A block may extend from one slice into the next: two permuted slices, and the one before.
    let cells = lanes.saturating_mul(CELLS);
    let writing = cells.saturating_mul(if number > 1 { 3 } else { 2 });
    let arrays = own.max(promoting).max(reading).max(writing);
    // Each slice's distances under both goals, and the positions after promotions.
    let files = words(1 + BARE_PLANES).saturating_mul(2 * number);
    Need {
        memory: arrays.saturating_add(PROGRAM + WRITER),
        arrays,
        work: files / PACKED,
    }
}

/// The number of solves of an ending with bia: each side's wins are solved to mate and to makruk's
/// honor.
pub fn solves_of_bia(material: CanonicalMaterial) -> u64 {
    if material.is_bare() { 2 } else { 4 }
}

/// The bytes for solving one side's wins in an ending with bia. The large endings to which its
/// exits lead are solved before, unless the library has them, and are included.
fn bia_bytes(
    material: Material,
    winner: Color,
    known: &mut HashMap<(Material, Color), u64>,
) -> u64 {
    if let Some(&bytes) = known.get(&(material, winner)) {
        return bytes;
    }
    let (mut kept, mut before) = (0u64, 0u64);
    for smaller in material.after_a_move() {
        let army = smaller.army(winner);
        if army.is_empty() {
            continue;
        }
        let lanes = LaneLayout::cells(smaller, winner) / CELLS;
        let of_one_side = lanes.saturating_mul(WORD * (1 + leaf_planes(army)));
        let of_both = lanes.saturating_mul(WORD * (1 + 2 * leaf_planes(army)));
        if !Library::is_large(usize::try_from(of_both).unwrap_or(usize::MAX)) {
            continue;
        }
        kept = kept.saturating_add(of_one_side);
        let solving = match smaller.is_pawnless() {
            true => {
                let layout = LaneLayout::new(smaller, winner);
                let planes = leaf_planes(army);
                let solve = solve_bytes(&layout, Goal::Mate.unit(), planes, BARE_PLANES);
                solve.saturating_sub(of_one_side)
            }
            // All of it exists when the last run is solved.
            false => (of_both - of_one_side).saturating_add(bia_bytes(smaller, winner, known)),
        };
        before = before.max(solving);
    }
    let slices = BiaPlacements::of(material);
    let slice = LaneLayout::of_bia(material, winner, slices.bia(0)).lane_count();
    let planes = leaf_planes(material.army(winner));
    // For the run at work and the one before it: the open positions, and the distances.
    let run = slices.runs().map(|run| run.len() as u64).max().unwrap_or(0);
    let solved = slice.saturating_mul(WORD * (1 + 2 * planes) * 2 * run);
    // For the slices at work also the pending and lost positions, and the exits.
    let exits = 2 * planes + 3;
    let at_work = slice.saturating_mul(WORD * (3 + exits) * run.min(SLICES_AT_WORK));
    let own = solved.saturating_add(at_work);
    let bytes = kept.saturating_add(before.max(own));
    let bytes = bytes.saturating_add(kept_bytes(material.canonical().0));
    known.insert((material, winner), bytes);
    bytes
}

/// Usually at most this many slices are being solved at the same time.
const SLICES_AT_WORK: u64 = 4;
