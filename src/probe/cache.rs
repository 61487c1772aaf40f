//! A cache of decoded blocks, shared by all threads.
//!
//! Blocks are stored as **pages** of 2.5 KiB: a block of up to 2,560 one-byte cells is one page,
//! and a larger block several. Each page has a number, its *key*. The key maps to two *sets* of
//! seven places each; the page may take a place in either set. A place contains the key and the
//! index of a *slot*, the memory for one page. Slots are allotted in order, so memory fills from
//! its beginning: even a cache of many gigabytes touches only the memory of the pages that it
//! contains. When a page is replaced, the new page takes over its slot. Nothing is allocated after
//! construction.
//!
//! Readers take no lock. Each set has a counter that a writer makes odd before it changes a page
//! and even afterwards (a *sequence lock*). A reader checks the counter before and after reading a
//! cell, and discards the cell if the counter was odd or has changed. Writers take one of a few
//! dozen locks while they copy the 2.5 KiB of a page. A map of blocks in locked shards would cost
//! each probe two more atomic exchanges, and threads that use the same block would wait for each
//! other. `docs/develop/performance.md` compares this cache with `quick_cache`.
//!
//! The clock algorithm chooses the page to replace. Its hand goes round the places of the cache. It
//! spares a page once if the page was used since the hand's last visit.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, PoisonError};

/// The size of a page in bytes. A small block packed by symbol ranking, with 2048 or 2560 one-byte
/// cells by default, fits into one page.
pub(super) const PAGE_BYTES: usize = 2560;
/// The number of 64-bit words in a page.
pub(super) const PAGE_WORDS: usize = PAGE_BYTES / 8;
/// The number of places in a set. With its control word, a set fills one cache line of the
/// processor.
const WAYS: usize = 7;
/// The largest cache, in bytes, that is allocated without a check of the machine's memory.
const UNCHECKED_BYTES: usize = 256 << 20;
/// The number of locks that writers share. It exceeds the number of threads that decode at once.
const LOCKS: usize = 64;
/// The number of statistics counters: enough that threads seldom write to the same cache line.
const TALLIES: usize = 16;

/// The number of bits that store the slot in a place. A place is a 64-bit number, with the slot in
/// its low bits and the key in the other bits.
const SLOT_BITS: u32 = 28;
/// The largest number of slots, enough for 640 GiB of pages.
const MOST_SLOTS: usize = 1 << SLOT_BITS;
/// The smallest key that is too large for a place. It is reached after 160 TiB of decoded blocks.
const END_OF_KEYS: u64 = 1 << (64 - SLOT_BITS);

/// A writer adds this to a set's control word before it changes the set, and once more afterwards.
/// The control word's lower bits mark the places used recently.
const CHANGE: u64 = 1 << 8;

/// Cache hits and misses, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CacheStatistics {
    /// The number of cells read whose block was in the cache.
    pub hits: u64,
    /// The number of cells read whose block had to be decoded first.
    pub misses: u64,
}

#[repr(align(64))]
#[derive(Default)]
struct Set {
    control: AtomicU64,
    /// For each place, a number with the key and the slot of its page; 0 if the place never had a
    /// page.
    places: [AtomicU64; WAYS],
}

impl Set {
    /// The index of the place that contains the page with this key. `None` if this set does not
    /// contain the page.
    #[inline]
    fn way(&self, key: u64) -> Option<usize> {
        // Without branches, since branches on the place would be mispredicted.
        let places = self.places.iter().zip(0..);
        let found = places.fold(0, |found, (there, way)| {
            found | u32::from(there.load(Ordering::Relaxed) >> SLOT_BITS == key) << way
        });
        (found != 0).then_some(found.trailing_zeros() as usize % WAYS)
    }

    /// The slot in a place of this set.
    #[inline]
    fn slot(&self, way: usize) -> usize {
        self.places[way].load(Ordering::Relaxed) as usize % MOST_SLOTS
    }
}

