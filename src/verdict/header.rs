//! The header of a verdict table.

use std::ops::Range;

use crc32c::{crc32c, crc32c_append};

use crate::board::Color;
use crate::container::bytes::{ByteReader, Parsed};
use crate::container::index::BlockIndex;
use crate::container::{Format, Part};
use crate::material::CanonicalMaterial;
use crate::rules::{RuleSet, RuleSets};
use crate::table::has_bia_of_other_rules;
use crate::table_kind::TableKind;

use super::layout::PlaneLayout;
use super::model::Model;

/// The latest format version, of tables with bia that have results for another rule set than
/// makruk.
pub const VERSION: u32 = 5;

/// The format version of tables that lack a rule set, and the first whose header lists them.
const VERSION_WITH_RULE_SETS: u32 = 4;

/// The format version of tables that have all rule sets.
const VERSION_OF_ALL_RULES: u32 = 3;

/// The format version of a table of this material with these rule sets.
pub(super) fn version(material: CanonicalMaterial, rules: RuleSets) -> u32 {
    match rules == RuleSets::ALL {
        _ if has_bia_of_other_rules(material, rules) => VERSION,
        true => VERSION_OF_ALL_RULES,
        false => VERSION_WITH_RULE_SETS,
    }
}

/// The versions of the file format.
pub(super) const FORMAT: Format = Format {
    kind: TableKind::Verdicts,
    versions: VERSION_OF_ALL_RULES..=VERSION,
    rule_sets_since: VERSION_WITH_RULE_SETS,
};

/// The file name of a material's verdict table, such as `KSMvK.skv`.
pub fn file_name(material: CanonicalMaterial) -> String {
    FORMAT.kind.file_name(material)
}

/// The number of blocks in a group of the index.
pub(super) const GROUP: u64 = 64;

/// The length in bytes of the checksum at the start of an index entry.
pub(super) const CHECK_BYTES: u64 = 2;

/// The largest number of lanes in a block.
pub(super) const MAX_BLOCK_LANES: u64 = 1 << 12;

/// A set of positions that one side wins, on the board or inside the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// The positions won when nothing is counted.
    Board,
    /// The positions won inside a count that begins now.
    InTime(RuleSet),
}

/// The number of sets for each side.
pub(super) const SETS: usize = 1 + RuleSet::ALL.len();

impl Set {
    /// The number of sets for each side.
    pub const COUNT: usize = SETS;

    /// All sets, each after every set that can be its parent.
    pub fn all() -> impl Iterator<Item = Set> {
        std::iter::once(Set::Board).chain(RuleSet::ALL.map(Set::InTime))
    }

    /// The index of this set in [`Set::all`].
    pub fn place(self) -> usize {
        match self {
            Set::Board => 0,
            Set::InTime(rules) => 1 + usize::from(rules.id()),
        }
    }
}

/// How a set is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// The set is not stored, because it is empty.
    Empty,
    /// The set is not stored, because it equals the earlier set with this index.
    Same(usize),
    /// The set is coded in blocks.
    Coded(CodedSet),
}

/// A set that is coded in blocks. Each block of its side has a part for this set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodedSet {
    /// The index of the parent, an earlier set that contains all positions of this set.
    pub parent: Option<usize>,
    /// The index of an earlier, similar set from which this set is predicted, if there is one. The
    /// format description calls it the *reference*.
    pub similar: Option<usize>,
    /// The index of the guide: the set whose words with the winner to move show to which squares
    /// the loser's king can escape.
    pub guide: usize,
    /// The number of bytes, 1 or 2, that an index entry uses for the length of this set's part.
    pub length_bytes: u8,
    /// The offset of the model, which is a zstd frame.
    pub model: u64,
    pub model_bytes: u32,
    pub model_crc: u32,
}

/// The sets of one side's wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub winner: Color,
    /// The groups and the bia, in the order of their digits in a plane's index, outermost first.
    pub order: Vec<u8>,
    /// The number of planes in a block.
    pub block_planes: u64,
    /// The number of planes in all blocks.
    pub planes: u64,
    pub sets: Vec<Stored>,
    /// The offset of the side's index, which follows the side's models and blocks in the file.
    pub index: u64,
}

/// The index of the set whose words are stored for this set: the set itself, or an equal earlier
/// set. `None` if the set is empty.
pub(super) fn resolve(sets: &[Stored], mut set: usize) -> Option<usize> {
    while let &Stored::Same(same) = sets.get(set)? {
        set = same;
    }
    (sets[set] != Stored::Empty).then_some(set)
}

impl Side {
    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.planes.div_ceil(self.block_planes)
    }

    /// The coded sets with their indices.
    pub fn coded(&self) -> impl Iterator<Item = (usize, &CodedSet)> {
        let sets = self.sets.iter().enumerate();
        sets.filter_map(|(place, stored)| match stored {
            Stored::Coded(set) => Some((place, set)),
            _ => None,
        })
    }

    /// The length in bytes of a block's index entry: the checksum, and the length of the part of
    /// each coded set.
    pub fn entry_bytes(&self) -> u64 {
        let lengths = self.coded().map(|(_, set)| u64::from(set.length_bytes));
        CHECK_BYTES + lengths.sum::<u64>()
    }

    /// For each coded set, its index and the length of its part of a block, in 16-bit words of the
    /// range coder. The lengths are read from `entry`, the block's index entry.
    pub fn lengths<'a>(&'a self, entry: &'a [u8]) -> impl Iterator<Item = (usize, u16)> + 'a {
        let mut rest = entry.get(CHECK_BYTES as usize..).unwrap_or(&[]);
        self.coded().map(move |(place, set)| {
            let n = usize::from(set.length_bytes).min(rest.len());
            let (length, others) = rest.split_at(n);
            rest = others;
            let words = length
                .iter()
                .rev()
                .fold(0, |n, &byte| n << 8 | u16::from(byte));
            (place, words)
        })
    }

    /// The side's index of blocks.
    pub fn block_index(&self) -> BlockIndex {
        BlockIndex {
            offset: self.index,
            blocks: self.blocks(),
            group: GROUP,
            entry_bytes: self.entry_bytes(),
        }
    }

    /// The ranges of models, blocks and index in the file; `None` if no set is coded.
    pub fn part(&self) -> Option<Part> {
        let models: Vec<_> = self.coded().map(|(_, set)| set.model_range()).collect();
        (!models.is_empty()).then(|| Part {
            models,
            index: self.block_index(),
        })
    }
}

