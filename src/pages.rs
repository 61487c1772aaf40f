//! Pages of memory for large arrays, kept for later arrays.
//!
//! The system must clear new pages. Reusing pages avoids that, which saves a tenth of the time of
//! making tables, and more in a virtual machine whose host must first provide the pages. Making a
//! table needs arrays of very different sizes in turn: many small ones for a solve, a few large ones
//! for cells. So kept pages are split for smaller arrays, and joined again for larger ones.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The pages of one array.
pub struct Pages {
    range: Range,
    /// The number of bytes that the array uses.
    bytes: usize,
}

/// Consecutive pages of this process, by the address of the first byte and the number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    start: usize,
    len: usize,
}

/// The size of a range is a multiple of this number of bytes, which is a multiple of the size of a
/// page on every system.
const UNIT: usize = 64 << 10;

/// The total size, in bytes, of the pages of all arrays.
static MAPPED_BYTES: AtomicU64 = AtomicU64::new(0);

/// The total size, in bytes, of all large arrays that exist now. The allocator's statistics do not
/// include them.
pub fn mapped_bytes() -> u64 {
    MAPPED_BYTES.load(Ordering::Relaxed)
}

/// The pages of dropped arrays.
static KEPT: Mutex<Kept> = Mutex::new(Kept::NOTHING);

struct Kept {
    /// True if pages of dropped arrays are kept.
    keeps: bool,
    /// The largest total size of all arrays so far, in bytes. Arrays and kept pages together never
    /// exceed it.
    most_bytes: u64,
    ranges: Ranges,
}

/// Chooses whether pages of dropped arrays are kept for later arrays or returned to the system.
/// Kept pages count as memory of the process; arrays and kept pages together never exceed the
/// arrays' peak.
pub fn keep_pages(keeps: bool) {
    let mut kept = kept();
    kept.keeps = keeps;
    if !keeps {
        for range in kept.ranges.release(u64::MAX) {
            system::unmap(range);
        }
        kept.most_bytes = 0;
    }
}

fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    const NOTHING: Kept = Kept {
        keeps: false,
        most_bytes: 0,
        ranges: Ranges(BTreeMap::new()),
    };

    /// The ranges to return to the system before new pages of this size are mapped beside the
    /// existing arrays.
    fn make_room(&mut self, bytes: usize, mapped_bytes: u64) -> Vec<Range> {
        let there = mapped_bytes + bytes as u64;
        self.most_bytes = self.most_bytes.max(there);
        let all = there + self.ranges.bytes();
        self.ranges.release(all.saturating_sub(self.most_bytes))
    }
}

/// Ranges that do not touch each other: for each start, the length.
#[derive(Debug)]
struct Ranges(BTreeMap<usize, usize>);

impl Ranges {
    fn bytes(&self) -> u64 {
        self.0.values().map(|&len| len as u64).sum()
    }

    /// Adds a range that overlaps none of these, and joins it to the ranges that it touches.
    fn add(&mut self, range: Range) {
        let Range { mut start, mut len } = range;
        if let Some((&before, &before_len)) = self.0.range(..start).next_back()
            && before + before_len == start
        {
            start = before;
            len += before_len;
        }
        if let Some(after) = self.0.remove(&(start + len)) {
            len += after;
        }
        self.0.insert(start, len);
    }

    /// Takes a range of this length out of the smallest range that is long enough. `None` if all
    /// are too short.
    fn take(&mut self, len: usize) -> Option<Range> {
        let enough = self.0.iter().filter(|&(_, &there)| there >= len);
        let (&start, &there) = enough.min_by_key(|&(_, &there)| there)?;
        self.0.remove(&start);
        if there > len {
            self.0.insert(start + len, there - len);
        }
        Some(Range { start, len })
    }

