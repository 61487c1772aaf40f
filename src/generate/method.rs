//! How an ending is solved: in memory or out of core, whole or slice by slice.

use crate::board::Color;
use crate::index::ColorSlice;
use crate::material::CanonicalMaterial;
use crate::solve::LaneLayout;

/// How an ending is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All at once, in memory.
    InMemory,
    /// What each step finds goes to a file.
    OutOfCore(Slices),
    /// The same, and what a solve keeps for each position is in files as well, of which one slab
    /// at a time is in memory. The table has the same bytes.
    InFiles(Slices),
}

/// The parts of an ending that are solved one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slices {
    /// The whole ending at once.
    Whole,
    /// One colour slice after the other. The table's cells are then ordered by White's king
    /// first.
    ByColor,
}

/// From this many lanes on an ending is large: its cells no longer fit into a gigabyte.
const LARGE_LANES: u64 = 1 << 24;

impl Method {
    /// The method that the published bytes of an ending come from. It depends on nothing but the
    /// ending.
    pub fn of(material: CanonicalMaterial) -> Method {
        // A slice with bia is solved in memory, however many there are.
        if material.is_pawnless() && is_large(material) {
            Method::OutOfCore(Slices::ByColor)
        } else {
            Method::InMemory
        }
    }
}

/// Whether an ending's cells are ordered, and its distances assembled, slab by slab.
fn is_large(material: CanonicalMaterial) -> bool {
    let layout = LaneLayout::new(material.material(), Color::White);
    layout.lane_count() > LARGE_LANES
}

impl Slices {
    /// The slices of an ending, and the order of their lanes while one side's wins are solved.
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
