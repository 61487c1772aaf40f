//! Allocates large arrays on huge pages, if the system supports them.
//!
//! A solve passes through arrays of many megabytes, the writer reads a table's cells in a different
//! order from the solver's, and the verifier looks up positions all over its arrays. With pages of
//! 4 KiB, page faults and TLB misses would take much of the time.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::pages::Pages;

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
    use crate::pages::keep_pages;

    #[test]
    fn used_pages_become_zeros_and_arrays_do_not_overlap() {
        let words = LARGE_BYTES / 8 + 1;
        keep_pages(true);
        for round in 0..4u64 {
            let mut large = HugeArray::<u64>::zeroed(5 * words);
            assert!(large.iter().all(|&word| word == 0));
            large.fill(!round);
            drop(large);
            // These take parts of the pages of the large array.
            let mut parts: Vec<_> = (0..4u64)
                .map(|number| {
                    let mut part = HugeArray::<u64>::zeroed(words);
                    assert!(part.iter().all(|&word| word == 0));
                    part.fill(number);
                    part
                })
                .collect();
            parts.swap_remove(round as usize);
            let other = HugeArray::<u64>::zeroed(words);
            assert!(other.iter().all(|&word| word == 0));
            for part in &parts {
                assert!(part.iter().all(|&word| word == part[0]));
            }
        }
        keep_pages(false);
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
