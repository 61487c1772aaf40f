//! The solver: every distance of an ending, backwards from mate.
//!
//! It knows no file. An ending comes as a [`Frame`] (whose wins, in which order of lanes) and the
//! smaller endings it can become as [`Leaf`] values; what goes out is a [`Solution`].
//!
//! For each lane there are two words. `open`: the winner to move, the lane's king may go there
//! (perhaps taking a man) and the winner has not won yet — *a king's move there does the loser some
//! good*. `pending`: the loser to move, legal, not stalemate, not lost yet. Step k takes out of
//! `open` the positions from which a move of the winner leads to one lost at k − 1, and then out
//! of `pending` those from which no move leads to an open one. A bit that goes at step k has
//! distance k; it is written down in bit planes ([`Planes`]).

mod arrays;
mod bare;
mod capture;
mod frame;
mod gather;
mod geometry;
mod ghosts;
mod graph;
mod lane;
mod leaf;
mod packed;
mod paged;
mod planes;
mod recorded;
mod rows;
mod run;
mod spread;
mod start;
mod tally;
#[cfg(test)]
mod twins;
mod two_sided;

pub use crate::simd::Simd;
pub use arrays::Keep;
pub use frame::Frame;
pub use leaf::{Leaf, digest};
pub use paged::{Paged, Words, mapped_bytes};
pub use planes::Planes;
pub use recorded::{Journal, Parts, StepCounts, Stop, parts, solve_recorded, unpack_part};
pub use run::{Solution, StepDone, solve};
pub use spread::Spread;
pub use tally::Tally;
