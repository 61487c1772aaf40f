//! A naive solver: short, slow, and so simple that one can see that it is right.
//!
//! The index of a placement of the men on the 64 squares has six bits for each man; its value takes
//! one byte for each side to move. Symmetry is not used, men of one kind are not interchangeable, and
//! captures are looked up in smaller endings solved in the same way. It shares only the board with
//! the solver.

// No test uses all of it.
#![allow(dead_code)]

pub mod bia;
pub mod clock;
pub mod games;
mod retrograde;
pub mod verdict;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use sakmak::board::{Color, Position, Role, Square, SquareSet, attacks::attacks};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;

use retrograde::Retrograde;

/// The result of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The position is not legal.
    Illegal,
    /// Neither side can force mate.
    Draw,
    /// This side mates in a number of its moves; 0 if the other is already mated.
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
                assert!(moves < 127, "mate in {moves} does not fit a byte");
                moves as u8 + [1, 128][color.index()]
            }
        }
    }
}

/// The values of every position of an ending.
pub struct NaiveTable {
    /// White's king, White's men in R N S M order, Black's king, Black's men in R N S M order.
    men: Vec<(Color, Role)>,
    /// By side to move.
    values: [Vec<u8>; 2],
    /// The ending after the loss of each man; none for the kings.
    smaller: Vec<Option<NaiveTable>>,
}

impl NaiveTable {
    /// An ending that several tests need, solved once for all of them.
    pub fn shared(material: CanonicalMaterial) -> Arc<NaiveTable> {
        type Solved = BTreeMap<String, Arc<OnceLock<Arc<NaiveTable>>>>;
        static SOLVED: Mutex<Solved> = Mutex::new(BTreeMap::new());
        let mut solved = SOLVED.lock().unwrap();
        let slot = solved.entry(material.to_string()).or_default().clone();
        // Other endings may be solved meanwhile.
        drop(solved);
        slot.get_or_init(|| Arc::new(NaiveTable::solve(material)))
            .clone()
    }

    /// Solves an ending, after the endings its captures lead to.
    pub fn solve(material: CanonicalMaterial) -> NaiveTable {
        NaiveTable::solve_men(material.material().roles().collect())
    }

    fn solve_men(men: Vec<(Color, Role)>) -> NaiveTable {
        let without = |i: usize| [&men[..i], &men[i + 1..]].concat();
        let smaller = (0..men.len())
            .map(|i| (men[i].1 != Role::King).then(|| NaiveTable::solve_men(without(i))))
            .collect();
        let mut table = NaiveTable {
            values: [Vec::new(), Vec::new()],
            men,
            smaller,
        };
        table.values = Color::ALL.map(|turn| {
            (0..1 << (6 * table.men.len()))
                .map(|index| table.legality(index, turn).to_byte())
                .collect()
        });
        table.find_all_wins();
        table
    }

    /// The same ending with the moves counted to honor instead of mate: a capture of the last enemy
    /// man is as good as mate if mate follows within the new count, and a draw if not.
    pub fn to_honor(&self, rules: RuleSet) -> NaiveTable {
        let smaller = |table: &NaiveTable| match table.bare_king() {
            Some(bare) => table.at_baring(rules, bare),
            None => table.to_honor(rules),
        };
        let mut table = self.undecided(smaller, |_| false);
        table.find_all_wins();
        table
    }

    /// The same men with other tables after captures, and without the wins whose number of moves
    /// `stays` refuses.
    fn undecided(
        &self,
        smaller: impl Fn(&NaiveTable) -> NaiveTable,
        stays: impl Fn(u32) -> bool,
    ) -> NaiveTable {
        NaiveTable {
            men: self.men.clone(),
            smaller: self
                .smaller
                .iter()
                .map(|t| t.as_ref().map(&smaller))
                .collect(),
            values: self.values.clone().map(|values| {
                let undecided = values.into_iter().map(|byte| match Value::from_byte(byte) {
                    Value::Win(_, moves) if !stays(moves) => Value::Draw.to_byte(),
                    _ => byte,
                });
                undecided.collect()
            }),
        }
    }

