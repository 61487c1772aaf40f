//! A table that is read from any source of bytes: a file, a memory map, a vector, or a slice. Its
//! models are read at their first use.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crc32c::crc32c;

use super::bytes::{ByteReader, Parsed};
use super::error::{IoAction, TableError, TableErrorKind};
use super::format::{self, FoundHeader, Kind, PREAMBLE_BYTES, check_places};
use super::source::{Access, FileBytes, Source, open_bytes};
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;
use crate::table_kind::TableKind;

/// The header fields that come first in every kind of table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonHeader {
    /// The format version.
    pub version: u32,
    /// The ending of the table.
    pub material: CanonicalMaterial,
    /// The rule sets for which the table has results.
    pub rules: RuleSets,
}

/// The table of one ending, read from the bytes of its file. It is a
/// [distance table](crate::table::Table) or a [verdict table](crate::verdict::Verdicts).
///
/// Opening a table reads and checks only the preamble and the header. A block's checksum is checked
/// at every read, which costs little compared with decoding.
#[derive(Debug)]
pub struct Container<K, B> {
    source: B,
    file_bytes: u64,
    path: Option<PathBuf>,
    header: CommonHeader,
    /// The header fields of this kind of table.
    pub(crate) kind: K,
}

impl<K: Kind, B: Source> Container<K, B> {
    /// Opens the table in `bytes`, which must be a whole file.
    ///
    /// # Errors
    ///
    /// If the bytes are not a table of this kind, have an unsupported format version or another
    /// rules revision, have the wrong length, or contain a corrupt header.
    pub fn new(bytes: B) -> Result<Container<K, B>, TableError> {
        Container::with_path(bytes, None)
    }

    /// Like [`Container::new`], but errors name the file at `path`.
    pub(crate) fn with_path(
        source: B,
        path: Option<PathBuf>,
    ) -> Result<Container<K, B>, TableError> {
        let read = read_header(&source);
        let (file_bytes, header, kind) =
            read.map_err(|kind| TableError::new(path.as_deref(), None, kind))?;
        Ok(Container::of_header(source, file_bytes, path, header, kind))
    }

    /// Makes a table from a header that is already parsed.
    pub(crate) fn of_header(
        source: B,
        file_bytes: u64,
        path: Option<PathBuf>,
        header: CommonHeader,
        kind: K,
    ) -> Container<K, B> {
        Container {
            source,
            file_bytes,
            path,
            header,
            kind,
        }
    }

    /// The ending of the table.
    pub fn material(&self) -> CanonicalMaterial {
        self.header.material
    }

    /// The rule sets for which the table has results.
    pub fn rule_sets(&self) -> RuleSets {
        self.header.rules
    }

    /// The rules revision under which the table was computed.
    pub fn rules_revision(&self) -> u32 {
        K::rules_revision(self.material())
    }

    /// The path of the file, if the table was opened by path.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The length of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Makes a [`TableErrorKind::HeaderCorrupt`] error with this description. Callers use it if the
    /// header is well-formed, but its values do not fit the material or the cells.
    pub fn damaged(&self, what: &'static str) -> TableError {
        self.error(TableErrorKind::HeaderCorrupt { what })
    }

    /// Fails unless the header describes a whole table of its ending. [`Container::new`] does not
    /// call this function, so that programs can also read the parts of an incomplete table.
    pub(crate) fn check_whole(&self) -> Result<(), TableError> {
        let CommonHeader {
            version,
            material,
            rules,
        } = self.header;
        let whole = self.kind.check_whole(version, material, rules);
        whole.map_err(|what| self.damaged(what))
    }

    pub(crate) fn error(&self, kind: TableErrorKind) -> TableError {
        TableError::new(self.path(), Some(self.material()), kind)
    }

    /// Reads a range of the file, into `buffer` if necessary. `None` if the range extends beyond
    /// the original end of the file, which means that the index is corrupt.
    pub(crate) fn bytes<'a>(
        &'a self,
        start: u64,
        length: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, TableError> {
        self.read(start, length, |length| {
            self.source.bytes(start, length, buffer)
        })
    }

    /// Like [`Container::bytes`], directly after a call of it: see [`Source::more_bytes`].
    pub(crate) fn more_bytes<'a>(
        &'a self,
        start: u64,
        length: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, TableError> {
        self.read(start, length, |length| {
            self.source.more_bytes(start, length, buffer)
        })
    }

    /// Reads a range by `read`, which gets its length.
    fn read<'a>(
        &self,
        start: u64,
        length: u64,
        read: impl FnOnce(usize) -> io::Result<&'a [u8]>,
    ) -> Result<Option<&'a [u8]>, TableError> {
        let Some(length) = self.within(start, length) else {
            return Ok(None);
        };
        let read = read(length);
        read.map(Some).map_err(|error| self.unreadable(error))
    }

    /// The length, if the range lies within the original file.
    fn within(&self, start: u64, length: u64) -> Option<usize> {
        let end = start.checked_add(length)?;
        (end <= self.file_bytes).then(|| usize::try_from(length).ok())?
    }

    /// Makes the error for a failed read of bytes that the file had when it was opened.
    fn unreadable(&self, source: io::Error) -> TableError {
        let expected = self.file_bytes;
        self.error(match self.source.length() {
            Ok(found) if found < expected => TableErrorKind::Truncated { expected, found },
            _ => TableErrorKind::Io {
                action: IoAction::Read,
                source,
            },
        })
    }
}

