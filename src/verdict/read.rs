//! Reading a verdict table.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crc32c::crc32c;

use super::codec::decode;
use super::facts::{LaneFacts, PlaneMen};
use super::header::{CodedAt, ENTRY_BYTES, GROUP, Header, PLACE_BYTES, Set, Side, Stored};
use super::header::{Counts, MODEL_BYTES, SETS, checksum, set_number};
use super::layout::PlaneLayout;
use super::model::Model;
use super::net::{Knot, net};
use super::rans::Reader;
use super::words::{Planes, Turn};
use crate::board::Color;
use crate::material::CanonicalMaterial;
use crate::table::decompress::decompress_whole;
use crate::table::{FileBytes, IoAction, Source, TableError, TableErrorKind};

/// The verdict table of one ending, over the bytes of its file.
#[derive(Debug)]
pub struct Verdicts<B> {
    source: B,
    file_bytes: u64,
    path: Option<PathBuf>,
    header: Header,
    sides: Vec<SideReader>,
}

/// A verdict table in a file, or in the bytes of one.
pub type VerdictFile = Verdicts<FileBytes>;

/// What is needed to decode the sets of one side.
#[derive(Debug)]
struct SideReader {
    layout: PlaneLayout,
    net: Vec<Knot>,
    /// Empty until first needed; then the model, or none if it is corrupt.
    models: [OnceLock<Option<Model>>; SETS],
}

/// A decoded block, and what decodes it: reused from block to block.
#[derive(Debug, Default)]
pub struct VerdictBlock {
    /// By set and side to move, the winner first. Those not asked for are left as they were.
    words: [[Vec<u64>; 2]; SETS],
    /// Whether the words of a set are those of the block.
    done: [bool; SETS],
    facts: Vec<LaneFacts>,
    buffer: Vec<u8>,
}

impl VerdictBlock {
    /// The words of a set with this side to move.
    pub fn words(&self, set: Set, turn: Turn) -> &[u64] {
        &self.words[set.place()][turn as usize]
    }
}

impl<B: Source> Verdicts<B> {
    /// The verdict table in these bytes, which are a whole file.
    ///
    /// # Errors
    ///
    /// If they are not a verdict table, or one of another format version or rules revision,
    /// truncated, or with a corrupt header.
    pub fn new(bytes: B) -> Result<Verdicts<B>, TableError> {
        Verdicts::with_path(bytes, None)
    }

    fn with_path(source: B, path: Option<PathBuf>) -> Result<Verdicts<B>, TableError> {
        let (header, file_bytes) =
            Header::read(&source).map_err(|kind| TableError::new(path.as_deref(), None, kind))?;
        let reader = |side: &Side| {
            let layout = PlaneLayout::new(header.material, side.winner, &side.order)?;
            Some(SideReader {
                net: net(layout.domain()),
                layout,
                models: Default::default(),
            })
        };
        // The header's reader has made the same layouts.
        let sides = header.sides.iter().filter_map(reader).collect();
        Ok(Verdicts {
            source,
            file_bytes,
            path,
            header,
            sides,
        })
    }

    /// The material that the table is of.
    pub fn material(&self) -> CanonicalMaterial {
        self.header.material
    }

    /// The file the table came from, if it came from one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The number of bytes of the file.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// How many positions have each category.
    pub fn counts(&self) -> &Counts {
        &self.header.counts
    }

    /// The sides that have wins, each with its number.
    pub fn winners(&self) -> impl Iterator<Item = Color> {
        self.header.sides.iter().map(|side| side.winner)
    }

    /// The layout of a side's wins.
    pub fn layout(&self, winner: Color) -> Option<&PlaneLayout> {
        Some(&self.sides[self.side(winner)?].layout)
    }

    /// The planes of a block of a side's wins, and the number of blocks.
    pub fn blocks(&self, winner: Color) -> Option<(u64, u64)> {
        let side = &self.header.sides[self.side(winner)?];
        Some((side.block_planes, side.blocks()))
    }

    fn side(&self, winner: Color) -> Option<usize> {
        self.header
            .sides
            .iter()
            .position(|side| side.winner == winner)
    }

