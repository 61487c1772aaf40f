//! The cells of a solved ending in memory, in lane order.

use rayon::prelude::*;

use super::cell::Cell;
use super::code_set::{CodeSet, codes_in};
use super::occupied_squares::OccupiedSquares;
use crate::byte_map::ByteMap;
use crate::huge_pages::HugeArray;
use crate::parallel::ForkedByOneFunction;
use crate::solve::BitPlanes;

/// The number of lanes that one parallel task processes.
const LANES: usize = 1024;

/// The cells of an ending. A cell takes one byte if the ending has few codes, otherwise two.
#[derive(Clone, Debug)]
pub enum Cells {
    /// One byte for each cell, for up to 255 codes.
    Bytes(HugeArray<u8>),
    /// Two bytes for each cell, for more codes.
    Words(HugeArray<u16>),
}

impl Default for Cells {
    fn default() -> Cells {
        Cells::Bytes(HugeArray::default())
    }
}

/// Runs the same code on one-byte cells and on two-byte cells.
macro_rules! with_cells {
    ($cells:expr, $name:ident => $work:expr) => {
        match $cells {
            $crate::generate::cells::Cells::Bytes($name) => $work,
            $crate::generate::cells::Cells::Words($name) => $work,
        }
    };
}
pub(super) use with_cells;

impl Cells {
    /// True if one byte can store the indices of this many codes and the value of illegal cells.
    fn fit_bytes(codes: usize) -> bool {
        codes <= usize::from(u8::MAX)
    }

    /// Allocates cells that are wide enough for this many codes. Their content is arbitrary.
    pub fn unset(len: usize, codes: usize) -> Cells {
        match Cells::fit_bytes(codes) {
            true => Cells::Bytes(HugeArray::unset(len)),
            false => Cells::Words(HugeArray::unset(len)),
        }
    }

    /// Writes the distances of slice `number` into its cells, which must be wide enough. `legal`
    /// takes the index of a lane and the squares of the lane's men, and returns the legal squares
    /// of the lane's king. All other cells of the lane become illegal.
    pub fn set_slice(
        &mut self,
        number: usize,
        planes: &BitPlanes,
        occupied: &OccupiedSquares,
        legal: &(dyn Fn(usize, u64) -> u64 + Sync),
    ) {
        fn set<T: Cell>(
            cells: &mut [T],
            planes: &BitPlanes,
            occupied: &OccupiedSquares,
            legal: &(dyn Fn(usize, u64) -> u64 + Sync),
        ) {
            for_each_lane(cells, occupied, |lane, men, out| {
                T::lane(planes, lane, legal(lane, men), out);
            });
        }
        let len = planes.lanes() * 64;
        let slice = number * len..(number + 1) * len;
        with_cells!(self, cells => set(&mut cells[slice], planes, occupied, legal));
    }

    /// Returns the cells, widened to two bytes if one byte is too narrow for this many codes.
    pub fn widened(self, codes: usize) -> Cells {
        match self {
            Cells::Bytes(bytes) if !Cells::fit_bytes(codes) => {
                let mut words = HugeArray::unset(bytes.len());
                let pairs = words.par_chunks_mut(LANES * 64);
                pairs
                    .zip(bytes.par_chunks(LANES * 64))
                    .erased()
                    .for_each(|(words, bytes)| {
                        for (word, &byte) in words.iter_mut().zip(bytes) {
                            *word = byte.code();
                        }
                    });
                Cells::Words(words)
            }
            cells => cells,
        }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        with_cells!(self, cells => cells.len())
    }

    /// Replaces the code of each cell with the result of `change` for that code. A code is an index
    /// or [`ILLEGAL`](crate::table::ILLEGAL). The results must fit into the width of the cells.
    pub fn change_each(&mut self, change: impl Fn(u16) -> u16 + Sync) {
        match self {
            Cells::Bytes(cells) => {
                let changed = |cell: usize| u8::of(change((cell as u8).code()));
                let map = ByteMap::new(std::array::from_fn(changed));
                let chunks = cells.par_chunks_mut(LANES * 64).erased();
                chunks.for_each(|cells| map.apply(cells));
            }
            Cells::Words(cells) => cells.par_chunks_mut(LANES * 64).erased().for_each(|cells| {
                cells.iter_mut().for_each(|cell| *cell = change(*cell));
            }),
        }
    }

    /// Replaces the code of each cell with the result of `change` for two codes: that of the cell
    /// and that of the same cell in `others`. A code is an index or
    /// [`ILLEGAL`](crate::table::ILLEGAL). The results must fit into the width of the cells.
    pub fn change(&mut self, others: &Cells, change: impl Fn(u16, u16) -> u16 + Sync) {
        fn each<T: Cell, O: Cell>(
            own: &mut [T],
            others: &[O],
            change: &(impl Fn(u16, u16) -> u16 + Sync),
        ) {
            let own = own.par_chunks_mut(LANES * 64);
            own.zip(others.par_chunks(LANES * 64))
                .erased()
                .for_each(|(own, others)| {
                    for (own, other) in own.iter_mut().zip(others) {
                        *own = T::of(change(own.code(), other.code()));
                    }
                });
        }
        with_cells!(self, own => with_cells!(others, others => each(own, others, &change)));
    }

    /// Counts the cells for which `predicate` accepts the pair of codes: the cell's own and that of
    /// the same cell in `others`.
    pub fn count(&self, others: &Cells, predicate: impl Fn(u16, u16) -> bool + Sync) -> u64 {
        fn each<T: Cell, O: Cell>(
            own: &[T],
            others: &[O],
            predicate: &(impl Fn(u16, u16) -> bool + Sync),
        ) -> u64 {
            let count = |(own, others): (&[T], &[O])| {
                let pairs = pairs(own, others);
                pairs.filter(|&(own, other)| predicate(own, other)).count() as u64
            };
            chunk_pairs(own, others).map(count).sum()
        }
        with_cells!(self, own => with_cells!(others, others => each(own, others, &predicate)))
    }

