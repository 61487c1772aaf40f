//! Coding the words of some planes: the one walk that reader, writer and training share.

use std::ops::Range;

use super::facts::LaneFacts;
use super::model::{Question, Whole, pair};
use super::net::{Knot, MOST_LANES, NEIGHBOURS, NO_LANE};
use crate::board::SquareSet;
use crate::index::lane::king_steps;

/// The side to move of some words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The side whose wins they are.
    Winner,
    /// The other.
    Loser,
}

/// Who answers the questions of the walk: a decoder by reading, an encoder from the actual words.
pub trait Coder {
    /// Whether a lane is as its neighbours; whether there is a square, or one more, that is not.
    fn question(&mut self, question: usize, actual: bool) -> bool;
    /// Which of `n` squares it is.
    fn number(&mut self, n: u32, actual: u32) -> u32;
    /// A bit for each of some squares, in its context.
    fn bits(&mut self, squares: u64, slots: &Slots, close: bool, actual: u64) -> u64;
}

/// The slot of each square: see [`SLOTS`](super::model::SLOTS).
#[derive(Clone, Debug)]
pub struct Slots {
    low: [u8; 64],
    high: [u8; 64],
}

impl Slots {
    /// The slot of a square.
    #[inline(always)]
    pub fn of(&self, square: u32) -> usize {
        let square = square as usize % 64;
        usize::from(self.low[square]) | usize::from(self.high[square]) << 8
    }
}

/// A byte for each square, from eight sets of squares: bit by bit.
#[inline(always)]
fn bytes_of(mut sets: [u64; 8]) -> [u8; 64] {
    // As three numbers of three bits, a bit is at set, rank, file: the first two change places, so that
    // it is at rank, set, file; and then the last two.
    for (step, mask) in [
        (4, 0x0000_0000_ffff_ffff),
        (2, 0x0000_ffff_0000_ffff),
        (1, 0x00ff_00ff_00ff_00ff),
    ] {
        for first in (0..8).filter(|set| set & step == 0) {
            let (a, b) = (sets[first], sets[first + step]);
            let moved = (a >> (8 * step) ^ b) & mask;
            sets[first] = a ^ moved << (8 * step);
            sets[first + step] = b ^ moved;
        }
    }
    for (step, mask) in [
        (28, 0x0000_0000_f0f0_f0f0),
        (14, 0x0000_cccc_0000_cccc),
        (7, 0x00aa_00aa_00aa_00aa),
    ] {
        for word in &mut sets {
            let moved = (*word ^ *word >> step) & mask;
            *word ^= moved ^ moved << step;
        }
    }
    bytemuck::cast(sets.map(u64::to_le))
}

/// The squares with an even sum of file and rank.
const EVEN: u64 = 0xaa55_aa55_aa55_aa55;

/// Planes and what is known of them before their words are.
#[derive(Clone, Copy, Debug)]
pub struct Planes<'a> {
    /// The order of the lanes of a plane.
    pub net: &'a [Knot],
    /// The facts of each lane, plane by plane.
    pub facts: &'a [LaneFacts],
    /// The words of the set that this one is a part of, for the same side to move, if it is.
    pub parent: Option<&'a [u64]>,
    /// With the loser to move: the words with the winner to move.
    pub winner: Option<&'a [u64]>,
    /// Whether a king's step to where the winner does not win always saves.
    pub escapes: bool,
}

/// What the lanes of a plane that have been coded say: yes and no. One lane more says nothing.
struct Said([[u64; 2]; MOST_LANES + 1]);

impl Said {
    const NOTHING: Said = Said([[0; 2]; MOST_LANES + 1]);
}

