//! Decodes and encodes the words of a verdict table.

use std::ops::Range;

use super::model::{KingSteps, Model, SLOTS, context};
use super::words::{Coder, Planes, Slots, Turn, VoteRoom};
use crate::rans::{ONE, Reader};
use crate::simd::{Simd, for_each_level};

/// A [`Model`] expanded for fast lookup: the probability of a context is stored in each of its
/// slots.
#[derive(Debug)]
pub struct CodingModel {
    /// See [`Model::king_steps`].
    pub king_steps: KingSteps,
    /// See [`Model::outsiders`].
    pub outsiders: bool,
    /// The probability of yes for each question, by side to move, the winner first.
    questions: [Vec<u16>; 2],
    /// The probability of yes in each slot, by side to move, the winner first. All slots for
    /// distant neighbours come first, then all slots for close neighbours.
    slots: [Vec<u16>; 2],
}

impl CodingModel {
    /// Expands a model for fast lookup.
    pub fn new(model: &Model) -> CodingModel {
        // The context of a slot is the sum of what its low and its high bits contribute.
        let low: [_; 1 << 8] = std::array::from_fn(|bits| context(bits, false));
        let high: [_; SLOTS >> 8] = std::array::from_fn(|bits| context(bits << 8, false));
        let slots = model.contexts.each_ref().map(|contexts| {
            let mut slots = Vec::with_capacity(2 * SLOTS);
            for close in 0..2 {
                for high in high {
                    slots.extend(low.map(|low| match (low, high) {
                        (Some(low), Some(high)) => contexts[low + high + close],
                        // A slot without a context never occurs, so any probability will do.
                        _ => ONE as u16 / 2,
                    }));
                }
            }
            slots
        });
        CodingModel {
            king_steps: model.king_steps,
            outsiders: model.outsiders,
            questions: model.questions.clone(),
            slots,
        }
    }

    /// The probabilities of yes with this side to move: in each slot for distant neighbours, then
    /// in each slot for close neighbours.
    #[inline(always)]
    fn slots(&self, turn: Turn) -> Option<[&[u16; SLOTS]; 2]> {
        let (far, close) = self.slots[turn as usize].split_at(SLOTS);
        Some([far.first_chunk()?, close.first_chunk()?])
    }
}

/// Answers the questions of [`Planes::code`] by decoding.
struct Decoder<'a, 'b> {
    reader: Reader<'b>,
    questions: &'a [u16],
    /// The probability of yes in each slot, first for distant and then for close neighbours.
    slots: [&'a [u16; SLOTS]; 2],
}

impl Coder for Decoder<'_, '_> {
    #[inline(always)]
    fn question(&mut self, question: usize, _: bool) -> bool {
        self.reader.bit(self.questions[question].into())
    }

    #[inline(always)]
    fn number(&mut self, n: u32, _: u32) -> u32 {
        self.reader.number(n)
    }

    #[inline(always)]
    fn bits(&mut self, squares: u64, slots: &Slots, close: bool, _: u64) -> u64 {
        let probabilities = self.slots[usize::from(close)];
        // A local copy of the reader stays in registers.
        let mut reader = self.reader;
        let (mut rest, mut yes) = (squares, 0);
        while rest != 0 {
            let square = rest.trailing_zeros();
            rest &= rest - 1;
            let probability = probabilities[slots.of(square) % SLOTS];
            yes |= u64::from(reader.bit(probability.into())) << square;
        }
        self.reader = reader;
        yes
    }
}

/// Decodes words with `turn` to move: those whose indices in decoding order are in `indices`.
/// `words` contains the words decoded earlier, and receives the newly decoded words. The content of
/// `room` does not matter.
pub fn decode(
    planes: &Planes<'_>,
    turn: Turn,
    indices: Range<usize>,
    model: &CodingModel,
    reader: &mut Reader<'_>,
    words: &mut [u64],
    room: &mut VoteRoom,
) {
    let simd = Simd::detect();
    decode_with(simd, planes, turn, indices, model, reader, words, room);
}

for_each_level! {
    fn decode_with(
        planes: &Planes<'_>,
        turn: Turn,
        indices: Range<usize>,
        model: &CodingModel,
        reader: &mut Reader<'_>,
        words: &mut [u64],
        room: &mut VoteRoom,
    ) = decode_words;
}

#[inline(always)]
fn decode_words(
    planes: &Planes<'_>,
    turn: Turn,
    indices: Range<usize>,
    model: &CodingModel,
    reader: &mut Reader<'_>,
    words: &mut [u64],
    room: &mut VoteRoom,
) {
    let Some(slots) = model.slots(turn) else {
        return;
    };
    let mut decoder = Decoder {
        reader: *reader,
        questions: &model.questions[turn as usize],
        slots,
    };
    planes.code(turn, indices, &mut decoder, words, room);
    *reader = decoder.reader;
}

#[cfg(test)]
mod tests {
    use super::super::model::{CONTEXTS, QUESTIONS};
    use super::*;

