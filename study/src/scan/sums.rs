//! Sums over all positions: with White to move, and with Black to move.

use serde::{Deserialize, Serialize};

use super::lanes::{Lane, Plane, Timed};
use super::sample::Sample;
use super::square_counts::{SETS, SquareCounts};
use sakmak::board::{Color, Role, Square, SquareSet};
use sakmak::index::{Group, Transform};

/// The light squares.
const LIGHT: SquareSet = SquareSet(0x55aa_55aa_55aa_55aa);

/// Counts of positions with White to move, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of legal positions.
    pub legal: u64,
    /// The number of positions in which White can force mate.
    pub won: u64,
    /// The number of positions that White wins inside makruk's count.
    pub in_time: u64,
    /// The number of positions in which Black can force mate.
    pub lost: u64,
    /// The number of positions that Black wins inside makruk's count.
    pub lost_in_time: u64,
}

impl Tally {
    /// Adds another tally, `weight` times.
    pub fn add(&mut self, other: &Tally, weight: u64) {
        self.legal += other.legal * weight;
        self.won += other.won * weight;
        self.in_time += other.in_time * weight;
        self.lost += other.lost * weight;
        self.lost_in_time += other.lost_in_time * weight;
    }

    /// Makes a tally from numbers in the order of its fields.
    fn of([legal, won, in_time, lost, lost_in_time]: [u64; SETS]) -> Tally {
        Tally {
            legal,
            won,
            in_time,
            lost,
            lost_in_time,
        }
    }

    /// Counts the positions of one lane.
    fn of_lane(timed: &Timed) -> Tally {
        Tally::of(timed.sets().map(|set| set.len() as u64))
    }

    /// Divides each number of the tally.
    fn divided(&self, by: u64) -> Tally {
        Tally {
            legal: self.legal / by,
            won: self.won / by,
            in_time: self.in_time / by,
            lost: self.lost / by,
            lost_in_time: self.lost_in_time / by,
        }
    }
}

/// The sums over all positions with White to move.
#[derive(Clone, Debug, Default)]
pub struct WhiteSums {
    /// The tally of all positions.
    pub all: Tally,
    /// Tallies of the table's positions by the square of Black's king. In the first entry, each
    /// position represents eight or two positions on the whole board; in the second, four.
    king: [SquareCounts; 2],
    /// Tallies by a khon's side and by its rank, counted from that side.
    pub khon: [[Tally; 8]; 2],
    /// Tallies by the number of White's mets and the number of Black's mets on light squares.
    pub met: Vec<([usize; 2], Tally)>,
    /// A sample of positions that White wins on the board, but not in time.
    pub late: Sample,
}

/// The number of positions on the whole board that a position with White's king on the diagonal
/// represents. Only endings without khon or bia have this symmetry.
const ON_THE_DIAGONAL: u64 = 4;

impl WhiteSums {
    /// Adds the lanes of a plane (all positions that differ only in the kings).
    pub fn add(&mut self, groups: &[Group], plane: &Plane<'_>) {
        let mut all = Tally::default();
        for lane in plane.lanes {
            let timed = &lane.white_to_move;
            all.add(&Tally::of_lane(timed), lane.weight);
            let king = &mut self.king[usize::from(lane.weight == ON_THE_DIAGONAL)];
            king.add(timed.sets().map(|set| set.0));
            let late = timed.on_board.white & !timed.in_time;
            if !late.is_empty() {
                self.late.offer(&plane.placing(lane), late);
            }
        }
        if all.legal == 0 {
            return;
        }
        self.all.add(&all, 1);
        let mut light = [0; 2];
        let mut met = [0; 2];
        for (group, &men) in groups.iter().zip(&plane.men) {
            match group.role {
                Role::Khon => {
                    for square in men {
                        let rank = match group.color {
                            Color::White => square.rank(),
                            Color::Black => 7 - square.rank(),
                        };
                        self.khon[group.color.index()][usize::from(rank)].add(&all, 1);
                    }
                }
                Role::Met => {
                    light[group.color.index()] = (men & LIGHT).len();
                    met[group.color.index()] = group.count;
                }
                _ => {}
            }
        }
        // A single met is not counted, since the mirror exchanges light and dark squares.
        if met[0] + met[1] >= 2 {
            let mirrored = [met[0] - light[0], met[1] - light[1]];
            let key = light.max(mirrored);
            match self.met.iter_mut().find(|(k, _)| *k == key) {
                Some((_, sum)) => sum.add(&all, 1),
                None => self.met.push((key, all)),
            }
        }
    }

