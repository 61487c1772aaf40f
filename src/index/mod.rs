//! The index: converts a position to its number and back.
//!
//! The positions of an ending with one side to move are numbered by *components*. The anchor is the
//! king of one side, which symmetry maps to a small part of the board. The lane is the other king,
//! on any of 64 squares. Each group of men of the same role and side is a component, and so are all
//! bia together ([`BiaPlacements`]). A [`Layout`] orders the components. Their digits make a
//! mixed-radix number: the digit of the outermost component is the most significant. For example,
//! the published table of `KSMvK` has the order met, khon, anchor, lane:
//!
//! ```text
//! number = ((met * 64 + khon) * 32 + anchor) * 64 + lane      met, khon, lane: 64 squares; anchor: 32
//! ```
//!
//! Some numbers stand for no legal position: two men would share a square, or the kings would
//! touch. They are few, and a numbering that skips them would cost more than storing their cells.
//!
//! By [symmetry](Symmetry), mirror images share a number in every ending. Without khon or bia, all
//! eight reflections and rotations of a position share a number. With bia, the placement of the bia
//! determines which of two mirror images has the number. In a colour slice (`ColorSlice`), mets on
//! light squares and mets on dark squares are two groups, each with its own squares ([`Placements`]).

pub(crate) mod lane;
mod layout;
mod odometer;
mod placements;
mod slice;
mod symmetry;
mod transform;

pub(crate) use layout::BIA_BYTE;
pub use layout::{Component, Group, Layout, LayoutError, example};
pub(crate) use odometer::Odometer;
pub use placements::{Bia, BiaPlacements, Placements};
pub use slice::ColorSlice;
pub use symmetry::Symmetry;
pub use transform::Transform;
