//! Words from bytes, and to bytes.

use super::model::Model;
use super::rans::Reader;
use super::words::{Coder, Planes, Turn};

/// Reads words.
struct Decoder<'a, 'b> {
    reader: &'a mut Reader<'b>,
    questions: &'a [u16],
    contexts: &'a [u16],
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
    fn bit(&mut self, context: usize, _: bool) -> bool {
        self.reader.bit(self.contexts[context].into())
    }
}

/// Reads the words of some planes with one side to move.
pub fn decode(
    planes: &Planes<'_>,
    turn: Turn,
    model: &Model,
    reader: &mut Reader<'_>,
    words: &mut [u64],
) {
    let mut decoder = Decoder {
        reader,
        questions: &model.questions[turn as usize],
        contexts: &model.contexts[turn as usize],
    };
    planes.code(turn, &mut decoder, words);
}

#[cfg(feature = "make")]
pub use making::{Training, encode};

#[cfg(feature = "make")]
mod making {
    use super::super::model::{CONTEXTS, Model, QUESTIONS};
    use super::super::rans::{ONE, Writer};
    use super::super::words::{Coder, Planes, Turn};

    /// Writes words.
    struct Encoder<'a> {
        writer: &'a mut Writer,
        questions: &'a [u16],
        contexts: &'a [u16],
    }

    impl Coder for Encoder<'_> {
        fn question(&mut self, question: usize, actual: bool) -> bool {
            self.writer.bit(actual, self.questions[question].into());
            actual
        }

        fn number(&mut self, n: u32, actual: u32) -> u32 {
            self.writer.number(actual, n);
            actual
        }

        fn bit(&mut self, context: usize, actual: bool) -> bool {
            self.writer.bit(actual, self.contexts[context].into());
            actual
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
        planes.code(turn, &mut encoder, words);
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
        fn question(&mut self, question: usize, actual: bool) -> bool {
            self.questions[question][usize::from(actual)] += 1;
            actual
        }

        fn number(&mut self, _: u32, actual: u32) -> u32 {
            actual
        }

        fn bit(&mut self, context: usize, actual: bool) -> bool {
            self.contexts[context][usize::from(actual)] += 1;
            actual
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
            planes.code(turn, &mut counter, words);
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
        pub fn model(&self, escapes: bool) -> Model {
            let list = |counts: &Vec<[u64; 2]>| counts.iter().map(probability).collect();
            Model {
                escapes,
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
