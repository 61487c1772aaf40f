//! Assembles the cells of an ending with men on both sides, slab by slab, from the distances of
//! both sides' wins.
//!
//! In a slab of the table, White's king is on one square. In the solve of White's wins, this king
//! is the anchor, so the table's slab is read from one slab of each slice. In the solve of Black's
//! wins, White's king is the lane's king, so the table's slab is read from one column of every
//! slab. The cells for eight squares of Black's king are assembled at a time.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::assemble::{Slabs, offsets};
use super::distances::Distances;
use super::lane_men::LaneMen;
use super::whole_order::{Step, put_in_whole_order};
use crate::board::{Role, Square, SquareSet};
use crate::generate::cell::Cell;
use crate::generate::code_set::{CodeSet, codes_in};
use crate::huge_pages::HugeArray;
use crate::index::{ColorSlice, Group, Transform};
use crate::parallel::ForkedByOneFunction;
use crate::solve::LaneLayout;
use crate::table::TableError;

/// The number of lanes that one parallel task processes.
const LANES: usize = 1024;

/// The number of squares of Black's king for which cells are assembled at a time: one rank.
const SQUARES: usize = 8;

/// The number of lanes that are combined at a time.
const TILE: usize = 64;

/// One side's distances in one slice.
#[derive(Clone, Debug)]
pub struct SideSlice {
    /// The slice.
    pub slice: ColorSlice,
    /// The order of its lanes.
    pub lane_layout: LaneLayout,
    /// The distances with White to move.
    pub distances: Arc<Distances>,
}

/// The location of the positions of a variant with the anchor on one square.
#[derive(Clone, Copy, Debug)]
struct Location {
    slice: usize,
    slab: usize,
    /// The transform that leads to the stored positions, as an index into
    /// [`SideSlices::transforms`].
    transform: usize,
}

/// The result of [`offsets`]: a number for each group of the whole lane layout and each of its
/// placements. The numbers of a lane's placements add up to an index in a slice's slab.
type Offsets = Vec<Vec<u32>>;

/// One side's distances in all slices.
#[derive(Debug)]
struct SideSlices {
    slices: Vec<SideSlice>,
    transforms: Vec<Transform>,
    /// For each slice and each transform: the offsets. None if the transform does not occur.
    offsets: Vec<Vec<Option<Offsets>>>,
    /// The location of the positions, for each variant and each square of the anchor (the winner's
    /// king).
    locations: Vec<Vec<Location>>,
    /// The largest number in any slice: a distance, or a distance plus one for losses.
    largest: u16,
}

/// The variants of an ending. A variant has a fixed number of each side's mets on light squares.
#[derive(Debug)]
struct Variants {
    /// For each variant and each side with mets: the number of the side's mets on light squares,
    /// and the number of all its mets.
    mets: Vec<Vec<(usize, usize)>>,
    /// For each variant and each group, the placements that belong to the variant.
    placements: Vec<Vec<Vec<usize>>>,
}

/// Both sides' distances under one goal.
#[derive(Debug)]
pub struct BothSides {
    white: SideSlices,
    black: SideSlices,
}

/// The cells of an ending under one goal.
#[derive(Debug)]
pub struct TwoSidedCells {
    whole: LaneLayout,
    men: LaneMen,
    variants: Variants,
    own: BothSides,
    /// For each code: the value that stands for it in the cells.
    values: Vec<u8>,
    base: Option<Base>,
}

/// The base section's distances. Cells that equal the base section's cells become references.
#[derive(Debug)]
struct Base {
    sides: BothSides,
    /// For each code of the base section: the equal code of these cells, or [`Cell::ILLEGAL`] if
    /// there is none.
    same: [u8; 256],
}

impl Variants {
    fn new(whole: &LaneLayout, divided: bool) -> Variants {
        let light: SquareSet = Square::all().filter(|s| s.is_light()).collect();
        let mut mets = vec![Vec::new()];
        let mut places = Vec::new();
        // A slice lists White's mets first.
        for color in crate::board::Color::ALL {
            let mut groups = whole.groups().iter().enumerate();
            let met = groups.find(|(_, g)| divided && (g.color, g.role) == (color, Role::Met));
            let Some((place, group)) = met else {
                continue;
            };
            places.push(place);
            let count = group.count;
            mets = (0..=count)
                .flat_map(|lights| {
                    mets.iter().map(move |before: &Vec<(usize, usize)>| {
                        let mut mets = before.clone();
                        mets.push((lights, count));
                        mets
                    })
                })
                .collect();
        }
        let of_variant = |mets: &Vec<(usize, usize)>| {
            let of_group = |(number, group): (usize, &Group)| {
                let lights = places.iter().position(|&place| place == number);
                let lights = lights.map(|side| mets[side].0);
                let has =
                    |men: SquareSet| lights.is_none_or(|lights| (men & light).len() == lights);
                let table = group.placements().table().into_iter().enumerate();
                table
                    .filter(|&(_, men)| has(men))
                    .map(|(place, _)| place)
                    .collect()
            };
            whole.groups().iter().enumerate().map(of_group).collect()
        };
        Variants {
            placements: mets.iter().map(of_variant).collect(),
            mets,
        }
    }
}

