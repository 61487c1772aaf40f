//! Keeps the positions after promotions for later tables, compressed, in a nameless file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

use rayon::prelude::*;

use super::after_promotion::{AfterPromotion, Place, Promoted};
use crate::generate::out_of_core::work_file::{compress, decompress, read_at};
use crate::parallel::ForkedByOneFunction;
use crate::solve::{BitPlanes, LaneLayout, LaneWords, Solution};

/// The largest size of the file. All positions after promotions in the ASEAN endings of five men
/// take less.
pub const KEPT_PROMOTIONS_BYTES: u64 = 8 << 30;

/// The positions after promotions that were solved last.
#[derive(Debug, Default)]
pub struct KeptPromotions {
    /// The directory of the file. If it is `None`, nothing is kept.
    directory: Option<PathBuf>,
    file: Option<File>,
    /// The size of the file in bytes.
    bytes: u64,
    kept: HashMap<Promoted, Vec<Packed>>,
}

impl KeptPromotions {
    /// Keeps positions in a file of this directory.
    pub fn in_directory(directory: PathBuf) -> KeptPromotions {
        KeptPromotions {
            directory: Some(directory),
            ..KeptPromotions::default()
        }
    }

    /// True if positions are kept.
    pub fn keeps(&self) -> bool {
        self.directory.is_some()
    }

    /// The positions, if they are kept and can be read.
    pub fn get(&self, key: Promoted) -> Option<AfterPromotion> {
        let (packed, file) = (self.kept.get(&key)?, self.file.as_ref()?);
        let solutions = packed.par_iter().erased();
        let solutions: Option<Vec<_>> = solutions.map(|packed| packed.unpack(file)).collect();
        Some(AfterPromotion::new(key.material, solutions?))
    }

    /// Keeps positions. If the file would become too large or cannot be written, everything is
    /// dropped, and later tables solve the positions again.
    pub fn keep(&mut self, key: Promoted, positions: &AfterPromotion) {
        if self.keeps()
            && !self.kept.contains_key(&key)
            && self.try_to_keep(key, positions).is_err()
        {
            self.clear();
        }
    }

    fn try_to_keep(&mut self, key: Promoted, positions: &AfterPromotion) -> io::Result<()> {
        let solutions: Vec<_> = positions.solutions().collect();
        let columns = solutions.par_iter().erased();
        let columns: Vec<Vec<Vec<u8>>> = columns
            .map(|(_, solution)| columns_of(solution))
            .collect::<io::Result<_>>()?;
        let new = columns.iter().flatten().map(|bytes| bytes.len() as u64);
        if self.bytes + new.sum::<u64>() > KEPT_PROMOTIONS_BYTES {
            self.clear();
        }
        let file = match (&mut self.file, &self.directory) {
            (Some(file), _) => file,
            (slot, Some(directory)) => slot.insert(tempfile::tempfile_in(directory)?),
            (None, None) => return Ok(()),
        };
        file.seek(SeekFrom::Start(self.bytes))?;
        let mut packed = Vec::new();
        for ((place, solution), columns) in solutions.into_iter().zip(columns) {
            let mut ranges = Vec::new();
            for bytes in columns {
                file.write_all(&bytes)?;
                ranges.push((self.bytes, bytes.len()));
                self.bytes += bytes.len() as u64;
            }
            packed.push(Packed {
                place,
                layout: solution.layout.clone(),
                is_lost: solution.loser_to_move.is_some(),
                columns: ranges,
            });
        }
        self.kept.insert(key, packed);
        Ok(())
    }

    /// Drops everything, and frees the disk space.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.file = None;
        self.bytes = 0;
    }
}

/// A compressed solution in the file.
#[derive(Debug)]
struct Packed {
    place: Place,
    layout: LaneLayout,
    /// True if the solution has the positions with the loser to move.
    is_lost: bool,
    /// The offset and the length of each column: see [`columns_of`].
    columns: Vec<(u64, usize)>,
}

