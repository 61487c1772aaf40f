//! Checking a whole verdict table, by all threads.

use rayon::prelude::*;

use super::block::VerdictBlock;
use super::header::Set;
use super::read::Verdicts;
use super::words::Turn;
use crate::table::{Source, TableError};

impl<B: Source> Verdicts<B> {
    /// Reads every block of every set, whose checksums show what is corrupt.
    ///
    /// # Errors
    ///
    /// At the first block, or model, that is.
    pub fn check(&self) -> Result<(), TableError>
    where
        B: Sync,
    {
        for winner in self.winners() {
            let (_, blocks) = self.blocks(winner).unwrap_or_default();
            let sets = Set::all().filter(|&set| !self.is_empty(winner, set));
            let sets: Vec<(Set, Turn)> = sets.map(|set| (set, Turn::Loser)).collect();
            let read = |decoded: &mut VerdictBlock, block: u64| {
                self.read_block(winner, &sets, block, decoded)
            };
            // Of several corrupt blocks the first is named.
            let blocks = (0..blocks).into_par_iter();
            let results = blocks.map_init(VerdictBlock::default, read);
            let corrupt = results.find_first(Result::is_err);
            corrupt.unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}
