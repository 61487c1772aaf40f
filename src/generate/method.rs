//! How an ending is solved: in memory or out of core, whole or slice by slice.

use crate::board::Color;
use crate::index::ColorSlice;
use crate::material::CanonicalMaterial;
use crate::solve::LaneLayout;

/// How an ending is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All at once, in memory.
    Memory,
    /// All at once, each step's wins going to a file: a bare-king ending only.
    Files,
    /// Colour slice by colour slice, each step's wins going to a file: a bare-king ending only.
    /// Its cells are then ordered by White's king first.
    Slices,
}

impl Method {
    /// The method for an ending where memory is no matter.
    pub fn of(material: CanonicalMaterial) -> Method {
        match is_large(material) {
            true => Method::Slices,
            false => Method::Memory,
        }
    }
}

/// From this many lanes on an ending is large: its cells no longer fit into a gigabyte.
const LARGE_LANES: u64 = 1 << 24;

/// Whether an ending's cells are ordered, and its distances put together, slab by slab.
pub fn is_large(material: CanonicalMaterial) -> bool {
    let lane_layout = LaneLayout::new(material.material(), Color::White);
    let lanes = (0..lane_layout.groups().len())
        .map(|group| lane_layout.placements(group).len() as u64)
        .fold(lane_layout.domain().len() as u64, u64::saturating_mul);
    material.is_bare() && lanes > LARGE_LANES
}

/// The slices in which an ending is solved through files.
pub fn slices(material: CanonicalMaterial, sliced: bool) -> Vec<(ColorSlice, LaneLayout)> {
    let own = material.material();
    if !sliced {
        return vec![(ColorSlice::whole(), LaneLayout::new(own, Color::White))];
    }
    ColorSlice::all(own)
        .into_iter()
        .map(|slice| {
            let lane_layout = LaneLayout::of_slice(own, Color::White, &slice);
            (slice, lane_layout)
        })
        .collect()
}
