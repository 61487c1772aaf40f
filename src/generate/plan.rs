//! Plans how a table is made, and estimates the time, memory and disk space needed.

use super::method::{Method, Slices};
use super::plan_memory::{in_memory, out_of_core, two_sided_out_of_core};
use super::plan_memory_bia::{need_of_bia, solves_of_bia};
use super::verdicts::MOST_VERDICT_MEN;
use crate::board::{Color, Role};
use crate::index::BiaPlacements;
use crate::material::CanonicalMaterial;
use crate::rules::{RuleSets, late_captures_matter};
use crate::solve::LaneLayout;

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

/// Nanoseconds for an ending with bia solved slice by slice: for each cell; for each cell of the
/// endings that promotions lead to, whose tables are read; and for each slice, whose files are
/// written and read. The constants were fitted to the endings of six men in docs/tables/six-men.md.
const NANOSECONDS_BY_SLICE: f64 = 14.7;
const NANOSECONDS_AFTER_PROMOTION: f64 = 8.6;
const NANOSECONDS_A_SLICE: f64 = 6e6;

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
            _ if self.method == Method::ByBia => {
                let promoted = self.cells_after_promotion() as f64;
                cells * NANOSECONDS_BY_SLICE
                    + promoted * NANOSECONDS_AFTER_PROMOTION
                    + self.slices as f64 * NANOSECONDS_A_SLICE
            }
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

    /// The number of cells of the endings that White's promotions lead to.
    fn cells_after_promotion(&self) -> u64 {
        let men = self.material.material();
        let rest = men.army(Color::White).without(Role::Bia);
        let promotions = men.game().promotions().iter();
        let after = promotions.filter_map(|&role| {
            let (after, _) = men.with_army(Color::White, rest?.with(role)).canonical();
            Some(plan(after, None).for_rules(self.rules).cells)
        });
        after.fold(0, u64::saturating_add)
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
    Plan {
        material,
        method,
        slices,
        cells: cells.saturating_mul(2 * solves),
        memory_bytes: need.memory,
        array_bytes: need.arrays,
        work_bytes: need.work,
        // Measured over all endings of up to five men.
        table_bytes: cells.saturating_mul(sections) / 92 * 10,
        with_verdicts,
        rules: RuleSets::possible(material.material()),
    }
}
