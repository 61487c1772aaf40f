//! Checks the library with arbitrary bytes as a table or text as a FEN: no panic, no hang, no wrong
//! value. Used by the fuzz targets, and by `tests/table/fuzz.rs`, which passes it ten thousand
//! damaged tables, the same ones in every run.

#![allow(dead_code, reason = "each user of it needs a part")]

use std::ops::Range;

use sakmak::board::{Color, Fen, Lettering, Position, Role, Square};
use sakmak::probe::{Options, Tablebase};
use sakmak::rules::{Count, RuleSet};
use sakmak::table::{Block, Decoder, Section, Table, TableError};
use sakmak::verdict::{Set, Turn, VerdictBlock, Verdicts};

#[allow(clippy::duplicate_mod, reason = "tests use it in both files")]
#[path = "seal.rs"]
mod seal;
pub use seal::reseal;

/// The most cells read from a file; the rest is skipped, since a file of a few bytes may claim any
/// number of cells.
const MOST_CELLS: u64 = 1 << 22;

/// Reads everything that can be read of a table of either kind, and probes it.
pub fn table(bytes: &[u8]) {
    probe(bytes);
    if let Ok(verdicts) = Verdicts::new(bytes) {
        read_verdicts(&verdicts);
    }
    let Ok(table) = Table::new(bytes) else {
        return;
    };
    let _ = table.material();
    let mut left = MOST_CELLS;
    for section in table.sections() {
        let header = section.header();
        let (mut decoder, mut block) = (Decoder::new(), Block::new());
        for number in some_blocks(section, &mut left) {
            if section.read_block(number, &mut decoder, &mut block).is_ok() {
                assert_eq!(block.len(), header.cells_of(number));
                let codes = header.info.codes.len();
                let all = (0..block.len()).filter_map(|place| block.get(place));
                assert!(all.max().is_none_or(|code| usize::from(code) < codes));
            }
        }
        let _ = section.code(0);
        let _ = section.code(u64::MAX);
        if header.cells <= 1 << 16 {
            let _ = section.decode_all(&|_| {});
        }
    }
    if left > 0 {
        let _ = table.check(&|_| {});
    }
}

/// Reads some blocks of a verdict table, with all of its sets.
fn read_verdicts(verdicts: &Verdicts<&[u8]>) {
    let mut block = VerdictBlock::default();
    for winner in verdicts.winners() {
        let sets: Vec<_> = Set::all().map(|set| (set, Turn::Loser)).collect();
        let (_, blocks) = verdicts.blocks(winner).unwrap_or_default();
        for number in [0, 1, blocks / 2, blocks.saturating_sub(1), blocks, u64::MAX] {
            let _ = verdicts.read_block(winner, &sets, number, &mut block);
        }
    }
}

/// Probes a table by itself, without those of smaller endings.
fn probe(bytes: &[u8]) {
    let options = Options {
        cache_bytes: 1 << 16,
        ..Options::default()
    };
    let Ok(mut tablebase) = Tablebase::with_options(&options) else {
        return;
    };
    let Ok(material) = tablebase.add_bytes(bytes.to_vec()) else {
        return;
    };
    let men: Vec<(Color, Role)> = material.material().roles().collect();
    let mut random = Random(1);
    for n in 0..8 {
        let men = men.iter().map(|&(color, role)| {
            // Bia of either side may be on these ranks.
            let (first, squares) = if role == Role::Bia { (24, 16) } else { (0, 64) };
            (Square::wrapping(first + random.below(squares)), color, role)
        });
        let Ok(position) = Position::from_men(men.collect::<Vec<_>>(), Color::ALL[n % 2]) else {
            continue;
        };
        for rules in RuleSet::ALL {
            let _ = tablebase.category(&position, rules, &Count::Fresh);
            let _ = tablebase.probe(&position, rules, &Count::Fresh);
        }
    }
}

/// Reads the blocks of a section: all, or as many as `left` allows.
fn some_blocks<B: AsRef<[u8]>>(section: Section<'_, B>, left: &mut u64) -> Vec<u64> {
    let header = section.header();
    let mut blocks = Vec::new();
    for number in 0..header.blocks() {
        let cells = header.cells_of(number) as u64;
        if cells > *left {
            *left = 0;
            break;
        }
        *left -= cells;
        blocks.push(number);
    }
    blocks
}

