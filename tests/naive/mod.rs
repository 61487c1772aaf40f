//! A naive twin of the solver: short, slow and meant to be seen to be right.
//!
//! Every placement of the men on the 64 squares is a number, six bits for each man, and has one byte
//! for each side to move. There is no symmetry, like men are told apart, and captures are looked up
//! in smaller endings solved the same way. It shares nothing with the solver but the board and the
//! limits of the count.

// Each test uses its part of it.
#![allow(dead_code)]

use sakmak::board::{Color, Position, Role, Square, SquareSet, attacks::attacks};
use sakmak::material::{Army, CanonicalMaterial, Material};
use sakmak::rules::{Count, RuleSet, moves_available};

/// What the winner plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Mate.
    Mate,
    /// Mate, or a winning baring: the capture of the last enemy man into an ending in which mate
    /// comes inside the count that then begins. Against a bare king there is only mate.
    Honor(RuleSet),
}

/// What becomes of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// No legal position.
    Illegal,
    /// Neither side can force the goal.
    Draw,
    /// This side is at the goal in so many of its moves; 0 if the other is mated on the board.
    Win(Color, u32),
}

impl Value {
    fn from_byte(byte: u8) -> Value {
        match byte {
            u8::MAX => Value::Illegal,
            0 => Value::Draw,
            1..=127 => Value::Win(Color::White, u32::from(byte) - 1),
            _ => Value::Win(Color::Black, u32::from(byte) - 128),
        }
    }

    fn to_byte(self) -> u8 {
        match self {
            Value::Illegal => u8::MAX,
            Value::Draw => 0,
            Value::Win(color, moves) => {
                assert!(moves < 127, "a win in {moves} does not fit a byte");
                moves as u8 + [1, 128][color.index()]
            }
        }
    }
}

/// The values of every position of an ending.
pub struct NaiveTable {
    /// White's king, White's men in R N S M order, Black's king, Black's men in R N S M order.
    men: Vec<(Color, Role)>,
    goal: Goal,
    /// By side to move.
    values: [Vec<u8>; 2],
    /// The ending after the loss of each man; none for the kings.
    smaller: Vec<Option<NaiveTable>>,
}

impl NaiveTable {
    /// Solves an ending, and before it those it can become.
    pub fn solve(material: CanonicalMaterial, goal: Goal) -> NaiveTable {
        let side = |color| {
            let men = material.army(color).men();
            std::iter::once(Role::King)
                .chain(men)
                .map(move |role| (color, role))
        };
        let men = side(Color::White).chain(side(Color::Black)).collect();
        NaiveTable::solve_men(men, goal)
    }

    fn solve_men(men: Vec<(Color, Role)>, goal: Goal) -> NaiveTable {
        let without = |i: usize| [&men[..i], &men[i + 1..]].concat();
        let smaller = (0..men.len())
            .map(|i| (men[i].1 != Role::King).then(|| NaiveTable::solve_men(without(i), goal)))
            .collect();
        let mut table = NaiveTable {
            goal: match bared(&men) {
                Some(_) => Goal::Mate,
                None => goal,
            },
            values: [Vec::new(), Vec::new()],
            men,
            smaller,
        };
        table.values = Color::ALL.map(|turn| {
            (0..1 << (6 * table.men.len()))
                .map(|index| table.legality(index, turn).to_byte())
                .collect()
        });
        let beginnings = table.beginnings();
        for (winner, agendas) in Color::ALL.into_iter().zip(beginnings) {
            table.find_wins(winner, agendas);
        }
        table
    }

    /// The value of the position with the men on these squares, in the order of `men`.
    pub fn value(&self, squares: &[Square], turn: Color) -> Value {
        assert_eq!(squares.len(), self.men.len());
        self.at(index_of(squares.iter().copied()), turn)
    }

