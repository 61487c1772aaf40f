//! What is added up while an ending is gone through.

use serde::{Deserialize, Serialize};

use super::placing::{LaneResults, Placing};
use super::sample::Sample;
use crate::board::{Color, Role, Square, SquareSet};
use crate::index::{Group, Transform};

/// The light squares.
const LIGHT: SquareSet = SquareSet(0x55aa_55aa_55aa_55aa);

/// What becomes of some positions with White to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Legal positions.
    pub legal: u64,
    /// Those in which White can force mate.
    pub won: u64,
    /// Those that White wins inside makruk's count.
    pub in_time: u64,
    /// Those in which Black can force mate.
    pub lost: u64,
    /// Those that Black wins inside makruk's count.
    pub lost_in_time: u64,
}

impl Tally {
    /// Adds another's positions, `weight` times.
    pub fn add(&mut self, other: &Tally, weight: u64) {
        self.legal += other.legal * weight;
        self.won += other.won * weight;
        self.in_time += other.in_time * weight;
        self.lost += other.lost * weight;
        self.lost_in_time += other.lost_in_time * weight;
    }

    /// Each number divided.
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

/// A lane with White to move: on the board, and under the count.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Without a count.
    pub words: LaneResults,
    /// White wins inside the count.
    pub in_time: SquareSet,
    /// Black does.
    pub lost_in_time: SquareSet,
}

impl Timed {
    fn tally(&self) -> Tally {
        let n = |set: SquareSet| set.len() as u64;
        Tally {
            legal: n(self.words.legal()),
            won: n(self.words.white),
            in_time: n(self.in_time),
            lost: n(self.words.black),
            lost_in_time: n(self.lost_in_time),
        }
    }

    fn at(&self, square: Square) -> Tally {
        let n = |set: SquareSet| u64::from(set.contains(square));
        Tally {
            legal: n(self.words.legal()),
            won: n(self.words.white),
            in_time: n(self.in_time),
            lost: n(self.words.black),
            lost_in_time: n(self.lost_in_time),
        }
    }
}

/// What is added up with White to move.
#[derive(Clone, Debug)]
pub struct WhiteSums {
    /// All positions of the board.
    pub all: Tally,
    /// By the square of Black's king, before the symmetries are put back: those that stand for
    /// eight positions or two, and those that stand for four.
    king: Box<[[Tally; 64]; 2]>,
    /// By the khon's colour and rank, seen from its own side.
    pub khon: [[Tally; 8]; 2],
    /// By how many of White's and of Black's met stand on light squares.
    pub met: Vec<([usize; 2], Tally)>,
    /// Positions that White could win, but not in time.
    pub late: Sample,
}

impl Default for WhiteSums {
    fn default() -> WhiteSums {
        WhiteSums {
            all: Tally::default(),
            king: Box::new([[Tally::default(); 64]; 2]),
            khon: Default::default(),
            met: Vec::new(),
            late: Sample::default(),
        }
    }
}

/// The weight of placings that symmetry maps onto themselves, which full symmetry alone has.
const ON_THE_DIAGONAL: u64 = 4;

impl WhiteSums {
    /// Adds the lane of a placing, which stands for `weight` positions each.
    pub fn add(&mut self, groups: &[Group], placed: &Placing, weight: u64, timed: &Timed) {
        let tally = timed.tally();
        if tally.legal == 0 {
            return;
        }
        self.all.add(&tally, weight);
        let king = &mut self.king[usize::from(weight == ON_THE_DIAGONAL)];
        for square in timed.words.legal() {
            king[square.index()].add(&timed.at(square), 1);
        }
        let mut light = [0; 2];
        let mut met = [0; 2];
        for (group, &men) in groups.iter().zip(&placed.men) {
            match group.role {
                Role::Khon => {
                    for square in men {
                        let rank = match group.color {
                            Color::White => square.rank(),
                            Color::Black => 7 - square.rank(),
                        };
                        self.khon[group.color.index()][usize::from(rank)].add(&tally, weight);
                    }
                }
                Role::Met => {
                    light[group.color.index()] = (men & LIGHT).len();
                    met[group.color.index()] = group.count;
                }
                _ => {}
            }
        }
        // One met stands on light squares as on dark ones: the mirror changes the one to the other.
        if met[0] + met[1] >= 2 {
            let mirrored = [met[0] - light[0], met[1] - light[1]];
            let key = light.max(mirrored);
            match self.met.iter_mut().find(|(k, _)| *k == key) {
                Some((_, sum)) => sum.add(&tally, weight),
                None => {
                    let mut sum = Tally::default();
                    sum.add(&tally, weight);
                    self.met.push((key, sum));
                }
            }
        }
        self.late.offer(placed, timed.words.white & !timed.in_time);
    }

    /// Adds another's sums.
    pub fn merge(mut self, other: WhiteSums) -> WhiteSums {
        self.all.add(&other.all, 1);
        let pairs = |a: &mut [Tally], b: &[Tally]| {
            for (a, b) in a.iter_mut().zip(b) {
                a.add(b, 1);
            }
        };
        for i in 0..2 {
            pairs(&mut self.king[i], &other.king[i]);
            pairs(&mut self.khon[i], &other.khon[i]);
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

    /// By the square of Black's king, over the whole board.
    pub fn king_squares(&self, symmetries: &[Transform]) -> Vec<Tally> {
        let images = |sums: &[Tally; 64]| {
            let mut board = [Tally::default(); 64];
            for square in Square::all() {
                for symmetry in symmetries {
                    let image = symmetry.square(square).index();
                    board[image].add(&sums[square.index()], 1);
                }
            }
            board
        };
        let (once, twice) = (images(&self.king[0]), images(&self.king[1]));
        let sum = |(mut once, twice): (Tally, Tally)| {
            // Each of those on the diagonal has come to every square of its images twice.
            once.add(&twice.divided(2), 1);
            once
        };
        once.into_iter().zip(twice).map(sum).collect()
    }
}
