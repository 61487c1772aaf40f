//! A naive solver of endings with bia under makruk's rules. It works position by position, from the
//! rules of `board`, and uses nothing of the solver.
//!
//! A table has every placement of its men, with a bia on the squares from its starting rank to
//! before its promotion rank; men of one kind are not interchangeable. Each move is made on a list
//! of men, and its result is looked up by the men that are left: in the table itself, in another
//! one with bia, or in an ending without bia, where the fresh count decides. Endings without bia of
//! more than three men would take hours, so their distances are the solver's, which other tests
//! compare with the naive solver's.

use std::collections::HashMap;
use std::sync::Arc;

use sakmak::board::{Color, Position, Role, Square, SquareSet, attacks::attacks};
use sakmak::generate::SolvedEndings;
use sakmak::internals::{Goal, Solution};
use sakmak::material::Material;
use sakmak::rules::RuleSet;

use super::retrograde::Retrograde;
use super::{NaiveTable, Value, moves_after_baring};

/// The goal to which moves are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// Mate.
    Mate,
    /// Mate, or a position without bia that the winner can win within a fresh count.
    Honor,
}

/// A man on its square.
type Placed = (Color, Role, Square);

/// The men on the board, in order.
type Kinds = Vec<(Color, Role)>;

/// Naive tables by their men, each solved when it is first needed.
#[derive(Default)]
pub struct NaiveBook {
    /// The first ranks of White's and Black's bia, counted from 0: 2 and 5 if all squares are
    /// covered.
    first_ranks: [u8; 2],
    pawnless: HashMap<Kinds, Arc<Pawnless>>,
    solved_endings: SolvedEndings,
    with_bia: HashMap<(Kinds, Aim), Arc<BiaTable>>,
}

/// The values of every position of an ending with bia.
pub struct BiaTable {
    men: Kinds,
    /// For each man its first square, and the number of bits of its index.
    fields: Vec<(usize, u32)>,
    first_ranks: [u8; 2],
    aim: Aim,
    values: [Vec<u8>; 2],
    others: HashMap<Kinds, Other>,
}

/// The result of a move into another table.
enum Other {
    Pawnless(Arc<Pawnless>),
    WithBia(Arc<BiaTable>),
}

/// An ending without bia, with the moves to mate and to honor.
enum Pawnless {
    Naive([NaiveTable; 2]),
    /// By winner, for a side that has men.
    Solved([[Option<Arc<Solution>>; 2]; 2]),
}

impl Pawnless {
    fn solve(kinds: &Kinds, solved_endings: &mut SolvedEndings) -> Pawnless {
        if kinds.len() <= 3 {
            let mate = NaiveTable::solve_men(kinds.clone());
            let honor = mate.to_honor(RuleSet::Makruk);
            return Pawnless::Naive([mate, honor]);
        }
        let name = Color::ALL.map(|color| {
            let men = kinds.iter().filter(|man| man.0 == color);
            men.map(|man| man.1.letter()).collect::<String>()
        });
        let material: Material = name.join("v").parse().unwrap();
        let goals = [Goal::Mate, Goal::Honor(RuleSet::Makruk)];
        Pawnless::Solved(goals.map(|goal| {
            Color::ALL.map(|winner| {
                let has_men = !material.army(winner).is_empty();
                has_men.then(|| solved_endings.solution(material, winner, goal))
            })
        }))
    }

    /// The values of a legal position, to mate and to honor.
    fn values(&self, men: &[Placed], turn: Color) -> [Value; 2] {
        match self {
            Pawnless::Naive(tables) => {
                let squares: Vec<Square> = men.iter().map(|man| man.2).collect();
                [0, 1].map(|i| tables[i].value(&squares, turn))
            }
            Pawnless::Solved(solutions) => [0, 1].map(|i| {
                let mut wins = Color::ALL.into_iter().filter_map(|winner| {
                    let solution = solutions[i][winner.index()].as_ref()?;
                    Some(Value::Win(winner, solved(solution, men, winner, turn)?))
                });
                wins.next_back().unwrap_or(Value::Draw)
            }),
        }
    }
}

/// The winner's moves in a position of a solved ending, if it wins.
fn solved(solution: &Solution, men: &[Placed], winner: Color, turn: Color) -> Option<u32> {
    let on = |color, role| {
        let like = men
            .iter()
            .filter(move |man| (man.0, man.1) == (color, role));
        like.map(|man| man.2).collect::<SquareSet>()
    };
    let king = |color| on(color, Role::King).first().unwrap();
    let (transform, lane) = solution.layout.lane(king(winner), |group| {
        let group = solution.layout.groups()[group];
        on(group.color, group.role)
    });
    let bit = transform.square(king(!winner)).index();
    let number = match turn == winner {
        true => u32::from(solution.winner_to_move.get(lane, bit)),
        false => u32::from(solution.loser_to_move.as_ref().unwrap().get(lane, bit)),
    };
    (number > 0).then(|| number - u32::from(turn != winner))
}

impl NaiveBook {
    /// Tables with every square of a bia.
    pub fn whole() -> NaiveBook {
        NaiveBook::with_bia_from([2, 5])
    }

