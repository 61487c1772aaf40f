//! Plans how a table is made, and estimates the time, memory and disk space needed.

use super::goal::Goal;
use super::method::{Method, Slices};
use super::plan_bia::{need_of_bia, solves_of_bia};
use super::plan_bytes::{
    BARE_PLANES, CELLS, PROGRAM, TWO_SIDED, WORD, WRITER, kept_bytes, leaf_planes, white_planes,
};
use super::verdicts::MOST_VERDICT_MEN;
use crate::board::{Color, Role};
use crate::index::{BiaPlacements, ColorSlice};
use crate::material::{Army, CanonicalMaterial};
use crate::rules::{RuleSet, RuleSets, late_captures_matter};
use crate::solve::{LaneLayout, Unit, array_bytes, leaf_bytes, solve_bytes};
use crate::table::Metric;

/// The plan of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The ending.
    pub material: CanonicalMaterial,
    /// The method by which the ending is solved.
    pub method: Method,
    /// The number of slices that are solved one after another; 1 if the ending is solved whole.
    pub slices: usize,
    /// The estimated number of cells to solve: all positions, legal or not, with either side to
    /// move, counted once for each side's wins under each metric.
    pub cells: u64,
    /// The peak memory use, in bytes.
    pub memory_bytes: u64,
    /// The peak memory of the arrays while the ending is solved and its cells are collected, in
    /// bytes.
    pub array_bytes: u64,
    /// The estimated disk space of the work directory, in bytes. The directory is deleted when the
    /// table is done.
    pub work_bytes: u64,
    /// The estimated size of the table with default options, in bytes.
    pub table_bytes: u64,
    /// True if the ending's verdict table is made too. Its sets of won positions then stay in
    /// memory until they are written.
    pub with_verdicts: bool,
    /// The rule sets of the table.
    pub rules: RuleSets,
}

/// The share of a table's work and bytes that each rule set except makruk takes, in percent. The
/// shares of all rule sets add up to 100.
const PERCENT_A_RULE_SET: u64 = 15;

/// The CPU time of a table against a bare king, including the writing, in nanoseconds: for each
/// cell, for each byte of the table, and in addition for each byte if the ending is solved whole. A
/// table with many bytes has long wins and therefore many steps. The constants were fitted to the
/// six-man endings in docs/tables/six-men.md, which also lists the errors of the fit.
const NANOSECONDS_A_CELL: f64 = 5.3;
const NANOSECONDS_A_BYTE: f64 = 104.0;
const NANOSECONDS_A_BYTE_UNDIVIDED: f64 = 44.0;

/// Nanoseconds added for each cell if four or more men are of the same kind. These endings have
/// many moves for each cell.
const NANOSECONDS_OF_FOUR_ALIKE: f64 = 5.3;

/// Nanoseconds for each cell of an ending with men on both sides, solved in memory. The constant
/// assumes that a third of the solves is reused, which is the average over all these endings of up
/// to five men.
const NANOSECONDS_TWO_SIDED: f64 = 11.5;

/// Nanoseconds for an ending with men on both sides, solved out of core: for each cell; for each
/// cell and each side with a rook, since rooks win often and have long moves; and for each byte of
/// the table.
const NANOSECONDS_TWO_SIDED_OUT_OF_CORE: f64 = 2.0;
const NANOSECONDS_OF_A_SIDE_WITH_A_ROOK: f64 = 4.4;
const NANOSECONDS_A_BYTE_TWO_SIDED: f64 = 223.0;

/// Nanoseconds for each cell of an ending with bia: against a bare king, and with men on both
/// sides. The constants give the right total for all endings of up to five men, if each ending
/// solves its subendings again. A single ending takes from a third to three times its estimate.
const NANOSECONDS_WITH_BIA_BARE: f64 = 31.0;
const NANOSECONDS_WITH_BIA_TWO_SIDED: f64 = 16.3;

/// The minimum CPU time of a table, in seconds: the time to start the process and to solve the
/// subendings.
const LEAST_SECONDS: f64 = 0.05;

impl Plan {
    /// Restricts the plan to a table with these rule sets. The memory estimate stays the same,
    /// since it is the maximum over all rule sets.
    pub fn for_rules(mut self, rules: RuleSets) -> Plan {
        self.rules = rules;
        self.cells = self.share(self.cells);
        self.table_bytes = self.share(self.table_bytes);
        self
    }

    /// Scales an estimate for the published rule sets to those of this table. With men on both
    /// sides, fewer rule sets take less. With bia, the published table is that of makruk alone, and
    /// each other rule set adds a solve to honor and a section.
    pub fn share(&self, of_all: u64) -> u64 {
        if !self.material.is_pawnless() {
            return of_all + of_all / 2 * (self.rules.iter().count() as u64 - 1);
        }
        let missing = self.rules.lacking(self.material.material()).count() as u64;
        match self.material.is_bare() {
            true => of_all,
            false => of_all - of_all / 100 * PERCENT_A_RULE_SET * missing,
        }
    }

