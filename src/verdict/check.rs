//! Checks a whole verdict table in parallel.

use rayon::prelude::*;

use super::block::VerdictBlock;
use super::header::Set;
use super::read::Verdicts;
use super::words::Turn;
use crate::table::{Source, TableError};

impl<B: Source> Verdicts<B> {
    /// Reads every block of every set and checks its checksum.
    ///
    /// # Errors
    ///
    /// The error of the first corrupt block or model.
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
            // The error is that of the first corrupt block.
            let blocks = (0..blocks).into_par_iter();
            let results = blocks.map_init(VerdictBlock::default, read);
            let corrupt = results.find_first(Result::is_err);
            corrupt.unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}
