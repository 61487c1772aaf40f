//! Checks that a plan counts the arrays that a solve really allocates. This is a program of its
//! own, since it counts the allocations of the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;
use sakmak::generate::{Method, Progress, SolvedEndings, generate_by_plan};
use sakmak::internals::{mapped_bytes, plan_by};
use sakmak::material::CanonicalMaterial;
use sakmak::table::WriteOptions;

/// Adds up the allocated bytes, and keeps the maximum.
struct Counting;

static NOW: AtomicU64 = AtomicU64::new(0);
static MOST: AtomicU64 = AtomicU64::new(0);

fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
    // Large arrays get their pages from the system. The maximum is updated at small allocations
    // too, which happen all the time.
    MOST.fetch_max(now + mapped_bytes(), Ordering::Relaxed);
}

fn take(bytes: usize) {
    NOW.fetch_sub(bytes as u64, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller promises what the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        take(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        take(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The peak of the bytes allocated while an ending is solved and its cells are collected, but not
/// while they are written.
fn most_allocated(material: CanonicalMaterial) -> u64 {
    let directory = tempfile::tempdir().unwrap();
    let solving = AtomicBool::new(false);
    let most = AtomicU64::new(0);
    // Measured when the first solve begins: the writer's buffer of a mebibyte, which is not an
    // array, exists before that.
    let before = AtomicU64::new(u64::MAX);
    let progress = |progress: Progress| match progress {
        Progress::Reading if !solving.swap(true, Ordering::Relaxed) => {
            let now = NOW.load(Ordering::Relaxed) + mapped_bytes();
            MOST.store(now, Ordering::Relaxed);
            before.fetch_min(now, Ordering::Relaxed);
        }
        Progress::Choosing => {
            solving.store(false, Ordering::Relaxed);
            most.fetch_max(MOST.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        _ => {}
    };
    let threads = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Nothing is kept, so it need not be small.
    let options = WriteOptions {
        level: 1,
        ..WriteOptions::default()
    };
    threads.install(|| {
        let (directory, mut solved_endings) = (directory.path(), SolvedEndings::new());
        let method = Method::InMemory;
        generate_by_plan(
            &plan_by(method, material),
            directory,
            &mut solved_endings,
            &options,
            &progress,
        )
        .unwrap();
    });
    most.load(Ordering::Relaxed) - before.load(Ordering::Relaxed)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn a_plan_counts_the_arrays_that_are_there_at_the_worst_moment() {
    assert_planned(&[
        ("KSMvK", true),
        ("KRvKN", true),
        ("KNvKM", false),
        ("KPvKP-asean", false),
    ]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn a_plan_counts_the_arrays_of_larger_endings() {
    assert_planned(&[
        ("KMMMvK", true),
        ("KRvKS", true),
        ("KRvKM", false),
        ("KSvKN", false),
        ("KNMvKM", false),
        ("KRRvKR", false),
    ]);
}

/// Asserts that the arrays take no more memory than planned and, for the marked endings, not much
/// less. The other endings are drawn nearly everywhere, or won soon. For those the plan counts bit
/// planes of long wins that are not needed, which cannot be known beforehand.
fn assert_planned(endings: &[(&str, bool)]) {
    for &(name, long) in endings {
        let material: CanonicalMaterial = name.parse().unwrap();
        let said = plan_by(Method::InMemory, material).array_bytes;
        let there = most_allocated(material);
        println!("{name}: {said} bytes are counted, {there} were there");
        // Only arrays of lanes are planned, not for instance the graphs of the men's moves.
        assert!(
            there * 10 <= said * 11,
            "{name}: {said} counted, {there} there"
        );
        assert!(
            !long || there * 10 >= said * 9,
            "{name}: {said} counted, {there} there"
        );
    }
}
