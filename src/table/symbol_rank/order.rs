//! The order in which a block's cells are decoded, and the neighbours that predict each cell.
//!
//! A block is a series of *planes*. In a plane, all men but the kings are fixed: it contains a cell
//! for every square of White's king (the anchor) and every square of Black's king. A *lane* is the
//! 64 cells of a plane with White's king on one square. It resembles the lanes in which that king
//! is one square away. So the lanes are decoded in five rounds, from a coarse to a fine grid of
//! squares of White's king:
//!
//! ```text
//! 4 3 4 3 4 3 4 3
//! 2 4 1 4 2 4 1 4
//! 4 3 4 3 4 3 4 3
//! 0 4 2 4 0 4 2 4
//! ```
//!
//! Each digit is the round of a lane. A lane is predicted from up to four lanes of earlier rounds:
//!
//! * Round 0, every fourth file and rank: the lanes four squares away along a file or rank.
//! * Round 1: the lanes two squares away along a diagonal.
//! * Round 2: the lanes two squares away along a file or rank.
//! * Round 3: the lanes one square away along a diagonal.
//! * Round 4: the lanes one square away along a file or rank.
//!
//! In rounds 0 to 3, the squares of one colour in a lane are decoded first. Each square of the
//! other colour then has four known neighbours in the lane itself. *Lonely* lanes have at most one
//! known neighbour lane. Their squares of the first colour are predicted from a grid inside the
//! lane: see [`LaneStep::turns`].
//!
//! So each cell has four neighbours, and none of them is decoded in the same turn as the cell.
//! Therefore the [`contexts`](super::contexts) of a whole lane can be computed at once.

use super::contexts::{ContextKind, Contexts, LaneCells, NOTHING, Prediction, UNKNOWN};
use crate::board::Square;
use crate::simd::for_each_level;

/// The index that stands for a missing lane.
const NO_LANE: u8 = u8::MAX;

/// The squares whose file and rank have an even sum.
const EVEN: u64 = 0xaa55_aa55_aa55_aa55;
/// The squares of every second rank, beginning with the first.
const SECOND_RANKS: u64 = 0x00ff_00ff_00ff_00ff;
/// The squares of every fourth rank, beginning with the first.
const FOURTH_RANKS: u64 = 0x0000_00ff_0000_00ff;

/// One turn of the decoding order: some squares of a lane, predicted from cells of earlier turns.
#[derive(Clone, Debug)]
struct LaneTurn {
    /// The lane's index in its plane.
    lane: usize,
    kind: ContextKind,
    neighbours: Neighbours,
    /// The squares that are decoded in this turn, if they are legal.
    squares: u64,
}

/// The turns of a plane in decoding order.
#[derive(Clone, Debug)]
pub struct LaneOrder {
    turns: Vec<LaneTurn>,
    /// The number of lanes in a plane.
    lanes: usize,
}

/// The inputs of a prediction besides the neighbours.
#[derive(Clone, Copy, Debug)]
pub struct PredictionInputs<'a> {
    /// The code of a draw.
    pub draw: u8,
    pub prediction: Prediction,
    /// The base's cells, if the model uses them: see [`OverBase`](super::over_base::OverBase).
    pub base: &'a [u8],
}

/// Visits the cells of a block in decoding order: to count, to encode or to decode them.
pub trait Visitor {
    /// Visits the cells of one lane on a set of squares. `first` is the index of the lane's first
    /// cell in the block. The visitor finds each cell's value, with the help of the cell's context
    /// and reference, and writes it to `values`. It may overwrite the references. Returns `None` to
    /// stop the visit.
    fn cells(
        &mut self,
        first: usize,
        squares: u64,
        contexts: &LaneCells<u16>,
        references: &mut LaneCells<u8>,
        values: &mut LaneCells<u8>,
    ) -> Option<()>;
}

/// Iterates over the indices of the squares in a set.
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

for_each_level! {
    /// Calls [`LaneOrder::visit`], compiled for the machine's vector instructions.
    pub fn visit_with<V: Visitor>(
        order: &LaneOrder,
        legal: &[u64],
        inputs: PredictionInputs<'_>,
        cells: &mut [u8],
        visitor: &mut V,
    ) -> Option<()> = LaneOrder::visit;
}

/// The lanes that predict a lane: those of earlier rounds at a distance that depends on the lane's
/// round.
struct LaneStep {
    /// The lane's index in its plane.
    lane: usize,
    round: u8,
    kind: ContextKind,
    /// The indices of the neighbour lanes in the plane, or [`NO_LANE`].
    neighbours: [u8; 4],
}

