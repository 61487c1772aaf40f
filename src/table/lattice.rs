//! The order in which the cells of a block are foretold, each from others already known.
//!
//! A block that is packed as ranks is some *planes*, one behind the other: all squares of White's
//! king (the anchor) times all of Black's (the lane), every other man standing. What a cell holds
//! is much like what it holds with White's king one square on, so the lanes come in three rounds:
//!
//! ```text
//! 2 1 2 1      0  the king on an even file and an even rank: from the lane itself
//! 0 2 0 2      1  on an odd file and an odd rank: from the four lanes diagonally next to it
//! 2 1 2 1      2  elsewhere: from the four lanes beside, above and below it
//! 0 2 0 2
//! ```
//!
//! In the first two rounds the squares of one colour come first; those of the other have then four
//! known neighbours in the lane itself.
//!
//! Each cell has four **neighbours** and the cell of the plane before. Those not there or not
//! legal are [`UNKNOWN`]. The least of the known ones is the **reference**; how far the others
//! lie above it makes the **context**. So no cell waits for its neighbour in the same round, and
//! contexts are worked out for whole lanes at once.

use crate::board::Square;

/// What stands in a cell that is not known, or that no legal position has.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// How far above the reference neighbours are told apart.
const FAR: u8 = 4;
/// The levels of a neighbour: 0 to [`FAR`], a draw, unknown.
const LEVELS: u16 = FAR as u16 + 3;
/// The levels of the cell in the plane before: 0 to 3, unknown.
const BEFORE: u16 = 5;
/// The kinds of contexts.
pub(super) const KINDS: usize = 4;
/// The contexts of a kind.
pub(super) const CONTEXTS_OF_KIND: usize = (BEFORE * LEVELS * LEVELS * LEVELS * LEVELS) as usize;
/// All contexts.
pub(super) const CONTEXTS: usize = KINDS * CONTEXTS_OF_KIND;

/// The squares with an even sum of file and rank.
const EVEN: u64 = 0xaa55_aa55_aa55_aa55;
/// A lane of which nothing is known.
const NOTHING: [u8; 64] = [UNKNOWN; 64];

/// From what the cells of a round are foretold, apart from the plane before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The two cells diagonally below in the lane, the lanes two files and two ranks before.
    Seed = 0,
    /// The four lanes diagonally next to it.
    Diagonal = 1,
    /// The four lanes beside, above and below it.
    Between = 2,
    /// The four cells beside, above and below it in the lane.
    InLane = 3,
}

/// One lane of a plane.
#[derive(Clone, Debug)]
struct Step {
    /// The digit of White's king.
    lane: usize,
    kind: Kind,
    /// The digits of the lanes that foretell it.
    neighbours: [Option<usize>; 4],
}

/// The lanes of a plane in the order in which they are foretold.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    steps: Vec<Step>,
}

/// What is done with the cells of a block in their order: they are counted, written or read.
pub(super) trait Visit {
    /// The value of a legal cell, given its context and its reference; none if there is none.
    fn cell(&mut self, cell: usize, context: u16, reference: u8) -> Option<u8>;
}

impl Lattice {
    /// The lattice of an anchor's squares, in the order of its digits.
    pub fn new(domain: &[Square]) -> Lattice {
        let digit = |from: Square, files: i8, ranks: i8| {
            let to = from.offset(files, ranks)?;
            domain.iter().position(|&square| square == to)
        };
        let mut steps: Vec<Step> = domain
            .iter()
            .enumerate()
            .map(|(lane, &from)| {
                let to = |files, ranks| digit(from, files, ranks);
                let (kind, neighbours) = match (from.file() % 2, from.rank() % 2) {
                    (0, 0) => (Kind::Seed, [None, None, to(-2, 0), to(0, -2)]),
                    (1, 1) => (Kind::Diagonal, [to(-1, -1), to(1, -1), to(-1, 1), to(1, 1)]),
                    _ => (Kind::Between, [to(-1, 0), to(1, 0), to(0, -1), to(0, 1)]),
                };
                Step {
                    lane,
                    kind,
                    neighbours,
                }
            })
            .collect();
        steps.sort_by_key(|step| (step.kind as u8, step.lane));
        Lattice { steps }
    }

    /// The lanes of a plane.
    pub fn lanes(&self) -> usize {
        self.steps.len()
    }

    /// Goes through the legal cells of a block, of as many planes as `legal` has lanes for. Each
    /// value that `visit` gives is put into `cells`, which must be [`UNKNOWN`] before, and others
    /// are foretold from it. `legal` has the legal squares of each lane, and `draw` is the value
    /// of a draw. None if `visit` gave none.
    #[inline(always)]
    pub fn walk(
        &self,
        legal: &[u64],
        draw: u8,
        cells: &mut [u8],
        visit: &mut impl Visit,
    ) -> Option<()> {
        let (lanes, _) = cells.as_chunks_mut::<64>();
        let planes = lanes.chunks_exact_mut(self.lanes());
        let mut before: Option<&mut [[u8; 64]]> = None;
        let legal = legal.chunks_exact(self.lanes());
        for (plane, (lanes, legal)) in planes.zip(legal).enumerate() {
            for step in &self.steps {
                let squares = legal[step.lane];
                if squares == 0 {
                    continue;
                }
                let before = before.as_ref().map_or(&NOTHING, |lanes| &lanes[step.lane]);
                let known = step
                    .neighbours
                    .map(|lane| lane.map_or(NOTHING, |lane| lanes[lane]));
                let mut round = Round {
                    first: (plane * self.lanes() + step.lane) * 64,
                    lane: &mut lanes[step.lane],
                    before,
                    draw,
                };
                match step.kind {
                    Kind::Between => round.whole(Kind::Between, &known, squares, visit)?,
                    Kind::Diagonal => {
                        round.whole(Kind::Diagonal, &known, squares & EVEN, visit)?;
                        round.in_lane(squares & !EVEN, visit)?;
                    }
                    _ => {
                        round.seed(&known, squares & EVEN, visit)?;
                        round.in_lane(squares & !EVEN, visit)?;
                    }
                }
            }
            before = Some(lanes);
        }
        Some(())
    }
}

