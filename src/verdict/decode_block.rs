//! Decodes the blocks of verdict tables.

use std::sync::atomic::Ordering;

use super::block::VerdictBlock;
use super::codec::decode;
use super::header::{CodedSet, GROUP, SETS, Set, Side, Stored, checksum, resolve};
use super::read::Verdicts;
use super::words::{Planes, Turn};
use crate::board::Color;
use crate::container::{Source, TableError, TableErrorKind};
use crate::rans::Reader;

/// Marks in `needed` the set `set` and every set whose words are needed to decode its words with
/// `turn` to move.
fn mark_needed(sets: &[Stored], set: usize, turn: Turn, needed: &mut [bool; SETS]) {
    needed[set] = true;
    let Stored::Coded(coded) = &sets[set] else {
        return;
    };
    for other in [coded.parent, coded.similar].into_iter().flatten() {
        if let Some(other) = resolve(sets, other) {
            mark_needed(sets, other, turn, needed);
        }
    }
    let guide = resolve(sets, coded.guide).filter(|_| turn == Turn::Loser);
    if let Some(guide) = guide {
        mark_needed(sets, guide, Turn::Winner, needed);
    }
}

/// A block of one side's sets.
#[derive(Clone, Copy, Debug)]
struct SideBlock {
    /// The index of the side in the table.
    side: usize,
    /// The index of the block.
    number: u64,
    /// The index of the block's first plane.
    first: u64,
    /// The number of planes in the block.
    planes: usize,
}

/// The location of a word in a verdict table.
#[derive(Clone, Copy, Debug)]
pub struct WordPlace {
    /// The side whose wins the word contains.
    pub winner: Color,
    /// The index of the set, as [`Verdicts::stored_set`] returns it.
    pub set: usize,
    /// The side to move.
    pub turn: Turn,
    /// The index of the block.
    pub block: u64,
    /// The lane's index in the block.
    pub lane: usize,
}

/// A cache of one block's pages. A page contains the decoded words of one set in the block: the words
/// with the winner to move, then the words with the loser to move.
pub trait Pages {
    /// Copies the cached page of a set to `words`. Returns false if no page is cached; `words` are
    /// then undefined.
    fn take(&self, set: usize, words: [&mut [u64]; 2]) -> bool;
    /// Caches the page of a set, in place of its older page, if the words fit into a page.
    fn keep(&self, set: usize, words: [&[u64]; 2]);
}

impl<B: Source> Verdicts<B> {
    /// Decodes the words of some sets in a block, and of the sets on which these depend. For a set
    /// with [`Turn::Winner`], only the words with the winner to move are decoded; for a set with
    /// [`Turn::Loser`], all of its words are. In [`VerdictBlock::words`], the word of a lane is at
    /// `plane * lanes + lane`, where `plane` is the plane's index in the block, and `lanes` the
    /// number of lanes in a plane.
    ///
    /// # Errors
    ///
    /// If the side has no block with this index, or if the block or a model is corrupt or cannot be
    /// read.
    pub fn read_block(
        &self,
        winner: Color,
        sets: &[(Set, Turn)],
        block: u64,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let block = self.side_block(winner, block)?;
        self.load(block, out)?;
        let lanes = out.facts.len();
        sets.iter().try_for_each(|&(set, turn)| {
            self.read_set(block, set.place(), (1 + turn as usize) * lanes, out)
        })
    }

    /// Computes the legal squares of a block's lanes, for [`VerdictBlock::legal`].
    ///
    /// # Errors
    ///
    /// If the side has no block with this index, or if the block is corrupt or cannot be read.
    pub fn read_legal(
        &self,
        winner: Color,
        block: u64,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let block = self.side_block(winner, block)?;
        self.load(block, out)?;
        let side = &self.kind.sides[block.side];
        let VerdictBlock {
            has_facts, facts, ..
        } = out;
        side.compute_missing_facts(block.first, 0..block.planes, has_facts, facts);
        Ok(())
    }

