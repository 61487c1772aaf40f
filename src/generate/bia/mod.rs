//! Endings with bia, solved in memory slice by slice.
//!
//! A slice is the part of an ending with one placement of its bia, which do not move inside the
//! slice. Slices are solved in the order of steps to promotion, the fewest first
//! ([`solve_slices`]). Endings with fewer men or fewer bia are solved before all slices, and the
//! library keeps them. Moves that lead out of a slice are its `exits`: the moves and captures of
//! its bia, computed in `ways`.
//!
//! In makruk no count runs while there are bia; it begins when the last one is gone. So under the
//! goal of honor a win is mate, or a position without bia that is won inside a fresh count,
//! whichever side moves there. Distances are the winner's moves until then. If the loser's move
//! leads to that position, the winner spends no move: so a position with the loser to move can be
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
