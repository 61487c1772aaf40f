//! From a position to a number and back.
//!
//! An ending's positions (with one side to move) are numbered by *components*: the anchor, which is
//! one side's king brought into a small part of the board by symmetry; the lane, which is the
//! other king on any of 64 squares; one component for each group of like men of one side; and one for
//! all bia ([`BiaPlacements`]). A
//! [`Layout`] orders the components; the number of a position is the mixed-radix number of their
//! digits, the outermost component first.
//!
//! Some numbers stand for no legal position (men on one square, kings touching). They are few,
//! and cheaper to carry along than to count away.
//!
//! Symmetries ([`Symmetry`]): the left–right mirror always holds. Without a khon all eight
//! reflections and turns of the board do. With bia it is they that the mirror brings into place. Colour slices (`ColorSlice`): a group's placements are
//! taken from a set of squares (`Placements`), so that the mets on light and on dark squares can be
//! two groups.

mod bia;
pub(crate) mod lane;
mod layout;
#[cfg(feature = "make")]
mod odometer;
mod placements;
#[cfg(feature = "make")]
mod slice;
mod symmetry;
mod transform;

pub use bia::{Bia, BiaPlacements};
pub(crate) use layout::BIA_BYTE;
#[cfg(feature = "make")]
pub(crate) use layout::example;
pub use layout::{Component, Group, Layout, LayoutError};
#[cfg(feature = "make")]
pub(crate) use odometer::Odometer;
pub(crate) use placements::Placements;
#[cfg(feature = "make")]
pub use slice::ColorSlice;
pub use symmetry::Symmetry;
pub use transform::Transform;
