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

/// Bytes a lane while solving: `open` and `pending`, two arrays of losses with their ghosts, and
/// planes for distances below 256.
const LANE_BYTES_SOLVING: u64 = 2 * 8 + 2 * 8 + 8 * 8;

/// Bytes a lane while the codes are collected: planes, `open` and 64 codes.
const LANE_BYTES_COLLECTING: u64 = 8 * 8 + 8 + 64;

/// What making a material's table takes.
pub fn plan(material: CanonicalMaterial) -> Plan {
    let frame = Frame::new(material.material(), Color::White);
    let lanes = lanes(&frame);
    let ghosts = lanes / frame.domain().len() as u64 * frame.ghosts().len() as u64;
    let leaves: u64 = (0..frame.groups().len())
        .map(|group| frame.without(group))
        .filter(|rest| !rest.groups().is_empty())
        .map(|rest| {
            // Planes and a level; and, while it is read, the cells of the table.
            lanes_of(&rest) * (9 * 8)
        })
        .sum();
    let largest_leaf = (0..frame.groups().len())
        .map(|group| lanes_of(&frame.without(group)) * 64)
        .max()
        .unwrap_or(0);
    let solving = lanes * LANE_BYTES_SOLVING + ghosts * 16 + leaves;
    let cells = lanes * 64;
    Plan {
        material,
        cells,
        memory_bytes: solving
            .max(leaves + largest_leaf)
            .max(lanes * LANE_BYTES_COLLECTING)
            + (64 << 20),
        table_bytes: cells / 4,
    }
}

fn lanes(frame: &Frame) -> u64 {
    lanes_of(frame)
}

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
