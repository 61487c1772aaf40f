//! Writing a table: beside its name, compressed by all threads, and put in place only when whole.

mod bytes;
mod census;
mod encode;
mod header;
mod pack;

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crc32c::{crc32c, crc32c_append};
use rayon::prelude::*;

use self::census::Census;
use self::encode::{Encoded, Encoder, Packer, narrow};
use self::pack::Scratch;
use crate::atomic_file::{self, AtomicFile};
use crate::material::CanonicalMaterial;
use crate::table::block::Entry;
use crate::table::code::{CellSource, ILLEGAL};
use crate::table::error::{IoAction, TableError, TableErrorKind};
use crate::table::header::{
    ENTRY_BYTES, GROUP, Header, MAX_BLOCK_CELLS, PREAMBLE_BYTES, Packing, RULES_REVISION,
    SectionHeader, SectionInfo,
};
use crate::table::lattice::UNKNOWN;
use crate::table::model::Model;
use crate::table::pool::Pool;
use crate::table::ranks::Frame;

/// The bytes of decoded blocks that one batch holds, whatever their size.
const BATCH_BYTES: usize = 16 << 20;

/// Blocks of which a dictionary is trained. There must be several times as many in a section for
/// a dictionary to earn its own bytes.
const SAMPLE_BLOCKS: u64 = 256;

/// Blocks by which a model is made.
const MODEL_BLOCKS: u64 = 2048;

/// The most men of an ending whose blocks are small.
const MEN_IN_SMALL_BLOCKS: usize = 5;

/// How a section is compressed. It is part of what makes two files of the same table equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// The level of zstd for plain blocks.
    pub level: i32,
    /// The cells of a plain block.
    pub block_cells: u32,
    /// The most bytes of the dictionary of a section with plain blocks; 0 for none.
    pub dictionary_bytes: u32,
    /// The level of zstd for blocks packed as ranks.
    pub rank_level: i32,
    /// The most cells of a block packed as ranks; a plane has as many cells at least.
    pub rank_block_cells: u32,
    /// The most bytes of the dictionary of a section packed as ranks; 0 for none.
    pub rank_dictionary_bytes: u32,
    /// Plain blocks must come to less than this many hundredths of ranked ones to be taken.
    pub plain_below: u32,
}

impl Default for WriteOptions {
    /// What was measured of each of these is in `docs/compression.md`.
    fn default() -> WriteOptions {
        WriteOptions {
            level: 12,
            block_cells: 1 << 14,
            dictionary_bytes: 0,
            rank_level: 12,
            rank_block_cells: 2560,
            rank_dictionary_bytes: 512,
            plain_below: 100,
        }
    }
}

impl WriteOptions {
    /// What the tables that everybody else has were made with: the default for an ending of up to five
    /// men against a bare king, which is what an engine asks for most. All others are many times as
    /// much work and as many bytes, so they are packed more quickly, and in larger blocks.
    pub fn of(material: CanonicalMaterial) -> WriteOptions {
        if material.is_bare() && material.men() <= MEN_IN_SMALL_BLOCKS {
            return WriteOptions::default();
        }
        WriteOptions {
            level: 7,
            block_cells: 1 << 15,
            rank_level: 6,
            rank_block_cells: 5120,
            ..WriteOptions::default()
        }
    }

