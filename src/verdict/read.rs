//! Reading a verdict table.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crc32c::crc32c;

use super::block::VerdictBlock;
use super::codec::{DecodingModel, decode};
use super::facts::{LaneFacts, PlaneMen};
use super::header::{CodedAt, ENTRY_BYTES, GROUP, Header, PLACE_BYTES, Set, Side, Stored};
use super::header::{Counts, MODEL_BYTES, SETS, checksum, set_number};
use super::layout::PlaneLayout;
use super::model::Model;
use super::net::{Knot, net};
use super::words::{Planes, Turn};
use crate::board::Color;
use crate::material::CanonicalMaterial;
use crate::rans::Reader;
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
    models: [OnceLock<Option<DecodingModel>>; SETS],
}

/// The set that has the words of this one; none if it has none.
fn resolve(sets: &[Stored], mut set: usize) -> Option<usize> {
    while let &Stored::Same(same) = sets.get(set)? {
        set = same;
    }
    (sets[set] != Stored::Empty).then_some(set)
}

impl SideReader {
    /// Finds the facts of a plane's lanes.
    fn find_facts(&self, plane: u64, facts: &mut [LaneFacts]) {
        let men = self.layout.men(plane);
        let men = PlaneMen::new(self.layout.winner(), self.layout.groups(), &men);
        for (facts, &king) in facts.iter_mut().zip(self.layout.domain()) {
            *facts = men.facts(king);
        }
    }
}

/// A block of one side's wins.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The side's number.
    number: usize,
    block: u64,
    /// Its first plane, and how many it has.
    first: u64,
    planes: usize,
}

/// Where a word is that a position's bit is in.
#[derive(Clone, Copy, Debug)]
pub struct WordPlace {
    /// The side whose wins are asked for.
    pub winner: Color,
    /// The set: see [`Verdicts::stored_set`].
    pub set: usize,
    /// The side to move.
    pub turn: Turn,
    /// The number of the block.
    pub block: u64,
    /// The number of the lane in the block.
    pub lane: usize,
}

