//! Makes one table: solves the ending and writes the file.

use std::path::Path;
use std::time::Instant;

use super::method::Method;
use super::phases::Phase;
use super::plan::{Plan, plan};
use super::report::{Progress, Report};
use super::solved_endings::SolvedEndings;
use super::table_job::TableJob;
use super::won_sets::{WonSets, WonSetsBuilder};
use super::{bia, in_memory, out_of_core};
use crate::material::CanonicalMaterial;
use crate::table::{TableError, TableErrorKind, TableWriter, WriteOptions, file_name};

/// Makes the table of an ending in a directory, on the current rayon pool. Takes solved subendings
/// from `solved_endings`, which solves missing ones. The content of the table does not depend on
/// the number of threads.
///
/// # Errors
///
/// If the table cannot be written, or the planned memory cannot be allocated. An existing file then
/// stays untouched.
pub fn generate_table(
    material: CanonicalMaterial,
    directory: &Path,
    solved_endings: &mut SolvedEndings,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report, TableError> {
    let plan = plan(material, None);
    generate_by_plan(&plan, directory, solved_endings, options, progress).map(|made| made.report)
}

/// The result of making a table.
#[derive(Debug)]
pub struct Made {
    /// The time, the size and the statistics.
    pub report: Report,
    /// The contents of the ending's verdict table, if the plan includes one.
    pub won_sets: Option<WonSets>,
}

/// Like [`generate_table`], but follows a given plan.
///
/// If the plan is out of core, steps are stored in a directory like `KNSMMvK.work/` beside the
/// table until the table is done. After an interruption, the same call resumes from these steps.
///
/// # Errors
///
/// As for [`generate_table`]. Finished steps then stay in the directory.
pub fn generate_by_plan(
    plan: &Plan,
    directory: &Path,
    solved_endings: &mut SolvedEndings,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Made, TableError> {
    let started = Instant::now();
    let material = plan.material;
    // The file is created before the solve, so that an unwritable directory fails at once.
    let path = directory.join(file_name(material));
    let bytes = plan.memory_bytes;
    if !can_allocate(bytes) {
        let kind = TableErrorKind::NoMemory { bytes };
        return Err(TableError::new(Some(&path), Some(material), kind));
    }
    let mut writer = TableWriter::create(&path, material, options.clone())?;
    let mut job = TableJob {
        material,
        directory,
        solved_endings,
        options,
        progress,
        report: Report::new(material),
        won_sets: plan
            .with_verdicts
            .then(|| WonSetsBuilder::new(material, options.rules)),
    };
    match plan.method {
        Method::InMemory => in_memory::write_sections(&mut job, &mut writer)?,
        Method::ByBia => {
            bia::write_sections(&mut job, &mut writer)?;
        }
        Method::OutOfCore(slices) => {
            out_of_core::write_sections(slices, false, &mut job, &mut writer)?;
        }
        Method::InFiles(slices) => {
            out_of_core::write_sections(slices, true, &mut job, &mut writer)?;
        }
    }
    let mut report = job.report;
    report.bytes = report.phases.measure(Phase::Writing, || writer.finish())?;
    // An earlier run with a smaller memory limit may have left checkpoints.
    out_of_core::remove_checkpoints(directory, material)?;
    report.elapsed = started.elapsed();
    Ok(Made {
        report,
        won_sets: job.won_sets.map(WonSetsBuilder::finish),
    })
}

/// True if the system can reserve this much memory at once. Using the memory later may still fail.
fn can_allocate(bytes: u64) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    usize::try_from(bytes).is_ok_and(|bytes| memory.try_reserve_exact(bytes).is_ok())
}
