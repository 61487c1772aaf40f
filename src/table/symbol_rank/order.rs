//! The order in which the cells of a block are predicted, each from others already known.
//!
//! A block packed by symbol ranking is a row of *planes*: all squares of White's king (the anchor)
//! times all of Black's (the lane), with every other man fixed. What a cell holds is much like what
//! it holds with White's king one square on, so the lanes come in five rounds, from a coarse net to
//! a fine one:
//!
//! ```text
//! 4 3 4 3 4 3 4 3      0  every fourth file and rank: from the lanes four squares away
//! 2 4 1 4 2 4 1 4      1  in the middle of four of those: from the four, two squares away
//! 4 3 4 3 4 3 4 3      2  between them: from the four lanes two files or ranks away
//! 0 4 2 4 0 4 2 4      3  in the middle of four: from the four lanes diagonally next to it
//!                      4  elsewhere: from the four lanes to the sides, above and below it
//! ```
//!
//! In all rounds but the last the squares of one colour come first; those of the other then have four
//! known neighbours in the lane itself. Lanes with fewer than two known lanes to predict from get
//! those first squares by a net of their own: see [`LaneAtWork::net`].
//!
//! Each cell has four **neighbours** and the cell of the plane before. Those that do not exist or
//! have no legal position are [`UNKNOWN`]. The least of the known ones is the **reference**; how far
//! the others are above it makes the **context**. So no cell waits for a neighbour of the same round,
//! and contexts are computed for whole lanes at once.

use crate::board::Square;
#[cfg(feature = "make")]
use crate::simd::for_each_level;

/// In a cell that is not known, or has no legal position.
pub const UNKNOWN: u8 = u8::MAX;

/// How far above the reference neighbours are told apart.
const FAR: u8 = 4;
/// The levels of a neighbour: 0 to [`FAR`], a draw, unknown.
const LEVELS: u16 = FAR as u16 + 3;
/// The levels of the cell in the plane before: 0 to 3, unknown.
const BEFORE: u16 = 5;
/// The kinds of contexts.
pub const KINDS: usize = 5;
/// The contexts of a kind.
pub const CONTEXTS_OF_KIND: usize = (BEFORE * LEVELS * LEVELS * LEVELS * LEVELS) as usize;
/// All contexts.
pub const CONTEXTS: usize = KINDS * CONTEXTS_OF_KIND;
const _: () = assert!(CONTEXTS <= 1 << u16::BITS, "a context has 16 bits");

/// The squares with an even sum of file and rank.
const EVEN: u64 = 0xaa55_aa55_aa55_aa55;
/// Every second rank, and every fourth, from the first.
const SECOND_RANKS: u64 = 0x00ff_00ff_00ff_00ff;
const FOURTH_RANKS: u64 = 0x0000_00ff_0000_00ff;

/// A lane: a cell for each square of Black's king.
pub type LaneCells<T> = [T; 64];
/// A lane of which nothing is known.
const NOTHING: LaneCells<u8> = [UNKNOWN; 64];

/// What cells are predicted from, apart from the plane before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContextKind {
    /// The four lanes two squares away, or four.
    Far = 0,
    /// The four cells diagonally next to it in the lane, or one lane and the two cells two ranks away
    /// in the lane.
    Net = 1,
    /// The four lanes diagonally next to it.
    Diagonal = 2,
    /// The four lanes to the sides, above and below it.
    Beside = 3,
    /// The four cells to the sides, above and below it in the lane.
    InLane = 4,
}

/// One lane of a plane.
#[derive(Clone, Debug)]
struct LaneStep {
    /// The digit of White's king.
    lane: usize,
    round: u8,
    kind: ContextKind,
    /// The digits of the lanes it is predicted from.
    neighbours: [Option<usize>; 4],
    /// True if there is at most one neighbour, which is then the first.
    lonely: bool,
}

/// The lanes of a plane in the order in which they are predicted.
#[derive(Clone, Debug)]
pub struct LaneOrder {
    steps: Vec<LaneStep>,
}

/// What visits the cells of a block in their order: to count, to write or to read them.
pub trait Visitor {
    /// Visits some cells of one lane, given by their squares; `first` is the number of the lane's
    /// first cell in the block. Puts the value of each, which has a context and a reference, into
    /// `values`. References may be overwritten. None if there is no value.
    fn cells(
        &mut self,
        first: usize,
        squares: u64,
        contexts: &LaneCells<u16>,
        references: &mut LaneCells<u8>,
        values: &mut LaneCells<u8>,
    ) -> Option<()>;
}

