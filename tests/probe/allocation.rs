//! Probes of decoded blocks allocate nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sakmak::board::Position;
use sakmak::probe::{Options, Tablebase};
use sakmak::rules::{Count, RuleSet};

use crate::common::{materials, positions, tablebase, tables};

/// Counts the allocations of each thread. (The decompressor is in C and has its own memory, which
/// it gets when a thread first decodes.)
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller promises what the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ASKED.get();
    work();
    ASKED.get() - before
}

fn probe_all(tablebase: &Tablebase, positions: &[Position]) {
    for position in positions {
        for rules in RuleSet::ALL {
            tablebase.probe(position, rules, &Count::Fresh).unwrap();
            tablebase.dth(position, rules).unwrap();
        }
        tablebase.dtm(position).unwrap();
        if position.material().bare_side().is_some() {
            let count = Count::Explicit {
                limit_plies: 16,
                counted_plies: 12,
            };
            tablebase.probe(position, RuleSet::Makruk, &count).unwrap();
        }
    }
}

#[test]
fn a_warm_probe_allocates_nothing_whether_its_block_is_decoded_or_not() {
    assert!(allocations(|| drop(vec![1; 100])) > 0);
    let mut asked = Vec::new();
    for material in materials() {
        asked.extend(positions(material, 40));
    }
    for cache_bytes in [0, 64 << 20] {
        let tablebase = tablebase(
            tables(),
            &Options {
                cache_bytes,
                ..Options::default()
            },
        );
        probe_all(&tablebase, &asked);
        let before = tablebase.inventory().cache_statistics();
        assert_eq!(allocations(|| probe_all(&tablebase, &asked)), 0);
        let decoded = tablebase.inventory().cache_statistics().misses - before.misses;
        assert_eq!(decoded > 0, cache_bytes == 0);
    }
}
