//! Models for decoding blocks, read at their first use.

use std::ops::Range;
use std::sync::OnceLock;

use crc32c::crc32c;

use super::error::{TableError, TableErrorKind};
use super::file::Container;
use super::kind::Kind;
use super::source::Source;

/// A model that is read once, at its first use. The inner option is `None` if the model is corrupt.
#[derive(Debug)]
pub(crate) struct LazyModel<M>(OnceLock<Option<M>>);

impl<M> Default for LazyModel<M> {
    fn default() -> LazyModel<M> {
        LazyModel(OnceLock::new())
    }
}

impl<M> LazyModel<M> {
    /// Returns the model stored in the range `place` of the file. The first call reads the model
    /// and parses it with `parse`. `crc` is the expected checksum, and `section` is the section's
    /// index in error messages. A read error is not cached: the next call tries again.
    pub fn get<K: Kind, B: Source>(
        &self,
        file: &Container<K, B>,
        place: Range<u64>,
        crc: u32,
        section: usize,
        parse: impl FnOnce(&[u8]) -> Option<M>,
    ) -> Result<&M, TableError> {
        let model = match self.0.get() {
            Some(model) => model,
            None => {
                let mut buffer = Vec::new();
                let length = place.end - place.start;
                let bytes = file.bytes(place.start, length, &mut buffer)?;
                let whole = bytes.filter(|bytes| crc32c(bytes) == crc);
                let model = whole.and_then(parse);
                self.0.get_or_init(|| model)
            }
        };
        let corrupt = || file.error(TableErrorKind::ModelCorrupt { section });
        model.as_ref().ok_or_else(corrupt)
    }
}
