//! From the solver's lanes to a table's cells.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::walk::Walk;
use crate::board::{Color, Square, SquareSet};
use crate::index::{Component, Layout, Transform};
use crate::solve::{Frame, Solution};
use crate::table::{CellSource, Code, ILLEGAL};

/// Lanes that are turned into codes as one task.
const LANES: usize = 512;

/// Cells in the order of the frame, one byte or two each; the largest number is an illegal
/// position.
#[derive(Debug)]
enum Cells {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Cells {
    /// The place of each cell's code, worked out lane by lane.
    fn collect(lanes: usize, codes: usize, fill: &(dyn Fn(usize, &mut [u16; 64]) + Sync)) -> Cells {
        if codes < usize::from(u8::MAX) {
            let mut bytes = vec![u8::MAX; lanes * 64];
            let chunks = bytes.par_chunks_mut(LANES * 64).enumerate();
            chunks.for_each(|(chunk, bytes)| {
                let mut lane = [ILLEGAL; 64];
                for (i, bytes) in bytes.chunks_exact_mut(64).enumerate() {
                    fill(chunk * LANES + i, &mut lane);
                    for (byte, &code) in bytes.iter_mut().zip(&lane) {
                        *byte = code as u8;
                    }
                }
            });
            Cells::Bytes(bytes)
        } else {
            let mut words = vec![ILLEGAL; lanes * 64];
            let chunks = words.par_chunks_mut(LANES * 64).enumerate();
            chunks.for_each(|(chunk, words)| {
                for (i, words) in words.chunks_exact_mut(64).enumerate() {
                    let lane: &mut [u16; 64] = words.try_into().expect("a lane has 64 cells");
                    fill(chunk * LANES + i, lane);
                }
            });
            Cells::Words(words)
        }
    }

    /// Changes the codes lane by lane, in place while there are few enough for a byte each.
    fn change(mut self, codes: usize, change: &(dyn Fn(usize, &mut [u16; 64]) + Sync)) -> Cells {
        let narrow = codes < usize::from(u8::MAX);
        if let (Cells::Bytes(bytes), true) = (&mut self, narrow) {
            let chunks = bytes.par_chunks_mut(LANES * 64).enumerate();
            chunks.for_each(|(chunk, bytes)| {
                let mut lane = [ILLEGAL; 64];
                for (i, bytes) in bytes.chunks_exact_mut(64).enumerate() {
                    for (code, &byte) in lane.iter_mut().zip(&*bytes) {
                        *code = widened(byte);
                    }
                    change(chunk * LANES + i, &mut lane);
                    for (byte, &code) in bytes.iter_mut().zip(&lane) {
                        *byte = code as u8;
                    }
                }
            });
            return self;
        }
        Cells::collect(self.len() / 64, codes, &|lane, out| {
            for (bit, code) in out.iter_mut().enumerate() {
                *code = self.get(lane * 64 + bit);
            }
            change(lane, out);
        })
    }

    fn len(&self) -> usize {
        match self {
            Cells::Bytes(cells) => cells.len(),
            Cells::Words(cells) => cells.len(),
        }
    }

    /// The code's place, or [`ILLEGAL`].
    #[inline(always)]
    fn get(&self, cell: usize) -> u16 {
        match self {
            Cells::Bytes(cells) => widened(cells[cell]),
            Cells::Words(cells) => cells[cell],
        }
    }
}

/// The code's place that a byte stands for, or [`ILLEGAL`].
#[inline(always)]
fn widened(byte: u8) -> u16 {
    match byte {
        u8::MAX => ILLEGAL,
        code => code.into(),
    }
}

/// A solved ending with White to move, in the order of the frame of White's wins.
#[derive(Debug)]
pub struct Solved {
    frame: Frame,
    codes: Vec<Code>,
    cells: Cells,
}

impl Solved {
    /// The wins of White, solved with its distances with White to move. All else is drawn.
    pub fn collect(white: &Solution) -> Solved {
        let longest = white.winner_to_move.largest();
        let mut codes = vec![Code::Draw];
        codes.extend((1..=longest).map(Code::WhiteWins));
        let planes = &white.winner_to_move;
        let occupied = Occupied::new(&white.frame);
        let fill = |lane: usize, out: &mut [u16; 64]| {
            out.fill(ILLEGAL);
            let won = planes.any(lane);
            let mut digits = [0; 8];
            let men = occupied.of(lane, &mut digits);
            let legal = SquareSet((white.open[lane] | won) & !men);
            if legal.is_empty() {
                return;
            }
            planes.numbers(lane, out);
            for (bit, code) in out.iter_mut().enumerate() {
                if legal.0 >> bit & 1 == 0 {
                    *code = ILLEGAL;
                }
            }
        };
        Solved {
            cells: Cells::collect(white.frame.lanes(), codes.len(), &fill),
            frame: white.frame.clone(),
            codes,
        }
    }

