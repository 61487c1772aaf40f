//! Decompresses zstd frames with the library written in C.

use zstd::zstd_safe::{DCtx, find_frame_compressed_size};

use super::is_table_frame;

/// A reusable decompression context.
pub(crate) struct Decompressor(DCtx<'static>);

/// Aborts the program as Rust does when an allocation fails, by allocating until one fails. The C
/// library has its own allocator; when that is out of memory, Rust's allocator soon is too.
#[cold]
fn abort_out_of_memory() -> ! {
    loop {
        std::mem::forget(std::hint::black_box(Vec::<u8>::with_capacity(1 << 18)));
    }
}

impl Decompressor {
    /// A new decompression context.
    pub fn new() -> Decompressor {
        Decompressor(DCtx::try_create().unwrap_or_else(|| abort_out_of_memory()))
    }

    /// Decompresses a frame into the start of `out` and returns the length of the result. `None` if
    /// the frame has a form that tables never contain, or if `out` is too small.
    pub fn decompress(&mut self, frame: &[u8], out: &mut [u8]) -> Option<usize> {
        // Without this check the library would accept several concatenated frames.
        if !is_table_frame(frame) || find_frame_compressed_size(frame) != Ok(frame.len()) {
            return None;
        }
        self.0.decompress(out, frame).ok()
    }
}
