//! The files of a work directory: their names, their keys, and their contents, which are blobs with
//! checksums.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32c::crc32c;
use serde::{Deserialize, Serialize};
use zstd::bulk::{Compressor, Decompressor};

use crate::material::CanonicalMaterial;
use crate::solve::LaneLayout;
use crate::table::{IoAction, RULES_REVISION, TableError, TableErrorKind, rules_revision};

/// The format version of files in a work directory.
const VERSION: u32 = 2;

/// The magic bytes at the end of a complete file.
const MAGIC: [u8; 8] = *b"\x89SKMSTEP";

/// The maximum length of a footer, in bytes.
const MAX_FOOTER: u64 = 1 << 16;

/// The suffix of files that are still being written.
pub const PART_SUFFIX: &str = ".part";

/// The zstd level of blobs. It is low, since each blob is read only a few times.
const LEVEL: i32 = 1;

/// The path of an ending's work directory, beside its table.
pub fn work_directory(directory: &Path, material: CanonicalMaterial) -> PathBuf {
    directory.join(format!("{material}.work"))
}

/// The size of this program's files in a work directory, in bytes; 0 if the directory is missing.
pub fn work_bytes(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else {
        return 0;
    };
    let ours = entries
        .flatten()
        .filter(|e| e.file_name().to_str().is_some_and(is_ours));
    ours.flat_map(|entry| entry.metadata())
        .map(|file| file.len())
        .sum()
}

/// Removes this program's files from a work directory, and then the directory if it is empty.
///
/// # Errors
///
/// If a file cannot be removed. A missing directory is not an error.
pub fn remove_work(directory: &Path) -> Result<(), TableError> {
    remove_files(directory, &|_| true)?;
    match fs::remove_dir(directory) {
        // A file of another program is left in the directory.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(|error| TableError::io(directory, IoAction::Write, error)),
    }
}

/// Removes, from a directory, this program's files whose names `unwanted` accepts.
///
/// # Errors
///
/// If a file cannot be removed. A missing directory is not an error.
pub fn remove_files(directory: &Path, unwanted: &dyn Fn(&str) -> bool) -> Result<(), TableError> {
    let remove = || -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            if let Some(name) = name.to_str()
                && is_ours(name)
                && unwanted(name)
            {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    };
    match remove() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::io(directory, IoAction::Write, error))
        }
        _ => Ok(()),
    }
}

/// The file name of a solve's step, for example `slice-2.step-017`.
pub fn step_name(solve: &str, step: u16) -> String {
    format!("{solve}.step-{step:03}")
}

/// The name of the file whose presence marks a slice as solved.
pub fn done_name(solve: &str) -> String {
    format!("{solve}.done")
}

/// The file name of a solve's distances, for example `mate-white-0.distances`.
pub fn distances_name(solve: &str) -> String {
    format!("{solve}.distances")
}

/// True if this is the name of a file that this program makes in a work directory.
fn is_ours(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let name = name.strip_suffix(PART_SUFFIX).unwrap_or(name);
    let Some((solve, what)) = name.split_once('.') else {
        return false;
    };
    let is_solve = match solve.split('-').collect::<Vec<_>>()[..] {
        ["slice", slice] => digits(slice),
        [_, "white" | "black", slice] => digits(slice),
        _ => false,
    };
    let is_file =
        matches!(what, "done" | "distances") || what.strip_prefix("step-").is_some_and(digits);
    is_solve && is_file
}

/// Identifies the contents of a file in a work directory. The key includes the version, the ending,
/// the solve and the order of the lanes. A file with another key is not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    version: u32,
    rules_revision: u32,
    material: String,
    /// The name of the solve, which is the prefix of its files' names.
    pub solve: String,
    /// A hash of everything that determines the order of the lanes.
    #[serde(rename = "frame")]
    lane_layout: String,
}

