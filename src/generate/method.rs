//! The methods of solving an ending: in memory or out of core, whole or slice by slice.

use crate::board::Color;
use crate::index::ColorSlice;
use crate::material::CanonicalMaterial;
use crate::solve::LaneLayout;

/// The method by which an ending is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The whole ending at once, in memory.
    InMemory,
    /// Out of core with the solver's arrays in memory. Each step is stored in a file, so that no
    /// distances are kept in memory.
    OutOfCore(Slices),
    /// Out of core: steps and the solver's arrays are in files, and only one slab of lanes at a
    /// time is in memory. The table has the same bytes as one solved in memory.
    InFiles(Slices),
    /// In memory, one placement of the bia after another. Each finished slice is stored in a file.
    /// In the table, the bia are then the outermost component.
    ByBia,
}

/// The parts of an ending that are solved one after another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slices {
    /// The whole ending.
    Whole,
    /// One colour slice (a fixed number of mets on light squares) after another. In the table,
    /// White's king is then the outermost component.
    ByColor,
}

/// An ending with more than this many lanes counts as large: its cells take more than a gibibyte.
const LARGE_LANES: u64 = 1 << 24;

impl Method {
    /// The method that makes a table with the published bytes. It depends only on the ending, not
    /// on the machine.
    pub fn of(material: CanonicalMaterial) -> Method {
        if !material.is_pawnless() {
            // Each slice is solved in memory, so the number of slices does not matter.
            return match material.is_bare() && material.men() >= SIX_MEN {
                true => Method::ByBia,
                false => Method::InMemory,
            };
        }
        if is_large(material) {
            Method::OutOfCore(Slices::ByColor)
        } else {
            Method::InMemory
        }
    }
}

/// In endings with bia against a bare king and at least this many men, promotions lead to endings
/// that are too large to be kept in memory.
const SIX_MEN: usize = 6;

/// True if an ending is so large that its table is ordered slab by slab, and assembled in that
/// order.
fn is_large(material: CanonicalMaterial) -> bool {
    let layout = LaneLayout::new(material.material(), Color::White);
    layout.lane_count() > LARGE_LANES
}

impl Slices {
    /// The slices of an ending that are solved for one side's wins, each with its lane layout.
    pub(super) fn of(
        self,
        material: CanonicalMaterial,
        winner: Color,
    ) -> Vec<(ColorSlice, LaneLayout)> {
        let own = material.material();
        match self {
            Slices::Whole => vec![(ColorSlice::whole(), LaneLayout::new(own, winner))],
            Slices::ByColor => ColorSlice::all(own)
                .into_iter()
                .map(|slice| {
                    let layout = LaneLayout::of_slice(own, winner, &slice);
                    (slice, layout)
                })
                .collect(),
        }
    }
}