impl LaneStep {
    /// The steps of a plane in decoding order.
    fn all(domain: &[Square]) -> Vec<LaneStep> {
        let digit = |from: Square, files: i8, ranks: i8| {
            let to = from.offset(files, ranks);
            let lane = domain.iter().position(|&square| Some(square) == to);
            lane.map_or(NO_LANE, |lane| lane as u8)
        };
        let step = |(lane, &from): (usize, &Square)| {
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
            }
        };
        let mut steps: Vec<LaneStep> = domain.iter().enumerate().map(step).collect();
        steps.sort_by_key(|step| (step.round, step.lane));
        // A neighbour lane that is decoded later is unknown.
        let order: Vec<usize> = steps.iter().map(|step| step.lane).collect();
        for (at, step) in steps.iter_mut().enumerate() {
            for neighbour in &mut step.neighbours {
                if !order[..at].contains(&usize::from(*neighbour)) {
                    *neighbour = NO_LANE;
                }
            }
        }
        steps
    }

    /// The turns in which the lane is decoded. A lonely lane takes four: turns 0 to 2 for the
    /// squares of the first colour, and turn 3 for the squares of the other colour:
    ///
    /// ```text
    /// 3 2 3 2 3 2 3 2
    /// 1 3 1 3 1 3 1 3      0     from the neighbour lane
    /// 3 2 3 2 3 2 3 2      1     from the neighbour lane and the cells two ranks away
    /// 0 3 0 3 0 3 0 3      2, 3  from the four cells diagonally next to it, then four beside it
    /// ```
    fn turns(&self) -> Vec<LaneTurn> {
        let turn = |kind, neighbours, squares| LaneTurn {
            lane: self.lane,
            kind,
            neighbours,
            squares,
        };
        let lanes = Neighbours::Lanes(self.neighbours);
        let in_lane = turn(ContextKind::InLane, Neighbours::Sides, !EVEN);
        let known = self.neighbours.iter().filter(|&&lane| lane != NO_LANE);
        match (self.kind, known.clone().count()) {
            (ContextKind::Beside, _) => vec![turn(self.kind, lanes, !0)],
            (_, ..=1) => {
                let other = known.copied().next().unwrap_or(NO_LANE);
                let lane = Neighbours::Lanes([other, NO_LANE, NO_LANE, NO_LANE]);
                let second = EVEN & SECOND_RANKS & !FOURTH_RANKS;
                vec![
                    turn(ContextKind::Far, lane, EVEN & FOURTH_RANKS),
                    turn(ContextKind::Net, Neighbours::TwoRanks(other), second),
                    turn(ContextKind::Net, Neighbours::Corners, EVEN & !SECOND_RANKS),
                    in_lane,
                ]
            }
            _ => vec![turn(self.kind, lanes, EVEN), in_lane],
        }
    }
}

impl LaneOrder {
    /// The decoding order of the lanes. `domain` lists the squares of White's king in the order of
    /// the lanes' indices.
    pub fn new(domain: &[Square]) -> LaneOrder {
        let steps = LaneStep::all(domain);
        LaneOrder {
            turns: steps.iter().flat_map(LaneStep::turns).collect(),
            lanes: domain.len(),
        }
    }

    /// The number of lanes in a plane.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Visits the legal cells of a block. `legal` contains the legal squares of each lane. All
    /// `cells` must be [`UNKNOWN`] at first: the visitor's values are stored there, and predict
    /// later cells. Returns `None` if the visitor stopped.
    #[inline(always)]
    pub fn visit(
        &self,
        legal: &[u64],
        inputs: PredictionInputs<'_>,
        cells: &mut [u8],
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        let (lanes, _) = cells.as_chunks_mut::<64>();
        let (base, _) = inputs.base.as_chunks::<64>();
        let mut base = base.chunks_exact(self.lanes);
        let planes = lanes.chunks_exact_mut(self.lanes);
        let mut before: Option<&mut [LaneCells<u8>]> = None;
        let legal = legal.chunks_exact(self.lanes);
        for (plane, (lanes, legal)) in planes.zip(legal).enumerate() {
            let base = match inputs.prediction {
                Prediction::Before => &[],
                _ => base.next()?,
            };
            // One place in the code predicts the lanes of all kinds, so that the code stays in the
            // processor's cache.
            for turn in &self.turns {
                let squares = legal[turn.lane] & turn.squares;
                if squares == 0 {
                    continue;
                }
                let mut made = Contexts::new();
                let before = before.as_ref().map_or(&NOTHING, |lanes| &lanes[turn.lane]);
                turn.predict(inputs, lanes, before, base, &mut made);
                let first = (plane * self.lanes + turn.lane) * 64;
                let values = &mut lanes[turn.lane];
                let Contexts {
                    contexts,
                    references,
                } = &mut made;
                visitor.cells(first, squares, contexts, references, values)?;
            }
            before = Some(lanes);
        }
        Some(())
    }
}

