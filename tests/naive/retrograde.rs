//! How the naive solvers find wins: from the mates and the moves out of a table, one distance after
//! another.

use sakmak::board::{Color, SquareSet};

use super::Value;

/// The unit of a value.
#[derive(Clone, Copy)]
pub enum Unit {
    /// The winner's moves.
    Moves,
    /// Both sides' moves; longer wins are draws.
    PliesUpTo(u32),
}

/// Positions by index, each with a value for either side to move.
pub trait Retrograde {
    /// The values found so far, as bytes, with White to move and with Black to move.
    fn values(&self) -> &[Vec<u8>; 2];

    /// The same values, to be changed.
    fn values_mut(&mut self) -> &mut [Vec<u8>; 2];

    /// The positions, legal or not.
    fn positions(&self) -> usize {
        self.values()[0].len()
    }

    /// The value found so far.
    fn at(&self, index: usize, turn: Color) -> Value {
        Value::from_byte(self.values()[turn.index()][index])
    }

    /// Sets a value.
    fn set(&mut self, index: usize, turn: Color, value: Value) {
        self.values_mut()[turn.index()][index] = value.to_byte();
    }

    /// Calls `visit` with the value after each legal move, while it returns true.
    fn each_way(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value) -> bool);

    /// Calls `visit` with the value after each legal move out of the table.
    fn each_way_out(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value));

    /// Calls `visit` with each index from which a move of `mover` within the table leads here.
    fn each_move_back(&self, index: usize, mover: Color, visit: impl FnMut(usize));

    /// The unit of all values.
    fn unit(&self) -> Unit {
        Unit::Moves
    }

    /// The units that a move of the loser adds to a value.
    fn loser_adds(&self) -> u32 {
        match self.unit() {
            Unit::Moves => 0,
            Unit::PliesUpTo(_) => 1,
        }
    }

    /// True if a position that is legal with this side to move has it in check. This is the only
    /// reason why it can be illegal with the other side to move.
    fn is_check(&self, index: usize, turn: Color) -> bool {
        self.at(index, !turn) == Value::Illegal
    }

    /// Finds every position won by either side.
    fn find_all_wins(&mut self) {
        let beginnings = self.beginnings();
        for (winner, [won, lost]) in Color::ALL.into_iter().zip(beginnings) {
            self.find_wins(winner, won, lost);
        }
    }

    /// For each winner the positions to begin with, those with the winner to move first, by the
    /// distance at which they are examined: those in check, which may be mates, and those with a
    /// move out of the table into a win.
    fn beginnings(&self) -> [[Agenda; 2]; 2] {
        let mut agendas: [[Agenda; 2]; 2] = Default::default();
        for index in 0..self.positions() {
            for turn in Color::ALL {
                if self.at(index, turn) != Value::Draw {
                    continue;
                }
                if self.is_check(index, turn) {
                    agendas[(!turn).index()][1].add(0, index);
                }
                self.each_way_out(index, turn, &mut |value| {
                    if let Value::Win(winner, moves) = value {
                        let [won, lost] = &mut agendas[winner.index()];
                        match winner == turn {
                            true => won.add(moves + 1, index),
                            false => lost.add(moves + self.loser_adds(), index),
                        }
                    }
                });
            }
        }
        agendas
    }

    /// Finds every position that `winner` wins, shortest distances first, beginning with these
    /// positions with the winner and with the loser to move.
    fn find_wins(&mut self, winner: Color, mut won: Agenda, mut lost: Agenda) {
        let loser = !winner;
        let adds = self.loser_adds();
        let longest = match self.unit() {
            Unit::Moves => u32::MAX,
            Unit::PliesUpTo(plies) => plies,
        };
        for distance in 0..=longest {
            if lost.ends_before(distance) && won.ends_before(distance) {
                break;
            }
            for index in won.take(distance) {
                if self.at(index, winner) == Value::Draw {
                    self.set(index, winner, Value::Win(winner, distance));
                    self.each_move_back(index, loser, |before| lost.add(distance + adds, before));
                }
            }
            for index in lost.take(distance) {
                if self.at(index, loser) == Value::Draw && self.is_lost(index, winner, distance) {
                    self.set(index, loser, Value::Win(winner, distance));
                    self.each_move_back(index, winner, |before| won.add(distance + 1, before));
                }
            }
        }
    }

    /// True if the side to move is mated, or if after each of its moves `winner` wins at a distance of
    /// at most `most`, that move included.
    fn is_lost(&self, index: usize, winner: Color, most: u32) -> bool {
        let adds = self.loser_adds();
        let (mut stuck, mut lost) = (true, true);
        self.each_way(index, !winner, &mut |value| {
            stuck = false;
            lost = matches!(value, Value::Win(color, moves) if color == winner && moves + adds <= most);
            lost
        });
        lost && (!stuck || self.is_check(index, !winner))
    }
}

/// Lists of positions by distance.
#[derive(Default)]
pub struct Agenda(Vec<Vec<u32>>);

impl Agenda {
    fn add(&mut self, distance: u32, index: usize) {
        let distance = distance as usize;
        if self.0.len() <= distance {
            self.0.resize_with(distance + 1, Vec::new);
        }
        self.0[distance].push(index as u32);
    }

    /// Takes the positions of a distance in order, each once: several moves may have led to it.
    fn take(&mut self, distance: u32) -> impl Iterator<Item = usize> {
        let list = self.0.get_mut(distance as usize).map(std::mem::take);
        let list = list.unwrap_or_default();
        // One bit for each position; to sort the long lists would take longer.
        let words = list.iter().max().map_or(0, |&last| last as usize / 64 + 1);
        let mut found = vec![0_u64; words];
        for index in list {
            found[index as usize / 64] |= 1 << (index % 64);
        }
        found.into_iter().enumerate().flat_map(|(i, word)| {
            let bits = SquareSet(word).into_iter();
            bits.map(move |bit| 64 * i + bit.index())
        })
    }

    fn ends_before(&self, distance: u32) -> bool {
        self.0.len() <= distance as usize
    }
}
