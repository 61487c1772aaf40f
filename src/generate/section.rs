//! Writes one section of a table: chooses the best order of its cells, then packs them.

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

/// The cells of a section, in memory or on disk.
pub trait SectionCells {
    /// The meaning of the cells' numbers.
    fn codes(&self) -> &[Code];

    /// Chooses the order and the packing that make the section smallest. The order in `info` is
    /// ignored.
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

    /// True if the section allows this order and packing.
    fn can_have(&self, _layout: &Layout, _packing: BlockPacking) -> bool {
        true
    }

    /// All cells in the order of a layout, to be read once from the start to the end.
    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_>;

    /// [`SectionCells::in_order`] in a way that needs less memory and more time.
    fn in_order_when_read(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        self.in_order(layout)
    }
}

/// True if a section with these codes will be predicted from a section that is already written.
pub fn is_predicted(
    context: &Context<'_>,
    writer: &TableWriter,
    metric: Metric,
    codes: &[Code],
) -> bool {
    let info = unordered(context.material, metric, codes);
    over_base(context.material, writer, context.options, &info).is_some()
}

/// The packing that predicts the section from its base section, if that makes the section smaller.
fn over_base(
    material: CanonicalMaterial,
    writer: &TableWriter,
    options: &WriteOptions,
    info: &SectionInfo,
) -> Option<SectionPacking> {
    // Against a bare king, a section with references differs from its base in hardly any cell. Then
    // whole blocks have one code, and are shorter than the shortest ranked block.
    let is_base = material.is_bare() && info.codes.contains(&Code::Base);
    let wanted = options.over_bases && !is_base;
    wanted.then(|| writer.over_base(info)).flatten()
}

/// Describes a section whose order and statistics are not yet known.
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

/// Writes a section. `base` has the cells of its base section, if they are in memory.
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
        // The base's cells are in memory beside the section's own, which already exist twice.
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