    /// True if `predicate` accepts the pair of codes of at least one cell: the cell's own and that
    /// of the same cell in `others`.
    pub fn any_pair(&self, others: &Cells, predicate: impl Fn(u16, u16) -> bool + Sync) -> bool {
        fn each<T: Cell, O: Cell>(
            own: &[T],
            others: &[O],
            predicate: &(impl Fn(u16, u16) -> bool + Sync),
        ) -> bool {
            let any = |(own, others): (&[T], &[O])| {
                let mut pairs = pairs(own, others);
                pairs.any(|(own, other)| predicate(own, other))
            };
            chunk_pairs(own, others).any(any)
        }
        with_cells!(self, own => with_cells!(others, others => each(own, others, &predicate)))
    }

    /// True if `predicate` accepts the code of at least one cell.
    pub fn any(&self, predicate: impl Fn(u16) -> bool + Sync) -> bool {
        with_cells!(self, cells => {
            let chunks = cells.par_chunks(LANES * 64).erased();
            chunks.any(|cells| cells.iter().any(|cell| predicate(cell.code())))
        })
    }

    /// Finds which of `codes` possible codes occur in the cells.
    pub fn codes(&self, codes: usize) -> CodeSet {
        with_cells!(self, cells => codes_in(cells, codes))
    }
}

/// Divides two arrays into chunks of cells, and pairs the chunks with the same index.
fn chunk_pairs<'a, T: Cell, O: Cell>(
    own: &'a [T],
    others: &'a [O],
) -> impl ParallelIterator<Item = (&'a [T], &'a [O])> {
    let own = own.par_chunks(LANES * 64);
    own.zip(others.par_chunks(LANES * 64)).erased()
}

/// Pairs the code of each cell with the code of the same cell in `others`.
fn pairs<T: Cell, O: Cell>(own: &[T], others: &[O]) -> impl Iterator<Item = (u16, u16)> {
    let pairs = own.iter().zip(others);
    pairs.map(|(own, other)| (own.code(), other.code()))
}

/// Calls a function for each lane, with the lane's index, the squares of its men and its cells.
fn for_each_lane<T: Cell>(
    cells: &mut [T],
    occupied: &OccupiedSquares,
    work: impl Fn(usize, u64, &mut [T; 64]) + Sync,
) {
    let chunks = cells.par_chunks_mut(LANES * 64).enumerate().erased();
    chunks.for_each(|(chunk, cells)| {
        let mut odometer = occupied.digits(chunk * LANES);
        for (i, lane) in cells.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            work(chunk * LANES + i, occupied.of(odometer.digits()), lane);
            odometer.advance();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ILLEGAL;

    #[test]
    fn cells_of_both_widths_say_the_same() {
        for code in (0..255).chain([ILLEGAL]) {
            assert_eq!(u8::of(code).code(), code);
            assert_eq!(u16::of(code).code(), code);
        }
        let lengths = [7u16, 0, 254, ILLEGAL];
        let mut bytes = HugeArray::zeroed(4);
        for (byte, &code) in bytes.iter_mut().zip(&lengths) {
            *byte = u8::of(code);
        }
        let cells = Cells::Bytes(bytes);
        assert!(matches!(cells.clone().widened(255), Cells::Bytes(_)));
        let mut wide = cells.clone().widened(256);
        let Cells::Words(words) = &wide else {
            panic!("not widened");
        };
        assert_eq!(words[..], lengths);
        wide.change(&cells, |own, other| {
            assert_eq!(own, other);
            300
        });
        let Cells::Words(words) = &wide else {
            panic!("not wide any more");
        };
        assert_eq!(words[..], [300; 4]);
    }

    #[test]
    fn each_cell_of_both_widths_is_changed() {
        let codes: Vec<u16> = (0..255).chain([ILLEGAL]).collect();
        let change = |code: u16| match code {
            ILLEGAL => ILLEGAL,
            7 | 60..90 => 3,
            code => (code + 100) % 250,
        };
        let (mut bytes, mut words) = (HugeArray::zeroed(256), HugeArray::zeroed(256));
        for (i, &code) in codes.iter().enumerate() {
            (bytes[i], words[i]) = (u8::of(code), u16::of(code));
        }
        let (mut bytes, mut words) = (Cells::Bytes(bytes), Cells::Words(words));
        bytes.change_each(change);
        words.change_each(change);
        let (Cells::Bytes(bytes), Cells::Words(words)) = (&bytes, &words) else {
            panic!("the widths stay");
        };
        for (i, &code) in codes.iter().enumerate() {
            assert_eq!((bytes[i].code(), words[i]), (change(code), change(code)));
        }
    }

    #[test]
    fn lanes_of_planes_have_the_same_cells_in_both_widths() {
        let mut planes = BitPlanes::new(3);
        for lane in 0..3 {
            let numbers = std::array::from_fn(|i| (i * 3 + lane) as u16);
            planes.set_lane(lane, &numbers);
            let (mut bytes, mut words) = ([0u8; 64], [0u16; 64]);
            let legal = 0x0123_4567_89ab_cdef;
            Cell::lane(&planes, lane, legal, &mut bytes);
            Cell::lane(&planes, lane, legal, &mut words);
            assert_eq!(bytes.map(Cell::code), words.map(Cell::code));
        }
    }
}