    /// Adds to the wins of White those of Black, solved with its distances with White to move.
    pub fn with_black(mut self, black: &Solution) -> Solved {
        let Some(black) = BlackWins::new(&self.frame, black) else {
            return self;
        };
        // Black's codes follow White's.
        let longest = self.codes.len() as u16 - 1;
        self.codes.extend((0..black.largest).map(Code::BlackWins));
        let occupied = Occupied::new(&self.frame);
        self.cells = self.cells.change(self.codes.len(), &|lane, cells| {
            let drawn = cells.iter().enumerate().filter(|&(_, &code)| code == 0);
            let drawn = drawn.fold(0, |drawn, (bit, _)| drawn | 1 << bit);
            if drawn != 0 {
                let mut digits = [0; 8];
                occupied.of(lane, &mut digits);
                black.add(&digits, SquareSet(drawn), longest, cells);
            }
        });
        self
    }

    /// Cells put together elsewhere: a byte for each in the order of the frame, 255 where no legal
    /// position is.
    pub fn of_bytes(frame: Frame, codes: Vec<Code>, cells: Vec<u8>) -> Solved {
        Solved {
            frame,
            codes,
            cells: Cells::Bytes(cells),
        }
    }

    /// What the cells' codes stand for.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The same cells, but with [`Code::Base`] where `base`, of the same ending, says the same.
    /// Nothing if it does everywhere.
    pub fn based_on(mut self, base: &Solved) -> Option<Solved> {
        // For each code of the base, the same code here.
        let same = |code: &Code| self.codes.iter().position(|own| own == code);
        let same: Vec<Option<usize>> = base.codes.iter().map(same).collect();
        let differs = AtomicBool::new(false);
        let codes = self.codes.len() + 1;
        self.cells = self.cells.change(codes, &|lane, cells| {
            let mut other = false;
            for (bit, cell) in cells.iter_mut().enumerate() {
                if *cell == ILLEGAL {
                    continue;
                }
                let old = usize::from(base.cells.get(lane * 64 + bit));
                if same.get(old) == Some(&Some(usize::from(*cell))) {
                    *cell = 0;
                } else {
                    *cell += 1;
                    other = true;
                }
            }
            if other {
                differs.store(true, Ordering::Relaxed);
            }
        });
        self.codes.insert(0, Code::Base);
        differs.into_inner().then_some(self)
    }

    /// The cells in the order of a layout of the same ending.
    pub fn in_order<'a>(&'a self, layout: &Layout) -> InOrder<'a> {
        let frame = self.frame.layout(layout.material());
        debug_assert_eq!(frame.anchor(), Color::White);
        InOrder {
            cells: &self.cells,
            walk: Walk::new(layout.order(), &frame),
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

    /// The squares of a lane's men, and its digits, the king's first.
    #[inline(always)]
    fn of(&self, mut lane: usize, digits: &mut [usize; 8]) -> u64 {
        let mut men = 0;
        for (squares, digit) in self.squares.iter().zip(digits).rev() {
            *digit = lane % squares.len();
            men |= squares[*digit].0;
            lane /= squares.len();
        }
        men
    }
}

/// Black's wins with White to move, looked up from the frame of White's.
///
/// There White's king is the anchor and Black's the lane; in the frame of Black's wins it is the
/// other way round, and symmetry moves the men by where Black's king stands.
struct BlackWins<'a> {
    solution: &'a Solution,
    /// One more than the most moves.
    largest: u16,
    /// For each lane of Black's frame whether it has any win.
    any: Vec<u64>,
    /// For each square of Black's king its transform (a place in `transforms`) and first lane.
    kings: Vec<(usize, usize)>,
    transforms: Vec<Transform>,
    /// For each transform and group of White's frame: what each digit adds to the lane.
    images: Vec<Vec<Vec<u32>>>,
    /// The squares of White's king, by its digit.
    domain: Vec<Square>,
}

