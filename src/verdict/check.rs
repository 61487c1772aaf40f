//! Checks a whole verdict table in parallel.

use rayon::prelude::*;

use super::block::VerdictBlock;
use super::header::Set;
use super::read::Verdicts;
use super::words::Turn;
use crate::table::{Source, TableError};

impl<B: Source> Verdicts<B> {
    /// Decodes every block of every set, which also checks the checksums of blocks and models.
    ///
    /// # Errors
    ///
    /// If a block or a model is corrupt or cannot be read.
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
            // `find_first` returns the error of the first block that has one, in every run.
            let blocks = (0..blocks).into_par_iter();
            let results = blocks.map_init(VerdictBlock::default, read);
            let failed = results.find_first(Result::is_err);
            failed.unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}
