//! A partly decoded block of a verdict table, and the cached pages that store its words.
//!
//! A **page** contains the words of one set in a block, those with the winner to move first. A
//! block is decoded only as far as a lookup needs. The bit for the square of the winner's own king
//! marks a word that is not decoded yet: a decoded word never has it, since the other king cannot
//! be on that square. If a page is incomplete, its last word in decoding order contains the
//! decoder's position.

use std::ops::Range;

use super::facts::LaneFacts;
use super::header::{SETS, Set};
use super::net::NetEntry;
use super::words::{Turn, VoteRoom};
use crate::rans::Place;

/// A partly decoded block, with reusable buffers for decoding.
#[derive(Debug, Default)]
pub struct VerdictBlock {
    pub(super) sets: [SetWords; SETS],
    /// For each plane, true once `facts` contains the facts of its lanes.
    pub(super) has_facts: Vec<bool>,
    pub(super) facts: Vec<LaneFacts>,
    pub(super) votes: VoteRoom,
    /// The numbers of the table, the side and the block whose bytes are loaded; `None` if no bytes
    /// are loaded.
    pub(super) loaded: Option<(u64, usize, u64)>,
    /// The bytes of the block.
    pub(super) bytes: Vec<u8>,
    /// For each set, the range of its part in `bytes`.
    pub(super) parts: [Range<usize>; SETS],
    pub(super) buffer: Vec<u8>,
}

/// The decoded words of a set.
#[derive(Debug, Default)]
pub(super) struct SetWords {
    /// The words for each side to move, those with the winner to move first. A word is undefined
    /// until it is decoded.
    pub words: [Vec<u64>; 2],
    /// The number of decoded words in decoding order, in which all words with the winner to move
    /// come first.
    pub decoded: usize,
    /// The position of the range coder after the decoded words.
    pub place: Place,
}

impl VerdictBlock {
    /// The words of a set with `turn` to move, in the order that
    /// [`Verdicts::read_block`](super::Verdicts::read_block) describes.
    pub fn words(&self, set: Set, turn: Turn) -> &[u64] {
        &self.sets[set.place()].words[turn as usize]
    }

    /// The legal squares of the loser's king in a lane: first with the winner to move, then with
    /// the loser to move. Valid only after [`Verdicts::read_legal`](super::Verdicts::read_legal).
    pub fn legal(&self, lane: usize) -> [u64; 2] {
        self.facts[lane].legal
    }

    /// Starts a block of `planes` planes of `lanes` lanes each, with no word decoded yet.
    pub(super) fn start(&mut self, planes: usize, lanes: usize) {
        // Facts of an earlier block may stay: they are computed before they are used.
        self.facts.resize(planes * lanes, LaneFacts::default());
        self.has_facts.clear();
        self.has_facts.resize(planes, false);
        for set in &mut self.sets {
            set.decoded = 0;
        }
    }
}

/// The index in a page of a lane's word with `turn` to move. The block has `lanes` lanes.
#[inline]
pub fn word_number(turn: Turn, lane: usize, lanes: usize) -> usize {
    turn as usize * lanes + lane
}

/// True if this word of a page is decoded. `king` is the index of the square of the winner's king
/// in the word's lane.
#[inline]
pub fn is_decoded(word: u64, king: u32) -> bool {
    word >> (king & 63) & 1 == 0
}

impl SetWords {
    /// Allocates `lanes` words for each side to move, unless some words are already decoded.
    pub fn make_room(&mut self, lanes: usize) {
        if self.decoded == 0 {
            for words in &mut self.words {
                words.resize(lanes, 0);
            }
        }
    }

    /// Sets all words to 0, as in an empty set. There must be room for them.
    pub fn set_empty(&mut self) {
        let [won, lost] = &mut self.words;
        won.fill(0);
        lost.fill(0);
        self.decoded = won.len() + lost.len();
    }

    /// Marks the words that are not decoded, so that [`SetWords::resume`] finds them. `net` is the
    /// decoding order of a plane, and `king` the square of the winner's king in the last lane of that
    /// order.
    pub fn mark_missing(&mut self, net: &[NetEntry], king: u32) {
        let lanes = self.words[0].len();
        if self.decoded >= 2 * lanes {
            return;
        }
        for (turn, words) in self.words.iter_mut().enumerate() {
            let decoded = self.decoded.saturating_sub(turn * lanes).min(lanes);
            let (plane, begun) = (decoded / net.len(), decoded % net.len());
            let from = plane * net.len();
            let mut rest = from;
            if begun > 0 {
                for entry in &net[begun..] {
                    words[from + entry.lane()] = !0;
                }
                rest += net.len();
            }
            words[rest..].fill(!0);
        }
        let Place { state, left } = self.place;
        let packed = u64::from(state) | u64::from(left) << 32 | (self.decoded as u64) << 48;
        if let Some(last) = self.last(net) {
            *last = (packed << 1 | 1).rotate_left(king);
        }
    }

    /// Restores the decoder's position from words that [`SetWords::mark_missing`] marked with the
    /// same `net` and `king`.
    pub fn resume(&mut self, net: &[NetEntry], king: u32) {
        let last = self.last(net).map_or(0, |last| *last);
        self.decoded = self.words[0].len() + self.words[1].len();
        if !is_decoded(last, king) {
            let packed = last.rotate_right(king) >> 1;
            self.decoded = (packed >> 48) as usize;
            self.place = Place {
                state: packed as u32,
                left: (packed >> 32) as u16,
            };
        }
    }

    /// The last word in decoding order. `None` if there are fewer words than in a plane.
    fn last(&mut self, net: &[NetEntry]) -> Option<&mut u64> {
        let lost = &mut self.words[1];
        let plane = lost.len().checked_sub(net.len())?;
        lost.get_mut(plane + net.last()?.lane())
    }
}