impl Key {
    /// Makes the key of a solve's files.
    pub fn new(material: CanonicalMaterial, solve: &str, lane_layout: &LaneLayout) -> Key {
        let order = format!(
            "{:?} {:?} {:?}",
            lane_layout.winner(),
            lane_layout.domain(),
            lane_layout.groups()
        );
        Key {
            version: VERSION,
            rules_revision: rules_revision(material),
            material: material.to_string(),
            solve: solve.to_string(),
            lane_layout: blake3::hash(order.as_bytes()).to_hex().to_string(),
        }
    }
}

/// The fields that the footers of all versions have in common.
#[derive(Deserialize)]
struct AnyFooter {
    key: Versions,
}

#[derive(Deserialize)]
struct Versions {
    version: u32,
    rules_revision: u32,
}

/// Rejects a work directory with files of a later version of this program. This version can neither
/// use nor interpret them.
///
/// # Errors
///
/// If the directory contains files of a later version, or a file cannot be read.
pub fn refuse_later_versions(directory: &Path) -> Result<(), TableError> {
    let cannot = |path: &Path, error| TableError::io(path, IoAction::Read, error);
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| cannot(directory, error))?,
    };
    for entry in entries {
        let entry = entry.map_err(|error| cannot(directory, error))?;
        let (name, path) = (entry.file_name(), entry.path());
        let whole = |name: &str| is_ours(name) && !name.ends_with(PART_SUFFIX);
        if !name.to_str().is_some_and(whole) {
            continue;
        }
        let footer = File::open(&path).and_then(|mut file| read_footer::<AnyFooter>(&mut file));
        let footer = none_if_missing(footer).map_err(|error| cannot(&path, error))?;
        let later = |made: Versions| made.version > VERSION || made.rules_revision > RULES_REVISION;
        if footer.is_some_and(|(footer, _)| later(footer.key)) {
            let kind = TableErrorKind::LaterCheckpoint;
            return Err(TableError::new(Some(&path), None, kind));
        }
    }
    Ok(())
}

/// The location and the checksum of a blob.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    offset: u64,
    bytes: u32,
    crc: u32,
}

/// The size of an entry in a file, in bytes.
const ENTRY_BYTES: usize = 16;

/// The footer of a file of blobs.
#[derive(Debug, Serialize, Deserialize)]
struct Footer<T> {
    key: Key,
    /// The caller's data, such as position counts.
    found: T,
    /// The index: its offset, number of entries, and checksum.
    index: (u64, usize, u32),
}

/// Writes a file of numbered blobs.
#[derive(Debug)]
pub struct BlobWriter {
    path: PathBuf,
    out: BufWriter<File>,
    /// The offset of the next blob.
    offset: u64,
    index: Vec<Entry>,
    error: Option<io::Error>,
}

impl BlobWriter {
    /// Starts a file for this number of blobs, all of them empty. `path` is the file's final path.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub fn create(path: PathBuf, blobs: usize) -> io::Result<BlobWriter> {
        let file = File::create(part_of(&path))?;
        Ok(BlobWriter {
            path,
            out: BufWriter::with_capacity(1 << 20, file),
            offset: 0,
            index: vec![Entry::default(); blobs],
            error: None,
        })
    }

    /// The path that the finished file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one blob, given as the result of [`compress`]. If compressing or writing fails,
    /// [`BlobWriter::end`] returns the error.
    pub fn put(&mut self, blob: usize, compressed: io::Result<Vec<u8>>) {
        if self.error.is_some() {
            return;
        }
        let written = compressed.and_then(|bytes| {
            self.out.write_all(&bytes)?;
            self.index[blob] = Entry {
                offset: self.offset,
                bytes: bytes.len() as u32,
                crc: crc32c(&bytes),
            };
            self.offset += bytes.len() as u64;
            Ok(())
        });
        self.error = written.err();
    }

    /// Writes the index and the footer. `found` is stored in the footer. The caller must then call
    /// [`Ended::name`].
    ///
    /// # Errors
    ///
    /// If anything could not be written. The file is then removed.
    pub fn end(mut self, key: &Key, found: impl Serialize) -> io::Result<Ended> {
        let end = || -> io::Result<()> {
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            let mut bytes = Vec::with_capacity(self.index.len() * ENTRY_BYTES);
            for entry in &self.index {
                bytes.extend(entry.offset.to_le_bytes());
                bytes.extend(entry.bytes.to_le_bytes());
                bytes.extend(entry.crc.to_le_bytes());
            }
            self.out.write_all(&bytes)?;
            let footer = Footer {
                key: key.clone(),
                found,
                index: (self.offset, self.index.len(), crc32c(&bytes)),
            };
            write_footer(&mut self.out, &footer)?;
            self.out.flush()
        };
        end().inspect_err(|_| {
            let _ = fs::remove_file(part_of(&self.path));
        })?;
        Ok(Ended {
            path: self.path,
            out: self.out,
        })
    }
}

