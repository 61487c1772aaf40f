//! By the zstd library.

use zstd::dict::DecoderDictionary;
use zstd::zstd_safe::{DCtx, find_frame_compressed_size};

use super::{is_a_dictionary, is_of_a_table};

/// The memory needed to decompress.
pub(in crate::table) struct Decompressor(DCtx<'static>);

/// Ends as any allocation does that Rust cannot make. The library in C has its own allocator; but
/// where that has nothing, Rust's soon has nothing either.
#[cold]
fn end_as_out_of_memory() -> ! {
    loop {
        std::mem::forget(std::hint::black_box(Vec::<u8>::with_capacity(1 << 18)));
    }
}

/// A dictionary, made ready.
pub(in crate::table) struct Dictionary(DecoderDictionary<'static>);

impl Dictionary {
    /// What zstd trained. None if the bytes are something else.
    pub fn new(bytes: &[u8]) -> Option<Dictionary> {
        if !is_a_dictionary(bytes) {
            return None;
        }
        DecoderDictionary::try_copy(bytes).ok().map(Dictionary)
    }
}

impl Decompressor {
    /// Some memory.
    pub fn new() -> Decompressor {
        Decompressor(DCtx::try_create().unwrap_or_else(|| end_as_out_of_memory()))
    }

    /// Decompresses a frame into the beginning of `out` and tells how many bytes it has. None if it is
    /// none of a table, or has more bytes than there is room for.
    pub fn decompress(
        &mut self,
        frame: &[u8],
        dictionary: Option<&Dictionary>,
        out: &mut [u8],
    ) -> Option<usize> {
        // The library would take several concatenated frames.
        if !is_of_a_table(frame) || find_frame_compressed_size(frame) != Ok(frame.len()) {
            return None;
        }
        let Decompressor(context) = self;
        let decompressed = match dictionary {
            Some(Dictionary(dictionary)) => {
                context.decompress_using_ddict(out, frame, dictionary.as_ddict())
            }
            None => context.decompress(out, frame),
        };
        decompressed.ok()
    }
}
