//! Generates a table in memory: a section for the distances to mate and, if both sides have men,
//! one section for the distances to honor under each rule set.

use super::choose_order::best_order;
use super::coded_cells::CodedCells;
use super::goal::Goal;
use super::phases::Phase;
use super::section::{SectionCells, is_predicted, write_section};
use super::solved_ending::SolvedEnding;
use super::table_job::TableJob;
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::statistics::Statistics;
use crate::table::{
    BlockPacking, CellSource, Code, Metric, SectionInfo, TableError, TableWriter, WriteOptions,
};

/// Solves an ending in memory once for each goal, and writes one section of the table for each
/// solve.
///
/// # Errors
///
/// If the table cannot be written.
pub fn write_sections(job: &mut TableJob<'_>, writer: &mut TableWriter) -> Result<(), TableError> {
    // The base of the next goal: first the distances to mate, later those to makruk's honor.
    let mut known = SolvedEnding::new(job, Goal::Mate);
    let statistics = known.statistics();
    job.report.statistics = statistics.clone();
    write_section(job, writer, Metric::Dtm, statistics, &known.cells, None)?;
    // Against a bare king the only other metric is plies, in the few endings where late captures
    // matter.
    for metric in Metric::all_of(job.material, job.options.rules).skip(1) {
        let goal = Goal::of(metric, job.material);
        let solved = match goal {
            // Wins in another unit cannot be reused: plies need a solve of their own.
            Goal::Zeroing => Some(SolvedEnding::new(job, goal)),
            _ => known.under(job, goal),
        };
        if metric.base(job.material).is_none() {
            // Makruk's distances to honor become the base of the other rule sets.
            let mates = solved.map(|solved| std::mem::replace(&mut known, solved));
            let statistics = match goal {
                Goal::Zeroing => known.statistics().plies_to_moves(),
                _ => known.statistics(),
            };
            let cells = &known.cells;
            let base = mates.as_ref().map_or(cells, |mates| &mates.cells);
            write_section(job, writer, metric, statistics, cells, Some(base))?;
        } else if let Some(mut solved) = solved {
            let statistics = match goal {
                Goal::Zeroing => solved.statistics().plies_to_moves(),
                _ => solved.statistics(),
            };
            if goal != Goal::Zeroing {
                let earlier = [job.report.statistics.clone(), known.statistics()];
                let all = earlier.iter().chain([&statistics]);
                let longest = all.map(longest_wins);
                let longest = longest.fold([0; 2], |[w, b], [white, black]| {
                    [w.max(white), b.max(black)]
                });
                solved.cells.drop_beyond(longest);
            }
            let predicted = is_predicted(job, writer, metric, solved.cells.codes());
            let (is_bare, unit) = (job.material.is_bare(), goal.unit());
            let has_bia = !job.material.is_pawnless();
            let cells = job.measure(Phase::Collecting, || match is_bare {
                // Endings of six men read these cells without those of the base.
                true if has_bia => solved.cells.unless_same(&known.cells, unit),
                true => solved.cells.based_on_if_alike(&known.cells, unit),
                false if predicted => solved.cells.unless_same(&known.cells, unit),
                false => solved.cells.based_on(&known.cells, unit),
            });
            // A metric with the same results as its base has no section.
            if let Some(cells) = cells {
                let base = Some(&known.cells as &dyn SectionCells);
                write_section(job, writer, metric, statistics, &cells, base)?;
            }
        }
    }
    Ok(())
}

/// The moves of White's and of Black's longest win.
fn longest_wins(statistics: &Statistics) -> [usize; 2] {
    Color::ALL.map(|winner| {
        let lists = Color::ALL.map(|turn| statistics.to_move(turn).wins(winner).len());
        lists[0].max(lists[1]).saturating_sub(1)
    })
}

impl SectionCells for CodedCells {
    fn codes(&self) -> &[Code] {
        self.codes()
    }

    fn best_order(
        &self,
        material: CanonicalMaterial,
        info: &SectionInfo,
        options: &WriteOptions,
    ) -> Result<(Layout, BlockPacking), TableError> {
        let in_order = |layout: &Layout| self.permuted_when_read(layout);
        Ok(best_order(material, info, in_order, options))
    }

    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        self.permuted(layout)
    }

    fn in_order_when_read(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        Box::new(self.permuted_when_read(layout))
    }
}
