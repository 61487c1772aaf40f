//! Converts the solver's lanes to a table's cells.

use rayon::prelude::*;

use super::black_wins::BlackWins;
use super::cell::Cell;
use super::cells::{Cells, with_cells};
use super::code_set::keep_used;
use super::occupied_squares::OccupiedSquares;
use super::permute::Permutation;
use crate::huge_pages::HugeArray;
use crate::index::{BiaPlacements, Layout};
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::solve::{LaneLayout, Solution, Unit};
use crate::table::{CellSource, Code, ILLEGAL};

/// A section refers to its base section (the earlier section that predicts it) only if at most one
/// of `ALIKE` cells differs from the base section's cell.
const ALIKE: u64 = 64;

/// A solved ending with White to move, as codes in the lane order of White's wins. In an ending
/// with bia, the slices are stored one after another.
#[derive(Debug)]
pub struct CodedCells {
    /// The layout of the first slice.
    lane_layout: LaneLayout,
    /// The codes that the cells refer to by index: first the draw, then White's wins, then Black's.
    codes: Vec<Code>,
    /// The longest win of White, in moves.
    longest: u16,
    cells: Cells,
}

/// Collects White's wins slice by slice, as the slices are solved. All other legal positions are
/// stored as draws.
pub struct WhiteCollecting {
    slices: usize,
    longest: u16,
    collected: Option<(LaneLayout, Cells)>,
}

impl WhiteCollecting {
    /// Starts with no wins collected.
    pub fn new(material: CanonicalMaterial) -> WhiteCollecting {
        WhiteCollecting {
            slices: BiaPlacements::of(material.material()).len(),
            longest: 0,
            collected: None,
        }
    }

    /// Adds the wins of slice `number`. Its solution must include the distances with White to move.
    pub fn add(&mut self, number: usize, white: &Solution) {
        let (planes, layout) = (&white.winner_to_move, &white.layout);
        self.longest = self.longest.max(planes.largest());
        let codes = white_codes(self.longest).len();
        let (first, cells) = match self.collected.take() {
            Some((first, cells)) => (first, cells.widened(codes)),
            None => {
                let all = self.slices * planes.lanes() * 64;
                (layout.clone(), Cells::unset(all, codes))
            }
        };
        let (_, cells) = self.collected.insert((first, cells));
        let occupied = OccupiedSquares::new(layout);
        let legal = |lane: usize, men: u64| (white.open[lane] | planes.any(lane)) & !men;
        cells.set_slice(number, planes, &occupied, &legal);
    }

    /// Returns the cells once all slices have been added.
    pub fn finish(self) -> CodedCells {
        let (lane_layout, cells) = self.collected.expect("an ending has a slice");
        CodedCells {
            lane_layout,
            codes: white_codes(self.longest),
            longest: self.longest,
            cells,
        }
    }
}

/// Adds Black's wins to cells that already contain White's wins.
pub struct BlackCollecting {
    cells: CodedCells,
    /// The moves of Black's longest win, plus one; 0 if Black has no wins.
    largest: u16,
}

impl BlackCollecting {
    /// Starts with cells that contain no wins of Black.
    pub fn new(cells: CodedCells) -> BlackCollecting {
        BlackCollecting { cells, largest: 0 }
    }

    /// Adds Black's wins in slice `number`. The solution must include the distances with White to
    /// move.
    pub fn add(&mut self, number: usize, black: &Solution) {
        let own = &mut self.cells;
        let layout = own.lane_layout.with_bia(black.layout.bia());
        let Some(black) = BlackWins::new(&layout, black) else {
            return;
        };
        let longest = own.longest;
        self.largest = self.largest.max(black.largest);
        let codes = both_codes(longest, self.largest).len();
        own.cells = std::mem::take(&mut own.cells).widened(codes);
        let occupied = OccupiedSquares::new(&layout);
        let row = layout.row_lanes();
        let slice = number * layout.lanes() * 64..(number + 1) * layout.lanes() * 64;
        with_cells!(&mut own.cells, cells => {
            let rows = cells[slice].par_chunks_mut(row * 64).enumerate().erased();
            rows.for_each(|(number, row_cells)| {
                let digits = occupied.digits(number * row);
                let (lanes, _) = row_cells.as_chunks_mut();
                black.add(digits.digits(), longest, lanes);
            });
        });
    }

