//! Words from bytes, and to bytes.

use std::ops::Range;

use super::model::{KingSteps, Model, SLOTS, context};
use super::words::{Coder, Planes, Slots, Turn};
use crate::rans::{ONE, Reader};
use crate::simd::{Simd, for_each_level};

/// A model as a decoder wants it.
#[derive(Debug)]
pub struct DecodingModel {
    /// As in [`Model`].
    pub king_steps: KingSteps,
    /// As in [`Model`].
    pub outsiders: bool,
    questions: [Vec<u16>; 2],
    /// By side to move, the winner first: the probability of yes by slot, for neighbours that are
    /// further away and then for those that are close.
    slots: [Vec<u16>; 2],
}

impl DecodingModel {
    /// From the model of the file.
    pub fn new(model: Model) -> DecodingModel {
        let slots = model.contexts.map(|contexts| {
            let slots = (0..2 * SLOTS).map(|slot| {
                let context = context(slot % SLOTS, slot >= SLOTS);
                // No square has a slot without a context.
                context.map_or(ONE as u16 / 2, |context| contexts[context])
            });
            slots.collect()
        });
        DecodingModel {
            king_steps: model.king_steps,
            outsiders: model.outsiders,
            questions: model.questions,
            slots,
        }
    }
}

/// Reads words.
struct Decoder<'a, 'b> {
    reader: Reader<'b>,
    questions: &'a [u16],
    /// By whether neighbours are close.
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
        // A copy, which stays in registers.
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

/// Reads some words with one side to move, given by their places in the order of decoding; `words` has
/// those before.
pub fn decode(
    all: &Planes<'_>,
    turn: Turn,
    places: Range<usize>,
    model: &DecodingModel,
    reader: &mut Reader<'_>,
    words: &mut [u64],
) {
    decode_with(Simd::detect(), all, turn, places, model, reader, words);
}

for_each_level! {
    fn decode_with(
        all: &Planes<'_>,
        turn: Turn,
        places: Range<usize>,
        model: &DecodingModel,
        reader: &mut Reader<'_>,
        words: &mut [u64],
    ) = decode_words;
}

#[inline(always)]
fn decode_words(
    all: &Planes<'_>,
    turn: Turn,
    places: Range<usize>,
    model: &DecodingModel,
    reader: &mut Reader<'_>,
    words: &mut [u64],
) {
    let (far, close) = model.slots[turn as usize].split_at(SLOTS);
    let (Some(far), Some(close)) = (far.first_chunk(), close.first_chunk()) else {
        return;
    };
    let mut decoder = Decoder {
        reader: *reader,
        questions: &model.questions[turn as usize],
        slots: [far, close],
    };
    all.code(turn, places, &mut decoder, words);
    *reader = decoder.reader;
}

#[cfg(feature = "make")]
pub use making::{Training, encode};

#[cfg(feature = "make")]
mod making {
    use super::super::model::{CONTEXTS, KingSteps, Model, QUESTIONS, context};
    use super::super::words::{Coder, Planes, Slots, Turn};
    use crate::board::SquareSet;
    use crate::rans::{ONE, Writer};
    use crate::simd::{Simd, for_each_level};

    for_each_level! {
        /// Walks over all words.
        fn walk_with<C: Coder>(
            planes: &Planes<'_>,
            turn: Turn,
            coder: &mut C,
            words: &mut [u64],
        ) = walk;
    }

    #[inline(always)]
    fn walk(planes: &Planes<'_>, turn: Turn, coder: &mut impl Coder, words: &mut [u64]) {
        planes.code(turn, 0..words.len(), coder, words);
    }

    /// The context of each square, and whether it says yes.
    #[inline(always)]
    fn in_contexts(
        squares: u64,
        slots: &Slots,
        close: bool,
        actual: u64,
    ) -> impl Iterator<Item = (usize, bool)> {
        SquareSet(squares).into_iter().filter_map(move |square| {
            let slot = slots.of(square.index() as u32);
            Some((context(slot, close)?, actual >> square.index() & 1 == 1))
        })
    }

    /// Writes words.
    struct Encoder<'a> {
        writer: &'a mut Writer,
        questions: &'a [u16],
        contexts: &'a [u16],
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
            for (context, actual) in in_contexts(squares, slots, close, actual) {
                self.writer.bit(actual, self.contexts[context].into());
            }
            actual & squares
        }
    }

    /// Writes the words of some planes with one side to move. What is outside of the legal
    /// positions, and of the parent, becomes 0.
    pub fn encode(
        planes: &Planes<'_>,
        turn: Turn,
        model: &Model,
        writer: &mut Writer,
        words: &mut [u64],
    ) {
        let mut encoder = Encoder {
            writer,
            questions: &model.questions[turn as usize],
            contexts: &model.contexts[turn as usize],
        };
        walk_with(Simd::detect(), planes, turn, &mut encoder, words);
    }

    /// Counts what occurs, and makes a model of it.
    #[derive(Clone, Debug)]
    pub struct Training {
        questions: [Vec<[u64; 2]>; 2],
        contexts: [Vec<[u64; 2]>; 2],
    }

    struct Counter<'a> {
        questions: &'a mut [[u64; 2]],
        contexts: &'a mut [[u64; 2]],
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
            for (context, actual) in in_contexts(squares, slots, close, actual) {
                self.contexts[context][usize::from(actual)] += 1;
            }
            actual & squares
        }
    }

    impl Default for Training {
        fn default() -> Training {
            let lists = |n| std::array::from_fn(|_| vec![[0; 2]; n]);
            Training {
                questions: lists(QUESTIONS),
                contexts: lists(CONTEXTS),
            }
        }
    }

    impl Training {
        /// Counts the words of some planes.
        pub fn add(&mut self, planes: &Planes<'_>, turn: Turn, words: &mut [u64]) {
            let mut counter = Counter {
                questions: &mut self.questions[turn as usize],
                contexts: &mut self.contexts[turn as usize],
            };
            walk_with(Simd::detect(), planes, turn, &mut counter, words);
        }

        /// Adds what another has counted.
        #[must_use]
        pub fn join(mut self, other: &Training) -> Training {
            let own = self.questions.iter_mut().chain(&mut self.contexts);
            let others = other.questions.iter().chain(&other.contexts);
            for (own, other) in own.flatten().zip(others.flatten()) {
                *own = [own[0] + other[0], own[1] + other[1]];
            }
            self
        }

        /// The model of what was counted.
        pub fn model(&self, king_steps: KingSteps, outsiders: bool) -> Model {
            let list = |counts: &Vec<[u64; 2]>| counts.iter().map(probability).collect();
            Model {
                king_steps,
                outsiders,
                questions: std::array::from_fn(|i| list(&self.questions[i])),
                contexts: std::array::from_fn(|i| list(&self.contexts[i])),
            }
        }
    }

    /// The probability of yes, in parts of [`ONE`]; a half where nothing is known.
    fn probability(&[no, yes]: &[u64; 2]) -> u16 {
        let one = u128::from(ONE);
        // As if each had been met two fifths of a time more.
        let (yes, all) = (5 * u128::from(yes) + 2, 5 * u128::from(no + yes) + 4);
        (yes * one / all).clamp(1, one - 1) as u16
    }
}