    #[test]
    fn every_slot_has_the_probability_of_its_context() {
        let numbers = |first: usize| (first..).map(|n| 1 + (n % 4000) as u16);
        let model = Model {
            king_steps: KingSteps::Open,
            outsiders: false,
            questions: [0, 1].map(|first| numbers(first).take(QUESTIONS).collect()),
            contexts: [3, 700].map(|first| numbers(first).take(CONTEXTS).collect()),
        };
        let expanded = CodingModel::new(&model);
        for (slots, contexts) in expanded.slots.iter().zip(&model.contexts) {
            assert_eq!(slots.len(), 2 * SLOTS);
            for (slot, &probability) in slots.iter().enumerate() {
                if let Some(context) = context(slot % SLOTS, slot >= SLOTS) {
                    assert_eq!(probability, contexts[context], "{slot}");
                }
            }
        }
    }
}

pub use making::{Training, encode};

mod making {
    use super::super::model::{CONTEXTS, KingSteps, Model, QUESTIONS, SLOTS, context};
    use super::super::words::{Coder, Planes, Slots, Turn, VoteRoom};
    use super::CodingModel;
    use crate::board::SquareSet;
    use crate::rans::{ONE, Writer};
    use crate::simd::{Simd, for_each_level};

    for_each_level! {
        /// Codes all of `words`, with `turn` to move.
        fn walk_with<C: Coder>(
            planes: &Planes<'_>,
            turn: Turn,
            coder: &mut C,
            words: &mut [u64],
        ) = walk;
    }

    #[inline(always)]
    fn walk(planes: &Planes<'_>, turn: Turn, coder: &mut impl Coder, words: &mut [u64]) {
        planes.code(turn, 0..words.len(), coder, words, &mut VoteRoom::default());
    }

    /// For each square in `squares`, its slot and its bit in `actual`.
    #[inline(always)]
    fn in_slots(squares: u64, slots: &Slots, actual: u64) -> impl Iterator<Item = (usize, bool)> {
        SquareSet(squares).into_iter().map(move |square| {
            let slot = slots.of(square.index() as u32) % SLOTS;
            (slot, actual >> square.index() & 1 == 1)
        })
    }

    /// Answers the questions of [`Planes::code`] from the actual words, and encodes the answers.
    struct Encoder<'a> {
        writer: &'a mut Writer,
        questions: &'a [u16],
        /// The probability of yes in each slot, first for distant and then for close neighbours.
        slots: [&'a [u16; SLOTS]; 2],
    }

    impl Coder for Encoder<'_> {
        #[inline(always)]
        fn question(&mut self, question: usize, actual: bool) -> bool {
            self.writer.bit(actual, self.questions[question].into());
            actual
        }

        #[inline(always)]
        fn number(&mut self, n: u32, actual: u32) -> u32 {
            self.writer.number(actual, n);
            actual
        }

        #[inline(always)]
        fn bits(&mut self, squares: u64, slots: &Slots, close: bool, actual: u64) -> u64 {
            let probabilities = self.slots[usize::from(close)];
            for (slot, actual) in in_slots(squares, slots, actual) {
                self.writer.bit(actual, probabilities[slot].into());
            }
            actual & squares
        }
    }

