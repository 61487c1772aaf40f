//! The cache, the number of open files and batches do not change any answer.

use sakmak::board::Position;
use sakmak::probe::{Options, Tablebase, Value};
use sakmak::rules::{Count, RuleSet};
use sakmak::table::Access;

use crate::common::{materials, positions, tablebase, tables};

fn some_of_all() -> Vec<Position> {
    let mut found = Vec::new();
    for material in materials() {
        found.extend(positions(material, 60));
    }
    // Neighbours in the list should not be neighbours in a file.
    found.sort_by_key(|position| position.occupied().0.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    found
}

fn answers(tablebase: &Tablebase, positions: &[Position]) -> Vec<Value> {
    let probe = |p| tablebase.probe(p, RuleSet::Makruk, &Count::Fresh).unwrap();
    positions.iter().map(probe).collect()
}

#[test]
fn a_small_cache_few_files_and_plain_reads_give_the_same_answers() {
    let positions = some_of_all();
    let plain = tablebase(tables(), &Options::default());
    plain.inventory().open_all().unwrap();
    assert_eq!(
        plain.inventory().open_files(),
        plain.inventory().tables().count()
    );
    let expected = answers(&plain, &positions);
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        for cache_bytes in [0, 1 << 20] {
            let few = tablebase(
                tables(),
                &Options {
                    cache_bytes,
                    access,
                    most_open: Some(3),
                },
            );
            few.inventory().open_all().unwrap();
            assert_eq!(answers(&few, &positions), expected);
            assert!((1..=3).contains(&few.inventory().open_files()));
        }
    }
}

#[test]
fn threads_that_share_a_small_cache_get_the_answers_of_one_alone() {
    let positions = some_of_all();
    let expected = answers(&tablebase(tables(), &Options::default()), &positions);
    let shared = tablebase(
        tables(),
        &Options {
            cache_bytes: 1 << 16,
            most_open: Some(2),
            ..Options::default()
        },
    );
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(answers(&shared, &positions), expected));
        }
    });
    let statistics = shared.inventory().cache_statistics();
    assert!(statistics.hits > 0 && statistics.misses > 0);
}

#[test]
fn a_batch_is_answered_in_its_own_order_and_decodes_no_block_twice() {
    let positions = some_of_all();
    let one_by_one = answers(&tablebase(tables(), &Options::default()), &positions);
    let sorted = tablebase(
        tables(),
        &Options {
            cache_bytes: 1 << 20,
            ..Options::default()
        },
    );
    let batch = sorted.probe_many(&positions, RuleSet::Makruk, &Count::Fresh);
    let batch: Vec<_> = batch.into_iter().map(Result::unwrap).collect();
    assert_eq!(batch, one_by_one);
    let unsorted = tablebase(
        tables(),
        &Options {
            cache_bytes: 1 << 20,
            ..Options::default()
        },
    );
    answers(&unsorted, &positions);
    let misses =
        [sorted, unsorted].map(|tablebase| tablebase.inventory().cache_statistics().misses);
    assert!(misses[0] <= misses[1], "{misses:?}");
}

#[test]
fn what_was_decoded_is_not_decoded_again() {
    let positions = some_of_all();
    let tablebase = tablebase(tables(), &Options::default());
    answers(&tablebase, &positions[..200]);
    let before = tablebase.inventory().cache_statistics();
    answers(&tablebase, &positions[..200]);
    let after = tablebase.inventory().cache_statistics();
    assert_eq!(after.misses, before.misses);
    assert!(after.hits > before.hits);
}