impl SideSlices {
    /// Prepares to read the slices in the order of the whole lane layout. `anchors` are the squares
    /// of the winner's king that will be looked up.
    fn new(
        whole: &LaneLayout,
        anchors: &[Square],
        variants: &Variants,
        slices: Vec<SideSlice>,
    ) -> SideSlices {
        let transforms: Vec<Transform> = Transform::all().collect();
        let locations = variants.mets.iter().map(|mets| {
            let place = |lights: &dyn Fn(&(usize, usize)) -> usize| {
                let found = slices.iter();
                let mut found = found.map(|s| s.slice.has_lights(mets.iter().map(lights)));
                found.position(|found| found)
            };
            let (slice, first) = match place(&|&(lights, _)| lights) {
                Some(slice) => (slice, Transform::IDENTITY),
                None => {
                    let twin = place(&|&(lights, count)| count - lights);
                    (
                        twin.expect("of two mirrored slices at least one is solved"),
                        Transform::MIRROR,
                    )
                }
            };
            let layout = &slices[slice].lane_layout;
            let location = |anchor: Square| {
                let second = layout.to_domain(first.square(anchor));
                let both = |s: Square| second.square(first.square(s));
                let like = |t: &Transform| Square::all().all(|s| t.square(s) == both(s));
                let transform = transforms.iter().position(like);
                let slab = layout.domain().iter().position(|&s| s == both(anchor));
                Location {
                    slice,
                    slab: slab.expect("the transform moves the anchor into the domain"),
                    transform: transform.expect("two transforms combine into one transform"),
                }
            };
            Square::all().map(location).collect::<Vec<Location>>()
        });
        let locations: Vec<Vec<Location>> = locations.collect();
        let of_anchors =
            |locations: &Vec<Location>| anchors.iter().map(|s| locations[s.index()]).collect();
        let used: Vec<Vec<Location>> = locations.iter().map(of_anchors).collect();
        let offsets_of = |(number, slice): (usize, &SideSlice)| {
            let images = transforms.iter().enumerate();
            let offsets_of = |(transform, &image)| {
                let mut used = used.iter().flatten();
                let used = used.any(|s| (s.slice, s.transform) == (number, transform));
                used.then(|| offsets(whole.groups(), &slice.lane_layout, image))
            };
            images.map(offsets_of).collect()
        };
        SideSlices {
            offsets: slices.iter().enumerate().map(offsets_of).collect(),
            locations,
            largest: slices
                .iter()
                .map(|s| s.distances.largest())
                .max()
                .unwrap_or(0),
            transforms,
            slices,
        }
    }

    /// True if `others` shares the distances of these slices.
    fn shares_distances(&self, others: &SideSlices) -> bool {
        let pairs = self.slices.iter().zip(&others.slices);
        pairs
            .clone()
            .all(|(a, b)| Arc::ptr_eq(&a.distances, &b.distances))
    }

    /// Reads a column for each pair of squares: the square of the anchor and the square of the
    /// lane's king. The numbers of a column are in the order of the lanes in a slab of `whole`. A
    /// column is empty if all its numbers are 0.
    fn read(
        &self,
        whole: &LaneLayout,
        variants: &Variants,
        pairs: &[(Square, Square); SQUARES],
    ) -> Result<Columns, TableError> {
        let read = |&(anchor, other): &(Square, Square)| {
            let mut numbers = HugeArray::zeroed(0);
            let mut in_slice = HugeArray::zeroed(0);
            for (locations, placements) in self.locations.iter().zip(&variants.placements) {
                let location = locations[anchor.index()];
                let SideSlice {
                    lane_layout,
                    distances,
                    ..
                } = &self.slices[location.slice];
                let column = self.transforms[location.transform].square(other).index();
                if !distances.has(location.slab, column) {
                    continue;
                }
                if in_slice.len() != slab_lanes(lane_layout) {
                    in_slice = HugeArray::zeroed(slab_lanes(lane_layout));
                }
                distances.read(location.slab, column, &mut in_slice)?;
                if numbers.is_empty() {
                    numbers = HugeArray::zeroed(slab_lanes(whole));
                }
                let offsets = self.offsets[location.slice][location.transform].as_ref();
                let offsets = offsets.expect("each requested anchor square has offsets");
                let groups = steps(whole, placements, offsets);
                let near = innermost(whole, lane_layout);
                put_in_whole_order(&in_slice, &groups, near, &mut numbers);
            }
            Ok(numbers)
        };
        pairs.par_iter().erased().map(read).collect()
    }
}

