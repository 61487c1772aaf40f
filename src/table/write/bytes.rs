//! Numbers, lists and statistics as bytes, little-endian.

use crate::stats::{Counts, Example, Statistics};
use crate::table::bytes::MAX_LIST;

/// Puts values behind one another.
///
/// Lengths are cut to what fits; what is written has been checked before.
#[derive(Default)]
pub(super) struct ByteWriter {
    pub(super) bytes: Vec<u8>,
}

impl ByteWriter {
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    pub(super) fn short_bytes(&mut self, bytes: &[u8]) {
        let n = bytes.len().min(u8::MAX.into());
        self.u8(n as u8);
        self.put(&bytes[..n]);
    }

    pub(super) fn list<T>(&mut self, list: &[T], mut entry: impl FnMut(&mut Self, &T)) {
        let n = u32::try_from(list.len()).unwrap_or(u32::MAX);
        self.u32(n);
        for value in &list[..n as usize] {
            entry(self, value);
        }
    }

    pub(super) fn statistics(&mut self, statistics: &Statistics) {
        self.counts(&statistics.white_to_move);
        self.counts(&statistics.black_to_move);
    }

    fn counts(&mut self, counts: &Counts) {
        self.u64(counts.draws);
        self.list(&counts.white_wins, |out, &n| out.u64(n));
        self.list(&counts.black_wins, |out, &n| out.u64(n));
        self.list(&counts.white_examples, Self::example);
        self.list(&counts.black_examples, Self::example);
    }

    fn example(&mut self, example: &Option<Example>) {
        self.short_bytes(example.as_deref().unwrap_or(&[]));
    }
}

/// Why these statistics cannot be written and read again as they are, if they cannot.
pub(super) fn statistics_fault(statistics: &Statistics) -> Option<&'static str> {
    [&statistics.white_to_move, &statistics.black_to_move]
        .into_iter()
        .find_map(|counts| {
            let lists = [counts.white_wins.len(), counts.black_wins.len()];
            let examples = [&counts.white_examples, &counts.black_examples];
            if lists.iter().any(|&n| n > MAX_LIST) || examples.iter().any(|l| l.len() > MAX_LIST) {
                return Some("its statistics have a list of more than 65536 entries");
            }
            examples
                .into_iter()
                .flatten()
                .flatten()
                .any(|example| {
                    example.is_empty()
                        || example.len() > u8::MAX.into()
                        || example.iter().any(|&square| square >= 64)
                })
                .then_some("its statistics have an example that is no position")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::bytes::ByteReader;
    use proptest::prelude::*;

    fn counts() -> impl Strategy<Value = Counts> {
        let wins = || prop::collection::vec(any::<u64>(), 0..20);
        let example = prop::option::of(prop::collection::vec(0u8..64, 1..9));
        let examples = prop::collection::vec(example, 0..20);
        (wins(), wins(), any::<u64>(), examples.clone(), examples).prop_map(
            |(white_wins, black_wins, draws, white_examples, black_examples)| Counts {
                white_wins,
                black_wins,
                draws,
                white_examples,
                black_examples,
            },
        )
    }

    proptest! {
        #[test]
        fn statistics_come_back_as_they_were_written(white in counts(), black in counts()) {
            let statistics = Statistics { white_to_move: white, black_to_move: black };
            prop_assert_eq!(statistics_fault(&statistics), None);
            let mut out = ByteWriter::default();
            out.statistics(&statistics);
            let mut input = ByteReader::new(&out.bytes);
            prop_assert_eq!(input.statistics(), Ok(statistics));
            prop_assert_eq!(input.end(), Ok(()));
        }
    }

    #[test]
    fn statistics_that_would_not_come_back_are_refused() {
        let with = |example: Example| Statistics {
            white_to_move: Counts {
                black_examples: vec![Some(example)],
                ..Counts::default()
            },
            ..Statistics::default()
        };
        assert!(statistics_fault(&with(vec![])).is_some());
        assert!(statistics_fault(&with(vec![64, 3])).is_some());
        assert!(statistics_fault(&with(vec![63, 3])).is_none());
    }
}
