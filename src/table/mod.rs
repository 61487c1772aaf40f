//! Distance tables: the value of every position of one ending, in a file.
//!
//! The [index](crate::index) numbers the positions. The **cell** with a position's number contains
//! a small **code** for the position's value. A **section** is the list of all cells of one metric
//! with one side to move; a table has one or more sections. The section's header lists the meaning
//! of each code:
//!
//! ```text
//! codes   0 = draw   1 = White wins in 1   2 = White wins in 2   3 = White wins in 5
//! cells   0 0 0 1 1 1 2 . 2 2 3 3 0 0 0 . . 0 …        (. = no legal position has this number)
//! ```
//!
//! Cells are stored in **blocks** of several thousand cells. Each block is [packed](Packing) on its
//! own, so that a lookup decodes only one block. An **index** contains the offset and length of
//! each block. Cells without a legal position are omitted, or filled with the value that compresses
//! best. A block whose cells are all equal is stored as one cell.
//!
//! ```text
//! preamble | model, blocks, index of section 0 | … of section 1 | … | header
//! ```
//!
//! The preamble contains the magic number, the version, the length of the file and the offset of
//! the header. The header contains the material and, for each section, its statistics, its codes
//! and the offsets of its parts. Checksums cover every byte. `docs/develop/format.md` specifies the
//! format byte by byte.
//!
//! # Writing and reading
//!
//! ```
//! use sakmak::board::Color;
//! use sakmak::statistics::Statistics;
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
//! let table = TableFile::open(&path, Access::Blocks)?;
//! let section = table.section(Metric::Dtm).ok_or("no DTM")?;
//! assert_eq!(section.code(3)?, Code::WhiteWins(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading without a file system
//!
//! [`Table`] can read a whole file from bytes that were received over a network, stored in an
//! archive, or compiled into the program. Such a read makes no system call.
//!
//! ```
//! use sakmak::table::{Block, Decoder, Metric, Table};
//! # use sakmak::board::Color;
//! # use sakmak::statistics::Statistics;
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
//! // `sakmak::index::Layout` computes cell numbers.
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
//! The design follows shakmaty-syzygy and fst: checksummed blocks under an index, read from bytes
//! that may be a memory map. RFC 8878 specifies zstd; RFC 3720, section B.4, specifies CRC-32C.

mod block;
mod code;
mod header;
mod read;
mod statistics;
mod symbol_rank;
mod whole;

#[cfg(feature = "make")]
mod decode_all;
#[cfg(feature = "make")]
mod write;

pub use crate::container::{
    Access, CallerSource, Container, FileBytes, IoAction, Kind, Source, TableError, TableErrorKind,
};
pub use crate::table_kind::TableKind;
pub use block::{Block, Decoder};
pub use code::{CellSource, CellWidth, Code, ILLEGAL, MAX_CODES};
pub(crate) use header::has_bia_of_other_rules;
pub use header::{
    MAX_BLOCK_CELLS, Metric, Packing, RULES_REVISION, SectionHeader, SectionInfo, VERSION,
    file_name, rule_sets_answered, rules_revision,
};
pub use read::{Distances, Section, Table, TableFile};

#[cfg(feature = "make")]
pub use crate::container::write::remove_leftovers;
#[cfg(feature = "make")]
pub use {
    decode_all::DecodedCells,
    write::{
        BlockPacking, GivenBase, SectionPacking, TableWriter, WriteOptions, can_use_symbol_ranking,
        estimate, sample_bytes, spread,
    },
};