    /// Returns the cells once all slices have been added.
    pub fn finish(self) -> CodedCells {
        let CodedCells { longest, .. } = self.cells;
        CodedCells {
            codes: both_codes(longest, self.largest),
            ..self.cells
        }
    }
}

impl CodedCells {
    /// Returns a copy of the cells in which Black's wins are replaced with draws.
    pub fn white_only(&self) -> CodedCells {
        let longest = self.longest;
        let mut cells = self.cells.clone();
        cells.change_each(|code| match code {
            ILLEGAL => ILLEGAL,
            code if code > longest => 0,
            code => code,
        });
        CodedCells {
            lane_layout: self.lane_layout.clone(),
            codes: white_codes(longest),
            longest,
            cells,
        }
    }

    /// Adds Black's wins, copied from other cells of the same ending.
    pub fn with_black_of(mut self, known: &CodedCells) -> CodedCells {
        let (longest, before) = (self.longest, known.longest);
        self.codes.extend(&known.codes[usize::from(before) + 1..]);
        self.cells = self.cells.widened(self.codes.len());
        self.cells.change(&known.cells, |code, known| match known {
            ILLEGAL => ILLEGAL,
            known if known > before => longest + (known - before),
            _ => code,
        });
        self
    }

    /// Wraps the bytes of cells that the caller has assembled in lane order. The byte of an illegal
    /// position is 255. `codes` is the result of [`both_codes`] or [`white_codes`], and `longest`
    /// is the number of moves of White's longest win.
    pub fn of_bytes(
        lane_layout: LaneLayout,
        codes: Vec<Code>,
        longest: u16,
        cells: HugeArray<u8>,
    ) -> CodedCells {
        CodedCells {
            lane_layout,
            longest,
            codes,
            cells: Cells::Bytes(cells),
        }
    }

    /// The codes that the cells refer to by index.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// Maps each code of `base`, converted to `unit`, to the index of the equal code of these
    /// cells, or to [`ILLEGAL`] if no code is equal.
    fn same_codes(&self, base: &CodedCells, unit: Unit) -> Vec<u16> {
        same_codes(&self.codes, &base.codes, unit)
    }

    /// Like [`CodedCells::based_on`], but makes no references if too few cells equal those of
    /// `base`, because the cells then compress better.
    pub fn based_on_if_alike(mut self, base: &CodedCells, unit: Unit) -> Option<CodedCells> {
        let same = self.same_codes(base, unit);
        let different = self.cells.count(&base.cells, |code, base| {
            code != ILLEGAL && same.get(usize::from(base)) != Some(&code)
        });
        if different <= self.cells.len() as u64 / ALIKE {
            return self.based_on(base, unit);
        }
        self.drop_unused();
        Some(self)
    }

    /// Replaces each cell that equals the cell of `base` with [`Code::Base`]. The distances of
    /// these cells are in `unit`; those of `base`, the cells of the same ending, are in moves, and
    /// are converted for the comparison. Returns `None` if all cells are equal.
    pub fn based_on(mut self, base: &CodedCells, unit: Unit) -> Option<CodedCells> {
        let same = self.same_codes(base, unit);
        self.codes.insert(0, Code::Base);
        self.cells = self.cells.widened(self.codes.len());
        self.cells.change(&base.cells, |code, base| {
            if code == ILLEGAL {
                ILLEGAL
            } else if same.get(usize::from(base)) == Some(&code) {
                0
            } else {
                code + 1
            }
        });
        let differs = self.cells.any(|code| code != ILLEGAL && code != 0);
        if unit != Unit::Moves {
            self.drop_unused();
        }
        differs.then_some(self)
    }

    /// Returns the cells without references to a base, or `None` if they all equal those of `base`.
    /// The distances are compared as in [`CodedCells::based_on`].
    pub fn unless_same(mut self, base: &CodedCells, unit: Unit) -> Option<CodedCells> {
        let same = self.same_codes(base, unit);
        let differ = |code, base| code != ILLEGAL && same.get(usize::from(base)) != Some(&code);
        if !self.cells.any_pair(&base.cells, differ) {
            return None;
        }
        if unit != Unit::Moves {
            self.drop_unused();
        }
        Some(self)
    }

    /// Removes the codes that no cell uses if one of them is longer than the longest win of its
    /// winner, given in moves. The solver's numbers can be larger where the kings or other men share
    /// a square, which no cell has.
    pub fn drop_beyond(&mut self, longest: [usize; 2]) {
        let beyond = |code: &Code| {
            code.win()
                .is_some_and(|(winner, moves)| usize::from(moves) > longest[winner.index()])
        };
        if self.codes.iter().any(beyond) {
            self.drop_unused();
        }
    }

