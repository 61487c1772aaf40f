//! One section of a table: the best order of its cells is chosen, then they are written.

use super::context::Context;
use super::phases::Phase;
use super::report::Progress;
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::stats::Statistics;
use crate::table::{
    BlockPacking, CellSource, Code, GivenBase, Metric, Packing, SectionInfo, SectionPacking,
    TableError, TableWriter, WriteOptions,
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

    /// Whether the section can be written in this order and packing.
    fn can_have(&self, _layout: &Layout, _packing: BlockPacking) -> bool {
        true
    }

    /// All cells in the order of a layout, to be read once.
    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_>;

    /// The same with less memory, which takes longer.
    fn in_order_when_read(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        self.in_order(layout)
    }
}

/// Whether a section with these codes will be predicted from another, which is written already.
pub fn is_predicted(
    context: &Context<'_>,
    writer: &TableWriter,
    metric: Metric,
    codes: &[Code],
) -> bool {
    let info = unordered(context.material, metric, codes);
    over_base(context.material, writer, context.options, &info).is_some()
}

/// How a section is packed over another, if it is.
fn over_base(
    material: CanonicalMaterial,
    writer: &TableWriter,
    options: &WriteOptions,
    info: &SectionInfo,
) -> Option<SectionPacking> {
    // Against a bare king it refers to its base where the two differ in next to no cell: then whole blocks are one
    // code, and take less than the least of a ranked block.
    let is_base = material.is_bare() && info.codes.contains(&Code::Base);
    let wanted = options.over_bases && !is_base;
    wanted.then(|| writer.over_base(info)).flatten()
}

/// A section, but for its order and its statistics.
fn unordered(material: CanonicalMaterial, metric: Metric, codes: &[Code]) -> SectionInfo {
    SectionInfo {
        metric,
        side: Color::White,
        symmetry: Layout::symmetry_of(material).id(),
        order: Vec::new(),
        codes: codes.to_vec(),
        statistics: Statistics::default(),
    }
}

/// Writes a section. `base` are the cells of the one that it is predicted from, if they are there.
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
    base: Option<&dyn SectionCells>,
) -> Result<(), TableError> {
    let (material, options, progress) = (context.material, context.options, context.progress);
    let phases = &mut context.report.phases;
    progress(Progress::Choosing);
    let mut info = SectionInfo {
        statistics,
        ..unordered(material, metric, cells.codes())
    };
    let over_base = over_base(material, writer, options, &info);
    let known = options.known.iter().find(|known| known.metric == metric);
    let known = over_base.as_ref().or(known).and_then(|known| {
        let layout = Layout::from_bytes(material, info.symmetry, &known.order).ok()?;
        Some((layout, known.packing))
    });
    let (layout, packing) = match known {
        Some((layout, packing)) if cells.can_have(&layout, packing) => (layout, packing),
        _ => phases.measure(Phase::Choosing, || {
            cells.best_order(material, &info, options)
        })?,
    };
    info.order = layout.order_bytes();
    let total = layout.cells();
    phases.measure(Phase::Writing, || {
        let cells = cells.in_order(&layout);
        let base = base.filter(|_| packing.kind == Packing::RankingOverBase);
        // Its cells are in memory as well as the section's own, which are there twice by now.
        let base = base.map(|base| (base.codes(), base.in_order_when_read(&layout)));
        let base = base.as_ref().map(|(codes, cells)| GivenBase {
            codes,
            cells: &**cells,
        });
        writer.add_packed(info, packing, base, &*cells, &|done| {
            progress(Progress::Written(done, total));
        })
    })
}
