//! Verdict tables: which side wins, and whether inside the count, without distances.
//!
//! A search needs two facts about a position: which side wins, and whether the win is in time. A
//! **verdict table**, such as `KRNvKS.skv`, contains both, for either side to move and for each of
//! its rule sets. It takes a fraction of the bytes of the distance table ([`crate::table`]). A
//! lookup decodes at most one small block for each side that can win, and needs no other table.
//! `KSMvK.skv` takes 223,499 bytes for four sets of its 25.8 million positions, which is 0.07 bits
//! per position; `KSMvK.skm` takes 1,387,574 bytes.
//!
//! # Sets
//!
//! For each side with men, the table has *sets* of positions ([`Set`]); with equal armies, only for
//! White, since Black's wins are White's with exchanged colours. The first set contains the
//! positions that the side wins when nothing is counted. For each rule set, another set contains
//! the positions that the side wins inside a count that begins now. A set that equals another is
//! not stored again. A set that is a subset of another, its *parent*, stores bits only for the
//! parent's positions. A set may be predicted from a similar one (its *reference* in the format
//! description): the set of ASEAN chess from that of makruk, for example.
//!
//! # Blocks
//!
//! ```text
//! plane   all positions that differ only in the squares of the kings: 10, 32 or 64 lanes,
//!         one for each square of the winner's king
//! lane    one word for each side to move, with a bit for each square of the other king
//! block   consecutive planes, coded together: one part for each set;
//!         in a part, all words with the winner to move come first
//! ```
//!
//! # Coding
//!
//! The lanes of a plane are decoded from a coarse grid of king squares to a fine one (`net`).
//! Neighbouring lanes are usually equal. So if the neighbours of a lane agree, the first question
//! is: does the whole lane have their value? The answer is a bit whose probability is stored in the
//! set's `model`. In `KSMvK`, with nothing counted and the winner to move, the probability of yes
//! is 4085 / 4096 if the four adjacent lanes and the same lane of the previous plane are all won:
//!
//! ```text
//! yes   −log2(4085 / 4096) = 0.004 bits, for up to 64 positions
//! no    −log2(  11 / 4096) = 8.54  bits, and the lane is coded in parts
//! ```
//!
//! If the answer is no, further yes-or-no questions find the squares that differ although their
//! neighbours agree. Every other bit is coded with a probability that depends on its context: the
//! values of its neighbours; whether the side to move attacks an unprotected man; and, with the
//! loser to move, whether the king can step to a square where the winner does not win. A range
//! coder (`rans`) needs a fraction of a bit for each of these bits.
//!
//! A bare king to move loses if every step leads to a lost position. So most bits with the loser to
//! move follow from words with the winner to move, and only the results of captures remain to be
//! coded. The set that provides these words is the *guide*. The guide of makruk's set may be ouk's
//! set: after a step of the bare king, makruk's count leaves as many moves as a count of ouk that
//! begins with the winner to move.
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
mod coding;
mod decode_block;
mod facts;
mod header;
mod layout;
mod model;
mod net;
mod read;
mod whole;
mod words;

#[cfg(feature = "make")]
mod write;

pub use block::{VerdictBlock, is_decoded, word_number};
pub use decode_block::{Pages, WordPlace};
pub use facts::PlaneMen;
pub(crate) use header::Header;
pub use header::{CategoryCounts, Set, VERSION, file_name};
pub use layout::{LanePlace, PlaneLayout};
pub use read::{VerdictFile, VerdictSets, Verdicts};
pub use words::Turn;

pub use coding::{Coding, Ties};
#[cfg(feature = "make")]
pub use write::VerdictWriter;
