//! What the files of all kinds of tables share.
//!
//! A table is a file with a fixed [preamble](preamble), some **parts**, and a header that says where they
//! are. A part is the models that its blocks are decoded by, the blocks, and the [index](index) of their
//! places. Every byte is under a checksum, and the parts lie one after another without a gap.
//!
//! ```text
//! preamble | models, blocks, index of part 0 | … of part 1 | … | header
//! ```
//!
//! A [`Kind`] says what the rest of the header means, how a block is coded and what it holds:
//! [`table`](crate::table) has distances, [`verdict`](crate::verdict) has verdicts. None of that is known
//! here.

pub(crate) mod bytes;
pub(crate) mod decompress;
mod error;
mod file;
pub(crate) mod index;
mod kind;
mod mapped_file;
mod model;
mod open;
mod preamble;
mod source;

#[cfg(feature = "make")]
mod hash;
#[cfg(feature = "make")]
mod pool;
#[cfg(feature = "make")]
mod write;

pub use error::{IoAction, TableError, TableErrorKind};
pub use file::Container;
pub use kind::Kind;
pub(crate) use kind::{Format, Part};
pub(crate) use model::LazyModel;
pub use source::{Access, Elsewhere, FileBytes, Source};

pub(crate) use file::is_of_kind;
#[cfg(feature = "make")]
pub use write::remove_leftovers;
#[cfg(feature = "make")]
pub(crate) use {file::CommonHeader, pool::Pool, write::FileWriter};
#[cfg(all(test, feature = "make"))]
pub(crate) use {file::read_header, write::file_bytes_of};
