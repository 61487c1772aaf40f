//! Estimates the memory and disk space for making a table. `plan_memory_bia` does so for endings
//! with bia.

use super::goal::Goal;
use super::method::Slices;
use super::solved_endings::KEEP_BYTES;
use crate::board::{Color, Game, Role};
use crate::index::ColorSlice;
use crate::material::{Army, CanonicalMaterial};
use crate::rules::{RuleSet, late_captures_matter};
use crate::solve::{LaneLayout, Unit, array_bytes, leaf_bytes, solve_bytes};
use crate::table::Metric;

/// The size of a lane in one bit plane, in bytes: one word.
pub const WORD: u64 = 8;

/// The number of bit planes for distances against a bare king, which are at most 63 moves.
pub const BARE_PLANES: u64 = 6;

/// The number of bit planes for White's distances with men on both sides. The distances are at most
/// 127 moves, or 255 with a khon, the slowest winner.
pub fn white_planes(army: Army) -> u64 {
    if army.count(Role::Khon) == 0 { 7 } else { 8 }
}

/// The size of a lane's 64 cells of one byte each, in bytes.
pub const CELLS: u64 = 64;

/// The memory of the program and its threads while it makes a table against a bare king, in bytes.
pub const PROGRAM: u64 = 40 << 20;

/// The largest memory of the writer's copy of cells against a bare king, in bytes. The copy takes a
/// fifth of the size of the cells if that is less.
pub const WRITER: u64 = 24 << 20;

/// The memory in addition to the arrays for an ending with men on both sides, in bytes. It is
/// larger than [`PROGRAM`], because the blocks are larger and of more kinds, and the allocator
/// keeps memory from one metric to the next.
pub const TWO_SIDED: u64 = 84 << 20;

/// Returns the most bytes of solved endings that are kept for the subendings of one solve, which
/// finds one side's wins under one goal. With ASEAN chess's bia, nearly all subendings have bia or
/// men on both sides, and those of all four solves are kept.
pub fn kept_bytes(material: CanonicalMaterial) -> u64 {
    let endings = material.closure().into_iter();
    let subendings = endings.filter(|&ending| ending != material);
    let all = subendings.map(|subending| {
        let of_winner = |winner: Color| {
            let army = subending.army(winner);
            let planes = match army.is_empty() {
                true => 0,
                // The open positions, and the distances with either side to move.
                false => 1 + leaf_planes(army) + BARE_PLANES.max(leaf_planes(army)),
            };
            let lanes = LaneLayout::cells(subending.material(), winner) / CELLS;
            lanes.saturating_mul(WORD * planes)
        };
        of_winner(Color::White).max(of_winner(Color::Black))
    });
    let solves = match material.game() {
        Game::Makruk => 1,
        Game::Asean => 4,
    };
    let bytes = all.fold(0, u64::saturating_add).saturating_mul(solves);
    bytes.min(KEEP_BYTES as u64)
}

/// The number of bit planes for the distances in the leaves of a solve in which this army wins.
pub fn leaf_planes(army: Army) -> u64 {
    match army.len() {
        1 => BARE_PLANES,
        _ => white_planes(army),
    }
}

/// The number of bit planes for Black's distances with Black to move, which are stored as Black's
/// moves plus one. A single leaper mates only if White's own men block White's king, and then soon:
/// a khon in up to 6 moves, other men in up to 2. With more men, Black may also win against a bare
/// king, which takes longer.
fn black_planes(army: Army) -> u64 {
    match (army.len(), army.count(Role::Rook), army.count(Role::Khon)) {
        (1, 0, 0) => 2,
        (1, 0, 1) => 3,
        _ => BARE_PLANES,
    }
}

/// The number of bit planes for distances in plies, up to the limit of the fifty-move rule.
const ZEROING_PLANES: u64 = 7;

/// The number of slabs in memory at a time, if arrays are in files: the open, pending and lost
/// positions with the king on one square, and the lost positions with the king on that square or on
/// one of its eight neighbours.
const SLABS_AT_WORK: u64 = 3 + 9;

/// The disk space of the steps for every eight cells, in bytes. The constant is slightly above the
/// largest value measured.
const WORK_OF_EIGHT: u64 = 3;

/// The estimated memory and disk space for making a table, in bytes.
pub struct Need {
    /// The peak memory use.
    pub memory: u64,
    /// The peak memory of the arrays while the ending is solved and its cells are collected.
    pub arrays: u64,
    /// The disk space of the steps and of arrays in files.
    pub work: u64,
}