    /// Whether a set of a side's wins has no position at all.
    pub fn is_empty(&self, winner: Color, set: Set) -> bool {
        self.side(winner).is_none_or(|number| {
            let sets = &self.header.sides[number].sets;
            let mut place = set.place();
            while let Stored::Same(same) = sets[place] {
                place = same;
            }
            sets[place] == Stored::Empty
        })
    }

    /// Reads every block of every set, whose checksums show what is corrupt.
    ///
    /// # Errors
    ///
    /// At the first block, or model, that is.
    pub fn check(&self) -> Result<(), TableError> {
        let mut block = VerdictBlock::default();
        for side in &self.header.sides {
            let sets = Set::all().filter(|&set| !self.is_empty(side.winner, set));
            for set in sets {
                for place in 0..side.blocks() {
                    self.read_block(side.winner, &[set], place, &mut block)?;
                }
            }
        }
        Ok(())
    }

    /// Decodes a block of some sets of a side's wins, and of those that they are parts of, for both sides
    /// to move. A lane's word is at the number of its plane in the block, times the lanes of a plane,
    /// plus its own number.
    ///
    /// # Errors
    ///
    /// If there is no such block, or it is corrupt.
    pub fn read_block(
        &self,
        winner: Color,
        sets: &[Set],
        block: u64,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let Some(number) = self.side(winner) else {
            return Err(self.error(TableErrorKind::OutOfRange {
                asked: block,
                count: 0,
            }));
        };
        let side = &self.header.sides[number];
        let count = side.blocks();
        if block >= count {
            return Err(self.error(TableErrorKind::OutOfRange {
                asked: block,
                count,
            }));
        }
        let reader = &self.sides[number];
        let first = block * side.block_planes;
        let planes = side.block_planes.min(side.planes - first);
        out.facts.clear();
        for plane in first..first + planes {
            let men = reader.layout.men(plane);
            let men = PlaneMen::new(winner, reader.layout.groups(), &men);
            let facts = reader.layout.domain().iter().map(|&king| men.facts(king));
            out.facts.extend(facts);
        }
        out.done = [false; SETS];
        let mut places = sets.iter().map(|set| set.place());
        places.try_for_each(|place| self.read_set(number, place, block, out))
    }

    fn read_set(
        &self,
        number: usize,
        place: usize,
        block: u64,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        if std::mem::replace(&mut out.done[place], true) {
            return Ok(());
        }
        let lanes = out.facts.len();
        match &self.header.sides[number].sets[place] {
            Stored::Empty => {
                for words in &mut out.words[place] {
                    words.clear();
                    words.resize(lanes, 0);
                }
            }
            &Stored::Same(same) => {
                self.read_set(number, same, block, out)?;
                let (before, after) = out.words.split_at_mut(place);
                for (words, same) in after[0].iter_mut().zip(&before[same]) {
                    words.clone_from(same);
                }
            }
            Stored::Coded { parent, at } => {
                if let Some(parent) = *parent {
                    self.read_set(number, parent, block, out)?;
                }
                self.read_coded(number, place, *parent, at, block, out)?;
            }
        }
        Ok(())
    }

    fn read_coded(
        &self,
        number: usize,
        place: usize,
        parent: Option<usize>,
        at: &CodedAt,
        block: u64,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let lanes = out.facts.len();
        let model = self.model(number, place, at)?;
        let corrupt = || self.corrupt(number, place, block);
        let mut buffer = std::mem::take(&mut out.buffer);
        let (before, after) = out.words.split_at_mut(place);
        let [won, lost] = &mut after[0];
        for words in [&mut *won, &mut *lost] {
            words.clear();
            words.resize(lanes, 0);
        }
        let bytes = self.stored(set_number(number, place), at, block, &mut buffer)?;
        let bytes = bytes.ok_or_else(corrupt)?;
        if !bytes.is_empty() {
            let mut reader = Reader::new(bytes);
            let side = &self.sides[number];
            let mut planes = Planes {
                net: &side.net,
                facts: &out.facts,
                parent: parent.map(|parent| &before[parent][0][..]),
                winner: None,
                escapes: model.escapes,
            };
            decode(&planes, Turn::Winner, model, &mut reader, won);
            planes.parent = parent.map(|parent| &before[parent][1][..]);
            planes.winner = Some(won);
            decode(&planes, Turn::Loser, model, &mut reader, lost);
            if !reader.is_whole() {
                return Err(corrupt());
            }
        }
        out.buffer = buffer;
        Ok(())
    }

