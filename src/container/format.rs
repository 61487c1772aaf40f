//! The format that every kind of table shares: the first 64 bytes of a file, the preamble with the
//! version and the offset of the header; the trait that a kind implements; and the location of a
//! table's parts in the file.
//!
//! The preamble is written last. If writing is interrupted, the file begins with zeros, and every
//! reader rejects it.

use std::fmt::Debug;
use std::ops::{Range, RangeInclusive};

use crc32c::crc32c;

use super::bytes::{ByteReader, ByteWriter, Parsed};
use super::error::{IoAction, TableErrorKind};
use super::index::BlockIndex;
use super::source::Source;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;
use crate::table_kind::TableKind;

/// The number of bytes in the preamble.
pub(crate) const PREAMBLE_BYTES: usize = 64;

const MAX_HEADER_BYTES: u32 = 64 << 20;

/// The unparsed header of a file.
pub(crate) struct FoundHeader<'a> {
    /// The format version.
    pub version: u32,
    /// The bytes of the header.
    pub bytes: &'a [u8],
    /// The offset of the header in the file.
    pub offset: u64,
    /// The length of the file in bytes.
    pub file_bytes: u64,
}

/// Checks the preamble of a whole file, then the checksum of the header to which the preamble
/// refers. Returns the header.
pub(crate) fn find_header<'a>(
    source: &'a impl Source,
    format: &Format,
    buffer: &'a mut Vec<u8>,
) -> Result<FoundHeader<'a>, TableErrorKind> {
    let magic = format.kind.magic();
    let corrupt = |what| TableErrorKind::HeaderCorrupt { what };
    let unreadable = |source| TableErrorKind::Io {
        action: IoAction::Read,
        source,
    };
    let found = source.length().map_err(unreadable)?;
    let first = found.min(PREAMBLE_BYTES as u64) as usize;
    let first = source.bytes(0, first, buffer).map_err(unreadable)?;
    let Some((preamble, _)) = first.split_first_chunk::<PREAMBLE_BYTES>() else {
        let n = first.len().min(magic.len());
        return Err(if first[..n] == magic[..n] {
            TableErrorKind::Truncated {
                expected: PREAMBLE_BYTES as u64,
                found,
            }
        } else {
            TableErrorKind::NotATable
        });
    };
    let fields = Preamble::decode(preamble, format)?;
    if found < fields.file_bytes {
        let expected = fields.file_bytes;
        return Err(TableErrorKind::Truncated { expected, found });
    }
    if found > fields.file_bytes {
        let expected = fields.file_bytes;
        return Err(TableErrorKind::TooLong { expected, found });
    }
    let end = fields.header_offset.checked_add(fields.header_bytes.into());
    if end != Some(found) {
        return Err(corrupt("its offset is wrong"));
    }
    let bytes = source
        .bytes(fields.header_offset, fields.header_bytes as usize, buffer)
        .map_err(unreadable)?;
    if crc32c(bytes) != fields.header_crc {
        return Err(corrupt("its checksum does not match"));
    }
    Ok(FoundHeader {
        version: fields.version,
        bytes,
        offset: fields.header_offset,
        file_bytes: found,
    })
}

/// Encodes the preamble of a file whose header starts at offset `start` and extends to the end of
/// the file.
pub(crate) fn encode_preamble(
    magic: &[u8; 8],
    version: u32,
    header: &[u8],
    start: u64,
) -> [u8; PREAMBLE_BYTES] {
    let mut out = ByteWriter::default();
    out.put(magic);
    out.u32(version);
    out.u32(crc32c(&out.bytes));
    out.u64(start + header.len() as u64);
    out.u64(start);
    out.u32(header.len() as u32);
    out.u32(crc32c(header));
    out.bytes.resize(PREAMBLE_BYTES - 4, 0);
    out.u32(crc32c(&out.bytes));
    let mut preamble = [0; PREAMBLE_BYTES];
    preamble.copy_from_slice(&out.bytes);
    preamble
}

/// The fields of a preamble.
struct Preamble {
    version: u32,
    file_bytes: u64,
    header_offset: u64,
    header_bytes: u32,
    header_crc: u32,
}