    /// Estimates the CPU seconds for a table of `table_bytes` bytes, on the machine of
    /// docs/develop/performance.md. `sakmak bench` shows how much faster or slower another machine
    /// is.
    pub fn cpu_seconds(&self, table_bytes: u64) -> f64 {
        let cells = self.cells as f64;
        let nanoseconds = match self.material.is_bare() {
            is_bare if !self.material.is_pawnless() => match is_bare {
                true => cells * NANOSECONDS_WITH_BIA_BARE,
                false => cells * NANOSECONDS_WITH_BIA_TWO_SIDED,
            },
            true => {
                let army = self.material.army(Color::White);
                let four_alike = Role::MEN.into_iter().any(|role| army.count(role) >= 4);
                let a_byte = match self.slices {
                    1 => NANOSECONDS_A_BYTE + NANOSECONDS_A_BYTE_UNDIVIDED,
                    _ => NANOSECONDS_A_BYTE,
                };
                let a_cell = match four_alike {
                    true => NANOSECONDS_A_CELL + NANOSECONDS_OF_FOUR_ALIKE,
                    false => NANOSECONDS_A_CELL,
                };
                cells * a_cell + table_bytes as f64 * a_byte
            }
            false if self.method == Method::InMemory => cells * NANOSECONDS_TWO_SIDED,
            false => {
                let has_rook = |&color: &Color| self.material.army(color).count(Role::Rook) > 0;
                let with_rook = Color::ALL.iter().filter(|color| has_rook(color)).count() as f64;
                let a_cell = NANOSECONDS_TWO_SIDED_OUT_OF_CORE
                    + with_rook * NANOSECONDS_OF_A_SIDE_WITH_A_ROOK;
                cells * a_cell + table_bytes as f64 * NANOSECONDS_A_BYTE_TWO_SIDED
            }
        };
        LEAST_SECONDS + nanoseconds / 1e9
    }

    /// Estimates the size of the table, in bytes, from the bytes per cell of its subendings'
    /// tables: see `Published::bytes_a_cell_of_smaller`.
    pub fn table_bytes_like(&self, smaller_bytes_a_cell: f64) -> u64 {
        let (solves, bytes_a_cell) = match self.method {
            _ if !self.material.is_pawnless() => {
                (solves_of_bia(self.material), smaller_bytes_a_cell)
            }
            // This estimate is within a small factor; a constant could be wrong by a factor of
            // hundreds.
            _ if !self.material.is_bare() => (TWO_SIDED_SOLVES, smaller_bytes_a_cell),
            Method::OutOfCore(Slices::ByColor) | Method::InFiles(Slices::ByColor) => {
                let (factor, power) = LIKE_SMALLER_OF_LARGE;
                (1, factor * smaller_bytes_a_cell.powf(power))
            }
            _ => (1, LIKE_SMALLER * smaller_bytes_a_cell),
        };
        // `cells` includes both sides to move, but the table stores one side.
        ((self.cells / 2 / solves) as f64 * bytes_a_cell) as u64
    }
}

/// The typical number of solves of an ending with men on both sides. There can be eight: each
/// side's wins by mate, and by honor under each rule set. Some are reused, so small endings take
/// about five.
const TWO_SIDED_SOLVES: u64 = 5;

/// The typical ratio of a table's bytes per cell to those of its subendings, against a bare king.
/// For 15 of the 16 endings of five men that have such subendings and one section, the estimate is
/// within 20 %.
const LIKE_SMALLER: f64 = 0.83;

/// A factor and an exponent that replace [`LIKE_SMALLER`] for large endings. They were fitted to
/// the endings of six men in docs/tables/six-men.md.
const LIKE_SMALLER_OF_LARGE: (f64, f64) = (1.77, 1.16);

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

/// Plans a distance table. Chooses the fastest method that fits into the memory limit. If no method
/// fits, chooses the one that needs the least memory.
pub fn plan(material: CanonicalMaterial, memory: Option<u64>) -> Plan {
    let first = Method::of(material);
    let both = !material.is_bare();
    let others = match first {
        _ if !material.is_pawnless() => vec![],
        Method::InMemory if both => vec![
            Method::OutOfCore(Slices::Whole),
            Method::InFiles(Slices::Whole),
        ],
        Method::InMemory => vec![Method::OutOfCore(Slices::Whole)],
        Method::OutOfCore(slices) => vec![Method::InFiles(slices)],
        _ => vec![],
    };
    let mut best = plan_by(first, material);
    for method in others {
        if memory.is_none_or(|memory| best.memory_bytes <= memory) {
            break;
        }
        let other = plan_by(method, material);
        if other.memory_bytes < best.memory_bytes {
            best = other;
        }
    }
    best
}

/// Plans a distance table and its verdict table, both made from the same solves. Returns [`plan`]
/// if the ending can have no verdict table, or if the two do not fit into memory together.
pub fn plan_with_verdicts(material: CanonicalMaterial, memory: Option<u64>) -> Plan {
    if material.men() <= MOST_VERDICT_MEN && Method::of(material) == Method::InMemory {
        let plan = plan_for(Method::InMemory, true, material);
        if memory.is_none_or(|memory| plan.memory_bytes <= memory) {
            return plan;
        }
    }
    plan(material, memory)
}

