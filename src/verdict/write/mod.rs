//! Writes verdict tables.

mod choose;
mod encode;
mod set_coding;
mod source;

use std::ops::DerefMut;
use std::path::Path;

use crc32c::crc32c;
use rayon::prelude::*;

use self::encode::Samples;
use self::set_coding::{Kind, SetCoding};
use self::source::{Source, add_to_categories};
use super::codec::CodingModel;
use super::coding::Coding;
use super::header::version;
use super::header::{CategoryCounts, CodedSet, GROUP, Header, SETS, Side, Stored, checksum};
use super::layout::PlaneLayout;
use super::model::Model;
use super::read::VerdictSets;
use crate::board::Color;
use crate::container::TableError;
use crate::container::bytes::ByteWriter;
use crate::container::index::IndexWriter;
use crate::container::write::FileWriter;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// The number of blocks that are encoded in parallel before they are written.
const BATCH: u64 = 1 << 14;

/// Writes one verdict table. The file appears at its path only when it is complete.
#[derive(Debug)]
pub struct VerdictWriter {
    file: FileWriter,
    header: Header,
}

impl VerdictWriter {
    /// Starts the verdict table of this material at `path`, with results for these rule sets.
    /// Creates the directory if it does not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn create(
        path: &Path,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Result<VerdictWriter, TableError> {
        Ok(VerdictWriter {
            file: FileWriter::create(path, material)?,
            header: Header {
                rules,
                counts: CategoryCounts::default(),
                sides: Vec::new(),
            },
        })
    }

    /// Adds one side's wins.
    ///
    /// `sets` contains the words of every set in the order of [`Set::all`](super::Set::all), with
    /// the winner to move and with the loser to move: plane by plane, one word for each lane.
    /// `order` lists the groups and the bia, outermost first. Bits of illegal positions are
    /// ignored. The sets of rule sets that the table lacks must be empty. If no coding is `known`,
    /// or the known coding does not fit the sets, the writer searches for the best coding.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    ///
    /// # Panics
    ///
    /// If the order does not fit this material, or a list of words has the wrong length.
    pub fn add_side<W: DerefMut<Target = [u64]>>(
        &mut self,
        winner: Color,
        order: &[u8],
        mut sets: Vec<[W; 2]>,
        known: Option<&Coding>,
    ) -> Result<(), TableError> {
        let layout = PlaneLayout::new(self.file.material(), winner, order)
            .expect("the order names each group of the material once");
        assert_eq!(sets.len(), SETS, "there are words for every set");
        let sets: &mut [[W; 2]; SETS] = sets
            .first_chunk_mut()
            .expect("there are words for every set");
        let sets = sets
            .each_mut()
            .map(|words| words.each_mut().map(|words| &mut **words));
        let lanes = layout.planes() as usize * layout.domain().len();
        assert!(sets.iter().flatten().all(|words| words.len() == lanes));
        let (source, sizes) = Source::new(layout, sets);
        let is_first = self.header.sides.is_empty();
        add_to_categories(&mut self.header, &source.layout, &sizes, is_first);
        let kinds = source.kinds();
        let known = known.filter(|known| known.fits(&kinds));
        let block_planes = match known {
            Some(known) => known.block_planes,
            None => source.block_planes(&kinds),
        };
        let mut side = Side {
            winner,
            order: order.to_vec(),
            block_planes,
            planes: source.layout.planes(),
            sets: Vec::new(),
            index: 0,
        };
        let mut coded = Vec::new();
        let samples = Samples::new(&source, side.block_planes);
        for (set, &kind) in kinds.iter().enumerate() {
            side.sets.push(match kind {
                Kind::Empty => Stored::Empty,
                Kind::Same(same) => Stored::Same(same),
                Kind::Coded(coding) => {
                    let (coding, model) = match known.and_then(|known| known.sets[set]) {
                        Some(ties) => {
                            let coding = SetCoding { ties, ..coding };
                            (coding, samples.train(set, coding))
                        }
                        None => source.choose(set, coding, &kinds[..set], &samples),
                    };
                    let stored = self.put_model(coding, &model);
                    coded.push((set, coding, CodingModel::new(&model)));
                    stored?
                }
            });
        }
        drop(samples);
        self.put_blocks(&source, &coded, &mut side)?;
        self.header.sides.push(side);
        Ok(())
    }

