//! Verdict tables: who wins, and whether inside the count, without distances.
//!
//! A search asks little: is this position won, and in time? A **verdict table**, `KRNvKS.skv`,
//! answers that for both sides to move and all rule sets. It takes a fraction of the bytes of the
//! distance table ([`crate::table`]), a lookup decodes one small block, and it needs no other
//! table. `KSMvK.skv` has 223,499 bytes for four sets of its 25.8 million positions, 0.07 bits a
//! position; `KSMvK.skm` has 1,387,574.
//!
//! # Sets
//!
//! For each side with men the table has *sets* of positions ([`Set`]): those that the side wins
//! when nothing is counted, and the parts of it won inside a count that begins now, one for each
//! rule set. A set equal to another is not stored again. A set inside another, its *parent*, has
//! bits only for the parent's positions. A set that is *like* another, as ASEAN chess's may be like
//! makruk's, is coded by the differences.
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
//! Neighbouring lanes are mostly equal, so a lane begins with one question if its neighbours agree:
//! does the whole lane have their value? The answer is a bit with a probability from the set's
//! `model`. In the board set of `KSMvK`, with the winner to move, yes has the probability 4085 /
//! 4096 if the four lanes next to it and that of the previous plane all say *won*:
//!
//! ```text
//! yes   −log2(4085 / 4096) = 0.004 bits, for up to 64 positions
//! no    −log2(  11 / 4096) = 8.54  bits, and the lane is coded in parts
//! ```
//!
//! Otherwise squares whose neighbours agree are corrected by more such questions, and each other
//! bit is coded with a probability by its context: the votes of its neighbours, an attack of the
//! side to move on an unprotected man, and with the loser to move a king's step to a square where
//! the winner does not win. A range coder (`rans`) takes a fraction of a bit for each.
//!
//! A bare king to move loses if every step leads to a lost position. So with the loser to move,
//! most bits follow from words with the winner to move; only captures remain to be coded. The words
//! may belong to another set, the *guide*: ouk's count leaves one move less than makruk's, as many
//! as a step leaves.
//!
//! `docs/develop/format-verdicts.md` specifies the file byte by byte.
//!
//! # Sources
//!
//! A small table of verdicts for the search and a large one of distances for the root are Syzygy's
//! idea (R. de Man, 2013). Asymmetric numeral systems are J. Duda's (2009).

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
pub use header::{Counts, Set, VERSION};
pub use layout::{LanePlace, PlaneLayout};
pub use name::{file_name, material_of};
pub use read::{Pages, VerdictFile, VerdictSets, Verdicts, WordPlace};
pub use words::Turn;

#[cfg(feature = "make")]
pub use coding::{Coding, Ties};
#[cfg(feature = "make")]
pub use write::VerdictWriter;
