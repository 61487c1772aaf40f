//! What has been decoded of a block, and pages to keep it in.
//!
//! A **page** has the words of one set of a block, those with the winner to move first. A block is
//! decoded only as far as it is asked for: a word that has not been decoded has the bit of the winner's
//! own king, on whose square no other king can be. The word that comes last says how to go on.

use super::facts::LaneFacts;
use super::header::{SETS, Set};
use super::net::Knot;
use super::words::Turn;
use crate::rans::Place;

/// A block that is decoded as far as it is needed, and what decodes it: reused from block to block.
#[derive(Debug, Default)]
pub struct VerdictBlock {
    pub(super) sets: [SetWords; SETS],
    /// By plane: whether its facts are there.
    pub(super) has_facts: Vec<bool>,
    pub(super) facts: Vec<LaneFacts>,
    /// Which block it is, if its bytes are there: the table's number, the side's, and the block's.
    pub(super) loaded: Option<(u64, usize, u64)>,
    /// The bytes of each set's part.
    pub(super) parts: [Vec<u8>; SETS],
    pub(super) buffer: Vec<u8>,
}

/// The words of a set in a block.
#[derive(Debug, Default)]
pub(super) struct SetWords {
    /// By side to move, the winner first. Those that have not been decoded are of no account.
    pub words: [Vec<u64>; 2],
    /// How many words have been decoded, in the order of decoding: those with the winner to move come
    /// first.
    pub decoded: usize,
    /// Where the reader of the block's bytes was then.
    pub place: Place,
}

impl VerdictBlock {
    /// The words of a set with this side to move.
    pub fn words(&self, set: Set, turn: Turn) -> &[u64] {
        &self.sets[set.place()].words[turn as usize]
    }

    /// Where the positions of a lane are legal, with the winner to move and with the loser, once
    /// [`Verdicts::read_legal`](super::Verdicts::read_legal) has found it out.
    pub fn legal(&self, lane: usize) -> [u64; 2] {
        self.facts[lane].legal
    }

    /// Starts with a block of so many planes, of so many lanes each, of which nothing is decoded.
    pub(super) fn start(&mut self, planes: usize, lanes: usize) {
        self.facts.clear();
        self.facts.resize(planes * lanes, LaneFacts::default());
        self.has_facts.clear();
        self.has_facts.resize(planes, false);
        for set in &mut self.sets {
            set.decoded = 0;
        }
    }
}

/// The number of a word in a page: with this side to move, the lane of this number in its block,
/// which has so many.
#[inline]
pub fn word_number(turn: Turn, lane: usize, lanes: usize) -> usize {
    turn as usize * lanes + lane
}

/// Whether a page's word is decoded. It is of the lane in which the winner's king is on this square.
#[inline]
pub fn is_decoded(word: u64, king: u32) -> bool {
    word >> (king & 63) & 1 == 0
}

impl SetWords {
    /// Makes room for so many words of each side to move, unless there are some.
    pub fn make_room(&mut self, lanes: usize) {
        if self.decoded == 0 {
            for words in &mut self.words {
                words.clear();
                words.resize(lanes, 0);
            }
        }
    }

    /// Fills a page. False if it is too small. `net` has the lanes of a plane in the order of decoding, and
    /// `king` is the square of the winner's king in the last of them.
    pub fn to_page(&self, page: &mut [u64], net: &[Knot], king: u32) -> bool {
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
            for knot in &net[decoded.min(net.len())..] {
                words[knot.lane] = !0;
            }
        }
        if let Some(last) = last_of(words, net).filter(|_| self.decoded < 2 * lanes) {
            let Place { state, left } = self.place;
            let how = u64::from(state) | u64::from(left) << 32 | (self.decoded as u64) << 48;
            *last = (how << 1 | 1).rotate_left(king);
        }
        true
    }

    /// Takes up what such a page has, of a block of so many lanes in all.
    pub fn resume(&mut self, page: &mut [u64], lanes: usize, net: &[Knot], king: u32) {
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
            let how = last.rotate_right(king) >> 1;
            self.decoded = (how >> 48) as usize;
            self.place = Place {
                state: how as u32,
                left: (how >> 32) as u16,
            };
        }
    }
}

/// The word of a page that is decoded last.
fn last_of<'a>(words: &'a mut [u64], net: &[Knot]) -> Option<&'a mut u64> {
    let plane = words.len().checked_sub(net.len())?;
    words.get_mut(plane + net.last()?.lane)
}