/// One side's numbers: one column for each pair of squares of the kings.
type Columns = Vec<HugeArray<u8>>;

fn slab_lanes(layout: &LaneLayout) -> usize {
    layout.lanes() / layout.domain().len()
}

/// Returns the step of each of these placements, group by group.
fn steps(whole: &LaneLayout, placements: &[Vec<usize>], offsets: &Offsets) -> Vec<Vec<Step>> {
    let mut stride = slab_lanes(whole) as u32;
    let of_group = |((group, placements), offsets): ((usize, &Vec<usize>), &Vec<u32>)| {
        stride /= whole.placements(group).len() as u32;
        let step = |&place: &usize| Step {
            slice: offsets[place],
            whole: place as u32 * stride,
        };
        placements.iter().map(step).collect()
    };
    let groups = placements.iter().enumerate().zip(offsets);
    groups.map(of_group).collect()
}

/// The index of the group of `whole` that contains the innermost group of `slice`.
fn innermost(whole: &LaneLayout, slice: &LaneLayout) -> usize {
    let inner = slice.groups().last().expect("both sides have men");
    let like = |g: &Group| (g.color, g.role) == (inner.color, inner.role);
    let found = whole.groups().iter().position(like);
    found.expect("every slice has all men of the ending")
}

impl BothSides {
    fn new(
        whole: &LaneLayout,
        variants: &Variants,
        (white, black): (Vec<SideSlice>, Vec<SideSlice>),
    ) -> BothSides {
        let all: Vec<Square> = Square::all().collect();
        BothSides {
            white: SideSlices::new(whole, whole.domain(), variants, white),
            black: SideSlices::new(whole, &all, variants, black),
        }
    }

    /// Computes the codes of some lanes of a slab from one column of White's distances and one
    /// column of Black's.
    #[inline(always)]
    fn codes(&self, white: &[u8], black: &[u8], lanes: Range<usize>, codes: &mut [u8; TILE]) {
        let codes = &mut codes[..lanes.len()];
        match white.is_empty() {
            true => codes.fill(0),
            false => codes.copy_from_slice(&white[lanes.clone()]),
        }
        if black.is_empty() {
            return;
        }
        // The codes fit into a byte: see `Solved::codes`.
        let largest = self.white.largest as u8;
        for (code, &black) in codes.iter_mut().zip(&black[lanes]) {
            // At most one side wins, so one of the two numbers is 0.
            *code |= if black == 0 {
                0
            } else {
                largest.wrapping_add(black)
            };
        }
    }
}

impl TwoSidedCells {
    /// Combines all slices of both sides. The codes are the draw, White's wins and Black's wins,
    /// and a cell is the index of its code.
    pub fn new(whole: LaneLayout, sides: (Vec<SideSlice>, Vec<SideSlice>)) -> TwoSidedCells {
        // A single slice with all positions is not divided by the colour of the mets' squares.
        let divided = sides.0.iter().all(|s| s.slice != ColorSlice::whole());
        let variants = Variants::new(&whole, divided);
        let own = BothSides::new(&whole, &variants, sides);
        TwoSidedCells {
            men: LaneMen::new(&whole),
            values: (0..=u8::MAX).collect(),
            base: None,
            own,
            variants,
            whole,
        }
    }

    /// White's longest win, in moves or plies, and Black's longest win plus one.
    pub fn largest(&self) -> (u16, u16) {
        (self.own.white.largest, self.own.black.largest)
    }

    /// Sets cells that equal those of the base section to 0, and adds one to the codes of all other
    /// cells. `same` contains, for each code of the base section, the equal code of these cells, if
    /// there is one.
    pub fn based_on(&mut self, sides: (Vec<SideSlice>, Vec<SideSlice>), same: Vec<u16>) {
        let mut places = [<u8 as Cell>::ILLEGAL; 256];
        for (place, same) in places.iter_mut().zip(same) {
            *place = <u8 as Cell>::of(same);
        }
        self.base = Some(Base {
            sides: BothSides::new(&self.whole, &self.variants, sides),
            same: places,
        });
        self.values = (1..=u8::MAX).collect();
    }

    /// Renumbers the codes. `new_codes` contains the new code for each old code.
    pub fn renumber(&mut self, new_codes: &[u16]) {
        let (base, codes) = new_codes.split_at(usize::from(self.base.is_some()));
        assert!(base.iter().all(|&place| place == 0), "the base comes first");
        let values = codes.iter().map(|&code| code as u8);
        // The codes of illegal cells do not matter.
        self.values = values.chain(std::iter::repeat(0)).take(256).collect();
    }