    /// The position with the men on these squares, in the order of `men`, if it is legal.
    pub fn position(
        &self,
        squares: impl IntoIterator<Item = Square>,
        turn: Color,
    ) -> Option<Position> {
        let men = squares.into_iter().zip(&self.men);
        let men = men.map(|(square, &(color, role))| (square, color, role));
        Position::from_men(men, turn).ok()
    }

    /// Every placement of the men, legal or not, but only one order of like men.
    pub fn placements(&self) -> impl Iterator<Item = Vec<Square>> {
        (0..self.values[0].len())
            .map(|index| self.squares(index).collect::<Vec<_>>())
            .filter(|squares| {
                (1..squares.len())
                    .all(|i| self.men[i - 1] != self.men[i] || squares[i - 1] < squares[i])
            })
    }

    fn at(&self, index: usize, turn: Color) -> Value {
        Value::from_byte(self.values[turn.index()][index])
    }

    fn squares(&self, index: usize) -> impl Iterator<Item = Square> {
        (0..self.men.len()).map(move |i| Square::wrapping(index >> (6 * i)))
    }

    fn occupied(&self, index: usize) -> SquareSet {
        self.squares(index).collect()
    }

    fn legality(&self, index: usize, turn: Color) -> Value {
        match self.position(self.squares(index), turn) {
            Some(_) => Value::Draw,
            None => Value::Illegal,
        }
    }

    /// Calls `visit` with the value after each legal move of a position to one of these squares, for
    /// as long as it returns true. A move is legal if the position after it is.
    fn each_move(
        &self,
        index: usize,
        turn: Color,
        targets: SquareSet,
        mut visit: impl FnMut(Value) -> bool,
    ) {
        let occupied = self.occupied(index);
        for (i, (from, &(color, role))) in self.squares(index).zip(&self.men).enumerate() {
            if color != turn {
                continue;
            }
            for to in attacks(role, color, from, occupied) & targets {
                let after = moved(index, i, to);
                let value = match self.squares(index).position(|square| square == to) {
                    None => self.at(after, !turn),
                    Some(taken) if self.men[taken].0 == turn => continue,
                    Some(taken) => self.after_capture(after, taken, !turn),
                };
                if value != Value::Illegal && !visit(value) {
                    return;
                }
            }
        }
    }

    /// The value of an index of this table without the man who has been taken, the turn being the
    /// side's that has lost it.
    fn after_capture(&self, index: usize, taken: usize, turn: Color) -> Value {
        let Some(smaller) = &self.smaller[taken] else {
            // Kings are not taken.
            return Value::Illegal;
        };
        let low = index & ((1 << (6 * taken)) - 1);
        let high = index >> (6 * (taken + 1)) << (6 * taken);
        let value = smaller.at(high | low, turn);
        match (self.goal, value) {
            // A baring: it wins at once if mate comes inside the count, else it only draws.
            (Goal::Honor(rules), Value::Win(winner, moves))
                if bared(&smaller.men) == Some(turn) =>
            {
                assert_ne!(winner, turn, "a bare king mates nobody");
                let material = material(&smaller.men);
                match moves_available(rules, material, winner, turn, &Count::Fresh) {
                    Some(available) if moves > available => Value::Draw,
                    _ => Value::Win(winner, 0),
                }
            }
            _ => value,
        }
    }

    /// Calls `visit` with each index from which `mover` may have come here without taking a man.
    fn each_move_back(&self, index: usize, mover: Color, mut visit: impl FnMut(usize)) {
        let occupied = self.occupied(index);
        for (i, (to, &(color, role))) in self.squares(index).zip(&self.men).enumerate() {
            if color == mover {
                // A move backwards is one of the other colour: the khon's step forward turns round.
                for from in attacks(role, !color, to, occupied) & !occupied {
                    visit(moved(index, i, from));
                }
            }
        }
    }