    /// Decodes a word and the words on which it depends, beginning where the cached pages end. Then
    /// caches the pages with the newly decoded words.
    ///
    /// # Errors
    ///
    /// If the side has no block with this index, or if the block or a model is corrupt or cannot be
    /// read.
    pub fn read_word(
        &self,
        at: WordPlace,
        pages: &impl Pages,
        out: &mut VerdictBlock,
    ) -> Result<u64, TableError> {
        let block = self.side_block(at.winner, at.block)?;
        let side = &self.kind.sides[block.side];
        let in_plane = side.net.len();
        let lanes = block.planes * in_plane;
        // The lane of a plane that is decoded last.
        let last = side.net.last().map_or(0, |entry| entry.lane());
        let king = side.layout.domain()[last].index() as u32;
        self.load(block, out)?;
        let mut before = [0; SETS];
        let mut needed = [false; SETS];
        mark_needed(
            &self.kind.header.sides[block.side].sets,
            at.set,
            at.turn,
            &mut needed,
        );
        for set in (0..SETS).filter(|&set| needed[set]) {
            let words = &mut out.sets[set];
            if words.decoded == 0 {
                words.make_room(lanes);
                if pages.take(set, words.words.each_mut().map(|words| &mut words[..])) {
                    words.resume(&side.net, king);
                }
            }
            before[set] = words.decoded;
        }
        let in_net = usize::from(side.net_indices[at.lane % in_plane]);
        let until = at.turn as usize * lanes + at.lane / in_plane * in_plane + in_net + 1;
        self.read_set(block, at.set, until, out)?;
        for set in (0..SETS).filter(|&set| needed[set]) {
            let words = &mut out.sets[set];
            // The page of the requested set is cached even if `out` already contained the word: the
            // caller has not found the word in the cached page.
            if words.decoded > before[set] || set == at.set {
                words.mark_missing(&side.net, king);
                pages.keep(set, words.words.each_ref().map(|words| &words[..]));
            }
        }
        let words = &out.sets[at.set].words[at.turn as usize];
        Ok(words.get(at.lane).copied().unwrap_or(0))
    }

    /// The block with this index in one side's sets. Fails if the side has no block with this
    /// index.
    fn side_block(&self, winner: Color, number: u64) -> Result<SideBlock, TableError> {
        let found = self.side(winner).and_then(|index| {
            let side = &self.kind.header.sides[index];
            let first = (number < side.blocks()).then_some(number * side.block_planes)?;
            Some(SideBlock {
                side: index,
                number,
                first,
                planes: side.block_planes.min(side.planes - first) as usize,
            })
        });
        let count = self.blocks(winner).map_or(0, |(_, count)| count);
        let missing = TableErrorKind::OutOfRange {
            asked: number,
            count,
        };
        found.ok_or_else(|| self.error(missing))
    }

    /// Reads and checks the bytes of a block, unless they are already loaded.
    fn load(&self, block: SideBlock, out: &mut VerdictBlock) -> Result<(), TableError> {
        let this = (self.kind.number, block.side, block.number);
        if out.loaded == Some(this) {
            return Ok(());
        }
        out.loaded = None;
        out.start(block.planes, self.kind.sides[block.side].net.len());
        let VerdictBlock {
            parts,
            bytes: all,
            buffer,
            ..
        } = out;
        let side = &self.kind.header.sides[block.side];
        if side.coded().next().is_none() {
            return Ok(());
        }
        let corrupt = || {
            let first = side.coded().next().map_or(0, |(set, _)| set);
            self.corrupt(block, first)
        };
        let (offset, lengths, check) = self
            .entry(side, block.number, buffer)?
            .ok_or_else(corrupt)?;
        let length = lengths.iter().map(|&words| 2 * u64::from(words)).sum();
        let bytes = self.more_bytes(offset, length, buffer)?;
        let bytes = bytes.ok_or_else(corrupt)?;
        if checksum(offset, lengths, block.side, block.number, bytes) != check {
            return Err(corrupt());
        }
        all.clear();
        all.extend_from_slice(bytes);
        let mut start = 0;
        for (part, &words) in parts.iter_mut().zip(&lengths) {
            let end = start + 2 * usize::from(words);
            *part = start..end;
            start = end;
        }
        out.loaded = Some(this);
        Ok(())
    }