/// The peak memory use for an ending without bia, with this many cells, whose arrays take at most
/// `arrays` bytes.
fn with_program(material: CanonicalMaterial, cells: u64, arrays: u64) -> u64 {
    arrays.saturating_add(match material.is_bare() {
        true => PROGRAM + WRITER.min(cells / 5),
        false => TWO_SIDED,
    })
}

/// The memory for an ending solved whole, with or without the sets of its verdict table. The
/// subendings that are solved for the leaves are not kept.
pub fn in_memory(material: CanonicalMaterial, layout: &LaneLayout, with_verdicts: bool) -> Need {
    let own = material.material();
    let lanes = layout.lane_count();
    let cells = lanes.saturating_mul(CELLS);
    // The larger of two solves: by moves and, if a rule set needs it, by plies.
    let solving = |layout: &LaneLayout, planes: u64| {
        let in_unit = |goal: Goal, planes| solve_bytes(layout, goal.unit(), planes, BARE_PLANES);
        let by_moves = in_unit(Goal::Mate, planes);
        match Goal::of(Metric::Dth(RuleSet::Asean), material) {
            // A move is two plies, so plies need one bit plane more.
            Goal::Zeroing => by_moves.max(in_unit(Goal::Zeroing, ZEROING_PLANES.min(planes + 1))),
            _ => by_moves,
        }
    };
    // A distance table needs the distances of one side to move, a verdict table those of both.
    let sides_to_move = 1 + u64::from(with_verdicts);
    let (white_planes, black, base) = if material.is_bare() {
        // The cells with distances to mate stay in memory while the ending is solved in plies.
        let base = if late_captures_matter(material) {
            cells
        } else {
            0
        };
        (BARE_PLANES, 0, base)
    } else {
        let black = solving(
            &LaneLayout::new(own, Color::Black),
            black_planes(own.army(Color::Black)) * sides_to_move,
        );
        // Two arrays of cells exist by then: the one with White's wins, and the one that the next
        // metric is compared with.
        let black = black.saturating_add(cells);
        (white_planes(own.army(Color::White)), black, cells)
    };
    let white_planes = white_planes * sides_to_move;
    let white = solving(layout, white_planes);
    // Arrays while cells are collected: the open positions, the distances, the cells.
    let collecting = lanes.saturating_mul(WORD * (1 + white_planes) + CELLS);
    let most = white.max(collecting).max(black).max(cells);
    let sets = match with_verdicts {
        true => set_bytes(material),
        false => 0,
    };
    let arrays = most.saturating_add(base).saturating_add(sets);
    // The writer needs a second, permuted copy of the cells.
    let writing = base
        .saturating_add(cells.saturating_mul(2))
        .saturating_add(sets);
    Need {
        memory: with_program(material, cells, arrays.max(writing)),
        arrays,
        work: 0,
    }
}

/// The memory of a verdict table's sets: each side's wins, with either side to move.
fn set_bytes(material: CanonicalMaterial) -> u64 {
    let men = material.material();
    let winners = Color::ALL.into_iter();
    let winners = winners.filter(|&winner| !men.army(winner).is_empty());
    let lanes = winners.map(|winner| LaneLayout::new(men, winner).lane_count());
    // One set for wins on the board, and one for each rule set's count.
    let sets = 1 + RuleSet::ALL.len() as u64;
    lanes.sum::<u64>() * WORD * 2 * sets
}

/// The memory and disk space for an ending against a bare king, solved out of core.
pub fn out_of_core(
    (slices, in_files): (Slices, bool),
    material: CanonicalMaterial,
    whole: &LaneLayout,
    divided: &[(ColorSlice, LaneLayout)],
) -> Need {
    let needs = divided
        .iter()
        .map(|(_, layout)| solving_slice(material, layout, Goal::Mate.unit(), in_files));
    let (solving, files) = needs.fold((0, 0), most_of_both);
    let slab = |layout: &LaneLayout| layout.lane_count() / layout.domain().len() as u64;
    // A slab's distances from all slices; most slices also supply their mirror images.
    let distances = divided.iter().map(|(slice, layout)| {
        let times = if slice.is_even() { 1 } else { 2 };
        slab(layout).saturating_mul(WORD * BARE_PLANES * times)
    });
    let distances = distances.fold(0, u64::saturating_add);
    let slab_cells = slab(whole).saturating_mul(CELLS);
    // One slice of each mirrored pair is solved; the other has index tables of its own.
    let tables = slab_tables(whole, 2 * divided.len() as u64);
    let cells = whole.lane_count().saturating_mul(CELLS);
    let assembling = match slices {
        // A block may extend from one slab into the next. That slab is assembled first, then
        // permuted.
        Slices::ByColor => slab_cells
            .saturating_mul(2)
            .saturating_add(distances.max(slab_cells)),
        Slices::Whole => cells.saturating_add(distances),
    };
    let lanes = divided.iter().map(|(_, layout)| layout.lane_count());
    let lanes = lanes.fold(0, u64::saturating_add);
    let arrays = solving.max(assembling.saturating_add(tables));
    Need {
        memory: with_program(material, cells, arrays),
        arrays,
        work: lanes
            .saturating_mul(64 / 8 * WORK_OF_EIGHT)
            .saturating_add(files),
    }
}

