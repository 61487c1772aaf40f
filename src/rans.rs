//! A range coder after J. Duda, "Asymmetric numeral systems" (2009), in its range variant: symbols
//! come out in the order in which they are read, at a fraction of a bit each.
//!
//! A state is a 32-bit number of at least [`LOW`], and gives and takes 16 bits at a time. Each symbol
//! waits for the one before it with the same state: several states take turns where that is too slow
//! (F. Giesen, "Interleaved entropy coders", 2014). Each costs two bytes, in which a checksum has room; where
//! there is none a writer with one state begins with 0, which is below [`LOW`], and saves them
//! ([`Writer::finish_from_zero`]).

/// The bits of a probability.
pub const BITS: u32 = 12;

/// A probability of 1.
pub const ONE: u32 = 1 << BITS;

/// A state is never below this between two symbols, but for those that are written before any word.
const LOW: u32 = 1 << 16;

/// How far a [`Reader`] with one state has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its state.
    pub state: u32,
    /// How many pairs of bytes it has not read.
    pub left: u16,
}

/// Reads symbols off the front of some bytes.
///
/// Bytes that end too early read as zeros: what comes out is wrong then, and [`Reader::end`] says
/// so.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a, const STATES: usize = 1> {
    /// The states, the next symbol's first.
    states: [u32; STATES],
    words: &'a [[u8; 2]],
    /// The number of words read, of those that are missing too.
    read: usize,
    odd: bool,
}

impl<'a, const STATES: usize> Reader<'a, STATES> {
    /// A reader of what a [`Writer`] with as many states wrote.
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

    /// The next word; 0 after the last.
    #[inline(always)]
    fn word(&self) -> u32 {
        // Less work than with `get`.
        match self.read < self.words.len() {
            true => u16::from_le_bytes(self.words[self.read]).into(),
            false => 0,
        }
    }

    /// The number below [`ONE`] that says which symbol is next: the one in whose range it is.
    #[inline(always)]
    pub fn slot(&self) -> u32 {
        self.states[0] & (ONE - 1)
    }

    /// Takes out the next symbol, whose range has this start and width.
    #[inline(always)]
    pub fn take(&mut self, start: u32, width: u32) {
        self.set(width * (self.states[0] >> BITS) + self.slot() - start);
    }

    /// Goes on with this in place of the first state. Where no word is left a single one stays as it is. Several
    /// never begin with 0, and are checked at the end.
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

    /// The same, for symbols of so little that a word is seldom needed: a jump that is foretold takes less
    /// time than the choice. Where no word is left the state stays as it is.
    #[inline(always)]
    fn set_with_a_jump(&mut self, mut state: u32) {
        if state < LOW && self.read < self.words.len() {
            state = state << 16 | self.word();
            self.read += 1;
        }
        for i in 1..STATES {
            self.states[i - 1] = self.states[i];
        }
        self.states[STATES - 1] = state;
    }

    /// A bit that is 1 with this probability in parts of [`ONE`], more than 0 and less than [`ONE`].
    #[inline(always)]
    pub fn bit(&mut self, probability: u32) -> bool {
        let slot = self.slot();
        let high = probability * (self.states[0] >> BITS);
        let bit = slot < probability;
        let yes = high + slot;
        let no = self.states[0].wrapping_sub(high).wrapping_sub(probability);
        self.set_with_a_jump(if bit { yes } else { no });
        bit
    }

    /// A number below `n`, each as likely. `n` is 1 to [`ONE`].
    #[inline(always)]
    pub fn number(&mut self, n: u32) -> u32 {
        let number = (self.slot() * n) >> BITS;
        self.take(
            start_of(number, n),
            start_of(number + 1, n) - start_of(number, n),
        );
        number
    }

    /// What the [`Writer`] ended with. None if bytes were missing, or not all have been read.
    pub fn end(&self) -> Option<[u16; STATES]> {
        let whole = !self.odd && self.read == self.words.len();
        let above = self.states.map(|state| state.wrapping_sub(LOW));
        let ended = whole && above.iter().all(|&above| above < LOW);
        ended.then_some(above.map(|above| above as u16))
    }
}

impl<'a> Reader<'a> {
    /// A reader of what [`Writer::finish_from_zero`] wrote.
    pub fn from_zero(bytes: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader::new(bytes);
        // The higher word of a small state is left out.
        reader.read = reader.read.min(reader.words.len());
        reader
    }

    /// Whether such a reader has read all bytes, and is where the writer began.
    pub fn is_at_zero(&self) -> bool {
        !self.odd && self.read == self.words.len() && self.states == [0]
    }

