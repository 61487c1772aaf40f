//! From the order in which cells lie in memory to that of a table.

use rayon::prelude::*;

use crate::huge_pages::HugeArray;
use crate::index::{Component, Layout, Odometer};

/// The cells of a lane, which lie side by side in memory.
const LANE: usize = 64;

/// About how many cells of each square of the lane's king one task lays out.
const PIECE: usize = 4096;

/// Reads cells in the order of a table's components out of an array that has them in another.
#[derive(Debug)]
pub struct Permutation {
    /// For each component, the outermost first: its digits, and what one step of it adds to the
    /// place in the array.
    components: Vec<(usize, usize)>,
    odometer: Odometer,
}

impl Permutation {
    /// A permutation in the order of these components, the outermost first, over an array in the order of
    /// `array`.
    pub fn new(components: &[Component], array: &Layout) -> Permutation {
        let step = |&c: &Component| (array.radix(c), array.stride(c) as usize);
        Permutation {
            components: components.iter().map(step).collect(),
            odometer: Odometer::new(components.iter().map(|&c| array.radix(c))),
        }
    }

    /// Fills `out` with what `get` makes of the array's cells, from the table's number `start` on.
    #[inline(always)]
    pub fn read<T: Copy>(
        &self,
        array: &[T],
        start: usize,
        out: &mut [u16],
        get: impl Fn(T) -> u16,
    ) {
        let n = self.components.len();
        let (radix, stride) = self.components[n - 1];
        let mut odometer = self.odometer.at(start);
        let mut done = 0;
        while done < out.len() {
            // The innermost component runs, the others stand.
            let digits = odometer.digits();
            let base: usize = digits[..n - 1]
                .iter()
                .zip(&self.components)
                .map(|(digit, &(_, stride))| digit * stride)
                .sum();
            let first = digits[n - 1];
            let run = (radix - first).min(out.len() - done);
            let cells = &array[base + first * stride..];
            let now = &mut out[done..done + run];
            // Side by side, cells are copied by vectors.
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
            done += run;
            odometer.advance_from(n - 1);
        }
    }

    /// All cells in the new order, out of an array in which lanes are the innermost component, and not
    /// of the table.
    ///
    /// Read one by one, the cells of a lane are far apart in the table, so that of each line of the
    /// cache one cell is used at a time. Here squares of 64 by 64 cells are turned in the first-level
    /// cache, and memory is read and written once, in whole lines.
    pub fn all(&self, cells: &[u8]) -> HugeArray<u8> {
        let mut out = HugeArray::unset(cells.len());
        let lane = self.components.iter().position(|&(_, stride)| stride == 1);
        let inside = lane.map_or(&[][..], |lane| &self.components[lane + 1..]);
        let (Some(&(run, _)), Some(_)) = (inside.last(), lane) else {
            unreachable!("the array is made of lanes, and the table is not");
        };
        // Of each square of the lane's king so many cells lie side by side in the table.
        let row = inside.iter().map(|(radix, _)| radix).product::<usize>();
        let piece = (PIECE / run).max(1) * run;
        out.par_chunks_mut(LANE * row)
            .enumerate()
            .for_each(|(region, out)| {
                let mut rows: Vec<_> = out
                    .chunks_mut(row)
                    .map(|row| row.chunks_mut(piece))
                    .collect();
                let pieces: Vec<(usize, Vec<&mut [u8]>)> = (0..row)
                    .step_by(piece)
                    .map(|at| (at, rows.iter_mut().filter_map(Iterator::next).collect()))
                    .collect();
                pieces.into_par_iter().for_each(|(at, rows)| {
                    self.turn(cells, region * LANE * row + at, rows);
                });
            });
        out
    }

    /// Lays out some cells of each square of the lane's king: the first one's have these numbers on.
    fn turn(&self, cells: &[u8], first: usize, mut rows: Vec<&mut [u8]>) {
        let Some(&(run, stride)) = self.components.last() else {
            return;
        };
        let mut tile = [[0u8; LANE]; LANE];
        for at in (0..rows[0].len()).step_by(run) {
            let place = self.place(first + at);
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

    /// The place in the array of the cell with this number.
    fn place(&self, number: usize) -> usize {
        let odometer = self.odometer.at(number);
        let digits = odometer.digits().iter().zip(&self.components);
        digits.map(|(digit, &(_, stride))| digit * stride).sum()
    }
}

/// The first eight bytes as a word.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    bytes
        .first_chunk()
        .map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// Eight by eight bytes with rows and columns exchanged.
#[inline(always)]
fn transposed(mut rows: [u64; 8]) -> [u64; 8] {
    // Blocks of four by four, then of two by two, then bytes, beside the diagonal.
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
                if order.last() == Some(&Component::Lane) {
                    continue;
                }
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
