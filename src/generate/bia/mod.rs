//! Endings with bia, solved in memory slice by slice.
//!
//! A slice is the part of an ending with one placement of its bia, which do not move inside the
//! slice. Slices are solved in the order of steps to promotion, the fewest first
//! ([`solve_slices`]). The endings with fewer men or fewer bia are solved before all slices; the
//! library has them. The moves out of a slice, its `exits`, are collected from the `ways` of its
//! bia and the men around them.
//!
//! In makruk no count runs while there are bia; it begins when the last one is gone. So under the
//! goal of honor a win is mate, or a position without bia that is won inside a fresh count,
//! whichever side moves there. Distances are the winner's moves until then. If the loser moves in
//! that position, the winner needs no move to reach it: so a position with the loser to move can be
//! lost in 0 moves without mate. As long as bia remain, the capture of the last other man changes
//! nothing.

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
