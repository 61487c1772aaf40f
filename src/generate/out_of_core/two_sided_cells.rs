//! The cells of an ending with men on both sides, put together slab by slab from the distances of
//! its slices: White's wins, and Black's.
//!
//! A slab has White's king on one square. In the slices of White's wins that king is the anchor,
//! and a slab is a slab there; in those of Black's wins it is the lane's king, and a slab is a
//! column of every slab. Eight squares of Black's king are filled in at a time.

use std::sync::Arc;

use rayon::prelude::*;

use super::assemble::{Slabs, offsets};
use super::distances::Distances;
use super::lane_men::LaneMen;
use crate::board::{Role, Square, SquareSet};
use crate::generate::cells::Cell;
use crate::huge_pages::HugeArray;
use crate::index::{ColorSlice, Transform};
use crate::solve::LaneLayout;
use crate::table::{ILLEGAL, TableError};

/// Rows that are filled as one task.
const ROWS: usize = 16;

/// The squares of Black's king that are filled in at a time.
const SQUARES: usize = 8;

/// The lanes of a row that are filled in at a time.
const TILE: usize = 64;

/// One side's distances in a slice.
#[derive(Clone, Debug)]
pub struct SideSlice {
    /// Which it is.
    pub slice: ColorSlice,
    /// The order of its lanes.
    pub lane_layout: LaneLayout,
    /// The distances with White to move.
    pub distances: Arc<Distances>,
}

/// Where the positions with the anchor on one square lie in a slice.
#[derive(Clone, Copy, Debug)]
struct Seat {
    slice: usize,
    slab: usize,
    /// What brings them there: a place in [`SideSlices::transforms`].
    transform: usize,
}

/// For each group of the whole lane layout and each of its placements what it adds to the lane in a
/// slab of a slice.
type Offsets = Vec<Vec<u32>>;

/// One side's distances in all slices.
#[derive(Debug)]
struct SideSlices {
    slices: Vec<SideSlice>,
    transforms: Vec<Transform>,
    /// By slice and transform, of those that lead from any square of the anchor.
    offsets: Vec<Vec<Option<Offsets>>>,
    /// By variant and square of the anchor, the winner's king.
    seats: Vec<Vec<Seat>>,
    /// The largest number.
    largest: u16,
}

/// The variants of a whole lane layout: how many mets of each side stand on light squares.
#[derive(Debug)]
struct Variants {
    /// For each variant the mets on light squares and all of them, for each side that has any.
    mets: Vec<Vec<(usize, usize)>>,
    /// For each group and each of its placements what it adds to the number of the variant.
    parts: Vec<Vec<u8>>,
    /// The placements of the innermost group, so many at a time.
    tiles: Vec<Tile>,
}

/// Some placements of the innermost group, those together that are in the same variants.
#[derive(Debug)]
struct Tile {
    /// The number of the first.
    first: usize,
    /// What some of them add to the number of the variant, and how far each is from the first.
    alike: Vec<(usize, Vec<u8>)>,
}

impl Tile {
    fn new(first: usize, parts: &[u8]) -> Tile {
        let mut alike: Vec<(usize, Vec<u8>)> = Vec::new();
        for (place, &part) in (0..).zip(parts) {
            match alike.iter_mut().find(|(of, _)| *of == usize::from(part)) {
                Some((_, places)) => places.push(place),
                None => alike.push((part.into(), vec![place])),
            }
        }
        Tile { first, alike }
    }
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
    /// For each code the cell that it becomes.
    places: Vec<u8>,
    base: Option<Base>,
}

/// What cells are compared with, to be left out where they say the same.
#[derive(Debug)]
struct Base {
    of: BothSides,
    /// For each code of the base the same one here, or [`Cell::ILLEGAL`], which no code is.
    same: [u8; 256],
}

