//! Endings with bia, solved in memory slice by slice.
//!
//! A slice is the part of an ending with one placement of the bia: within a slice no bia moves.
//! Slices with fewer steps to promotion are solved first ([`solve_slices`]). The subendings, which
//! have fewer men or fewer bia, are solved before all slices. An exit leads out of a slice: it is a
//! move of a bia or the capture of a bia (see the modules `exit` and `slice_exits`).
//!
//! In makruk no count runs while there are bia; it begins when the last one is gone. So under the
//! goal of honor a win is mate, or a position without bia, with either side to move, that is won
//! inside a fresh count. A distance is the number of the winner's moves to that mate or position. A
//! move of the loser may lead to that position without a further move of the winner, so a position
//! with the loser to move can be lost in 0 moves without being mate. While bia remain, the capture
//! of a side's last other man does not begin a count.
//!
//! In ouk the count of the board's honor runs on through every exit, until a new one begins against
//! a bare king without bia. So a distance is the number of the winner's moves to mate or to a
//! position that is won inside that new count, and the distances of endings without bia are added
//! to it.
//!
//! In ASEAN chess bia move farther and promote to any man, so the distances to mate differ as well.
//! No count runs while there are bia, but the fifty-move rule does. It is set back by every capture
//! and by every move of a bia. So under the goal of zeroing a win is mate, or a capture or a bia's
//! move after which the position is still won with the clock at 0, and distances are in plies.

mod after_promotion;
mod by_slice;
mod cells_with_met;
mod exit;
mod exit_parts;
mod kept_promotions;
mod planes_file;
mod promoted;
mod row_numbers;
mod slice_exits;
mod slices;
mod solution;
mod solved_endings;
mod subendings;

pub use by_slice::write_sections;
pub use kept_promotions::{KEPT_PROMOTIONS_BYTES, KeptPromotions};
pub use slices::solve_slices;
pub use solution::BiaSolution;