    /// Takes out at least this number of bytes, or all if there are fewer. Begins with the shortest
    /// range, which fits the fewest arrays.
    fn release(&mut self, bytes: u64) -> Vec<Range> {
        let mut shortest_first: Vec<Range> = self
            .0
            .iter()
            .map(|(&start, &len)| Range { start, len })
            .collect();
        shortest_first.sort_by_key(|range| range.len);
        let (mut left, mut released) = (bytes, Vec::new());
        for range in shortest_first {
            if left == 0 {
                break;
            }
            self.0.remove(&range.start);
            let wanted = left.min(range.len as u64) as usize;
            let len = wanted.next_multiple_of(UNIT).min(range.len);
            if len < range.len {
                self.0.insert(range.start, range.len - len);
            }
            let start = range.start + range.len - len;
            released.push(Range { start, len });
            left -= (len as u64).min(left);
        }
        released
    }
}

impl Pages {
    /// Allocates pages filled with zeros. `None` if the system has no memory left.
    pub fn zeroed(bytes: usize) -> Option<Pages> {
        let (mut pages, used) = Pages::new(bytes)?;
        if used {
            pages.bytes_mut().fill(0);
        }
        Some(pages)
    }

    /// Allocates pages, or reuses kept ones. The flag is true if the pages were used before and so
    /// have arbitrary content; new pages are zero. `None` if the system has no memory left.
    pub fn new(bytes: usize) -> Option<(Pages, bool)> {
        let len = bytes.checked_next_multiple_of(UNIT)?.max(UNIT);
        let (used, released) = {
            let mut kept = kept();
            match kept.ranges.take(len) {
                Some(range) => (Some(range), Vec::new()),
                None => (None, kept.make_room(len, mapped_bytes())),
            }
        };
        released.into_iter().for_each(system::unmap);
        let is_used = used.is_some();
        let range = match used {
            Some(range) => range,
            None => system::map(len)?,
        };
        MAPPED_BYTES.fetch_add(len as u64, Ordering::Relaxed);
        Some((Pages { range, bytes }, is_used))
    }

    /// The bytes of the array.
    pub fn bytes(&self) -> &[u8] {
        system::bytes(self)
    }

    /// The bytes of the array.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        system::bytes_mut(self)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        MAPPED_BYTES.fetch_sub(self.range.len as u64, Ordering::Relaxed);
        let mut kept = kept();
        match kept.keeps {
            true => kept.ranges.add(self.range),
            false => system::unmap(self.range),
        }
    }
}

/// Memory from the system. Its calls take and return parts of what was mapped together, which no
/// safe interface allows.
#[cfg(unix)]
#[allow(unsafe_code)]
mod system {
    use super::{Pages, Range};

    /// Maps pages filled with zeros. `None` if the system has no memory left.
    pub fn map(len: usize) -> Option<Range> {
        let (access, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        // SAFETY: new pages, at an address that the system chooses, belong to nothing else.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // Huge pages only save time, so it does not matter if the system refuses them.
        #[cfg(target_os = "linux")]
        // SAFETY: the advice does not change the content of the pages.
        unsafe {
            libc::madvise(start, len, libc::MADV_HUGEPAGE);
        }
        Some(Range {
            start: start.expose_provenance(),
            len,
        })
    }

    /// Returns pages to the system.
    pub fn unmap(range: Range) {
        let start = std::ptr::with_exposed_provenance_mut(range.start);
        // SAFETY: the range was mapped by `map` and belongs to the caller alone: neither an array
        // nor the kept pages have it any more.
        unsafe {
            libc::munmap(start, range.len);
        }
    }

    pub fn bytes(pages: &Pages) -> &[u8] {
        let start = std::ptr::with_exposed_provenance(pages.range.start);
        // SAFETY: the pages are mapped until `pages` is dropped, have at least this many bytes, and
        // belong to no other array.
        unsafe { std::slice::from_raw_parts(start, pages.bytes) }
    }

    pub fn bytes_mut(pages: &mut Pages) -> &mut [u8] {
        let start = std::ptr::with_exposed_provenance_mut(pages.range.start);
        // SAFETY: as above; the borrow of `pages` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(start, pages.bytes) }
    }
}

/// Elsewhere no array gets pages of its own.
#[cfg(not(unix))]
mod system {
    use super::{Pages, Range};

