//! The cells of a large ending, put together slab by slab from the steps of its slices.
//!
//! A slab is all that has White's king on one square of the file's domain. Its positions lie in
//! several colour slices; those of a slice that was not solved are found, mirrored, in its twin.

use std::ops::Range;
use std::sync::{Arc, RwLock};

use rayon::prelude::*;

use super::step_log::StepLog;
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::generate::cells::Cell;
use crate::generate::occupied_squares;
use crate::generate::permute::Permutation;
use crate::index::{ColorSlice, Component, Group, Layout, Placements, Transform};
use crate::solve::{HugeArray, LaneBytes, LaneLayout, LaneWords, Parts, decode_part};
use crate::table::{CellSource, Code, ILLEGAL, TableError};

/// Lanes that are turned into cells as one task.
const LANES: usize = 1024;

/// The byte of a cell that no legal position has.
const ILLEGAL_BYTE: u8 = <u8 as Cell>::ILLEGAL;

/// The largest distance that a byte holds beside it.
pub const LARGEST: u16 = 253;

/// A slice that has been solved.
#[derive(Debug)]
pub struct SolvedSlice {
    /// Which it is.
    pub slice: ColorSlice,
    /// The order of its lanes.
    pub lane_layout: LaneLayout,
    /// What its steps won.
    pub log: StepLog,
}

/// The positions with one number of mets on light squares: where they lie.
#[derive(Debug)]
struct Variant {
    /// The slice's place.
    slice: usize,
    /// Whether they are the mirror images of the slice's positions.
    mirrored: bool,
    /// For each group of the whole lane layout and each of its placements what it adds to the lane in
    /// the slice's slab.
    offsets: Vec<Vec<u32>>,
}

/// All solved slices of a bare-king ending.
#[derive(Debug)]
pub struct SolvedSlices {
    whole: LaneLayout,
    slices: Vec<SolvedSlice>,
    variants: Vec<Variant>,
    /// The group of mets of the whole lane layout, and for each of its placements the variant.
    mets: Option<(usize, Vec<u8>)>,
    /// For each group the squares of each placement, and those that its men attack if they leap.
    men: Vec<Vec<(SquareSet, SquareSet)>>,
    longest: u16,
}

