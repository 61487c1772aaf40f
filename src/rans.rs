//! An entropy coder, which converts symbols with known probabilities to bytes. A symbol of
//! probability p takes close to −log2 p bits.
//!
//! It is rANS, the range variant of asymmetric numeral systems (J. Duda, 2009). One number, the
//! *state*, represents all symbols so far. Each symbol owns a range of the numbers below 4096, as
//! wide as its probability: for example, a symbol with probability ¾ has the range from 0 with
//! width 3072, and a symbol with probability ¼ has the rest. Encoding a symbol multiplies the state
//! by about 4096 / width, decoding divides it again:
//!
//! ```text
//! encode   state' = state / width * 4096 + start + state % width
//! decode   slot = state' % 4096         the symbol in whose range it is
//!          state = width * (state' / 4096) + slot - start
//!
//! encode the ¾ symbol:   65536 / 3072 = 21, remainder 1024:   21 * 4096 +    0 + 1024 =  87040
//! encode the ¼ symbol:   65536 / 1024 = 64, remainder    0:   64 * 4096 + 3072 +    0 = 265216
//! decode 87040:          slot 1024 is below 3072, the ¾ symbol;   3072 * 21 + 1024 - 0 = 65536
//! ```
//!
//! The likely symbol adds log2(87040 / 65536) = 0.41 bits to the state, the unlikely one 2.02.
//!
//! A state is a 32-bit number, at least [`LOW`] between symbols. It is written and read in words of
//! 16 bits. The writer encodes the last symbol first, so that the reader gets them in order.
//! Decoding a symbol needs the state after the previous symbol, so symbols are decoded strictly one
//! after the other. Where that is too slow, several states take turns (F. Giesen, "Interleaved
//! entropy coders", 2014).
//!
//! Storing the final state costs two bytes more than the symbols need. These bytes can carry 16
//! bits of a checksum ([`Writer::finish`]). Without a checksum, a writer with one state can save
//! them by starting from 0, below [`LOW`] ([`Writer::finish_from_zero`]).

/// The number of bits of a probability.
pub const BITS: u32 = 12;

/// The width of the range of a symbol with probability 1.
pub const ONE: u32 = 1 << BITS;

/// The smallest state between two symbols. Smaller states occur only in a writer that starts from
/// 0, before its first word.
const LOW: u32 = 1 << 16;

/// A position in the input of a [`Reader`] that has one state. Another reader can continue from
/// this position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The reader's state.
    pub state: u32,
    /// The number of unread words of two bytes each.
    pub left: u16,
}

/// Reads symbols from a byte slice, in the order in which they were written.
///
/// Missing bytes are read as zeros. From there on, the symbols are wrong, and [`Reader::end`]
/// returns `None`.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a, const STATES: usize = 1> {
    /// The states of the decoder. The next symbol is decoded from the first state.
    states: [u32; STATES],
    words: &'a [[u8; 2]],
    /// The number of words read, including missing ones.
    read: usize,
    odd: bool,
}

