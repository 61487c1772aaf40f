//! By the decoder in Rust.

use std::io::Read;

use ruzstd::decoding::{BlockDecodingStrategy, Dictionary as Tables, FrameDecoder};

use super::{FRAME_MAGIC, MOST_WINDOW, is_a_dictionary, is_of_a_table};
use crate::table::pool::Pool;

/// The memory needed to decompress.
pub(in crate::table) struct Decompressor(FrameDecoder);

/// A dictionary. A decoder has to have it within: so it has decoders of its own, one for each thread that
/// is at work with it.
pub(in crate::table) struct Dictionary {
    decoders: Pool<FrameDecoder, Box<dyn Fn() -> FrameDecoder + Send + Sync>>,
}

/// In the byte after the magic number: these are not all 0 if the frame says how many bytes come out.
const SIZE_IS_GIVEN: u8 = 0b1110_0000;

/// What a decoder of one dictionary calls it.
const ONLY: u32 = 1;

impl Dictionary {
    /// What zstd trained. None if the bytes are something else.
    pub fn new(bytes: &[u8]) -> Option<Dictionary> {
        if !is_a_dictionary(bytes) || Tables::decode_dict(bytes).is_err() {
            return None;
        }
        let bytes = bytes.to_vec();
        let make = move || {
            let mut decoder = decoder();
            if let Ok(mut tables) = Tables::decode_dict(&bytes) {
                tables.id = ONLY;
                // Without it, frames that need it are refused.
                let _ = decoder.add_dict(tables);
            }
            decoder
        };
        Some(Dictionary {
            decoders: Pool::new(Box::new(make)),
        })
    }
}

impl Decompressor {
    /// Some memory.
    pub fn new() -> Decompressor {
        Decompressor(decoder())
    }

    /// Decompresses a frame into the beginning of `out` and tells how many bytes it has. None if it is
    /// none of a table, or has more bytes than there is room for.
    pub fn decompress(
        &mut self,
        frame: &[u8],
        dictionary: Option<&Dictionary>,
        out: &mut [u8],
    ) -> Option<usize> {
        let Decompressor(own) = self;
        match dictionary {
            None => decompress(own, frame, None, out),
            Some(dictionary) => dictionary
                .decoders
                .with(|decoder| decompress(decoder, frame, Some(ONLY), out)),
        }
    }
}

fn decoder() -> FrameDecoder {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MOST_WINDOW);
    decoder
}

fn decompress(
    decoder: &mut FrameDecoder,
    frame: &[u8],
    dictionary: Option<u32>,
    out: &mut [u8],
) -> Option<usize> {
    if !is_of_a_table(frame) {
        return None;
    }
    let mut rest = frame;
    decoder.reset(&mut rest).ok()?;
    let given = frame[FRAME_MAGIC.len()] & SIZE_IS_GIVEN != 0;
    let size = given.then(|| decoder.content_size());
    if size.is_some_and(|size| size > out.len() as u64) {
        return None;
    }
    if let Some(dictionary) = dictionary {
        decoder.force_dict(dictionary).ok()?;
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
