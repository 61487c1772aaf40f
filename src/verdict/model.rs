//! How likely each value is in each context: the model of a set.

use crate::rans::ONE;

/// How often two numbers below 5 with a sum of at most 4 occur.
const PAIRS: usize = 15;

/// The number of contexts of a square with one side to move: of what is known of one that its
/// neighbours do not settle.
pub const CONTEXTS: usize = PAIRS * PAIRS * REST;

/// Three that the plane before may say, and four bits.
const REST: usize = 3 * 16;

/// The number of slots: of what is known of a square, as bits.
///
/// Bits 0 to 3 are the neighbouring lanes' [`pair`]; 4, the plane before says no; 5, it says yes; 6, the
/// side to move attacks a man that looks unprotected; 7, with the loser to move, the winner to move
/// wins; 8 to 11, the pair of the neighbouring squares of the same lane; 12, with the loser to move,
/// the king has a step to where the winner does not win.
pub const SLOTS: usize = 1 << 13;

/// How many neighbours say yes and how many no, at most four in all, as four bits, for each square:
/// each number is given as three bits, the lowest first.
#[inline(always)]
pub fn pair([yes, no]: [[u64; 3]; 2]) -> [u64; 4] {
    // Two bits for each. Four and none become three and two, which cannot be.
    [
        yes[0] | yes[2],
        yes[1] | yes[2] | no[2],
        no[0] | no[2],
        no[1] | no[2] | yes[2],
    ]
}

/// The number of the context of a slot. None if there is no such slot.
///
/// `close`: whether the neighbouring lanes are a king's step away.
pub fn context(slot: usize, close: bool) -> Option<usize> {
    let pair = |bits: usize| {
        let (yes, no) = match (bits & 3, bits >> 2 & 3) {
            (3, 2) => (4, 0),
            (2, 3) => (0, 4),
            both => both,
        };
        // Those with fewer that say yes come first.
        (yes + no <= 4).then_some([0, 5, 9, 12, 14][yes] + no)
    };
    let before = (slot >> 4 & 3 < 3).then_some(slot >> 4 & 3)?;
    let bits = slot >> 6 & 3 | slot >> 12 << 2;
    let pairs = pair(slot & 15)? * PAIRS + pair(slot >> 8 & 15)?;
    Some(pairs * REST + before * 16 + bits * 2 + usize::from(close))
}

/// Some squares of a lane whose neighbours all say the same, as a question: is there one, or one
/// more, that is different?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// How many squares there are, more than 0.
    pub squares: u32,
    /// Whether all four neighbouring lanes say so.
    pub strong: bool,
    /// Whether squares of the same lane are asked.
    pub odd: bool,
    /// Whether the neighbouring lanes are a king's step away.
    pub close: bool,
    /// Whether one was different already.
    pub more: bool,
}

/// The number of such questions.
const SQUARES: usize = 7 * 16;

/// A lane whose neighbours all say the same, as a question: does all of it say so?
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// What they say.
    pub yes: bool,
    /// Whether the neighbouring lanes are a king's step away.
    pub close: bool,
    /// How many neighbours there are, the plane before among them: at most five.
    pub neighbours: usize,
}

impl Whole {
    /// Its number.
    #[inline(always)]
    pub fn number(self) -> usize {
        SQUARES + (2 * self.neighbours + usize::from(self.yes)) * 2 + usize::from(self.close)
    }
}

/// The number of questions with one side to move.
pub const QUESTIONS: usize = SQUARES + 6 * 4;

impl Question {
    /// Its number.
    #[inline(always)]
    pub fn number(self) -> usize {
        let size = self.squares.ilog2();
        let bits = [self.strong, self.odd, self.close, self.more];
        let number = bits.iter().fold(size, |n, &bit| 2 * n + u32::from(bit));
        number as usize
    }
}

/// What is certain of a position with the loser to move by its king's steps alone. An *escape* is a step
/// to where the winner, to move, does not win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum KingSteps {
    /// Nothing.
    Open,
    /// A king that has an escape does not lose.
    Save,
    /// The same; and without an escape, and without a man that it can take, it loses, unless it is stalemate.
    Decide,
}

/// The probabilities of yes, in parts of [`ONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// With the loser to move: what its king's steps tell.
    pub king_steps: KingSteps,
    /// Whether squares outside the set's parent say no to their neighbours.
    pub outsiders: bool,
    /// By side to move, the winner first: for each question.
    pub questions: [Vec<u16>; 2],
    /// By side to move, the winner first: for each context.
    pub contexts: [Vec<u16>; 2],
}

impl Model {
    /// The bytes of a model.
    pub const BYTES: usize = 1 + 2 * 2 * (QUESTIONS + CONTEXTS);

    /// As bytes, [`Model::BYTES`] of them.
    #[cfg(feature = "make")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.king_steps as u8 | u8::from(self.outsiders) << 2];
        for list in self.questions.iter().chain(&self.contexts) {
            bytes.extend(list.iter().flat_map(|p| p.to_le_bytes()));
        }
        bytes
    }

    /// From bytes. None if they are no model.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        if bytes.len() != Model::BYTES {
            return None;
        }
        let (&flags, bytes) = bytes.split_first()?;
        let king_steps = match flags & !4 {
            0 => KingSteps::Open,
            1 => KingSteps::Save,
            2 => KingSteps::Decide,
            _ => return None,
        };
        let mut numbers = bytes
            .as_chunks()
            .0
            .iter()
            .map(|&two| u16::from_le_bytes(two));
        let valid = numbers.clone().all(|p| (1..ONE as u16).contains(&p));
        let mut list = |n: usize| numbers.by_ref().take(n).collect::<Vec<u16>>();
        let questions = [list(QUESTIONS), list(QUESTIONS)];
        let contexts = [list(CONTEXTS), list(CONTEXTS)];
        valid.then_some(Model {
            king_steps,
            outsiders: flags & 4 != 0,
            questions,
            contexts,
        })
    }
}