/// The compressed columns of a solution: the open positions, if the winner is to move, and then the
/// bit planes of the distances.
fn columns_of(solution: &Solution) -> io::Result<Vec<Vec<u8>>> {
    let lost = solution.loser_to_move.as_ref();
    let planes = lost.unwrap_or(&solution.winner_to_move);
    let open = lost.is_none().then_some(&solution.open[..]);
    let columns = open.into_iter().chain(planes.used());
    let compressed = columns.map(|words| {
        let bytes: Vec<[u8; 8]> = words.iter().map(|word| word.to_le_bytes()).collect();
        compress(bytes.as_flattened())
    });
    compressed.collect()
}

impl Packed {
    /// Reads the solution. `None` if the file cannot be read.
    fn unpack(&self, file: &File) -> Option<(Place, Solution)> {
        let lanes = self.layout.lanes();
        let (mut compressed, mut bytes) = (Vec::new(), Vec::new());
        let mut read = |&(offset, length): &(u64, usize), words: &mut [u64]| {
            compressed.resize(length, 0);
            read_at(file, &mut compressed, offset).ok()?;
            let is_whole = decompress(&compressed, &mut bytes) && bytes.len() == 8 * words.len();
            for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            is_whole.then_some(())
        };
        let mut columns = self.columns.iter();
        let mut open = LaneWords::zeroed(if self.is_lost { 0 } else { lanes });
        if !self.is_lost {
            read(columns.next()?, &mut open)?;
        }
        let mut planes = BitPlanes::new(lanes);
        planes.make_room(((1u32 << columns.len()) - 1) as u16);
        for (column, words) in columns.zip(planes.words_mut()) {
            read(column, words)?;
        }
        let layout = self.layout.clone();
        let solution = match self.is_lost {
            true => Solution::of_lost(layout, planes),
            false => Solution::of_won(layout, planes, open),
        };
        Some((self.place, solution))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Game, Role};
    use crate::generate::goal::Goal;
    use crate::generate::solved_endings::SolvedEndings;
    use crate::material::Material;

    fn key(name: &str, side: Color, role: Role) -> Promoted {
        Promoted {
            game: Game::Asean,
            material: name.parse::<Material>().unwrap(),
            winner: Color::White,
            goal: Goal::Mate,
            side,
            role,
        }
    }

    fn numbers(positions: &AfterPromotion) -> Vec<(Place, Vec<u64>, Vec<Vec<u64>>)> {
        let mut all: Vec<_> = positions
            .solutions()
            .map(|(place, solution)| {
                let lost = solution.loser_to_move.as_ref();
                let planes = lost.unwrap_or(&solution.winner_to_move).used();
                let planes = planes.map(<[u64]>::to_vec).collect();
                (place, solution.open.to_vec(), planes)
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn kept_positions_are_those_that_were_solved() {
        let mut solved_endings = SolvedEndings::new();
        for key in [
            key("KRPvK-asean", Color::White, Role::Rook),
            key("KRvKM", Color::White, Role::Rook),
            key("KRvKM", Color::Black, Role::Met),
        ] {
            let solved = solved_endings.after_promotion(key);
            let mut kept = KeptPromotions::in_directory(std::env::temp_dir());
            kept.keep(key, &solved);
            let found = kept.get(key).expect("the positions are kept");
            assert_eq!(numbers(&found), numbers(&solved), "{key:?}");
            assert!(!numbers(&found).is_empty(), "{key:?}");
        }
    }

    #[test]
    fn nothing_is_kept_without_room() {
        let rook = key("KRvK", Color::White, Role::Rook);
        let solved = SolvedEndings::new().after_promotion(rook);
        let missing = std::env::temp_dir().join("no such directory");
        for mut kept in [
            KeptPromotions::default(),
            KeptPromotions::in_directory(missing),
        ] {
            kept.keep(rook, &solved);
            assert!(kept.get(rook).is_none());
        }
        let mut kept = KeptPromotions::in_directory(std::env::temp_dir());
        kept.bytes = KEPT_PROMOTIONS_BYTES;
        kept.keep(rook, &solved);
        assert!(kept.get(rook).is_some() && kept.bytes < KEPT_PROMOTIONS_BYTES);
        kept.clear();
        assert!(kept.get(rook).is_none());
    }
}
