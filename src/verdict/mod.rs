//! Verdict tables: which side wins, and whether inside the count, without distances.
//!
//! A search needs two facts about a position: which side wins, and whether the win is in time. A
//! **verdict table**, such as `KRNvKS.skv`, contains both, for either side to move and for all rule
//! sets. It takes a fraction of the bytes of the distance table ([`crate::table`]), a lookup
//! decodes one small block, and no other table is needed. `KSMvK.skv` has 223,499 bytes for four
//! sets of its 25.8 million positions, 0.07 bits a position; `KSMvK.skm` has 1,387,574.
//!
//! # Sets
//!
//! For each side with men, the table has *sets* of positions ([`Set`]). The first set contains the
//! positions that the side wins when nothing is counted. For each rule set, another set contains
//! the positions that the side wins inside a count that begins now. A set that equals another is
//! not stored again. A set that lies inside another, its *parent*, stores bits only for the
//! parent's positions. A set that resembles another is coded as the differences between them: the
//! set of ASEAN chess may resemble that of makruk.
//!
//! # Blocks
//!
//! ```text
//! plane   all men but the kings stand still: 10, 32 or 64 lanes, one for each square of the winner's king
//! lane    a word: a bit for each square of the other king
//! block   some planes, coded together: a part for each set, first all words with the winner to move
//! ```
//!
//! # Coding
//!
//! The lanes of a plane are decoded from a coarse grid of king squares to a fine one (`net`).
//! Neighbouring lanes are usually equal. So if the neighbours of a lane agree, the first question
//! is: does the whole lane have their value? The answer is a bit whose probability is stored in the
//! set's `model`. An example is the set of `KSMvK` with nothing counted and the winner to move. If
//! the four neighbouring lanes and the same lane of the previous plane are all won, yes has the
//! probability 4085 / 4096:
//!
//! ```text
//! yes   −log2(4085 / 4096) = 0.004 bits, for up to 64 positions
//! no    −log2(  11 / 4096) = 8.54  bits, and the lane is coded in parts
//! ```
//!
//! If the answer is no, more questions of this form find the squares that differ although their
//! neighbours agree. Every other bit is coded with a probability that depends on its context: the
//! values of its neighbours; whether the side to move attacks an unprotected man; and, with the
//! loser to move, whether the king can step to a square where the winner does not win. A range
//! coder (`rans`) needs a fraction of a bit for each of these bits.
//!
//! A bare king to move loses if every step leads to a lost position. So most bits with the loser to
//! move follow from the words with the winner to move, and only the results of captures remain to
//! be coded. The words with the winner to move may come from another set, the *guide*. A guide
//! helps because ouk's count leaves one move fewer than makruk's, just as a count does after a move
//! has been made.
//!
//! `docs/develop/format-verdicts.md` specifies the file byte by byte.
//!
//! # Sources
//!
//! The idea of a small table of verdicts for the search and a large table of distances for the root
//! comes from Syzygy (R. de Man, 2013). Asymmetric numeral systems are due to J. Duda (2009).

mod block;
#[cfg(feature = "make")]
mod check;
mod codec;
#[cfg(feature = "make")]
mod coding;
mod facts;
mod header;
mod layout;
mod model;
mod name;
mod net;
mod read;
mod words;

#[cfg(feature = "make")]
mod write;

pub use block::{VerdictBlock, is_decoded, word_number};
#[cfg(feature = "make")]
pub(crate) use facts::PlaneMen;
pub(crate) use header::Header;
pub use header::{CategoryCounts, Set, VERSION};
pub use layout::{LanePlace, PlaneLayout};
pub use name::{file_name, material_of};
pub use read::{Pages, VerdictFile, VerdictSets, Verdicts, WordPlace};
pub use words::Turn;

#[cfg(feature = "make")]
pub use coding::{Coding, Ties};
#[cfg(feature = "make")]
pub use write::VerdictWriter;