/// Keeps pages: what has been decoded of the sets of a block.
pub trait Pages {
    /// Fills a page as it was kept. False if it is not there.
    fn take(&self, set: usize, page: &mut [u64]) -> bool;
    /// Keeps a page, in the place of an older one.
    fn keep(&self, set: usize, page: &[u64]);
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
        self.stored_set(winner, set).is_none()
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
        let part = self.part(winner, block)?;
        out.start(part.planes, self.sides[part.number].net.len());
        let mut places = sets.iter().map(|set| set.place());
        places.try_for_each(|place| self.read_set(part, place, 2 * part.planes, out))
    }

    /// The number of the set that has a set's words; none if the set has no position.
    pub fn stored_set(&self, winner: Color, set: Set) -> Option<usize> {
        let sets = &self.header.sides[self.side(winner)?].sets;
        resolve(sets, set.place())
    }

    /// Decodes a word, and what has to be decoded before, of which pages have some.
    ///
    /// # Errors
    ///
    /// If there is no such block, or it is corrupt.
    pub fn read_word<const WORDS: usize>(
        &self,
        at: WordPlace,
        pages: &impl Pages,
        out: &mut VerdictBlock,
    ) -> Result<u64, TableError> {
        let part = self.part(at.winner, at.block)?;
        let side = &self.sides[part.number];
        let in_plane = side.net.len();
        let lanes = part.planes * in_plane;
        let king = side.layout.domain().last().map_or(0, |k| k.index() as u32);
        out.start(part.planes, in_plane);
        let sets = &self.header.sides[part.number].sets;
        let parent = |&set: &usize| match sets.get(set)? {
            Stored::Coded { parent, .. } => resolve(sets, (*parent)?),
            _ => None,
        };
        let mut kept = [0; WORDS];
        let mut before = [0; SETS];
        for set in std::iter::successors(Some(at.set), parent) {
            if pages.take(set, &mut kept) {
                out.sets[set].resume(&kept, part.planes, lanes, king);
                before[set] = out.sets[set].decoded;
            }
        }
        let until = at.turn as usize * part.planes + at.lane / in_plane + 1;
        self.read_set(part, at.set, until, out)?;
        for set in std::iter::successors(Some(at.set), parent) {
            let words = &out.sets[set];
            if words.decoded > before[set] && words.to_page(&mut kept, part.planes, king) {
                pages.keep(set, &kept);
            }
        }
        let words = &out.sets[at.set].words[at.turn as usize];
        Ok(words.get(at.lane).copied().unwrap_or(0))
    }

    /// A block of one side's wins, if there is one.
    fn part(&self, winner: Color, block: u64) -> Result<Part, TableError> {
        let found = self.side(winner).and_then(|number| {
            let side = &self.header.sides[number];
            let first = (block < side.blocks()).then_some(block * side.block_planes)?;
            Some(Part {
                number,
                block,
                first,
                planes: side.block_planes.min(side.planes - first) as usize,
            })
        });
        let count = self.blocks(winner).map_or(0, |(_, count)| count);
        let missing = TableErrorKind::OutOfRange {
            asked: block,
            count,
        };
        found.ok_or_else(|| self.error(missing))
    }

    /// Decodes a set, and those it is a part of, up to this many planes, those with the winner to move
    /// first.
    fn read_set(
        &self,
        part: Part,
        place: usize,
        until: usize,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        if out.sets[place].decoded >= until {
            return Ok(());
        }
        let lanes = out.facts.len();
        out.sets[place].make_room(lanes);
        match &self.header.sides[part.number].sets[place] {
            Stored::Empty => out.sets[place].decoded = 2 * part.planes,
            &Stored::Same(same) => {
                self.read_set(part, same, until, out)?;
                let (before, after) = out.sets.split_at_mut(place);
                let (same, own) = (&before[same], &mut after[0]);
                own.decoded = same.decoded;
                for (words, same) in own.words.iter_mut().zip(&same.words) {
                    words.clone_from(same);
                }
            }
            Stored::Coded { parent, at } => {
                if let Some(parent) = *parent {
                    self.read_set(part, parent, until, out)?;
                }
                self.read_coded(part, place, (*parent, at), until, out)?;
            }
        }
        Ok(())
    }

    fn read_coded(
        &self,
        part: Part,
        place: usize,
        (parent, at): (Option<usize>, &CodedAt),
        until: usize,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let model = self.model(part.number, place, at)?;
        let corrupt = || self.corrupt(part.number, place, part.block);
        let VerdictBlock {
            sets,
            has_facts,
            facts,
            buffer,
            ..
        } = out;
        let (before, after) = sets.split_at_mut(place);
        let own = &mut after[0];
        let bytes = self.stored(set_number(part.number, place), at, part.block, buffer)?;
        let bytes = bytes.ok_or_else(corrupt)?;
        if bytes.is_empty() {
            own.decoded = 2 * part.planes;
            return Ok(());
        }
        let mut reader = match own.decoded {
            0 => Reader::new(bytes),
            _ => Reader::resume(bytes, own.place),
        };
        let side = &self.sides[part.number];
        let [won, lost] = &mut own.words;
        for turn in [Turn::Winner, Turn::Loser] {
            let first = turn as usize * part.planes;
            let from = own.decoded.max(first) - first;
            let to = until.min(first + part.planes).saturating_sub(first);
            if from >= to {
                continue;
            }
            // The plane before has a say.
            for plane in from.saturating_sub(1)..to {
                if !std::mem::replace(&mut has_facts[plane], true) {
                    let lanes = side.net.len();
                    let facts = &mut facts[plane * lanes..(plane + 1) * lanes];
                    side.find_facts(part.first + plane as u64, facts);
                }
            }
            let (winner, words) = match turn {
                Turn::Winner => (None, &mut *won),
                Turn::Loser => (Some(&won[..]), &mut *lost),
            };
            let planes = Planes {
                net: &side.net,
                facts,
                parent: parent.map(|parent| &before[parent].words[turn as usize][..]),
                winner,
                escapes: model.escapes,
            };
            decode(&planes, turn, from..to, model, &mut reader, words);
            own.decoded = first + to;
        }
        let place = reader.place().ok_or_else(corrupt)?;
        own.place = place;
        match own.decoded == 2 * part.planes && !reader.is_whole() {
            true => Err(corrupt()),
            false => Ok(()),
        }
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

    fn model(
        &self,
        number: usize,
        place: usize,
        at: &CodedAt,
    ) -> Result<&DecodingModel, TableError> {
        let kept = &self.sides[number].models[place];
        let model = match kept.get() {
            Some(model) => model,
            None => {
                let mut buffer = Vec::new();
                let bytes = self.bytes(at.start, at.model_bytes.into(), &mut buffer)?;
                let model = bytes.and_then(|bytes| {
                    let whole = crc32c(bytes) == at.model_crc;
                    let plain = whole.then(|| decompress_whole(bytes, MODEL_BYTES))?;
                    Model::from_bytes(&plain?).map(DecodingModel::new)
                });
                kept.get_or_init(|| model)
            }
        };
        model.as_ref().ok_or_else(|| {
            let section = number * SETS + place;
            self.error(TableErrorKind::ModelCorrupt { section })
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
