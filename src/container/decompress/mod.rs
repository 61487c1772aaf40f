//! Decompresses zstd frames with one of two libraries.
//!
//! The feature `zstd` uses the C library. Without it, the feature `rust-zstd` uses a decoder in
//! Rust, which compiles for every target, but is slower and allocates for each frame. Both
//! libraries accept only a single, complete frame that [`is_table_frame`] allows, and never write
//! beyond the end of the output.
//!
//! Callers check a frame's checksum first. Among frames forged with valid checksums, one library
//! accepts a few in a thousand that the other rejects. The decoded bytes are therefore validated
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

/// Decompresses a whole frame. `None` if the result would be longer than `max_bytes`, or if the
/// frame has a form that tables never contain.
pub(crate) fn decompress_whole(frame: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    let mut plain = vec![0; max_bytes];
    let n = Decompressor::new().decompress(frame, &mut plain)?;
    plain.truncate(n);
    Some(plain)
}

/// The magic number at the start of a zstd frame.
pub(crate) const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window, in bytes, that a frame may request. RFC 8878 recommends that every decoder
/// support 8 MiB. In tables, the window of a frame is as long as its content, rounded up.
const MAX_WINDOW: u64 = 8 << 20;

/// The single-segment flag of the frame header descriptor, the byte after the magic number. If the
/// flag is set, the window is as large as the content.
const SINGLE_SEGMENT: u8 = 0b0010_0000;
/// Bits of the frame header descriptor that tables never set: the reserved bit, the checksum flag
/// and the dictionary ID flag.
const NEVER_IN_A_TABLE: u8 = 0b0000_1111;

/// True if a frame has a header like the frames in tables: no checksum, no dictionary, and a window
/// of at most [`MAX_WINDOW`]. For some other frames, the C library and the Rust decoder give
/// different results.
fn is_table_frame(frame: &[u8]) -> bool {
    let Some((&descriptor, rest)) = frame
        .strip_prefix(&FRAME_MAGIC)
        .and_then(<[u8]>::split_first)
    else {
        return false;
    };
    let window = match rest.first() {
        // The window is as large as the content, which must fit into the output.
        _ if descriptor & SINGLE_SEGMENT != 0 => 0,
        Some(&window) => {
            let base = 1 << (10 + (window >> 3));
            base + base / 8 * u64::from(window & 7)
        }
        None => return false,
    };
    descriptor & NEVER_IN_A_TABLE == 0 && window <= MAX_WINDOW
}