impl SolvedSlices {
    /// Takes in the slices of an ending, whose whole lane layout is given: all of
    /// [`ColorSlice::all`].
    pub fn new(whole: LaneLayout, slices: Vec<SolvedSlice>) -> SolvedSlices {
        let groups = whole.groups().to_vec();
        // A single slice that holds all is not divided by its mets.
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
                        place(count - lights).expect("one of two twins is solved"),
                        true,
                    ),
                };
                Variant {
                    offsets: offsets(&groups, &slices[slice].lane_layout, mirrored),
                    slice,
                    mirrored,
                }
            })
            .collect();
        let men = groups.iter().map(|group| {
            let attacked = |men: SquareSet| match group.role {
                Role::Rook => SquareSet::EMPTY,
                role => men
                    .map(|from| attacks::attacks(role, group.color, from, SquareSet::EMPTY))
                    .fold(SquareSet::EMPTY, |all, one| all | one),
            };
            let placements = group.placements().table().into_iter();
            placements.map(|men| (men, attacked(men))).collect()
        });
        SolvedSlices {
            mets: met.map(|g| {
                let table = groups[g].placements().table().into_iter();
                (g, table.map(|men| (men & light).len() as u8).collect())
            }),
            men: men.collect(),
            longest: slices.iter().map(|s| s.log.steps()).max().unwrap_or(0),
            whole,
            slices,
            variants,
        }
    }

    /// What the cells' codes stand for, if the slices' longest win is this.
    pub fn codes(longest: u16) -> Vec<Code> {
        let mut codes = vec![Code::Draw];
        codes.extend((1..=longest).map(Code::WhiteWins));
        codes
    }

    /// How a slab is read in the order of a layout, whose outermost component must be the anchor.
    fn permutation(&self, layout: &Layout) -> Permutation {
        assert_eq!(layout.order()[0], Component::Anchor);
        let lane_layout = self.whole.table_layout(layout.material());
        Permutation::new(&layout.order()[1..], &lane_layout)
    }

    /// The lanes of a slab.
    pub fn slab_lanes(&self) -> usize {
        self.whole.lanes() / self.whole.domain().len()
    }

    /// All cells, in the order of the whole lane layout.
    ///
    /// # Errors
    ///
    /// If a step cannot be read.
    pub fn all_cells(&self) -> Result<HugeArray<u8>, TableError> {
        let mut cells = HugeArray::zeroed(self.whole.lanes() * 64);
        let slabs = cells.chunks_exact_mut(self.slab_lanes() * 64);
        for (slab, cells) in slabs.enumerate() {
            self.slab(slab, cells)?;
        }
        Ok(cells)
    }

    /// Puts together the cells of one slab, in the order of the whole lane layout.
    fn slab(&self, slab: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let king = self.whole.domain()[slab];
        // What the variants need: each slice's slab of the king or of its mirror image.
        let mut needed: Vec<(usize, bool)> = self
            .variants
            .iter()
            .map(|v| (v.slice, v.mirrored))
            .collect();
        needed.dedup();
        let numbers: Vec<((usize, bool), SlabDistances)> = needed
            .into_iter()
            .map(|(slice, mirrored)| {
                let image = match mirrored {
                    true => Transform::MIRROR.square(king),
                    false => king,
                };
                let numbers = SlabDistances::read(&self.slices[slice], image, self.longest)?;
                Ok(((slice, mirrored), numbers))
            })
            .collect::<Result<_, TableError>>()?;
        let of_variant: Vec<&SlabDistances> = self
            .variants
            .iter()
            .map(|v| {
                let found = numbers
                    .iter()
                    .find(|(key, _)| *key == (v.slice, v.mirrored));
                &found.expect("every variant's slab is read").1
            })
            .collect();
        cells
            .par_chunks_mut(LANES * 64)
            .enumerate()
            .for_each(|(chunk, cells)| {
                let mut digits = occupied_squares::digits(&self.men, chunk * LANES);
                for lane in cells.as_chunks_mut::<64>().0 {
                    self.lane(king, &digits, &of_variant, lane);
                    occupied_squares::next(&self.men, &mut digits);
                }
            });
        Ok(())
    }

    /// The cells of one lane.
    #[inline(always)]
    fn lane(
        &self,
        king: Square,
        digits: &[usize; 8],
        of_variant: &[&SlabDistances],
        out: &mut [u8; 64],
    ) {
        let near = attacks::king(king);
        let (mut men, mut attacked) = (king.set(), near);
        for (group, &digit) in self.men.iter().zip(digits) {
            let (squares, leaps) = group[digit];
            if !(men & squares).is_empty() {
                out.fill(ILLEGAL_BYTE);
                return;
            }
            men |= squares;
            attacked |= leaps;
        }
        for (group, (placements, &digit)) in self.men.iter().zip(digits).enumerate() {
            if self.whole.groups()[group].role == Role::Rook {
                for from in placements[digit].0 {
                    attacked |= attacks::attacks(Role::Rook, Color::White, from, men);
                }
            }
        }
        let legal = !(men | attacked);
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
        for (j, &word) in of_variant[variant].lane(lane).iter().enumerate() {
            let word = match mirrored {
                true => Transform::MIRROR.set(SquareSet(word)).0,
                false => word,
            };
            numbers.add(word, j);
        }
        numbers.kept(legal.0, out);
    }
}

