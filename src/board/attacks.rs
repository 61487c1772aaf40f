//! The moves and attacks of the men.
//!
//! King, rook and knight move as in chess. The met steps diagonally; the khon steps diagonally or
//! straight forward. A bia captures one step diagonally forward; its step straight forward cannot
//! capture, so that step is not an attack: see [`bia_step`].

use super::{Color, Role, Square, SquareSet};

const KING: &[(i8, i8)] = &[
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];
const KNIGHT: &[(i8, i8)] = &[
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
];
const MET: &[(i8, i8)] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const KHON_WHITE: &[(i8, i8)] = &[(-1, -1), (1, -1), (-1, 1), (0, 1), (1, 1)];
const KHON_BLACK: &[(i8, i8)] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const BIA_WHITE: &[(i8, i8)] = &[(-1, 1), (1, 1)];
const BIA_BLACK: &[(i8, i8)] = &[(-1, -1), (1, -1)];

/// The rook's four directions, as (files, ranks).
pub const ROOK_DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// The steps by which a man captures, as (files, ranks). Empty for the rook, which slides.
pub const fn steps(role: Role, color: Color) -> &'static [(i8, i8)] {
    match (role, color) {
        (Role::King, _) => KING,
        (Role::Rook, _) => &[],
        (Role::Knight, _) => KNIGHT,
        (Role::Khon, Color::White) => KHON_WHITE,
        (Role::Khon, Color::Black) => KHON_BLACK,
        (Role::Met, _) => MET,
        (Role::Bia, Color::White) => BIA_WHITE,
        (Role::Bia, Color::Black) => BIA_BLACK,
    }
}

