//! Coding the words of some planes: the one walk that reader, writer and training share.

use super::facts::LaneFacts;
use super::model::{Question, Whole, context};
use super::net::{Knot, NEIGHBOURS};
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
    /// A bit in a context.
    fn bit(&mut self, context: usize, actual: bool) -> bool;
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

impl Planes<'_> {
    /// The squares of a lane that have a bit to code or to vote with.
    #[inline(always)]
    fn known(&self, lane: usize, turn: Turn) -> u64 {
        let legal = self.facts[lane].legal[turn as usize];
        self.parent.map_or(legal, |parent| legal & parent[lane])
    }

    /// Walks over all words with this side to move. `words` has the actual ones if the coder needs
    /// them, and has those coded afterwards.
    #[inline(always)]
    pub fn code(&self, turn: Turn, coder: &mut impl Coder, words: &mut [u64]) {
        let lanes = self.net.len();
        for first in (0..words.len()).step_by(lanes) {
            for knot in self.net {
                self.code_lane(turn, first, knot, coder, words);
            }
        }
    }

    #[inline(always)]
    fn code_lane(
        &self,
        turn: Turn,
        first: usize,
        knot: &Knot,
        coder: &mut impl Coder,
        words: &mut [u64],
    ) {
        let lane = first + knot.lane;
        let known = self.known(lane, turn);
        let actual = words[lane] & known;
        words[lane] = 0;
        if known == 0 {
            return;
        }
        let facts = &self.facts[lane];
        let (mut yes, mut no) = ([0; NEIGHBOURS], [0; NEIGHBOURS]);
        for (i, &neighbour) in knot.neighbours.iter().enumerate() {
            let word = words[first + neighbour];
            let known = self.known(first + neighbour, turn);
            (yes[i], no[i]) = (word & known, !word & known);
        }
        let (before_yes, before_no) = match first.checked_sub(self.net.len()) {
            Some(before) => {
                let (word, known) = (
                    words[before + knot.lane],
                    self.known(before + knot.lane, turn),
                );
                (word & known, !word & known)
            }
            None => (0, 0),
        };
        let (wins, escape) = match self.winner {
            Some(winner) => {
                let wins = winner[lane];
                let open = SquareSet(!wins & facts.legal[0]);
                (wins, king_steps(open).0)
            }
            None => (0, 0),
        };
        let all_yes = yes.iter().fold(before_yes, |all, votes| all | votes);
        let all_no = no.iter().fold(before_no, |all, votes| all | votes);
        let open = match self.escapes && turn == Turn::Loser {
            true => known & !escape,
            false => known,
        };
        if (all_yes & open == 0) != (all_no & open == 0) {
            let whole = Whole {
                yes: all_no & open == 0,
                close: knot.close,
                neighbours: knot.neighbours.len() + usize::from(first > 0),
            };
            let predicted = match turn {
                _ if !whole.yes => 0,
                Turn::Winner => open,
                Turn::Loser => open & !facts.takes[1],
            };
            if coder.question(whole.number(), actual == predicted) {
                words[lane] = predicted;
                return;
            }
        }
        let strong = (0..NEIGHBOURS).fold(!0, |all, i| all & (yes[i] | no[i]));
        let mut votes = Votes {
            lanes: [Sum::of(yes), Sum::of(no)],
            squares: [Sum::default(); 2],
            before: [before_yes, before_no],
            takes: facts.takes[turn as usize],
            other: [wins, escape],
            turn,
            close: knot.close,
        };
        let mut word = 0;
        for odd in [false, true] {
            let asked = open & if odd { !EVEN } else { EVEN };
            if odd {
                let settled = known & EVEN;
                votes.squares = [word, settled & !word].map(beside);
            }
            word |= votes.code(asked, strong, odd, coder, actual);
        }
        words[lane] = word;
    }
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
    fn code(&self, asked: u64, strong: u64, odd: bool, coder: &mut impl Coder, actual: u64) -> u64 {
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
        word | self.code_unsure(asked & !sure, odd, coder, actual)
    }

    /// Codes squares bit by bit, each in its context.
    #[inline(always)]
    fn code_unsure(&self, unsure: u64, odd: bool, coder: &mut impl Coder, actual: u64) -> u64 {
        let mut word = 0;
        // What is known of eight squares at a time, a byte for each.
        for rank in (0..64).step_by(8) {
            let mut asked = unsure >> rank & 0xff;
            if asked == 0 {
                continue;
            }
            let spread = |word: u64| SPREAD[(word >> rank & 0xff) as usize];
            let sums = |[yes, no]: &[Sum; 2]| {
                let bits = yes.0.iter().chain(&no.0).zip(0..);
                bits.fold(0, |all, (&bit, i)| all | spread(bit) << i)
            };
            let lanes = sums(&self.lanes);
            let squares = if odd { sums(&self.squares) } else { 0 };
            let rest = [
                self.before[1],
                self.before[0],
                self.takes,
                self.other[0],
                self.other[1],
            ];
            let rest = rest
                .iter()
                .zip(0..)
                .fold(0, |all, (&bit, i)| all | spread(bit) << i);
            while asked != 0 {
                let square = asked.trailing_zeros();
                asked &= asked - 1;
                let byte = |all: u64| (all >> (8 * square) & 0xff) as usize;
                let context = context(byte(lanes), byte(squares), byte(rest), self.close);
                let bit = coder.bit(context, actual >> (rank + square as usize) & 1 == 1);
                word |= u64::from(bit) << (rank + square as usize);
            }
        }
        word
    }
}

/// A byte's bits, each in a byte of its own.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The square of this place in a set, which has more.
#[inline(always)]
fn nth(mut set: u64, place: u32) -> u32 {
    for _ in 0..place {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros() & 63
}