#[repr(align(128))]
#[derive(Default)]
struct Tally {
    hits: AtomicU64,
    misses: AtomicU64,
}

/// Asks the system for pages of 2 MiB instead of 4 KiB. There is then one page fault for about 800
/// blocks, instead of one for each block.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prefer_huge_pages<T>(array: &[T]) {
    const HUGE_PAGE_BYTES: usize = 2 << 20;
    let bytes = array.as_ptr().cast::<u8>();
    let start = bytes.align_offset(HUGE_PAGE_BYTES);
    let whole = size_of_val(array).saturating_sub(start) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    if whole > 0 {
        let from = bytes.wrapping_add(start).cast_mut().cast();
        // SAFETY: the range lies inside the array, and the contents do not change: the call only
        // advises on the size of pages.
        let _ = unsafe { libc::madvise(from, whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_: &[T]) {}

/// The machine's memory in bytes. `None` if the system does not report it.
fn physical_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = text.lines();
    let total = lines.find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The cache of pages. Keys start at 1; pages with a key of 2^36 or more are not cached.
pub(super) struct PageCache {
    sets: Vec<Set>,
    words: Vec<AtomicU64>,
    /// The number of slots in use.
    slots: AtomicUsize,
    locks: [Mutex<()>; LOCKS],
    tallies: [Tally; TALLIES],
}

impl PageCache {
    /// A cache of about `bytes` bytes, with at least one set of seven pages. `None` if the machine
    /// has too little memory.
    pub fn new(bytes: usize) -> Option<PageCache> {
        let number = bytes / (WAYS * PAGE_BYTES + size_of::<Set>());
        let number = number.clamp(1, MOST_SLOTS / WAYS);
        // Zeroed memory is only committed when written to. So the system may promise more than
        // there is, and kill the process later.
        let large = bytes > UNCHECKED_BYTES;
        if large && physical_memory().is_some_and(|most| bytes as u64 > most) {
            return None;
        }
        let words = bytemuck::allocation::try_zeroed_vec(number * WAYS * PAGE_WORDS).ok()?;
        prefer_huge_pages(&words);
        let mut sets = Vec::new();
        sets.try_reserve_exact(number).ok()?;
        prefer_huge_pages(sets.spare_capacity_mut());
        sets.resize_with(number, Set::default);
        Some(PageCache {
            sets,
            words,
            slots: AtomicUsize::new(0),
            locks: [const { Mutex::new(()) }; LOCKS],
            tallies: Default::default(),
        })
    }

    /// A cache of size 0, which caches nothing.
    pub fn none() -> PageCache {
        PageCache {
            sets: Vec::new(),
            words: Vec::new(),
            slots: AtomicUsize::new(0),
            locks: [const { Mutex::new(()) }; LOCKS],
            tallies: Default::default(),
        }
    }

    /// Returns a word of the page with this key, if the page is cached.
    #[inline]
    pub fn get(&self, key: u64, word: usize) -> Option<u64> {
        // Most pages are in their first set, so the second is computed only if needed.
        let hash = first_hash(key);
        self.get_in(self.set_of(hash), key, word)
            .or_else(|| self.get_in(self.set_of(second_hash(hash)), key, word))
    }

    #[inline]
    fn get_in(&self, set_index: usize, key: u64, word: usize) -> Option<u64> {
        let set = self.sets.get(set_index)?;
        let before = set.control.load(Ordering::Acquire);
        let way = set.way(key)?;
        let found = self.page(set.slot(way)).get(word)?.load(Ordering::Relaxed);
        // Orders the cell's read before the second read of the counter.
        fence(Ordering::Acquire);
        let after = set.control.load(Ordering::Relaxed);
        if before & CHANGE != 0 || before / CHANGE != after / CHANGE {
            // A page of this set is being replaced, or was. The caller decodes the block again.
            return None;
        }
        if before >> way & 1 == 0 {
            set.control.fetch_or(1 << way, Ordering::Relaxed);
        }
        Some(found)
    }

    /// Copies the beginning of the page with this key into `parts`, one after the other. Returns false
    /// if the page is not cached.
    pub fn copy(&self, key: u64, parts: &mut [&mut [u64]]) -> bool {
        let mut copy_from = |set_index: usize| {
            let set = self.sets.get(set_index)?;
            let before = set.control.load(Ordering::Acquire);
            let way = set.way(key)?;
            let mut page = self.page(set.slot(way)).iter();
            for part in parts.iter_mut() {
                for (to, from) in part.iter_mut().zip(page.by_ref()) {
                    *to = from.load(Ordering::Relaxed);
                }
            }
            fence(Ordering::Acquire);
            let after = set.control.load(Ordering::Relaxed);
            (before & CHANGE == 0 && before / CHANGE == after / CHANGE).then_some(())
        };
        let mut sets = self.sets_of(key).into_iter();
        sets.any(|set_index| copy_from(set_index).is_some())
    }

    /// Caches a page with these words, padded with zeros. Another page that was not used recently
    /// may be replaced. If the page is cached already, nothing changes.
    pub fn insert(&self, key: u64, words: impl Iterator<Item = u64>) {
        self.put(key, false, |page| {
            let words = words.chain(std::iter::repeat(0));
            for (place, word) in page.iter().zip(words) {
                place.store(word, Ordering::Relaxed);
            }
        });
    }

    /// Caches a page that begins with the words of `parts`, in place of a cached page with the same
    /// key. The words after them are undefined.
    pub fn replace(&self, key: u64, parts: &[&[u64]]) {
        self.put(key, true, |page| {
            let mut places = page.iter();
            for part in parts {
                for (&word, place) in part.iter().zip(places.by_ref()) {
                    place.store(word, Ordering::Relaxed);
                }
            }
        });
    }

    fn put(&self, key: u64, replace: bool, write: impl FnOnce(&[AtomicU64])) {
        if key >= END_OF_KEYS {
            return;
        }
        let sets = self.sets_of(key);
        let has_room = |set_index: usize| {
            self.sets
                .get(set_index)
                .is_some_and(|set| set.way(0).is_some())
        };
        let [first, second] = sets;
        let changes = |set_index: usize| {
            let set = self.sets.get(set_index);
            set.map_or(0, |set| set.control.load(Ordering::Relaxed) / CHANGE)
        };
        // The set where a reader looks first, if it has room; else the other, if that has room;
        // else the one with fewer replacements.
        let set_index = match () {
            () if has_room(first) => first,
            () if has_room(second) => second,
            () if changes(first) <= changes(second) => first,
            () => second,
        };
        let there = |&set_index: &usize| {
            self.sets
                .get(set_index)
                .is_some_and(|set| set.way(key).is_some())
        };
        let set_index = sets.into_iter().find(there).unwrap_or(set_index);
        let Some(set) = self.sets.get(set_index) else {
            return;
        };
        let lock = &self.locks[set_index % LOCKS];
        let _only = lock.lock().unwrap_or_else(PoisonError::into_inner);
        let way = match set.way(key) {
            Some(way) if replace => way,
            None if replace || !sets.iter().any(there) => self.choose_place(set),
            _ => return,
        };
        let place = &set.places[way];
        let slot = match place.load(Ordering::Relaxed) {
            // A place that never had a page takes a new slot. There are as many slots as places.
            0 => self.slots.fetch_add(1, Ordering::Relaxed),
            _ => set.slot(way),
        };
        set.control.fetch_add(CHANGE, Ordering::Relaxed);
        fence(Ordering::Release);
        place.store(key << SLOT_BITS | slot as u64, Ordering::Relaxed);
        write(self.page(slot));
        set.control.fetch_add(CHANGE, Ordering::Release);
    }

    /// Chooses a place in a set for a new page. The caller holds the set's lock.
    fn choose_place(&self, set: &Set) -> usize {
        if let Some(way) = set.way(0) {
            return way;
        }
        let control = set.control.load(Ordering::Relaxed);
        // The hand advances by one place with every page, or two changes of the counter.
        let hand = (control / CHANGE / 2) as usize % WAYS;
        let mut spared = 0;
        let mut way = hand;
        for step in 0..WAYS {
            way = (hand + step) % WAYS;
            if control >> way & 1 == 0 {
                break;
            }
            spared |= 1 << way;
        }
        set.control.fetch_and(!spared, Ordering::Relaxed);
        way
    }

    /// The indices of the two sets that may contain the page with this key.
    #[inline]
    fn sets_of(&self, key: u64) -> [usize; 2] {
        let hash = first_hash(key);
        [hash, second_hash(hash)].map(|hash| self.set_of(hash))
    }

    /// The index of the set that a hash selects.
    #[inline]
    fn set_of(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.sets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn page(&self, slot: usize) -> &[AtomicU64] {
        let start = slot * PAGE_WORDS;
        self.words.get(start..start + PAGE_WORDS).unwrap_or(&[])
    }

    /// Adds hits and misses to the statistics.
    #[inline]
    pub fn count(&self, hits: u64, misses: u64) {
        let tally = &self.tallies[own_tally()];
        if hits > 0 {
            tally.hits.fetch_add(hits, Ordering::Relaxed);
        }
        if misses > 0 {
            tally.misses.fetch_add(misses, Ordering::Relaxed);
        }
    }

    /// The hits and misses of all threads so far.
    pub fn statistics(&self) -> CacheStatistics {
        let mut sum = CacheStatistics::default();
        for tally in &self.tallies {
            sum.hits += tally.hits.load(Ordering::Relaxed);
            sum.misses += tally.misses.load(Ordering::Relaxed);
        }
        sum
    }

    /// The size of the full cache in bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8 + self.sets.len() * size_of::<Set>()
    }
}

impl fmt::Debug for PageCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageCache")
            .field("bytes", &self.bytes())
            .field("statistics", &self.statistics())
            .finish_non_exhaustive()
    }
}

