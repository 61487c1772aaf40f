//! Allocates large arrays on huge pages, if the system supports them.
//!
//! A solve passes through arrays of many megabytes, the writer reads a table's cells in a different
//! order from the solver's, and the verifier looks up positions all over its arrays. With pages of
//! 4 KiB, page faults and TLB misses would take much of the time.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use memmap2::MmapMut;

/// The smallest size, in bytes, of an array that gets pages of its own.
const LARGE_BYTES: usize = 4 << 20;

/// An array of fixed length. A new array is filled with zeros, unless it is made by
/// [`HugeArray::unset`].
pub struct HugeArray<T>(Memory<T>);

enum Memory<T> {
    Small(Vec<T>),
    Large(Pages),
    InFile(MmapMut),
}

/// The pages of one array, and the number of bytes that the array uses.
struct Pages {
    map: MmapMut,
    bytes: usize,
}

/// The total size, in bytes, of all arrays with pages of their own.
static MAPPED_BYTES: AtomicU64 = AtomicU64::new(0);

/// The total size, in bytes, of all large arrays that exist now. The allocator's statistics do not
/// include them.
pub fn mapped_bytes() -> u64 {
    MAPPED_BYTES.load(Ordering::Relaxed)
}

/// The pages of dropped arrays.
static KEPT: Mutex<Kept> = Mutex::new(Kept::NOTHING);

/// Pages that are kept for later arrays. The system must clear new pages. Reusing pages avoids
/// that, which saves a tenth of the time of making tables, and more in a virtual machine whose host
/// must first provide the pages.
struct Kept {
    /// True if pages of dropped arrays are kept.
    keeps: bool,
    /// The largest total size of all arrays so far, in bytes. Arrays and kept pages together never
    /// exceed it.
    most_bytes: u64,
    /// The kept pages, the oldest first.
    pages: Vec<MmapMut>,
}

/// Chooses whether pages of dropped arrays are kept for later arrays or returned to the system.
/// Kept pages count as memory of the process; arrays and kept pages together never exceed the
/// arrays' peak.
pub fn keep_pages(keeps: bool) {
    let mut kept = kept();
    kept.keeps = keeps;
    if !keeps {
        kept.pages.clear();
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
        pages: Vec::new(),
    };

    /// Takes kept pages with room for this many bytes and at most an eighth more. None if no kept
    /// pages have a size in this range.
    fn take(&mut self, bytes: usize) -> Option<MmapMut> {
        let fits = |map: &MmapMut| (bytes..=bytes + bytes / 8).contains(&map.len());
        let found = self.pages.iter().enumerate().filter(|(_, map)| fits(map));
        let (place, _) = found.min_by_key(|(_, map)| map.len())?;
        Some(self.pages.remove(place))
    }

    /// Returns the oldest kept pages to the system until new pages of this size fit beside the
    /// existing arrays.
    fn make_room(&mut self, bytes: usize, mapped_bytes: u64) {
        let there = mapped_bytes + bytes as u64;
        self.most_bytes = self.most_bytes.max(there);
        let mut all = there + self.pages.iter().map(|map| map.len() as u64).sum::<u64>();
        while all > self.most_bytes && !self.pages.is_empty() {
            all -= self.pages.remove(0).len() as u64;
        }
    }
}

impl Pages {
    /// Allocates pages filled with zeros. None if the system has no memory left.
    fn zeroed(bytes: usize) -> Option<Pages> {
        let (mut pages, used) = Pages::new(bytes)?;
        if used {
            pages.bytes_mut().fill(0);
        }
        Some(pages)
    }

    /// Allocates pages, or reuses kept ones. The flag is true if the pages were used before and so
    /// have arbitrary content; new pages are zero. None if the system has no memory left.
    fn new(bytes: usize) -> Option<(Pages, bool)> {
        let used = {
            let mut kept = kept();
            let used = kept.take(bytes);
            if used.is_none() {
                kept.make_room(bytes, mapped_bytes());
            }
            used
        };
        let is_used = used.is_some();
        let map = match used {
            Some(map) => map,
            None => {
                let map = MmapMut::map_anon(bytes).ok()?;
                // Huge pages only save time, so it does not matter if the system refuses them.
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                map
            }
        };
        MAPPED_BYTES.fetch_add(map.len() as u64, Ordering::Relaxed);
        Some((Pages { map, bytes }, is_used))
    }

    fn bytes(&self) -> &[u8] {
        &self.map[..self.bytes]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.bytes]
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        MAPPED_BYTES.fetch_sub(self.map.len() as u64, Ordering::Relaxed);
        let mut kept = kept();
        if kept.keeps
            && let Ok(none) = MmapMut::map_anon(1)
        {
            kept.pages.push(std::mem::replace(&mut self.map, none));
        }
    }
}

