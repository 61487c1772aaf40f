//! Endings with bia, solved in memory.
//!
//! A slice of an ending is a placement of its bia, which stand fixed in it. Slices are solved in the
//! order in which they lead to each other, the bia that have come farthest first ([`solve_slices`]);
//! before them come the endings with fewer men or fewer bia, which the library has. What leads out of a
//! slice is collected (`exits`) from the `ways` that its bia and the men around them have.
//!
//! In makruk no count runs while a bia is on the board, and with the last bia it begins afresh. So
//! under the goal of honor a win is mate, or a position without bia that a fresh count lets the winner
//! win, whichever side leads there; distances are the winner's moves until then. If the loser leads
//! there it is with no move of the winner, so that a position with the loser to move can be lost in 0
//! moves without a mate. The capture of the last other man is nothing special while bia remain.

mod exits;
mod library;
mod row_numbers;
mod slices;
mod solution;
mod ways;

pub use slices::solve_slices;
pub use solution::BiaSolution;