impl Variants {
    fn new(whole: &LaneLayout, divided: bool) -> Variants {
        let light: SquareSet = Square::all().filter(|s| s.is_light()).collect();
        let mut mets = vec![Vec::new()];
        let mut strides = vec![0; whole.groups().len()];
        // A slice names White's mets first.
        for color in crate::board::Color::ALL {
            let mut groups = whole.groups().iter().enumerate();
            let met = groups.find(|(_, g)| divided && (g.color, g.role) == (color, Role::Met));
            let Some((place, group)) = met else {
                continue;
            };
            strides[place] = mets.len();
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
        let parts = whole.groups().iter().zip(&strides).map(|(group, &stride)| {
            let table = group.placements().table().into_iter();
            table
                .map(|men| ((men & light).len() * stride) as u8)
                .collect()
        });
        let parts: Vec<Vec<u8>> = parts.collect();
        let tiles = parts
            .last()
            .into_iter()
            .flat_map(|inner| inner.chunks(TILE));
        let tiles = (0..).step_by(TILE).zip(tiles);
        Variants {
            tiles: tiles
                .map(|(first, parts)| Tile::new(first, parts))
                .collect(),
            parts,
            mets,
        }
    }
}

impl SideSlices {
    /// Those of the whole lane layout's slices. `anchors` are the squares where the winner's king
    /// is looked for.
    fn new(
        whole: &LaneLayout,
        anchors: &[Square],
        variants: &Variants,
        slices: Vec<SideSlice>,
    ) -> SideSlices {
        let transforms: Vec<Transform> = Transform::all().collect();
        let seats = variants.mets.iter().map(|mets| {
            let place = |lights: &dyn Fn(&(usize, usize)) -> usize| {
                let found = slices.iter();
                let mut found = found.map(|s| s.slice.has_lights(mets.iter().map(lights)));
                found.position(|found| found)
            };
            let (slice, first) = match place(&|&(lights, _)| lights) {
                Some(slice) => (slice, Transform::IDENTITY),
                None => {
                    let twin = place(&|&(lights, count)| count - lights);
                    (twin.expect("one of two twins is solved"), Transform::MIRROR)
                }
            };
            let layout = &slices[slice].lane_layout;
            let seat = |anchor: Square| {
                let second = layout.to_domain(first.square(anchor));
                let both = |s: Square| second.square(first.square(s));
                let like = |t: &Transform| Square::all().all(|s| t.square(s) == both(s));
                let transform = transforms.iter().position(like);
                let slab = layout.domain().iter().position(|&s| s == both(anchor));
                Seat {
                    slice,
                    slab: slab.expect("the transform leads into the domain"),
                    transform: transform.expect("two transforms together are one"),
                }
            };
            Square::all().map(seat).collect::<Vec<Seat>>()
        });
        let seats: Vec<Vec<Seat>> = seats.collect();
        let of_anchors = |seats: &Vec<Seat>| anchors.iter().map(|s| seats[s.index()]).collect();
        let used: Vec<Vec<Seat>> = seats.iter().map(of_anchors).collect();
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
            seats,
            largest: slices
                .iter()
                .map(|s| s.distances.largest())
                .max()
                .unwrap_or(0),
            transforms,
            slices,
        }
    }

    /// Whether the distances of others are these.
    fn are(&self, others: &SideSlices) -> bool {
        let pairs = self.slices.iter().zip(&others.slices);
        pairs
            .clone()
            .all(|(a, b)| Arc::ptr_eq(&a.distances, &b.distances))
    }

    /// Reads the numbers with the anchor on a square and the lane's king on another, for each
    /// variant and each of the pairs of squares.
    fn read(&self, pairs: &[(Square, Square); SQUARES]) -> Result<Vec<Column<'_>>, TableError> {
        let seats = self.seats.par_iter();
        seats
            .flat_map(|seats| pairs.par_iter().map(move |pair| (seats, pair)))
            .map(|(seats, &(anchor, other))| {
                let seat = seats[anchor.index()];
                let slice = &self.slices[seat.slice];
                let column = self.transforms[seat.transform].square(other).index();
                let layout = &slice.lane_layout;
                let mut numbers = HugeArray::zeroed(0);
                if slice.distances.has(seat.slab, column) {
                    numbers = HugeArray::zeroed(layout.lanes() / layout.domain().len());
                    slice.distances.read(seat.slab, column, &mut numbers)?;
                }
                let offsets = self.offsets[seat.slice][seat.transform].as_ref();
                Ok(Column {
                    numbers,
                    offsets: offsets.expect("the anchor is on a square that is looked for"),
                })
            })
            .collect()
    }
}

/// The numbers of one variant with both kings on their squares.
struct Column<'a> {
    /// By lane of a slab; nothing where all are 0.
    numbers: HugeArray<u8>,
    offsets: &'a Offsets,
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

    /// Makes codes of White's numbers, where Black's are given, of which one is 0 in each place.
    #[inline(always)]
    fn make_codes(&self, white: &mut [u8; TILE], black: &[u8; TILE]) {
        // There are fewer codes than a byte has values: see `Solved::codes`.
        let largest = self.white.largest as u8;
        for (code, &black) in white.iter_mut().zip(black) {
            *code |= if black == 0 {
                0
            } else {
                largest.wrapping_add(black)
            };
        }
    }
}

