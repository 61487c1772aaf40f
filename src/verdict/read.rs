//! Opens verdict tables: the kind for the container, and the sets, sides and blocks that the header lists.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::codec::CodingModel;
use super::coding::{Coding, Ties};
use super::facts::LaneFacts;
use super::header::{CategoryCounts, MODEL_BYTES, SETS, resolve};
use super::header::{CodedSet, FORMAT, Header, Set, Side};
use super::layout::PlaneLayout;
use super::model::Model;
use super::net::{NetEntry, net};
use super::whole;
use crate::board::Color;
use crate::container::bytes::{ByteReader, Parsed};
use crate::container::decompress::decompress_whole;
use crate::container::{Container, FileBytes, Format, Kind, LazyModel, Part, Source, TableError};
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;
use crate::table::rules_revision;

/// The verdict table of one ending, read from the bytes of its file.
pub type Verdicts<B> = Container<VerdictSets, B>;

/// A verdict table in a file, read in place, memory-mapped or loaded.
pub type VerdictFile = Verdicts<FileBytes>;

/// The content of a verdict table's header, prepared for reading: see [`Verdicts`].
#[derive(Debug)]
pub struct VerdictSets {
    /// A number that distinguishes this opened table from all others.
    pub(super) number: u64,
    pub(super) header: Header,
    pub(super) sides: Vec<SideReader>,
}

/// The data for decoding the sets of one side's wins.
#[derive(Debug)]
pub(super) struct SideReader {
    pub layout: PlaneLayout,
    pub net: Vec<NetEntry>,
    /// For each lane, its index in the decoding order `net`.
    pub net_indices: Vec<u8>,
    pub models: [LazyModel<CodingModel>; SETS],
    /// For each set, true once a block was decoded to its end without an error. Only the end of a
    /// block's part shows that the header describes the coding: a block decoded in part with, for
    /// example, another number of planes gives words that are wrong.
    pub fits: [AtomicBool; SETS],
}

/// The number for the next opened table.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl SideReader {
    /// Computes the facts of the lanes in `planes`, unless `has_facts` is true for the plane.
    /// `planes` contains indices of planes in the block, and `first` is the index of the block's
    /// first plane.
    pub fn compute_missing_facts(
        &self,
        first: u64,
        planes: Range<usize>,
        has_facts: &mut [bool],
        facts: &mut [LaneFacts],
    ) {
        let in_plane = self.net.len();
        for plane in planes {
            if !std::mem::replace(&mut has_facts[plane], true) {
                let facts = &mut facts[plane * in_plane..(plane + 1) * in_plane];
                self.compute_facts(first + plane as u64, facts);
            }
        }
    }

    /// Computes the facts of the lanes of a plane.
    fn compute_facts(&self, plane: u64, facts: &mut [LaneFacts]) {
        self.layout
            .plane_men(plane)
            .fill(self.layout.domain(), facts);
    }
}

impl Kind for VerdictSets {
    const FORMAT: Format = FORMAT;

    fn rules_revision(material: CanonicalMaterial) -> u32 {
        rules_revision(material)
    }

    fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<VerdictSets> {
        let header = Header::decode(input, material, rules)?;
        let reader = |side: &Side| {
            let layout = PlaneLayout::new(material, side.winner, &side.order)?;
            let net = net(layout.domain());
            let index = |lane| {
                let index = net.iter().position(|entry| entry.lane() == lane)?;
                Some(index as u8)
            };
            Some(SideReader {
                net_indices: (0..net.len()).filter_map(index).collect(),
                net,
                layout,
                models: Default::default(),
                fits: Default::default(),
            })
        };
        Ok(VerdictSets {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            // `Header::decode` has already built these layouts, so none is missing.
            sides: header.sides.iter().filter_map(reader).collect(),
            header,
        })
    }

    fn parts(&self) -> Vec<Part> {
        self.header.sides.iter().filter_map(Side::part).collect()
    }

    fn check_whole(&self, version: u32, material: CanonicalMaterial, _: RuleSets) -> Parsed<()> {
        whole::check(&self.header, version, material)
    }
}

impl<B: Source> Verdicts<B> {
    /// The header of the table.
    pub(crate) fn header(&self) -> &Header {
        &self.kind.header
    }

    /// The number of positions in each category.
    pub fn counts(&self) -> &CategoryCounts {
        &self.kind.header.counts
    }

    /// The sides whose wins are stored, in the order of the file.
    pub fn winners(&self) -> impl Iterator<Item = Color> {
        self.kind.header.sides.iter().map(|side| side.winner)
    }

    /// The numbering of the positions in a side's sets; `None` if the table has no sets of the
    /// side's wins, because the side never wins or, with equal armies, because it is Black.
    pub fn layout(&self, winner: Color) -> Option<&PlaneLayout> {
        Some(&self.kind.sides[self.side(winner)?].layout)
    }

    /// The number of planes in a block, and the number of blocks, of a side's sets; `None` if the
    /// table has no sets of the side's wins.
    pub fn blocks(&self, winner: Color) -> Option<(u64, u64)> {
        let side = &self.kind.header.sides[self.side(winner)?];
        Some((side.block_planes, side.blocks()))
    }

    /// The coding of each side's sets. With these, a writer can make the same table again without a
    /// search for the best coding.
    ///
    /// # Errors
    ///
    /// If a model cannot be read or is corrupt.
    pub fn codings(&self) -> Result<Vec<Coding>, TableError> {
        let coding = |(number, side): (usize, &Side)| {
            let mut sets = [None; SETS];
            for (set, coded) in side.coded() {
                sets[set] = Some(Ties {
                    like: coded.similar,
                    outsiders: self.model(number, set, coded)?.outsiders,
                });
            }
            Ok(Coding {
                block_planes: side.block_planes,
                sets,
            })
        };
        self.kind
            .header
            .sides
            .iter()
            .enumerate()
            .map(coding)
            .collect()
    }

    /// The index of the side with this winner; `None` if the table has no sets of that side's wins.
    pub(super) fn side(&self, winner: Color) -> Option<usize> {
        self.kind
            .header
            .sides
            .iter()
            .position(|side| side.winner == winner)
    }

    /// True if a set of a side's wins is empty or not in the table.
    pub fn is_empty(&self, winner: Color, set: Set) -> bool {
        self.stored_set(winner, set).is_none()
    }

    /// The index of the set whose words are stored for this set: the set itself, or an equal
    /// earlier set. `None` if the set is empty or not in the table.
    pub fn stored_set(&self, winner: Color, set: Set) -> Option<usize> {
        let sets = &self.kind.header.sides[self.side(winner)?].sets;
        resolve(sets, set.place())
    }

    /// The model of a set, which is read at the first call.
    pub(super) fn model(
        &self,
        side: usize,
        set: usize,
        coded: &CodedSet,
    ) -> Result<&CodingModel, TableError> {
        let section = side * SETS + set;
        let model = &self.kind.sides[side].models[set];
        model.get(
            self,
            coded.model_range(),
            coded.model_crc,
            section,
            |bytes| {
                let plain = decompress_whole(bytes, MODEL_BYTES)?;
                Model::from_bytes(&plain).map(|model| CodingModel::new(&model))
            },
        )
    }
}
