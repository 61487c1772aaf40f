//! How likely each value is in each context: the model of a section.

use super::rans::ONE;

/// How often two numbers below 5 with a sum of at most 4 occur.
const PAIRS: usize = 15;

/// The number of contexts of a square with one side to move: of what is known of one that its
/// neighbours do not settle.
pub const CONTEXTS: usize = PAIRS * PAIRS * REST;

/// Three that the plane before may say, and four bits.
const REST: usize = 3 * 16;

/// The number of a context.
///
/// * `lanes`, `squares`: how many of the neighbouring lanes, and of the neighbouring squares of the same
///   lane, say yes, plus 8 times how many say no: at most four in all.
/// * `rest`: bit 0, the plane before says no; bit 1, it says yes; bit 2, the side to move attacks a
///   man that looks unprotected; with the loser to move bit 3, the winner to move wins; bit 4, the
///   king has a step to where it does not.
/// * `close`: whether the neighbouring lanes are a king's step away.
#[inline(always)]
pub fn context(lanes: usize, squares: usize, rest: usize, close: bool) -> usize {
    let pair = |pair: usize| usize::from(PAIR[pair & 63]);
    let rest = (rest & 3) * 16 + (rest >> 2 & 7) * 2 + usize::from(close);
    (pair(lanes) * PAIRS + pair(squares)) * REST + rest
}

/// The number of a pair of yes + 8 · no, at most four in all. Other pairs have that of the first.
const PAIR: [u8; 64] = {
    let mut table = [0; 64];
    let (mut yes, mut next) = (0, 0);
    while yes < 5 {
        let mut no = 0;
        while yes + no < 5 {
            table[yes + 8 * no] = next;
            next += 1;
            no += 1;
        }
        yes += 1;
    }
    table
};

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

/// The probabilities of yes, in parts of [`ONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// With the loser to move: whether a king that has a step to where the winner, to move, does not
    /// win never loses.
    pub escapes: bool,
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
        let mut bytes = vec![u8::from(self.escapes)];
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
        let (&escapes, bytes) = bytes.split_first()?;
        let mut numbers = bytes
            .as_chunks()
            .0
            .iter()
            .map(|&two| u16::from_le_bytes(two));
        let valid = numbers.clone().all(|p| (1..ONE as u16).contains(&p)) && escapes < 2;
        let mut list = |n: usize| numbers.by_ref().take(n).collect::<Vec<u16>>();
        let questions = [list(QUESTIONS), list(QUESTIONS)];
        let contexts = [list(CONTEXTS), list(CONTEXTS)];
        valid.then_some(Model {
            escapes: escapes == 1,
            questions,
            contexts,
        })
    }
}