    /// For smaller files, which take several times as long to make, and four times as long to read a
    /// block of.
    pub fn small() -> WriteOptions {
        WriteOptions {
            level: 19,
            block_cells: 1 << 16,
            rank_level: 19,
            rank_block_cells: 4 * 5120,
            ..WriteOptions::default()
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
    out: BufWriter<AtomicFile>,
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

    /// Compresses the cells of a section, plain, and adds it to the file.
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
        self.add_packed(info, Packing::Plain, source, progress)
    }

    /// The same, packed as is said.
    ///
    /// Packed as ranks, the codes are put in another order, and cells that no legal position has
    /// are left out, whatever the source says of them.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::add_section`], and if the section cannot be packed so: see
    /// [`can_be_ranked`].
    pub fn add_packed(
        &mut self,
        mut info: SectionInfo,
        packing: Packing,
        source: &dyn CellSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        if let Some(fault) = info.fault() {
            return Err(self.bad_input(fault.to_string()));
        }
        if self.header.sections.len() >= u8::MAX.into() {
            return Err(self.bad_input("more than 255 sections".to_string()));
        }
        let mut block_cells = self.options.block_cells;
        let mut ranked = None;
        if packing == Packing::Ranks {
            let (codes, places) = pack::in_line(&info.codes);
            info.codes = codes;
            let frame = Frame::new(self.header.material, &info)
                .filter(|frame| frame.cells() == source.cells())
                .ok_or_else(|| self.bad_input("a section that has no ranks".to_string()))?;
            block_cells = frame.block_cells(self.options.rank_block_cells as usize) as u32;
            source.prepare(0..source.cells())?;
            let chosen = spread(source.cells() / u64::from(block_cells), MODEL_BLOCKS);
            let model = model(&frame, source, &places, block_cells, &chosen);
            ranked = Some((frame, model, places));
        }
        let (packer, level, most) = match &ranked {
            None => (
                Packer::Plain,
                self.options.level,
                self.options.dictionary_bytes,
            ),
            Some((frame, model, places)) => (
                Packer::Ranks(frame, model, places),
                self.options.rank_level,
                self.options.rank_dictionary_bytes,
            ),
        };
        let mut section = SectionHeader {
            info,
            cells: source.cells(),
            block_cells,
            packing,
            start: self.place,
            model_bytes: 0,
            dictionary_bytes: 0,
            dictionary_crc: 0,
            index: 0,
        };
        let kept = match &ranked {
            None => Vec::new(),
            Some((_, model, _)) => model.to_bytes(level).map_err(|error| self.io(error))?,
        };
        let dictionary = self.dictionary(&section, source, packer, level, most as usize)?;
        section.model_bytes = kept.len() as u32;
        section.dictionary_bytes = dictionary.len() as u32;
        section.dictionary_crc = crc32c_append(crc32c(&kept), &dictionary);
        self.put(&kept)?;
        self.put(&dictionary)?;
        let encoders =
            Pool::new(|| Encoder::new(section.info.codes.len(), packer, level, &dictionary));
        let index = self.blocks(&section, source, &encoders, progress)?;
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
            file.commit()
        };
        finish().map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        Ok(place)
    }

