//! The traversal that decoding, encoding and training share: it codes the words of some planes.

use std::ops::Range;

use super::facts::LaneFacts;
use super::model::{KingSteps, Question, Whole, pair};
use super::net::{NEIGHBOURS, NO_LANE, NetEntry};

/// The side to move in the positions of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The side whose wins the word contains.
    Winner,
    /// The opponent of that side.
    Loser,
}

/// Answers the questions of [`Planes::code`], either by decoding or by looking at the actual words.
pub trait Coder {
    /// Answers a [`Question`] or a question about a [`Whole`] lane. `question` is its index in the
    /// model, and `actual` the answer from the actual words.
    fn question(&mut self, question: usize, actual: bool) -> bool;
    /// Answers which of `n` squares differs from its neighbours, as an index below `n`.
    fn number(&mut self, n: u32, actual: u32) -> u32;
    /// Codes a bit for each square in `squares`, in the context that the square's slot determines.
    /// Returns the squares whose bit is set.
    fn bits(&mut self, squares: u64, slots: &Slots, close: bool, actual: u64) -> u64;
}

/// The slot of each square: see [`SLOTS`](super::model::SLOTS).
#[derive(Clone, Debug)]
pub struct Slots {
    /// The low eight bits of each slot.
    low: [u8; 64],
    /// The remaining bits of each slot.
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

/// Transposes eight sets of squares into one byte for each square. Bit i of a byte is set if the
/// square is in set i.
#[inline(always)]
fn bytes_of(mut sets: [u64; 8]) -> [u8; 64] {
    // A bit's index is (set, rank, file), three bits each. First set and rank are swapped, then set
    // and file.
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

/// The squares whose file and rank have an even sum.
const EVEN: u64 = 0xaa55_aa55_aa55_aa55;

/// Consecutive planes, with all inputs for coding their words.
#[derive(Clone, Copy, Debug)]
pub struct Planes<'a> {
    /// The decoding order of a plane's lanes.
    pub net: &'a [NetEntry],
    /// The facts of each lane, plane by plane.
    pub facts: &'a [LaneFacts],
    /// The words of the parent with the same side to move, if the set has a parent.
    pub parent: Option<&'a [u64]>,
    /// The words, with the same side to move, of the similar set from which this set is predicted,
    /// if there is a similar set.
    pub similar: Option<&'a [u64]>,
    /// True if squares outside the set's parent vote no: they predict that their neighbours are not
    /// in the set.
    pub outsiders: bool,
    /// With the loser to move: the words of the guide, which have the winner to move.
    pub guide: Option<&'a [u64]>,
    /// With the loser to move: the results that follow from the steps of the loser's king.
    pub king_steps: KingSteps,
}

/// The votes of the lanes of a plane that are already coded.
#[derive(Clone, Debug)]
struct PlaneVotes {
    yes: [u64; ROOM],
    no: [u64; ROOM],
    /// For each lane, true if it differs from the similar set. Unused without a similar set.
    differs: [bool; ROOM],
}

/// Room for the votes of the lanes of two planes. It is not cleared between planes or blocks: the
/// votes of a lane are read only after they are recorded, and [`NO_LANE`] never has votes.
#[derive(Clone, Debug)]
pub struct VoteRoom([PlaneVotes; 2]);

impl Default for VoteRoom {
    fn default() -> VoteRoom {
        let none = PlaneVotes {
            yes: [0; ROOM],
            no: [0; ROOM],
            differs: [false; ROOM],
        };
        VoteRoom([none.clone(), none])
    }
}

/// The length of arrays that are indexed by lane, with room for all lanes of a plane and for
/// [`NO_LANE`]. It is a power of two, so an index modulo the length needs no bounds check.
const ROOM: usize = 128;
const _: () = assert!(NO_LANE < ROOM);

impl Planes<'_> {
    /// The squares of a lane that may be in the set: the legal squares or, if the set has a parent,
    /// the legal squares in the parent.
    #[inline(always)]
    fn known(&self, lane: usize, turn: Turn) -> u64 {
        let legal = self.facts[lane].legal[turn as usize];
        self.parent.map_or(legal, |parent| legal & parent[lane])
    }