/// The memory and disk space for an ending with men on both sides, solved out of core.
pub fn two_sided_out_of_core(
    (slices, in_files): (Slices, bool),
    material: CanonicalMaterial,
    whole: &LaneLayout,
) -> Need {
    let by_plies = Goal::of(Metric::Dth(RuleSet::Asean), material).unit();
    let mut needs = (0, 0);
    let mut solves = 0;
    for winner in Color::ALL {
        for (_, layout) in slices.of(material, winner) {
            let slice = solving_slice(material, &layout, by_plies, in_files);
            needs = most_of_both(needs, slice);
            solves += layout.lane_count();
        }
    }
    let (solving, files) = needs;
    let slab_lanes = whole.lane_count() / whole.domain().len() as u64;
    let slab_cells = slab_lanes.saturating_mul(CELLS);
    let cells = whole.lane_count().saturating_mul(CELLS);
    let writing = match slices {
        // A block may extend from one slab into the next. That slab is assembled first, then
        // permuted.
        Slices::ByColor => slab_cells.saturating_mul(3),
        // The cells, the base's cells that they are compared with, and the columns of a slab.
        Slices::Whole => cells.saturating_mul(2).saturating_add(slab_cells / 2),
    };
    // The index tables of White's slices, those of Black's slices for each symmetry, and as many
    // for a base.
    let images = slices.of(material, Color::White).len() as u64 * (2 + 8) * 2;
    let writing = writing.saturating_add(slab_tables(whole, images));
    Need {
        memory: with_program(material, cells, solving.max(writing)),
        arrays: solving,
        work: solves
            .saturating_mul(64 / 8 * WORK_OF_EIGHT)
            .saturating_add(files),
    }
}

/// The bytes for solving one side's wins in a slice: memory and, if the arrays are in files, disk.
/// With men on both sides, some captures end the chance of a win, and many wins are short. So the
/// leaves are assumed to take half of their maximum, which no measured ending exceeds. If the
/// arrays are in files, only the slabs in use count as memory.
fn solving_slice(
    material: CanonicalMaterial,
    layout: &LaneLayout,
    unit: Unit,
    in_files: bool,
) -> (u64, u64) {
    let winner = layout.winner();
    let planes = match material.is_bare() {
        true => BARE_PLANES,
        false => leaf_planes(material.army(winner)),
    };
    let leaves = leaf_bytes(layout, planes);
    let mut solve = solve_bytes(layout, unit, 0, planes);
    let mut files = 0;
    if in_files {
        let slab = WORD * layout.lane_count() / layout.domain().len() as u64;
        files = array_bytes(layout, unit, 0);
        solve = solve - files + slab * SLABS_AT_WORK;
    } else if !material.is_bare() {
        solve -= leaves / 2;
    }
    // The subendings are solved first, one after another, and converted to leaves.
    let subendings = material.after_a_move().into_iter().map(|subending| {
        let layout = LaneLayout::new(subending.material(), winner);
        solve_bytes(&layout, Goal::Mate.unit(), planes + BARE_PLANES, planes)
    });
    let subending_bytes = subendings.max().unwrap_or(0);
    let leaves = leaves.saturating_add(kept_bytes(material));
    (solve.max(subending_bytes.saturating_add(leaves)), files)
}

/// The element-wise maximum of two pairs.
fn most_of_both(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0.max(b.0), a.1.max(b.1))
}

/// The memory of the index tables used to assemble slabs, in bytes. For each placement of a group,
/// the tables contain the men's squares, the squares that the men attack, and the placement's index
/// in each of `images` images of the slices.
fn slab_tables(whole: &LaneLayout, images: u64) -> u64 {
    let placements = (0..whole.groups().len()).map(|g| whole.placements(g).len() as u64);
    let bytes = 4 * WORD + images * size_of::<u32>() as u64;
    placements.fold(0, |sum, n| sum.saturating_add(n.saturating_mul(bytes)))
}