/// A lane at work.
struct Round<'a> {
    /// The number of its first cell in the block.
    first: usize,
    lane: &'a mut [u8; 64],
    before: &'a [u8; 64],
    draw: u8,
}

impl Round<'_> {
    /// Foretells squares from four whole lanes.
    #[inline(always)]
    fn whole(
        &mut self,
        kind: Kind,
        known: &[[u8; 64]; 4],
        squares: u64,
        visit: &mut impl Visit,
    ) -> Option<()> {
        let mut contexts = [0; 64];
        let mut references = [0; 64];
        let known = known.each_ref();
        contexts_of(
            kind,
            known,
            self.before,
            self.draw,
            &mut contexts,
            &mut references,
        );
        let mut rest = squares;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize & 63;
            rest &= rest - 1;
            self.lane[i] = visit.cell(self.first + i, contexts[i], references[i])?;
        }
        Some(())
    }

    /// Foretells the odd squares, the even ones being known.
    #[inline(always)]
    fn in_lane(&mut self, squares: u64, visit: &mut impl Visit) -> Option<()> {
        let mut known = [NOTHING; 4];
        let [left, right, down, up] = &mut known;
        let (rows, _) = self.lane.as_chunks::<8>();
        for (r, row) in rows.iter().enumerate() {
            let at = r * 8;
            let value = u64::from_le_bytes(*row);
            left[at..at + 8].copy_from_slice(&(value << 8 | 0xff).to_le_bytes());
            right[at..at + 8].copy_from_slice(&(value >> 8 | 0xff << 56).to_le_bytes());
        }
        down[8..].copy_from_slice(&self.lane[..56]);
        up[..56].copy_from_slice(&self.lane[8..]);
        self.whole(Kind::InLane, &known, squares, visit)
    }

    /// Foretells the even squares rank by rank, from those of the rank below.
    #[inline(always)]
    fn seed(&mut self, known: &[[u8; 64]; 4], squares: u64, visit: &mut impl Visit) -> Option<()> {
        let [_, _, file, rank] = known;
        let mut below = [UNKNOWN; 8];
        for at in (0..64).step_by(8) {
            let value = u64::from_le_bytes(below);
            let left = (value << 8 | 0xff).to_le_bytes();
            let right = (value >> 8 | 0xff << 56).to_le_bytes();
            let part = |lane: &[u8; 64]| -> [u8; 8] {
                let mut part = [0; 8];
                part.copy_from_slice(&lane[at..at + 8]);
                part
            };
            let mut contexts = [0; 8];
            let mut references = [0; 8];
            contexts_of(
                Kind::Seed,
                [&left, &right, &part(file), &part(rank)],
                &part(self.before),
                self.draw,
                &mut contexts,
                &mut references,
            );
            let mut rest = squares >> at & 0xff;
            below = [UNKNOWN; 8];
            while rest != 0 {
                let i = rest.trailing_zeros() as usize & 7;
                rest &= rest - 1;
                let value = visit.cell(self.first + at + i, contexts[i], references[i])?;
                self.lane[at + i] = value;
                below[i] = value;
            }
        }
        Some(())
    }
}

/// The contexts and the references of some cells, from their neighbours and the plane before.
#[inline(always)]
fn contexts_of<const N: usize>(
    kind: Kind,
    known: [&[u8; N]; 4],
    before: &[u8; N],
    draw: u8,
    contexts: &mut [u16; N],
    references: &mut [u8; N],
) {
    let [a, b, c, d] = known;
    // Bytes as long as they hold it: sixteen and more are worked on at once.
    let pair = |high: u8, low: u8| {
        let twice = high + high;
        let fourfold = twice + twice;
        fourfold + fourfold - high + low
    };
    for i in 0..N {
        let least = a[i].min(b[i]).min(c[i].min(d[i])).min(before[i]);
        let level = |value: u8| {
            let above = value.wrapping_sub(least).min(FAR);
            let above = if value == draw { FAR + 1 } else { above };
            if value == UNKNOWN { FAR + 2 } else { above }
        };
        let above = before[i].wrapping_sub(least).min(BEFORE as u8 - 2);
        let above = if before[i] == UNKNOWN {
            BEFORE as u8 - 1
        } else {
            above
        };
        let head = kind as u8 * BEFORE as u8 + above;
        let upper = pair(level(a[i]), level(b[i]));
        let lower = pair(level(c[i]), level(d[i]));
        let pairs = LEVELS * LEVELS;
        contexts[i] = (u16::from(head) * pairs + u16::from(upper)) * pairs + u16::from(lower);
        references[i] = least;
    }
}

/// The context that knows no plane before, otherwise like this one.
pub(super) fn without_before(context: u16) -> u16 {
    let four = LEVELS * LEVELS * LEVELS * LEVELS;
    let kind = context / four / BEFORE;
    (kind * BEFORE + BEFORE - 1) * four + context % four
}