/// Parses a text as a FEN. If it is valid, the position is legal, is written as it was read, and
/// can be probed.
pub fn fen(text: &str) {
    for rules in RuleSet::ALL {
        let lettering = rules.lettering();
        let Ok(fen) = Fen::parse(text, lettering) else {
            continue;
        };
        let written = fen.display(lettering).with_promoted().to_string();
        assert_eq!(Fen::parse(&written, lettering), Ok(fen), "{text:?}");
        let position = fen.position;
        for m in position.legal_moves_in(lettering.game()) {
            let san = position.san(m, lettering);
            assert_eq!(
                position.parse_san(&san, lettering).ok(),
                Some(m),
                "{text:?}"
            );
            let next = position.play(m);
            assert!(next.occupied().len() <= position.occupied().len());
        }
        let count = Count::from_fen(&fen);
        let _ = count.validate(rules, position.material());
        let _ = count.note(rules, position.material(), position.turn());
        assert_eq!(position.flipped().flipped(), position);
    }
    let _ = text.parse::<sakmak::material::CanonicalMaterial>();
    let _ = sakmak::material::parse_set(text);
    let position = Fen::parse("8/8/8/8/8/2k5/8/K6R w", Lettering::Makruk).map(|fen| fen.position);
    if let Ok(position) = position {
        let _ = position.parse_san(text, Lettering::Makruk);
    }
}

/// A whole table, to which damaged copies are compared.
pub struct Intact {
    /// The bytes of its file.
    pub bytes: Vec<u8>,
    /// All cells of its first sections.
    cells: Vec<Vec<u16>>,
}

impl Intact {
    /// The table in these bytes.
    pub fn new(bytes: Vec<u8>) -> Result<Intact, TableError> {
        let table = Table::new(&bytes[..])?;
        table.check(&|_| {})?;
        let mut cells = Vec::new();
        for section in table.sections() {
            let mut all = Vec::new();
            let (mut decoder, mut block) = (Decoder::new(), Block::new());
            for number in 0..section.header().blocks() {
                section.read_block(number, &mut decoder, &mut block)?;
                all.extend((0..block.len()).filter_map(|place| block.get(place)));
            }
            cells.push(all);
        }
        Ok(Intact { bytes, cells })
    }

    /// Reads a damaged copy. Everything that is not rejected must be unchanged: the header, and
    /// each of `blocks` evenly spread blocks of every section. A check of the whole file must find
    /// the damage, if nothing found it before. Returns whether the copy could be opened, and the
    /// number of rejected blocks.
    pub fn compare(&self, spoilt: &[u8], blocks: u64) -> (bool, usize) {
        let Ok(table) = Table::new(spoilt) else {
            return (false, 0);
        };
        assert!(
            spoilt == self.bytes || table.check(&|_| {}).is_err(),
            "a spoilt table passes all its checks"
        );
        let Ok(intact) = Table::new(&self.bytes[..]) else {
            return (false, 0);
        };
        assert_eq!(table.material(), intact.material());
        assert_eq!(table.sections().len(), intact.sections().len());
        let mut refused = 0;
        for (section, whole) in table.sections().zip(intact.sections()) {
            assert_eq!(section.header(), whole.header());
            let cells = &self.cells[section.number()];
            let all = section.header().blocks();
            let (mut decoder, mut block) = (Decoder::new(), Block::new());
            for number in (0..all).step_by(all.div_ceil(blocks).max(1) as usize) {
                if section
                    .read_block(number, &mut decoder, &mut block)
                    .is_err()
                {
                    refused += 1;
                    continue;
                }
                let first = number as usize * section.header().block_cells as usize;
                let same =
                    (0..block.len()).all(|place| block.get(place) == Some(cells[first + place]));
                assert!(same && block.len() == section.header().cells_of(number));
            }
        }
        (true, refused)
    }
}