    pub fn map(_: usize) -> Option<Range> {
        None
    }

    pub fn unmap(_: Range) {}

    pub fn bytes(_: &Pages) -> &[u8] {
        &[]
    }

    pub fn bytes_mut(_: &mut Pages) -> &mut [u8] {
        &mut []
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn range(start: usize, len: usize) -> Range {
        Range {
            start: start * UNIT,
            len: len * UNIT,
        }
    }

    /// The units of a range.
    fn units(range: Range) -> impl Iterator<Item = usize> {
        range.start / UNIT..(range.start + range.len) / UNIT
    }

    #[test]
    fn ranges_are_split_and_joined_without_loss() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut ranges = Ranges(BTreeMap::new());
        let mut inside: BTreeSet<usize> = BTreeSet::new();
        let mut outside = vec![range(1, 300), range(301, 20), range(400, 90)];
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..20_000 {
            match random.u8(..8) {
                0..4 if !outside.is_empty() => {
                    let back = outside.swap_remove(random.usize(..outside.len()));
                    inside.extend(units(back));
                    ranges.add(back);
                }
                4..7 => {
                    let wanted = random.usize(1..120);
                    let longest = |set: &BTreeSet<usize>| {
                        let runs = set.iter().scan((0, usize::MAX), |(n, last), &unit| {
                            *n = if unit == last.wrapping_add(1) {
                                *n + 1
                            } else {
                                1
                            };
                            *last = unit;
                            Some(*n)
                        });
                        runs.max().unwrap_or(0)
                    };
                    match ranges.take(wanted * UNIT) {
                        Some(found) => {
                            assert_eq!(found.len, wanted * UNIT);
                            assert!(units(found).all(|unit| inside.remove(&unit)));
                            outside.push(found);
                            taken += 1;
                        }
                        None => {
                            assert!(longest(&inside) < wanted, "joined pages are found");
                            refused += 1;
                        }
                    }
                }
                _ => {
                    let (wanted, before) = (random.u64(..9 * UNIT as u64), ranges.bytes());
                    let released = ranges.release(wanted);
                    for range in released {
                        assert!(units(range).all(|unit| inside.remove(&unit)));
                        outside.push(range);
                    }
                    let after = ranges.bytes();
                    let expected = before.saturating_sub(wanted.next_multiple_of(UNIT as u64));
                    assert_eq!(after, expected, "no more than asked for is released");
                }
            }
            assert_eq!(ranges.bytes(), (inside.len() * UNIT) as u64);
        }
        assert!(taken > 1000 && refused > 1000, "{taken} {refused}");
    }

    #[test]
    fn arrays_and_kept_pages_are_never_more_than_there_were() {
        let mut kept = Kept::NOTHING;
        let unit = UNIT as u64;
        assert!(kept.make_room(9 * UNIT, 3 * unit).is_empty());
        assert_eq!(kept.most_bytes, 12 * unit);
        kept.ranges.add(range(100, 5));
        kept.ranges.add(range(200, 3));
        assert!(kept.make_room(UNIT, 3 * unit).is_empty());
        // The shortest range goes first, and no more of it than needed.
        assert_eq!(kept.make_room(4 * UNIT, 2 * unit), [range(201, 2)]);
        assert_eq!(
            kept.make_room(8 * UNIT, 2 * unit),
            [range(200, 1), range(102, 3)]
        );
        assert_eq!(kept.make_room(20 * UNIT, 2 * unit), [range(100, 2)]);
        assert_eq!((kept.most_bytes, kept.ranges.bytes()), (22 * unit, 0));
    }
}
