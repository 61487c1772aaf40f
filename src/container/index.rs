//! The index of a part's blocks: the offset, length and checksum of each block.
//!
//! An eight-byte offset for each block would take more space than some blocks do. So the index
//! stores the lengths of the blocks, in groups, and before each group the offset of its first
//! block. The offset of any other block is that offset plus the lengths of the blocks before it in
//! the group:
//!
//! ```text
//! group   offset 64 | 120 + checksum | 98 + checksum | 77 + checksum
//! block                  at 64            at 184          at 282
//! ```
//!
//! Entries have a fixed size. So a lookup reads only one group, up to the entry of its block.

/// The location and the shape of a block index in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockIndex {
    /// The offset of the index in the file.
    pub offset: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of blocks in a group.
    pub group: u64,
    /// The number of bytes in an entry.
    pub entry_bytes: u64,
}

/// The size, in bytes, of the offset that precedes each group.
const OFFSET_BYTES: u64 = 8;

/// The first entries of one group of the index.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    /// The offset in the file of the group's first block.
    pub first: u64,
    bytes: &'a [u8],
    entry_bytes: usize,
}

impl BlockIndex {
    /// The offset of the end of the index. `None` if it overflows.
    pub fn end(&self) -> Option<u64> {
        let offsets = self.blocks.div_ceil(self.group) * OFFSET_BYTES;
        let entries = self.blocks.checked_mul(self.entry_bytes)?;
        self.offset.checked_add(entries)?.checked_add(offsets)
    }

    /// The range of the file, as offset and length, that contains the start of a group: the offset
    /// of the group's first block, and the entries of its first `blocks` blocks.
    pub fn group(&self, group: u64, blocks: u64) -> (u64, u64) {
        let bytes = OFFSET_BYTES + self.group * self.entry_bytes;
        let offset = self.offset.saturating_add(group.saturating_mul(bytes));
        (offset, OFFSET_BYTES + blocks * self.entry_bytes)
    }

    /// Splits the bytes read from the range of [`BlockIndex::group`] into the offset and the
    /// entries. `None` if there are too few bytes for the offset.
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
    /// The bytes of each entry, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.chunks_exact(self.entry_bytes)
    }

    /// The offset of the last entry's block, and the entry itself. `length` reads a block's length
    /// from its entry. `None` if there is no entry, or the offset overflows.
    #[inline]
    pub fn last(self, length: impl Fn(&[u8]) -> u64) -> Option<(u64, &'a [u8])> {
        let before = self.bytes.len().checked_sub(self.entry_bytes)?;
        let (others, last) = self.bytes.split_at(before);
        let mut offset = self.first;
        for entry in others.chunks_exact(self.entry_bytes) {
            offset = offset.checked_add(length(entry))?;
        }
        Some((offset, last))
    }
}

/// Builds the index of a part's blocks.
#[derive(Debug)]
pub struct IndexWriter {
    group: u64,
    blocks: u64,
    /// The bytes of the index so far.
    pub bytes: Vec<u8>,
}

impl IndexWriter {
    /// An empty index with `group` blocks in a group.
    pub fn new(group: u64) -> IndexWriter {
        IndexWriter {
            group,
            blocks: 0,
            bytes: Vec::new(),
        }
    }

    /// Starts the entry of a block that begins at `offset`. Returns the buffer to which the
    /// caller appends the bytes of the entry.
    pub fn add(&mut self, offset: u64) -> &mut Vec<u8> {
        if self.blocks.is_multiple_of(self.group) {
            self.bytes.extend_from_slice(&offset.to_le_bytes());
        }
        self.blocks += 1;
        &mut self.bytes
    }
}