/// Reproducible random numbers: SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// A number below `end`, or 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    /// An offset in a file, often near its ends, where the most important fields are.
    fn place(&mut self, length: usize) -> usize {
        let near = self.below(96).min(length.saturating_sub(1));
        match self.below(4) {
            0 => near,
            1 => length.saturating_sub(1 + near),
            _ => self.below(length),
        }
    }
}

/// A damaged copy of a file, in one of several common ways. `other` is another file.
pub fn spoil(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let length = bytes.len();
    let (a, b) = (random.place(length), random.place(length));
    let (from, to) = (a.min(b), a.max(b));
    match random.below(13) {
        0..=3 => bytes[a] ^= 1 << random.below(8),
        4 => bytes[a] = random.below(256) as u8,
        5 => {
            for _ in 0..random.below(20) {
                let place = random.place(length);
                bytes[place] ^= 1 << random.below(8);
            }
        }
        6 => bytes.truncate(a),
        7 => bytes.extend_from_slice(&other[..random.below(other.len())]),
        8 => bytes[from..to].fill(0),
        9 => drop(bytes.drain(from..to)),
        10 => bytes.insert(a, random.below(256) as u8),
        11 => {
            // A part of the file at another offset.
            let part = bytes[from..to].to_vec();
            let place = random.below(length - part.len() + 1);
            bytes[place..place + part.len()].copy_from_slice(&part);
        }
        _ => {
            // A part of another table, at the same offset.
            let to = to.min(other.len());
            let from = from.min(to);
            bytes[from..to].copy_from_slice(&other[from..to]);
        }
    }
    bytes
}

/// The location of a section, found by its header as `docs/develop/format.md` describes it.
pub struct Place {
    /// The model and the blocks, contiguous.
    pub data: Range<usize>,
    /// The number of these bytes in the model.
    kept: usize,
    /// The offset of the model's checksum.
    crc_at: usize,
    /// True if the section is packed by symbol ranking. Its blocks then contain their checksums.
    ranked: bool,
    /// The offset of the index, after the blocks.
    index: usize,
    /// The number of blocks.
    blocks: u64,
}

impl Place {
    /// How many bytes an index entry has for the length, and how many for the checksum.
    fn entry_bytes(&self) -> (usize, usize) {
        if self.ranked { (2, 0) } else { (3, 4) }
    }
}

/// The sections of a distance table. None if its header cannot be parsed.
pub fn sections(file: &[u8]) -> Option<Vec<Place>> {
    if file.get(3) != Some(&b'M') {
        return None;
    }
    let mut reader = Reader { file, at: 8 };
    let version = reader.number(4)?;
    reader.at = 24;
    reader.at = reader.number(8)?;
    reader.skip(4)?;
    let name = reader.number(1)?;
    reader.skip(name)?;
    // Its rule sets.
    reader.skip(usize::from(version >= 6))?;
    let mut found = Vec::new();
    for _ in 0..reader.number(1)? {
        reader.skip(4)?;
        let order = reader.number(1)?;
        reader.skip(order)?;
        let (cells, block_cells) = (reader.number(8)?, reader.number(4)?);
        let ranked = reader.number(1)? != 0;
        let start = reader.number(8)?;
        let kept = reader.number(4)?;
        let crc_at = reader.at;
        reader.skip(4)?;
        let index = reader.number(8)?;
        let codes = reader.number(4)?;
        reader.skip(codes.checked_mul(3)?)?;
        for _ in 0..2 {
            reader.skip(8)?;
            for _ in 0..2 {
                let wins = reader.number(4)?;
                reader.skip(wins.checked_mul(8)?)?;
            }
            for _ in 0..2 {
                for _ in 0..reader.number(4)? {
                    let men = reader.number(1)?;
                    reader.skip(men)?;
                }
            }
        }
        found.push(Place {
            data: start..index,
            kept,
            crc_at,
            ranked,
            index,
            blocks: cells.div_ceil(block_cells.max(1)) as u64,
        });
    }
    Some(found)
}