    /// The squares of a lane that vote on the values of their neighbours.
    #[inline(always)]
    fn voters(&self, lane: usize, turn: Turn) -> u64 {
        match self.outsiders {
            true => self.facts[lane].legal[turn as usize],
            false => self.known(lane, turn),
        }
    }

    /// Records the votes of a lane's word. `in_plane` is the lane's index in its plane.
    #[inline(always)]
    fn record(&self, turn: Turn, lane: usize, word: u64, in_plane: usize, votes: &mut PlaneVotes) {
        let in_plane = in_plane % ROOM;
        votes.yes[in_plane] = word;
        votes.no[in_plane] = self.voters(lane, turn) & !word;
        if let Some(similar) = self.similar {
            votes.differs[in_plane] = word != similar[lane] & self.known(lane, turn);
        }
    }

    /// Codes words with `turn` to move: those whose indices in decoding order are in `indices`.
    /// `words` must contain the words coded earlier and, unless the coder decodes, the actual
    /// words. The coded words replace the actual ones. The content of `room` does not matter.
    #[inline(always)]
    pub fn code(
        &self,
        turn: Turn,
        indices: Range<usize>,
        coder: &mut impl Coder,
        words: &mut [u64],
        room: &mut VoteRoom,
    ) {
        let lanes = self.net.len();
        let (mut plane, begun) = (indices.start / lanes, indices.start % lanes);
        let [mut previous, mut coded] = room.0.each_mut();
        if plane > 0 {
            for in_plane in 0..lanes {
                let lane = (plane - 1) * lanes + in_plane;
                self.record(turn, lane, words[lane], in_plane, previous);
            }
        }
        for entry in &self.net[..begun] {
            let lane = plane * lanes + entry.lane();
            self.record(turn, lane, words[lane], entry.lane(), coded);
        }
        let mut from = begun;
        while plane * lanes + from < indices.end {
            let first = plane * lanes;
            for entry in &self.net[from..lanes.min(indices.end - first)] {
                let lane = first + entry.lane();
                let known = self.known(lane, turn);
                let word = match known {
                    0 => 0,
                    _ => {
                        let near = self.near(turn, lane, entry, plane > 0, coded, previous);
                        self.code_lane(turn, lane, known, &near, coder, words[lane] & known)
                    }
                };
                words[lane] = word;
                self.record(turn, lane, word, entry.lane(), coded);
            }
            // After the swap, `coded` contains votes of an earlier plane. They are never read: a
            // lane's neighbours overwrite theirs before the lane is coded.
            std::mem::swap(&mut previous, &mut coded);
            (plane, from) = (plane + 1, 0);
        }
    }

    /// The votes of the lanes that predict a lane.
    #[inline(always)]
    fn near(
        &self,
        turn: Turn,
        lane: usize,
        entry: &NetEntry,
        has_previous_plane: bool,
        coded: &PlaneVotes,
        previous: &PlaneVotes,
    ) -> Neighbourhood {
        let lanes = entry.neighbours();
        let in_plane = entry.lane() % ROOM;
        let mut near = Neighbourhood {
            yes: lanes.map(|lane| coded.yes[lane % ROOM]),
            no: lanes.map(|lane| coded.no[lane % ROOM]),
            witness: [0; 2],
            neighbours: entry.neighbour_count() + usize::from(has_previous_plane),
            has_previous_plane,
            close: entry.close,
            similar: None,
        };
        if let Some(similar) = self.similar {
            let voters = self.voters(lane, turn);
            near.witness = [similar[lane] & voters, voters & !similar[lane]];
            near.similar = Some(similar[lane]);
            let differ = lanes.map(|lane| usize::from(coded.differs[lane % ROOM]));
            near.neighbours = differ.iter().sum();
            near.neighbours += usize::from(has_previous_plane && previous.differs[in_plane]);
        } else if has_previous_plane {
            near.witness = [previous.yes[in_plane], previous.no[in_plane]];
        }
        near
    }

