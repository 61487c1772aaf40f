//! The file format that all kinds of tables share.
//!
//! A table is a file with a fixed [preamble](format), **parts**, and a header with the offsets of
//! the parts. A part contains the models for decoding its blocks, the blocks, and the
//! [index](index) of the blocks. A checksum covers every byte, and the parts follow one another
//! without a gap.
//!
//! ```text
//! preamble | models, blocks, index of part 0 | … of part 1 | … | header
//! ```
//!
//! For example `KSMvK.skv`, the verdict table of khon and met against a bare king, has 223,499
//! bytes:
//!
//! ```text
//!       0   preamble: magic, version 3, length 223,499, header at 223,151 with 348 bytes
//!      64   part 0: models of four sets, blocks, index
//! 223,151   header: rules revision 1, "KSMvK", then the fields of a verdict table
//! ```
//!
//! The preamble and the header are read once, when the table is opened. A lookup then reads one
//! group of the index and one block.
//!
//! A [`Kind`] defines the rest of the header and the coding of a block: distances in
//! [`table`](crate::table), verdicts in [`verdict`](crate::verdict). This module depends on
//! neither.

pub(crate) mod bytes;
pub(crate) mod decompress;
mod error;
mod file;
mod format;
#[cfg(feature = "make")]
mod hash;
pub(crate) mod index;
mod pool;
mod source;
#[cfg(feature = "make")]
pub(crate) mod write;

pub use error::{IoAction, TableError, TableErrorKind, is_temporary};
pub use file::Container;
pub(crate) use file::{CommonHeader, LazyModel, kind_of};
pub use format::Kind;
pub(crate) use format::{Format, Part};
pub use source::{Access, CallerSource, FileBytes, Source};

#[cfg(test)]
pub(crate) use file::read_header;
pub(crate) use pool::Pool;
