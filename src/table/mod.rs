//! The table of an ending as a file.
//!
//! A table answers: what becomes of this position? Its positions are numbered (by the index, which
//! this module does not know), and under each number is a **cell** with a small **code**. A
//! **section** is the list of all cells under one metric with one side to move; a table has one
//! or more. What a code stands for is said once in the section's header:
//!
//! ```text
//! codes   0 = draw   1 = White wins in 1   2 = White wins in 2   3 = White wins in 5
//! cells   0 0 0 1 1 1 2 . 2 2 3 3 0 0 0 . . 0 …        (. = no legal position has this number)
//! ```
//!
//! Cells are cut into **blocks** of some thousand. Each is compressed by itself with zstd, so that
//! a look-up decompresses one block and no more. An **index** has for each block where it starts,
//! how long it is, and a checksum over both and its bytes. Cells that no legal position has are
//! filled with what compresses, or left out; a block of equal cells has one cell.
//!
//! ```text
//! preamble | dictionary, blocks, index of section 0 | … of section 1 | … | header
//! ```
//!
//! The preamble has the magic number, the version, the length of the file and where the header is.
//! The header has the material, the statistics and what is needed to find and read each section.
//! Every byte of the file is under a checksum. `docs/format.md` describes it byte by byte.
//!
//! # Writing and reading
//!
//! ```
//! use sakmak::board::Color;
//! use sakmak::stats::Statistics;
//! use sakmak::table::{
//!     Access, Code, ILLEGAL, Metric, SectionInfo, TableFile, TableWriter, WriteOptions,
//! };
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("KSMvK.skm");
//! let material = "KSMvK".parse()?;
//!
//! let mut writer = TableWriter::create(&path, material, WriteOptions::default())?;
//! let info = SectionInfo {
//!     metric: Metric::Dtm,
//!     side: Color::White,
//!     symmetry: 0,
//!     order: vec![1, 0, 2],
//!     codes: vec![Code::Draw, Code::WhiteWins(1), Code::WhiteWins(5)],
//!     statistics: Statistics::default(),
//! };
//! writer.add_section(info, &vec![0, 0, ILLEGAL, 2, 1], &|_cells_done| {})?;
//! writer.finish()?;
//!
//! let table = TableFile::open_as(&path, material, Access::Map)?;
//! let section = table.section(Metric::Dtm).ok_or("no DTM")?;
//! assert_eq!(section.code(3)?, Code::WhiteWins(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading without a file system
//!
//! A [`Table`] is over any bytes that are a whole file: a vector that was received, a slice of an
//! archive, bytes built into a program. Nothing here asks the system for anything then.
//!
//! ```
//! use sakmak::table::{Block, Decoder, Metric, Table};
//! # use sakmak::board::Color;
//! # use sakmak::stats::Statistics;
//! # use sakmak::table::{Code, SectionInfo, TableWriter, WriteOptions};
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("KSMvK.skm");
//! # let mut writer = TableWriter::create(&path, "KSMvK".parse()?, WriteOptions::default())?;
//! # let info = SectionInfo {
//! #     metric: Metric::Dtm,
//! #     side: Color::White,
//! #     symmetry: 0,
//! #     order: vec![1, 0, 2],
//! #     codes: vec![Code::Draw, Code::WhiteWins(1), Code::WhiteWins(5)],
//! #     statistics: Statistics::default(),
//! # };
//! # writer.add_section(info, &vec![0, 0, 2, 1], &|_| {})?;
//! # writer.finish()?;
//! # let received = std::fs::read(&path)?;
//!
//! let bytes: &[u8] = &received;
//! let table = Table::new(bytes)?;
//! let section = table.section(Metric::Dtm).ok_or("no DTM")?;
//!
//! // The cell's number is the index's affair: `sakmak::index::Layout`.
//! let (block, place) = section.block_of(2);
//! let (mut decoder, mut cells) = (Decoder::new(), Block::new());
//! section.read_block(block, &mut decoder, &mut cells)?;
//! let code = cells.get(place).ok_or("no such cell")?;
//! assert_eq!(section.header().info.codes[usize::from(code)], Code::WhiteWins(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sources
//!
//! Blocks under an index, checked when read, over bytes that may be a memory map, are as in
//! shakmaty-syzygy and fst; zstd is described in RFC 8878, CRC-32C in RFC 3720, B.4.

mod block;
mod bytes;
mod code;
mod decompress;
mod error;
mod file;
mod header;
mod lattice;
mod legal;
mod model;
mod name;
mod ranks;
mod read;

#[cfg(any(test, feature = "make", not(feature = "zstd")))]
mod pool;

#[cfg(feature = "files")]
mod map;

#[cfg(feature = "make")]
mod manifest;
#[cfg(feature = "make")]
mod whole;
#[cfg(feature = "make")]
mod write;

pub use block::{Block, Decoder};
pub use code::{CellSource, CellWidth, Code, ILLEGAL, MAX_CODES};
pub use error::{IoAction, TableError, TableErrorKind};
pub use file::{Access, FileBytes, TableFile};
pub use header::{
    MAX_BLOCK_CELLS, Metric, Packing, RULES_REVISION, SectionHeader, SectionInfo, VERSION,
};
pub use name::{EXTENSION, file_name, material_of};
pub use read::{Section, Table};

#[cfg(feature = "make")]
pub use {
    manifest::{
        MANIFEST_NAME, MANIFEST_VERSION, Manifest, ManifestEntry, ManifestError, MetricStatistics,
    },
    whole::Cells,
    write::{
        TableWriter, WriteOptions, can_be_ranked, estimate, remove_leftovers, sample_bytes, spread,
    },
};
