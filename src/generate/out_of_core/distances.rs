//! One side's distances in a slice, collected from the steps of the solve and stored on disk.
//!
//! A table stores positions with White to move, so it needs White's wins with the winner to move
//! and Black's wins with the loser to move. The writer of the table reads both for one square of
//! White's king at a time. In a slab of a solve, the winner's king is on one square, and each bit
//! of a lane stands for a square of the loser's king. So the writer reads one slab of White's wins,
//! but one bit of every lane of Black's wins. For this reason the distances of a slab are stored in
//! *columns*, one for each square of the loser's king.

use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checkpoint::{CheckpointFiles, SliceCounts};
use super::work_file::{BlobFile, BlobWriter, Key, compress, distances_name};
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::solve::{LaneBytes, LaneLayout, Parts, Unit, parts};
use crate::table::{IoAction, TableError, TableErrorKind};

/// The number of columns of a slab: one for each square of the loser's king.
const COLUMNS: usize = 64;

/// The largest number of lanes in a blob. A part with more lanes has a blob of its own.
const BLOB_LANES: usize = 1 << 17;

/// The division of a slice's lanes into *runs* of one or more adjacent parts. A blob contains one
/// column of one run.
#[derive(Clone, Copy, Debug)]
struct Runs {
    /// The number of parts in a run.
    parts: usize,
    /// The number of lanes in a run.
    lanes: usize,
    /// The number of runs in a slab.
    per_slab: usize,
    /// The number of runs in all slabs.
    all: usize,
}

impl Runs {
    fn new(cut: Parts) -> Runs {
        let fits = |&parts: &usize| {
            cut.per_slab.is_multiple_of(parts) && (parts == 1 || parts * cut.lanes() <= BLOB_LANES)
        };
        let parts = (1..=cut.per_slab).rev().find(fits).unwrap_or(1);
        Runs {
            parts,
            lanes: parts * cut.lanes(),
            per_slab: cut.per_slab / parts,
            all: cut.all / parts,
        }
    }
}

/// The distances of a slice, in a file of blobs.
#[derive(Debug)]
pub struct Distances {
    blobs: BlobFile,
    runs: Runs,
    found: Found,
}

/// The results of a solve that are stored with its distances.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    /// The largest stored number: a distance, or a distance plus one for losses.
    largest: u16,
    /// The digest of the slice's leaves, as hexadecimal digits. If two solves of a slice have equal
    /// digests, their distances are equal.
    captures: String,
    counts: SliceCounts,
}

/// Selects which distances of a solve are collected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// The distances with the winner to move.
    Wins,
    /// The distances with the loser to move, each plus one.
    Losses,
}

