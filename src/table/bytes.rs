//! Numbers, lists and statistics from bytes, little-endian.
//!
//! Reading never trusts a length: a list is taken only if the bytes that are left can hold it, so
//! no damaged or hostile file makes the reader ask for more memory than the file is long.

use crate::stats::{Counts, Example, Statistics};

/// What reading gives: the value, or in a few words what was wrong with the bytes.
pub(super) type Parsed<T> = Result<T, &'static str>;

/// The most entries of one list of statistics: moves are numbers of 16 bits.
pub(super) const MAX_LIST: usize = 1 << 16;

/// Takes values off the front of some bytes.
pub(super) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { rest: bytes }
    }

    pub(super) fn bytes(&mut self, n: usize) -> Parsed<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or("it ends too early")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Parsed<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or("it ends too early")?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Parsed<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u16(&mut self) -> Parsed<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Parsed<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Parsed<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A string of bytes with its length in one byte before it.
    pub(super) fn short_bytes(&mut self) -> Parsed<&'a [u8]> {
        let n = self.u8()?;
        self.bytes(n.into())
    }

    /// A list with its length before it, each entry of at least `least` bytes.
    pub(super) fn list<T>(
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

    pub(super) fn statistics(&mut self) -> Parsed<Statistics> {
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
        Ok((!squares.is_empty()).then(|| squares.to_vec()))
    }

    /// Nothing may be left.
    pub(super) fn end(self) -> Parsed<()> {
        match self.rest {
            [] => Ok(()),
            _ => Err("it ends too late"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_longer_than_the_bytes_left_is_refused_before_memory_is_asked_for() {
        let bytes = u32::MAX.to_le_bytes();
        let list = ByteReader::new(&bytes).list(usize::MAX, 8, ByteReader::u64);
        assert_eq!(list, Err("a list in it is too long"));
    }
}