impl Preamble {
    fn decode(bytes: &[u8; PREAMBLE_BYTES], format: &Format) -> Result<Preamble, TableErrorKind> {
        let corrupt = |what| TableErrorKind::HeaderCorrupt { what };
        let (magic, supported) = (format.kind.magic(), &format.versions);
        if !bytes.starts_with(magic) {
            return Err(TableErrorKind::NotATable);
        }
        let mut input = ByteReader::new(&bytes[magic.len()..]);
        let mut version = || Ok((input.u32()?, input.u32()?));
        let (found, crc) = version().map_err(corrupt)?;
        if crc != crc32c(&bytes[..12]) {
            return Err(corrupt("the checksum of the version number does not match"));
        }
        if !supported.contains(&found) {
            let supported = *supported.end();
            return Err(TableErrorKind::Version { found, supported });
        }
        let mut rest = || {
            let preamble = Preamble {
                version: found,
                file_bytes: input.u64()?,
                header_offset: input.u64()?,
                header_bytes: input.u32()?,
                header_crc: input.u32()?,
            };
            input.bytes(20)?;
            let crc = input.u32()?;
            if crc != crc32c(&bytes[..PREAMBLE_BYTES - 4]) {
                return Err("the checksum of the first 64 bytes does not match");
            }
            Ok(preamble)
        };
        rest()
            .map_err(corrupt)
            .and_then(|preamble: Preamble| match preamble.header_bytes {
                0..=MAX_HEADER_BYTES => Ok(preamble),
                _ => Err(corrupt("it is too long")),
            })
    }
}

/// A kind of table: its format, and the header fields that follow the common fields. Only this
/// crate implements the trait.
pub trait Kind: Sized + Debug + Send + Sync + 'static {
    /// The kind and the versions of the files.
    #[doc(hidden)]
    const FORMAT: Format;

    /// The rules revision of a material's table: the last revision that changed one of the table's
    /// values.
    #[doc(hidden)]
    fn rules_revision(material: CanonicalMaterial) -> u32;

    /// Parses the header fields of this kind, for a table with these rule sets.
    #[doc(hidden)]
    fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Self>;

    /// The parts in the order of the file.
    #[doc(hidden)]
    fn parts(&self) -> Vec<Part>;

    /// Checks that a header of this format version, for a table of this material with these rule
    /// sets, describes a whole table: one with everything that its material and its rule sets need,
    /// and whose fields agree with one another. [`Kind::decode`] also accepts parts of a table.
    #[doc(hidden)]
    fn check_whole(&self, version: u32, material: CanonicalMaterial, rules: RuleSets)
    -> Parsed<()>;
}

/// The kind of table in a file, and the supported versions of its format.
#[derive(Clone, Debug)]
pub struct Format {
    /// The kind of table.
    pub kind: TableKind,
    /// The supported versions.
    pub versions: RangeInclusive<u32>,
    /// The first version whose header lists the rule sets. Tables of earlier versions have results
    /// for all rule sets.
    pub rule_sets_since: u32,
}

/// The location of a part in its file.
#[derive(Clone, Debug)]
pub struct Part {
    /// The ranges of the part's models, in the order of the file.
    pub models: Vec<Range<u64>>,
    /// The index of the part's blocks. In the file, the blocks are between the models and the
    /// index.
    pub index: BlockIndex,
}

/// Fails unless the parts fill the file from offset `start` to offset `end` without a gap.
/// Checksums cover every byte of a part, and so the whole range.
pub fn check_places(parts: &[Part], mut start: u64, end: u64) -> Parsed<()> {
    let misplaced = "the offset of a part is wrong";
    for part in parts {
        for model in &part.models {
            if model.start != start || model.end < model.start {
                return Err(misplaced);
            }
            start = model.end;
        }
        match part.index.end() {
            Some(end) if start <= part.index.offset => start = end,
            _ => return Err(misplaced),
        }
    }
    match start == end {
        true => Ok(()),
        false => Err(misplaced),
    }
}
