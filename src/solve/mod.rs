//! The solver: computes all distances of an ending, by retrograde analysis from the mates.
//!
//! Its input is a [`LaneLayout`], which states the winner and the order of lanes, and a [`Leaf`]
//! for each subending after a capture. Its output is a [`Solution`], or steps that are stored as
//! [`Checkpoints`].
//!
//! Each lane has two words. `open` contains the legal positions with the winner to move that are
//! not won yet, including those just after a capture by the lane's king. `pending` contains the
//! legal positions with the loser to move that are not lost yet, except stalemates. Step k removes
//! from `open` the positions with a move to a position lost at step k − 1. Then it removes from
//! `pending` the positions without a move to an open position:
//!
//! ```text
//! step 0   mates: lost in 0
//! step 1   positions with a move to a mate: won in 1; positions with moves only to those: lost in 1
//! step 2   positions with a move to one lost in 1: won in 2; …
//! ```
//!
//! A position that is removed at step k has distance k, which is stored in bit planes
//! ([`BitPlanes`]).

mod arrays;
mod bare;
mod bit_planes;
mod capture;
mod checkpointed;
mod exits;
mod gather;
mod geometry;
mod ghosts;
mod graph;
mod kings;
mod lane;
mod lane_layout;
mod leaf;
#[cfg(test)]
mod reference;
mod row_codec;
mod rows;
mod run;
mod start;
mod step_counts;
mod two_sided;
mod unpack_bits;

pub use crate::simd::Simd;
pub use arrays::Keep;
pub use bit_planes::BitPlanes;
pub use checkpointed::{CheckpointFailed, Checkpoints, Parts, decode_part, parts};
pub use exits::Exits;
pub use kings::solve_slice;
pub use lane::LaneWords;
pub use lane_layout::LaneLayout;
pub use leaf::{Leaf, digest, leaf_bytes};
#[cfg(test)]
pub use run::solve_slice_generally;
pub use run::{Solution, StepDone, Unit, array_bytes, solve, solve_bytes, solve_checkpointed};
pub use step_counts::{Counted, SolveCounts, StepCounts};
pub use unpack_bits::LaneBytes;
