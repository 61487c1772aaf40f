//! Permutes cells from their order in memory to the order of a table.

use rayon::prelude::*;

use crate::huge_pages::HugeArray;
use crate::index::{Component, Layout, Odometer};
use crate::parallel::ForkedByOneFunction;

/// The number of cells in a lane. The cells of a lane are adjacent in memory.
const LANE: usize = 64;

/// The approximate number of adjacent cells that one parallel task writes in each row.
const PIECE: usize = 4096;

/// Reads the cells of an array in another order of components.
#[derive(Debug)]
pub struct Permutation {
    /// The radix and the array stride of each component, the table's outermost component first.
    components: Vec<(usize, usize)>,
    odometer: Odometer,
}

impl Permutation {
    /// Makes the permutation from an array of layout `array` to the order of these components,
    /// outermost first.
    pub fn new(components: &[Component], array: &Layout) -> Permutation {
        let step = |&c: &Component| (array.radix(c), array.stride(c) as usize);
        Permutation {
            components: components.iter().map(step).collect(),
            odometer: Odometer::new(components.iter().map(|&c| array.radix(c))),
        }
    }

    /// Fills `out` with consecutive cells of the table, from index `start` on. `get` converts a
    /// cell to its code, or to a part of it.
    #[inline(always)]
    pub fn read<T: Copy, C>(&self, array: &[T], start: usize, out: &mut [C], get: impl Fn(T) -> C) {
        let stride = self.components[self.components.len() - 1].1;
        let mut rest = out;
        for (place, run) in self.runs(start, rest.len()) {
            let (now, later) = rest.split_at_mut(run);
            rest = later;
            let cells = &array[place..];
            // Cells that are adjacent in the array too are copied by vector instructions.
            match stride {
                1 => now
                    .iter_mut()
                    .zip(cells)
                    .for_each(|(out, &cell)| *out = get(cell)),
                _ => {
                    let cells = cells.iter().step_by(stride);
                    now.iter_mut()
                        .zip(cells)
                        .for_each(|(out, &cell)| *out = get(cell));
                }
            }
        }
    }

    /// Divides the table's cells from index `start` on into runs along the innermost component.
    /// Returns the array index of each run's first cell, and the run's length.
    #[inline(always)]
    fn runs(&self, start: usize, cells: usize) -> impl Iterator<Item = (usize, usize)> {
        let (&(radix, stride), others) = self.components.split_last().expect("a king moves");
        let mut odometer = self.odometer.at(start);
        let mut left = cells;
        std::iter::from_fn(move || {
            let (&first, digits) = odometer.digits().split_last()?;
            let digits = digits.iter().zip(others);
            let base: usize = digits.map(|(digit, &(_, stride))| digit * stride).sum();
            let run = (radix - first).min(left);
            left -= run;
            odometer.advance_from(others.len());
            (run > 0).then_some((base + first * stride, run))
        })
    }

    /// Permutes all cells of an array in which lanes are innermost.
    ///
    /// Cells adjacent in the table are far apart in the array. Reading them one by one would use
    /// little of each cache line or page at a time. So cells adjacent in the array are processed
    /// together: the cells of a lane or, if lanes are innermost in the table too, the lanes of the
    /// array's innermost group.
    pub fn all(&self, cells: &[u8]) -> HugeArray<u8> {
        let mut out = HugeArray::unset(cells.len());
        let with_stride = |wanted| self.components.iter().position(|&(_, s)| s == wanted);
        let lane = with_stride(1).expect("one component is the square in a lane");
        let lanes_stay = lane == self.components.len() - 1;
        let turned = match lanes_stay {
            true => with_stride(LANE).expect("there is more than one lane"),
            false => lane,
        };
        let (digits, _) = self.components[turned];
        let inside = &self.components[turned + 1..];
        let run = inside.last().map_or(1, |&(radix, _)| radix);
        // For each digit of the component that is rearranged, this many cells are adjacent in the
        // table.
        let row = inside.iter().map(|(radix, _)| radix).product::<usize>();
        let piece = (PIECE / run).max(1) * run;
        out.par_chunks_mut(digits * row)
            .enumerate()
            .erased()
            .for_each(|(region, out)| {
                let mut rows: Vec<_> = out
                    .chunks_mut(row)
                    .map(|row| row.chunks_mut(piece))
                    .collect();
                let pieces: Vec<(usize, Vec<&mut [u8]>)> = (0..row)
                    .step_by(piece)
                    .map(|at| (at, rows.iter_mut().filter_map(Iterator::next).collect()))
                    .collect();
                pieces.into_par_iter().erased().for_each(|(at, rows)| {
                    let first = region * digits * row + at;
                    match lanes_stay {
                        true => self.lanes(cells, first, rows),
                        false => self.transpose(cells, first, rows),
                    }
                });
            });
        out
    }

    /// Copies lanes to each row. There is one row for each digit of the array's innermost group.
    /// `first` is the table index of the first row's first cell.
    fn lanes(&self, cells: &[u8], first: usize, mut rows: Vec<&mut [u8]>) {
        for at in (0..rows[0].len()).step_by(LANE) {
            let place = self.array_index(first + at);
            for (row, lane) in rows.iter_mut().zip(cells[place..].as_chunks::<LANE>().0) {
                row[at..at + LANE].copy_from_slice(lane);
            }
        }
    }

