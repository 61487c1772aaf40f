//! Writes a distance table. Blocks are compressed in parallel, and the file is renamed into place
//! when it is complete.

mod base;
mod block;
mod block_size;
mod header;
mod options;
mod sample;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crc32c::crc32c;
use rayon::prelude::*;

use self::base::{GivenCells, WrittenBase};
use self::block::{Encoded, Encoder, SectionPacker};
use crate::container::index::IndexWriter;
use crate::container::write::FileWriter;
use crate::container::{CommonHeader, FileBytes, Pool, TableError};
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::table::block::IndexEntry;
use crate::table::code::CellSource;
use crate::table::header::{
    GROUP, Header, MAX_BLOCK_CELLS, Packing, SectionHeader, SectionInfo, rule_sets_answered,
};
use crate::table::read::{Distances, TableFile};
use crate::table::symbol_rank::decode::SectionShape;
use crate::table::symbol_rank::encode::{Ranking, sort_codes};
use crate::table::symbol_rank::over_base::{BaseCells, OverBase, codes_of_base};
use crate::table::symbol_rank::train::train;

pub use self::base::GivenBase;
pub use self::block_size::BlockPacking;
pub use self::options::{SectionPacking, WriteOptions};
pub use self::sample::{can_use_symbol_ranking, estimate, sample_bytes, spread};

/// The size of a batch of blocks, in bytes of their decoded cells.
const BATCH_BYTES: usize = 16 << 20;

/// The approximate number of cells that a task encodes, at most. Before a task, a thread takes an
/// encoder, and after it reports the progress.
const TASK_CELLS: usize = 1 << 15;

/// The largest number of blocks on which a model is trained.
const MODEL_BLOCKS: u64 = 2048;

/// Writes the table of one ending.
///
/// The bytes go to a temporary file in the same directory. [`TableWriter::finish`] syncs this file
/// and renames it to the table's name. If the writer is dropped earlier, the temporary file is
/// removed and an existing table stays untouched.
#[derive(Debug)]
pub struct TableWriter {
    options: WriteOptions,
    file: FileWriter,
    header: Header,
}

impl TableWriter {
    /// Starts the table at `path`. Creates the directory if it does not exist.
    ///
    /// # Errors
    ///
    /// If the directory is not writable, or the block size is out of range. Create the writer
    /// before the computation, so that these errors come early.
    pub fn create(
        path: &Path,
        material: CanonicalMaterial,
        options: WriteOptions,
    ) -> Result<TableWriter, TableError> {
        let rules = rule_sets_answered(material, options.rules);
        let writer = TableWriter {
            options,
            file: FileWriter::create(path, material)?,
            header: Header {
                material,
                rules,
                sections: Vec::new(),
            },
        };
        match writer.options.block_cells {
            1..=MAX_BLOCK_CELLS => Ok(writer),
            n => Err(writer.file.bad_input(format!("blocks of {n} cells"))),
        }
    }