/// The squares of a set, as numbers.
#[inline(always)]
pub fn each(mut squares: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (squares != 0).then(|| {
            let i = squares.trailing_zeros() as usize % 64;
            squares &= squares - 1;
            i
        })
    })
}

#[cfg(feature = "make")]
for_each_level! {
    /// [`LaneOrder::visit`], with the machine's vectors.
    pub fn visit_with<V: Visitor>(
        order: &LaneOrder,
        legal: &[u64],
        draw: u8,
        cells: &mut [u8],
        visitor: &mut V,
    ) -> Option<()> = LaneOrder::visit;
}

impl LaneOrder {
    /// The order of an anchor's squares, in the order of its digits.
    pub fn new(domain: &[Square]) -> LaneOrder {
        let digit = |from: Square, files: i8, ranks: i8| {
            let to = from.offset(files, ranks)?;
            domain.iter().position(|&square| square == to)
        };
        let mut steps: Vec<LaneStep> = domain
            .iter()
            .enumerate()
            .map(|(lane, &from)| {
                let to = |files, ranks| digit(from, files, ranks);
                let sides = |by: i8| [to(-by, 0), to(by, 0), to(0, -by), to(0, by)];
                let corners = |by: i8| [to(-by, -by), to(by, -by), to(-by, by), to(by, by)];
                let (round, kind, neighbours) = match (from.file() % 4, from.rank() % 4) {
                    (0, 0) => (0, ContextKind::Far, sides(4)),
                    (2, 2) => (1, ContextKind::Far, corners(2)),
                    (0 | 2, 0 | 2) => (2, ContextKind::Far, sides(2)),
                    (1 | 3, 1 | 3) => (3, ContextKind::Diagonal, corners(1)),
                    _ => (4, ContextKind::Beside, sides(1)),
                };
                LaneStep {
                    lane,
                    round,
                    kind,
                    neighbours,
                    lonely: false,
                }
            })
            .collect();
        steps.sort_by_key(|step| (step.round, step.lane));
        // A neighbour that comes later is not known.
        let order: Vec<usize> = steps.iter().map(|step| step.lane).collect();
        for (at, step) in steps.iter_mut().enumerate() {
            for neighbour in &mut step.neighbours {
                *neighbour = neighbour.filter(|lane| order[..at].contains(lane));
            }
            step.lonely = step.neighbours.iter().flatten().count() < 2;
            if step.lonely {
                step.neighbours.sort_by_key(|lane| lane.is_none());
            }
        }
        LaneOrder { steps }
    }

    /// The lanes of a plane.
    pub fn lanes(&self) -> usize {
        self.steps.len()
    }

    /// Visits the legal cells of a block. `legal` has the legal squares of each lane, and `draw` is
    /// the value of a draw. The visitor puts values into `cells`, which must be [`UNKNOWN`] before,
    /// and others are predicted from them. None if the visitor returned none.
    #[inline(always)]
    pub fn visit(
        &self,
        legal: &[u64],
        draw: u8,
        cells: &mut [u8],
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        let (lanes, _) = cells.as_chunks_mut::<64>();
        let planes = lanes.chunks_exact_mut(self.lanes());
        let mut before: Option<&mut [LaneCells<u8>]> = None;
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
                let known = known.each_ref();
                let mut work = LaneAtWork {
                    first: (plane * self.lanes() + step.lane) * 64,
                    lane: &mut lanes[step.lane],
                    before,
                    draw,
                };
                match (step.kind, step.lonely) {
                    (ContextKind::Beside, _) => work.predict(step.kind, known, squares, visitor)?,
                    (_, true) => work.net(known, squares, visitor)?,
                    (kind, false) => {
                        work.predict(kind, known, squares & EVEN, visitor)?;
                        work.in_lane(squares & !EVEN, visitor)?;
                    }
                }
            }
            before = Some(lanes);
        }
        Some(())
    }
}

/// A lane whose cells are being predicted.
struct LaneAtWork<'a> {
    /// The number of its first cell in the block.
    first: usize,
    lane: &'a mut LaneCells<u8>,
    before: &'a LaneCells<u8>,
    draw: u8,
}

