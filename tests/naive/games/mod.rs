//! A naive solver of endings with and without bia under all three rule sets, with moves of its own.
//!
//! A slice has every placement of some men without moving the bia among them. What leaves a slice (a
//! capture, a bia's move, a promotion) leads to slices solved before it. Only colours are exchanged,
//! so that fewer slices are needed; no other symmetry is used.
//!
//! The rules, of which the solver follows one reading each:
//!
//! * Makruk: no count runs while a bia is on the board. When the last bia goes, a count starts: 64
//!   moves if both sides have men, fewer against a bare king.
//! * Ouk: one move less. The count of 63 also runs while bia are on the board, so the winner's moves are
//!   counted on through every capture and bia's move until the king is bare and no bia remains.
//! * ASEAN chess: after 100 plies without a capture or a bia's move the game is drawn, unless the
//!   last of them mates. A count runs against a bare king without bia on the board.

mod men;

use std::collections::HashMap;
use std::rc::Rc;

use sakmak::board::{Color, Position, Role};
use sakmak::material::Material;
use sakmak::rules::RuleSet;

pub use men::{Man, Men};

use super::retrograde::{Retrograde, Unit};
use super::{Value, moves_after_baring};

/// The distance that a table contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// Moves to mate.
    Mate,
    /// The distance at which a win in time shows. In makruk and ouk the moves to mate or to a new
    /// count that leaves enough moves. In ASEAN chess the plies to mate, to the next capture or to the
    /// next move of a bia, if the position is won with no ply on the clock: the phase.
    InTime,
}

/// The plies without a capture or a bia's move at which a game of ASEAN chess is drawn.
pub const DRAWN: u32 = 100;

/// Slices under a rule set, each solved when it is first needed.
pub struct Book {
    rules: RuleSet,
    solved: HashMap<(Kind, Aim), Rc<Slice>>,
}

/// The men of a slice, with the squares of its bia: for each man eleven bits.
type Kind = u64;

/// The values of every placement of a slice.
struct Slice {
    rules: RuleSet,
    aim: Aim,
    /// The men other than bia, whose squares are not used, and the bia.
    men: Men,
    values: [Vec<u8>; 2],
    after: HashMap<Kind, Rc<Slice>>,
}

/// The men in the order of a slice, with the stronger side white. Tells whether colours are exchanged.
fn arranged(mut men: Men) -> (Men, bool) {
    let strength = |color: Color| {
        let count = |role| {
            men.iter()
                .filter(|man| (man.color, man.role) == (color, role))
                .count()
        };
        Role::ALL.map(count)
    };
    let exchanged = strength(Color::Black) > strength(Color::White);
    if exchanged {
        for man in men.iter_mut() {
            man.color = !man.color;
            man.square ^= 56;
        }
    }
    men.sort_by_key(|man| (man.role == Role::Bia, *man));
    (men, exchanged)
}

/// The slice of arranged men.
fn kind(men: &Men) -> Kind {
    men.iter().fold(0, |kind, man| {
        let square = match man.role {
            Role::Bia => man.square,
            _ => 0,
        };
        let man = 1 + man.role.index() as u64 + 6 * man.color.index() as u64;
        kind << 11 | man << 6 | u64::from(square)
    })
}

/// The index of arranged men in their slice.
fn number(men: &[Man]) -> usize {
    let pieces = men.iter().filter(|man| man.role != Role::Bia).enumerate();
    pieces.fold(0, |index, (i, man)| {
        index | usize::from(man.square) << (6 * i)
    })
}

impl Book {
    pub fn new(rules: RuleSet) -> Book {
        Book {
            rules,
            solved: HashMap::new(),
        }
    }

    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The value of a legal position.
    pub fn value(&mut self, position: &Position, aim: Aim) -> Value {
        let men = Men::of(position);
        let slice = self.slice(arranged(men).0, aim);
        slice.look_up(men, position.turn())
    }

