//! Numbers, lists and statistics from bytes and to bytes, little-endian.
//!
//! Reading never trusts a length: a list is read only if the remaining bytes can hold it, so no
//! corrupt or hostile file makes the reader ask for more memory than the file is long.

use crate::stats::{Counts, Example, Statistics};

/// The value read, or in a few words what is wrong with the bytes.
pub(crate) type Parsed<T> = Result<T, &'static str>;

/// The most entries of one list of statistics: moves are numbers of 16 bits.
pub(crate) const MAX_LIST: usize = 1 << 16;

/// Takes values off the front of some bytes.
pub(crate) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { rest: bytes }
    }

    pub(crate) fn bytes(&mut self, n: usize) -> Parsed<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or("it ends too early")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Parsed<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or("it ends too early")?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Parsed<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Parsed<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Parsed<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Parsed<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A string of bytes after its length, which is one byte.
    pub(crate) fn short_bytes(&mut self) -> Parsed<&'a [u8]> {
        let n = self.u8()?;
        self.bytes(n.into())
    }

    /// A list after its length, with entries of at least `least` bytes.
    pub(crate) fn list<T>(
        &mut self,
        most: usize,
        least: usize,
        mut entry: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let n = self.u32()? as usize;
        if n > most || n.saturating_mul(least) > self.rest.len() {
            return Err("a list in it is too long");
        }
        (0..n).map(|_| entry(self)).collect()
    }

    pub(crate) fn statistics(&mut self) -> Parsed<Statistics> {
        Ok(Statistics {
            white_to_move: self.counts()?,
            black_to_move: self.counts()?,
        })
    }

    fn counts(&mut self) -> Parsed<Counts> {
        Ok(Counts {
            draws: self.u64()?,
            white_wins: self.list(MAX_LIST, 8, Self::u64)?,
            black_wins: self.list(MAX_LIST, 8, Self::u64)?,
            white_examples: self.list(MAX_LIST, 1, Self::example)?,
            black_examples: self.list(MAX_LIST, 1, Self::example)?,
        })
    }

    fn example(&mut self) -> Parsed<Option<Example>> {
        let squares = self.short_bytes()?;
        if squares.iter().any(|&square| square >= 64) {
            return Err("an example in it is off the board");
        }
        Ok((!squares.is_empty()).then(|| Example::new(squares.to_vec())))
    }

    /// Nothing may be left.
    pub(crate) fn end(self) -> Parsed<()> {
        match self.rest {
            [] => Ok(()),
            _ => Err("it ends too late"),
        }
    }
}

/// Appends values.
///
/// Lengths are cut to what fits; what is written has been checked before.
#[cfg(feature = "make")]
#[derive(Default)]
pub(crate) struct ByteWriter {
    pub(crate) bytes: Vec<u8>,
}

#[cfg(feature = "make")]
impl ByteWriter {
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    pub(crate) fn short_bytes(&mut self, bytes: &[u8]) {
        let n = bytes.len().min(u8::MAX.into());
        self.u8(n as u8);
        self.put(&bytes[..n]);
    }

    pub(crate) fn list<T>(&mut self, list: &[T], mut entry: impl FnMut(&mut Self, &T)) {
        let n = u32::try_from(list.len()).unwrap_or(u32::MAX);
        self.u32(n);
        for value in &list[..n as usize] {
            entry(self, value);
        }
    }

    pub(crate) fn statistics(&mut self, statistics: &Statistics) {
        self.counts(&statistics.white_to_move);
        self.counts(&statistics.black_to_move);
    }

    fn counts(&mut self, counts: &Counts) {
        self.u64(counts.draws);
        self.list(&counts.white_wins, |out, &n| out.u64(n));
        self.list(&counts.black_wins, |out, &n| out.u64(n));
        self.list(&counts.white_examples, Self::example);
        self.list(&counts.black_examples, Self::example);
    }

    fn example(&mut self, example: &Option<Example>) {
        self.short_bytes(example.as_ref().map_or(&[], Example::squares));
    }
}

/// Why these statistics do not round-trip, if they do not.
#[cfg(feature = "make")]
pub(crate) fn statistics_fault(statistics: &Statistics) -> Option<&'static str> {
    [&statistics.white_to_move, &statistics.black_to_move]
        .into_iter()
        .find_map(|counts| {
            let lists = [counts.white_wins.len(), counts.black_wins.len()];
            let examples = [&counts.white_examples, &counts.black_examples];
            if lists.iter().any(|&n| n > MAX_LIST) || examples.iter().any(|l| l.len() > MAX_LIST) {
                return Some("its statistics have a list of more than 65536 entries");
            }
            examples
                .into_iter()
                .flatten()
                .flatten()
                .map(Example::squares)
                .any(|squares| {
                    squares.is_empty()
                        || squares.len() > u8::MAX.into()
                        || squares.iter().any(|&square| square >= 64)
                })
                .then_some("its statistics have an example that is no position")
        })
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn list_longer_than_its_bytes_is_refused() {
        let bytes = u32::MAX.to_le_bytes();
        let list = ByteReader::new(&bytes).list(usize::MAX, 8, ByteReader::u64);
        assert_eq!(list, Err("a list in it is too long"));
    }

    fn counts() -> impl Strategy<Value = Counts> {
        let wins = || prop::collection::vec(any::<u64>(), 0..20);
        let squares = prop::collection::vec(0u8..64, 1..9);
        let example = prop::option::of(squares.prop_map(Example::new));
        let examples = prop::collection::vec(example, 0..20);
        (wins(), wins(), any::<u64>(), examples.clone(), examples).prop_map(
            |(white_wins, black_wins, draws, white_examples, black_examples)| Counts {
                white_wins,
                black_wins,
                draws,
                white_examples,
                black_examples,
            },
        )
    }

    proptest! {
        #[test]
        fn statistics_round_trip(white in counts(), black in counts()) {
            let statistics = Statistics { white_to_move: white, black_to_move: black };
            prop_assert_eq!(statistics_fault(&statistics), None);
            let mut out = ByteWriter::default();
            out.statistics(&statistics);
            let mut input = ByteReader::new(&out.bytes);
            prop_assert_eq!(input.statistics(), Ok(statistics));
            prop_assert_eq!(input.end(), Ok(()));
        }
    }

    #[test]
    fn statistics_that_do_not_round_trip_are_refused() {
        let with = |squares: Vec<u8>| Statistics {
            white_to_move: Counts {
                black_examples: vec![Some(Example::new(squares))],
                ..Counts::default()
            },
            ..Statistics::default()
        };
        assert!(statistics_fault(&with(vec![])).is_some());
        assert!(statistics_fault(&with(vec![64, 3])).is_some());
        assert!(statistics_fault(&with(vec![63, 3])).is_none());
    }
}
