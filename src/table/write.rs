//! Writing a table: beside its name, compressed by all threads, and put in place only when whole.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crc32c::crc32c;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::block::{Encoded, Encoder, Entry};
use super::code::CellSource;
use super::error::{IoAction, TableError, TableErrorKind};
use super::header::{
    Header, MAX_BLOCK_CELLS, PREAMBLE_BYTES, RULES_REVISION, SectionHeader, SectionInfo,
};
use super::pool::Pool;
use crate::material::CanonicalMaterial;

/// The ending of the names of files being written.
const PART_SUFFIX: &str = ".part";

/// The bytes of decoded blocks that one batch holds, whatever their size.
const BATCH_BYTES: usize = 16 << 20;

/// Blocks of which a dictionary is trained. There must be several times as many in a section for
/// a dictionary to earn its own bytes.
const SAMPLE_BLOCKS: u64 = 256;

/// How a section is compressed. It is part of what makes two files of the same table equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// The level of zstd.
    pub level: i32,
    /// The cells of a block.
    pub block_cells: u32,
    /// The most bytes of a section's dictionary; 0 for none.
    pub dictionary_bytes: u32,
}

impl Default for WriteOptions {
    /// Measured once, on a sample of one cell in 63 of K+N+S+M v K, White to move, bare king
    /// outermost, in bits a legal position and MB of cells a second of one core's time, for
    /// blocks of 32 Ki cells without a dictionary:
    ///
    /// | level | 9 | 12 | 14 | 15 | 16 | 19 |
    /// |---|---|---|---|---|---|---|
    /// | bits | 2.39 | 2.37 | 2.23 | 2.21 | 2.19 | 2.18 |
    /// | MB/s | 56 | 20 | 12 | 11 | 7 | 4 |
    ///
    /// At level 16, blocks of 64 Ki cells were 4.5 % smaller, but a look-up has twice as much to
    /// decompress. A dictionary of 16 KiB gained less than 1 %, one of 64 KiB mostly lost.
    fn default() -> WriteOptions {
        WriteOptions {
            level: 9,
            block_cells: 1 << 15,
            dictionary_bytes: 0,
        }
    }
}

/// Writes one table.
///
/// The bytes go to a file beside the table's name. [`TableWriter::finish`] gives it the name when
/// all is written and synced; if it is not called, the file is removed and a table already under
/// that name stays as it was.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    options: WriteOptions,
    out: BufWriter<NamedTempFile>,
    place: u64,
    header: Header,
}

impl TableWriter {
    /// Starts the table that is to have this path. Its directory is made if it is not there.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written, which is better known before the table is computed: so
    /// start the writer first.
    pub fn create(
        path: &Path,
        material: CanonicalMaterial,
        options: WriteOptions,
    ) -> Result<TableWriter, TableError> {
        let started = start(path).map_err(|error| TableError::io(path, IoAction::Write, error))?;
        let writer = TableWriter {
            path: path.to_path_buf(),
            options,
            out: BufWriter::with_capacity(1 << 20, started),
            place: PREAMBLE_BYTES as u64,
            header: Header {
                rules_revision: RULES_REVISION,
                material,
                sections: Vec::new(),
            },
        };
        match writer.options.block_cells {
            1..=MAX_BLOCK_CELLS => Ok(writer),
            n => Err(writer.bad_input(format!("blocks of {n} cells"))),
        }
    }

