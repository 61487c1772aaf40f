//! Hashes a table's whole file.

use super::error::TableError;
use super::file::Container;
use super::format::Kind;
use super::source::Source;

/// The number of bytes hashed at a time.
const HASHED_AT_ONCE: u64 = 1 << 20;

impl<K: Kind, B: Source> Container<K, B> {
    /// The BLAKE3 hash of the whole file, in hexadecimal.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn hash(&self) -> Result<String, TableError> {
        let mut hasher = blake3::Hasher::new();
        let (mut buffer, mut start) = (Vec::new(), 0);
        while start < self.file_bytes() {
            let length = HASHED_AT_ONCE.min(self.file_bytes() - start);
            hasher.update(self.bytes(start, length, &mut buffer)?.unwrap_or(&[]));
            start += length;
        }
        Ok(hasher.finalize().to_hex().to_string())
    }
}