impl<'a, const STATES: usize> Reader<'a, STATES> {
    /// Makes a reader for the output of a [`Writer`] with the same number of states.
    pub fn new(bytes: &'a [u8]) -> Reader<'a, STATES> {
        let (words, rest) = bytes.as_chunks();
        let mut reader = Reader {
            states: [0; STATES],
            words,
            read: 0,
            odd: !rest.is_empty(),
        };
        for i in 0..STATES {
            let low = reader.word();
            reader.read += 1;
            reader.states[i] = reader.word() << 16 | low;
            reader.read += 1;
        }
        reader
    }

    /// Returns the next word; 0 past the end of the input.
    #[inline(always)]
    fn word(&self) -> u32 {
        // This is faster than `get`.
        match self.read < self.words.len() {
            true => u16::from_le_bytes(self.words[self.read]).into(),
            false => 0,
        }
    }

    /// A number below [`ONE`] that identifies the next symbol: it is in the symbol's range.
    #[inline(always)]
    pub fn slot(&self) -> u32 {
        self.states[0] & (ONE - 1)
    }

    /// Advances to the next symbol. The arguments are the start and the width of the current
    /// symbol's range.
    #[inline(always)]
    pub fn take(&mut self, start: u32, width: u32) {
        self.set(width * (self.states[0] >> BITS) + self.slot() - start);
    }

    /// Replaces the first state with `state`, refilled from the input if it is too small. After the
    /// last word of the input, a reader with one state accepts the small state, because the writer
    /// may have started from 0. A reader with several states refills the state with zeros, and
    /// [`Reader::end`] then returns `None`.
    #[inline(always)]
    fn set(&mut self, state: u32) {
        let low = state < LOW && (STATES > 1 || self.read < self.words.len());
        let word = self.word();
        self.read += usize::from(low);
        for i in 1..STATES {
            self.states[i - 1] = self.states[i];
        }
        self.states[STATES - 1] = if low { state << 16 | word } else { state };
    }

    /// Like [`Reader::set`], but faster for symbols of few bits. These rarely need a new word, so a
    /// branch is predicted well and costs less than a conditional move. If no word is left, the
    /// state stays small.
    #[inline(always)]
    fn set_with_branch(&mut self, mut state: u32) {
        if state < LOW && self.read < self.words.len() {
            state = state << 16 | self.word();
            self.read += 1;
        }
        for i in 1..STATES {
            self.states[i - 1] = self.states[i];
        }
        self.states[STATES - 1] = state;
    }

    /// Reads a bit that is 1 with the probability `probability` / [`ONE`], which is strictly
    /// between 0 and 1.
    #[inline(always)]
    pub fn bit(&mut self, probability: u32) -> bool {
        let slot = self.slot();
        let high = probability * (self.states[0] >> BITS);
        let bit = slot < probability;
        let yes = high + slot;
        let no = self.states[0].wrapping_sub(high).wrapping_sub(probability);
        self.set_with_branch(if bit { yes } else { no });
        bit
    }

    /// Reads a number from 0 to `n` − 1, each equally likely. `n` is 1 to [`ONE`].
    #[inline(always)]
    pub fn number(&mut self, n: u32) -> u32 {
        let number = (self.slot() * n) >> BITS;
        self.take(
            start_of(number, n),
            start_of(number + 1, n) - start_of(number, n),
        );
        number
    }

    /// Returns the `end` words that were passed to [`Writer::finish`], one for each state. None if
    /// bytes are missing or left over.
    pub fn end(&self) -> Option<[u16; STATES]> {
        let whole = !self.odd && self.read == self.words.len();
        let above = self.states.map(|state| state.wrapping_sub(LOW));
        let ended = whole && above.iter().all(|&above| above < LOW);
        ended.then_some(above.map(|above| above as u16))
    }
}

impl<'a> Reader<'a> {
    /// Makes a reader for the output of [`Writer::finish_from_zero`].
    pub fn from_zero(bytes: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader::new(bytes);
        // The output leaves out the high word of a small state.
        reader.read = reader.read.min(reader.words.len());
        reader
    }

    /// True if all bytes have been read and the state is back at 0, where the writer started.
    pub fn is_at_zero(&self) -> bool {
        !self.odd && self.read == self.words.len() && self.states == [0]
    }

    /// Makes a reader that continues at `place` in the same bytes.
    pub fn resume(bytes: &'a [u8], place: Place) -> Reader<'a> {
        let (words, rest) = bytes.as_chunks();
        Reader {
            states: [place.state],
            words,
            read: words.len().saturating_sub(place.left.into()),
            odd: !rest.is_empty(),
        }
    }

    /// The current position in the input. None if bytes were missing.
    pub fn place(&self) -> Option<Place> {
        let left = self.words.len().checked_sub(self.read)?;
        let left = u16::try_from(left).ok().filter(|_| !self.odd)?;
        let [state] = self.states;
        Some(Place { state, left })
    }
}

/// The start of the range of `number`, if [`ONE`] is divided into `n` nearly equal ranges.
#[inline(always)]
fn start_of(number: u32, n: u32) -> u32 {
    (number << BITS).div_ceil(n)
}

/// For each width, 2^44 / width, rounded up.
static RECIPROCALS: [u64; ONE as usize + 1] = {
    let mut reciprocals = [0; ONE as usize + 1];
    let mut width = 1;
    while width < reciprocals.len() {
        reciprocals[width] = (1u64 << 44).div_ceil(width as u64);
        width += 1;
    }
    reciprocals
};

/// Computes `state / width` by a multiplication, for a width of 1 to [`ONE`] and a state below 2^20
/// times the width. Because the reciprocal is rounded up, the product is too large, but by less
/// than the state, which is less than 2^44 / width. So the quotient is exact, and the product fits
/// into 64 bits.
#[inline(always)]
fn divided(state: u32, width: u32) -> u32 {
    ((u64::from(state) * RECIPROCALS[width as usize]) >> 44) as u32
}

/// A symbol by the range that it owns: the start and the width of the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol with the range that begins at `start`, which is below [`ONE`], and has a width of
    /// 1 to [`ONE`].
    #[inline(always)]
    pub fn new(start: u32, width: u32) -> Symbol {
        debug_assert!((1..=ONE).contains(&width) && start + width <= ONE);
        Symbol(start << 16 | width)
    }