    /// A bare-king ending as seen from the capture that bares the king, which is then to move.
    fn at_baring(&self, rules: RuleSet, bare: Color) -> NaiveTable {
        let available = moves_after_baring(rules, &self.men);
        let judged = self.values[bare.index()].iter().map(|&byte| {
            let value = match Value::from_byte(byte) {
                Value::Win(winner, moves) if moves <= available => Value::Win(winner, 0),
                Value::Win(..) => Value::Draw,
                value => value,
            };
            value.to_byte()
        });
        let mut values = self.values.clone();
        values[bare.index()] = judged.collect();
        NaiveTable {
            men: self.men.clone(),
            values,
            smaller: Vec::new(),
        }
    }

    /// The side that has only its king, if any.
    fn bare_king(&self) -> Option<Color> {
        let men = |color| self.men.iter().filter(move |man| man.0 == color).count();
        Color::ALL.into_iter().find(|&color| men(color) == 1)
    }

    /// The value of the position with the men on these squares, in the order of `men`.
    pub fn value(&self, squares: &[Square], turn: Color) -> Value {
        assert_eq!(squares.len(), self.men.len());
        self.at(index_of(squares.iter().copied()), turn)
    }

    /// Every placement of the men, legal or not, with only one order of like men.
    pub fn placements(&self) -> impl Iterator<Item = Vec<Square>> {
        (0..self.values[0].len())
            .map(|index| self.squares(index).collect::<Vec<_>>())
            .filter(|squares| {
                (1..squares.len())
                    .all(|i| self.men[i - 1] != self.men[i] || squares[i - 1] < squares[i])
            })
    }

    fn squares(&self, index: usize) -> impl Iterator<Item = Square> {
        (0..self.men.len()).map(move |i| Square::wrapping(index >> (6 * i)))
    }

    fn occupied(&self, index: usize) -> SquareSet {
        self.squares(index).collect()
    }

    fn legality(&self, index: usize, turn: Color) -> Value {
        let men = self.squares(index).zip(&self.men);
        match Position::from_men(
            men.map(|(square, &(color, role))| (square, color, role)),
            turn,
        ) {
            Ok(_) => Value::Draw,
            Err(_) => Value::Illegal,
        }
    }

    /// Calls `visit` with the value after each legal move to one of these squares, while it returns
    /// true. A move is legal if the position after it is.
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
                    Some(taken) => match &self.smaller[taken] {
                        Some(smaller) => {
                            let low = after & ((1 << (6 * taken)) - 1);
                            let high = after >> (6 * (taken + 1)) << (6 * taken);
                            smaller.at(high | low, !turn)
                        }
                        None => continue,
                    },
                };
                if value != Value::Illegal && !visit(value) {
                    return;
                }
            }
        }
    }
}

impl Retrograde for NaiveTable {
    fn values(&self) -> &[Vec<u8>; 2] {
        &self.values
    }

    fn values_mut(&mut self) -> &mut [Vec<u8>; 2] {
        &mut self.values
    }

    fn each_way(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value) -> bool) {
        self.each_move(index, turn, SquareSet::ALL, visit);
    }

    fn each_way_out(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value)) {
        self.each_move(index, turn, self.occupied(index), |value| {
            visit(value);
            true
        });
    }

    fn each_move_back(&self, index: usize, mover: Color, mut visit: impl FnMut(usize)) {
        let occupied = self.occupied(index);
        for (i, (to, &(color, role))) in self.squares(index).zip(&self.men).enumerate() {
            if color == mover {
                // A backward move is a move of the other colour: the khon's forward step is
                // reversed.
                for from in attacks(role, !color, to, occupied) & !occupied {
                    visit(moved(index, i, from));
                }
            }
        }
    }
}

/// The moves that the count leaves just after the last man of one side was taken.
pub fn moves_after_baring(rules: RuleSet, men: &[(Color, Role)]) -> u32 {
    let has = |role| men.iter().filter(|man| man.1 == role).count();
    let (rooks, knights, khons) = (has(Role::Rook), has(Role::Knight), has(Role::Khon));
    let limit = match rules {
        // The fifty-move rule applies before a knight's limit of 64.
        RuleSet::Asean if rooks > 0 => 16,
        RuleSet::Asean if khons > 0 => 44,
        RuleSet::Asean => 50,
        _ if rooks >= 2 => 8,
        _ if rooks == 1 => 16,
        _ if khons >= 2 => 22,
        _ if knights >= 2 => 32,
        _ if khons == 1 => 44,
        _ => 64,
    };
    let spent = match rules {
        RuleSet::Makruk => men.len(),
        RuleSet::Ouk => men.len() + 1,
        RuleSet::Asean => 0,
    };
    u32::saturating_sub(limit, spent as u32)
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