    /// Codes the word of one lane. `known` contains the squares that may be in the set; there is at
    /// least one.
    #[inline(always)]
    fn code_lane(
        &self,
        turn: Turn,
        lane: usize,
        known: u64,
        near: &Neighbourhood,
        coder: &mut impl Coder,
        actual: u64,
    ) -> u64 {
        let facts = &self.facts[lane];
        let (wins, escapes) = match self.guide {
            Some(guide) => {
                let wins = guide[lane];
                (wins, facts.escapes(wins))
            }
            None => (0, 0),
        };
        let all = |coded: [u64; NEIGHBOURS], witness| {
            coded.iter().fold(witness, |all, coded| all | coded)
        };
        let all_yes = all(near.yes, near.witness[0]);
        let all_no = all(near.no, near.witness[1]);
        let (mut open, mut settled) = (known, 0);
        if turn == Turn::Loser && self.king_steps != KingSteps::Open {
            open &= !escapes;
            if self.king_steps == KingSteps::Decide {
                settled = open & !facts.takes[1] & facts.can_lose();
                open &= facts.takes[1];
            }
        }
        if open == 0 {
            return settled;
        }
        if let Some(similar) = near.similar {
            let whole = Whole {
                yes: near.has_previous_plane,
                close: near.close,
                neighbours: near.neighbours,
            };
            let predicted = similar & open;
            if coder.question(whole.number(), actual & open == predicted) {
                return predicted | settled;
            }
        } else if (all_yes & open == 0) != (all_no & open == 0) {
            let whole = Whole {
                yes: all_no & open == 0,
                close: near.close,
                neighbours: near.neighbours,
            };
            let predicted = match turn {
                _ if !whole.yes => 0,
                Turn::Loser if self.parent.is_none() && self.king_steps != KingSteps::Decide => {
                    open & !facts.takes[1]
                }
                _ => open,
            };
            if coder.question(whole.number(), actual & open == predicted) {
                return predicted | settled;
            }
        }
        let strong = (0..NEIGHBOURS).fold(!0, |all, i| all & (near.yes[i] | near.no[i]));
        let mut votes = Votes {
            lanes: [Sum::of(near.yes), Sum::of(near.no)],
            squares: [Sum::default(); 2],
            witness: near.witness,
            takes: facts.takes[turn as usize],
            wins,
            escapes,
            turn,
            close: near.close,
        };
        let mut slots = None;
        let mut word = settled;
        for odd in [false, true] {
            let half = open & if odd { !EVEN } else { EVEN };
            if odd {
                let even = self.voters(lane, turn) & EVEN;
                votes.squares = [word, even & !word].map(beside);
            }
            word |= votes.code(half, strong, odd, &mut slots, coder, actual);
        }
        word
    }
}

/// The votes of the lanes that predict a lane.
struct Neighbourhood {
    /// The yes votes of each neighbouring lane.
    yes: [u64; NEIGHBOURS],
    /// The no votes of each neighbouring lane.
    no: [u64; NEIGHBOURS],
    /// The yes and the no votes of the witness: the same lane of the similar set or, without a
    /// similar set, of the previous plane.
    witness: [u64; 2],
    /// The number of neighbours, including the same lane of the previous plane. With a similar set,
    /// the number of neighbours that differ from that set.
    neighbours: usize,
    /// True if the block has a previous plane.
    has_previous_plane: bool,
    /// True if the neighbours are one king's step away.
    close: bool,
    /// The word of the same lane in the similar set, if there is one.
    similar: Option<u64>,
}