impl Planes<'_> {
    /// The squares of a lane that have a bit to code or to vote with.
    #[inline(always)]
    fn known(&self, lane: usize, turn: Turn) -> u64 {
        let legal = self.facts[lane].legal[turn as usize];
        self.parent.map_or(legal, |parent| legal & parent[lane])
    }

    /// Walks over the words of some planes with this side to move. `words` has those of the planes
    /// before, as they were coded, and the actual ones if the coder needs them. It has those coded
    /// afterwards.
    #[inline(always)]
    pub fn code(
        &self,
        turn: Turn,
        planes: Range<usize>,
        coder: &mut impl Coder,
        words: &mut [u64],
    ) {
        let lanes = self.net.len();
        let mut before = Said::NOTHING;
        if let Some(plane) = planes.start.checked_sub(1) {
            for lane in 0..lanes {
                let known = self.known(plane * lanes + lane, turn);
                let word = words[plane * lanes + lane];
                before.0[lane] = [word, known & !word];
            }
        }
        for plane in planes {
            let first = plane * lanes;
            let mut said = Said::NOTHING;
            for knot in self.net {
                let lane = first + knot.lane;
                let known = self.known(lane, turn);
                let near = Near {
                    said: knot.neighbours.map(|lane| said.0[lane % (NO_LANE + 1)]),
                    before: before.0[knot.lane],
                    neighbours: knot.neighbour_count + usize::from(plane > 0),
                    close: knot.close,
                };
                let word = self.code_lane(turn, lane, known, &near, coder, words[lane] & known);
                words[lane] = word;
                said.0[knot.lane] = [word, known & !word];
            }
            before = said;
        }
    }

    #[inline(always)]
    fn code_lane(
        &self,
        turn: Turn,
        lane: usize,
        known: u64,
        near: &Near,
        coder: &mut impl Coder,
        actual: u64,
    ) -> u64 {
        if known == 0 {
            return 0;
        }
        let facts = &self.facts[lane];
        let (wins, escape) = match self.winner {
            Some(winner) => {
                let wins = winner[lane];
                let open = SquareSet(!wins & facts.legal[0]);
                (wins, king_steps(open).0)
            }
            None => (0, 0),
        };
        let [all_yes, all_no] = [0, 1].map(|i| {
            let before = near.before[i];
            near.said.iter().fold(before, |all, said| all | said[i])
        });
        let open = match self.escapes && turn == Turn::Loser {
            true => known & !escape,
            false => known,
        };
        if (all_yes & open == 0) != (all_no & open == 0) {
            let whole = Whole {
                yes: all_no & open == 0,
                close: near.close,
                neighbours: near.neighbours,
            };
            let predicted = match turn {
                _ if !whole.yes => 0,
                Turn::Winner => open,
                Turn::Loser => open & !facts.takes[1],
            };
            if coder.question(whole.number(), actual == predicted) {
                return predicted;
            }
        }
        let [yes, no] = [0, 1].map(|i| near.said.map(|said| said[i]));
        let strong = (0..NEIGHBOURS).fold(!0, |all, i| all & (yes[i] | no[i]));
        let mut votes = Votes {
            lanes: [Sum::of(yes), Sum::of(no)],
            squares: [Sum::default(); 2],
            before: near.before,
            takes: facts.takes[turn as usize],
            other: [wins, escape],
            turn,
            close: near.close,
        };
        let mut slots = None;
        let mut word = 0;
        for odd in [false, true] {
            let asked = open & if odd { !EVEN } else { EVEN };
            if odd {
                let settled = known & EVEN;
                votes.squares = [word, settled & !word].map(beside);
            }
            word |= votes.code(asked, strong, odd, &mut slots, coder, actual);
        }
        word
    }
}

/// What is known beside a lane: what its neighbours and the same lane of the plane before say.
struct Near {
    said: [[u64; 2]; NEIGHBOURS],
    before: [u64; 2],
    /// How many of them there are.
    neighbours: usize,
    /// Whether the neighbours are a king's step away.
    close: bool,
}

/// How many of a set's squares are beside each square.
#[inline(always)]
fn beside(set: u64) -> Sum {
    const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    Sum::of([
        set << 1 & NOT_FILE_A,
        set >> 1 & NOT_FILE_H,
        set << 8,
        set >> 8,
    ])
}

/// A number from 0 to 4 for each square, bit by bit.
#[derive(Clone, Copy, Default, Debug)]
struct Sum([u64; 3]);

impl Sum {
    #[inline(always)]
    fn of([a, b, c, d]: [u64; 4]) -> Sum {
        let (ab, cd) = (a ^ b, c ^ d);
        let (two_ab, two_cd) = (a & b, c & d);
        Sum([ab ^ cd, two_ab ^ two_cd ^ (ab & cd), two_ab & two_cd])
    }

    #[inline(always)]
    fn any(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2]
    }
}

/// What the neighbours of a lane's squares say: yes first, then no.
struct Votes {
    lanes: [Sum; 2],
    squares: [Sum; 2],
    before: [u64; 2],
    takes: u64,
    other: [u64; 2],
    turn: Turn,
    close: bool,
}