    /// Reads the index entry of a block. Returns the block's offset, the length of each set's part
    /// in words of the range coder, and the checksum; `None` if the entry is invalid.
    fn entry(
        &self,
        side: &Side,
        block: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(u64, [u16; SETS], u16)>, TableError> {
        let index = side.block_index();
        let (offset, length) = index.group(block / GROUP, block % GROUP + 1);
        let group = self.bytes(offset, length, buffer)?;
        let last = group
            .and_then(|bytes| index.entries(bytes))
            .and_then(|entries| {
                entries.last(|entry| {
                    let words = side.lengths(entry).map(|(_, words)| u64::from(words));
                    2 * words.sum::<u64>()
                })
            });
        Ok(last.map(|(offset, entry)| {
            let mut lengths = [0; SETS];
            for (set, words) in side.lengths(entry) {
                lengths[set] = words;
            }
            let check = entry.first_chunk().copied().unwrap_or_default();
            (offset, lengths, u16::from_le_bytes(check))
        }))
    }

    /// Decodes the words of a set, and of the sets on which it depends, until the set has `until`
    /// decoded words, or all if no block of one of these sets has been decoded to its end yet. Words
    /// with the winner to move come first in the decoding order.
    fn read_set(
        &self,
        block: SideBlock,
        set: usize,
        until: usize,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let side = &self.kind.header.sides[block.side];
        let mut needed = [false; SETS];
        mark_needed(&side.sets, set, Turn::Winner, &mut needed);
        let fits = &self.kind.sides[block.side].fits;
        let is_unchecked = side.coded().any(|(set, _)| {
            needed[set] && !out.parts[set].is_empty() && !fits[set].load(Ordering::Relaxed)
        });
        let all = 2 * out.facts.len();
        self.decode_set(block, set, if is_unchecked { all } else { until }, out)
    }

    /// Decodes the words of a set, and of the sets on which it depends, until the set has `until`
    /// decoded words.
    fn decode_set(
        &self,
        block: SideBlock,
        set: usize,
        until: usize,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        if out.sets[set].decoded >= until {
            return Ok(());
        }
        let lanes = out.facts.len();
        out.sets[set].make_room(lanes);
        let sets = &self.kind.header.sides[block.side].sets;
        match &sets[set] {
            Stored::Empty => out.sets[set].set_empty(),
            &Stored::Same(same) => {
                self.decode_set(block, same, until, out)?;
                let (before, after) = out.sets.split_at_mut(set);
                let (same, own) = (&before[same], &mut after[0]);
                own.decoded = same.decoded;
                for (words, same) in own.words.iter_mut().zip(&same.words) {
                    words.clone_from(same);
                }
            }
            Stored::Coded(coded) => {
                for other in [coded.parent, coded.similar].into_iter().flatten() {
                    self.decode_set(block, other, until, out)?;
                }
                let guide = resolve(sets, coded.guide).unwrap_or(set);
                if guide != set && until > lanes {
                    self.decode_set(block, set, lanes, out)?;
                    self.decode_set(block, guide, lanes, out)?;
                }
                self.read_coded(block, set, (coded, guide), until, out)?;
            }
        }
        Ok(())
    }

    /// Decodes the words of a coded set as [`Verdicts::decode_set`] does. The words on which they
    /// depend must be decoded.
    fn read_coded(
        &self,
        block: SideBlock,
        set: usize,
        (coded, guide): (&CodedSet, usize),
        until: usize,
        out: &mut VerdictBlock,
    ) -> Result<(), TableError> {
        let model = self.model(block.side, set, coded)?;
        let corrupt = || self.corrupt(block, set);
        let VerdictBlock {
            sets,
            has_facts,
            facts,
            votes,
            parts,
            bytes,
            ..
        } = out;
        let bytes = &bytes[parts[set].clone()];
        let mut own = std::mem::take(&mut sets[set]);
        let lanes = facts.len();
        if bytes.is_empty() {
            own.set_empty();
            sets[set] = own;
            return Ok(());
        }
        let mut reader = match own.decoded {
            0 => Reader::from_zero(bytes),
            _ => Reader::resume(bytes, own.place),
        };
        let side = &self.kind.sides[block.side];
        let [won, lost] = &mut own.words;
        for turn in [Turn::Winner, Turn::Loser] {
            let first = turn as usize * lanes;
            let from = own.decoded.max(first) - first;
            let to = until.min(first + lanes).saturating_sub(first);
            if from >= to {
                continue;
            }
            let in_plane = side.net.len();
            // The previous plane is needed too: it votes on the first plane that is decoded.
            let needed = (from / in_plane).saturating_sub(1)..to.div_ceil(in_plane);
            side.compute_missing_facts(block.first, needed, has_facts, facts);
            let (guide, words) = match turn {
                Turn::Winner => (None, &mut *won),
                Turn::Loser if guide == set => (Some(&won[..]), &mut *lost),
                Turn::Loser => (Some(&sets[guide].words[0][..]), &mut *lost),
            };
            let words_of = |set: usize| &sets[set].words[turn as usize][..];
            let planes = Planes {
                net: &side.net,
                facts,
                parent: coded.parent.map(words_of),
                similar: coded.similar.map(words_of),
                outsiders: model.outsiders,
                guide,
                king_steps: model.king_steps,
            };
            decode(&planes, turn, from..to, model, &mut reader, words, votes);
            own.decoded = first + to;
        }
        let is_whole = own.decoded == 2 * lanes;
        let end = reader.place().filter(|_| !is_whole || reader.is_at_zero());
        own.place = end.unwrap_or_default();
        sets[set] = own;
        match end {
            Some(_) => {
                if is_whole {
                    side.fits[set].store(true, Ordering::Relaxed);
                }
                Ok(())
            }
            None => {
                out.loaded = None;
                Err(corrupt())
            }
        }
    }

    /// The error for a corrupt block. In errors, the sets of all sides are numbered as sections.
    fn corrupt(&self, block: SideBlock, set: usize) -> TableError {
        self.error(TableErrorKind::BlockCorrupt {
            section: block.side * SETS + set,
            block: block.number,
        })
    }
}
