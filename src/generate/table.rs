//! One table, from its material's name to the file.

use std::path::Path;
use std::time::Instant;

use super::context::Context;
use super::library::Library;
use super::method::Method;
use super::phases::Phase;
use super::plan::{plan_by, plan_in_memory_with_verdicts};
use super::report::{Progress, Report};
use super::verdicts::{MOST_VERDICT_MEN, too_many_men};
use super::won_sets::WonSets;
use super::{in_memory, out_of_core};
use crate::material::CanonicalMaterial;
use crate::rules::late_captures_matter;
use crate::table::{TableError, TableErrorKind, TableWriter, WriteOptions, file_name};

/// Makes the table of an ending in a directory. The smaller endings it needs are solved on the
/// way, or found in the library. Runs on the current rayon pool; the same bytes come out whatever
/// its size.
///
/// # Errors
///
/// If the table cannot be written, or there is not the memory. What was under its name before stays
/// then.
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

/// [`generate_table`] by a method: [`Method::of`] the ending, or, with the same bytes, out of core
/// and whole in place of [`Method::InMemory`]. Other choices give tables that are right as well,
/// but whose bytes differ from the published ones. An ending in which late captures matter is solved in
/// memory by any method, since plies are solved in no other way.
///
/// Out of core, the steps are kept in a directory `KNSMMvK.work/` next to the table. An interrupted
/// run resumes from them when called again; when the table is done they are removed.
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
    let wanted = (method, None);
    generate(wanted, material, directory, library, options, progress).map(|(report, _)| report)
}

/// [`generate_table`] in memory, with what the ending's verdict table is made of from the same solves. What
/// it takes is what [`plan_with_verdicts`](super::plan_with_verdicts) says.
///
/// # Errors
///
/// As [`generate_table`], and if the ending has more than [`MOST_VERDICT_MEN`] men.
pub fn generate_with_sets(
    material: CanonicalMaterial,
    directory: &Path,
    library: &mut Library,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Report, WonSets), TableError> {
    if material.men() > MOST_VERDICT_MEN {
        return Err(too_many_men(material));
    }
    let wanted = (Method::InMemory, Some(WonSets::new(material)));
    let (report, sets) = generate(wanted, material, directory, library, options, progress)?;
    Ok((report, sets.expect("they were wanted")))
}

fn generate(
    (method, won_sets): (Method, Option<WonSets>),
    material: CanonicalMaterial,
    directory: &Path,
    library: &mut Library,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Report, Option<WonSets>), TableError> {
    let started = Instant::now();
    let method = match late_captures_matter(material) {
        true => Method::InMemory,
        false => method,
    };
    // Created before the work, so that a directory that can't be written is reported at once.
    let path = directory.join(file_name(material));
    let plan = match won_sets {
        Some(_) => plan_in_memory_with_verdicts(material),
        None => plan_by(method, material),
    };
    let bytes = plan.memory_bytes;
    if !can_be_had(bytes) {
        let kind = TableErrorKind::NoMemory { bytes };
        return Err(TableError::new(Some(&path), Some(material), kind));
    }
    let mut writer = TableWriter::create(&path, material, options.clone())?;
    let mut context = Context {
        material,
        directory,
        library,
        options,
        progress,
        report: Report::new(material),
        won_sets,
    };
    match method {
        Method::InMemory => in_memory::write_sections(&mut context, &mut writer)?,
        Method::OutOfCore(slices) => {
            out_of_core::write_sections(slices, false, &mut context, &mut writer)?;
        }
        Method::InFiles(slices) => {
            out_of_core::write_sections(slices, true, &mut context, &mut writer)?;
        }
    }
    let mut report = context.report;
    report.bytes = report.phases.measure(Phase::Writing, || writer.finish())?;
    // An earlier run may have gone through files, with less memory.
    out_of_core::remove_checkpoints(directory, material)?;
    report.elapsed = started.elapsed();
    Ok((report, context.won_sets))
}

/// Whether the system would give so much memory, all at once. It may give it and not have it.
fn can_be_had(bytes: u64) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    usize::try_from(bytes).is_ok_and(|bytes| memory.try_reserve_exact(bytes).is_ok())
}