    /// Removes the codes that no cell uses. In plies nearly every second code is unused, and cells
    /// compress better without gaps between their codes.
    fn drop_unused(&mut self) {
        let used = self.cells.codes(self.codes.len());
        let places = keep_used(&mut self.codes, &used);
        let place = |code: u16| places.get(usize::from(code)).copied().unwrap_or(ILLEGAL);
        self.cells.change_each(place);
    }

    /// The cells in the order of another layout of the ending. Each cell is looked up when it is
    /// read.
    pub fn permuted_when_read<'a>(&'a self, layout: &Layout) -> PermutedWhenRead<'a> {
        let lane_layout = self.lane_layout.table_layout(layout.material());
        PermutedWhenRead {
            cells: &self.cells,
            permutation: Permutation::new(layout.order(), &lane_layout),
        }
    }

    /// The cells in the order of another layout. One-byte cells are permuted in advance, which
    /// doubles the memory; two-byte cells are looked up when they are read.
    pub fn permuted<'a>(&'a self, layout: &Layout) -> Box<dyn CellSource + 'a> {
        match &self.cells {
            Cells::Bytes(cells) => {
                let permutation = Permutation::new(
                    layout.order(),
                    &self.lane_layout.table_layout(layout.material()),
                );
                Box::new(Permuted(permutation.all(cells)))
            }
            Cells::Words(_) => Box::new(self.permuted_when_read(layout)),
        }
    }
}

/// Converts a code with White to move from moves to the given unit. A win beyond the unit's limit
/// becomes a draw.
fn in_unit(code: Code, unit: Unit) -> Code {
    match unit {
        Unit::Moves => code,
        Unit::Plies(most) => code.in_plies(most),
    }
}

/// Maps each code of a base section, whose distances are in moves, to the index of the code in
/// `own` that is equal in `unit`, or to [`ILLEGAL`] if no code is equal.
pub fn same_codes(own: &[Code], base: &[Code], unit: Unit) -> Vec<u16> {
    let same = |code: &Code| {
        let code = in_unit(*code, unit);
        own.iter().position(|&own| own == code)
    };
    let codes = base.iter();
    codes
        .map(|code| same(code).map_or(ILLEGAL, |place| place as u16))
        .collect()
}

/// Lists all codes of an ending: the draw, White's wins, then Black's wins. `longest` is the number
/// of moves of White's longest win. `black_wins` is the number of moves of Black's longest win plus
/// one, since Black's wins begin with mate in 0 moves; it is 0 if Black has no wins.
pub fn both_codes(longest: u16, black_wins: u16) -> Vec<Code> {
    let mut codes = white_codes(longest);
    codes.extend((0..black_wins).map(Code::BlackWins));
    codes
}

/// Lists the codes of the draw and of White's wins in 1 to `longest` moves.
pub fn white_codes(longest: u16) -> Vec<Code> {
    let mut codes = vec![Code::Draw];
    codes.extend((1..=longest).map(Code::WhiteWins));
    codes
}

/// [`CodedCells`] in the order of a table. Each cell is looked up when it is read.
#[derive(Debug)]
pub struct PermutedWhenRead<'a> {
    cells: &'a Cells,
    permutation: Permutation,
}

impl CellSource for PermutedWhenRead<'_> {
    fn cells(&self) -> u64 {
        self.cells.len() as u64
    }

    fn read(&self, start: u64, out: &mut [u16]) {
        with_cells!(self.cells, cells => {
            self.permutation.read(cells, start as usize, out, Cell::code);
        });
    }

    fn read_low_bytes(&self, start: u64, out: &mut [u8]) {
        with_cells!(self.cells, cells => {
            let low_byte = |cell: _| Cell::code(cell) as u8;
            self.permutation.read(cells, start as usize, out, low_byte);
        });
    }
}

/// Cells stored in the order of a table.
#[derive(Debug)]
struct Permuted(HugeArray<u8>);

impl CellSource for Permuted {
    fn cells(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, start: u64, out: &mut [u16]) {
        for (out, cell) in out.iter_mut().zip(&self.0[start as usize..]) {
            *out = cell.code();
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        Some(&self.0)
    }
}
