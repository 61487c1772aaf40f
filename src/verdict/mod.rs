//! Verdict tables: who wins, and whether inside the count, without distances.
//!
//! A search asks little: is this position won, and in time? A **verdict table**, `KRNvKS.skv`, answers
//! that for both sides to move and all rule sets, in a fraction of the bytes of the distance table
//! ([`crate::table`]) and by decoding one small block. It needs no other table, of this ending or of
//! smaller ones.
//!
//! For each side that has men it stores *sets* of positions ([`Set`]): those that the side wins if nothing
//! is counted, and those of them that it wins inside a count that begins now, under each rule set. A
//! set that equals another is not stored again, one that is a part of another has bits only for
//! the positions of that one, and one that is *like* another, as ASEAN chess's may be like makruk's, is
//! told by where they differ.
//!
//! A bare king to move loses where each of its steps leads to a lost position. So those words follow from the
//! others but for captures. The words they follow from may be those of another set, its *guide*: ouk's
//! count leaves one move less than makruk's, just as many as are left after a step.
//!
//! ```text
//! plane   the men but the kings stand still: 32 or 10 lanes, one for each square of the winner's king
//! lane    a word: a bit for each square of the other king
//! block   some planes, coded by themselves: a part for each set, first all words with the winner to move
//! ```
//!
//! The lanes of a plane come as a net that is filled in (`net`). Where all neighbours of a square say the
//! same, one question for a whole lane mostly does; the other bits are coded one by one, each with
//! its probability given what its neighbours say, whether the side to move attacks an unprotected man
//! and, with the loser to move, whether its king has a step to where the winner does not win. A range
//! coder (`rans`) takes a fraction of a bit for each.
//!
//! `docs/develop/format-verdicts.md` describes the file byte by byte.
//!
//! # Sources
//!
//! That a search asks a small table for the verdict and the root a large one for the distance is
//! Syzygy's idea (R. de Man, 2013). Range coding by asymmetric numeral systems is J. Duda's (2009).

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