/// A file of blobs that is completely written, but not yet synced and renamed.
pub struct Ended {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Ended {
    /// Syncs the file and renames it to its final path.
    ///
    /// # Errors
    ///
    /// If the system cannot sync or rename the file.
    pub fn name(self) -> io::Result<()> {
        self.out.get_ref().sync_data()?;
        fs::rename(part_of(&self.path), &self.path)
    }
}

/// A complete file of blobs.
#[derive(Debug)]
pub struct BlobFile {
    path: PathBuf,
    file: File,
    index: Vec<Entry>,
}

impl BlobFile {
    /// Opens a file and returns it with the caller's data from its footer. None if the file is
    /// missing or incomplete, or has a different key or number of blobs.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open<T: for<'a> Deserialize<'a>>(
        path: &Path,
        key: &Key,
        blobs: usize,
    ) -> Result<Option<(BlobFile, T)>, TableError> {
        let read = || -> io::Result<Option<(BlobFile, T)>> {
            let mut file = File::open(path)?;
            let Some((footer, footer_at)) = read_footer::<Footer<T>>(&mut file)? else {
                return Ok(None);
            };
            let (offset, entries, crc) = footer.index;
            let length = entries.checked_mul(ENTRY_BYTES).map(|n| n as u64);
            let fits = footer.key == *key
                && entries == blobs
                && length.and_then(|n| offset.checked_add(n)) == Some(footer_at);
            if !fits {
                return Ok(None);
            }
            let mut bytes = vec![0; entries * ENTRY_BYTES];
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut bytes)?;
            if crc32c(&bytes) != crc {
                return Ok(None);
            }
            let index = bytes.chunks_exact(ENTRY_BYTES).map(|entry| {
                let number = |from: usize, to: usize| {
                    let bytes = entry[from..to].iter().rev();
                    bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
                };
                Entry {
                    offset: number(0, 8),
                    bytes: number(8, 12) as u32,
                    crc: number(12, 16) as u32,
                }
            });
            let blobs = BlobFile {
                index: index.collect(),
                path: path.to_path_buf(),
                file,
            };
            Ok(Some((blobs, footer.found)))
        };
        none_if_missing(read()).map_err(|error| TableError::io(path, IoAction::Read, error))
    }

    /// Reads one blob into `bytes`. A blob that was never written is empty.
    ///
    /// # Errors
    ///
    /// If the blob cannot be read or is corrupt: see [`BlobFile::damaged`].
    pub fn read(&self, blob: usize, bytes: &mut Vec<u8>) -> Result<(), TableError> {
        let mut read = || -> io::Result<bool> {
            bytes.clear();
            let entry = self.index[blob];
            if entry.bytes == 0 {
                return Ok(true);
            }
            let mut packed = vec![0; entry.bytes as usize];
            read_at(&self.file, &mut packed, entry.offset)?;
            Ok(crc32c(&packed) == entry.crc && decompress(&packed, bytes))
        };
        match read() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.damaged()),
            Err(error) => Err(TableError::io(&self.path, IoAction::Read, error)),
        }
    }

    /// Removes a corrupt file, so that the next run makes it again. Returns the error to report.
    pub fn damaged(&self) -> TableError {
        let _ = fs::remove_file(&self.path);
        let damaged = io::Error::new(
            io::ErrorKind::InvalidData,
            "it was corrupt and has been removed; run the same command again to recompute it",
        );
        TableError::io(&self.path, IoAction::Read, damaged)
    }

    /// True if the blob was written.
    pub fn has(&self, blob: usize) -> bool {
        self.index[blob].bytes > 0
    }
}