    /// Writes the model of a set.
    fn put_model(&mut self, coding: SetCoding, model: &Model) -> Result<Stored, TableError> {
        let model = zstd::bulk::compress(&model.to_bytes(), 19);
        let model = model.map_err(|error| self.file.io(error))?;
        let set = CodedSet {
            parent: coding.parent,
            similar: coding.ties.like,
            guide: coding.guide,
            length_bytes: 1,
            model: self.file.offset(),
            model_bytes: model.len() as u32,
            model_crc: crc32c(&model),
        };
        self.file.put(&model)?;
        Ok(Stored::Coded(set))
    }

    /// Writes the blocks and the index of a side. `coded` contains the side's coded sets.
    fn put_blocks(
        &mut self,
        source: &Source<'_>,
        coded: &[(usize, SetCoding, CodingModel)],
        side: &mut Side,
    ) -> Result<(), TableError> {
        if coded.is_empty() {
            return Ok(());
        }
        let encode = |block: u64| {
            let first = block * side.block_planes;
            let block = source.block(first, side.block_planes.min(side.planes - first));
            let mut lengths = [0; SETS];
            let mut bytes = Vec::new();
            for (set, coding, model) in coded {
                let before = bytes.len();
                if let Some(mut writer) = source.encode(*set, *coding, model, &block) {
                    writer.finish_from_zero(&mut bytes);
                }
                lengths[*set] = ((bytes.len() - before) / 2) as u16;
            }
            (lengths, bytes)
        };
        let number = self.header.sides.len();
        // For each block, its offset, its checksum and the lengths of its parts.
        let mut entries: Vec<(u64, u16, [u16; SETS])> = Vec::new();
        for first in (0..side.blocks()).step_by(BATCH as usize) {
            let batch = first..(first + BATCH).min(side.blocks());
            let encoded: Vec<_> = batch.clone().into_par_iter().map(encode).collect();
            for (block, (lengths, bytes)) in batch.zip(encoded) {
                let offset = self.file.offset();
                let check = checksum(offset, lengths, number, block, &bytes);
                entries.push((offset, check, lengths));
                self.file.put(&bytes)?;
            }
        }
        let is_long = |set: usize| {
            entries
                .iter()
                .any(|(.., lengths)| lengths[set] > u8::MAX.into())
        };
        for (set, stored) in side.sets.iter_mut().enumerate() {
            if let Stored::Coded(coded) = stored {
                coded.length_bytes = if is_long(set) { 2 } else { 1 };
            }
        }
        let mut index = IndexWriter::new(GROUP);
        for (offset, check, lengths) in entries {
            let out = index.add(offset);
            out.extend_from_slice(&check.to_le_bytes());
            for (set, coded) in side.coded() {
                let length = lengths[set].to_le_bytes();
                out.extend_from_slice(&length[..coded.length_bytes.into()]);
            }
        }
        side.index = self.file.offset();
        self.file.put(&index.bytes)
    }

    /// Writes the header and renames the file to the table's name. Returns the length of the file
    /// in bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<u64, TableError> {
        let men = self.file.material().material();
        if men.white == men.black {
            // With equal armies, Black's wins are White's with exchanged colours.
            for counts in &mut self.header.counts {
                let [white, black] = *counts;
                for category in 0..2 {
                    counts[0][4 - category] = black[4 - category];
                    counts[1][category] = white[category];
                }
            }
        }
        for counts in self.header.counts.iter_mut().flatten() {
            // So far the draws include all legal positions.
            let decided = counts[0] + counts[1] + counts[3] + counts[4];
            counts[2] -= decided;
        }
        let rules = self.header.rules;
        let version = version(self.file.material(), rules);
        let header = self.header.encode();
        self.file.finish::<VerdictSets>(version, rules, header)
    }
}

impl Header {
    fn encode(&self) -> ByteWriter {
        let mut out = ByteWriter::default();
        self.counts
            .iter()
            .flatten()
            .flatten()
            .for_each(|&n| out.u64(n));
        out.u8(self.sides.len() as u8);
        for side in &self.sides {
            out.u8(side.winner.index() as u8);
            out.short_bytes(&side.order);
            out.u8(side.block_planes as u8);
            for stored in &side.sets {
                match stored {
                    Stored::Empty => out.put(&[0, 0]),
                    &Stored::Same(same) => out.put(&[1, 1 + same as u8]),
                    Stored::Coded(set) => {
                        let [parent, similar] =
                            [set.parent, set.similar].map(|set| set.map_or(0, |set| 1 + set as u8));
                        out.put(&[2, parent, similar, set.guide as u8, set.length_bytes]);
                        out.u64(set.model);
                        out.u32(set.model_bytes);
                        out.u32(set.model_crc);
                    }
                }
            }
            out.u64(side.index);
        }
        out
    }
}
