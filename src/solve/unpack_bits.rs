//! Converts the bit planes of a lane to one byte for each position.

/// A byte for each bit of a lane, set plane by plane. The portable code treats eight bytes as one
/// word, which makes it as fast as vector instructions.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneBytes([u64; 8]);

impl LaneBytes {
    /// Sets bit `j` of each byte to the corresponding bit of `word`. `j` must be below 8.
    #[inline(always)]
    pub fn add(&mut self, word: u64, j: usize) {
        for (bytes, byte) in self.0.iter_mut().zip(word.to_le_bytes()) {
            *bytes |= spread(byte) << j;
        }
    }

    /// Writes the byte of each position with a bit in `kept`, and 255 for the other positions.
    #[inline(always)]
    pub fn kept(self, kept: u64, out: &mut [u8; 64]) {
        let bytes = self.0.into_iter().zip(kept.to_le_bytes());
        for ((bytes, kept), out) in bytes.zip(out.as_chunks_mut::<8>().0) {
            let kept = spread(kept) * 255;
            *out = (bytes & kept | !kept).to_le_bytes();
        }
    }
}

/// Spreads the eight bits of a byte over the lowest bits of eight bytes.
#[inline(always)]
const fn spread(byte: u8) -> u64 {
    let copies = byte as u64 * 0x0101_0101_0101_0101;
    // Each byte keeps a different bit, and is nonzero if that bit is set.
    let kept = copies & 0x8040_2010_0804_0201;
    (kept + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_byte_is_spread_bit_by_bit() {
        for byte in 0..=u8::MAX {
            let bits: Vec<u8> = (0..8).map(|i| byte >> i & 1).collect();
            assert_eq!(spread(byte).to_le_bytes()[..], bits[..]);
        }
    }

    proptest! {
        #[test]
        fn a_byte_has_the_bits_of_the_words(words: [u64; 8], kept: u64) {
            let (mut spread, mut bytes) = (LaneBytes::default(), [0; 64]);
            for (j, &word) in words.iter().enumerate() {
                spread.add(word, j);
            }
            spread.kept(kept, &mut bytes);
            for (bit, &byte) in bytes.iter().enumerate() {
                let number = (0..8).fold(0, |n, j| n | (words[j] >> bit & 1) << j);
                let expected = if kept >> bit & 1 == 1 { number } else { 255 };
                prop_assert_eq!(u64::from(byte), expected);
            }
        }
    }
}