    /// Adds the sums of another task.
    pub fn merge(mut self, other: WhiteSums) -> WhiteSums {
        self.all.add(&other.all, 1);
        for (own, other) in self.king.iter_mut().zip(other.king) {
            own.merge(other);
        }
        let khon = self.khon.as_flattened_mut().iter_mut();
        for (own, other) in khon.zip(other.khon.as_flattened()) {
            own.add(other, 1);
        }
        for (key, tally) in other.met {
            match self.met.iter_mut().find(|(k, _)| *k == key) {
                Some((_, sum)) => sum.add(&tally, 1),
                None => self.met.push((key, tally)),
            }
        }
        self.late.merge(other.late);
        self
    }

    /// Tallies by the square of Black's king, over the whole board.
    pub fn king_squares(&self, symmetries: &[Transform]) -> Vec<Tally> {
        let images = |sums: &SquareCounts| {
            let numbers = sums.clone().totals();
            let mut board = [Tally::default(); 64];
            for square in Square::all() {
                let at = numbers.each_ref().map(|set| set[square.index()]);
                for symmetry in symmetries {
                    let image = symmetry.square(square).index();
                    board[image].add(&Tally::of(at), 1);
                }
            }
            board
        };
        let (once, twice) = (images(&self.king[0]), images(&self.king[1]));
        let sum = |(mut once, twice): (Tally, Tally)| {
            // Each image of a placing on the diagonal has been counted twice.
            once.add(&twice.divided(2), 1);
            once
        };
        once.into_iter().zip(twice).map(sum).collect()
    }
}

/// The sums over all positions with Black to move.
#[derive(Clone, Debug, Default)]
pub struct BlackSums {
    /// The number of positions that White wins.
    pub white: u64,
    /// The number of positions that neither side wins.
    pub drawn: u64,
    /// The number of positions that Black wins.
    pub black: u64,
    /// The numbers of mutual zugzwangs of three kinds, each with a sample. Positions of the first
    /// kind are won for White with Black to move, but drawn with White to move. Those of the second
    /// kind are won for Black with White to move, but drawn with Black to move. Those of the third
    /// kind are lost for the side to move, whichever it is.
    pub zugzwangs: [(u64, Sample); 3],
}

impl BlackSums {
    /// Adds the lanes of a plane (positions that differ only in the kings).
    pub fn add(&mut self, plane: &Plane<'_>) {
        for lane in plane.lanes {
            self.add_lane(plane, lane);
        }
    }

    fn add_lane(&mut self, plane: &Plane<'_>, lane: &Lane) {
        let (white, black) = (lane.white_to_move.on_board, lane.black_to_move);
        let n = |set: SquareSet| set.len() as u64 * lane.weight;
        self.white += n(black.white);
        self.drawn += n(black.drawn);
        self.black += n(black.black);
        let found = [
            white.drawn & black.white,
            white.black & black.drawn,
            white.black & black.white,
        ];
        for ((number, sample), found) in self.zugzwangs.iter_mut().zip(found) {
            if !found.is_empty() {
                *number += n(found);
                sample.offer(&plane.placing(lane), found);
            }
        }
    }

    /// Adds the sums of another task.
    #[must_use]
    pub fn merge(mut self, other: BlackSums) -> BlackSums {
        self.white += other.white;
        self.drawn += other.drawn;
        self.black += other.black;
        for (a, b) in self.zugzwangs.iter_mut().zip(other.zugzwangs) {
            a.0 += b.0;
            a.1.merge(b.1);
        }
        self
    }
}
