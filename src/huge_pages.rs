//! Large arrays, on large pages where the system has them.
//!
//! A solve sweeps over arrays of many megabytes, again and again, a table's cells are read in
//! another order than they were written, and moves lead all over a verifier's lists. On pages of
//! 4 KiB the first touch of each and the misses of the address cache cost a good part of the time.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Pod;
use memmap2::MmapMut;

/// From this size on an array gets pages of its own.
const LARGE_BYTES: usize = 4 << 20;

/// An array of numbers, zero at first. It cannot grow.
pub struct HugeArray<T>(Memory<T>);

enum Memory<T> {
    Small(Vec<T>),
    Large(Pages),
    InFile(MmapMut),
}

/// Pages of an array's own.
struct Pages(MmapMut);

/// The bytes of all such pages.
static MAPPED_BYTES: AtomicU64 = AtomicU64::new(0);

/// The bytes of the large arrays that are there now, in the whole program: the allocator does not
/// know of them.
pub fn mapped_bytes() -> u64 {
    MAPPED_BYTES.load(Ordering::Relaxed)
}

impl Pages {
    /// None where the system gives none.
    fn new(bytes: usize) -> Option<Pages> {
        let map = MmapMut::map_anon(bytes).ok()?;
        // Large pages are a matter of speed: without them it works as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        MAPPED_BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
        Some(Pages(map))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        MAPPED_BYTES.fetch_sub(self.0.len() as u64, Ordering::Relaxed);
    }
}

impl<T: Pod> HugeArray<T> {
    /// So many numbers, all zero.
    pub fn zeroed(len: usize) -> HugeArray<T> {
        let bytes = len.saturating_mul(size_of::<T>());
        if bytes >= LARGE_BYTES
            && let Some(pages) = Pages::new(bytes)
        {
            return HugeArray(Memory::Large(pages));
        }
        HugeArray(Memory::Small(vec![T::zeroed(); len]))
    }
}

impl<T: Pod> HugeArray<T> {
    /// So many numbers in a file of just their bytes, which nobody else has and which is zero.
    ///
    /// # Errors
    ///
    /// If the file cannot be mapped.
    #[allow(unsafe_code)]
    pub fn in_file(file: &File, len: usize) -> io::Result<HugeArray<T>> {
        if len == 0 {
            return Ok(HugeArray::default());
        }
        // SAFETY: the caller's file has no name and no other owner, so that nothing changes its
        // bytes or its length while it is mapped.
        let map = unsafe { MmapMut::map_mut(file)? };
        assert_eq!(
            map.len(),
            len * size_of::<T>(),
            "a file of just the numbers"
        );
        Ok(HugeArray(Memory::InFile(map)))
    }

    /// Whether the numbers are in a file.
    pub fn is_in_file(&self) -> bool {
        matches!(self.0, Memory::InFile(_))
    }

    /// Takes the pages of numbers in a file out of the process. They stay in the system's cache
    /// while there is memory, and in the file.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Memory::InFile(map) = &self.0 {
            // SAFETY: the map is shared with its file, in which the bytes stay: they are read from
            // there when they are touched again.
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
            Memory::Large(Pages(map)) | Memory::InFile(map) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: Pod> DerefMut for HugeArray<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Small(numbers) => numbers,
            Memory::Large(Pages(map)) | Memory::InFile(map) => bytemuck::cast_slice_mut(map),
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
        let mut copy = HugeArray::zeroed(self.len());
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
