//! The index of a part's blocks: where each starts, and what its kind notes beside its length.
//!
//! Entries are of the same number of bytes, in groups; before each group is the place of its first block.
//! The other places follow from the lengths, so that an entry needs few bytes.

/// An index in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockIndex {
    /// Where it is.
    pub place: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The blocks of a group.
    pub group: u64,
    /// The bytes of an entry.
    pub entry_bytes: u64,
}

/// The bytes of the place before each group.
const PLACE_BYTES: u64 = 8;

/// Some entries of an index, the first of a group and those after it.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    /// The place of the first block.
    pub first: u64,
    bytes: &'a [u8],
    entry_bytes: usize,
}

impl BlockIndex {
    /// Where it ends, if that is a place at all.
    pub fn end(&self) -> Option<u64> {
        let places = self.blocks.div_ceil(self.group) * PLACE_BYTES;
        let entries = self.blocks.checked_mul(self.entry_bytes)?;
        self.place.checked_add(entries)?.checked_add(places)
    }

    /// Where the first `blocks` entries of a group are, with the place before them, and how many bytes they
    /// have.
    pub fn group(&self, group: u64, blocks: u64) -> (u64, u64) {
        let bytes = PLACE_BYTES + self.group * self.entry_bytes;
        let place = self.place.saturating_add(group.saturating_mul(bytes));
        (place, PLACE_BYTES + blocks * self.entry_bytes)
    }

    /// These bytes as entries of a group.
    pub fn entries<'a>(&self, bytes: &'a [u8]) -> Option<Entries<'a>> {
        let (first, bytes) = bytes.split_first_chunk()?;
        Some(Entries {
            first: u64::from_le_bytes(*first),
            bytes,
            entry_bytes: self.entry_bytes as usize,
        })
    }
}

impl<'a> Entries<'a> {
    /// Each of them.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.chunks_exact(self.entry_bytes)
    }

    /// The place of the last block and its entry; `length` tells the length of a block by its entry.
    #[inline]
    pub fn last(self, length: impl Fn(&[u8]) -> u64) -> Option<(u64, &'a [u8])> {
        let before = self.bytes.len().checked_sub(self.entry_bytes)?;
        let (others, last) = self.bytes.split_at(before);
        let mut place = self.first;
        for entry in others.chunks_exact(self.entry_bytes) {
            place = place.checked_add(length(entry))?;
        }
        Some((place, last))
    }
}

/// An index being written.
#[cfg(feature = "make")]
#[derive(Debug)]
pub struct IndexWriter {
    group: u64,
    blocks: u64,
    /// Its bytes so far.
    pub bytes: Vec<u8>,
}

#[cfg(feature = "make")]
impl IndexWriter {
    /// An index of no blocks, with so many in a group.
    pub fn new(group: u64) -> IndexWriter {
        IndexWriter {
            group,
            blocks: 0,
            bytes: Vec::new(),
        }
    }

    /// Adds a block that starts at a place. Its entry is to be appended to what is returned.
    pub fn add(&mut self, place: u64) -> &mut Vec<u8> {
        if self.blocks.is_multiple_of(self.group) {
            self.bytes.extend_from_slice(&place.to_le_bytes());
        }
        self.blocks += 1;
        &mut self.bytes
    }
}
