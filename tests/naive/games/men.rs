//! How the men of makruk, ouk and ASEAN chess move, written down again without the library's board.

use std::sync::LazyLock;

use sakmak::board::{Color, Position, Role};
use sakmak::rules::RuleSet;

/// The most men of a placement.
pub const MOST: usize = 5;

/// A man on its square: the file plus eight times the rank, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Man {
    pub color: Color,
    pub role: Role,
    pub square: u8,
}

/// By colour, role and square, the squares that a man attacks on an empty board.
static ATTACKS: LazyLock<[[[u64; 64]; 6]; 2]> = LazyLock::new(|| {
    Color::ALL.map(|color| {
        Role::ALL.map(|role| {
            std::array::from_fn(|square| {
                let man = Man {
                    color,
                    role,
                    square: square as u8,
                };
                man.walk(0)
            })
        })
    })
});

impl Man {
    /// The squares that the man attacks.
    pub fn attacks(self, occupied: u64) -> u64 {
        match self.role {
            Role::Rook => self.walk(occupied),
            _ => ATTACKS[self.color.index()][self.role.index()][usize::from(self.square)],
        }
    }

    /// The squares that the man attacks, found step by step.
    fn walk(self, occupied: u64) -> u64 {
        const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
        const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (-1, 0), (0, -1)];
        const LEAPS: [(i8, i8); 4] = [(1, 2), (-1, 2), (1, -2), (-1, -2)];
        const WIDE: [(i8, i8); 4] = [(2, 1), (-2, 1), (2, -1), (-2, -1)];
        // As White moves: forward is up.
        let steps: [&[(i8, i8)]; 2] = match self.role {
            Role::King => [&DIAGONAL, &STRAIGHT],
            Role::Rook => [&STRAIGHT, &[]],
            Role::Knight => [&LEAPS, &WIDE],
            Role::Khon => [&DIAGONAL, &STRAIGHT[..1]],
            Role::Met => [&DIAGONAL, &[]],
            Role::Bia => [&DIAGONAL[..2], &[]],
        };
        let mut reached = 0;
        for &(files, ranks) in steps.into_iter().flatten() {
            let up = if self.color == Color::White { 1 } else { -1 };
            let (mut file, mut rank) = (self.square as i8 % 8, self.square as i8 / 8);
            loop {
                (file, rank) = (file + files, rank + ranks * up);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let square = 1 << (8 * rank + file);
                reached |= square;
                if self.role != Role::Rook || occupied & square != 0 {
                    break;
                }
            }
        }
        reached
    }

    /// The square straight ahead of a bia.
    pub fn ahead(self) -> u8 {
        match self.color {
            Color::White => self.square + 8,
            Color::Black => self.square - 8,
        }
    }

    /// The rank as the man's side counts it, from 1.
    fn rank(self) -> u8 {
        match self.color {
            Color::White => 1 + self.square / 8,
            Color::Black => 8 - self.square / 8,
        }
    }

    /// True if the man may stand on its square.
    pub fn may_stand(self, rules: RuleSet) -> bool {
        self.role != Role::Bia || (3..promotion_rank(rules)).contains(&self.rank())
    }

    /// The roles that the man can have after a move to its square: those of the promotion for a bia on
    /// its last rank, otherwise its own.
    pub fn becomes(self, rules: RuleSet) -> &'static [Role] {
        let roles: &[Role] = &Role::ALL;
        match rules {
            _ if self.role != Role::Bia || self.rank() < promotion_rank(rules) => {
                &roles[self.role.index()..][..1]
            }
            RuleSet::Makruk | RuleSet::Ouk => &[Role::Met],
            RuleSet::Asean => &[Role::Rook, Role::Knight, Role::Khon, Role::Met],
        }
    }
}

fn promotion_rank(rules: RuleSet) -> u8 {
    match rules {
        RuleSet::Makruk | RuleSet::Ouk => 6,
        RuleSet::Asean => 8,
    }
}

/// Men on the board, in any order.
#[derive(Clone, Copy)]
pub struct Men {
    men: [Man; MOST],
    len: usize,
}