    /// Tables in which bia start at or beyond the given ranks.
    pub fn with_bia_from(first_ranks: [u8; 2]) -> NaiveBook {
        NaiveBook {
            first_ranks,
            ..NaiveBook::default()
        }
    }

    /// True if every square of a bia is covered.
    pub fn is_whole(&self) -> bool {
        self.first_ranks == [2, 5]
    }

    /// The ending with these men, at least one of them a bia.
    pub fn table(&mut self, mut men: Kinds, aim: Aim) -> Arc<BiaTable> {
        men.sort();
        let key = (men.clone(), aim);
        if let Some(table) = self.with_bia.get(&key) {
            return Arc::clone(table);
        }
        let mut others = HashMap::new();
        for kinds in after_a_move(&men) {
            let other = match kinds.iter().any(|man| man.1 == Role::Bia) {
                true => Other::WithBia(self.table(kinds.clone(), aim)),
                false => Other::Pawnless(self.pawnless(&kinds)),
            };
            others.insert(kinds, other);
        }
        let table = Arc::new(BiaTable::solve(men, self.first_ranks, aim, others));
        self.with_bia.insert(key, Arc::clone(&table));
        table
    }

    fn pawnless(&mut self, men: &Kinds) -> Arc<Pawnless> {
        let solved_endings = &mut self.solved_endings;
        let known = self.pawnless.entry(men.clone());
        Arc::clone(known.or_insert_with(|| Arc::new(Pawnless::solve(men, solved_endings))))
    }
}

/// The men that a move can leave, if they differ from those before and are more than two kings.
fn after_a_move(men: &Kinds) -> Vec<Kinds> {
    let mut found = Vec::new();
    let promoted = |men: &Kinds, color: Color| {
        let bia = men.iter().position(|&man| man == (color, Role::Bia))?;
        let mut men = men.clone();
        men[bia].1 = Role::Met;
        Some(men)
    };
    for color in Color::ALL {
        found.extend(promoted(men, color));
        for (i, &(victim, role)) in men.iter().enumerate() {
            if victim != color && role != Role::King {
                let mut rest = men.clone();
                rest.remove(i);
                found.extend(promoted(&rest, color));
                found.push(rest);
            }
        }
    }
    for men in &mut found {
        men.sort();
    }
    found.retain(|men| men.len() > 2);
    found.sort();
    found.dedup();
    found
}

impl BiaTable {
    fn solve(
        men: Kinds,
        first_ranks: [u8; 2],
        aim: Aim,
        others: HashMap<Kinds, Other>,
    ) -> BiaTable {
        let [white, black] = first_ranks.map(usize::from);
        let bits = |ranks: usize| [3, 3, 4, 5][ranks];
        let field = |man: &(Color, Role)| match man {
            (Color::White, Role::Bia) => (8 * white, bits(5 - white)),
            (Color::Black, Role::Bia) => (8 * 3, bits(black - 2)),
            _ => (0, 6),
        };
        let mut table = BiaTable {
            fields: men.iter().map(field).collect(),
            men,
            first_ranks,
            aim,
            values: [Vec::new(), Vec::new()],
            others,
        };
        let bits: u32 = table.fields.iter().map(|field| field.1).sum();
        table.values = Color::ALL.map(|turn| {
            let legality = |index| match table.is_legal(index, turn) {
                true => Value::Draw.to_byte(),
                false => Value::Illegal.to_byte(),
            };
            (0..1 << bits).map(legality).collect()
        });
        table.find_all_wins();
        table
    }

    /// The men, in the order of the squares in [`BiaTable::placements`].
    pub fn men(&self) -> &[(Color, Role)] {
        &self.men
    }

    /// Every placement of the men, legal or not, with only one order of like men.
    pub fn placements(&self) -> impl Iterator<Item = Vec<Square>> {
        let indexes = 0..self.values[0].len();
        let squares = indexes.map(|index| self.placed(index).map(|man| man.2).collect::<Vec<_>>());
        squares.filter(|squares| {
            (1..squares.len())
                .all(|i| self.men[i - 1] != self.men[i] || squares[i - 1] < squares[i])
        })
    }

    /// The value of the position with the men on these squares, in the order of [`BiaTable::men`].
    pub fn value(&self, squares: &[Square], turn: Color) -> Value {
        let men = self.men.iter().zip(squares);
        let men: Vec<Placed> = men
            .map(|(&(color, role), &square)| (color, role, square))
            .collect();
        self.at(self.index(&men), turn)
    }

    /// The men on their squares.
    fn placed(&self, mut index: usize) -> impl Iterator<Item = Placed> {
        self.men
            .iter()
            .zip(&self.fields)
            .map(move |(&(color, role), &(first, bits))| {
                let place = index & ((1 << bits) - 1);
                index >>= bits;
                (color, role, Square::wrapping(first + place))
            })
    }

    /// The index of the men, in order.
    fn index(&self, men: &[Placed]) -> usize {
        let fields = men.iter().zip(&self.fields).rev();
        fields.fold(0, |index, (man, &(first, bits))| {
            index << bits | (man.2.index() - first)
        })
    }

