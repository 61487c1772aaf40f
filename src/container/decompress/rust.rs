//! By the decoder in Rust.

use std::io::Read;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{FRAME_MAGIC, MOST_WINDOW, is_of_a_table};

/// The memory needed to decompress.
pub(crate) struct Decompressor(FrameDecoder);

/// In the byte after the magic number: these are not all 0 if the frame says how many bytes come out.
const SIZE_IS_GIVEN: u8 = 0b1110_0000;

impl Decompressor {
    /// Some memory.
    pub fn new() -> Decompressor {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MOST_WINDOW);
        Decompressor(decoder)
    }

    /// Decompresses a frame into the beginning of `out` and tells how many bytes it has. None if it is
    /// none of a table, or has more bytes than there is room for.
    pub fn decompress(&mut self, frame: &[u8], out: &mut [u8]) -> Option<usize> {
        if !is_of_a_table(frame) {
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
        // Step by step, so that a frame of a few bytes cannot ask for more than the window and a step.
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
