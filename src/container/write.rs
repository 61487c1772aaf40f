//! Writing a table's file, which gets its name only when it is whole.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::bytes::ByteWriter;
use super::error::{IoAction, TableError, TableErrorKind};
use super::kind::Kind;
use super::preamble::{self, PREAMBLE_BYTES};
use crate::atomic_file::{self, AtomicFile};
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// A file being written.
///
/// The bytes go to a temporary file in the same directory. [`FileWriter::finish`] renames it when all is
/// written and synced; if it is not called, the file is removed and an existing table of that name stays as
/// it was.
#[derive(Debug)]
pub(crate) struct FileWriter {
    path: PathBuf,
    material: CanonicalMaterial,
    out: BufWriter<AtomicFile>,
    place: u64,
}

impl FileWriter {
    /// Starts the file of this path, which is to be of this material. Its directory is made if it does not
    /// exist.
    pub fn create(path: &Path, material: CanonicalMaterial) -> Result<FileWriter, TableError> {
        let started = start(path).map_err(|error| TableError::io(path, IoAction::Write, error))?;
        Ok(FileWriter {
            path: path.to_path_buf(),
            material,
            out: BufWriter::with_capacity(1 << 20, started),
            place: PREAMBLE_BYTES as u64,
        })
    }

    /// The material of the table.
    pub fn material(&self) -> CanonicalMaterial {
        self.material
    }

    /// The path that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the next bytes will be.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Appends bytes.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.place += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|error| self.io(error))
    }

    /// What has been written, to be read beside the writing.
    pub fn reopen(&mut self) -> Result<std::fs::File, TableError> {
        let flushed = self.out.flush().and_then(|()| self.out.get_ref().reopen());
        flushed.map_err(|error| self.io(error))
    }

    /// Appends the header of a table with results of these rule sets, of which `header` is what only this
    /// kind has, syncs the file and gives it its name. Returns the number of its bytes.
    pub fn finish<K: Kind>(
        mut self,
        version: u32,
        rules: RuleSets,
        header: ByteWriter,
    ) -> Result<u64, TableError> {
        let start = self.place;
        let revision = K::rules_revision(self.material);
        let said = (version >= K::FORMAT.rule_sets_since).then_some(rules);
        let header = with_common(revision, self.material, said, &header);
        self.put(&header)?;
        let preamble = preamble::encode(&K::FORMAT.magic, version, &header, start);
        let FileWriter {
            path, out, place, ..
        } = self;
        // The preamble comes last: until then the file starts with zeros, which no reader takes.
        let finish = || -> io::Result<()> {
            let mut file = out.into_inner().map_err(|error| error.into_error())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&preamble)?;
            file.commit()
        };
        finish().map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        Ok(place)
    }

    /// The error for a file that cannot be written.
    pub fn io(&self, error: io::Error) -> TableError {
        TableError::io(&self.path, IoAction::Write, error)
    }

    /// The error for something contradictory that was to be written.
    pub fn bad_input(&self, what: String) -> TableError {
        let kind = TableErrorKind::BadInput(what);
        TableError::new(Some(&self.path), Some(self.material), kind)
    }
}

/// A whole header: what all have, the rule sets if this version says them, before what one kind has.
fn with_common(
    revision: u32,
    material: CanonicalMaterial,
    rules: Option<RuleSets>,
    own: &ByteWriter,
) -> Vec<u8> {
    let mut whole = ByteWriter::default();
    whole.u32(revision);
    whole.short_bytes(material.to_string().as_bytes());
    if let Some(rules) = rules {
        whole.put(&[rules.bits()]);
    }
    whole.put(&own.bytes);
    whole.bytes
}

/// The bytes of a file with this header, whose parts, which are zeros, end at this place.
#[cfg(test)]
pub(crate) fn file_bytes_of<K: Kind>(
    version: u32,
    revision: u32,
    material: CanonicalMaterial,
    rules: Option<RuleSets>,
    header: &ByteWriter,
    end: usize,
) -> Vec<u8> {
    let header = with_common(revision, material, rules, header);
    let preamble = preamble::encode(&K::FORMAT.magic, version, &header, end as u64);
    let mut file = preamble.to_vec();
    file.resize(end, 0);
    file.extend(header);
    file
}

/// Starts the file of a table, with its directory and zeros in place of the preamble.
fn start(path: &Path) -> io::Result<AtomicFile> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let mut file = AtomicFile::create(path)?;
    file.write_all(&[0; PREAMBLE_BYTES])?;
    Ok(file)
}

/// Removes what killed runs left of the table that is to have this path. No other writer may be
/// at work on it: hold its lock.
///
/// # Errors
///
/// If the directory cannot be read, or a file in it not removed. A directory that does not exist
/// has nothing to remove.
pub fn remove_leftovers(path: &Path) -> Result<(), TableError> {
    atomic_file::remove_leftovers(path)
        .map_err(|error| TableError::io(path, IoAction::Write, error))
}
