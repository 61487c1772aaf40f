//! What a run will make and need, known before it starts.

use crate::board::Color;
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::solve::Frame;

/// What one table takes to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The material.
    pub material: CanonicalMaterial,
    /// The cells of its table: numbers of positions with the stored side to move.
    pub cells: u64,
    /// The most memory that making it takes, in bytes.
    pub memory_bytes: u64,
    /// About how many bytes the table will have.
    pub table_bytes: u64,
}

/// Bytes a lane of a plane.
const PLANE: u64 = 8;

/// Planes for the distances against a bare king: up to 63 moves.
const BARE_PLANES: u64 = 6;

/// Planes for the distances where both sides have men: up to 255 moves for the side named first,
/// up to 31 for the other.
const TWO_SIDED_PLANES: (u64, u64) = (8, 5);

/// Bytes a lane of `open` and `pending` beside the planes, while solving.
const STATE: u64 = 2 * 8;

/// Bytes a lane, and a lane of a ghost slab, of the two arrays of losses.
const LOSSES: u64 = 2 * 8;

/// Bytes a lane of the cells, one byte each.
const CELLS: u64 = 64;

/// What is needed whatever the ending: the smaller endings kept, buffers of the writer.
const BESIDES: u64 = 96 << 20;

/// What making a material's table takes.
pub fn plan(material: CanonicalMaterial) -> Plan {
    let frame = Frame::new(material.material(), Color::White);
    let lanes = lanes_of(&frame);
    let ghosts = lanes / frame.domain().len() as u64 * frame.ghosts().len() as u64;
    // Each smaller ending as it was solved, and as a leaf with one level raised.
    let leaves: u64 = (0..frame.groups().len())
        .map(|group| lanes_of(&frame.without(group)) * (2 * PLANE * BARE_PLANES + 24))
        .sum();
    let losses = LOSSES * (lanes + ghosts);
    let memory_bytes = if material.is_bare() {
        let solving = lanes * (STATE + PLANE * BARE_PLANES) + losses;
        // Planes, `open` and the cells they become.
        let collecting = lanes * (PLANE * BARE_PLANES + 8 + CELLS);
        solving.max(collecting)
    } else {
        let (white, black) = TWO_SIDED_PLANES;
        // The first side's wins are there while the second's are solved, and the cells of one
        // metric while the next, based on it, is.
        let first = lanes * (PLANE * white + 8 + CELLS);
        let solving = first + lanes * (STATE + 2 * PLANE * black) + losses;
        let collecting = first + lanes * (PLANE * black + CELLS);
        solving.max(collecting)
    };
    let cells = lanes * 64;
    let sections = if material.is_bare() { 1 } else { 3 };
    Plan {
        material,
        cells,
        memory_bytes: memory_bytes + leaves + BESIDES,
        table_bytes: cells / 6 * sections,
    }
}

/// The lanes of a frame; with seven and more men they are beyond what a machine can index.
fn lanes_of(frame: &Frame) -> u64 {
    (0..frame.groups().len())
        .map(|group| frame.placements(group).len() as u64)
        .fold(frame.domain().len() as u64, u64::saturating_mul)
}

/// The components of a material's layout.
pub fn components(material: CanonicalMaterial) -> Vec<Component> {
    let groups = Layout::groups_of(material).len();
    let mut components = vec![Component::Lane, Component::Anchor];
    components.extend((0..groups).map(Component::Group));
    components
}
