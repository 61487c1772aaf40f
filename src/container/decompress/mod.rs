//! Decompresses zstd frames, by one of two libraries.
//!
//! The feature `zstd` uses the C library. Without it, `rust-zstd` uses a decoder in Rust, which
//! compiles for every target, is slower, and allocates for each frame. Both accept one whole frame
//! of the few kinds that [`is_of_a_table`] allows, and never write more bytes than the output has
//! room for.
//!
//! Callers check a frame's checksum first. If somebody forges frames with valid checksums, a few in
//! a thousand are accepted by one library and not by the other. The decoded bytes are validated
//! afterwards, like all input.

#[cfg(any(test, feature = "zstd"))]
mod c;
#[cfg(any(test, not(feature = "zstd")))]
mod rust;
#[cfg(test)]
mod tests;

#[cfg(feature = "zstd")]
pub(crate) use c::Decompressor;
#[cfg(not(feature = "zstd"))]
pub(crate) use rust::Decompressor;

/// Decompresses a whole frame to at most `most` bytes. None if tables have no such frames.
pub(crate) fn decompress_whole(frame: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut plain = vec![0; most];
    let n = Decompressor::new().decompress(frame, &mut plain)?;
    plain.truncate(n);
    Some(plain)
}

/// The magic number of a frame.
pub(crate) const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window, in bytes, that a frame may ask for. RFC 8878 recommends that every decoder
/// supports 8 MiB. A frame in a table asks for the length of its content, rounded up.
const MOST_WINDOW: u64 = 8 << 20;

/// A bit of the frame header descriptor, the byte after the magic number: if set, the window is as
/// large as the content.
const SINGLE_SEGMENT: u8 = 0b0010_0000;
/// Bits of the same byte that tables never set: the reserved bit, the checksum flag and the
/// dictionary's number.
const NEVER_IN_A_TABLE: u8 = 0b0000_1111;

/// True if a frame begins like those of tables: no checksum, no dictionary, and a window of at most
/// [`MOST_WINDOW`]. The two libraries treat some other frames differently.
fn is_of_a_table(frame: &[u8]) -> bool {
    let Some((&descriptor, rest)) = frame
        .strip_prefix(&FRAME_MAGIC)
        .and_then(<[u8]>::split_first)
    else {
        return false;
    };
    let window = match rest.first() {
        // The content, and so the window, must fit into the output.
        _ if descriptor & SINGLE_SEGMENT != 0 => 0,
        Some(&window) => {
            let base = 1 << (10 + (window >> 3));
            base + base / 8 * u64::from(window & 7)
        }
        None => return false,
    };
    descriptor & NEVER_IN_A_TABLE == 0 && window <= MOST_WINDOW
}