    /// Transposes cells of several lanes. There is one row for each square of the lane's king.
    /// `first` is the table index of the first row's first cell.
    fn transpose(&self, cells: &[u8], first: usize, mut rows: Vec<&mut [u8]>) {
        let Some(&(run, stride)) = self.components.last() else {
            return;
        };
        let mut tile = [[0u8; LANE]; LANE];
        for at in (0..rows[0].len()).step_by(run) {
            let place = self.array_index(first + at);
            for from in (0..run).step_by(LANE) {
                let width = LANE.min(run - from);
                for eight in (0..width).step_by(8) {
                    let mut lines = [&[0u8; LANE]; 8];
                    for (i, line) in lines.iter_mut().enumerate().take(width - eight) {
                        let start = place + (from + eight + i) * stride;
                        *line = cells[start..].first_chunk().expect("lanes are whole");
                    }
                    for bits in (0..LANE).step_by(8) {
                        let words = lines.map(|line| word(&line[bits..]));
                        for (word, row) in transposed(words).iter().zip(&mut tile[bits..]) {
                            row[eight..eight + 8].copy_from_slice(&word.to_le_bytes());
                        }
                    }
                }
                for (row, tile) in rows.iter_mut().zip(&tile) {
                    row[at + from..][..width].copy_from_slice(&tile[..width]);
                }
            }
        }
    }

    /// Returns the array index of the cell with index `number` in the table.
    fn array_index(&self, number: usize) -> usize {
        let odometer = self.odometer.at(number);
        let digits = odometer.digits().iter().zip(&self.components);
        digits.map(|(digit, &(_, stride))| digit * stride).sum()
    }
}

/// Reads the first eight bytes as one word.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    bytes
        .first_chunk()
        .map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// Transposes an eight-by-eight matrix of bytes.
#[inline(always)]
fn transposed(mut rows: [u64; 8]) -> [u64; 8] {
    // Exchanges blocks of four by four across the diagonal, then of two by two, then single bytes.
    for (size, mask) in [
        (4, 0x0000_0000_ffff_ffff),
        (2, 0x0000_ffff_0000_ffff),
        (1, 0x00ff_00ff_00ff_00ff_u64),
    ] {
        let shift = 8 * size;
        for i in (0..8).filter(|i| i & size == 0) {
            let change = (rows[i] >> shift ^ rows[i + size]) & mask;
            rows[i + size] ^= change;
            rows[i] ^= change << shift;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::choose_order::orders;
    use crate::material::CanonicalMaterial;

    #[test]
    fn rows_become_columns() {
        let rows: [u64; 8] = std::array::from_fn(|row| {
            u64::from_le_bytes(std::array::from_fn(|column| (row * 8 + column) as u8))
        });
        for (row, bytes) in transposed(rows).map(u64::to_le_bytes).iter().enumerate() {
            for (column, &byte) in bytes.iter().enumerate() {
                assert_eq!(usize::from(byte), column * 8 + row);
            }
        }
    }

    #[test]
    fn all_cells_together_are_those_read_one_by_one() {
        for name in ["KRvK", "KSMvK", "KMMvK", "KRvKM"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let symmetry = Layout::symmetry_of(material);
            let layout = |order: &[Component]| Layout::new(material, symmetry, order).unwrap();
            let mut inner: Vec<Component> = vec![Component::Anchor];
            inner.extend((0..Layout::groups_of(material).len()).map(Component::Group));
            let array = layout(&[&inner[..], &[Component::Lane]].concat());
            let mut seed = 1u32;
            let cells: Vec<u8> = (0..array.cells())
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 24) as u8
                })
                .collect();
            for order in orders(&[&inner[..], &[Component::Lane]].concat()) {
                let permutation = Permutation::new(&order, &array);
                let mut one_by_one = vec![0; cells.len()];
                permutation.read(&cells, 0, &mut one_by_one, u16::from);
                let all = permutation.all(&cells);
                let same = all
                    .iter()
                    .zip(&one_by_one)
                    .all(|(&a, &b)| u16::from(a) == b);
                assert!(same, "{name} {order:?}");
            }
        }
    }

    #[test]
    fn each_cell_is_the_one_with_the_same_digits() {
        let material: CanonicalMaterial = "KRvK".parse().unwrap();
        let symmetry = Layout::symmetry_of(material);
        let [a, l, g] = [Component::Anchor, Component::Lane, Component::Group(0)];
        let layout = |order: &[Component]| Layout::new(material, symmetry, order).unwrap();
        let (array, table) = (layout(&[a, g, l]), layout(&[l, a, g]));
        let permutation = Permutation::new(table.order(), &array);
        let places: Vec<u16> = (0..array.cells()).map(|place| place as u16).collect();
        for start in [0, 1, 63, 700, 40_000] {
            let mut out = [0; 900];
            permutation.read(&places, start, &mut out, |place| place);
            for (i, &place) in out.iter().enumerate() {
                for component in [a, l, g] {
                    let digit = table.digit((start + i) as u64, component);
                    assert_eq!(array.digit(place.into(), component), digit);
                }
            }
        }
    }
}