    /// Compresses the cells of a section and adds it to the file.
    ///
    /// The bytes are the same for any number of threads. `progress` is told the number of cells
    /// done, from any thread, and not always in rising order.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or a cell has a code that `info` does not list.
    pub fn add_section(
        &mut self,
        info: SectionInfo,
        source: &dyn CellSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        if let Some(fault) = info.fault() {
            return Err(self.bad_input(fault.to_string()));
        }
        if self.header.sections.len() >= u8::MAX.into() {
            return Err(self.bad_input("more than 255 sections".to_string()));
        }
        let mut section = SectionHeader {
            info,
            cells: source.cells(),
            block_cells: self.options.block_cells,
            start: self.place,
            dictionary_bytes: 0,
            dictionary_crc: 0,
            index: 0,
        };
        let dictionary = self.dictionary(&section, source)?;
        section.dictionary_bytes = dictionary.len() as u32;
        section.dictionary_crc = crc32c(&dictionary);
        self.put(&dictionary)?;
        let index = self.blocks(&section, source, &dictionary, progress)?;
        section.index = self.place;
        self.put(&index)?;
        self.header.sections.push(section);
        Ok(())
    }

    /// Writes the header, makes sure that all is on the disk and gives the file its name.
    ///
    /// Returns the number of bytes of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. Then a table already under that name stays as it was.
    pub fn finish(mut self) -> Result<u64, TableError> {
        let (header, preamble) = self.header.encode(self.place);
        self.put(&header)?;
        let TableWriter {
            path, out, place, ..
        } = self;
        // The preamble comes last: until then the file starts with zeros, which no reader takes.
        let finish = || -> io::Result<()> {
            let mut file = out.into_inner().map_err(|error| error.into_error())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&preamble)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        finish().map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        sync_directory(&path);
        Ok(place)
    }

    /// Writes the blocks batch by batch and returns the index.
    fn blocks(
        &mut self,
        section: &SectionHeader,
        source: &dyn CellSource,
        dictionary: &[u8],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<u8>, TableError> {
        let number = self.header.sections.len();
        let (codes, level) = (section.info.codes.len(), self.options.level);
        let encoders = Pool::new(|| Encoder::new(codes, level, dictionary));
        let done = AtomicU64::new(0);
        let batch = (BATCH_BYTES / section.block_cells as usize).clamp(16, 4096);
        let mut slots = Vec::new();
        slots.resize_with(batch, Vec::new);
        let mut index = Vec::new();
        let blocks = section.blocks();
        for first in (0..blocks).step_by(batch) {
            let slots = &mut slots[..batch.min((blocks - first) as usize)];
            let size = u64::from(section.block_cells);
            let end = (first + slots.len() as u64) * size;
            source.prepare(first * size..end.min(section.cells))?;
            let encoded: Vec<io::Result<Encoded>> = slots
                .par_iter_mut()
                .enumerate()
                .with_max_len(1)
                .map(|(i, out)| {
                    let block = first + i as u64;
                    let cells = section.cells_of(block);
                    let start = block * u64::from(section.block_cells);
                    let encoded = encoders.with(|encoder| match encoder {
                        Ok(encoder) => encoder.encode(source, start, cells, out),
                        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                    });
                    let before = done.fetch_add(cells as u64, Ordering::Relaxed);
                    progress(before + cells as u64);
                    encoded
                })
                .collect();
            for ((block, bytes), encoded) in (first..).zip(&*slots).zip(encoded) {
                let place = match encoded.map_err(|error| self.io(error))? {
                    Encoded::Same(code) => code.into(),
                    Encoded::Bytes => self.place,
                    Encoded::BadCode(cell, code) => {
                        return Err(self.bad_input(format!(
                            "cell {cell} has code {code} of {codes} in section {number}"
                        )));
                    }
                };
                let entry = Entry::new(number, block, place, bytes);
                index.extend_from_slice(&entry.to_bytes());
                self.put(bytes)?;
            }
        }
        Ok(index)
    }

    /// Trains a dictionary of blocks spread evenly over the section. Empty where it would not pay.
    fn dictionary(
        &self,
        section: &SectionHeader,
        source: &dyn CellSource,
    ) -> Result<Vec<u8>, TableError> {
        let blocks = section.blocks();
        let most = self.options.dictionary_bytes as usize;
        if most == 0 || blocks < 4 * SAMPLE_BLOCKS {
            return Ok(Vec::new());
        }
        source.prepare(0..section.cells)?;
        let (codes, level) = (section.info.codes.len(), self.options.level);
        let encoders = Pool::new(|| Encoder::new(codes, level, &[]));
        let samples: Vec<io::Result<Vec<u8>>> = (0..SAMPLE_BLOCKS)
            .into_par_iter()
            .map(|i| {
                let block = i * blocks / SAMPLE_BLOCKS;
                let start = block * u64::from(section.block_cells);
                encoders.with(|encoder| match encoder {
                    Ok(encoder) => {
                        encoder.lay_out(source, start, section.cells_of(block));
                        Ok(encoder.plain().to_vec())
                    }
                    Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                })
            })
            .collect();
        let samples = samples
            .into_iter()
            .collect::<io::Result<Vec<_>>>()
            .map_err(|error| self.io(error))?;
        // Blocks of equal cells come out empty, which the training has no use for.
        let samples: Vec<_> = samples.iter().filter(|s| !s.is_empty()).collect();
        // zstd refuses samples too few or too alike to train on. Then there is simply none.
        Ok(zstd::dict::from_samples(&samples, most).unwrap_or_default())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.place += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|error| self.io(error))
    }

