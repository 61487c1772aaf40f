//! The method of solving an ending: in memory or out of core, whole or slice by slice.

use crate::board::Color;
use crate::index::ColorSlice;
use crate::material::CanonicalMaterial;
use crate::solve::LaneLayout;

/// The method of solving an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Whole, in memory.
    InMemory,
    /// In memory, but each step is stored in a file instead of the distances.
    OutOfCore(Slices),
    /// Out of core: steps and the solver's arrays are in files, with one slab at a time in memory.
    /// The table has the same bytes as one solved in memory.
    InFiles(Slices),
    /// In memory, one placement of the bia after the other, with finished slices in files. In the
    /// table, cells are then ordered by the placement first.
    ByBia,
}

/// The parts of an ending that are solved one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slices {
    /// The whole ending.
    Whole,
    /// One colour slice after the other. In the table, White's king is then the outermost
    /// component.
    ByColor,
}

/// An ending with at least this many lanes is large: its cells exceed a gigabyte.
const LARGE_LANES: u64 = 1 << 24;

impl Method {
    /// The method that gives the published bytes of an ending. It depends only on the ending, not
    /// on the machine.
    pub fn of(material: CanonicalMaterial) -> Method {
        if !material.is_pawnless() {
            // A slice is solved in memory; their number does not matter.
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

/// In bare-king endings with bia and at least this many men, promotions lead to endings that are
/// too large to be kept.
const SIX_MEN: usize = 6;

/// True if an ending is so large that its cells are ordered, and its distances assembled, slab by
/// slab.
fn is_large(material: CanonicalMaterial) -> bool {
    let layout = LaneLayout::new(material.material(), Color::White);
    layout.lane_count() > LARGE_LANES
}

impl Slices {
    /// The slices in which one side's wins of an ending are solved, each with its lane order.
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