    /// For each winner where to begin: positions by side to move and by the distance at which to
    /// look whether they are won or lost. They are those in check, which may be mates, and those
    /// with a capture that leads to a win.
    fn beginnings(&self) -> [[Agenda; 2]; 2] {
        let mut agendas: [[Agenda; 2]; 2] = Default::default();
        for index in 0..self.values[0].len() {
            for turn in Color::ALL {
                if self.at(index, turn) != Value::Draw {
                    continue;
                }
                if self.is_check(index, turn) {
                    agendas[(!turn).index()][turn.index()].add(0, index);
                }
                self.each_move(index, turn, self.occupied(index), |value| {
                    if let Value::Win(winner, moves) = value {
                        let distance = moves + u32::from(winner == turn);
                        agendas[winner.index()][turn.index()].add(distance, index);
                    }
                    true
                });
            }
        }
        agendas
    }

    /// Finds every position that `winner` wins, the shortest distances first.
    fn find_wins(&mut self, winner: Color, agendas: [Agenda; 2]) {
        let loser = !winner;
        let [mut won, mut lost] = agendas;
        if winner == Color::Black {
            std::mem::swap(&mut won, &mut lost);
        }
        for distance in 0.. {
            if lost.ends_before(distance) && won.ends_before(distance) {
                break;
            }
            for index in won.take(distance) {
                if self.at(index, winner) == Value::Draw {
                    self.values[winner.index()][index] = Value::Win(winner, distance).to_byte();
                    self.each_move_back(index, loser, |before| lost.add(distance, before));
                }
            }
            for index in lost.take(distance) {
                if self.at(index, loser) == Value::Draw && self.is_lost(index, winner, distance) {
                    self.values[loser.index()][index] = Value::Win(winner, distance).to_byte();
                    self.each_move_back(index, winner, |before| won.add(distance + 1, before));
                }
            }
        }
    }

    /// True if the side to move is mated on the board, or if every move of it lets `winner` win in
    /// at most this many.
    fn is_lost(&self, index: usize, winner: Color, most: u32) -> bool {
        let (mut stuck, mut lost) = (true, true);
        self.each_move(index, !winner, SquareSet::ALL, |value| {
            stuck = false;
            lost = matches!(value, Value::Win(color, moves) if color == winner && moves <= most);
            lost
        });
        lost && (!stuck || self.is_check(index, !winner))
    }

    /// True if a position that is legal with this side to move has it in check: all that can be
    /// illegal about it with the other side to move.
    fn is_check(&self, index: usize, turn: Color) -> bool {
        self.at(index, !turn) == Value::Illegal
    }
}

/// The side that has only its king.
fn bared(men: &[(Color, Role)]) -> Option<Color> {
    let is_bare = |color| men.iter().filter(|man| man.0 == color).count() == 1;
    Color::ALL.into_iter().find(|&color| is_bare(color))
}

/// The material of these men.
fn material(men: &[(Color, Role)]) -> Material {
    let army = |color| {
        let roles = men.iter().filter(|man| man.0 == color).map(|man| man.1);
        roles.fold(Army::BARE, Army::with)
    };
    Material {
        white: army(Color::White),
        black: army(Color::Black),
    }
}

/// The index of the men on these squares.
fn index_of(squares: impl DoubleEndedIterator<Item = Square>) -> usize {
    squares
        .rev()
        .fold(0, |index, square| index << 6 | square.index())
}

/// The index with one man on another square.
fn moved(index: usize, man: usize, to: Square) -> usize {
    index & !(63 << (6 * man)) | to.index() << (6 * man)
}

/// Lists of positions by distance.
#[derive(Default)]
struct Agenda(Vec<Vec<u32>>);

impl Agenda {
    fn add(&mut self, distance: u32, index: usize) {
        let distance = distance as usize;
        if self.0.len() <= distance {
            self.0.resize_with(distance + 1, Vec::new);
        }
        self.0[distance].push(index as u32);
    }

    fn take(&mut self, distance: u32) -> impl Iterator<Item = usize> {
        let list = self.0.get_mut(distance as usize).map(std::mem::take);
        list.unwrap_or_default()
            .into_iter()
            .map(|index| index as usize)
    }

    fn ends_before(&self, distance: u32) -> bool {
        self.0.len() <= distance as usize
    }
}