    /// Calls `visit` with each legal position of an ending and its value; men of one kind stand in one
    /// order only.
    pub fn each_position(
        &mut self,
        ending: Material,
        aim: Aim,
        mut visit: impl FnMut(&Men, Color, Value),
    ) {
        let men = ending.roles().map(|(color, role)| Man {
            color,
            role,
            square: 0,
        });
        let men: Vec<Man> = men.collect();
        let (pieces, bia): (Vec<Man>, Vec<Man>) =
            men.into_iter().partition(|man| man.role != Role::Bia);
        for placement in 0..1_usize << (6 * bia.len()) {
            let bia = bia.iter().enumerate().map(|(i, man)| Man {
                square: (placement >> (6 * i) & 63) as u8,
                ..*man
            });
            let men: Men = pieces.iter().copied().chain(bia).collect();
            let in_order = men
                .windows(2)
                .all(|two| two[0].role != Role::Bia || two[0] < two[1]);
            let stand = men.iter().all(|man| man.may_stand(self.rules));
            if !in_order || !stand {
                continue;
            }
            let slice = self.slice(arranged(men).0, aim);
            for index in 0..slice.positions() {
                let men = slice.placed(index);
                let like = |two: &[Man]| (two[0].color, two[0].role) == (two[1].color, two[1].role);
                if men
                    .windows(2)
                    .any(|two| like(two) && two[0].square > two[1].square)
                {
                    continue;
                }
                for turn in Color::ALL {
                    let value = slice.at(index, turn);
                    if value != Value::Illegal {
                        visit(&men, turn, value);
                    }
                }
            }
        }
    }

    /// The slice of arranged men.
    fn slice(&mut self, men: Men, aim: Aim) -> Rc<Slice> {
        // Against a bare king without bia the moves to mate decide.
        let aim = match !men.has_bia() && men.is_bare() {
            true => Aim::Mate,
            false => aim,
        };
        let key = (kind(&men), aim);
        if let Some(slice) = self.solved.get(&key) {
            return Rc::clone(slice);
        }
        let after = self
            .after(&men)
            .into_iter()
            .map(|men| (kind(&men), self.slice(men, aim)));
        let after = after.collect();
        let slice = Rc::new(Slice::solve(self.rules, aim, men, after));
        self.solved.insert(key, Rc::clone(&slice));
        slice
    }

    /// The men of each slice to which a capture or a move of a bia may lead.
    fn after(&self, men: &Men) -> Vec<Men> {
        let mut found = Vec::new();
        let mut add = |men: Men| found.push(arranged(men).0);
        let others = |color| {
            let numbered = men.iter().enumerate();
            numbered.filter(move |(_, man)| man.role != Role::King && man.color != color)
        };
        let bia_on = |square| {
            men.iter()
                .position(|man| (man.role, man.square) == (Role::Bia, square))
        };
        for color in Color::ALL {
            others(color).for_each(|(i, _)| add(men.without(i)));
        }
        for (i, &bia) in men
            .iter()
            .enumerate()
            .filter(|(_, man)| man.role == Role::Bia)
        {
            let mut go = |to: u8, taken: Option<usize>| {
                let moved = Man { square: to, ..bia };
                for &role in moved.becomes(self.rules) {
                    let mut after = *men;
                    after[i] = Man { role, ..moved };
                    add(taken.map_or(after, |taken| after.without(taken)));
                }
            };
            let ahead = bia.ahead();
            if bia_on(ahead).is_none() {
                go(ahead, None);
            }
            for to in (0..64).filter(|to| bia.attacks(0) >> to & 1 != 0) {
                // A bia on that square, or any other man.
                for (taken, man) in others(bia.color) {
                    match bia_on(to) {
                        Some(on) if on != taken => {}
                        None if man.role == Role::Bia => {}
                        _ => go(to, Some(taken)),
                    }
                }
            }
        }
        found
    }
}

impl Slice {
    fn solve(rules: RuleSet, aim: Aim, men: Men, after: HashMap<Kind, Rc<Slice>>) -> Slice {
        let mut slice = Slice {
            rules,
            aim,
            men,
            values: [Vec::new(), Vec::new()],
            after,
        };
        let pieces = men.iter().filter(|man| man.role != Role::Bia).count();
        slice.values = Color::ALL.map(|turn| {
            let value = |index| match slice.placed(index).are_legal(rules, turn) {
                true => Value::Draw.to_byte(),
                false => Value::Illegal.to_byte(),
            };
            (0..1 << (6 * pieces)).map(value).collect()
        });
        slice.find_all_wins();
        slice
    }

