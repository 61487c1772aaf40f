//! Compares the cache of decoded blocks with `quick_cache`, the fastest maintained crate for the
//! purpose.
//!
//! ```text
//! cargo run --release --manifest-path tools/cache/Cargo.toml
//! tools/cache/run                                    first visits of tables, by both libraries
//! ```
//!
//! It measures two things: reading a cell of a cached page, by one thread and by two threads that
//! share the pages; and inserting a page, which evicts another. `quick_cache` holds pages as
//! `Arc<[u64]>`, as one would use it for blocks. Times are CPU times of the threads, the best of
//! several rounds. At the end it measures what the first thousand pages cost in caches of several
//! sizes, the cache itself included.

#[allow(dead_code, unused_imports, reason = "the library uses the rest")]
#[path = "../../src/probe/cache.rs"]
mod cache;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cache::{PAGE_BYTES, PAGE_WORDS, PageCache};
use cpu_time::ThreadTime;
use quick_cache::sync::Cache;

/// Memory of either cache.
const BYTES: usize = 64 << 20;
/// Pages asked for: a quarter of what fits.
const PAGES: u64 = (BYTES / PAGE_BYTES / 4) as u64;
/// Questions of a round.
const ROUND: u64 = 2_000_000;

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Nanoseconds of a question: the least of some rounds, by this number of threads at once.
fn time(threads: u64, ask: &(dyn Fn(u64, usize) -> u64 + Sync)) -> f64 {
    let round = |seed: u64| {
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed << 32;
        let started = ThreadTime::now();
        let mut sum = 0u64;
        for _ in 0..ROUND {
            let x = next(&mut state);
            sum = sum.wrapping_add(ask(1 + (x >> 32) % PAGES, x as usize % PAGE_WORDS));
        }
        black_box(sum);
        started.elapsed()
    };
    let rounds = (0..7).map(|_| {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|t| scope.spawn(move || round(t))).collect();
            let times = handles.into_iter().map(|handle| handle.join().unwrap());
            times.sum::<Duration>() / threads as u32
        })
    });
    rounds.min().unwrap().as_nanos() as f64 / ROUND as f64
}

/// Nanoseconds to put a page in, into a full cache.
fn time_insert(insert: &dyn Fn(u64)) -> f64 {
    let pages = (BYTES / PAGE_BYTES) as u64;
    (1..=2 * pages).for_each(insert);
    let rounds = (2..9).map(|round| {
        let started = ThreadTime::now();
        (round * pages..(round + 1) * pages).for_each(insert);
        started.elapsed()
    });
    rounds.min().unwrap().as_nanos() as f64 / pages as f64
}

fn main() {
    let page = [7u64; PAGE_WORDS];
    let ours = || PageCache::new(BYTES).unwrap();
    let theirs = || Cache::<u64, Arc<[u64]>>::new(BYTES / PAGE_BYTES);

    let (own, quick) = (ours(), theirs());
    for key in 1..=PAGES {
        own.insert(key, page.iter().copied());
        quick.insert(key, Arc::from(page.as_slice()));
    }
    for threads in [1, 2] {
        let own = time(threads, &|key, word| own.get(key, word).unwrap_or(0));
        let quick = time(threads, &|key, word| quick.get(&key).map_or(0, |page| page[word]));
        println!("a cell, {threads} threads: ours {own:.1} ns, quick_cache {quick:.1} ns");
    }
    let (own, quick) = (ours(), theirs());
    let own = time_insert(&|key| own.insert(key, page.iter().copied()));
    let quick = time_insert(&|key| quick.insert(key, Arc::from(page.as_slice())));
    println!("inserting a page: ours {own:.0} ns, quick_cache {quick:.0} ns");
    for bytes in [BYTES, 1 << 30, 4 << 30] {
        let rounds = (0..5).map(|_| {
            let started = Instant::now();
            let cache = PageCache::new(bytes).unwrap();
            let made = started.elapsed();
            for key in 1..=1000u64 {
                cache.insert(key * 7919, page.iter().copied());
            }
            (made, started.elapsed() - made)
        });
        let (made, filled) = rounds.min_by_key(|&(made, filled)| made + filled).unwrap();
        println!("{} MiB: allocated in {made:.1?}, first 1000 pages filled in {filled:.1?}", bytes >> 20);
    }
}