    /// A reader of the same bytes that goes on where another was.
    pub fn resume(bytes: &'a [u8], place: Place) -> Reader<'a> {
        let (words, rest) = bytes.as_chunks();
        Reader {
            states: [place.state],
            words,
            read: words.len().saturating_sub(place.left.into()),
            odd: !rest.is_empty(),
        }
    }

    /// Where it is. None if bytes were missing.
    pub fn place(&self) -> Option<Place> {
        let left = self.words.len().checked_sub(self.read)?;
        let left = u16::try_from(left).ok().filter(|_| !self.odd)?;
        let [state] = self.states;
        Some(Place { state, left })
    }
}

/// Where a number below `n` begins in the range.
#[inline(always)]
fn start_of(number: u32, n: u32) -> u32 {
    (number << BITS).div_ceil(n)
}

/// 2^44 divided by each width, rounded up.
#[cfg(feature = "make")]
static RECIPROCALS: [u64; ONE as usize + 1] = {
    let mut reciprocals = [0; ONE as usize + 1];
    let mut width = 1;
    while width < reciprocals.len() {
        reciprocals[width] = (1u64 << 44).div_ceil(width as u64);
        width += 1;
    }
    reciprocals
};

/// A state divided by a width, 1 to [`ONE`], of which it is less than 2^20 times as much. The product is too
/// large by less than the state, which is less than 2^44 divided by the width: it does not reach the next
/// quotient, and it stays below 2^64.
#[cfg(feature = "make")]
#[inline(always)]
fn divided(state: u32, width: u32) -> u32 {
    ((u64::from(state) * RECIPROCALS[width as usize]) >> 44) as u32
}

/// Gathers symbols, and writes them so that a [`Reader`] reads them in the same order.
#[cfg(feature = "make")]
#[derive(Debug, Default)]
pub struct Writer<const STATES: usize = 1> {
    /// The start and width of each symbol.
    symbols: Vec<(u16, u16)>,
    /// The words of the bytes, from the last on.
    words: Vec<u16>,
}

#[cfg(feature = "make")]
impl<const STATES: usize> Writer<STATES> {
    /// The number of symbols added.
    pub fn symbols(&self) -> usize {
        self.symbols.len()
    }

    /// Adds a symbol whose range has this start and width, less than [`ONE`].
    #[inline]
    pub fn put(&mut self, start: u32, width: u32) {
        debug_assert!((1..ONE).contains(&width) && start + width <= ONE);
        self.symbols.push((start as u16, width as u16));
    }

    /// Adds a bit that is 1 with this probability.
    pub fn bit(&mut self, bit: bool, probability: u32) {
        match bit {
            true => self.put(0, probability),
            false => self.put(probability, ONE - probability),
        }
    }

    /// Adds a number below `n`.
    pub fn number(&mut self, number: u32, n: u32) {
        let (start, end) = (start_of(number, n), start_of(number + 1, n));
        // A width of ONE, which does not fit, has nothing to say.
        self.symbols.push((start as u16, (end - start) as u16));
    }

    /// Puts the bytes of all symbols added at the end of `out`, and forgets the symbols. A reader gets
    /// `end` back after the last symbol, in bytes that it costs anyway: a place for a checksum.
    pub fn finish(&mut self, end: [u16; STATES], out: &mut Vec<u8>) {
        // The state that the last symbol leaves is the first of its kind.
        let mut states = [LOW; STATES];
        for (i, &end) in end.iter().enumerate() {
            states[(self.symbols.len() + i) % STATES] += u32::from(end);
        }
        let states = self.encode(states);
        let heads = states.iter().rev();
        self.words
            .extend(heads.flat_map(|&state| [(state >> 16) as u16, state as u16]));
        self.put_words(out);
    }

    /// Writes all symbols added, the last of them first, as words from the last on, and forgets them. Returns what
    /// the states become.
    #[inline(always)]
    fn encode(&mut self, mut states: [u32; STATES]) -> [u32; STATES] {
        self.words.clear();
        let mut put = |state: &mut u32, (start, width): (u16, u16)| {
            let (start, width) = (u32::from(start), u32::from(width));
            let width = if width == 0 { ONE } else { width };
            if u64::from(*state) >= u64::from(width) << (32 - BITS) {
                self.words.push(*state as u16);
                *state >>= 16;
            }
            let quotient = divided(*state, width);
            *state = quotient << BITS | (*state - quotient * width + start);
        };
        // All states in turn at a time, so that they are kept in registers.
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
        states
    }

    /// Puts the words at the end of `out`, the last one first.
    fn put_words(&self, out: &mut Vec<u8>) {
        let words = self.words.iter().rev();
        out.extend(words.flat_map(|word| word.to_le_bytes()));
    }
}

#[cfg(feature = "make")]
impl Writer {
    /// [`Writer::finish`], but for readers that begin with [`Reader::from_zero`]: about a word less.
    pub fn finish_from_zero(&mut self, out: &mut Vec<u8>) {
        let [state] = self.encode([0]);
        if state >= LOW {
            self.words.push((state >> 16) as u16);
        }
        self.words.push(state as u16);
        self.put_words(out);
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
            // As one that goes on where another was.
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
        // 10 of 10,000: 114 bits.
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