    #[inline(always)]
    fn start(self) -> u32 {
        self.0 >> 16
    }

    #[inline(always)]
    fn width(self) -> u32 {
        self.0 & 0xffff
    }
}

/// The number of symbols that [`Writer::put_many`] takes at most.
pub const MANY: usize = 64;

/// Collects symbols and encodes them for a [`Reader`].
#[derive(Debug, Default)]
pub struct Writer<const STATES: usize = 1> {
    /// The pending symbols.
    symbols: Vec<Symbol>,
    /// Room for the encoded words. They fill it from the end, since the last symbol comes first.
    words: Vec<u16>,
}

impl<const STATES: usize> Writer<STATES> {
    /// The number of pending symbols.
    pub fn symbols(&self) -> usize {
        self.symbols.len()
    }

    /// Adds a symbol by the start and the width of its range.
    #[inline]
    pub fn put(&mut self, start: u32, width: u32) {
        self.put_symbol(Symbol::new(start, width));
    }

    /// Adds a symbol.
    #[inline]
    pub fn put_symbol(&mut self, symbol: Symbol) {
        self.symbols.push(symbol);
    }

    /// Adds the first `count` of these symbols.
    #[inline(always)]
    pub fn put_many(&mut self, symbols: &[Symbol; MANY], count: usize) {
        // Copying all of them takes a few instructions; copying some would take a call.
        let end = self.symbols.len() + count.min(MANY);
        self.symbols.extend_from_slice(symbols);
        self.symbols.truncate(end);
    }

    /// Adds a bit that is 1 with the probability `probability` / [`ONE`].
    pub fn bit(&mut self, bit: bool, probability: u32) {
        match bit {
            true => self.put(0, probability),
            false => self.put(probability, ONE - probability),
        }
    }

    /// Adds a number from 0 to `n` − 1, each equally likely. If `n` is 1, the number costs no bits.
    pub fn number(&mut self, number: u32, n: u32) {
        let (start, end) = (start_of(number, n), start_of(number + 1, n));
        self.put(start, end - start);
    }

    /// Encodes the pending symbols, appends them to `out`, and clears them. The reader recovers
    /// `end` after the last symbol. `end` costs no further bytes, so it can carry a checksum.
    pub fn finish(&mut self, end: [u16; STATES], out: &mut Vec<u8>) {
        // After the last symbol, state `i` of the reader is the state with this index here.
        let mut states = [LOW; STATES];
        for (i, &end) in end.iter().enumerate() {
            states[(self.symbols.len() + i) % STATES] += u32::from(end);
        }
        let (states, first) = self.encode(states);
        for state in states {
            put_words(&[state as u16, (state >> 16) as u16], out);
        }
        put_words(&self.words[first..], out);
    }

    /// Encodes the pending symbols, from the last to the first, and clears them. Returns the final
    /// states, and the index in `words` of the first word.
    #[inline(always)]
    fn encode(&mut self, mut states: [u32; STATES]) -> ([u32; STATES], usize) {
        // A symbol takes at most one word, so the room always suffices.
        self.words.resize(self.symbols.len(), 0);
        let words = &mut self.words[..];
        let mut first = words.len();
        let mut put = |state: &mut u32, symbol: Symbol| {
            let (start, width) = (symbol.start(), symbol.width());
            let large = u64::from(*state) >= u64::from(width) << (32 - BITS);
            // A writer with one state gets bits of high probability, which rarely need a word: a
            // branch is predicted well. With several states there is none: the word is written in
            // any case, and kept only if the state is too large.
            if (STATES > 1 || large)
                && let Some(word) = words.get_mut(first.wrapping_sub(1))
            {
                *word = *state as u16;
            }
            first -= usize::from(large);
            let small = if large { *state >> 16 } else { *state };
            // This is quotient * ONE + remainder + start.
            *state = small + start + divided(small, width) * (ONE - width);
        };
        // Encodes one symbol per state in each iteration, so that all states stay in registers.
        let (turns, rest) = self.symbols.as_chunks::<STATES>();
        for (state, &symbol) in states.iter_mut().zip(rest).rev() {
            put(state, symbol);
        }
        for turn in turns.iter().rev() {
            for (state, &symbol) in states.iter_mut().zip(turn).rev() {
                put(state, symbol);
            }
        }
        self.symbols.clear();
        (states, first)
    }
}

/// Appends words to `out`.
fn put_words(words: &[u16], out: &mut Vec<u8>) {
    let before = out.len();
    out.resize(before + 2 * words.len(), 0);
    let (pairs, _) = out[before..].as_chunks_mut();
    for (pair, word) in pairs.iter_mut().zip(words) {
        *pair = word.to_le_bytes();
    }
}

impl Writer {
    /// Like [`Writer::finish`], but for a reader made by [`Reader::from_zero`]. The result is about
    /// one word shorter.
    pub fn finish_from_zero(&mut self, out: &mut Vec<u8>) {
        let ([state], first) = self.encode([0]);
        put_words(&[state as u16], out);
        if state >= LOW {
            put_words(&[(state >> 16) as u16], out);
        }
        put_words(&self.words[first..], out);
    }
}

#[cfg(test)]
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

