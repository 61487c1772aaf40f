//! Symbol ranking: a cell is stored as its place in a list of likely values.
//!
//! Distances change little when a king moves one square. So each cell is predicted from neighbours
//! that are already decoded ([`order`]) and perhaps from another section ([`over_base`]). The
//! neighbours determine a *reference* and a *context* ([`contexts`]). The reference is usually the
//! least value of the neighbours; the context is the pattern of their differences. A *symbol* is
//! the difference of a cell from its reference. For each context, the section's [`model`] contains
//! a list of likely symbols, the most frequent first. The cell is stored as the **place** of its
//! symbol in this list. Most places are 0, so a range coder ([`crate::rans`]) needs only a fraction
//! of a bit for each. Cells without a legal position ([`legal`]) are not stored.
//!
//! For example, the table of `KSMvK` has 1374 lists. For a cell between four equal cells, the list
//! is +0 −1 +1 −2 …, and the probabilities of its places are 4052, 21, 7, 3 … out of 4096. With the
//! reference 7, cells are stored as follows:
//!
//! ```text
//! cell       7      7      6      8      .          (. = no legal position)
//! symbol    +0     +0     −1     +1
//! place      0      0      1      2
//! bits    0.02   0.02   7.61   9.19              −log2 of the probability
//! ```
//!
//! If a value's symbol is not in the list, an *escape* is stored: a 16th place, followed by the
//! value itself.
//!
//! [`decode`] reads blocks and [`encode`] writes them. [`train`] makes the model from a sample of
//! the section's blocks, and groups the lists into [`classes`] that share probabilities.
//! `docs/develop/format.md` specifies the bytes.
//!
//! # Sources
//!
//! Ranking symbols by context is *symbol ranking* (P. Fenwick, "Symbol ranking text compression",
//! 1996). Replacing a rare context with a shorter one is taken from PPM (J. Cleary and I. Witten,
//! 1984).

mod contexts;
pub(super) mod decode;
mod legal;
pub(super) mod model;
mod order;
pub(super) mod over_base;

pub(super) use self::contexts::UNKNOWN;

#[cfg(feature = "make")]
mod classes;
#[cfg(feature = "make")]
pub(super) mod encode;
#[cfg(feature = "make")]
pub(super) mod train;
