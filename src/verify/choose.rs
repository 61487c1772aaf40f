//! The choice among moves, for all 64 squares of Black's king at once: the winner chooses the
//! smallest distance, the loser the largest.
//!
//! An impossible move gets the worst distance for the side to move: *never* for the winner, 0 for
//! the loser. The argument `wins` is true if the side to move is the winner.

use super::distances::Element;
use super::grid::Distance;
use crate::board::{Color, Role, SquareSet, attacks};
use crate::index::Transform;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::simd::for_each_level;

/// The number of squares beyond each end of the board that a king's step can index.
const MARGIN: usize = 9;

/// The length of a lane with both margins.
const PADDED: usize = 64 + 2 * MARGIN;

/// The worst distance for the side to move, which is also the distance if that side has no moves.
#[inline(always)]
pub fn worst<E: Element>(wins: bool) -> E {
    match wins {
        true => E::NEVER,
        false => E::ZERO,
    }
}

/// The mask for each value of one byte of a square set: eight bytes, one for each square, with all
/// bits set if the square is in the set.
static MASK_BYTES: [[u8; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                masks[byte][bit] = u8::MAX;
            }
            bit += 1;
        }
        byte += 1;
    }
    masks
};

/// A mask for a set of squares: one byte for each square, with all bits set if the square is in the
/// set.
#[inline(always)]
fn mask(squares: SquareSet) -> [u8; 64] {
    let mut mask = [0; 64];
    for (mask, byte) in mask.chunks_exact_mut(8).zip(squares.0.to_le_bytes()) {
        mask.copy_from_slice(&MASK_BYTES[usize::from(byte)]);
    }
    mask
}

/// For a king's step to the left, within the file and to the right: a mask of the origin squares
/// from which the step stays within the files of the board.
static STAYS_IN_FILES: [[u8; 64]; 3] = {
    let mut masks = [[u8::MAX; 64]; 3];
    let mut rank = 0;
    while rank < 8 {
        masks[0][8 * rank] = 0;
        masks[2][8 * rank + 7] = 0;
        rank += 1;
    }
    masks
};

for_each_level! {
    /// Merges the distances after a move, which are in `lane`, into the best ones so far, for
    /// Black's king on the squares of `from`. `adds_ply` is true if the move adds a ply to the
    /// distance.
    pub fn take<E: Element>(
        wins: bool, adds_ply: bool, from: SquareSet, lane: &[E; 64], best: &mut [E; 64],
    ) = take_body;
}

for_each_level! {
    /// Applies the inverse of a transform to the squares of a lane.
    pub fn turned<E: Element>(transform: Transform, lane: &[E; 64]) -> [E; 64] = turned_body;
}

for_each_level! {
    /// Merges the distances after each step of Black's king into `best`. `reached` contains the
    /// distances, indexed by the target square of the step.
    pub fn take_king<E: Element>(wins: bool, reached: &[E; 64], best: &mut [E; 64])
        = take_king_body;
}

for_each_level! {
    /// Writes the distances with the winner to move to `out`. On legal squares of Black's king the
    /// distance is the best value plus one; on other squares it is 0. If `plies` is true, distances
    /// are in plies, and a win beyond the limit of the fifty-move rule is a draw.
    pub fn one_more<E: Element>(
        plies: bool, legal: SquareSet, best: &[E; 64], out: &mut [E; 64],
    ) = one_more_body;
}

for_each_level! {
    /// Writes the distances with the loser to move to `out`. On legal squares of Black's king the
    /// distance is the best value; on other squares it is *never*. `plies` means the same as for
    /// [`one_more`].
    pub fn as_chosen<E: Element>(
        plies: bool, legal: SquareSet, best: &[E; 64], out: &mut [E; 64],
    ) = as_chosen_body;
}

#[inline(always)]
fn take_body<E: Element>(
    wins: bool,
    adds_ply: bool,
    from: SquareSet,
    lane: &[E; 64],
    best: &mut [E; 64],
) {
    let mut lane = *lane;
    if adds_ply {
        for distance in &mut lane {
            *distance = match *distance == E::ZERO {
                true => E::ZERO,
                false => distance.next(),
            };
        }
    }
    if from != SquareSet::ALL {
        let worst = worst(wins);
        for (distance, mask) in lane.iter_mut().zip(mask(from)) {
            *distance = if mask != 0 { *distance } else { worst };
        }
    }
    if wins {
        for i in 0..64 {
            best[i] = best[i].min(lane[i]);
        }
    } else {
        for i in 0..64 {
            best[i] = best[i].max(lane[i]);
        }
    }
}

#[inline(always)]
fn turned_body<E: Element>(transform: Transform, lane: &[E; 64]) -> [E; 64] {
    transform.pull_back(lane)
}

#[inline(always)]
fn take_king_body<E: Element>(wins: bool, reached: &[E; 64], best: &mut [E; 64]) {
    let worst = worst(wins);
    let mut padded = [worst; PADDED];
    padded[MARGIN..MARGIN + 64].copy_from_slice(reached);
    for &(files, ranks) in attacks::steps(Role::King, Color::White) {
        let first = MARGIN.wrapping_add_signed(isize::from(ranks * 8 + files));
        let to = &padded[first..first + 64];
        let stays = &STAYS_IN_FILES[(files + 1) as usize];
        for i in 0..64 {
            let distance = if stays[i] != 0 { to[i] } else { worst };
            best[i] = match wins {
                true => best[i].min(distance),
                false => best[i].max(distance),
            };
        }
    }
}

