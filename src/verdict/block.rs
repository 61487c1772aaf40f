//! A partly decoded block of a verdict table, and the cached pages that store its words.
//!
//! A **page** contains the words of one set in a block, those with the winner to move first. A
//! block is decoded only as far as a lookup needs. The bit for the square of the winner's own king
//! marks a word that is not decoded yet: a decoded word never has it, since the other king cannot
//! be on that square. If a page is incomplete, its last word in decoding order contains the
//! decoder's position.

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
    /// For each set, the bytes of the set's part of the block.
    pub(super) parts: [Vec<u8>; SETS],
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

    /// Writes the words to a page. Returns false if the page is too small. `net` is the decoding
    /// order of a plane, and `king` the square of the winner's king in the last lane of that order.
    pub fn to_page(&self, page: &mut [u64], net: &[NetEntry], king: u32) -> bool {
        let [won, lost] = &self.words;
        let lanes = won.len();
        let Some((words, rest)) = page.split_at_mut_checked(2 * lanes) else {
            return false;
        };
        words[..lanes].copy_from_slice(won);
        words[lanes..].copy_from_slice(lost);
        rest.fill(0);
        let planes = words.chunks_mut(net.len()).enumerate();
        for (plane, words) in planes.skip(self.decoded / net.len()) {
            let decoded = self.decoded.saturating_sub(plane * net.len());
            for entry in &net[decoded.min(net.len())..] {
                words[entry.lane] = !0;
            }
        }
        if let Some(last) = last_of(words, net).filter(|_| self.decoded < 2 * lanes) {
            let Place { state, left } = self.place;
            let packed = u64::from(state) | u64::from(left) << 32 | (self.decoded as u64) << 48;
            *last = (packed << 1 | 1).rotate_left(king);
        }
        true
    }

    /// Restores the words and the decoder's position from a page of a block with `lanes` lanes,
    /// written by [`SetWords::to_page`] with the same `net` and `king`.
    pub fn resume(&mut self, page: &mut [u64], lanes: usize, net: &[NetEntry], king: u32) {
        self.make_room(lanes);
        let Some(words) = page.get_mut(..2 * lanes) else {
            return;
        };
        let [won, lost] = &mut self.words;
        won.copy_from_slice(&words[..lanes]);
        lost.copy_from_slice(&words[lanes..]);
        self.decoded = 2 * lanes;
        let last = last_of(words, net).map_or(0, |last| *last);
        if !is_decoded(last, king) {
            let packed = last.rotate_right(king) >> 1;
            self.decoded = (packed >> 48) as usize;
            self.place = Place {
                state: packed as u32,
                left: (packed >> 32) as u16,
            };
        }
    }
}

/// The last word of a page in decoding order. `None` if the page is shorter than a plane.
fn last_of<'a>(words: &'a mut [u64], net: &[NetEntry]) -> Option<&'a mut u64> {
    let plane = words.len().checked_sub(net.len())?;
    words.get_mut(plane + net.last()?.lane)
}
