//! Assembles the cells of a large ending, slab by slab, from the stored steps of its slices.
//!
//! A slab contains all positions with White's king on one of the squares to which symmetry maps
//! this king. The positions of a slab belong to several colour slices. Of two slices that are
//! mirror images of each other, only one is solved.

use std::fmt::Debug;

use rayon::prelude::*;

use super::checkpoint::CheckpointFiles;
use super::lane_men::LaneMen;
use crate::board::{Role, Square, SquareSet};
use crate::generate::cell::Cell;
use crate::huge_pages::HugeArray;
use crate::index::{ColorSlice, Component, Group, Placements, Transform};
use crate::parallel::ForkedByOneFunction;
use crate::solve::{LaneBytes, LaneLayout, LaneWords, Parts};
use crate::table::TableError;

/// The number of lanes that one parallel task processes.
const LANES: usize = 1024;

/// The byte that marks an illegal position.
const ILLEGAL_BYTE: u8 = <u8 as Cell>::ILLEGAL;

/// The largest distance that fits into one-byte cells. Draws, references to a base section, and
/// illegal positions take the other values.
pub const LARGEST: u16 = 253;

/// A source of an ending's cells, which are assembled slab by slab.
pub trait Slabs: Debug + Sync {
    /// The lane layout of the whole ending.
    fn whole(&self) -> &LaneLayout;

    /// Writes the cells of one slab to `cells`, in the order of [`Slabs::whole`].
    ///
    /// # Errors
    ///
    /// If the slab's distances cannot be read.
    fn slab(&self, slab: usize, cells: &mut [u8]) -> Result<(), TableError>;

    /// The component whose digits number the slabs.
    fn outermost(&self) -> Component {
        Component::Anchor
    }

    /// The number of slabs.
    fn slabs(&self) -> usize {
        self.whole().domain().len()
    }

    /// The number of lanes in a slab.
    fn slab_lanes(&self) -> usize {
        self.whole().lanes() / self.whole().domain().len()
    }

    /// Assembles all cells, in the order of [`Slabs::whole`].
    ///
    /// # Errors
    ///
    /// As for [`Slabs::slab`].
    fn all_cells(&self) -> Result<HugeArray<u8>, TableError> {
        let mut cells = HugeArray::zeroed(self.whole().lanes() * 64);
        let slabs = cells.chunks_exact_mut(self.slab_lanes() * 64);
        for (slab, cells) in slabs.enumerate() {
            self.slab(slab, cells)?;
        }
        Ok(cells)
    }
}

/// A solved colour slice.
#[derive(Debug)]
pub struct SolvedSlice {
    /// The slice.
    pub slice: ColorSlice,
    /// The order of its lanes.
    pub lane_layout: LaneLayout,
    /// The checkpoint files of the slice's steps.
    pub checkpoints: CheckpointFiles,
}

/// The location of the positions with a given number of mets on light squares.
#[derive(Debug)]
struct Variant {
    /// The index of the slice in the list of solved slices.
    slice: usize,
    /// True if the slice contains the mirror images of these positions instead of the positions.
    mirrored: bool,
    /// The result of [`offsets`] for the slice.
    offsets: Vec<Vec<u32>>,
}

/// All solved slices of a bare-king ending.
#[derive(Debug)]
pub struct SolvedSlices {
    /// The lane layout of the whole ending.
    whole: LaneLayout,
    slices: Vec<SolvedSlice>,
    /// The variants, indexed by the number of mets on light squares.
    variants: Vec<Variant>,
    /// The index of the group of mets in the whole lane layout, and the variant that each placement
    /// of that group belongs to. None if the ending is not divided into colour slices.
    mets: Option<(usize, Vec<u8>)>,
    men: LaneMen,
    /// The largest number of steps in the solve of any slice. No distance is larger.
    longest: u16,
}

impl SolvedSlices {
    /// Combines solved slices, to be read in the order of `whole`. The slices are either those of
    /// [`ColorSlice::all`] or only [`ColorSlice::whole`].
    pub fn new(whole: LaneLayout, slices: Vec<SolvedSlice>) -> SolvedSlices {
        let groups = whole.groups().to_vec();
        // A single slice with all positions is not divided by the colour of the mets' squares.
        let divided = slices.iter().all(|s| s.slice != ColorSlice::whole());
        let met = groups.iter().position(|g| g.role == Role::Met && divided);
        let light: SquareSet = Square::all().filter(|s| s.is_light()).collect();
        let count = met.map_or(0, |g| groups[g].count);
        let variants = (0..=count)
            .map(|lights| {
                let place = |lights: usize| {
                    let lights = met.map(|_| lights);
                    slices.iter().position(|s| s.slice.has_lights(lights))
                };
                let (slice, mirrored) = match place(lights) {
                    Some(slice) => (slice, false),
                    None => (
                        place(count - lights)
                            .expect("of two mirrored slices at least one is solved"),
                        true,
                    ),
                };
                let image = match mirrored {
                    true => Transform::MIRROR,
                    false => Transform::IDENTITY,
                };
                Variant {
                    offsets: offsets(&groups, &slices[slice].lane_layout, image),
                    slice,
                    mirrored,
                }
            })
            .collect();
        SolvedSlices {
            mets: met.map(|g| {
                let table = groups[g].placements().table().into_iter();
                (g, table.map(|men| (men & light).len() as u8).collect())
            }),
            men: LaneMen::new(&whole),
            longest: slices
                .iter()
                .map(|s| s.checkpoints.steps())
                .max()
                .unwrap_or(0),
            whole,
            slices,
            variants,
        }
    }