/// For each group of the whole lane layout and each placement what it adds to a lane of the slice.
fn offsets(groups: &[Group], lane_layout: &LaneLayout, mirrored: bool) -> Vec<Vec<u32>> {
    let own = lane_layout.groups();
    let stride = |g: usize| -> usize {
        (g + 1..own.len())
            .map(|h| lane_layout.placements(h).len())
            .product()
    };
    let image = |men: SquareSet| match mirrored {
        true => Transform::MIRROR.set(men),
        false => men,
    };
    let offset = |group: &Group, men: SquareSet| {
        let like = own.iter().enumerate().filter(|(_, g)| g.role == group.role);
        like.map(|(g, part)| {
            let men = image(men) & part.domain;
            // Placements of other slices have no place here, and are never looked up.
            match men.len() == part.count {
                true => lane_layout.placements(g).number(men) * stride(g),
                false => 0,
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

/// The distances of one slab of a slice: for each lane the bits of the numbers, one word for each
/// bit.
struct SlabDistances {
    words: LaneWords,
    width: usize,
}

impl SlabDistances {
    fn read(slice: &SolvedSlice, king: Square, longest: u16) -> Result<SlabDistances, TableError> {
        let domain = slice.lane_layout.domain();
        let slab = domain.iter().position(|&s| s == king);
        let slab =
            slab.expect("a slice has the squares of the file's kings and their mirror images");
        let width = (u16::BITS - longest.leading_zeros()).max(1) as usize;
        let parts: Parts = slice.log.parts();
        let lanes = parts.rows * parts.row_lanes;
        let mut words = LaneWords::zeroed(lanes * parts.per_slab * width);
        words
            .par_chunks_mut(lanes * width)
            .enumerate()
            .try_for_each_init(Vec::new, |packed, (part, words)| {
                for step in 1..=slice.log.steps() {
                    slice
                        .log
                        .read_part(step, slab * parts.per_slab + part, packed)?;
                    let unpacked = decode_part(packed, parts, |lane, won| {
                        for (j, word) in words[lane * width..][..width].iter_mut().enumerate() {
                            *word |= won & u64::from(step >> j & 1).wrapping_neg();
                        }
                    });
                    if unpacked.is_none() {
                        return Err(slice.log.damaged(step));
                    }
                }
                Ok(())
            })?;
        Ok(SlabDistances { words, width })
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> &[u64] {
        &self.words[lane * self.width..][..self.width]
    }
}

/// The cells in the order of a table whose outermost component is White's king, with the slabs
/// that are at hand.
#[derive(Debug)]
pub struct SlabWindow<'a> {
    staged: &'a SolvedSlices,
    /// How a slab is laid out anew once it is put together, if it is.
    permutation: Option<Permutation>,
    /// The slabs' cells; those not at hand are none.
    window: RwLock<Vec<Option<Arc<HugeArray<u8>>>>>,
}

impl<'a> SlabWindow<'a> {
    /// SlabWindow in the order of the whole lane layout, none at hand yet.
    pub fn new(staged: &'a SolvedSlices) -> SlabWindow<'a> {
        let slabs = staged.whole.domain().len();
        SlabWindow {
            staged,
            permutation: None,
            window: RwLock::new(vec![None; slabs]),
        }
    }

    /// SlabWindow for one layout, whose outermost component must be the anchor.
    pub fn laid_out(staged: &'a SolvedSlices, layout: &Layout) -> SlabWindow<'a> {
        let innermost = layout.order().last() == Some(&Component::Lane);
        SlabWindow {
            permutation: (!innermost).then(|| staged.permutation(layout)),
            ..SlabWindow::new(staged)
        }
    }

    /// Brings up some slabs, and lets go of the others.
    fn bring(&self, slabs: Range<usize>) -> Result<(), TableError> {
        {
            let mut window = self.window.write().expect("no thread fails with the lock");
            for (slab, cells) in window.iter_mut().enumerate() {
                if !slabs.contains(&slab) {
                    *cells = None;
                }
            }
        }
        for slab in slabs {
            if self.at_hand(slab).is_none() {
                let mut cells = HugeArray::zeroed(self.staged.slab_lanes() * 64);
                self.staged.slab(slab, &mut cells)?;
                if let Some(permutation) = &self.permutation {
                    cells = permutation.all(&cells);
                }
                let mut window = self.window.write().expect("no thread fails with the lock");
                window[slab] = Some(Arc::new(cells));
            }
        }
        Ok(())
    }

    fn at_hand(&self, slab: usize) -> Option<Arc<HugeArray<u8>>> {
        let window = self.window.read().expect("no thread fails with the lock");
        window[slab].clone()
    }

    /// The cells in the order of a layout, whose outermost component must be the anchor; that for
    /// which the slabs are laid out, if they are.
    pub fn in_order(&'a self, layout: &Layout) -> SlabCells<'a> {
        SlabCells {
            slabs: self,
            slab_cells: self.staged.slab_lanes() * 64,
            permutation: self
                .permutation
                .is_none()
                .then(|| self.staged.permutation(layout)),
        }
    }
}

/// [`SlabWindow`] in the order of a table.
#[derive(Debug)]
pub struct SlabCells<'a> {
    slabs: &'a SlabWindow<'a>,
    slab_cells: usize,
    /// Over the cells of one slab; none if they lie in the table's order.
    permutation: Option<Permutation>,
}

impl SlabCells<'_> {
    /// The cells of a slab: where they begin and end.
    pub fn cells_of(&self, slab: usize) -> Range<u64> {
        let first = slab as u64 * self.slab_cells as u64;
        first..first + self.slab_cells as u64
    }
}

impl CellSource for SlabCells<'_> {
    fn cells(&self) -> u64 {
        self.cells_of(self.slabs.staged.whole.domain().len() - 1)
            .end
    }

    fn prepare(&self, cells: Range<u64>) -> Result<(), TableError> {
        let slab = |cell: u64| (cell / self.slab_cells as u64) as usize;
        let slabs = slab(cells.start)..slab(cells.end.max(1) - 1) + 1;
        self.slabs.bring(slabs)
    }

    fn read(&self, start: u64, mut out: &mut [u16]) {
        let mut start = start as usize;
        while !out.is_empty() {
            let at = start % self.slab_cells;
            let run = (self.slab_cells - at).min(out.len());
            let (now, rest) = out.split_at_mut(run);
            match (
                self.slabs.at_hand(start / self.slab_cells),
                &self.permutation,
            ) {
                (Some(cells), Some(permutation)) => {
                    permutation.read(at, now, |cell| cells[cell].code())
                }
                (Some(cells), None) => {
                    for (out, cell) in now.iter_mut().zip(&cells[at..]) {
                        *out = cell.code();
                    }
                }
                // Not prepared, which the writer does.
                (None, _) => now.fill(ILLEGAL),
            }
            start += run;
            out = rest;
        }
    }
}