impl FromIterator<Man> for Men {
    fn from_iter<T: IntoIterator<Item = Man>>(men: T) -> Men {
        let nobody = Man {
            color: Color::White,
            role: Role::King,
            square: 0,
        };
        let mut all = Men {
            men: [nobody; MOST],
            len: 0,
        };
        for man in men {
            all.men[all.len] = man;
            all.len += 1;
        }
        all
    }
}

impl std::ops::Deref for Men {
    type Target = [Man];

    fn deref(&self) -> &[Man] {
        &self.men[..self.len]
    }
}

impl std::ops::DerefMut for Men {
    fn deref_mut(&mut self) -> &mut [Man] {
        &mut self.men[..self.len]
    }
}

impl Men {
    pub fn of(position: &Position) -> Men {
        let men = position.occupied().map(|square| {
            let (color, role) = position.man_at(square).unwrap();
            let square = square.index() as u8;
            Man {
                color,
                role,
                square,
            }
        });
        men.collect()
    }

    pub fn without(mut self, i: usize) -> Men {
        self.men[i..].rotate_left(1);
        self.len -= 1;
        self
    }

    pub fn occupied(&self) -> u64 {
        self.iter().fold(0, |all, man| all | 1 << man.square)
    }

    pub fn has_bia(&self) -> bool {
        self.iter().any(|man| man.role == Role::Bia)
    }

    /// True if one side has only its king.
    pub fn is_bare(&self) -> bool {
        let of = |color| self.iter().filter(|man| man.color == color).count();
        Color::ALL.into_iter().any(|color| of(color) == 1)
    }

    /// True if each man has a square of its own, where it may stand, and the side not to move is not
    /// in check; kings give check to each other.
    pub fn are_legal(&self, rules: RuleSet, turn: Color) -> bool {
        let occupied = self.occupied();
        let king = |man: &&Man| man.role == Role::King && man.color != turn;
        let king = 1 << self.iter().find(king).unwrap().square;
        let checks = |man: &Man| man.color == turn && man.attacks(occupied) & king != 0;
        occupied.count_ones() as usize == self.len
            && self.iter().all(|man| man.may_stand(rules))
            && !self.iter().any(checks)
    }

    /// Calls `visit` with the men after each move, legal or not, while it returns true, and with
    /// whether the move is reversible: no capture and no bia's move. The order of the men stays if it
    /// is.
    pub fn each_move(&self, rules: RuleSet, turn: Color, mut visit: impl FnMut(Men, bool) -> bool) {
        let occupied = self.occupied();
        for (i, &man) in self.iter().enumerate().filter(|(_, man)| man.color == turn) {
            let mut targets = man.attacks(occupied);
            if man.role == Role::Bia {
                targets = targets & occupied | 1 << man.ahead() & !occupied;
            }
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                let mut after = *self;
                after[i].square = to;
                let taken = self.iter().position(|man| man.square == to);
                if let Some(taken) = taken {
                    if self[taken].color == turn || self[taken].role == Role::King {
                        continue;
                    }
                    // The last of the men takes the place of the one taken.
                    after.men[taken] = after.men[after.len - 1];
                    after.len -= 1;
                }
                let reversible = taken.is_none() && man.role != Role::Bia;
                let moved = after.iter().position(|man| man.square == to).unwrap();
                for &role in after[moved].becomes(rules) {
                    after[moved].role = role;
                    if !visit(after, reversible) {
                        return;
                    }
                }
            }
        }
    }

    /// Calls `visit` with the men before each reversible move of a side.
    pub fn each_move_back(&self, mover: Color, mut visit: impl FnMut(Men)) {
        let occupied = self.occupied();
        for (i, &man) in self.iter().enumerate() {
            if man.color != mover || man.role == Role::Bia {
                continue;
            }
            // The khon steps back as the other side's khon steps forward.
            let back = Man {
                color: !man.color,
                ..man
            };
            let mut origins = back.attacks(occupied) & !occupied;
            while origins != 0 {
                let mut before = *self;
                before[i].square = origins.trailing_zeros() as u8;
                origins &= origins - 1;
                visit(before);
            }
        }
    }
}