impl Votes {
    /// Codes the squares asked.
    #[inline(always)]
    fn code(
        &self,
        asked: u64,
        strong: u64,
        odd: bool,
        slots: &mut Option<Slots>,
        coder: &mut impl Coder,
        actual: u64,
    ) -> u64 {
        let yes = self.lanes[0].any() | self.squares[0].any() | self.before[0];
        let no = self.lanes[1].any() | self.squares[1].any() | self.before[1];
        // A capture speaks for the side to move, and a king's step against the winner.
        let (sure_yes, sure_no) = match self.turn {
            Turn::Winner => (yes & !no, no & !yes & !self.takes),
            Turn::Loser => (
                yes & !no & !self.takes & !self.other[1],
                no & !yes & self.other[1],
            ),
        };
        let sure = asked & (sure_yes | sure_no);
        let mut word = sure_yes & asked;
        for (class, set) in [(true, sure & strong), (false, sure & !strong)] {
            let mut rest = set;
            let mut question = Question {
                squares: 0,
                strong: class,
                odd,
                close: self.close,
                more: false,
            };
            while rest != 0 {
                let wrong = (actual ^ word) & rest;
                question.squares = rest.count_ones();
                if !coder.question(question.number(), wrong != 0) {
                    break;
                }
                let below = rest & (wrong & wrong.wrapping_neg()).wrapping_sub(1);
                let place = coder.number(question.squares, below.count_ones());
                let square = nth(rest, place);
                word ^= 1 << square;
                rest &= !1 << square;
                question.more = true;
            }
        }
        let unsure = asked & !sure;
        if unsure == 0 {
            return word;
        }
        // No closure: it would be compiled without the caller's vector instructions.
        if slots.is_none() {
            *slots = Some(Slots {
                low: self.low_slots(),
                high: [0; 64],
            });
        }
        let Some(slots) = slots else { return word };
        let [_, escape] = self.other;
        if odd || escape & unsure != 0 {
            slots.high = self.high_slots();
        }
        word | coder.bits(unsure, slots, self.close, actual)
    }

    #[inline(always)]
    fn low_slots(&self) -> [u8; 64] {
        let [a, b, c, d] = pair(self.lanes.map(|sum| sum.0));
        let [yes, no] = self.before;
        bytes_of([a, b, c, d, no, yes, self.takes, self.other[0]])
    }

    #[inline(always)]
    fn high_slots(&self) -> [u8; 64] {
        let [a, b, c, d] = pair(self.squares.map(|sum| sum.0));
        bytes_of([a, b, c, d, self.other[1], 0, 0, 0])
    }
}

/// The square of this place in a set, which has more.
#[inline(always)]
fn nth(mut set: u64, place: u32) -> u32 {
    for _ in 0..place {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros() & 63
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::super::model::context;
    use super::*;
    use crate::board::{Square, attacks};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn bit(set: u64, square: usize) -> u8 {
        (set >> square & 1) as u8
    }

    /// The number that a sum has for a square.
    fn number(sum: Sum, square: usize) -> u8 {
        let Sum([one, two, four]) = sum;
        bit(one, square) + 2 * bit(two, square) + 4 * bit(four, square)
    }

    proptest! {
        #[test]
        fn bytes_have_a_bit_of_each_set(sets: [u64; 8]) {
            let bytes = bytes_of(sets);
            for (square, &byte) in bytes.iter().enumerate() {
                let bits = sets.iter().enumerate();
                let expected = bits.fold(0, |byte, (i, &set)| byte | bit(set, square) << i);
                prop_assert_eq!(byte, expected);
            }
        }

        #[test]
        fn sums_count_the_sets_of_each_square(sets: [u64; 4]) {
            for square in 0..64 {
                let expected: u8 = sets.iter().map(|&set| bit(set, square)).sum();
                prop_assert_eq!(number(Sum::of(sets), square), expected);
                prop_assert_eq!(bit(Sum::of(sets).any(), square) != 0, expected > 0);
            }
        }

        #[test]
        fn squares_beside_are_those_of_a_rook_step(set: u64) {
            for square in Square::all() {
                let step = attacks::rook(square, SquareSet::ALL);
                let expected = (step & SquareSet(set)).len() as u8;
                prop_assert_eq!(number(beside(set), square.index()), expected);
            }
        }

        #[test]
        fn the_nth_square_has_n_below_it(set in 1u64.., place: u32) {
            let place = place % set.count_ones();
            let square = nth(set, place);
            prop_assert_eq!(bit(set, square as usize), 1);
            prop_assert_eq!((set & ((1 << square) - 1)).count_ones(), place);
        }
    }

    #[test]
    fn every_pair_of_numbers_has_a_context_of_its_own() {
        let mut contexts = BTreeSet::new();
        for yes in 0..5u64 {
            for no in 0..5 - yes {
                let bits = |n: u64| [n & 1, n >> 1 & 1, n >> 2];
                let pair = pair([yes, no].map(bits));
                let slot = (0..4).fold(0, |slot, i| slot | (pair[i] as usize & 1) << i);
                contexts.extend(context(slot, false));
            }
        }
        assert_eq!(contexts.len(), 15);
    }
}