    /// Compresses the cells of a section with zstd and appends the section to the table.
    ///
    /// The bytes do not depend on the number of threads. `progress` is called, from any thread,
    /// with the number of cells compressed so far. The numbers may arrive out of order.
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
        let plain = self.options.plain();
        self.add_packed(info, plain, None, source, progress)
    }

    /// Like [`TableWriter::add_section`], but with a given packing. `base` contains the cells of
    /// the base section, if the caller still has them; otherwise they are read back from the file.
    ///
    /// Symbol ranking renumbers the codes. It stores nothing for cells without a legal position, so
    /// it does not matter which codes the source returns for these cells.
    ///
    /// # Errors
    ///
    /// If the section does not allow this packing (see [`can_use_symbol_ranking`]), or for any
    /// reason given at [`TableWriter::add_section`].
    pub fn add_packed(
        &mut self,
        mut info: SectionInfo,
        packing: BlockPacking,
        base: Option<GivenBase<'_>>,
        source: &dyn CellSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        if let Some(fault) = info.fault() {
            return Err(self.file.bad_input(fault.to_string()));
        }
        if self.header.sections.len() >= u8::MAX.into() {
            return Err(self.file.bad_input("more than 255 sections".to_string()));
        }
        let ranking = match packing.kind {
            Packing::Plain => None,
            _ => Some(self.ranking(&mut info, packing, base, source)?),
        };
        let (packer, model) = match &ranking {
            None => (SectionPacker::Plain(self.options.level), Vec::new()),
            Some((ranking, base)) => {
                let model = ranking
                    .model
                    .to_bytes()
                    .map_err(|error| self.file.io(error))?;
                let base = base.as_deref();
                (SectionPacker::SymbolRanking(ranking, base), model)
            }
        };
        let block_cells = match &ranking {
            None => packing.cells,
            Some((ranking, _)) => ranking.shape.block_cells(packing.cells as usize) as u32,
        };
        let mut section = SectionHeader {
            info,
            cells: source.cells(),
            block_cells,
            packing: packing.kind,
            start: self.file.offset(),
            model_bytes: model.len() as u32,
            model_crc: crc32c(&model),
            index: 0,
        };
        self.file.put(&model)?;
        let (number, codes) = (self.header.sections.len(), section.info.codes.len());
        let encoders = Pool::new(|| Encoder::new(number, codes, packer));
        let index = self.blocks(&section, source, &encoders, progress)?;
        section.index = self.file.offset();
        self.file.put(&index)?;
        self.header.sections.push(section);
        Ok(())
    }

    /// Trains the model of a section and renumbers the section's codes. Also returns the cells of
    /// the base section, if there is one.
    fn ranking<'a>(
        &mut self,
        info: &mut SectionInfo,
        packing: BlockPacking,
        given: Option<GivenBase<'a>>,
        source: &dyn CellSource,
    ) -> Result<(Ranking, Option<Box<dyn BaseCells + 'a>>), TableError> {
        let unfit = || {
            self.file
                .bad_input("a section does not allow symbol ranking".to_string())
        };
        let material = self.header.material;
        let base = match packing.kind {
            Packing::RankingOverBase => Some(self.base_of(info).ok_or_else(unfit)?),
            _ => None,
        };
        let base_info = base.map(|base| &self.header.sections[base].info);
        let base_block = base.map(|base| self.header.sections[base].block_cells);
        let base_codes =
            base_info.map(|base| codes_of_base(material, info, base).collect::<Vec<_>>());
        let (codes, recoded) = sort_codes(&info.codes, base_codes.as_deref()).ok_or_else(unfit)?;
        info.codes = codes;
        let shape = SectionShape::new(material, info, base_info)
            .filter(|shape| shape.cells() == source.cells())
            .ok_or_else(unfit)?;
        let block_cells = shape.block_cells(packing.cells as usize) as u32;
        if base_block.is_some_and(|cells| cells != block_cells) {
            return Err(unfit());
        }
        let given = given.zip(base_info).map(|(given, base)| {
            let of_cells = SectionInfo {
                codes: given.codes.to_vec(),
                ..base.clone()
            };
            let over_base = OverBase::new(material, info, &of_cells);
            GivenCells::new(given.cells, over_base, block_cells as usize)
        });
        let base: Option<Box<dyn BaseCells + 'a>> = match (base, given, &shape.over_base) {
            (_, Some(given), _) => Some(Box::new(given)),
            (Some(number), None, Some(over_base)) => {
                let written = self.written()?;
                Some(Box::new(WrittenBase::new(
                    written,
                    number,
                    over_base.clone(),
                )))
            }
            _ => None,
        };
        source.prepare(0..source.cells())?;
        let chosen = spread(source.cells() / u64::from(block_cells), MODEL_BLOCKS);
        let base_cells = base.as_deref();
        let whole_parts = self.options.whole_parts;
        let model = train(
            &shape,
            source,
            &recoded,
            base_cells,
            block_cells,
            &chosen,
            whole_parts,
        );
        let model = model.map_err(|error| self.file.io(error))?;
        let ranking = Ranking::new(shape, model, recoded);
        Ok((ranking, base))
    }

    /// The index of the base section for the section described by `info`, if the base is already
    /// written.
    fn base_of(&self, info: &SectionInfo) -> Option<usize> {
        self.header.base_of(info, self.header.sections.len())
    }

    /// The packing [`Packing::RankingOverBase`] for a section described by `info`, if the section
    /// allows it. The packing uses the cell order and the block size of the base section; the order
    /// in `info` is ignored.
    pub fn over_base(&self, info: &SectionInfo) -> Option<SectionPacking> {
        let metric = info.metric.predicted_from(self.header.material)?;
        let mut sections = self.header.sections.iter();
        let base = sections.find(|base| base.info.metric == metric)?;
        let info = SectionInfo {
            order: base.info.order.clone(),
            ..info.clone()
        };
        self.base_of(&info)?;
        let base_codes: Vec<_> = codes_of_base(self.header.material, &info, &base.info).collect();
        sort_codes(&info.codes, Some(&base_codes))?;
        Some(SectionPacking {
            metric: info.metric,
            order: info.order,
            packing: BlockPacking {
                kind: Packing::RankingOverBase,
                cells: base.block_cells,
            },
        })
    }

    /// Opens the sections written so far.
    fn written(&mut self) -> Result<TableFile, TableError> {
        let bytes = FileBytes::File(self.file.reopen()?);
        let unfit = || {
            self.file
                .bad_input("a section does not allow the packing that was requested".to_string())
        };
        let distances = Distances::new(self.header.clone()).ok_or_else(unfit)?;
        let (end, path) = (self.file.offset(), Some(self.file.path().to_path_buf()));
        let Header {
            material, rules, ..
        } = self.header;
        let header = CommonHeader {
            version: self.header.version(),
            material,
            rules,
        };
        Ok(TableFile::of_header(bytes, end, path, header, distances))
    }

    /// Writes the header, syncs the file and renames it to the table's name.
    ///
    /// Returns the length of the file in bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. An existing table then stays untouched.
    pub fn finish(self) -> Result<u64, TableError> {
        let (version, rules) = (self.header.version(), self.header.rules);
        self.file
            .finish::<Distances>(version, rules, self.header.encode())
    }

    /// Writes the blocks of a section batch by batch, and returns the bytes of their index.
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
        let cells_per_block = section.block_cells as usize;
        let batch = (BATCH_BYTES / cells_per_block).clamp(16, 4096);
        let together = (TASK_CELLS / cells_per_block).clamp(1, batch);
        let blocks = section.blocks();
        let encode = |first: u64, slots: &mut Slots| -> Result<(), TableError> {
            let count = batch.min((blocks - first) as usize);
            slots.resize_with(count, || (Vec::new(), Ok(Encoded::Bytes)));
            let size = u64::from(section.block_cells);
            let end = (first + count as u64) * size;
            source.prepare(first * size..end.min(section.cells))?;
            let tasks = slots
                .par_chunks_mut(together)
                .enumerate()
                .with_max_len(1)
                .erased();
            tasks.for_each(|(task, slots)| {
                let first = first + (task * together) as u64;
                let mut encoded = 0;
                encoders.with(|encoder| {
                    for (block, (out, result)) in (first..).zip(slots) {
                        let cells = section.cells_of(block);
                        *result = match encoder {
                            Ok(encoder) => encoder.encode(source, block * size, cells, out),
                            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                        };
                        encoded += cells as u64;
                    }
                });
                let before = done.fetch_add(encoded, Ordering::Relaxed);
                progress(before + encoded);
            });
            Ok(())
        };
        let mut index = IndexWriter::new(GROUP);
        let mut put = |first: u64, slots: &mut Slots| -> Result<(), TableError> {
            for (block, (bytes, encoded)) in (first..).zip(slots) {
                let encoded = std::mem::replace(encoded, Ok(Encoded::Bytes));
                if let Encoded::BadCode(cell, code) =
                    encoded.map_err(|error| self.file.io(error))?
                {
                    return Err(self.file.bad_input(format!(
                        "cell {cell} of section {number} has code {code}, but there are only {codes} codes"
                    )));
                }
                let entry =
                    IndexEntry::new(section.packing, number, block, self.file.offset(), bytes);
                let out = index.add(entry.offset);
                match entry.crc {
                    Some(crc) => {
                        out.extend_from_slice(&entry.length.to_le_bytes()[..3]);
                        out.extend_from_slice(&crc.to_le_bytes());
                    }
                    None => out.extend_from_slice(&((entry.length / 2) as u16).to_le_bytes()),
                }
                self.file.put(bytes)?;
            }
            Ok(())
        };
        // One thread writes a batch while all encode the next one.
        let [mut now, mut next] = [Slots::new(), Slots::new()];
        let mut firsts = (0..blocks).step_by(batch);
        let mut first = firsts.next();
        if let Some(first) = first {
            encode(first, &mut now)?;
        }
        while let Some(encoded) = first {
            first = firsts.next();
            let (written, done) = rayon::join(
                || put(encoded, &mut now),
                || first.map_or(Ok(()), |first| encode(first, &mut next)),
            );
            written?;
            done?;
            std::mem::swap(&mut now, &mut next);
        }
        Ok(index.bytes)
    }
}

/// The blocks of a batch: the bytes of each, and the outcome of encoding it.
type Slots = Vec<(Vec<u8>, io::Result<Encoded>)>;