    fn round_trip<const STATES: usize>(symbols: &[Symbol]) {
        let mut writer = Writer::<STATES>::default();
        let end = std::array::from_fn(|i| (40_000 + 13 * i) as u16 * (symbols.len() % 2) as u16);
        for symbol in symbols {
            match *symbol {
                Symbol::Bit(bit, p) => writer.bit(bit, p),
                Symbol::Number(i, n) => writer.number(i, n),
            }
        }
        let mut bytes = Vec::new();
        writer.finish(end, &mut bytes);
        let mut reader = Reader::<STATES>::new(&bytes);
        for symbol in symbols {
            match *symbol {
                Symbol::Bit(bit, p) => assert_eq!(reader.bit(p), bit),
                Symbol::Number(i, n) => assert_eq!(reader.number(n), i),
            }
        }
        assert_eq!(reader.end(), Some(end));
        for damaged in [&bytes[..bytes.len() - 2], &[&bytes[..], &[0]].concat()] {
            let mut reader = Reader::<STATES>::new(damaged);
            for symbol in symbols {
                match *symbol {
                    Symbol::Bit(_, p) => drop(reader.bit(p)),
                    Symbol::Number(_, n) => drop(reader.number(n)),
                }
            }
            assert_ne!(reader.end(), Some(end));
        }
    }

    fn round_trip_from_zero(symbols: &[Symbol]) {
        let mut writer = Writer::<1>::default();
        for symbol in symbols {
            match *symbol {
                Symbol::Bit(bit, p) => writer.bit(bit, p),
                Symbol::Number(i, n) => writer.number(i, n),
            }
        }
        let mut bytes = Vec::new();
        writer.finish_from_zero(&mut bytes);
        let mut reader = Reader::from_zero(&bytes);
        for (i, symbol) in symbols.iter().enumerate() {
            // A second reader resumes from the place of the first.
            if i % 7 == 0 {
                reader = Reader::resume(&bytes, reader.place().unwrap());
            }
            match *symbol {
                Symbol::Bit(bit, p) => assert_eq!(reader.bit(p), bit),
                Symbol::Number(i, n) => assert_eq!(reader.number(n), i),
            }
        }
        assert!(reader.is_at_zero());
        for damaged in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            let mut reader = Reader::from_zero(damaged);
            for symbol in symbols {
                match *symbol {
                    Symbol::Bit(_, p) => drop(reader.bit(p)),
                    Symbol::Number(_, n) => drop(reader.number(n)),
                }
            }
            assert!(!reader.is_at_zero());
        }
    }

    proptest! {
        #[test]
        fn symbols_are_read_as_they_were_written(symbols in prop::collection::vec(symbol(), 0..300)) {
            round_trip::<1>(&symbols);
            round_trip::<2>(&symbols);
            round_trip::<3>(&symbols);
            round_trip_from_zero(&symbols);
        }
    }

    #[test]
    fn multiplying_by_the_reciprocal_is_dividing() {
        for width in 1..=ONE {
            let last = ((u64::from(width) << 20) - 1) as u32;
            let near = (0..64).map(|part| (u64::from(last) * part / 64) as u32 / width * width);
            for near in near.chain([last / width * width]) {
                for state in [near.saturating_sub(1), near, last.min(near + 1), last] {
                    assert_eq!(divided(state, width), state / width, "{state} / {width}");
                }
            }
        }
    }

    #[test]
    fn likely_bits_take_little() {
        let mut writer = Writer::<1>::default();
        for i in 0..10_000 {
            writer.bit(i % 1000 == 0, 4);
        }
        // Ones at 10 of 10,000 places carry 114 bits of information.
        let symbols = writer.symbols.clone();
        let mut bytes = Vec::new();
        writer.finish_from_zero(&mut bytes);
        assert!(bytes.len() <= 18);
        bytes.clear();
        writer.symbols = symbols;
        writer.finish([0], &mut bytes);
        assert!(bytes.len() <= 20);
    }
}
