//! Reads and writes little-endian numbers and length-prefixed lists.
//!
//! A list is read only if the remaining bytes can hold as many entries as it claims. So a corrupt
//! or hostile length cannot cause a huge allocation.

/// The parsed value or, as the error, a short description of the fault.
pub type Parsed<T> = Result<T, &'static str>;

/// Reads values from the front of a byte slice.
pub struct ByteReader<'a> {
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

    /// Reads a byte string prefixed with a one-byte length.
    pub(crate) fn short_bytes(&mut self) -> Parsed<&'a [u8]> {
        let n = self.u8()?;
        self.bytes(n.into())
    }

    /// Reads a list prefixed with a four-byte number of entries. Fails if the list claims more than
    /// `max_entries` entries, or more entries of at least `min_bytes` bytes than the rest can hold.
    pub(crate) fn list<T>(
        &mut self,
        max_entries: usize,
        min_bytes: usize,
        mut entry: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let n = self.u32()? as usize;
        if n > max_entries || n.saturating_mul(min_bytes) > self.rest.len() {
            return Err("a list claims more entries than its bytes can hold");
        }
        (0..n).map(|_| entry(self)).collect()
    }

    /// Fails if unread bytes remain.
    pub(crate) fn end(self) -> Parsed<()> {
        match self.rest {
            [] => Ok(()),
            _ => Err("it has bytes left over"),
        }
    }
}

/// Appends values to a byte vector.
///
/// A list that is too long for its length field is cut short, so callers check lengths first.
#[derive(Default)]
pub struct ByteWriter {
    pub(crate) bytes: Vec<u8>,
}

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_longer_than_its_bytes_is_refused() {
        let bytes = u32::MAX.to_le_bytes();
        let list = ByteReader::new(&bytes).list(usize::MAX, 8, ByteReader::u64);
        assert_eq!(
            list,
            Err("a list claims more entries than its bytes can hold")
        );
    }
}
