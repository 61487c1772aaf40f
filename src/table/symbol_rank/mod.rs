//! Symbol ranking: packing cells by what their neighbours predict.
//!
//! A cell is much like the cells that have a king one square on. So each cell is predicted from
//! neighbours already known ([`order`]) and maybe from another section ([`over_base`]): they make a
//! *context* ([`contexts`]), the [`model`] of the section has for each context a list of likely
//! *symbols*, and the cell is stored as the **place** of its symbol in the list, which is mostly 0. A range coder then takes a fraction of a bit for most
//! places. Cells without a legal position ([`legal`]) are not stored at all.
//!
//! ```text
//! cells   7 7 8 7 . . 7 9   predicted 7 each: symbols +0 +0 +1 +0 . . +0 +2
//! list    +0 +1 −1 draw +2 …                 places   0  0  1  0 . .  0  4
//! ```
//!
//! [`decode`] undoes it for readers, [`encode`] does it, and [`train`] makes the model of a sample
//! of the section's blocks, with lists in [`classes`] that share how likely each place is.
//! `docs/develop/format.md` describes the bytes.
//!
//! # Sources
//!
//! Ranking symbols by context is Fenwick's *symbol ranking* (P. Fenwick, "Symbol ranking text
//! compression", 1996); lists of the most frequent symbols of a context, backed by those of a
//! shorter context, are as in PPM (Cleary and Witten, 1984).

mod contexts;
pub(super) mod decode;
mod legal;
pub(super) mod model;
mod order;
pub(super) mod over_base;

#[cfg(feature = "make")]
pub(super) use self::contexts::UNKNOWN;

#[cfg(feature = "make")]
mod classes;
#[cfg(feature = "make")]
pub(super) mod encode;
#[cfg(feature = "make")]
pub(super) mod train;