impl Distances {
    /// Opens the distances of a solve. None if the file is missing or unusable.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(
        directory: &Path,
        material: CanonicalMaterial,
        solve: &str,
        lane_layout: &LaneLayout,
    ) -> Result<Option<Distances>, TableError> {
        let path = directory.join(distances_name(solve));
        let key = Key::new(material, solve, lane_layout);
        let runs = Runs::new(parts(lane_layout));
        let opened = BlobFile::open::<Found>(&path, &key, runs.all * COLUMNS)?;
        Ok(opened.map(|(blobs, found)| Distances { blobs, runs, found }))
    }

    /// Collects the distances of a finished solve from all its steps, on the current rayon pool,
    /// and writes them to a file.
    ///
    /// # Errors
    ///
    /// If a step cannot be read, a distance is too large, or the distances cannot be written.
    pub fn collect(
        directory: &Path,
        material: CanonicalMaterial,
        solve: &str,
        lane_layout: &LaneLayout,
        steps: &CheckpointFiles,
        (numbers, unit): (Numbers, Unit),
        (captures, counts): (blake3::Hash, SliceCounts),
    ) -> Result<Distances, TableError> {
        let path = directory.join(distances_name(solve));
        let cannot = |error| TableError::io(&path, IoAction::Write, error);
        let parts = parts(lane_layout);
        let runs = Runs::new(parts);
        // Step 1 finds the mates, and step 2 the wins in one move. In a solve by plies, each win is
        // found one step later.
        let (last, steps_before, first_part) = match numbers {
            Numbers::Wins => (steps.last_win(), 1 + u16::from(unit != Unit::Moves), 0),
            Numbers::Losses => (steps.last_loss(), 0, parts.all),
        };
        let largest = last.saturating_sub(steps_before);
        if largest > u16::from(u8::MAX) {
            let unit = match unit {
                Unit::Moves => "moves",
                Unit::Plies(_) => "plies",
            };
            let kind = TableErrorKind::BadInput(format!(
                "the longest win takes {largest} {unit}, more than the 255 that fit"
            ));
            return Err(TableError::new(None, Some(material), kind));
        }
        let width = (u16::BITS - largest.leading_zeros()) as usize;
        let blobs = BlobWriter::create(path.clone(), runs.all * COLUMNS).map_err(cannot)?;
        let blobs = Mutex::new(blobs);
        (0..runs.all).into_par_iter().erased().try_for_each_init(
            || (Vec::new(), Vec::new(), Vec::new()),
            |(packed, words, columns), run| {
                words.clear();
                words.resize(runs.lanes * width, 0);
                let mut any = false;
                let words_of_parts = words.chunks_mut((parts.lanes() * width).max(1));
                for (part, words) in (first_part + run * runs.parts..).zip(words_of_parts) {
                    let range = steps_before + 1..last + 1;
                    any |= steps.read_numbers(part, range, width, packed, words)?;
                }
                if any {
                    transpose(words, width, runs.lanes, columns);
                    put_columns(&blobs, run, columns, runs.lanes);
                }
                Ok(())
            },
        )?;
        let found = Found {
            largest,
            captures: captures.to_hex().to_string(),
            counts,
        };
        let key = Key::new(material, solve, lane_layout);
        let blobs = blobs
            .into_inner()
            .expect("no thread panics while it holds the lock");
        let ended = blobs.end(&key, &found).map_err(cannot)?;
        ended.name().map_err(cannot)?;
        let (blobs, found) = BlobFile::open::<Found>(&path, &key, runs.all * COLUMNS)?
            .ok_or_else(|| cannot(std::io::Error::other("read-back mismatch")))?;
        Ok(Distances { blobs, runs, found })
    }

    /// The largest stored number: a distance, or a distance plus one for losses.
    pub fn largest(&self) -> u16 {
        self.found.largest
    }

    /// True if the leaves of the solve (the distances after captures) have this digest.
    pub fn have_captures(&self, captures: blake3::Hash) -> bool {
        self.found.captures == captures.to_hex().as_str()
    }

    /// The position counts of the solve.
    pub fn counts(&self) -> &SliceCounts {
        &self.found.counts
    }

    /// True if any lane of a slab has a nonzero number in a column.
    pub fn has(&self, slab: usize, column: usize) -> bool {
        let first = slab * self.runs.per_slab;
        (first..first + self.runs.per_slab).any(|run| self.blobs.has(run * COLUMNS + column))
    }

    /// Reads one column of a slab into `numbers`, which has a byte for each lane.
    ///
    /// # Errors
    ///
    /// If the column cannot be read, or is corrupt.
    pub fn read(&self, slab: usize, column: usize, numbers: &mut [u8]) -> Result<(), TableError> {
        let mut bytes = Vec::new();
        let first = slab * self.runs.per_slab;
        for (run, numbers) in (first..).zip(numbers.chunks_exact_mut(self.runs.lanes)) {
            self.blobs.read(run * COLUMNS + column, &mut bytes)?;
            if bytes.is_empty() {
                numbers.fill(0);
            } else if bytes.len() == numbers.len() {
                numbers.copy_from_slice(&bytes);
            } else {
                return Err(self.blobs.damaged());
            }
        }
        Ok(())
    }
}

/// Converts numbers from words to bytes, column by column. In `words`, each lane has `width` words,
/// one for each bit of its 64 numbers. Works in square tiles of lanes and columns, because writing
/// one lane after another to all columns would make the columns compete for the same cache lines.
fn transpose(words: &[u64], width: usize, lanes: usize, columns: &mut Vec<u8>) {
    columns.clear();
    columns.resize(lanes * COLUMNS, 0);
    let mut tile = [[0; COLUMNS]; COLUMNS];
    let tile_words = COLUMNS * width;
    for (first, words) in (0..).step_by(COLUMNS).zip(words.chunks(tile_words.max(1))) {
        if words.iter().all(|&word| word == 0) {
            continue;
        }
        let tile_lanes = words.len() / width;
        for (bytes, words) in tile.iter_mut().zip(words.chunks_exact(width)) {
            let mut numbers = LaneBytes::default();
            for (j, &word) in words.iter().enumerate() {
                numbers.add(word, j);
            }
            numbers.kept(!0, bytes);
        }
        for (column, numbers) in columns.chunks_exact_mut(lanes).enumerate() {
            for (number, bytes) in numbers[first..][..tile_lanes].iter_mut().zip(&tile) {
                *number = bytes[column];
            }
        }
    }
}

/// Compresses and writes the columns of a run that contain nonzero numbers.
fn put_columns(blobs: &Mutex<BlobWriter>, run: usize, columns: &[u8], lanes: usize) {
    for (column, numbers) in columns.chunks_exact(lanes).enumerate() {
        if numbers.iter().any(|&number| number != 0) {
            let compressed = compress(numbers);
            let mut blobs = blobs
                .lock()
                .expect("no thread panics while it holds the lock");
            blobs.put(run * COLUMNS + column, compressed);
        }
    }
}