/// Reads consecutive numbers.
struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.at = self.at.checked_add(bytes)?;
        (self.at <= self.file.len()).then_some(())
    }

    fn number(&mut self, bytes: usize) -> Option<usize> {
        let start = self.at;
        self.skip(bytes)?;
        let part = self.file[start..self.at].iter().rev();
        Some(part.fold(0, |n, &byte| n << 8 | usize::from(byte)))
    }
}

/// Does what [`reseal`] does, and also makes the checksums of models and blocks valid, so that the
/// decoders get arbitrary input too.
pub fn reseal_all(bytes: &mut [u8]) {
    for (number, place) in sections(bytes).unwrap_or_default().iter().enumerate() {
        let start = place.data.start;
        let kept = start.checked_add(place.kept);
        if let Some(kept) = kept.and_then(|end| bytes.get(start..end)) {
            let crc = crc32c::crc32c(kept);
            bytes[place.crc_at..place.crc_at + 4].copy_from_slice(&crc.to_le_bytes());
        }
        let _ = reseal_blocks(bytes, number, place);
    }
    reseal(bytes);
}

/// Makes the checksums in the index of a section valid, if there are any.
fn reseal_blocks(bytes: &mut [u8], section: usize, place: &Place) -> Option<()> {
    const GROUP: u64 = 32;
    if place.ranked {
        return None;
    }
    let (mut entry, mut from) = (place.index, 0);
    for block in 0..place.blocks {
        let mut reader = Reader {
            file: bytes,
            at: entry,
        };
        if block % GROUP == 0 {
            from = reader.number(8)?;
        }
        let (length_bytes, crc_bytes) = place.entry_bytes();
        let length = reader.number(length_bytes)?;
        let crc_at = reader.at;
        reader.skip(crc_bytes)?;
        entry = reader.at;
        let to = from.checked_add(length)?;
        let mut sealed = (from as u64).to_le_bytes().to_vec();
        sealed.extend_from_slice(&(length as u32).to_le_bytes());
        sealed.extend_from_slice(&block.to_le_bytes());
        sealed.push(section as u8);
        if let Some(block) = bytes.get(from..to) {
            let crc = crc32c::crc32c_append(crc32c::crc32c(&sealed), block);
            bytes[crc_at..crc_at + 4].copy_from_slice(&crc.to_le_bytes());
        }
        from = to;
    }
    Some(())
}

/// A copy of a whole file with changed bytes in a section's model or blocks, or bytes moved to the
/// next block, with all checksums valid.
pub fn spoil_inside(random: &mut Random, file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let places = sections(file).unwrap_or_default();
    let Some(place) = places.get(random.below(places.len())) else {
        return bytes;
    };
    // A model is small compared to the blocks: it is changed every fourth time.
    let data = match place.kept {
        1.. if random.below(4) == 0 => place.data.start..place.data.start + place.kept,
        kept => place.data.start + kept..place.data.end,
    };
    let at = |random: &mut Random| data.start + random.below(data.len());
    let (a, b) = (at(random), at(random));
    match random.below(8) {
        0..=2 => bytes[a] ^= 1 << random.below(8),
        3 => bytes[a] = random.below(256) as u8,
        4 => {
            for _ in 0..random.below(40) {
                let at = at(random);
                bytes[at] ^= 1 << random.below(8);
            }
        }
        5 => {
            // A part of the file at another offset.
            let length = random.below(64).min(data.end - a.max(b));
            bytes.copy_within(a..a + length, b);
        }
        6 => {
            for byte in &mut bytes[a..data.end.min(a + 64)] {
                *byte = random.below(256) as u8;
            }
        }
        _ => {
            // One block shorter and the next longer, or all following ones shifted.
            let entry = random.below(place.blocks.min(31) as usize);
            let (length_bytes, crc_bytes) = place.entry_bytes();
            let bytes_of_entry = length_bytes + crc_bytes;
            let length = place.index + 8 + bytes_of_entry * entry;
            let moved = random.below(8) as u8;
            bytes[length] = bytes[length].wrapping_sub(moved);
            if entry + 1 < place.blocks.min(32) as usize {
                let next = &mut bytes[length + bytes_of_entry];
                *next = next.wrapping_add(moved);
            }
        }
    }
    reseal_all(&mut bytes);
    bytes
}