    /// Encodes the words of some planes, with `turn` to move. Clears the bits in `words` of
    /// positions that are illegal or not in the parent set.
    pub fn encode(
        planes: &Planes<'_>,
        turn: Turn,
        model: &CodingModel,
        writer: &mut Writer,
        words: &mut [u64],
    ) {
        let Some(slots) = model.slots(turn) else {
            return;
        };
        let mut encoder = Encoder {
            writer,
            questions: &model.questions[turn as usize],
            slots,
        };
        walk_with(Simd::detect(), planes, turn, &mut encoder, words);
    }

    /// Counts the answers to the questions of [`Planes::code`], to train a model.
    #[derive(Clone, Debug)]
    pub struct Training {
        /// The counts of no and of yes for each question, by side to move, the winner first.
        questions: [Vec<[u64; 2]>; 2],
        /// The counts of no and of yes in each slot, by side to move, the winner first. All slots
        /// for distant neighbours come first, then all slots for close neighbours.
        slots: [Vec<[u64; 2]>; 2],
    }

    /// Counts the answers with one side to move, taken from the actual words.
    struct Counter<'a> {
        questions: &'a mut [[u64; 2]],
        slots: &'a mut [[u64; 2]],
    }

    impl Coder for Counter<'_> {
        #[inline(always)]
        fn question(&mut self, question: usize, actual: bool) -> bool {
            self.questions[question][usize::from(actual)] += 1;
            actual
        }

        #[inline(always)]
        fn number(&mut self, _: u32, actual: u32) -> u32 {
            actual
        }

        #[inline(always)]
        fn bits(&mut self, squares: u64, slots: &Slots, close: bool, actual: u64) -> u64 {
            let counts = &mut self.slots[usize::from(close) * SLOTS..];
            for (slot, actual) in in_slots(squares, slots, actual) {
                counts[slot][usize::from(actual)] += 1;
            }
            actual & squares
        }
    }

    impl Default for Training {
        fn default() -> Training {
            let lists = |n| std::array::from_fn(|_| vec![[0; 2]; n]);
            Training {
                questions: lists(QUESTIONS),
                slots: lists(2 * SLOTS),
            }
        }
    }

    impl Training {
        /// Counts the answers for the words of some planes.
        pub fn add(&mut self, planes: &Planes<'_>, turn: Turn, words: &mut [u64]) {
            let mut counter = Counter {
                questions: &mut self.questions[turn as usize],
                slots: &mut self.slots[turn as usize],
            };
            walk_with(Simd::detect(), planes, turn, &mut counter, words);
        }

        /// Adds the counts of `other`.
        #[must_use]
        pub fn join(mut self, other: &Training) -> Training {
            let own = self.questions.iter_mut().chain(&mut self.slots);
            let others = other.questions.iter().chain(&other.slots);
            for (own, other) in own.flatten().zip(others.flatten()) {
                *own = [own[0] + other[0], own[1] + other[1]];
            }
            self
        }

        /// Makes a model with the counted frequencies as probabilities.
        pub fn model(&self, king_steps: KingSteps, outsiders: bool) -> Model {
            let questions = |counts: &Vec<[u64; 2]>| counts.iter().map(probability).collect();
            let contexts = |counts: &Vec<[u64; 2]>| {
                let mut contexts = vec![probability(&[0; 2]); CONTEXTS];
                for (slot, counts) in counts.iter().enumerate() {
                    if let Some(context) = context(slot % SLOTS, slot >= SLOTS) {
                        contexts[context] = probability(counts);
                    }
                }
                contexts
            };
            Model {
                king_steps,
                outsiders,
                questions: std::array::from_fn(|i| questions(&self.questions[i])),
                contexts: std::array::from_fn(|i| contexts(&self.slots[i])),
            }
        }
    }

    /// The probability of yes, as a fraction of [`ONE`], from the numbers of no and yes answers. It
    /// is one half if nothing was counted.
    fn probability(&[no, yes]: &[u64; 2]) -> u16 {
        let one = u128::from(ONE);
        // Adds two fifths of an occurrence to each count.
        let (yes, all) = (5 * u128::from(yes) + 2, 5 * u128::from(no + yes) + 4);
        (yes * one / all).clamp(1, one - 1) as u16
    }
}