/// For each square, the number of squares in `set` among those directly to its left and right,
/// above and below.
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

/// A number from 0 to 4 for each square, as three bit sets.
#[derive(Clone, Copy, Default, Debug)]
struct Sum([u64; 3]);

impl Sum {
    /// For each square, the number of these sets that contain it.
    #[inline(always)]
    fn of([a, b, c, d]: [u64; 4]) -> Sum {
        let (ab, cd) = (a ^ b, c ^ d);
        let (two_ab, two_cd) = (a & b, c & d);
        Sum([ab ^ cd, two_ab ^ two_cd ^ (ab & cd), two_ab & two_cd])
    }

    /// The squares with a number above 0.
    #[inline(always)]
    fn any(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2]
    }
}

/// The votes for the squares of a lane, and the other inputs of their contexts. In `lanes`,
/// `squares` and `witness`, the yes votes come before the no votes.
struct Votes {
    /// The votes of the neighbouring lanes.
    lanes: [Sum; 2],
    /// The votes of the neighbouring squares in the lane.
    squares: [Sum; 2],
    /// The votes of the witness.
    witness: [u64; 2],
    /// See [`LaneFacts::takes`]: the squares for the side to move.
    takes: u64,
    /// With the loser to move: the squares on which the winner would win if it were to move.
    wins: u64,
    /// With the loser to move: see [`LaneFacts::escapes`].
    escapes: u64,
    turn: Turn,
    /// True if the neighbouring lanes are one king's step away.
    close: bool,
}

impl Votes {
    /// Codes the bits of the squares in `half`: the open squares of one colour in the lane.
    /// `strong` contains the squares on which all four neighbouring lanes vote. `odd` is true for
    /// the half that is coded second.
    #[inline(always)]
    fn code(
        &self,
        half: u64,
        strong: u64,
        odd: bool,
        slots: &mut Option<Slots>,
        coder: &mut impl Coder,
        actual: u64,
    ) -> u64 {
        let yes = self.lanes[0].any() | self.squares[0].any() | self.witness[0];
        let no = self.lanes[1].any() | self.squares[1].any() | self.witness[1];
        // A capture can only help the side to move, and an escape only the loser.
        let (sure_yes, sure_no) = match self.turn {
            Turn::Winner => (yes & !no, no & !yes & !self.takes),
            Turn::Loser => (
                yes & !no & !self.takes & !self.escapes,
                no & !yes & self.escapes,
            ),
        };
        let sure = half & (sure_yes | sure_no);
        let mut word = sure_yes & half;
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
        let unsure = half & !sure;
        if unsure == 0 {
            return word;
        }
        // Not `get_or_insert_with`, whose closure would be compiled without the caller's vector
        // instructions.
        if slots.is_none() {
            *slots = Some(Slots {
                low: self.low_slots(),
                high: [0; 64],
            });
        }
        let Some(slots) = slots else { return word };
        if odd || self.escapes & unsure != 0 {
            slots.high = self.high_slots();
        }
        word | coder.bits(unsure, slots, self.close, actual)
    }

    #[inline(always)]
    fn low_slots(&self) -> [u8; 64] {
        let [a, b, c, d] = pair(self.lanes.map(|sum| sum.0));
        let [yes, no] = self.witness;
        bytes_of([a, b, c, d, no, yes, self.takes, self.wins])
    }

    #[inline(always)]
    fn high_slots(&self) -> [u8; 64] {
        let [a, b, c, d] = pair(self.squares.map(|sum| sum.0));
        bytes_of([a, b, c, d, self.escapes, 0, 0, 0])
    }
}

/// The square of `set` that has `index` squares of the set below it.
#[inline(always)]
fn nth(mut set: u64, index: u32) -> u32 {
    for _ in 0..index {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros() & 63
}

#[cfg(test)]
mod tests {
    use super::super::model::context;
    use super::*;
    use crate::board::{Square, SquareSet, attacks};
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