/// The temporary path of a file that is being written.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PART_SUFFIX);
    PathBuf::from(name)
}

/// True if the directory contains a file of this program whose name `wanted` accepts.
pub fn has_file(directory: &Path, wanted: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if name
            .to_str()
            .is_some_and(|name| is_ours(name) && wanted(name))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `None` instead of the error of a missing or truncated file.
pub fn none_if_missing<T>(result: io::Result<Option<T>>) -> io::Result<Option<T>> {
    match result {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
            ) =>
        {
            Ok(None)
        }
        result => result,
    }
}

/// Writes a footer: its JSON text, its length and checksum, and the magic bytes.
pub fn write_footer(out: &mut impl Write, footer: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(footer)?;
    out.write_all(&text)?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&crc32c(&text).to_le_bytes())?;
    out.write_all(&MAGIC)
}

/// Reads the footer at the end of a file. Returns the footer and its offset, or `None` if the file
/// has no valid footer.
pub fn read_footer<T: for<'a> Deserialize<'a>>(file: &mut File) -> io::Result<Option<(T, u64)>> {
    let length = file.metadata()?.len();
    let mut end = [0; 16];
    let Some(end_at) = length.checked_sub(16) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(end_at))?;
    file.read_exact(&mut end)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    let (size, crc) = (number(&end[..4]), number(&end[4..8]));
    if end[8..] != MAGIC || size > MAX_FOOTER.min(end_at) {
        return Ok(None);
    }
    let start = end_at - size;
    let mut text = vec![0; size as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut text)?;
    if u64::from(crc32c(&text)) != crc {
        return Ok(None);
    }
    Ok(serde_json::from_slice(&text)
        .ok()
        .map(|footer| (footer, start)))
}

/// Compresses bytes. The result begins with their uncompressed length.
pub fn compress(packed: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(Compressor::new(LEVEL)?),
        };
        let mut bytes = (packed.len() as u32).to_le_bytes().to_vec();
        bytes.reserve(zstd::zstd_safe::compress_bound(packed.len()));
        bytes.extend(compressor.compress(packed)?);
        Ok(bytes)
    })
}

/// Reverses [`compress`]. Returns false if the bytes are not output of `compress`.
pub fn decompress(bytes: &[u8], packed: &mut Vec<u8>) -> bool {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let Some((length, bytes)) = bytes.split_first_chunk() else {
        return false;
    };
    let length = u32::from_le_bytes(*length) as usize;
    DECOMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Decompressor::new().ok();
        }
        packed.resize(length, 0);
        slot.as_mut().is_some_and(|decompressor| {
            matches!(decompressor.decompress_to_buffer(bytes, packed.as_mut_slice()), Ok(n) if n == length)
        })
    })
}

/// Reads bytes at an offset. Other threads may read the same file concurrently.
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
    }
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < bytes.len() {
            let at = offset + done as u64;
            match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(())
    }
}

/// Creates an unnamed file of zeros, which the system deletes when its last handle is closed. On
/// Linux, the disk space is allocated at once, so later writes through a memory map cannot fail for
/// lack of space.
///
/// # Errors
///
/// If the file cannot be created, or the disk does not have enough space.
pub fn nameless_file(directory: &Path, bytes: u64) -> io::Result<File> {
    let file = tempfile::tempfile_in(directory)?;
    #[cfg(target_os = "linux")]
    rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, bytes)?;
    file.set_len(bytes)?;
    Ok(file)
}