impl LaneTurn {
    /// Computes the contexts and the references of the turn's cells. `lanes` are all lanes of the
    /// plane, `before` is the same lane in the previous plane, and `base` has the lanes of the same
    /// plane in the base, if the base is used.
    #[inline(always)]
    fn predict(
        &self,
        inputs: PredictionInputs<'_>,
        lanes: &[LaneCells<u8>],
        before: &LaneCells<u8>,
        base: &[LaneCells<u8>],
        made: &mut Contexts,
    ) {
        let (kind, draw, lane) = (self.kind, inputs.draw, self.lane);
        let mut moved = [NOTHING; 4];
        let known = self.neighbours.in_plane(lanes, lane, &mut moved);
        match inputs.prediction {
            Prediction::Before => made.by_plane_before(kind, known, before, draw),
            Prediction::Base => made.by_base(kind, known, &base[lane], draw),
            Prediction::Differences => {
                let mut moved = [NOTHING; 4];
                let of_base = self.neighbours.in_plane(base, lane, &mut moved);
                made.by_differences(kind, known, of_base, &base[lane], draw);
            }
        }
    }
}

/// The locations of the four neighbours of each cell decoded in one turn.
#[derive(Clone, Copy, Debug)]
enum Neighbours {
    /// The cells on the same square in other lanes, or [`NO_LANE`].
    Lanes([u8; 4]),
    /// The first neighbour is the cell on the same square in another lane, and the second neighbour
    /// is missing. The third and fourth are the cells two ranks below and two ranks above, in the
    /// cell's own lane.
    TwoRanks(u8),
    /// The squares diagonally next to the cell, in the same lane.
    Corners,
    /// The squares left, right, below and above the cell, in the same lane.
    Sides,
}

impl Neighbours {
    /// The four neighbours of each cell of the lane with index `lane` in a plane. `moved` is room
    /// for moved copies of the lane, and all [`UNKNOWN`] at first.
    #[inline(always)]
    fn in_plane<'a>(
        self,
        lanes: &'a [LaneCells<u8>],
        lane: usize,
        moved: &'a mut [LaneCells<u8>; 4],
    ) -> [&'a LaneCells<u8>; 4] {
        let of = |lane: u8| lanes.get(usize::from(lane)).unwrap_or(&NOTHING);
        let own = &lanes[lane];
        let (ranks, _) = own.as_chunks::<8>();
        let ranks = ranks.iter().map(|rank| u64::from_le_bytes(*rank));
        let [a, b, c, d] = moved;
        match self {
            Neighbours::Lanes([w, x, y, z]) => return [of(w), of(x), of(y), of(z)],
            Neighbours::TwoRanks(other) => {
                c[16..].copy_from_slice(&own[..48]);
                d[..48].copy_from_slice(&own[16..]);
                return [of(other), &NOTHING, c, d];
            }
            Neighbours::Corners => {
                for (r, rank) in ranks.enumerate() {
                    if r < 7 {
                        put(a, r + 1, west(rank));
                        put(b, r + 1, east(rank));
                    }
                    if r > 0 {
                        put(c, r - 1, west(rank));
                        put(d, r - 1, east(rank));
                    }
                }
            }
            Neighbours::Sides => {
                for (r, rank) in ranks.enumerate() {
                    put(a, r, west(rank));
                    put(b, r, east(rank));
                }
                c[8..].copy_from_slice(&own[..56]);
                d[..56].copy_from_slice(&own[8..]);
            }
        }
        [a, b, c, d]
    }
}

/// Writes the cells of one rank into a lane.
#[inline(always)]
fn put(lane: &mut LaneCells<u8>, rank: usize, cells: u64) {
    lane[rank * 8..rank * 8 + 8].copy_from_slice(&cells.to_le_bytes());
}

/// For each cell of a rank, the cell to its west.
#[inline(always)]
fn west(rank: u64) -> u64 {
    rank << 8 | u64::from(UNKNOWN)
}

/// For each cell of a rank, the cell to its east.
#[inline(always)]
fn east(rank: u64) -> u64 {
    rank >> 8 | u64::from(UNKNOWN) << 56
}
