//! Writes a table's file under a temporary name, and renames it when it is complete.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::bytes::ByteWriter;
use super::error::{IoAction, TableError, TableErrorKind};
use super::format::{self, Kind, PREAMBLE_BYTES};
use crate::atomic_file::{self, AtomicFile};
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// A table's file that is being written.
///
/// The bytes go to a temporary file in the same directory. [`FileWriter::finish`] syncs this file
/// and renames it to the table's name. If the writer is dropped earlier, the temporary file is
/// removed and an existing table stays untouched.
#[derive(Debug)]
pub(crate) struct FileWriter {
    path: PathBuf,
    material: CanonicalMaterial,
    out: BufWriter<AtomicFile>,
    offset: u64,
}

impl FileWriter {
    /// Starts the table's file at `path`, and creates its directory if that does not exist.
    pub fn create(path: &Path, material: CanonicalMaterial) -> Result<FileWriter, TableError> {
        let started = start(path).map_err(|error| TableError::io(path, IoAction::Write, error))?;
        Ok(FileWriter {
            path: path.to_path_buf(),
            material,
            out: BufWriter::with_capacity(1 << 20, started),
            offset: PREAMBLE_BYTES as u64,
        })
    }

    /// The ending of the table.
    pub fn material(&self) -> CanonicalMaterial {
        self.material
    }

    /// The path of the complete file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset at which the next byte will be written.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Appends bytes to the file.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|error| self.io(error))
    }

    /// Opens the bytes written so far for reading.
    pub fn reopen(&mut self) -> Result<std::fs::File, TableError> {
        let flushed = self.out.flush().and_then(|()| self.out.get_ref().reopen());
        flushed.map_err(|error| self.io(error))
    }

    /// Appends the header, syncs the file and renames it to its path. `version` is the format
    /// version; `header` contains this kind's own fields, which follow the common fields. Returns
    /// the length of the file in bytes.
    pub fn finish<K: Kind>(
        mut self,
        version: u32,
        rules: RuleSets,
        header: ByteWriter,
    ) -> Result<u64, TableError> {
        let start = self.offset;
        let revision = K::rules_revision(self.material);
        let listed = (version >= K::FORMAT.rule_sets_since).then_some(rules);
        let header = with_common(revision, self.material, listed, &header);
        self.put(&header)?;
        let preamble = format::encode_preamble(K::FORMAT.kind.magic(), version, &header, start);
        let FileWriter {
            path, out, offset, ..
        } = self;
        // The preamble is written last: until then the file starts with zeros, which every reader
        // rejects.
        let finish = || -> io::Result<()> {
            let mut file = out.into_inner().map_err(|error| error.into_error())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&preamble)?;
            file.commit()
        };
        finish().map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        Ok(offset)
    }

    /// Makes the error for a failed write to this file.
    pub fn io(&self, error: io::Error) -> TableError {
        TableError::io(&self.path, IoAction::Write, error)
    }

    /// Makes the error for inconsistent input, with this description.
    pub fn bad_input(&self, what: String) -> TableError {
        let kind = TableErrorKind::BadInput(what);
        TableError::new(Some(&self.path), Some(self.material), kind)
    }
}

/// Encodes a whole header: the common fields, with the rule sets unless they are `None`, then the
/// kind's own fields.
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

/// Makes the bytes of a file with this header. All bytes between the preamble and the header, which
/// starts at offset `end`, are zeros.
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
    let preamble = format::encode_preamble(K::FORMAT.kind.magic(), version, &header, end as u64);
    let mut file = preamble.to_vec();
    file.resize(end, 0);
    file.extend(header);
    file
}

/// Creates the table's directory, and starts the file with zeros in place of the preamble.
fn start(path: &Path) -> io::Result<AtomicFile> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let mut file = AtomicFile::create(path)?;
    file.write_all(&[0; PREAMBLE_BYTES])?;
    Ok(file)
}

/// Removes the temporary files of killed runs beside the table at `path`. The caller must hold the
/// table's lock, so that no other writer is running.
///
/// # Errors
///
/// If the directory cannot be read, or a file cannot be removed. A missing directory is not an
/// error.
pub fn remove_leftovers(path: &Path) -> Result<(), TableError> {
    atomic_file::remove_leftovers(path)
        .map_err(|error| TableError::io(path, IoAction::Write, error))
}
