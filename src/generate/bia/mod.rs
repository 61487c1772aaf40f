//! Endings with bia, solved in memory slice by slice.
//!
//! A slice is the part of an ending with one placement of its bia, which are fixed in it. Slices
//! are solved in the order of steps to promotion, the fewest first ([`solve_slices`]), after the
//! endings with fewer men or fewer bia, which the library has. The moves out of a slice, its
//! `exits`, are collected from the `ways` of its bia and the men around them.
//!
//! In makruk no count runs while there are bia; it begins when the last one is gone. So under the
//! goal of honor a win is mate, or a position without bia that is won inside a fresh count,
//! whichever side moves there. Distances are the winner's moves until then. If the loser moves
//! there, no move of the winner's is needed: a position with the loser to move can be lost in 0
//! moves without mate. The capture of the last other man has no effect while bia remain.

mod before;
mod by_slice;
mod cells_with_met;
mod exits;
mod library;
mod planes_file;
mod promoted;
mod row_numbers;
mod slices;
mod solution;
mod ways;

pub use by_slice::write_sections;
pub use slices::solve_slices;
pub use solution::BiaSolution;