    /// The bytes of a block, checked, of which there are none if every word is 0. None at all if they,
    /// or the index, are corrupt.
    fn stored<'a>(
        &'a self,
        set: u8,
        at: &CodedAt,
        block: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, TableError> {
        let within = block % GROUP;
        let length = PLACE_BYTES + (within + 1) * ENTRY_BYTES;
        let group = self.bytes(Side::group(at, block / GROUP), length, buffer)?;
        let entry = group.and_then(|group| {
            let (first, entries) = group.split_first_chunk()?;
            let entries: &[[u8; ENTRY_BYTES as usize]] = entries.as_chunks().0;
            let length = |&[low, high, ..]: &[u8; 4]| u16::from_le_bytes([low, high]);
            let (last, before) = entries.split_last()?;
            let before: u64 = before.iter().map(|entry| u64::from(length(entry))).sum();
            let place = u64::from_le_bytes(*first).checked_add(before)?;
            Some((place, length(last), u16::from_le_bytes([last[2], last[3]])))
        });
        let Some((place, length, check)) = entry else {
            return Ok(None);
        };
        let bytes = self.bytes(place, length.into(), buffer)?;
        Ok(bytes.filter(|bytes| checksum(place, length, set, block, bytes) == check))
    }

    /// Some bytes of the file. None if the file has never had them.
    fn bytes<'a>(
        &'a self,
        start: u64,
        length: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, TableError> {
        let end = start.checked_add(length);
        if end.is_none_or(|end| end > self.file_bytes) {
            return Ok(None);
        }
        match self.source.bytes(start, length as usize, buffer) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(source) => {
                let expected = self.file_bytes;
                Err(self.error(match self.source.length() {
                    Ok(found) if found < expected => TableErrorKind::Truncated { expected, found },
                    _ => TableErrorKind::Io {
                        action: IoAction::Read,
                        source,
                    },
                }))
            }
        }
    }

    fn model(&self, number: usize, place: usize, at: &CodedAt) -> Result<&Model, TableError> {
        let kept = &self.sides[number].models[place];
        let model = match kept.get() {
            Some(model) => model,
            None => {
                let mut buffer = Vec::new();
                let bytes = self.bytes(at.start, at.model_bytes.into(), &mut buffer)?;
                let model = bytes.and_then(|bytes| {
                    let whole = crc32c(bytes) == at.model_crc;
                    let plain = whole.then(|| decompress_whole(bytes, MODEL_BYTES))?;
                    Model::from_bytes(&plain?)
                });
                kept.get_or_init(|| model)
            }
        };
        model.as_ref().ok_or_else(|| {
            let section = number * SETS + place;
            self.error(TableErrorKind::DictionaryCorrupt { section })
        })
    }

    fn corrupt(&self, number: usize, place: usize, block: u64) -> TableError {
        let section = number * SETS + place;
        self.error(TableErrorKind::BlockCorrupt { section, block })
    }

    fn error(&self, kind: TableErrorKind) -> TableError {
        TableError::new(self.path(), Some(self.material()), kind)
    }
}

#[cfg(feature = "files")]
mod opening {
    use super::*;
    use crate::table::{Access, map};

    impl VerdictFile {
        /// Opens the verdict table in this file, which is to be of this material.
        ///
        /// # Errors
        ///
        /// If the file cannot be read, or is of another material, and as [`Verdicts::new`].
        pub fn open_as(
            path: &Path,
            expected: CanonicalMaterial,
            access: Access,
        ) -> Result<VerdictFile, TableError> {
            let bytes = map::bytes(path, access)
                .map_err(|source| TableError::io(path, IoAction::Read, source))?;
            let table = Verdicts::with_path(bytes, Some(path.to_path_buf()))?;
            let found = table.material();
            if found == expected {
                return Ok(table);
            }
            let kind = TableErrorKind::WrongMaterial { expected, found };
            Err(TableError::new(Some(path), Some(found), kind))
        }
    }
}