impl TwoSidedCells {
    /// The cells of an ending, whose whole lane layout is given, from all slices of both sides. The
    /// codes are a draw, White's wins and Black's; the cells are the codes' places.
    pub fn new(whole: LaneLayout, sides: (Vec<SideSlice>, Vec<SideSlice>)) -> TwoSidedCells {
        // A single slice that holds all is not divided by its mets.
        let divided = sides.0.iter().all(|s| s.slice != ColorSlice::whole());
        let variants = Variants::new(&whole, divided);
        let own = BothSides::new(&whole, &variants, sides);
        TwoSidedCells {
            men: LaneMen::new(&whole),
            places: (0..=u8::MAX).collect(),
            base: None,
            own,
            variants,
            whole,
        }
    }

    /// The most moves or plies in which White wins, and in which Black does, that one more.
    pub fn largest(&self) -> (u16, u16) {
        (self.own.white.largest, self.own.black.largest)
    }

    /// Cells become 0 where a base says the same, and one more elsewhere. `same` has the code here
    /// for each code of the base, if there is one.
    pub fn based_on(&mut self, sides: (Vec<SideSlice>, Vec<SideSlice>), same: Vec<u16>) {
        let mut places = [<u8 as Cell>::ILLEGAL; 256];
        for (place, same) in places.iter_mut().zip(same) {
            *place = <u8 as Cell>::of(same);
        }
        self.base = Some(Base {
            of: BothSides::new(&self.whole, &self.variants, sides),
            same: places,
        });
        self.places = (1..=u8::MAX).collect();
    }

    /// Gives the cells other places, those of a base's that says the same among them.
    pub fn give_places(&mut self, places: &[u8]) {
        let (base, codes) = places.split_at(usize::from(self.base.is_some()));
        assert!(base.iter().all(|&place| place == 0), "the base comes first");
        self.places = codes.to_vec();
    }

    /// Fills in the cells with Black's king on the squares of one rank.
    fn fill_rank(&self, slab: usize, rank: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let white_king = self.whole.domain()[slab];
        let square = |i: usize| Square::wrapping(rank * SQUARES + i);
        let of_white: [_; SQUARES] = std::array::from_fn(|i| (white_king, square(i)));
        let of_black: [_; SQUARES] = std::array::from_fn(|i| (square(i), white_king));
        let white = self.own.white.read(&of_white)?;
        let black = self.own.black.read(&of_black)?;
        let mut other = (Vec::new(), Vec::new());
        let base = match &self.base {
            None => None,
            Some(base) => {
                if !base.of.white.are(&self.own.white) {
                    other.0 = base.of.white.read(&of_white)?;
                }
                if !base.of.black.are(&self.own.black) {
                    other.1 = base.of.black.read(&of_black)?;
                }
                let white = if other.0.is_empty() { &white } else { &other.0 };
                let black = if other.1.is_empty() { &black } else { &other.1 };
                Some((base, white, black))
            }
        };
        let row_lanes = self.whole.row_lanes();
        let inner = self.whole.groups().len() - 1;
        let variants = &self.variants.parts;
        let chunks = cells.par_chunks_mut(ROWS * row_lanes * 64).enumerate();
        chunks.for_each(|(chunk, cells)| {
            let mut own = BothRows::new(&white, &black);
            let mut base = base.map(|(base, white, black)| (base, BothRows::new(white, black)));
            let mut odometer = self.men.digits(chunk * ROWS * row_lanes);
            for cells in cells.chunks_exact_mut(row_lanes * 64) {
                let outer = &odometer.digits()[..inner];
                let variant = variants.iter().zip(outer);
                let variant: usize = variant.map(|(parts, &d)| usize::from(parts[d])).sum();
                own.move_to(outer);
                if let Some((_, rows)) = &mut base {
                    rows.move_to(outer);
                }
                let lanes = cells.as_chunks_mut::<64>().0.chunks_mut(TILE);
                for (lanes, tile) in lanes.zip(&self.variants.tiles) {
                    let at = (variant, tile);
                    let mut found = [[0; TILE]; SQUARES];
                    for (square, found) in found.iter_mut().enumerate() {
                        own.codes(&self.own, square, at, found);
                        if let Some((base, rows)) = &base {
                            let mut known = [0; TILE];
                            rows.codes(&base.of, square, at, &mut known);
                            for (code, known) in found.iter_mut().zip(known) {
                                *code = match base.same[usize::from(known)] == *code {
                                    true => 0,
                                    false => self.places[usize::from(*code)],
                                };
                            }
                        } else {
                            for code in found {
                                *code = self.places[usize::from(*code)];
                            }
                        }
                    }
                    for (i, lane) in lanes.iter_mut().enumerate() {
                        let cells = &mut lane[rank * SQUARES..][..SQUARES];
                        for (cell, found) in cells.iter_mut().zip(&found) {
                            // 0 so far, or illegal, all of whose bits are 1.
                            *cell |= found[i];
                        }
                    }
                }
                odometer.advance_from(inner);
            }
        });
        Ok(())
    }
}

