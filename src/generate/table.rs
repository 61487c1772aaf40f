//! One table, from its material's name to the file.

use std::path::Path;
use std::time::Instant;

use super::choose_order::best_order;
use super::goal::{SolvedEnding, solve};
use super::library::{Goal, Library};
use super::method::Method;
use super::out_of_core::{remove_work, work_directory, write_through_files};
use super::phases::Phase;
use super::report::{Progress, Report};
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSet;
use crate::table::{Metric, SectionInfo, TableError, TableWriter, WriteOptions, file_name};

/// Makes the table of an ending in a directory. The smaller endings it needs are solved on the
/// way, or found in the library. Runs on the current rayon pool; the same bytes come out whatever
/// its size.
///
/// # Errors
///
/// If the table cannot be written. What was under its name before stays then.
pub fn generate_table(
    material: CanonicalMaterial,
    directory: &Path,
    library: &mut Library,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report, TableError> {
    let method = Method::of(material);
    generate_table_by(method, material, directory, library, options, progress)
}

/// [`generate_table`] by a method: [`Method::of`] the ending, or, with the same bytes,
/// [`Method::Files`] in place of [`Method::Memory`]. Other choices give tables that are right as
/// well, but whose bytes are not those that everybody else has.
///
/// A method that goes through files keeps them in the ending's work directory beside the tables,
/// `KNSMMvK.work/`. If the work ends early it goes on from there when called again; when the table
/// is done they are removed.
///
/// # Errors
///
/// As [`generate_table`]. The steps that are finished stay then.
pub fn generate_table_by(
    method: Method,
    material: CanonicalMaterial,
    directory: &Path,
    library: &mut Library,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report, TableError> {
    let started = Instant::now();
    // Opened before the work, so that a directory that can't be written is known at once.
    let mut writer = TableWriter::create(
        &directory.join(file_name(material)),
        material,
        options.clone(),
    )?;
    let mut report = Report::new(material);
    if method != Method::Memory {
        let sliced = method == Method::Slices;
        let made = (&mut writer, &mut report);
        write_through_files(
            material, directory, sliced, library, options, made, progress,
        )?;
        report.bytes = report.phases.measure(Phase::Writing, || writer.finish())?;
        remove_work(&work_directory(directory, material))?;
        report.elapsed = started.elapsed();
        return Ok(report);
    }
    let mut goals = vec![(Metric::Dtm, Goal::Mate)];
    if !material.is_bare() {
        // Makruk's distances to honor come first: the others are based on them.
        goals.extend(RuleSet::ALL.map(|rules| {
            let metric = Metric::Dth(rules);
            (metric, Goal::Honor(rules))
        }));
    }
    // What the next metric is held against: the distances to mate, then makruk's to honor.
    let mut known: Option<SolvedEnding> = None;
    for (metric, goal) in goals {
        let outcome = solve(
            material,
            goal,
            library,
            known.as_ref(),
            &mut report,
            progress,
        );
        let difference = match (metric.base(), outcome, &known) {
            // Equal to its base everywhere, it has no section.
            (Some(_), None, _) => continue,
            (Some(_), Some(outcome), Some(known)) => {
                let statistics = outcome.statistics();
                let phases = &mut report.phases;
                let cells =
                    phases.measure(Phase::Collecting, || outcome.cells.based_on(&known.cells));
                match cells {
                    Some(cells) => Some((cells, statistics)),
                    None => continue,
                }
            }
            (_, Some(outcome), _) => {
                known = Some(outcome);
                None
            }
            (None, None, _) => None,
        };
        let (cells, statistics) = match (&difference, &known) {
            (Some((cells, statistics)), _) => (cells, statistics.clone()),
            (None, Some(known)) => (&known.cells, known.statistics()),
            (None, None) => unreachable!("the first metric is solved"),
        };
        if metric == Metric::Dtm {
            report.statistics = statistics.clone();
        }
        progress(Progress::Choosing);
        let mut info = SectionInfo {
            metric,
            side: Color::White,
            symmetry: Layout::symmetry_of(material).id(),
            order: Vec::new(),
            codes: cells.codes().to_vec(),
            statistics,
        };
        let in_order = |layout: &Layout| cells.in_order(layout);
        let (layout, packing) = report.phases.measure(Phase::Choosing, || {
            best_order(material, &info, in_order, options)
        });
        info.order = layout.order_bytes();
        let cells_to_write = layout.cells();
        report.phases.measure(Phase::Writing, || {
            let cells = cells.laid_out(&layout);
            writer.add_packed(info, packing, &*cells, &|done| {
                progress(Progress::Written(done, cells_to_write));
            })
        })?;
    }
    report.bytes = report.phases.measure(Phase::Writing, || writer.finish())?;
    // An earlier run may have gone through files, with less memory.
    remove_work(&work_directory(directory, material))?;
    report.elapsed = started.elapsed();
    Ok(report)
}
