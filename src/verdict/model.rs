//! The model of a set: a probability for each question, and one for each context of a bit.

use crate::rans::ONE;

/// The number of pairs (yes votes, no votes) of up to four neighbours: pairs of whole numbers whose
/// sum is at most 4.
const PAIRS: usize = 15;

/// The number of contexts with one side to move. A context summarises the surroundings of a square
/// whose value does not follow from its neighbours.
pub const CONTEXTS: usize = PAIRS * PAIRS * REST;

/// The number of contexts for one pair of the neighbouring lanes and one pair of the neighbouring
/// squares: three votes of the witness (yes, no, none) times the values of four bits.
///
/// The *witness* of a lane is the same lane of the similar set or, if the set is not predicted from
/// a similar set, the same lane of the previous plane.
const REST: usize = 3 * 16;

/// The number of slots. The bits of a slot describe the surroundings of a square, and determine its
/// context. The bits are:
///
/// * 0 to 3: the [`pair`] of the neighbouring lanes.
/// * 4: the witness votes no.
/// * 5: the witness votes yes.
/// * 6: the side to move attacks a man that seems unprotected.
/// * 7, with the loser to move: the winner would win if it were to move.
/// * 8 to 11: the pair of the neighbouring squares in the lane.
/// * 12, with the loser to move: the king can step to a square where the winner does not win.
pub const SLOTS: usize = 1 << 13;

/// Encodes the votes of at most four neighbours in four bits for each square. `yes` and `no` are
/// the numbers of these votes for each square, in three bits each, the lowest bit first.
#[inline(always)]
pub fn pair([yes, no]: [[u64; 3]; 2]) -> [u64; 4] {
    // Two bits for each of the two numbers. Four votes against none do not fit: they become three
    // and two, a pair that cannot occur otherwise.
    [
        yes[0] | yes[2],
        yes[1] | yes[2] | no[2],
        no[0] | no[2],
        no[1] | no[2] | yes[2],
    ]
}

/// The context to which a slot belongs. `None` if the slot cannot occur.
///
/// `close` is true if the neighbouring lanes are one king's step away.
pub fn context(slot: usize, close: bool) -> Option<usize> {
    let pair = |bits: usize| {
        let (yes, no) = match (bits & 3, bits >> 2 & 3) {
            (3, 2) => (4, 0),
            (2, 3) => (0, 4),
            both => both,
        };
        // Pairs with fewer yes votes come first.
        (yes + no <= 4).then_some([0, 5, 9, 12, 14][yes] + no)
    };
    let witness = (slot >> 4 & 3 < 3).then_some(slot >> 4 & 3)?;
    let bits = slot >> 6 & 3 | slot >> 12 << 2;
    let pairs = pair(slot & 15)? * PAIRS + pair(slot >> 8 & 15)?;
    Some(pairs * REST + witness * 16 + bits * 2 + usize::from(close))
}

/// A question about the squares of a lane whose neighbours agree: does one of these squares (or
/// another one, after the first) differ from its neighbours?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The number of squares that the question covers, at least 1.
    pub squares: u32,
    /// True if all four neighbouring lanes vote.
    pub strong: bool,
    /// True if the squares are in the half of the lane that is coded second, so that their
    /// neighbours in the lane are already known.
    pub odd: bool,
    /// True if the neighbouring lanes are one king's step away.
    pub close: bool,
    /// True if a square of the same group was already found to differ.
    pub more: bool,
}

/// The number of questions about squares: seven sizes, each with 16 combinations of the flags in
/// [`Question`].
const SQUARES: usize = 7 * 16;

/// A question about a whole lane: does it have the value on which its neighbours agree? With a
/// similar set, the question is instead whether the lane equals the similar set's.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// True if the neighbours vote yes. With a similar set, true if there is a previous plane.
    pub yes: bool,
    /// True if the neighbouring lanes are one king's step away.
    pub close: bool,
    /// The number of neighbours: up to four lanes, and the lane of the previous plane. With a
    /// similar set, the number of neighbours that differ from that set.
    pub neighbours: usize,
}

impl Whole {
    /// The index of the question in the model's list of probabilities.
    #[inline(always)]
    pub fn number(self) -> usize {
        SQUARES + (2 * self.neighbours + usize::from(self.yes)) * 2 + usize::from(self.close)
    }
}

/// The number of questions with one side to move.
pub const QUESTIONS: usize = SQUARES + 6 * 4;

impl Question {
    /// The index of the question in the model's list of probabilities.
    #[inline(always)]
    pub fn number(self) -> usize {
        let size = self.squares.ilog2();
        let bits = [self.strong, self.odd, self.close, self.more];
        let number = bits.iter().fold(size, |n, &bit| 2 * n + u32::from(bit));
        number as usize
    }
}

/// The results that follow from the king's steps alone, with the loser to move. An *escape* is a
/// step to a square where the winner, who is then to move, does not win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum KingSteps {
    /// The king's steps decide nothing for certain.
    Open,
    /// A king with an escape does not lose.
    Save,
    /// A king with an escape does not lose. A king without an escape and without a man to capture
    /// loses, unless it is stalemated.
    Decide,
}

/// The probabilities with which a set is coded. Each is the probability of the answer yes, as a
/// fraction of [`ONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The results that follow from the king's steps alone, with the loser to move.
    pub king_steps: KingSteps,
    /// True if squares outside the set's parent vote no: they predict that their neighbours are not
    /// in the set.
    pub outsiders: bool,
    /// The probability of yes for each question, by side to move, the winner first.
    pub questions: [Vec<u16>; 2],
    /// The probability of yes in each context, by side to move, the winner first.
    pub contexts: [Vec<u16>; 2],
}

impl Model {
    /// The number of bytes of an encoded model.
    pub const BYTES: usize = 1 + 2 * 2 * (QUESTIONS + CONTEXTS);

    /// Encodes the model in [`Model::BYTES`] bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.king_steps as u8 | u8::from(self.outsiders) << 2];
        for list in self.questions.iter().chain(&self.contexts) {
            bytes.extend(list.iter().flat_map(|p| p.to_le_bytes()));
        }
        bytes
    }

    /// Parses a model. `None` if the bytes are not a model.
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