/// The columns of both sides for a row of the whole lane layout.
struct BothRows<'a> {
    white: Row<'a>,
    black: Row<'a>,
}

impl<'a> BothRows<'a> {
    fn new(white: &'a [Column<'a>], black: &'a [Column<'a>]) -> BothRows<'a> {
        BothRows {
            white: Row::new(white),
            black: Row::new(black),
        }
    }

    fn move_to(&mut self, outer: &[usize]) {
        self.white.move_to(outer);
        self.black.move_to(outer);
    }

    /// The codes with Black's king on a square.
    #[inline(always)]
    fn codes(&self, sides: &BothSides, square: usize, at: (usize, &Tile), codes: &mut [u8; TILE]) {
        let mut black = [0; TILE];
        self.white.numbers(square, at, codes);
        if self.black.numbers(square, at, &mut black) {
            sides.make_codes(codes, &black);
        }
    }
}

/// The columns of one side for a row of the whole lane layout.
struct Row<'a> {
    columns: Vec<RowColumn<'a>>,
}

/// A column for a row.
struct RowColumn<'a> {
    numbers: &'a [u8],
    outer: &'a [Vec<u32>],
    inner: &'a [u32],
    /// What the outer groups add to the lane.
    base: u32,
}

impl<'a> Row<'a> {
    fn new(columns: &'a [Column<'a>]) -> Row<'a> {
        let column = |column: &'a Column<'a>| {
            let (inner, outer) = column.offsets.split_last().expect("both sides have men");
            RowColumn {
                numbers: &column.numbers,
                outer,
                inner,
                base: 0,
            }
        };
        Row {
            columns: columns.iter().map(column).collect(),
        }
    }

    fn move_to(&mut self, outer: &[usize]) {
        for column in self.columns.iter_mut().filter(|c| !c.numbers.is_empty()) {
            let offsets = column.outer.iter().zip(outer);
            column.base = offsets.map(|(offsets, &digit)| offsets[digit]).sum();
        }
    }

    /// Fills in the numbers of a tile, which are 0 so far, with the lane's king on a square. The variant is
    /// that of the outer groups. Returns whether there may be any number but 0.
    #[inline(always)]
    fn numbers(
        &self,
        square: usize,
        (variant, tile): (usize, &Tile),
        numbers: &mut [u8; TILE],
    ) -> bool {
        let mut any = false;
        for (part, places) in &tile.alike {
            let column = &self.columns[(variant + part) * SQUARES + square];
            if column.numbers.is_empty() {
                continue;
            }
            any = true;
            let inner = &column.inner[tile.first..];
            for &place in places {
                let lane = column.base + inner[usize::from(place)];
                numbers[usize::from(place) % TILE] = column.numbers[lane as usize];
            }
        }
        any
    }
}

impl Slabs for TwoSidedCells {
    fn whole(&self) -> &LaneLayout {
        &self.whole
    }

    fn slab(&self, slab: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let king = self.whole.domain()[slab];
        let row_lanes = self.whole.row_lanes();
        let chunks = cells.par_chunks_mut(ROWS * row_lanes * 64).enumerate();
        chunks.for_each(|(chunk, cells)| {
            let mut odometer = self.men.digits(chunk * ROWS * row_lanes);
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

/// Which cells there are in an ending, legal ones alone. Ends early if `enough` says so of what
/// was found.
///
/// # Errors
///
/// If distances cannot be read.
pub fn used(
    slabs: &dyn Slabs,
    enough: &dyn Fn(&[bool; 256]) -> bool,
) -> Result<[bool; 256], TableError> {
    let mut used = [false; 256];
    let mut cells = HugeArray::zeroed(slabs.slab_lanes() * 64);
    for slab in 0..slabs.whole().domain().len() {
        slabs.slab(slab, &mut cells)?;
        let in_slab = cells.par_chunks(1 << 16).fold(
            || [false; 256],
            |mut used, cells| {
                for &cell in cells {
                    used[usize::from(cell)] = true;
                }
                used
            },
        );
        let found = in_slab.reduce(
            || [false; 256],
            |a, b| std::array::from_fn(|i| a[i] || b[i]),
        );
        for (used, found) in used.iter_mut().zip(found) {
            *used |= found;
        }
        used[usize::from(<u8 as Cell>::of(ILLEGAL))] = false;
        if enough(&used) {
            break;
        }
    }
    Ok(used)
}
