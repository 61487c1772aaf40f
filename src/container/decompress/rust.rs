//! Decompresses zstd frames with a decoder written in Rust.

use std::io::Read;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{FRAME_MAGIC, MAX_WINDOW, is_table_frame};

/// A reusable decompression context.
pub(crate) struct Decompressor(FrameDecoder);

/// Bits of the frame header descriptor. If any of these bits is set, the frame states the length of
/// its content.
const SIZE_IS_GIVEN: u8 = 0b1110_0000;

impl Decompressor {
    /// A new decompression context.
    pub fn new() -> Decompressor {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Decompressor(decoder)
    }

    /// Decompresses a frame into the start of `out` and returns the length of the result. `None` if
    /// the frame has a form that tables never contain, or if `out` is too small.
    pub fn decompress(&mut self, frame: &[u8], out: &mut [u8]) -> Option<usize> {
        if !is_table_frame(frame) {
            return None;
        }
        let Decompressor(decoder) = self;
        let mut rest = frame;
        decoder.reset(&mut rest).ok()?;
        let given = frame[FRAME_MAGIC.len()] & SIZE_IS_GIVEN != 0;
        let size = given.then(|| decoder.content_size());
        if size.is_some_and(|size| size > out.len() as u64) {
            return None;
        }
        // Decompresses in steps, so that a frame of a few bytes cannot allocate more than the
        // window and the output of one step.
        let mut n = 0;
        while !decoder.is_finished() {
            let step = BlockDecodingStrategy::UptoBlocks(1);
            decoder.decode_blocks(&mut rest, step).ok()?;
            n += decoder.read(&mut out[n..]).ok()?;
            if decoder.can_collect() > 0 {
                return None;
            }
        }
        let whole = rest.is_empty() && size.is_none_or(|size| size == n as u64);
        whole.then_some(n)
    }
}
