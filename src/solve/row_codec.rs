//! Packs rows with few bits, such as the positions that a step finds, for a checkpoint.
//!
//! Rows without bits are left out. A packed row consists of three parts:
//!
//! - the number of rows left out before it, in LEB128: seven bits in each byte, the lowest first,
//!   and the highest bit set in all bytes but the last;
//! - one bit for each lane, set if the lane is nonzero;
//! - for each nonzero lane, a byte that marks the nonzero bytes of its word, and those bytes.
//!
//! So a lane with only bit 9, in the second byte, needs two bytes: `02 02`.

/// Packs rows, which must be added in rising order.
#[derive(Clone, Debug, Default)]
pub struct RowEncoder {
    bytes: Vec<u8>,
    /// One more than the index of the last packed row.
    next: usize,
}

impl RowEncoder {
    /// Clears the packed bytes.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.next = 0;
    }

    /// The bytes packed so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a row, unless all its words are zero.
    pub fn row(&mut self, row: usize, words: &[u64]) {
        if words.iter().all(|&word| word == 0) {
            return;
        }
        let mut skipped = row - self.next;
        self.next = row + 1;
        while skipped >= 128 {
            self.bytes.push(skipped as u8 | 128);
            skipped >>= 7;
        }
        self.bytes.push(skipped as u8);
        for eight in words.chunks(8) {
            let mask = eight
                .iter()
                .enumerate()
                .fold(0, |mask, (i, &word)| mask | u8::from(word != 0) << i);
            self.bytes.push(mask);
        }
        for &word in words.iter().filter(|&&word| word != 0) {
            let mask_at = self.bytes.len();
            self.bytes.push(0);
            let mut mask = 0;
            for (i, byte) in word.to_le_bytes().into_iter().enumerate() {
                if byte != 0 {
                    mask |= 1 << i;
                    self.bytes.push(byte);
                }
            }
            self.bytes[mask_at] = mask;
        }
    }
}

/// Unpacks rows of `row_lanes` lanes. Calls `visit` for each nonzero word in order, with the row,
/// the lane in the row, and the word. Returns `None` if the bytes are not a valid packing of `rows`
/// rows.
pub fn decode_rows(
    mut bytes: &[u8],
    rows: usize,
    row_lanes: usize,
    mut visit: impl FnMut(usize, usize, u64),
) -> Option<()> {
    let mut row = 0usize;
    while !bytes.is_empty() {
        let mut shift = 0;
        loop {
            let (&byte, rest) = bytes.split_first()?;
            bytes = rest;
            row = row.checked_add(usize::from(byte & 127).checked_shl(shift)?)?;
            if byte < 128 {
                break;
            }
            shift += 7;
        }
        if row >= rows {
            return None;
        }
        let (masks, rest) = bytes.split_at_checked(row_lanes.div_ceil(8))?;
        bytes = rest;
        for (i, &mask) in masks.iter().enumerate() {
            let mut mask = mask;
            while mask != 0 {
                let lane = i * 8 + mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let (&filled, rest) = bytes.split_first()?;
                let (parts, rest) = rest.split_at_checked(filled.count_ones() as usize)?;
                bytes = rest;
                let mut left = filled;
                let mut word = 0;
                for &part in parts {
                    word |= u64::from(part) << (8 * left.trailing_zeros());
                    left &= left - 1;
                }
                if lane >= row_lanes || word == 0 {
                    return None;
                }
                visit(row, lane, word);
            }
        }
        row += 1;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            rows in proptest::collection::vec(
                proptest::collection::vec(prop_oneof![3 => Just(0), 1 => any::<u64>(), 1 => 0..9u64], 11),
                0..300,
            ),
            gaps in proptest::collection::vec(0..300usize, 300),
        ) {
            let mut packer = RowEncoder::default();
            let mut expected = Vec::new();
            let mut at = 0;
            for (words, gap) in rows.iter().zip(gaps) {
                at += gap;
                packer.row(at, words);
                for (lane, &word) in words.iter().enumerate().filter(|&(_, &word)| word != 0) {
                    expected.push((at, lane, word));
                }
                at += 1;
            }
            let mut found = Vec::new();
            let visit = |row, lane, word| found.push((row, lane, word));
            prop_assert_eq!(decode_rows(packer.bytes(), at, 11, visit), Some(()));
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn bytes_by_chance_do_no_harm(bytes: Vec<u8>) {
            let visit = |row: usize, lane: usize, word: u64| {
                assert!(row < 50 && lane < 11 && word != 0);
            };
            let _ = decode_rows(&bytes, 50, 11, visit);
        }
    }

    #[test]
    fn a_row_beyond_all_numbers_is_refused() {
        let mut bytes = vec![1, 1, 1, 1];
        bytes.extend([255; 9]);
        bytes.push(1);
        let decoded = decode_rows(&bytes, 50, 1, |_, _, _| {});
        assert_eq!(decoded, None);
    }
}