    /// Assembles the cells of a slab with Black's king on one rank. These cells must already be 0
    /// for legal positions and [`Cell::ILLEGAL`] for all others.
    fn fill_rank(&self, slab: usize, rank: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let white_king = self.whole.domain()[slab];
        let square = |i: usize| Square::wrapping(rank * SQUARES + i);
        let of_white: [_; SQUARES] = std::array::from_fn(|i| (white_king, square(i)));
        let of_black: [_; SQUARES] = std::array::from_fn(|i| (square(i), white_king));
        let own = &self.own;
        let other = self.base.as_ref().map(|base| &base.sides);
        let other_white = other
            .map(|sides| &sides.white)
            .filter(|side| !side.shares_distances(&own.white));
        let other_black = other
            .map(|sides| &sides.black)
            .filter(|side| !side.shares_distances(&own.black));
        let read = |side: Option<&SideSlices>, pairs| match side {
            Some(side) => side.read(&self.whole, &self.variants, pairs),
            None => Ok(Columns::new()),
        };
        let ((white, black), (known_white, known_black)) = rayon::join(
            || {
                rayon::join(
                    || read(Some(&own.white), &of_white),
                    || read(Some(&own.black), &of_black),
                )
            },
            || {
                rayon::join(
                    || read(other_white, &of_white),
                    || read(other_black, &of_black),
                )
            },
        );
        let (white, black, known_white, known_black) = (white?, black?, known_white?, known_black?);
        let known_white = other_white.map_or(&white, |_| &known_white);
        let known_black = other_black.map_or(&black, |_| &known_black);
        let chunks = cells.par_chunks_mut(LANES * 64).enumerate().erased();
        chunks.for_each(|(chunk, cells)| {
            let tiles = cells.as_chunks_mut::<64>().0.chunks_mut(TILE);
            for (first, lanes) in (chunk * LANES..).step_by(TILE).zip(tiles) {
                let at = first..first + lanes.len();
                let mut found = [[0; TILE]; SQUARES];
                for (square, found) in found.iter_mut().enumerate() {
                    own.codes(&white[square], &black[square], at.clone(), found);
                    if let Some(base) = &self.base {
                        let mut known = [0; TILE];
                        let (white, black) = (&known_white[square], &known_black[square]);
                        base.sides.codes(white, black, at.clone(), &mut known);
                        for (code, known) in found.iter_mut().zip(known) {
                            *code = match base.same[usize::from(known)] == *code {
                                true => 0,
                                false => self.values[usize::from(*code)],
                            };
                        }
                    } else {
                        for code in found {
                            *code = self.values[usize::from(*code)];
                        }
                    }
                }
                for (i, lane) in lanes.iter_mut().enumerate() {
                    let cells = &mut lane[rank * SQUARES..][..SQUARES];
                    for (cell, found) in cells.iter_mut().zip(&found) {
                        // All bits of an illegal cell are set, so it does not change.
                        *cell |= found[i];
                    }
                }
            }
        });
        Ok(())
    }
}

impl Slabs for TwoSidedCells {
    fn whole(&self) -> &LaneLayout {
        &self.whole
    }

    fn slab(&self, slab: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let king = self.whole.domain()[slab];
        let chunks = cells.par_chunks_mut(LANES * 64).enumerate().erased();
        chunks.for_each(|(chunk, cells)| {
            let mut odometer = self.men.digits(chunk * LANES);
            for lane in cells.as_chunks_mut::<64>().0 {
                let legal = self.men.legal(king, odometer.digits()).unwrap_or_default();
                for (square, cell) in lane.iter_mut().enumerate() {
                    *cell = match legal.0 >> square & 1 {
                        0 => <u8 as Cell>::ILLEGAL,
                        _ => 0,
                    };
                }
                odometer.advance();
            }
        });
        (0..64 / SQUARES).try_for_each(|rank| self.fill_rank(slab, rank, cells))
    }
}

/// Finds which of `codes` possible codes occur in the cells of an ending. Stops early when `enough`
/// accepts the codes found so far.
///
/// # Errors
///
/// If distances cannot be read.
pub fn used(
    slabs: &dyn Slabs,
    codes: usize,
    enough: &dyn Fn(&CodeSet) -> bool,
) -> Result<CodeSet, TableError> {
    let mut used = CodeSet::repeat(false, codes);
    let mut cells = HugeArray::zeroed(slabs.slab_lanes() * 64);
    for slab in 0..slabs.whole().domain().len() {
        slabs.slab(slab, &mut cells)?;
        used |= codes_in(&cells[..], codes);
        if enough(&used) {
            break;
        }
    }
    Ok(used)
}