/// Plans a distance table made by a given method. Only the method that [`Method::of`] returns gives
/// the published bytes, except that [`Method::OutOfCore`] and [`Method::InFiles`] with
/// [`Slices::Whole`] give the same bytes as [`Method::InMemory`]. Other methods make correct tables
/// with different bytes. Endings in which late captures matter are always solved in memory, since
/// only that method computes their distances in plies.
pub fn plan_by(method: Method, material: CanonicalMaterial) -> Plan {
    let method = match late_captures_matter(material) {
        true => Method::InMemory,
        false => method,
    };
    plan_for(method, false, material)
}

/// Plans a table with bia, made in memory or slice by slice.
fn plan_with_bia(method: Method, material: CanonicalMaterial, with_verdicts: bool) -> Plan {
    let cells = LaneLayout::cells(material.material(), Color::White);
    let need = need_of_bia(method, material, cells, with_verdicts);
    Plan {
        material,
        method: match method {
            Method::ByBia => method,
            _ => Method::InMemory,
        },
        slices: BiaPlacements::of(material.material()).len(),
        cells: cells.saturating_mul(2 * solves_of_bia(material)),
        memory_bytes: need.memory,
        array_bytes: need.arrays,
        work_bytes: need.work,
        // Measured over all endings of up to five men: 16.4 % of a byte per cell against a bare
        // king, 15.3 % with men on both sides.
        table_bytes: cells / 100 * if material.is_bare() { 16 } else { 15 },
        rules: RuleSets::published(material.material()),
        with_verdicts,
    }
}

fn plan_for(method: Method, with_verdicts: bool, material: CanonicalMaterial) -> Plan {
    if !material.is_pawnless() {
        return plan_with_bia(method, material, with_verdicts);
    }
    let layout = LaneLayout::new(material.material(), Color::White);
    let cells = layout.lane_count().saturating_mul(64);
    // One solve against a bare king, and a second one if plies are needed.
    let (solves, sections) = match (material.is_bare(), late_captures_matter(material)) {
        (true, false) => (1, 1),
        (true, true) => (2, 1),
        (false, _) => (TWO_SIDED_SOLVES, 3),
    };
    let (slices, need) = match method {
        Method::InMemory | Method::ByBia => (1, in_memory(material, &layout, with_verdicts)),
        Method::OutOfCore(slices) | Method::InFiles(slices) => {
            let divided = slices.of(material, Color::White);
            let in_files = matches!(method, Method::InFiles(_));
            let need = match material.is_bare() {
                true => out_of_core((slices, in_files), material, &layout, &divided),
                false => two_sided_out_of_core((slices, in_files), material, &layout),
            };
            (divided.len(), need)
        }
    };
    let most = need.solving.max(need.writing);
    Plan {
        material,
        method,
        slices,
        cells: cells.saturating_mul(2 * solves),
        memory_bytes: most.saturating_add(extra_bytes(material, cells)),
        array_bytes: need.solving,
        work_bytes: need.work,
        // Measured over all endings of up to five men.
        table_bytes: cells.saturating_mul(sections) / 92 * 10,
        with_verdicts,
        rules: RuleSets::possible(material.material()),
    }
}

/// The bytes of memory that an ending with this many cells needs in addition to its arrays.
fn extra_bytes(material: CanonicalMaterial, cells: u64) -> u64 {
    if material.is_bare() {
        PROGRAM + WRITER.min(cells / 5)
    } else {
        TWO_SIDED
    }
}

/// The estimated memory and disk space to make a table, in bytes.
struct Need {
    /// The peak memory of the arrays while an ending is solved and its cells are collected, in
    /// bytes.
    solving: u64,
    /// The memory of the arrays while the cells are written, in bytes.
    writing: u64,
    /// The disk space of the steps and of arrays in files, in bytes.
    work: u64,
}

/// The memory for an ending solved whole, with or without the sets of its verdict table. The
/// subendings that are solved for the leaves are not kept.
fn in_memory(material: CanonicalMaterial, layout: &LaneLayout, with_verdicts: bool) -> Need {
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
    Need {
        solving: most.saturating_add(base).saturating_add(sets),
        // The writer needs a second, permuted copy of the cells.
        writing: base
            .saturating_add(cells.saturating_mul(2))
            .saturating_add(sets),
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
fn out_of_core(
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
    let assembling = match slices {
        // A block may extend from one slab into the next. That slab is assembled first, then
        // permuted.
        Slices::ByColor => slab_cells
            .saturating_mul(2)
            .saturating_add(distances.max(slab_cells)),
        Slices::Whole => whole
            .lane_count()
            .saturating_mul(CELLS)
            .saturating_add(distances),
    };
    let lanes = divided.iter().map(|(_, layout)| layout.lane_count());
    let lanes = lanes.fold(0, u64::saturating_add);
    Need {
        solving: solving.max(assembling.saturating_add(tables)),
        writing: 0,
        work: lanes
            .saturating_mul(64 / 8 * WORK_OF_EIGHT)
            .saturating_add(files),
    }
}

/// The memory and disk space for an ending with men on both sides, solved out of core.
fn two_sided_out_of_core(
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
        solving,
        writing,
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
