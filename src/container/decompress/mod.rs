//! zstd frames to bytes: the one place that knows by which library.
//!
//! With the feature `zstd` it is the library in C; without it, with `rust-zstd`, a decoder in Rust
//! that builds wherever Rust does, is slower, and allocates with every frame.
//! Both take a frame alone, whole, of the few kinds that [`is_of_a_table`] lets through, and never put
//! out more bytes than there is room for. What comes here has passed a checksum. Of frames that are
//! damaged nevertheless, and so on purpose, either library lets a few in a thousand pass that the other
//! refuses; what they make of them is then checked as all else is.

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

/// Decompresses a whole frame to at most this many bytes. None if it is not a frame of a table.
pub(crate) fn decompress_whole(frame: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut plain = vec![0; most];
    let n = Decompressor::new().decompress(frame, &mut plain)?;
    plain.truncate(n);
    Some(plain)
}

/// The first bytes of every frame.
pub(crate) const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window, in bytes, that a frame may ask for: what RFC 8878 recommends that every
/// decoder supports. A file's frames ask for no more than they have bytes, rounded up.
const MOST_WINDOW: u64 = 8 << 20;

/// In the byte after the magic number: the window is as large as what comes out.
const SINGLE_SEGMENT: u8 = 0b0010_0000;
/// In the same: reserved, a checksum, the number of a dictionary.
const NEVER_IN_A_TABLE: u8 = 0b0000_1111;

/// True if a frame begins as one of a table's: it has neither a checksum nor the number of a
/// dictionary, and its window is no larger than [`MOST_WINDOW`]. The two libraries do not deal alike
/// with all others.
fn is_of_a_table(frame: &[u8]) -> bool {
    let Some((&descriptor, rest)) = frame
        .strip_prefix(&FRAME_MAGIC)
        .and_then(<[u8]>::split_first)
    else {
        return false;
    };
    let window = match rest.first() {
        // It is as large as what comes out, which is to fit in the room there is.
        _ if descriptor & SINGLE_SEGMENT != 0 => 0,
        Some(&window) => {
            let base = 1 << (10 + (window >> 3));
            base + base / 8 * u64::from(window & 7)
        }
        None => return false,
    };
    descriptor & NEVER_IN_A_TABLE == 0 && window <= MOST_WINDOW
}
