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
    /// Steps in files.
    OutOfCore(Slices),
    /// Steps and the solver's arrays in files, with one slab at a time in memory. The table has the
    /// same bytes.
    InFiles(Slices),
    /// One placement of the bia after the other in memory, with finished slices in files. The
    /// table's cells are then ordered by the placement first.
    ByBia,
}

/// The parts of an ending that are solved one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slices {
    /// The whole ending.
    Whole,
    /// One colour slice after the other. The table's cells then have White's king outermost.
    ByColor,
}

/// The fewest lanes of a large ending: its cells exceed a gigabyte.
const LARGE_LANES: u64 = 1 << 24;

impl Method {
    /// The method for the published bytes of an ending. Depends only on the ending.
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

/// From this number of men on, promotions of bare-king endings with bia lead to endings that are
/// too large to be kept.
const SIX_MEN: usize = 6;

/// True if an ending's cells are ordered, and its distances assembled, slab by slab.
fn is_large(material: CanonicalMaterial) -> bool {
    let layout = LaneLayout::new(material.material(), Color::White);
    layout.lane_count() > LARGE_LANES
}

impl Slices {
    /// The slices of an ending with their lane order, for solving one side's wins.
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