/// The hash of a key that selects the page's first set.
#[inline]
fn first_hash(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The hash that selects the page's second set.
#[inline]
fn second_hash(first: u64) -> u64 {
    (first ^ first >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The statistics counter of this thread.
#[inline]
fn own_tally() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    let own = OWN.get();
    if own < TALLIES {
        return own;
    }
    let own = NEXT.fetch_add(1, Ordering::Relaxed) % TALLIES;
    OWN.set(own);
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word that these tests store at an index of a page. It is different for every key and
    /// every index.
    fn content(key: u64, word: usize) -> u64 {
        key << 32 | word as u64
    }

    fn insert(cache: &PageCache, key: u64) {
        cache.insert(key, (0..PAGE_WORDS).map(|word| content(key, word)));
    }

    #[test]
    fn only_inserted_pages_are_found_with_their_words() {
        let cache = PageCache::new(1 << 20).unwrap();
        for key in 1..=100 {
            assert_eq!(cache.get(key, 0), None);
            insert(&cache, key);
            for word in [0, 1, PAGE_WORDS - 1] {
                assert_eq!(cache.get(key, word), Some(content(key, word)));
            }
            assert_eq!(cache.get(key, PAGE_WORDS), None);
        }
    }

    #[test]
    fn a_half_full_cache_keeps_its_pages_whatever_their_keys() {
        for stride in [1, 8, 4096, 65_537] {
            let cache = PageCache::new(8 << 20).unwrap();
            let pages = (cache.bytes() / PAGE_BYTES / 2) as u64;
            let keys = (1..=pages).map(|i| i * stride + (stride << 19));
            for key in keys.clone() {
                insert(&cache, key);
            }
            let kept = keys.filter(|&key| cache.get(key, 7).is_some()).count() as u64;
            assert!(kept * 100 >= pages * 99, "{kept} of {pages}, {stride}");
        }
    }

    #[test]
    fn the_budget_holds_and_pages_in_use_stay() {
        let budget = 4 << 20;
        let cache = PageCache::new(budget).unwrap();
        assert!(cache.bytes() <= budget && cache.bytes() > budget * 9 / 10);
        let busy: Vec<u64> = (1..=100).collect();
        for &key in &busy {
            insert(&cache, key);
        }
        for passing in 1000..20_000 {
            insert(&cache, passing);
            for &key in &busy {
                cache.get(key, 3);
            }
        }
        let kept = busy.iter().filter(|&&key| cache.get(key, 3).is_some());
        assert!(kept.count() >= 95);
    }

    #[test]
    fn the_smallest_cache_still_works() {
        let cache = PageCache::new(0).unwrap();
        for key in 1..1000 {
            insert(&cache, key);
            assert_eq!(cache.get(key, 9), Some(content(key, 9)));
        }
    }

    #[test]
    fn memory_is_filled_from_its_beginning() {
        let cache = PageCache::new(64 << 20).unwrap();
        // The second round replaces the pages of the first, in the same places.
        for key in (1..=500).chain(1..=500) {
            let words: Vec<u64> = (0..PAGE_WORDS).map(|word| content(key, word)).collect();
            let (first, rest) = words.split_at(100);
            cache.replace(key * 7919, &[first, rest]);
            assert_eq!(cache.get(key * 7919, 150), Some(words[150]));
        }
        let used = |slot: usize| {
            cache
                .page(slot)
                .iter()
                .any(|w| w.load(Ordering::Relaxed) != 0)
        };
        let slots = cache.bytes() / PAGE_BYTES;
        assert!((0..500).all(used) && !(500..slots).any(used));
    }

    #[test]
    fn keys_that_are_too_large_are_not_cached_or_confused_with_others() {
        let cache = PageCache::new(1 << 20).unwrap();
        insert(&cache, END_OF_KEYS - 1);
        let last = cache.get(END_OF_KEYS - 1, 5);
        assert_eq!(last, Some(content(END_OF_KEYS - 1, 5)));
        for key in [END_OF_KEYS, END_OF_KEYS + 7, 7 << 36, u64::MAX] {
            insert(&cache, key);
            assert_eq!(cache.get(key, 5), None);
        }
    }

    #[test]
    fn too_large_a_cache_is_refused() {
        for bytes in (40..64).map(|bits| 1 << bits).chain([usize::MAX]) {
            assert!(PageCache::new(bytes).is_none(), "{bytes}");
        }
        let none = PageCache::none();
        insert(&none, 1);
        assert_eq!(none.get(1, 0), None);
    }

    #[test]
    fn readers_never_see_a_page_that_is_being_replaced() {
        // So small that pages are replaced all the time.
        let cache = PageCache::new(0).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    let mut found = 0;
                    for i in 0..60_000u64 {
                        let mixed = (i + (thread << 20)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        let key = 1 + (mixed >> 40) % 29;
                        let word = (i * 7) as usize % PAGE_WORDS;
                        match cache.get(key, word) {
                            Some(value) => {
                                assert_eq!(value, content(key, word));
                                found += 1;
                            }
                            None => insert(cache, key),
                        }
                    }
                    assert!(found > 0);
                });
            }
        });
    }

    #[test]
    fn counts_of_all_threads_are_added_up() {
        let cache = PageCache::new(0).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| (0..1000).for_each(|_| cache.count(2, 1)));
            }
        });
        let expected = CacheStatistics {
            hits: 40_000,
            misses: 20_000,
        };
        assert_eq!(cache.statistics(), expected);
    }
}
