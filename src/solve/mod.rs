//! The solver: every distance of an ending, backwards from mate.
//!
//! It knows no file. An ending comes as a [`LaneLayout`] (whose wins, in which order of lanes) and the
//! smaller endings it can become as [`Leaf`] values; what goes out is a [`Solution`].
//!
//! For each lane there are two words. `open`: the winner to move, the lane's king may go there
//! (perhaps taking a man) and the winner has not won yet — *a king's move there does the loser some
//! good*. `pending`: the loser to move, legal, not stalemate, not lost yet. Step k takes out of
//! `open` the positions from which a move of the winner leads to one lost at k − 1, and then out
//! of `pending` those from which no move leads to an open one. A bit that goes at step k has
//! distance k; it is written down in bit planes ([`BitPlanes`]).

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
pub use lane::LaneWords;
pub use lane_layout::LaneLayout;
pub use leaf::{Leaf, digest, leaf_bytes};
pub use run::{
    Solution, StepDone, Unit, array_bytes, solve, solve_bytes, solve_checkpointed, solve_slice,
};
pub use step_counts::{Counted, SolveCounts, StepCounts};
pub use unpack_bits::LaneBytes;
