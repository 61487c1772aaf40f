//! Writes one section of a table: chooses the best order of its cells, then packs them.

use super::phases::Phase;
use super::report::Progress;
use super::table_job::TableJob;
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::statistics::Statistics;
use crate::table::{
    BlockPacking, CellSource, Code, GivenBase, Metric, Packing, SectionInfo, SectionPacking,
    TableError, TableWriter, WriteOptions,
};

/// The cells of a section, in memory or on disk.
pub trait SectionCells {
    /// The code for each value of a cell, indexed by the value.
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

    /// True if the section can be written in this order and with this packing.
    fn can_have(&self, _layout: &Layout, _packing: BlockPacking) -> bool {
        true
    }

    /// Returns all cells in the order of a layout. The caller must read them once, from start to
    /// end.
    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_>;

    /// Like [`SectionCells::in_order`], but may save memory by reading the cells more slowly.
    fn in_order_when_read(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        self.in_order(layout)
    }
}

/// True if a section with these codes will be predicted from a section written earlier.
pub fn is_predicted(
    job: &TableJob<'_>,
    writer: &TableWriter,
    metric: Metric,
    codes: &[Code],
) -> bool {
    let info = unordered(job.material, metric, codes);
    over_base(job.material, writer, job.options, &info).is_some()
}

/// Returns the packing that predicts the section from its base section (an earlier section of the
/// table), if that makes the section smaller.
fn over_base(
    material: CanonicalMaterial,
    writer: &TableWriter,
    options: &WriteOptions,
    info: &SectionInfo,
) -> Option<SectionPacking> {
    // Against a bare king, a section with references differs from its base in hardly any cell. Most
    // of its blocks then contain a single code, and are shorter than any block with symbol ranking.
    let mostly_references = material.is_bare() && info.codes.contains(&Code::Base);
    let wanted = options.over_bases && !mostly_references;
    wanted.then(|| writer.over_base(info)).flatten()
}

/// Describes a section before its order and statistics are known.
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

/// Writes a section. `base` contains the cells of the section's base (an earlier section that
/// predicts it), if these cells are in memory.
///
/// # Errors
///
/// If cells cannot be read, or the table cannot be written.
pub fn write_section(
    job: &mut TableJob<'_>,
    writer: &mut TableWriter,
    metric: Metric,
    statistics: Statistics,
    cells: &dyn SectionCells,
    base: Option<&dyn SectionCells>,
) -> Result<(), TableError> {
    let (material, options, progress) = (job.material, job.options, job.progress);
    let phases = &mut job.report.phases;
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
        // Memory already holds the base's cells and two copies of the section's own cells, so the
        // base's cells are permuted only when they are read.
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