    fn io(&self, error: io::Error) -> TableError {
        TableError::io(&self.path, IoAction::Write, error)
    }

    fn bad_input(&self, what: String) -> TableError {
        let kind = TableErrorKind::BadInput(what);
        TableError::new(Some(&self.path), Some(self.header.material), kind)
    }
}

/// How many bytes some blocks of a section would take, without a dictionary: for choosing among
/// orders of the cells. What cannot be compressed counts as it is.
pub fn sample_bytes(
    source: &dyn CellSource,
    codes: usize,
    options: &WriteOptions,
    blocks: &[u64],
) -> u64 {
    let size = u64::from(options.block_cells);
    let mut encoder = Encoder::new(codes, options.level, &[]);
    let mut out = Vec::new();
    let mut bytes = 0;
    for block in blocks {
        let start = block * size;
        let cells = size.min(source.cells() - start);
        let encoded = encoder
            .as_mut()
            .map(|encoder| encoder.encode(source, start, cells as usize, &mut out));
        bytes += match encoded {
            Ok(Ok(Encoded::Bytes)) => out.len() as u64,
            Ok(Ok(_)) => 0,
            _ => cells,
        };
    }
    bytes
}

/// A file beside this path, which removes itself unless it is given the name, with room for the
/// preamble.
fn start(path: &Path) -> io::Result<NamedTempFile> {
    let directory = directory_of(path);
    std::fs::create_dir_all(directory)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = temporary(directory, &name.to_string_lossy())?;
    file.write_all(&[0; PREAMBLE_BYTES])?;
    Ok(file)
}

/// A file for what is to be `name` in this directory, which removes itself unless it is given
/// that name.
pub(super) fn temporary(directory: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = part_prefix(name);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(PART_SUFFIX);
    // Temporary files are the owner's alone by default; a table is for whoever may read there.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

fn part_prefix(name: &str) -> String {
    format!(".{name}.")
}

/// The directory that a path is in.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes sure of the name itself, where the platform can. Where it cannot, a power failure may
/// lose the new name, but never leaves half a table under it.
pub(super) fn sync_directory(path: &Path) {
    if cfg!(unix)
        && let Ok(directory) = std::fs::File::open(directory_of(path))
    {
        let _ = directory.sync_all();
    }
}

/// Removes what killed runs left of the table that is to have this path. No other writer may be
/// at work on it: hold its lock.
///
/// # Errors
///
/// If the directory cannot be read, or a file in it not removed. A directory that is not there
/// has nothing to remove.
pub fn remove_leftovers(path: &Path) -> Result<(), TableError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = part_prefix(&name);
    let remove = || -> io::Result<()> {
        for entry in std::fs::read_dir(directory_of(path))? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&prefix) && name.ends_with(PART_SUFFIX) {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    };
    match remove() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::io(path, IoAction::Write, error))
        }
        _ => Ok(()),
    }
}
