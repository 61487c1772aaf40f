//! The bytes of a table that have been fetched so far.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sakmak::table::Source;

/// The length of a chunk, in bytes. Bytes are fetched in whole chunks, so that no byte is fetched
/// twice.
const CHUNK: u64 = 1 << 10;
/// The length in bytes up to which a table is fetched whole.
const SMALL: u64 = 32 << 10;
/// The number of chunks at the end of a file that are fetched together with its first chunk. Most
/// headers fit into them.
const HEADER: u64 = 2;
/// The largest gap between two needed chunks, in chunks, that is fetched too, so that one range is
/// enough.
const GAP: u64 = 2;
/// The largest number of chunks fetched around a needed one: 64 KiB.
const WIDEST: u64 = 64;

/// A file of which some bytes have been fetched. All clones share the same bytes.
#[derive(Clone, Debug)]
pub struct Fetched {
    length: u64,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The fetched chunks, by index.
    chunks: BTreeMap<u64, Vec<u8>>,
    /// The chunks that are needed and have not been fetched yet.
    wanted: BTreeSet<u64>,
}

impl Fetched {
    /// A file of this length, of which nothing has been fetched.
    pub fn new(length: u64) -> Fetched {
        Fetched {
            length,
            state: Arc::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn chunk_count(&self) -> u64 {
        self.length.div_ceil(CHUNK)
    }

    /// Stores fetched bytes, the first of which is at offset `start` of the file. Only whole chunks
    /// are stored; the last chunk of the file may be shorter.
    pub fn give(&self, start: u64, bytes: &[u8]) {
        if !start.is_multiple_of(CHUNK) {
            return;
        }
        let mut state = self.state();
        for (number, chunk) in (start / CHUNK..self.chunk_count()).zip(bytes.chunks(CHUNK as usize))
        {
            if chunk.len() as u64 == CHUNK.min(self.length - number * CHUNK) {
                state.chunks.entry(number).or_insert_with(|| chunk.to_vec());
            }
        }
    }

    /// The ranges that were needed since the last call and have not been fetched. In later rounds
    /// of the same question the ranges are wider, because that question needs many bytes.
    pub fn take_wanted(&self, round: u32) -> Vec<Range<u64>> {
        let mut state = self.state();
        let needed = std::mem::take(&mut state.wanted);
        let width = WIDEST.min(1 << round.saturating_sub(4).min(16));
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let absent = |number: &u64| !state.chunks.contains_key(number);
        for number in needed {
            let first = number - number % width;
            for number in (first..self.chunk_count().min(first + width)).filter(absent) {
                match ranges.last_mut() {
                    Some(last) if number < last.end => {}
                    Some(last)
                        if number - last.end <= GAP && (last.end..number).all(|n| absent(&n)) =>
                    {
                        last.end = number + 1;
                    }
                    _ => ranges.push(number..number + 1),
                }
            }
        }
        let bytes = |range: Range<u64>| range.start * CHUNK..self.length.min(range.end * CHUNK);
        ranges.into_iter().map(bytes).collect()
    }
}

impl Source for Fetched {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn bytes<'a>(
        &'a self,
        start: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        let end = start.saturating_add(length as u64);
        if end > self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut state = self.state();
        let State { chunks, wanted } = &mut *state;
        let needed = start / CHUNK..end.div_ceil(CHUNK);
        let absent = |number: &u64| !chunks.contains_key(number);
        if needed.clone().any(|number| absent(&number)) {
            let all = 0..self.chunk_count();
            if self.length <= SMALL {
                wanted.extend(all.filter(absent));
            } else {
                let header =
                    all.end.saturating_sub(HEADER)..if chunks.is_empty() { all.end } else { 0 };
                wanted.extend(needed.chain(header).filter(absent));
            }
            return Err(io::ErrorKind::WouldBlock.into());
        }
        buffer.clear();
        for (number, chunk) in chunks.range(needed) {
            let first = number * CHUNK;
            let from = start.saturating_sub(first) as usize;
            let to = (end - first).min(chunk.len() as u64) as usize;
            buffer.extend_from_slice(&chunk[from..to]);
        }
        Ok(&buffer[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads like a caller that fetches every missing range and tries again. Returns the ranges
    /// fetched.
    fn read(file: &[u8], fetched: &Fetched, start: u64, length: usize) -> Vec<Range<u64>> {
        let mut asked = Vec::new();
        let mut buffer = Vec::new();
        for round in 0..9 {
            match fetched.bytes(start, length, &mut buffer) {
                Ok(bytes) => {
                    assert_eq!(bytes, &file[start as usize..][..length]);
                    return asked;
                }
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
            for range in fetched.take_wanted(round) {
                fetched.give(range.start, &file[range.start as usize..range.end as usize]);
                asked.push(range);
            }
        }
        panic!("{start} {length}");
    }

    #[test]
    fn no_byte_is_fetched_twice() {
        let file: Vec<u8> = (0..100_001u32)
            .map(|n| (n.wrapping_mul(n) >> 5) as u8)
            .collect();
        let fetched = Fetched::new(file.len() as u64);
        let mut asked = read(&file, &fetched, 0, 64);
        // The first fetch includes the header at the end of the file.
        assert_eq!(asked, [0..1024, 98_304..100_001]);
        let mut state = 1u64;
        for _ in 0..300 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let start = (state >> 33) % 98_000;
            asked.extend(read(&file, &fetched, start, (state >> 21) as usize % 2000));
        }
        asked.sort_unstable_by_key(|range| range.start);
        assert!(asked.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let mut buffer = Vec::new();
        let beyond = fetched.bytes(100_000, 2, &mut buffer);
        assert_eq!(beyond.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn small_tables_are_fetched_whole() {
        let file = vec![7; 5000];
        let fetched = Fetched::new(5000);
        assert_eq!(read(&file, &fetched, 4000, 10), [0..5000]);
        assert!(read(&file, &fetched, 0, 5000).is_empty());
    }

    #[test]
    fn parts_of_chunks_are_not_kept() {
        let fetched = Fetched::new(100_000);
        fetched.give(1, &[0; 4000]);
        fetched.give(0, &[0; 1000]);
        assert!(fetched.bytes(0, 10, &mut Vec::new()).is_err());
    }
}
