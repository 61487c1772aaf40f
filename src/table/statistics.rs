//! Encodes and decodes the statistics in the header.

use crate::container::bytes::{ByteReader, Parsed};
use crate::statistics::{Counts, Example, Statistics};

/// The largest number of entries in a list. Entries are indexed by moves, which are 16-bit numbers.
const MAX_LIST: usize = 1 << 16;

/// Parses the statistics of a section.
pub(super) fn read_statistics(input: &mut ByteReader<'_>) -> Parsed<Statistics> {
    Ok(Statistics {
        white_to_move: read_counts(input)?,
        black_to_move: read_counts(input)?,
    })
}

fn read_counts(input: &mut ByteReader<'_>) -> Parsed<Counts> {
    Ok(Counts {
        draws: input.u64()?,
        white_wins: input.list(MAX_LIST, 8, ByteReader::u64)?,
        black_wins: input.list(MAX_LIST, 8, ByteReader::u64)?,
        white_examples: input.list(MAX_LIST, 1, read_example)?,
        black_examples: input.list(MAX_LIST, 1, read_example)?,
    })
}

fn read_example(input: &mut ByteReader<'_>) -> Parsed<Option<Example>> {
    let squares = input.short_bytes()?;
    if squares.iter().any(|&square| square >= 64) {
        return Err("an example is off the board");
    }
    Ok((!squares.is_empty()).then(|| Example::new(squares.to_vec())))
}

mod writing {
    use super::MAX_LIST;
    use crate::container::bytes::ByteWriter;
    use crate::statistics::{Counts, Example, Statistics};

    /// Appends the statistics of a section.
    pub fn write_statistics(out: &mut ByteWriter, statistics: &Statistics) {
        write_counts(out, &statistics.white_to_move);
        write_counts(out, &statistics.black_to_move);
    }

    fn write_counts(out: &mut ByteWriter, counts: &Counts) {
        out.u64(counts.draws);
        out.list(&counts.white_wins, |out, &n| out.u64(n));
        out.list(&counts.black_wins, |out, &n| out.u64(n));
        out.list(&counts.white_examples, write_example);
        out.list(&counts.black_examples, write_example);
    }

    fn write_example(out: &mut ByteWriter, example: &Option<Example>) {
        out.short_bytes(example.as_ref().map_or(&[], Example::squares));
    }

    /// The reason why these statistics cannot be encoded; `None` if they can be.
    pub fn statistics_fault(statistics: &Statistics) -> Option<&'static str> {
        [&statistics.white_to_move, &statistics.black_to_move]
            .into_iter()
            .find_map(fault_of)
    }

    fn fault_of(counts: &Counts) -> Option<&'static str> {
        let lists = [counts.white_wins.len(), counts.black_wins.len()];
        let examples = [&counts.white_examples, &counts.black_examples];
        if lists.iter().any(|&n| n > MAX_LIST) || examples.iter().any(|l| l.len() > MAX_LIST) {
            return Some("the statistics contain a list of more than 65536 entries");
        }
        examples
            .into_iter()
            .flatten()
            .flatten()
            .map(Example::squares)
            .any(|squares| {
                squares.is_empty()
                    || squares.len() > u8::MAX.into()
                    || squares.iter().any(|&square| square >= 64)
            })
            .then_some("the statistics contain an example that is not a position")
    }
}

pub(super) use writing::{statistics_fault, write_statistics};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::bytes::ByteWriter;
    use proptest::prelude::*;

    fn counts() -> impl Strategy<Value = Counts> {
        let wins = || prop::collection::vec(any::<u64>(), 0..20);
        let squares = prop::collection::vec(0u8..64, 1..9);
        let example = prop::option::of(squares.prop_map(Example::new));
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
        fn statistics_round_trip(white in counts(), black in counts()) {
            let statistics = Statistics { white_to_move: white, black_to_move: black };
            prop_assert_eq!(statistics_fault(&statistics), None);
            let mut out = ByteWriter::default();
            write_statistics(&mut out, &statistics);
            let mut input = ByteReader::new(&out.bytes);
            prop_assert_eq!(read_statistics(&mut input), Ok(statistics));
            prop_assert_eq!(input.end(), Ok(()));
        }
    }

    #[test]
    fn statistics_that_do_not_round_trip_are_refused() {
        let with = |squares: Vec<u8>| Statistics {
            white_to_move: Counts {
                black_examples: vec![Some(Example::new(squares))],
                ..Counts::default()
            },
            ..Statistics::default()
        };
        assert!(statistics_fault(&with(vec![])).is_some());
        assert!(statistics_fault(&with(vec![64, 3])).is_some());
        assert!(statistics_fault(&with(vec![63, 3])).is_none());
    }
}
