//! By the zstd library.

use zstd::zstd_safe::{DCtx, find_frame_compressed_size};

use super::is_of_a_table;

/// The memory needed to decompress.
pub(crate) struct Decompressor(DCtx<'static>);

/// Ends as any allocation does that Rust cannot make. The library in C has its own allocator; but
/// where that has nothing, Rust's soon has nothing either.
#[cold]
fn end_as_out_of_memory() -> ! {
    loop {
        std::mem::forget(std::hint::black_box(Vec::<u8>::with_capacity(1 << 18)));
    }
}

impl Decompressor {
    /// Some memory.
    pub fn new() -> Decompressor {
        Decompressor(DCtx::try_create().unwrap_or_else(|| end_as_out_of_memory()))
    }

    /// Decompresses a frame into the beginning of `out` and tells how many bytes it has. None if it is
    /// none of a table, or has more bytes than there is room for.
    pub fn decompress(&mut self, frame: &[u8], out: &mut [u8]) -> Option<usize> {
        // The library would take several concatenated frames.
        if !is_of_a_table(frame) || find_frame_compressed_size(frame) != Ok(frame.len()) {
            return None;
        }
        self.0.decompress(out, frame).ok()
    }
}
