//! The preamble: the first 64 bytes of a file, with the format version and the offset of the
//! header.
//!
//! The preamble is written last. If writing is interrupted, the file begins with zeros, and every
//! reader rejects it.

use crc32c::crc32c;

use super::bytes::ByteReader;
use super::error::{IoAction, TableErrorKind};
use super::kind::Format;
use super::source::Source;

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
pub(crate) fn read_header<'a>(
    source: &'a impl Source,
    format: &Format,
    buffer: &'a mut Vec<u8>,
) -> Result<FoundHeader<'a>, TableErrorKind> {
    let magic = &format.magic;
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
pub(crate) fn encode(
    magic: &[u8; 8],
    version: u32,
    header: &[u8],
    start: u64,
) -> [u8; PREAMBLE_BYTES] {
    let mut out = super::bytes::ByteWriter::default();
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
        let (magic, supported) = (&format.magic, &format.versions);
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