impl CodedSet {
    /// The range of the model in the file.
    pub fn model_range(&self) -> Range<u64> {
        self.model..self.model.saturating_add(self.model_bytes.into())
    }
}

/// The checksum of a block: the lower half of a CRC-32C over the block's offset, side and index,
/// the lengths of its parts, and its bytes. Because the checksum covers all of these, the index
/// needs no checksum of its own, and no block can be mistaken for another.
pub(super) fn checksum(
    offset: u64,
    lengths: [u16; SETS],
    side: usize,
    block: u64,
    bytes: &[u8],
) -> u16 {
    let mut head = [0; 17 + 2 * SETS];
    head[..8].copy_from_slice(&offset.to_le_bytes());
    head[8..16].copy_from_slice(&block.to_le_bytes());
    head[16] = side as u8;
    for (head, length) in head[17..].chunks_mut(2).zip(lengths) {
        head.copy_from_slice(&length.to_le_bytes());
    }
    crc32c_append(crc32c(&head), bytes) as u16
}

/// The number of positions in each category, by rule set and by side to move, White first. The
/// categories run from win to loss, as in [`Category::ALL`](crate::rules::Category::ALL).
pub type CategoryCounts = [[[u64; 5]; 2]; 3];

/// The header of a verdict table, without the fields that all kinds of tables have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(super) rules: RuleSets,
    pub(super) counts: CategoryCounts,
    pub(super) sides: Vec<Side>,
}

impl Header {
    /// The rule sets for which the table has results.
    pub(crate) fn rules(&self) -> RuleSets {
        self.rules
    }

    /// Parses the header of a table of this material with these rule sets.
    pub(super) fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Header> {
        let mut counts = CategoryCounts::default();
        for count in counts.iter_mut().flatten().flatten() {
            *count = input.u64()?;
        }
        let sides = input.u8()?;
        let sides = (0..sides).map(|_| decode_side(input, material));
        let sides = sides.collect::<Parsed<Vec<Side>>>()?;
        let has = |side: &Side, rules| side.sets[Set::InTime(rules).place()] != Stored::Empty;
        let stray = |side: &Side| rules.missing().any(|missing| has(side, missing));
        match sides.iter().any(stray) {
            true => Err("a set belongs to a rule set that the header does not list"),
            false => Ok(Header {
                rules,
                counts,
                sides,
            }),
        }
    }
}

fn decode_side(input: &mut ByteReader<'_>, material: CanonicalMaterial) -> Parsed<Side> {
    let winner = match input.u8()? {
        0 => Color::White,
        1 => Color::Black,
        _ => return Err("a side has an unknown colour"),
    };
    let order = input.short_bytes()?.to_vec();
    let block_planes = u64::from(input.u8()?);
    let layout = PlaneLayout::new(material, winner, &order)
        .ok_or("its order of men does not fit its material")?;
    let lanes = block_planes * layout.domain().len() as u64;
    if lanes == 0 || lanes > MAX_BLOCK_LANES {
        return Err("its blocks have an impossible size");
    }
    let sets: Vec<Stored> = (0..SETS)
        .map(|place| {
            let kind = input.u8()?;
            let parent = usize::from(input.u8()?);
            let parent = match parent.checked_sub(1) {
                Some(parent) if parent >= place => {
                    return Err("a set's parent comes after it");
                }
                parent => parent,
            };
            match (kind, parent) {
                (0, None) => Ok(Stored::Empty),
                (1, Some(parent)) => Ok(Stored::Same(parent)),
                (2, parent) => Ok(Stored::Coded(CodedSet {
                    parent,
                    similar: match usize::from(input.u8()?).checked_sub(1) {
                        Some(similar) if similar >= place => {
                            return Err("a set refers to a later set");
                        }
                        similar => similar,
                    },
                    guide: input.u8()?.into(),
                    length_bytes: input.u8()?,
                    model: input.u64()?,
                    model_bytes: input.u32()?,
                    model_crc: input.u32()?,
                })),
                _ => Err("a set is stored in an unknown way"),
            }
        })
        .collect::<Parsed<_>>()?;
    let side = Side {
        winner,
        order,
        block_planes,
        planes: layout.planes(),
        index: input.u64()?,
        sets,
    };
    for (_, set) in side.coded() {
        if resolve(&side.sets, set.guide).is_none() {
            return Err("a set's guide is empty");
        }
        if !(1..=2).contains(&set.length_bytes) {
            return Err("the lengths in an index have an impossible size");
        }
    }
    Ok(side)
}

/// The length of a decompressed model in bytes.
pub(super) const MODEL_BYTES: usize = Model::BYTES;