impl<K: Kind> Container<K, FileBytes> {
    /// Opens the table in the file at `path`, whatever its material.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or for any reason given at [`Container::new`].
    pub fn open(path: &Path, access: Access) -> Result<Container<K, FileBytes>, TableError> {
        let bytes = open_bytes(path, access);
        let bytes = bytes.map_err(|source| TableError::io(path, IoAction::Read, source))?;
        Container::with_path(bytes, Some(path.to_path_buf()))
    }

    /// Opens the table in the file at `path`, which must be the whole table of `expected`: the
    /// header must describe everything that the ending and the table's rule sets need.
    ///
    /// # Errors
    ///
    /// If the table has another material or lacks something, or for any reason given at
    /// [`Container::open`].
    pub fn open_as(
        path: &Path,
        expected: CanonicalMaterial,
        access: Access,
    ) -> Result<Container<K, FileBytes>, TableError> {
        let table = Container::open(path, access)?;
        let found = table.material();
        if found == expected {
            table.check_whole()?;
            return Ok(table);
        }
        let kind = TableErrorKind::WrongMaterial { expected, found };
        Err(TableError::new(Some(path), Some(found), kind))
    }
}

/// The kind of table that these bytes are, by their magic number. None if they are not a table.
pub(crate) fn kind_of(source: &impl Source) -> Option<TableKind> {
    let mut buffer = Vec::new();
    let mut all = TableKind::ALL.into_iter();
    all.find(|kind| {
        let magic = kind.magic();
        let first = source.bytes(0, magic.len(), &mut buffer);
        first.is_ok_and(|first| first == magic)
    })
}

/// Reads the preamble and the header of a whole file, and checks them, including their offsets.
/// Returns the length of the file, the common header fields, and the fields of this kind.
pub(crate) fn read_header<K: Kind>(
    source: &impl Source,
) -> Result<(u64, CommonHeader, K), TableErrorKind> {
    let corrupt = |what| TableErrorKind::HeaderCorrupt { what };
    let mut buffer = Vec::new();
    let FoundHeader {
        version,
        bytes,
        offset,
        file_bytes,
    } = format::find_header(source, &K::FORMAT, &mut buffer)?;
    let mut input = ByteReader::new(bytes);
    let has_rules = version >= K::FORMAT.rule_sets_since;
    let (found, header) = common(&mut input, version, has_rules).map_err(corrupt)?;
    let CommonHeader {
        material, rules, ..
    } = header;
    let kind = K::decode(&mut input, material, rules).map_err(corrupt)?;
    input.end().map_err(corrupt)?;
    let supported = K::rules_revision(material);
    if found != supported {
        return Err(TableErrorKind::RulesRevision { found, supported });
    }
    check_places(&kind.parts(), PREAMBLE_BYTES as u64, offset).map_err(corrupt)?;
    Ok((file_bytes, header, kind))
}

/// Parses the common header fields: the rules revision, the material and, if `has_rules` is true,
/// the rule sets.
fn common(
    input: &mut ByteReader<'_>,
    version: u32,
    has_rules: bool,
) -> Parsed<(u32, CommonHeader)> {
    let revision = input.u32()?;
    let name = input.short_bytes()?;
    let material = std::str::from_utf8(name)
        .ok()
        .and_then(|name| name.parse::<CanonicalMaterial>().ok())
        .filter(|material| material.to_string().as_bytes() == name)
        .ok_or("its material is unknown")?;
    let rules = match has_rules {
        true => RuleSets::from_bits(input.u8()?).ok_or("its rule sets are unknown")?,
        false => RuleSets::ALL,
    };
    // Only bia of ASEAN chess have tables without makruk.
    match rules == rules.for_men(material.material()) {
        true => {
            let header = CommonHeader {
                version,
                material,
                rules,
            };
            Ok((revision, header))
        }
        false => Err("its rule sets do not fit its material"),
    }
}

/// A model that is read once, at its first use. The inner option is `None` if the model is corrupt.
#[derive(Debug)]
pub(crate) struct LazyModel<M>(OnceLock<Option<M>>);

impl<M> Default for LazyModel<M> {
    fn default() -> LazyModel<M> {
        LazyModel(OnceLock::new())
    }
}

impl<M> LazyModel<M> {
    /// Returns the model stored in the range `place` of the file. The first call reads the model
    /// and parses it with `parse`. `crc` is the expected checksum, and `section` is the section's
    /// index in error messages. A read error is not cached: the next call tries again.
    pub fn get<K: Kind, B: Source>(
        &self,
        file: &Container<K, B>,
        place: Range<u64>,
        crc: u32,
        section: usize,
        parse: impl FnOnce(&[u8]) -> Option<M>,
    ) -> Result<&M, TableError> {
        let model = match self.0.get() {
            Some(model) => model,
            None => {
                let mut buffer = Vec::new();
                let length = place.end - place.start;
                let bytes = file.bytes(place.start, length, &mut buffer)?;
                let whole = bytes.filter(|bytes| crc32c(bytes) == crc);
                let model = whole.and_then(parse);
                self.0.get_or_init(|| model)
            }
        };
        let corrupt = || file.error(TableErrorKind::ModelCorrupt { section });
        model.as_ref().ok_or_else(corrupt)
    }
}
