//! A section of a table whose blocks are decoded at first use, for readers of few cells.

use std::sync::OnceLock;

use super::ending::section;
use sakmak::index::Layout;
use sakmak::table::{Block, Code, Decoder, FileBytes, Metric, Section, TableError, TableFile};

/// A section of a table, with the blocks decoded so far.
#[derive(Debug)]
pub struct LazySection<'a> {
    section: Section<'a, FileBytes>,
    layout: Layout,
    blocks: Vec<OnceLock<Block>>,
}

impl<'a> LazySection<'a> {
    /// Finds the section with a metric. Decodes nothing yet.
    ///
    /// # Errors
    ///
    /// If the table does not have the section, or if its header is corrupt.
    pub fn new(table: &'a TableFile, metric: Metric) -> Result<LazySection<'a>, TableError> {
        let (section, layout) = section(table, metric)?;
        let blocks = (0..section.header().blocks()).map(|_| OnceLock::new());
        Ok(LazySection {
            section,
            layout,
            blocks: blocks.collect(),
        })
    }

    /// The layout of the section's cells.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The codes that the section's cells can contain.
    pub fn codes(&self) -> &'a [Code] {
        &self.section.header().info.codes
    }

    /// The index of a cell's code among the section's codes, or beyond them in a corrupt table.
    ///
    /// # Errors
    ///
    /// If the cell's block is corrupt.
    ///
    /// # Panics
    ///
    /// May panic if there is no such cell.
    pub fn code_index(&self, cell: u64, decoder: &mut Decoder) -> Result<usize, TableError> {
        let (number, place) = self.section.block_of(cell);
        let block = &self.blocks[number as usize];
        let block = match block.get() {
            Some(block) => block,
            None => {
                // Two threads may decode the same block; both get the same cells.
                let mut decoded = Block::new();
                self.section.read_block(number, decoder, &mut decoded)?;
                block.get_or_init(|| decoded)
            }
        };
        Ok(block.get(place).map_or(usize::MAX, usize::from))
    }
}
