//! The solver: every distance of an ending, backwards from mate.
//!
//! It knows no file. An ending comes as a [`Frame`] and the smaller endings it can become as
//! [`Leaf`] values; what goes out is a [`Solution`].

mod bare;
mod capture;
mod frame;
mod gather;
mod geometry;
mod graph;
mod lane;
mod planes;
mod rows;
mod simd;
mod tally;

pub use bare::{Solution, StepDone, solve};
pub use capture::Leaf;
pub use frame::Frame;
pub use planes::Planes;
pub use simd::Simd;
pub use tally::Tally;