impl<T: Pod> HugeArray<T> {
    /// Allocates an array of `len` zeros.
    pub fn zeroed(len: usize) -> HugeArray<T> {
        let bytes = len.saturating_mul(size_of::<T>());
        if bytes >= LARGE_BYTES
            && let Some(pages) = Pages::zeroed(bytes)
        {
            return HugeArray(Memory::Large(pages));
        }
        HugeArray(Memory::Small(vec![T::zeroed(); len]))
    }

    /// Allocates an array of `len` elements with arbitrary content, for callers that set all of
    /// them.
    pub fn unset(len: usize) -> HugeArray<T> {
        let bytes = len.saturating_mul(size_of::<T>());
        if bytes >= LARGE_BYTES
            && let Some((pages, _)) = Pages::new(bytes)
        {
            return HugeArray(Memory::Large(pages));
        }
        HugeArray::zeroed(len)
    }
}

impl<T: Pod> HugeArray<T> {
    /// Makes an array of `len` zeros in a file. The file must have exactly the size of the array,
    /// contain only zeros and have no other user.
    ///
    /// # Errors
    ///
    /// If the file cannot be mapped into memory.
    #[allow(unsafe_code)]
    pub fn in_file(file: &File, len: usize) -> io::Result<HugeArray<T>> {
        if len == 0 {
            return Ok(HugeArray::default());
        }
        // SAFETY: the caller's file has no name and no other user, so its bytes and its length do
        // not change while it is mapped.
        let map = unsafe { MmapMut::map_mut(file)? };
        assert_eq!(
            map.len(),
            len * size_of::<T>(),
            "the file is exactly as long as the array"
        );
        Ok(HugeArray(Memory::InFile(map)))
    }

    /// True if the array is in a file.
    pub fn is_in_file(&self) -> bool {
        matches!(self.0, Memory::InFile(_))
    }

    /// Releases the array's pages from the process's memory. The file keeps the content, and the
    /// system caches it while memory is free.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Memory::InFile(map) = &self.0 {
            // SAFETY: the map is shared with its file, which keeps the bytes; the next access reads
            // them from there.
            #[allow(unsafe_code)]
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }
}

impl<T: Pod> Deref for HugeArray<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Small(numbers) => numbers,
            Memory::Large(pages) => bytemuck::cast_slice(pages.bytes()),
            Memory::InFile(map) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: Pod> DerefMut for HugeArray<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Small(numbers) => numbers,
            Memory::Large(pages) => bytemuck::cast_slice_mut(pages.bytes_mut()),
            Memory::InFile(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl<T> Default for HugeArray<T> {
    fn default() -> HugeArray<T> {
        HugeArray(Memory::Small(Vec::new()))
    }
}

impl<T: Pod> Clone for HugeArray<T> {
    fn clone(&self) -> HugeArray<T> {
        let mut copy = HugeArray::unset(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Pod + PartialEq> PartialEq for HugeArray<T> {
    fn eq(&self, other: &HugeArray<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T: Pod + Eq> Eq for HugeArray<T> {}

impl<T: Pod> fmt::Debug for HugeArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_used_again_and_never_more_than_there_were() {
        let pages = |bytes| MmapMut::map_anon(bytes).unwrap();
        let lengths = |kept: &Kept| kept.pages.iter().map(|map| map.len()).collect::<Vec<_>>();
        let mut kept = Kept::NOTHING;
        kept.make_room(9_000, 3_000);
        assert_eq!(kept.most_bytes, 12_000);
        kept.pages = [5_000, 1_000, 3_000, 2_900].map(pages).into();
        // Takes the smallest pages that fit, unless too much of them would stay unused.
        assert_eq!(kept.take(2_800).map(|map| map.len()), Some(2_900));
        assert!(kept.take(4_000).is_none());
        assert!(kept.take(5_001).is_none());
        // Drops the oldest pages, and as few as possible.
        kept.make_room(1_000, 2_000);
        assert_eq!(lengths(&kept), [5_000, 1_000, 3_000]);
        kept.make_room(1_500, 2_000);
        assert_eq!(lengths(&kept), [1_000, 3_000]);
        kept.make_room(20_000, 2_000);
        assert_eq!((kept.most_bytes, lengths(&kept)), (22_000, vec![]));
    }

    #[test]
    fn used_pages_become_zeros() {
        let bytes = LARGE_BYTES + 8;
        let mut used = MmapMut::map_anon(bytes).unwrap();
        used.fill(7);
        kept().pages.push(used);
        let array = HugeArray::<u64>::zeroed(bytes / 8);
        assert!(array.iter().all(|&word| word == 0));
    }

    #[test]
    fn small_and_large_arrays_hold_what_is_put_in() {
        for len in [0, 1, 1000, LARGE_BYTES / 8 + 3] {
            let mut words = HugeArray::<u64>::zeroed(len);
            assert_eq!(words.len(), len);
            assert!(words.iter().all(|&word| word == 0));
            for (i, word) in words.iter_mut().enumerate() {
                *word = i as u64;
            }
            let copy = words.clone();
            assert!(copy.iter().enumerate().all(|(i, &word)| word == i as u64));
        }
    }
}
