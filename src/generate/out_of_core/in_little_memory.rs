//! Reads cells in the order of a table without making a permuted copy.

use crate::generate::coded_cells::CodedCells;
use crate::generate::section::SectionCells;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::table::{BlockPacking, CellSource, Code, SectionInfo, TableError, WriteOptions};

/// Cells that are permuted while they are read.
pub struct InLittleMemory(pub CodedCells);

impl SectionCells for InLittleMemory {
    fn codes(&self) -> &[Code] {
        self.0.codes()
    }

    fn best_order(
        &self,
        material: CanonicalMaterial,
        info: &SectionInfo,
        options: &WriteOptions,
    ) -> Result<(Layout, BlockPacking), TableError> {
        SectionCells::best_order(&self.0, material, info, options)
    }

    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        Box::new(self.0.permuted_when_read(layout))
    }
}
