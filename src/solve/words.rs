//! Large arrays of words, on large pages where the system has them.
//!
//! A solve sweeps over arrays of many megabytes, again and again. On pages of 4 KiB the first touch
//! of each and the misses of the address cache cost a good part of the time.

use std::fmt;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// From this size on an array gets pages of its own.
const LARGE_BYTES: usize = 4 << 20;

/// An array of words, zero at first. It cannot grow.
pub struct Words(Memory);

enum Memory {
    Small(Vec<u64>),
    Large(MmapMut),
}

impl Words {
    /// So many words, all zero.
    pub fn zeroed(len: usize) -> Words {
        let bytes = len.saturating_mul(8);
        if bytes >= LARGE_BYTES
            && let Ok(map) = MmapMut::map_anon(bytes)
        {
            // Large pages are a matter of speed: without them it works as well.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Words(Memory::Large(map));
        }
        Words(Memory::Small(vec![0; len]))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Memory::Small(words) => words,
            Memory::Large(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Memory::Small(words) => words,
            Memory::Large(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl Default for Words {
    fn default() -> Words {
        Words(Memory::Small(Vec::new()))
    }
}

impl Clone for Words {
    fn clone(&self) -> Words {
        let mut words = Words::zeroed(self.len());
        words.copy_from_slice(self);
        words
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Words {}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_arrays_hold_what_is_put_in() {
        for len in [0, 1, 1000, LARGE_BYTES / 8 + 3] {
            let mut words = Words::zeroed(len);
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