    /// True if a man may stand on its square; bia only on some ranks.
    fn may_stand(&self, &(color, role, square): &Placed) -> bool {
        let [white, black] = self.first_ranks;
        match (role, color) {
            (Role::Bia, Color::White) => (white..=4).contains(&square.rank()),
            (Role::Bia, Color::Black) => (3..=black).contains(&square.rank()),
            _ => true,
        }
    }

    fn is_legal(&self, index: usize, turn: Color) -> bool {
        let men = self
            .placed(index)
            .map(|(color, role, square)| (square, color, role));
        self.placed(index).all(|man| self.may_stand(&man)) && Position::from_men(men, turn).is_ok()
    }

    /// Calls `visit` for each legal move, with the value after it and whether it stays in the
    /// table, while it returns true.
    fn each_move(&self, index: usize, turn: Color, mut visit: impl FnMut(Value, bool) -> bool) {
        let men: Vec<Placed> = self.placed(index).collect();
        let occupied: SquareSet = men.iter().map(|man| man.2).collect();
        for (i, &(color, role, from)) in men.iter().enumerate() {
            if color != turn {
                continue;
            }
            let mut targets = attacks(role, color, from, occupied);
            if role == Role::Bia {
                let ahead = from.offset(0, if color == Color::White { 1 } else { -1 });
                targets &= occupied;
                targets |= ahead.map_or(SquareSet::EMPTY, Square::set) & !occupied;
            }
            for to in targets {
                let taken = men.iter().position(|man| man.2 == to);
                if taken.is_some_and(|taken| men[taken].0 == turn || men[taken].1 == Role::King) {
                    continue;
                }
                let mut after = men.clone();
                let last_rank = if color == Color::White { 5 } else { 2 };
                let promotes = role == Role::Bia && to.rank() == last_rank;
                let becomes = if promotes { Role::Met } else { role };
                after[i] = (color, becomes, to);
                if let Some(taken) = taken {
                    after.remove(taken);
                }
                let stays = taken.is_none() && !promotes;
                let value = match stays {
                    true => self.at(self.index(&after), !turn),
                    false => self.value_outside(after, !turn),
                };
                if value != Value::Illegal && !visit(value, stays) {
                    return;
                }
            }
        }
    }

    /// The value of a position with other men.
    fn value_outside(&self, mut men: Vec<Placed>, turn: Color) -> Value {
        men.sort();
        let kinds: Kinds = men.iter().map(|man| (man.0, man.1)).collect();
        let is_legal = || {
            let men = men
                .iter()
                .map(|&(color, role, square)| (square, color, role));
            Position::from_men(men, turn).is_ok()
        };
        let table = match self.others.get(&kinds) {
            Some(Other::WithBia(table)) => return table.at(table.index(&men), turn),
            _ if !is_legal() => return Value::Illegal,
            // Only the two kings.
            None => return Value::Draw,
            Some(Other::Pawnless(table)) => table,
        };
        let [mate, honor] = table.values(&men, turn);
        if self.aim == Aim::Mate {
            return mate;
        }
        let has_men = |color| kinds.iter().filter(|man| man.0 == color).count() > 1;
        let is_bare = !Color::ALL.into_iter().all(has_men);
        // The last bia is gone, so the count begins. The winner, if to move, moves once before it.
        let in_time = |winner: Color, moves: u32| {
            let counted = match is_bare {
                true => moves_after_baring(RuleSet::Makruk, &kinds),
                false => 64,
            };
            moves <= counted + u32::from(winner == turn)
        };
        match if is_bare { mate } else { honor } {
            Value::Win(winner, moves) if in_time(winner, moves) => Value::Win(winner, 0),
            Value::Win(..) => Value::Draw,
            value => value,
        }
    }
}

impl Retrograde for BiaTable {
    fn values(&self) -> &[Vec<u8>; 2] {
        &self.values
    }

    fn values_mut(&mut self) -> &mut [Vec<u8>; 2] {
        &mut self.values
    }

    fn each_way(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value) -> bool) {
        self.each_move(index, turn, |value, _| visit(value));
    }

    fn each_way_out(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value)) {
        self.each_move(index, turn, |value, stays| {
            if !stays {
                visit(value);
            }
            true
        });
    }

    fn each_move_back(&self, index: usize, mover: Color, mut visit: impl FnMut(usize)) {
        let men: Vec<Placed> = self.placed(index).collect();
        let occupied: SquareSet = men.iter().map(|man| man.2).collect();
        for (i, &(color, role, to)) in men.iter().enumerate() {
            if color != mover {
                continue;
            }
            let origins = match role {
                Role::Bia => {
                    let behind = to.offset(0, if color == Color::White { -1 } else { 1 });
                    behind.map_or(SquareSet::EMPTY, Square::set)
                }
                // A backward move is a move of the other colour: the khon's forward step is
                // reversed.
                _ => attacks(role, !color, to, occupied),
            };
            for from in origins & !occupied {
                let mut before = men.clone();
                before[i].2 = from;
                if self.may_stand(&before[i]) {
                    visit(self.index(&before));
                }
            }
        }
    }
}
