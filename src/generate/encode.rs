//! From the solver's lanes to a table's cells.

use rayon::prelude::*;

use crate::board::{Color, SquareSet};
use crate::index::{Component, Layout};
use crate::solve::{Frame, Planes};
use crate::table::{CellSource, ILLEGAL};

/// The code of an illegal position in [`Solved`], whose codes are bytes.
const NONE: u8 = u8::MAX;

/// The most moves that fit beside [`NONE`].
pub const MAX_MOVES: u16 = 254;

/// The codes of a solved ending, winner to move, in the order of its frame: 0 for a draw, else the
/// moves to mate.
#[derive(Debug)]
pub struct Solved {
    frame: Frame,
    codes: Vec<u8>,
}

impl Solved {
    /// Collects the codes; `open` holds the bits that were never won.
    pub fn collect(frame: Frame, planes: &Planes, open: &[u64]) -> Solved {
        let mut codes = vec![NONE; frame.lanes() * 64];
        let occupied = Occupied::new(&frame);
        const LANES: usize = 512;
        codes
            .par_chunks_mut(LANES * 64)
            .enumerate()
            .for_each(|(chunk, codes)| {
                let mut bytes = [0; 64];
                for (i, codes) in codes.chunks_exact_mut(64).enumerate() {
                    let lane = chunk * LANES + i;
                    let legal = (open[lane] | planes.any(lane)) & !occupied.of(lane);
                    if legal == 0 {
                        continue;
                    }
                    planes.bytes(lane, &mut bytes);
                    for (bit, (code, &byte)) in codes.iter_mut().zip(&bytes).enumerate() {
                        *code = if legal >> bit & 1 != 0 { byte } else { NONE };
                    }
                }
            });
        Solved { frame, codes }
    }

    /// The cells in the order of a layout of the same ending.
    pub fn in_order<'a>(&'a self, layout: &Layout) -> InOrder<'a> {
        let material = layout.material();
        let frame = self.frame.layout(material);
        debug_assert_eq!(frame.anchor(), Color::White);
        InOrder {
            codes: &self.codes,
            components: layout
                .order()
                .iter()
                .map(|&c| (layout.radix(c), frame.stride(c) as usize))
                .collect(),
        }
    }
}

/// The squares of the men of each lane.
struct Occupied {
    /// For the king and each group, its squares by digit.
    squares: Vec<Vec<SquareSet>>,
}

impl Occupied {
    fn new(frame: &Frame) -> Occupied {
        let mut squares = vec![frame.domain().iter().map(|s| s.set()).collect()];
        squares.extend((0..frame.groups().len()).map(|g| frame.placements(g).table()));
        Occupied { squares }
    }

    #[inline(always)]
    fn of(&self, mut lane: usize) -> u64 {
        let mut men = 0;
        for squares in self.squares.iter().rev() {
            men |= squares[lane % squares.len()].0;
            lane /= squares.len();
        }
        men
    }
}

/// [`Solved`] codes as the cells of a table.
#[derive(Debug)]
pub struct InOrder<'a> {
    codes: &'a [u8],
    /// For each component of the table's order, the outermost first: its digits, and what one
    /// step of it adds in `codes`.
    components: Vec<(usize, usize)>,
}

impl CellSource for InOrder<'_> {
    fn cells(&self) -> u64 {
        self.codes.len() as u64
    }

    fn read(&self, start: u64, out: &mut [u16]) {
        let n = self.components.len();
        let (radix, stride) = self.components[n - 1];
        let mut digits = [0; 10];
        let mut rest = start as usize;
        for (digit, &(radix, _)) in digits.iter_mut().zip(&self.components).rev() {
            *digit = rest % radix;
            rest /= radix;
        }
        let mut done = 0;
        while done < out.len() {
            // The innermost component runs, the others stand.
            let base: usize = digits[..n - 1]
                .iter()
                .zip(&self.components)
                .map(|(digit, &(_, stride))| digit * stride)
                .sum();
            let first = digits[n - 1];
            let run = (radix - first).min(out.len() - done);
            for (i, cell) in out[done..done + run].iter_mut().enumerate() {
                let code = self.codes[base + (first + i) * stride];
                *cell = if code == NONE { ILLEGAL } else { code.into() };
            }
            done += run;
            digits[n - 1] = 0;
            for i in (0..n - 1).rev() {
                digits[i] += 1;
                if digits[i] < self.components[i].0 {
                    break;
                }
                digits[i] = 0;
            }
        }
    }
}

/// Every order of the components of a material that is worth a try.
pub fn orders(components: &[Component]) -> Vec<Vec<Component>> {
    let mut found = vec![vec![]];
    for &component in components {
        found = found
            .into_iter()
            .flat_map(|order: Vec<Component>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, component);
                    longer
                })
            })
            .collect();
    }
    found.sort();
    found
}
