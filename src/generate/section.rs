//! One section of a table: the best order of its cells is chosen, then they are written.

use super::context::Context;
use super::phases::Phase;
use super::report::Progress;
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::stats::Statistics;
use crate::table::{
    BlockPacking, CellSource, Code, Metric, SectionInfo, TableError, TableWriter, WriteOptions,
};

/// The cells of a section, wherever they lie.
pub trait SectionCells {
    /// What the cells' numbers stand for.
    fn codes(&self) -> &[Code];

    /// The order and the packing that make the section small. `info` describes it but for its
    /// order.
    ///
    /// # Errors
    ///
    /// If cells cannot be read.
    fn best_order(
        &self,
        material: CanonicalMaterial,
        info: &SectionInfo,
        options: &WriteOptions,
    ) -> Result<(Layout, BlockPacking), TableError>;

    /// All cells in the order of a layout, to be read once.
    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_>;
}

/// Writes a section.
///
/// # Errors
///
/// If cells cannot be read, or the table cannot be written.
pub fn write_section(
    context: &mut Context<'_>,
    writer: &mut TableWriter,
    metric: Metric,
    statistics: Statistics,
    cells: &dyn SectionCells,
) -> Result<(), TableError> {
    let (material, options, progress) = (context.material, context.options, context.progress);
    let phases = &mut context.report.phases;
    progress(Progress::Choosing);
    let mut info = SectionInfo {
        metric,
        side: Color::White,
        symmetry: Layout::symmetry_of(material).id(),
        order: Vec::new(),
        codes: cells.codes().to_vec(),
        statistics,
    };
    let (layout, packing) = phases.measure(Phase::Choosing, || {
        cells.best_order(material, &info, options)
    })?;
    info.order = layout.order_bytes();
    let total = layout.cells();
    phases.measure(Phase::Writing, || {
        let cells = cells.in_order(&layout);
        writer.add_packed(info, packing, &*cells, &|done| {
            progress(Progress::Written(done, total));
        })
    })
}