/// The largest distance that a win can have. `plies` means the same as for [`one_more`].
#[inline(always)]
fn limit<E: Element>(plies: bool) -> E {
    match plies {
        true => E::of(FIFTY_MOVES_PLIES as Distance),
        false => E::NEVER,
    }
}

#[inline(always)]
fn one_more_body<E: Element>(plies: bool, legal: SquareSet, best: &[E; 64], out: &mut [E; 64]) {
    let (limit, legal) = (limit(plies), mask(legal));
    for i in 0..64 {
        let distance = best[i].next();
        let distance = if distance > limit { E::NEVER } else { distance };
        out[i] = if legal[i] != 0 { distance } else { E::ZERO };
    }
}

#[inline(always)]
fn as_chosen_body<E: Element>(plies: bool, legal: SquareSet, best: &[E; 64], out: &mut [E; 64]) {
    let (limit, legal) = (limit(plies), mask(legal));
    for i in 0..64 {
        let wins = legal[i] != 0 && best[i] <= limit;
        out[i] = if wins { best[i] } else { E::NEVER };
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::NEVER;
    use super::*;
    use crate::board::Square;
    use crate::random::Numbers;
    use crate::simd::Simd;

    /// The better of two distances for the side to move, as a reference for the kernels.
    fn better(wins: bool, a: Distance, b: Distance) -> Distance {
        if wins { a.min(b) } else { a.max(b) }
    }

    /// Examples of lanes and square sets for the tests, with few or many different distances.
    fn examples() -> impl Iterator<Item = ([Distance; 64], [Distance; 64], SquareSet)> {
        let mut random = Numbers::new(7);
        (0..200).map(move |round| {
            let most = [3, 100, 250][round % 3];
            let mut lane = || {
                std::array::from_fn(|_| match random.below(most + 2) {
                    n if n > most => NEVER,
                    n => n as Distance,
                })
            };
            let lanes = (lane(), lane());
            let squares = match round % 4 {
                0 => SquareSet::ALL,
                _ => Square::all().filter(|_| random.below(2) == 0).collect(),
            };
            (lanes.0, lanes.1, squares)
        })
    }

    /// Runs a kernel at every vector level, with bytes and with words. All results must equal the
    /// expected one.
    fn assert_levels_agree(
        case: ([Distance; 64], [Distance; 64], [Distance; 64]),
        bytes: impl Fn(Simd, &[u8; 64], &mut [u8; 64]),
        words: impl Fn(Simd, &[Distance; 64], &mut [Distance; 64]),
    ) {
        let (lane, best, expected) = case;
        for simd in Simd::available() {
            let mut found = best;
            words(simd, &lane, &mut found);
            assert_eq!(found, expected, "{simd:?}");
            let mut found = best.map(u8::of);
            bytes(simd, &lane.map(u8::of), &mut found);
            assert_eq!(found.map(u8::distance), expected, "{simd:?}");
        }
    }

    #[test]
    fn turned_moves_each_square_at_every_level() {
        for (lane, ..) in examples().take(20) {
            for transform in Transform::all() {
                let place = |i| transform.square(Square::wrapping(i)).index();
                let expected = std::array::from_fn(|i| lane[place(i)]);
                assert_levels_agree(
                    (lane, lane, expected),
                    |simd, lane, out| *out = turned(simd, transform, lane),
                    |simd, lane, out| *out = turned(simd, transform, lane),
                );
            }
        }
    }

    #[test]
    fn kernels_choose_square_by_square() {
        let fifty = FIFTY_MOVES_PLIES as Distance;
        for (lane, best, squares) in examples() {
            for (wins, flag) in [(false, false), (false, true), (true, false), (true, true)] {
                let taken = std::array::from_fn(|i| {
                    let more = Distance::from(flag && !matches!(lane[i], 0 | NEVER));
                    match squares.contains(Square::wrapping(i)) {
                        true => better(wins, best[i], lane[i] + more),
                        false => best[i],
                    }
                });
                assert_levels_agree(
                    (lane, best, taken),
                    |simd, lane, best| take(simd, wins, flag, squares, lane, best),
                    |simd, lane, best| take(simd, wins, flag, squares, lane, best),
                );
                let stepped = std::array::from_fn(|i| {
                    let steps = attacks::king(Square::wrapping(i));
                    steps.fold(best[i], |best, to| better(wins, best, lane[to.index()]))
                });
                assert_levels_agree(
                    (lane, best, stepped),
                    |simd, lane, best| take_king(simd, wins, lane, best),
                    |simd, lane, best| take_king(simd, wins, lane, best),
                );
                let in_time = |distance: Distance| match flag && distance > fifty {
                    true => NEVER,
                    false => distance,
                };
                let more = std::array::from_fn(|i| match (squares.0 >> i & 1, lane[i]) {
                    (0, _) => 0,
                    (_, NEVER) => NEVER,
                    (_, distance) => in_time(distance + 1),
                });
                assert_levels_agree(
                    (lane, best, more),
                    |simd, lane, out| one_more(simd, flag, squares, lane, out),
                    |simd, lane, out| one_more(simd, flag, squares, lane, out),
                );
                let chosen = std::array::from_fn(|i| match squares.0 >> i & 1 {
                    0 => NEVER,
                    _ => in_time(lane[i]),
                });
                assert_levels_agree(
                    (lane, best, chosen),
                    |simd, lane, out| as_chosen(simd, flag, squares, lane, out),
                    |simd, lane, out| as_chosen(simd, flag, squares, lane, out),
                );
            }
        }
    }
}