impl<'a> BlackWins<'a> {
    /// Nothing if there are none.
    fn new(white: &Frame, solution: &'a Solution) -> Option<BlackWins<'a>> {
        let planes = solution.loser_to_move.as_ref()?;
        let frame = &solution.frame;
        let largest = planes.largest();
        if largest == 0 {
            return None;
        }
        let mut any = vec![0u64; planes.lanes().div_ceil(64)];
        any.par_iter_mut().enumerate().for_each(|(i, word)| {
            for lane in i * 64..planes.lanes().min(i * 64 + 64) {
                *word |= u64::from(planes.any(lane) != 0) << (lane % 64);
            }
        });
        let slab = frame.lanes() / frame.domain().len();
        let mut transforms: Vec<Transform> = Vec::new();
        let mut kings = Vec::new();
        for king in Square::all() {
            let transform = frame.to_domain(king);
            let image = transform.square(king);
            let known = transforms.iter().position(|&t| t == transform);
            let place = known.unwrap_or_else(|| {
                transforms.push(transform);
                transforms.len() - 1
            });
            let digit = frame.domain().iter().position(|&s| s == image)?;
            kings.push((place, digit * slab));
        }
        let strides: Vec<usize> = (0..frame.groups().len())
            .map(|g| {
                (g + 1..frame.groups().len())
                    .map(|h| frame.placements(h).len())
                    .product()
            })
            .collect();
        let images = transforms
            .iter()
            .map(|transform| {
                let group = |g: usize| {
                    let own = white.groups()[g];
                    let place = frame.groups().iter().position(|&f| f == own);
                    let place = place.expect("both frames have the same men");
                    let image = |squares: SquareSet| {
                        let number = frame.placements(place).number(transform.set(squares));
                        (number * strides[place]) as u32
                    };
                    white.placements(g).table().into_iter().map(image).collect()
                };
                (0..white.groups().len()).map(group).collect()
            })
            .collect();
        Some(BlackWins {
            solution,
            largest,
            any,
            kings,
            transforms,
            images,
            domain: white.domain().to_vec(),
        })
    }

    /// Adds the codes of Black's wins, which follow White's `longest`, on the given bits of a
    /// lane of White's frame with these digits.
    #[inline(always)]
    fn add(&self, digits: &[usize; 8], bits: SquareSet, longest: u16, out: &mut [u16; 64]) {
        let Some(planes) = &self.solution.loser_to_move else {
            return;
        };
        let mut bases = [usize::MAX; 8];
        for square in bits {
            let (t, first) = self.kings[square.index()];
            if bases[t] == usize::MAX {
                let parts = self.images[t].iter().zip(&digits[1..]);
                bases[t] = parts.map(|(images, &digit)| images[digit] as usize).sum();
            }
            let lane = first + bases[t];
            if self.any[lane / 64] >> (lane % 64) & 1 == 0 {
                continue;
            }
            let bit = self.transforms[t].square(self.domain[digits[0]]).index();
            let number = planes.get(lane, bit);
            if number > 0 {
                out[square.index()] = longest + number;
            }
        }
    }
}

/// [`Solved`] cells in the order of a table.
#[derive(Debug)]
pub struct InOrder<'a> {
    cells: &'a Cells,
    walk: Walk,
}

impl CellSource for InOrder<'_> {
    fn cells(&self) -> u64 {
        self.cells.len() as u64
    }

    fn read(&self, start: u64, out: &mut [u16]) {
        self.walk
            .read(start as usize, out, |cell| self.cells.get(cell));
    }
}

/// Every order of some components.
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