impl LaneAtWork<'_> {
    /// Predicts squares from four neighbours each.
    #[inline(always)]
    fn predict(
        &mut self,
        kind: ContextKind,
        known: [&LaneCells<u8>; 4],
        squares: u64,
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        let mut contexts = [0; 64];
        let mut references = [0; 64];
        contexts_of(
            kind,
            known,
            self.before,
            self.draw,
            &mut contexts,
            &mut references,
        );
        visitor.cells(self.first, squares, &contexts, &mut references, self.lane)
    }

    /// Predicts a lane that has at most one known neighbour, the first, in four turns:
    ///
    /// ```text
    /// 3 2 3 2 3 2 3 2
    /// 1 3 1 3 1 3 1 3      0  from the other lane
    /// 3 2 3 2 3 2 3 2      1  from the other lane and the cells two ranks away
    /// 0 3 0 3 0 3 0 3      2, 3  from the four cells diagonally next to it, then from those next to it
    /// ```
    #[inline(always)]
    fn net(
        &mut self,
        known: [&LaneCells<u8>; 4],
        squares: u64,
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        let even = squares & EVEN;
        self.predict(ContextKind::Far, known, even & FOURTH_RANKS, visitor)?;

        let mut two_down = NOTHING;
        let mut two_up = NOTHING;
        two_down[16..].copy_from_slice(&self.lane[..48]);
        two_up[..48].copy_from_slice(&self.lane[16..]);
        let [other, nothing, ..] = known;
        let turn = even & SECOND_RANKS & !FOURTH_RANKS;
        self.predict(
            ContextKind::Net,
            [other, nothing, &two_down, &two_up],
            turn,
            visitor,
        )?;

        let mut corners = [NOTHING; 4];
        let (ranks, _) = self.lane.as_chunks::<8>();
        for (r, rank) in ranks.iter().enumerate() {
            let rank = u64::from_le_bytes(*rank);
            let [a, b, c, d] = &mut corners;
            if r < 7 {
                put(a, r + 1, west(rank));
                put(b, r + 1, east(rank));
            }
            if r > 0 {
                put(c, r - 1, west(rank));
                put(d, r - 1, east(rank));
            }
        }
        let turn = even & !SECOND_RANKS;
        self.predict(ContextKind::Net, corners.each_ref(), turn, visitor)?;
        self.in_lane(squares & !EVEN, visitor)
    }

    /// Predicts the odd squares once the even ones are known.
    #[inline(always)]
    fn in_lane(&mut self, squares: u64, visitor: &mut impl Visitor) -> Option<()> {
        let mut sides = [NOTHING; 4];
        let [left, right, down, up] = &mut sides;
        let (ranks, _) = self.lane.as_chunks::<8>();
        for (r, rank) in ranks.iter().enumerate() {
            let rank = u64::from_le_bytes(*rank);
            put(left, r, west(rank));
            put(right, r, east(rank));
        }
        down[8..].copy_from_slice(&self.lane[..56]);
        up[..56].copy_from_slice(&self.lane[8..]);
        self.predict(ContextKind::InLane, sides.each_ref(), squares, visitor)
    }
}

/// Puts a rank's cells into a lane.
#[inline(always)]
fn put(lane: &mut LaneCells<u8>, rank: usize, cells: u64) {
    lane[rank * 8..rank * 8 + 8].copy_from_slice(&cells.to_le_bytes());
}

/// For each cell of a rank the one to its west.
#[inline(always)]
fn west(rank: u64) -> u64 {
    rank << 8 | u64::from(UNKNOWN)
}

/// For each cell of a rank the one to its east.
#[inline(always)]
fn east(rank: u64) -> u64 {
    rank >> 8 | u64::from(UNKNOWN) << 56
}

/// The contexts and the references of a lane's cells, from their neighbours and the plane before.
#[inline(always)]
fn contexts_of(
    kind: ContextKind,
    known: [&LaneCells<u8>; 4],
    before: &LaneCells<u8>,
    draw: u8,
    contexts: &mut LaneCells<u16>,
    references: &mut LaneCells<u8>,
) {
    let [a, b, c, d] = known;
    // Bytes for as long as they suffice: sixteen and more are computed at once.
    let pair = |high: u8, low: u8| {
        let twice = high + high;
        let fourfold = twice + twice;
        fourfold + fourfold - high + low
    };
    for i in 0..64 {
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

/// The same context with the plane before unknown.
pub fn without_before(context: u16) -> u16 {
    let four = LEVELS * LEVELS * LEVELS * LEVELS;
    let kind = context / four / BEFORE;
    (kind * BEFORE + BEFORE - 1) * four + context % four
}