    /// The men on their squares.
    fn placed(&self, index: usize) -> Men {
        let mut men = self.men;
        let pieces = men.iter_mut().filter(|man| man.role != Role::Bia);
        for (i, man) in pieces.enumerate() {
            man.square = (index >> (6 * i) & 63) as u8;
        }
        men
    }

    /// The value of a placement in this slice, up to the exchange of colours.
    fn look_up(&self, men: Men, turn: Color) -> Value {
        let (men, exchanged) = arranged(men);
        let turn = if exchanged { !turn } else { turn };
        match self.at(number(&men), turn) {
            Value::Win(winner, moves) if exchanged => Value::Win(!winner, moves),
            value => value,
        }
    }

    /// The value after a capture or a move of a bia, as it counts for this slice.
    fn value_after(&self, men: Men, turn: Color) -> Value {
        let slice = &self.after[&kind(&arranged(men).0)];
        let value = slice.look_up(men, turn);
        let (Value::Win(winner, moves), Aim::InTime) = (value, self.aim) else {
            return value;
        };
        let most = match self.rules {
            // A new count starts.
            _ if !men.has_bia() && men.is_bare() => moves_left(self.rules, &men, winner == turn),
            RuleSet::Makruk if !men.has_bia() && self.men.has_bia() => {
                64 + u32::from(winner == turn)
            }
            // A count goes on, or none runs before and after.
            RuleSet::Makruk | RuleSet::Ouk => return value,
            RuleSet::Asean => DRAWN,
        };
        match moves <= most {
            true => Value::Win(winner, 0),
            false => Value::Draw,
        }
    }

    /// Calls `visit` with the value after each legal move and whether the move stays in the slice,
    /// while it returns true.
    fn each_value(&self, index: usize, turn: Color, mut visit: impl FnMut(Value, bool) -> bool) {
        self.placed(index)
            .each_move(self.rules, turn, |after, stays| {
                let value = match stays {
                    true => self.at(number(&after), !turn),
                    false => self.value_after(after, !turn),
                };
                value == Value::Illegal || visit(value, stays)
            });
    }
}

/// The winner's moves that a count leaves which starts now against a bare king, or in ASEAN chess the
/// fifty-move rule if it leaves fewer.
pub fn moves_left(rules: RuleSet, men: &Men, winner_to_move: bool) -> u32 {
    let kinds: Vec<(Color, Role)> = men.iter().map(|man| (man.color, man.role)).collect();
    match (rules, moves_after_baring(rules, &kinds)) {
        // The fifty-move rule gives the winner no move more, and without a rook or a khon no capture
        // of four men leaves a win.
        (RuleSet::Asean, 50) if men.len() <= 4 => 50,
        (RuleSet::Asean, 50) => panic!("captures restart the fifty-move rule"),
        (_, moves) => moves + u32::from(winner_to_move),
    }
}

impl Retrograde for Slice {
    fn values(&self) -> &[Vec<u8>; 2] {
        &self.values
    }

    fn values_mut(&mut self) -> &mut [Vec<u8>; 2] {
        &mut self.values
    }

    fn each_way(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value) -> bool) {
        self.each_value(index, turn, |value, _| visit(value));
    }

    fn each_way_out(&self, index: usize, turn: Color, visit: &mut dyn FnMut(Value)) {
        self.each_value(index, turn, |value, stays| {
            if !stays {
                visit(value);
            }
            true
        });
    }

    fn each_move_back(&self, index: usize, mover: Color, mut visit: impl FnMut(usize)) {
        self.placed(index)
            .each_move_back(mover, |before| visit(number(&before)));
    }

    fn unit(&self) -> Unit {
        match (self.rules, self.aim) {
            (RuleSet::Asean, Aim::InTime) => Unit::PliesUpTo(DRAWN),
            _ => Unit::Moves,
        }
    }
}