    /// Writes the blocks batch by batch and returns the index.
    fn blocks<'a>(
        &mut self,
        section: &SectionHeader,
        source: &dyn CellSource,
        encoders: &Pool<io::Result<Encoder<'a>>, impl Fn() -> io::Result<Encoder<'a>> + Sync>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<u8>, TableError> {
        let number = self.header.sections.len();
        let codes = section.info.codes.len();
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
                if let Encoded::BadCode(cell, code) = encoded.map_err(|error| self.io(error))? {
                    return Err(self.bad_input(format!(
                        "cell {cell} has code {code} of {codes} in section {number}"
                    )));
                }
                let entry = Entry::new(number, block, self.place, bytes);
                if block % GROUP == 0 {
                    index.extend_from_slice(&entry.place.to_le_bytes());
                }
                index.extend_from_slice(&entry.length.to_le_bytes()[..3]);
                index.extend_from_slice(&entry.crc.to_le_bytes());
                self.put(bytes)?;
            }
        }
        Ok(index)
    }

    /// Trains a dictionary of blocks spread over the section. Empty where it would not pay.
    fn dictionary(
        &self,
        section: &SectionHeader,
        source: &dyn CellSource,
        packer: Packer,
        level: i32,
        most: usize,
    ) -> Result<Vec<u8>, TableError> {
        let blocks = section.blocks();
        if most == 0 || blocks < 4 * SAMPLE_BLOCKS {
            return Ok(Vec::new());
        }
        source.prepare(0..section.cells)?;
        let codes = section.info.codes.len();
        let encoders = Pool::new(|| Encoder::new(codes, packer, level, &[]));
        let samples: Vec<io::Result<Vec<u8>>> = spread(blocks, 4 * SAMPLE_BLOCKS)
            .into_par_iter()
            .map(|block| {
                let start = block * u64::from(section.block_cells);
                encoders.with(|encoder| match encoder {
                    Ok(encoder) => {
                        let _ = encoder.lay_out(source, start, section.cells_of(block));
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

/// Some blocks of so many, spread evenly, but each anywhere in its share: blocks at equal steps
/// would have the same digits in the inner components.
pub fn spread(blocks: u64, most: u64) -> Vec<u64> {
    let n = most.min(blocks);
    let place = |i: u64| (u128::from(i) * u128::from(blocks) / u128::from(n)) as u64;
    // The multiplier of Knuth's MMIX generator, whose upper bits are used.
    let noise = |i: u64| (i + 1).wrapping_mul(6_364_136_223_846_793_005) >> 32;
    (0..n)
        .map(|i| place(i) + noise(i) % (place(i + 1) - place(i)).max(1))
        .collect()
}

/// The model of a section, made of some of its blocks.
fn model(
    frame: &Frame,
    source: &dyn CellSource,
    places: &[u16],
    block_cells: u32,
    chosen: &[u64],
) -> Model {
    let n = block_cells as usize;
    let read: Vec<Vec<u8>> = chosen
        .par_iter()
        .map(|&block| {
            let mut cells = vec![ILLEGAL; n];
            source.read(block * u64::from(block_cells), &mut cells);
            // Codes that the section has not are refused when the blocks are written.
            for cell in &mut cells {
                if usize::from(*cell) >= places.len() {
                    *cell = ILLEGAL;
                }
            }
            let mut narrowed = Vec::new();
            narrow(&cells, places, &mut narrowed);
            narrowed
        })
        .collect();
    let mut census = Census::new(frame.draw);
    let mut scratch = Scratch::default();
    for (&block, cells) in chosen.iter().zip(&read) {
        if cells.iter().any(|&cell| cell != UNKNOWN) {
            let first = block * u64::from(block_cells);
            census = pack::count(frame, first, cells, census, &mut scratch);
        }
    }
    let share = source.cells() / (n as u64 * chosen.len().max(1) as u64);
    census.model(share.max(1))
}

/// How many bytes a section packed in this way would take, estimated from some of its blocks: for
/// choosing among orders and packings. None if it cannot be packed so.
pub fn estimate(
    material: CanonicalMaterial,
    info: &SectionInfo,
    packing: Packing,
    source: &dyn CellSource,
    options: &WriteOptions,
    blocks: u64,
) -> Option<u64> {
    let codes = info.codes.len();
    match packing {
        Packing::Plain => {
            let all = source.cells().div_ceil(options.block_cells.into());
            let chosen = spread(all, blocks);
            let bytes = sample_bytes(source, codes, options.level, options.block_cells, &chosen);
            Some(scaled(bytes, all, chosen.len() as u64))
        }
        Packing::Ranks => {
            let (codes, places) = pack::in_line(&info.codes);
            let info = SectionInfo {
                codes,
                ..info.clone()
            };
            let frame = Frame::new(material, &info)?;
            let block_cells = frame.block_cells(options.rank_block_cells as usize) as u32;
            let all = source.cells() / u64::from(block_cells);
            let chosen = spread(all, blocks);
            // Mostly other blocks, so that a model made for these does not flatter itself.
            let others = spread(all, 8 * blocks + 1);
            let model = model(&frame, source, &places, block_cells, &others);
            let packer = Packer::Ranks(&frame, &model, &places);
            let mut encoder =
                Encoder::new(info.codes.len(), packer, options.rank_level, &[]).ok()?;
            let mut out = Vec::new();
            let mut bytes = 0;
            for &block in &chosen {
                let start = block * u64::from(block_cells);
                let encoded = encoder.encode(source, start, block_cells as usize, &mut out);
                encoded.ok()?;
                bytes += out.len() as u64 + ENTRY_BYTES;
            }
            let kept = model.to_bytes(options.rank_level).ok()?.len() as u64;
            Some(scaled(bytes, all, chosen.len() as u64) + kept)
        }
    }
}

/// What a sample says of the whole.
fn scaled(bytes: u64, all: u64, sampled: u64) -> u64 {
    (u128::from(bytes) * u128::from(all) / u128::from(sampled.max(1))) as u64
}

/// True if a section can be packed as ranks: White is to move in it, White's king and then
/// Black's are the innermost components, and it has up to 250 codes.
pub fn can_be_ranked(material: CanonicalMaterial, info: &SectionInfo) -> bool {
    Frame::new(material, info).is_some()
}

/// How many bytes some plain blocks of a section would take, without a dictionary: for choosing
/// among orders of the cells. What cannot be compressed counts as it is.
pub fn sample_bytes(
    source: &dyn CellSource,
    codes: usize,
    level: i32,
    block_cells: u32,
    blocks: &[u64],
) -> u64 {
    let size = u64::from(block_cells);
    let mut encoder = Encoder::new(codes, Packer::Plain, level, &[]);
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
            _ => cells,
        };
    }
    bytes
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