/// For each square, the squares to which `steps` lead from that square.
const fn step_table(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square::wrapping(from).offset(steps[i].0, steps[i].1) {
                table[from] |= 1 << to.index();
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static STEP_TABLES: [[[u64; 64]; Role::ALL.len()]; 2] = {
    let mut tables = [[[0; 64]; Role::ALL.len()]; 2];
    let mut role = 0;
    while role < Role::ALL.len() {
        tables[0][role] = step_table(steps(Role::ALL[role], Color::White));
        tables[1][role] = step_table(steps(Role::ALL[role], Color::Black));
        role += 1;
    }
    tables
};

/// For each direction of the rook and each square, the squares beyond that square up to the edge of
/// the board.
static RAYS: [[u64; 64]; 4] = {
    let mut rays = [[0; 64]; 4];
    let mut d = 0;
    while d < 4 {
        let mut from = 0;
        while from < 64 {
            let mut here = Square::wrapping(from);
            while let Some(next) = here.offset(ROOK_DIRECTIONS[d].0, ROOK_DIRECTIONS[d].1) {
                rays[d][from] |= 1 << next.index();
                here = next;
            }
            from += 1;
        }
        d += 1;
    }
    rays
};

/// The squares that a man of this role and colour attacks from a square.
///
/// The attacked squares may be occupied by either side. Only the rook's attacks depend on
/// `occupied`.
pub fn attacks(role: Role, color: Color, from: Square, occupied: SquareSet) -> SquareSet {
    match role {
        Role::Rook => rook(from, occupied),
        _ => SquareSet(STEP_TABLES[color.index()][role.index()][from.index()]),
    }
}

/// The square straight ahead of a bia, to which the bia can step if that square is empty. The set
/// is empty if the bia is on its last rank.
pub const fn bia_step(color: Color, from: Square) -> SquareSet {
    match color {
        Color::White => SquareSet(from.set().0 << 8),
        Color::Black => SquareSet(from.set().0 >> 8),
    }
}

/// The squares that a king attacks.
pub fn king(from: Square) -> SquareSet {
    SquareSet(STEP_TABLES[0][0][from.index()])
}

/// The squares one king's step away from a square of a set.
#[inline(always)]
pub fn king_steps(set: SquareSet) -> SquareSet {
    const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let sides = (set.0 << 1 & NOT_FILE_A) | (set.0 >> 1 & NOT_FILE_H);
    let row = sides | set.0;
    SquareSet(sides | row << 8 | row >> 8)
}

/// The squares that a rook attacks, up to and including the first occupied square in each
/// direction.
pub fn rook(from: Square, occupied: SquareSet) -> SquareSet {
    let mut reached = 0;
    for (d, rays) in RAYS.iter().enumerate() {
        let ray = rays[from.index()];
        let blockers = ray & occupied.0;
        // Directions 0 and 2 lead to squares with higher indices, 1 and 3 to squares with lower
        // ones.
        let behind = if blockers == 0 {
            0
        } else if d % 2 == 0 {
            rays[blockers.trailing_zeros() as usize]
        } else {
            rays[63 - blockers.leading_zeros() as usize]
        };
        reached |= ray & !behind;
    }
    SquareSet(reached)
}

/// The squares strictly between two squares of one rank or file. Empty for other pairs.
pub fn between(a: Square, b: Square) -> SquareSet {
    for d in 0..4 {
        let ray = RAYS[d][a.index()];
        if ray >> b.index() & 1 != 0 {
            return SquareSet(ray & RAYS[d ^ 1][b.index()]);
        }
    }
    SquareSet::EMPTY
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn the_khon_steps_forward_by_its_colour() {
        let d4 = sq("d4");
        let white = attacks(Role::Khon, Color::White, d4, SquareSet::EMPTY);
        let black = attacks(Role::Khon, Color::Black, d4, SquareSet::EMPTY);
        assert!(white.contains(sq("d5")) && !white.contains(sq("d3")));
        assert!(black.contains(sq("d3")) && !black.contains(sq("d5")));
        assert_eq!((white & black).len(), 4);
    }

    #[test]
    fn the_bia_takes_diagonally_forward_and_steps_straight() {
        let squares = |names: &[&str]| names.iter().map(|name| sq(name)).collect::<SquareSet>();
        for (color, taken, step) in [
            (Color::White, ["b4", "d4"], "c4"),
            (Color::Black, ["b2", "d2"], "c2"),
        ] {
            let from = sq("c3");
            let found = attacks(Role::Bia, color, from, SquareSet::ALL);
            assert_eq!(found, squares(&taken));
            assert_eq!(bia_step(color, from), sq(step).set());
        }
        assert!(bia_step(Color::White, sq("c8")).is_empty());
        assert!(bia_step(Color::Black, sq("c1")).is_empty());
    }

    #[test]
    fn the_rook_stops_at_the_first_man_in_every_direction() {
        for from in Square::all() {
            for seed in 0..200u64 {
                let occupied = SquareSet(
                    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                        .rotate_left(seed as u32)
                        & seed.wrapping_mul(0xd134_2543_de82_ef95),
                );
                let mut expected = SquareSet::EMPTY;
                for (files, ranks) in ROOK_DIRECTIONS {
                    let mut here = from;
                    while let Some(next) = here.offset(files, ranks) {
                        expected = expected.with(next);
                        here = next;
                        if occupied.contains(next) {
                            break;
                        }
                    }
                }
                assert_eq!(rook(from, occupied), expected);
            }
        }
    }

    #[test]
    fn between_is_what_a_rook_passes_over() {
        assert_eq!(
            between(sq("a1"), sq("a4")),
            [sq("a2"), sq("a3")].into_iter().collect()
        );
        assert_eq!(
            between(sq("h3"), sq("f3")),
            [sq("g3")].into_iter().collect()
        );
        assert!(between(sq("a1"), sq("b2")).is_empty());
    }

    proptest! {
        #[test]
        fn king_steps_are_those_of_each_square(bits: u64) {
            let set = SquareSet(bits);
            let expected = set.fold(SquareSet::EMPTY, |all, s| all | king(s));
            prop_assert_eq!(king_steps(set), expected);
        }
    }
}
