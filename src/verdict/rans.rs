//! A range coder after J. Duda, "Asymmetric numeral systems" (2009), in its range variant: symbols
//! come out in the order in which they are read, at a fraction of a bit each.
//!
//! The state is a 32-bit number of at least [`LOW`], and gives and takes 16 bits at a time.

/// The bits of a probability.
pub const BITS: u32 = 12;

/// A probability of 1.
pub const ONE: u32 = 1 << BITS;

/// The state is never below this between two symbols.
const LOW: u32 = 1 << 16;

/// How far a [`Reader`] has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its state.
    pub state: u32,
    /// How many pairs of bytes it has not read.
    pub left: u16,
}

/// Reads symbols off the front of some bytes.
///
/// Bytes that end too early read as zeros: what comes out is wrong then, and [`Reader::is_whole`]
/// says so.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    state: u32,
    words: &'a [[u8; 2]],
    missing: bool,
}

impl<'a> Reader<'a> {
    /// A reader of what a [`Writer`] wrote.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        let (words, rest) = bytes.as_chunks();
        let mut reader = Reader {
            state: 0,
            words,
            missing: !rest.is_empty(),
        };
        let low = reader.word();
        reader.state = reader.word() << 16 | low;
        reader
    }

    /// A reader of the same bytes that goes on where another was.
    pub fn resume(bytes: &'a [u8], place: Place) -> Reader<'a> {
        let (words, rest) = bytes.as_chunks();
        let read = words.len().saturating_sub(place.left.into());
        Reader {
            state: place.state,
            words: words.get(read..).unwrap_or(&[]),
            missing: !rest.is_empty(),
        }
    }

    /// Where it is. None if bytes were missing.
    pub fn place(&self) -> Option<Place> {
        let left = u16::try_from(self.words.len()).ok()?;
        (!self.missing).then_some(Place {
            state: self.state,
            left,
        })
    }

    #[inline(always)]
    fn word(&mut self) -> u32 {
        match self.words.split_first() {
            Some((&word, rest)) => {
                self.words = rest;
                u16::from_le_bytes(word).into()
            }
            None => {
                self.missing = true;
                0
            }
        }
    }

    /// Goes on with this state.
    #[inline(always)]
    fn set(&mut self, state: u32) {
        self.state = state;
        if state < LOW {
            self.state = state << 16 | self.word();
        }
    }

    /// A bit that is 1 with this probability in parts of [`ONE`], more than 0 and less than [`ONE`].
    #[inline(always)]
    pub fn bit(&mut self, probability: u32) -> bool {
        let slot = self.state & (ONE - 1);
        let high = probability * (self.state >> BITS);
        let bit = slot < probability;
        // Without a jump, which nobody could predict.
        let mask = u32::from(bit).wrapping_neg();
        let no = self.state.wrapping_sub(high).wrapping_sub(probability);
        self.set((high + slot) & mask | no & !mask);
        bit
    }

    /// A number below `n`, each as likely. `n` is 1 to 64.
    #[inline(always)]
    pub fn number(&mut self, n: u32) -> u32 {
        let slot = self.state & (ONE - 1);
        let number = (slot * n) >> BITS;
        let start = start_of(number, n);
        let width = start_of(number + 1, n) - start;
        self.set(width * (self.state >> BITS) + slot - start);
        number
    }

    /// Whether all bytes were there, and all have been read.
    pub fn is_whole(&self) -> bool {
        !self.missing && self.words.is_empty() && self.state == LOW
    }
}

/// Where a number below `n` begins in the range.
#[inline(always)]
fn start_of(number: u32, n: u32) -> u32 {
    (number << BITS).div_ceil(n)
}

/// Gathers symbols, and writes them so that a [`Reader`] reads them in the same order.
#[cfg(feature = "make")]
#[derive(Debug, Default)]
pub struct Writer {
    /// The start and width of each symbol.
    symbols: Vec<(u16, u16)>,
}

#[cfg(feature = "make")]
impl Writer {
    /// Adds a bit that is 1 with this probability.
    pub fn bit(&mut self, bit: bool, probability: u32) {
        debug_assert!((1..ONE).contains(&probability));
        self.symbols.push(match bit {
            true => (0, probability as u16),
            false => (probability as u16, (ONE - probability) as u16),
        });
    }

    /// Adds a number below `n`.
    pub fn number(&mut self, number: u32, n: u32) {
        let (start, end) = (start_of(number, n), start_of(number + 1, n));
        self.symbols.push((start as u16, (end - start) as u16));
    }

    /// The bytes of all symbols added, which are forgotten.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut state = LOW;
        let mut words: Vec<u16> = Vec::new();
        for (start, width) in self.symbols.drain(..).rev() {
            let (start, width) = (u32::from(start), u32::from(width));
            // A width of ONE, which does not fit, has nothing to say.
            let width = if width == 0 { ONE } else { width };
            if u64::from(state) >= u64::from(width) << (32 - BITS) {
                words.push(state as u16);
                state >>= 16;
            }
            state = (state / width) << BITS | (state % width + start);
        }
        words.extend([(state >> 16) as u16, state as u16]);
        words.reverse();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Symbol {
        Bit(bool, u32),
        Number(u32, u32),
    }

    fn symbol() -> impl Strategy<Value = Symbol> {
        let number = (1..65u32).prop_flat_map(|n| (0..n).prop_map(move |i| Symbol::Number(i, n)));
        let bit = (any::<bool>(), 1..ONE).prop_map(|(bit, p)| Symbol::Bit(bit, p));
        prop_oneof![bit, number]
    }

    proptest! {
        #[test]
        fn symbols_are_read_as_they_were_written(symbols in prop::collection::vec(symbol(), 0..300)) {
            let mut writer = Writer::default();
            for symbol in &symbols {
                match *symbol {
                    Symbol::Bit(bit, p) => writer.bit(bit, p),
                    Symbol::Number(i, n) => writer.number(i, n),
                }
            }
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            for symbol in &symbols {
                match *symbol {
                    Symbol::Bit(bit, p) => prop_assert_eq!(reader.bit(p), bit),
                    Symbol::Number(i, n) => prop_assert_eq!(reader.number(n), i),
                }
            }
            prop_assert!(reader.is_whole());
            let mut cut = Reader::new(&bytes[..bytes.len() - 2]);
            for symbol in &symbols {
                match *symbol {
                    Symbol::Bit(_, p) => { cut.bit(p); }
                    Symbol::Number(_, n) => { cut.number(n); }
                }
            }
            prop_assert!(!cut.is_whole());
        }
    }

    #[test]
    fn likely_bits_take_little() {
        let mut writer = Writer::default();
        for i in 0..10_000 {
            writer.bit(i % 1000 == 0, 4);
        }
        // 10 of 10,000: 114 bits.
        assert!(writer.finish().len() <= 20);
    }
}