    /// Writes the cells of the lane with White's king on `king` and these digits of the groups.
    /// `slabs` contains the distances of each variant.
    #[inline(always)]
    fn lane(&self, king: Square, digits: &[usize], slabs: &[SlabDistances], out: &mut [u8; 64]) {
        let Some(legal) = self.men.legal(king, digits) else {
            out.fill(ILLEGAL_BYTE);
            return;
        };
        let variant = self
            .mets
            .as_ref()
            .map_or(0, |(group, variants)| usize::from(variants[digits[*group]]));
        let Variant {
            mirrored, offsets, ..
        } = &self.variants[variant];
        let lane: usize = offsets
            .iter()
            .zip(digits)
            .map(|(offsets, &digit)| offsets[digit] as usize)
            .sum();
        let mut numbers = LaneBytes::default();
        for (j, &word) in slabs[variant].lane(lane).iter().enumerate() {
            let word = if *mirrored {
                Transform::MIRROR.set(SquareSet(word)).0
            } else {
                word
            };
            numbers.add(word, j);
        }
        numbers.kept(legal.0, out);
    }
}

impl Slabs for SolvedSlices {
    fn whole(&self) -> &LaneLayout {
        &self.whole
    }

    fn slab(&self, slab: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let king = self.whole.domain()[slab];
        // For each variant, the slab of its slice with the king on the same square, or on the
        // mirrored square.
        let read = |variant: &Variant| {
            let king = match variant.mirrored {
                true => Transform::MIRROR.square(king),
                false => king,
            };
            SlabDistances::read(&self.slices[variant.slice], king, self.longest)
        };
        let slabs: Vec<SlabDistances> = self.variants.iter().map(read).collect::<Result<_, _>>()?;
        cells
            .par_chunks_mut(LANES * 64)
            .enumerate()
            .erased()
            .for_each(|(chunk, cells)| {
                let mut odometer = self.men.digits(chunk * LANES);
                for lane in cells.as_chunks_mut::<64>().0 {
                    self.lane(king, odometer.digits(), &slabs, lane);
                    odometer.advance();
                }
            });
        Ok(())
    }
}

/// Returns a number for each of `groups` and each of its placements. The numbers of a lane's
/// placements add up to the index of the lane's image in a slab of `lane_layout`.
pub fn offsets(groups: &[Group], lane_layout: &LaneLayout, image: Transform) -> Vec<Vec<u32>> {
    let own = lane_layout.groups();
    let stride = |g: usize| -> usize {
        (g + 1..own.len())
            .map(|h| lane_layout.placements(h).len())
            .product()
    };
    let offset = |group: &Group, men: SquareSet| {
        let kind = (group.color, group.role);
        let own = own.iter().enumerate();
        let like = own.filter(|(_, g)| (g.color, g.role) == kind);
        like.map(|(g, part)| {
            let men = image.set(men) & part.domain;
            // Placements of other slices get 0, which is never looked up.
            if men.len() == part.count {
                lane_layout.placements(g).number(men) * stride(g)
            } else {
                0
            }
        })
        .sum::<usize>() as u32
    };
    groups
        .iter()
        .map(|group| {
            let placements: Placements = group.placements();
            let table = placements.table().into_iter();
            table.map(|men| offset(group, men)).collect()
        })
        .collect()
}

/// The distances of one slab of a slice. Each lane has one word for each bit of the distances.
struct SlabDistances {
    words: LaneWords,
    /// The number of words for each lane.
    width: usize,
}

impl SlabDistances {
    /// Reads the slab with White's king on `king`. No distance is larger than `longest`.
    fn read(slice: &SolvedSlice, king: Square, longest: u16) -> Result<SlabDistances, TableError> {
        let domain = slice.lane_layout.domain();
        let slab = domain.iter().position(|&s| s == king);
        let slab = slab.expect("the domain contains the king's square or its mirror image");
        let width = (u16::BITS - longest.leading_zeros()).max(1) as usize;
        let parts: Parts = slice.checkpoints.parts();
        let lanes = parts.rows * parts.row_lanes;
        let mut words = LaneWords::zeroed(lanes * parts.per_slab * width);
        words
            .par_chunks_mut(lanes * width)
            .enumerate()
            .erased()
            .try_for_each_init(Vec::new, |packed, (part, words)| {
                let steps = 1..slice.checkpoints.steps() + 1;
                let part = slab * parts.per_slab + part;
                let read = slice
                    .checkpoints
                    .read_numbers(part, steps, width, packed, words);
                read.map(|_| ())
            })?;
        Ok(SlabDistances { words, width })
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> &[u64] {
        &self.words[lane * self.width..][..self.width]
    }
}
