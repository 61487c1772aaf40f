//! One table by one job: `generate --only`.
//!
//! Any number of such jobs may run at once in one directory, on as many machines: no file is written
//! by two of them. What is unfinished is in the job's own directory, the table gets its name in one
//! step, and its record is a file of its own, from which `sakmak manifest` makes the manifest.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sakmak::generate::{Existing, Library, Plan, Report, WonSets, existing, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::published::PUBLISHED;
use sakmak::table::{Manifest, ManifestEntry, file_name, load_record, save_record};
use sakmak::verdict::Coding;

use super::job_directory::{JobDirectory, at_work};
use super::make::{line, make_table, verdicts_line};
use super::passing::{io_failure, record_failure, table_failure};
use super::prepare::{Job, Request, work_bytes_left};
use super::publish::{publish, publish_verdicts};
use super::verdicts::no_verdicts;
use crate::cli::disk::free_disk;
use crate::cli::failure::TRY_AGAIN;
use crate::cli::format::bytes;
use crate::cli::out_of_memory::exit_with;
use crate::cli::progress::Bar;
use crate::cli::signals::on_interrupt;
use crate::cli::stderr::say;
use crate::cli::{Common, Failure};

/// The directories that this job works in, which an interrupt leaves.
static WORKPLACES: Mutex<Vec<JobDirectory>> = Mutex::new(Vec::new());

/// Makes the one table that is asked for, unless it exists, and its verdict table if that is asked
/// for too.
pub fn run_only(
    request: Request,
    scratch: Option<&Path>,
    common: &Common,
) -> Result<(Job, BTreeMap<CanonicalMaterial, Report>), Failure> {
    exit_with(TRY_AGAIN);
    let Some(&material) = request.materials().first() else {
        return Err(Failure::bug("no ending is named"));
    };
    let directory = request.directory().to_path_buf();
    let mut records = Manifest::default();
    if let Ok(Some(entry)) = load_record(&directory, material) {
        records.insert(material, entry);
    }
    let job = request.prepare(Some(&records), common)?;
    let mut made = BTreeMap::new();
    let mut won_sets = None;
    on_interrupt(|code| stop(code));
    if let Some(plan) = job.plans.get(&material) {
        require_no_other_file(&directory, material)?;
        if let Some((report, sets)) = make_one(plan, &job, scratch, common)? {
            made.insert(material, report);
            won_sets = sets;
        }
    }
    match note(&directory, material, &job) {
        // The table is there, which is what was asked for.
        Err(failure) if job.plans.is_empty() => {
            if !common.quiet {
                say(failure.sentence(&common.tables));
            }
        }
        noted => noted?,
    }
    if job.without_verdicts().count() > 0 {
        let bar = Bar::new(common);
        bar.line(&no_verdicts(material));
        bar.finish();
    }
    if !job.verdicts.is_empty() {
        make_verdict_table(
            material,
            won_sets,
            &job.codings(material),
            &directory,
            common,
        )?;
    }
    Ok((job, made))
}

/// Makes the table, unless an earlier job could not publish it. Returns what making it took, and what its
/// verdict table is made of if that is planned.
fn make_one(
    plan: &Plan,
    job: &Job,
    scratch: Option<&Path>,
    common: &Common,
) -> Result<Option<(Report, Option<WonSets>)>, Failure> {
    let (material, directory) = (plan.material, job.directory());
    require_smaller(material, &common.directories()?)?;
    job.refuse_what_does_not_fit().map_err(Failure::passing)?;
    fs::create_dir_all(directory).map_err(|error| io_failure("written", directory, &error))?;
    let elsewhere = scratch.filter(|scratch| !is_same_directory(scratch, directory));
    let scratch = elsewhere.unwrap_or(directory);

    let place = enter(directory, material)?;
    let work = match elsewhere {
        None => place.clone(),
        Some(scratch) => enter(scratch, material)?,
    };
    let bar = Bar::new(common);
    let whole = work.join(file_name(material));
    let finished = match existing(&whole, material) {
        Ok(Existing::Table(table)) => table.check(&|_| {}).is_ok(),
        _ => false,
    };
    let table_bytes = job.table_bytes(plan);
    let fits_there = || match finished {
        true => Ok(()),
        false => {
            let needed = work_bytes_left(plan, &work).saturating_add(table_bytes);
            require_space(plan, "the work", scratch, needed)
        }
    };
    // Made in its own directory, a table is only given its name.
    let fits_here = || match elsewhere {
        None => Ok(()),
        Some(_) => require_space(plan, "the table", directory, table_bytes),
    };
    fits_there()
        .and_then(|()| fits_here())
        .inspect_err(|_| leave(false))?;
    let made = match finished {
        true => None,
        false => {
            if !common.quiet {
                // The disk has been seen to.
                job.say_peak();
            }
            let mut library = Library::new();
            let made = make_table(plan, job, &work, &mut library, &bar, 0.0..1.0);
            // After an interrupt, which may have taken files away, this waits for the end.
            drop(workplaces());
            Some(made.map_err(|error| {
                leave(false);
                table_failure(error)
            })?)
        }
    };
    let other = {
        let workplaces = workplaces();
        let place = &workplaces[0];
        publish(&whole, place, directory, material)
    };
    let other = other.inspect_err(|_| leave(false))?;
    bar.line(&match &made {
        Some((report, _)) => line(report),
        None => format!("{material}: made by an earlier job, which could not put it in its place"),
    });
    bar.finish();
    if other && !common.quiet {
        say(format_args!(
            "{material} was made by another job meanwhile, with other options: its table stays"
        ));
    }
    leave(true);
    Ok(made)
}

/// Whether two names are of one directory that exists.
fn is_same_directory(a: &Path, b: &Path) -> bool {
    let real = [a, b].map(fs::canonicalize);
    matches!(real, [Ok(a), Ok(b)] if a == b)
}

/// Makes the verdict table, from the solves of its distances if they were made now. It has no record:
/// `sakmak manifest` reads the file.
fn make_verdict_table(
    material: CanonicalMaterial,
    won_sets: Option<WonSets>,
    known: &[Coding],
    directory: &Path,
    common: &Common,
) -> Result<(), Failure> {
    let bar = Bar::new(common);
    let place = enter(directory, material)?;
    bar.say(format!("{material}: generating the verdict table"));
    let made = match won_sets {
        Some(sets) => sets.write(&place, known),
        None => generate_verdicts(material, &place, &mut Library::new(), known),
    };
    // After an interrupt, which may have taken files away, this waits for the end.
    let published = {
        let workplaces = workplaces();
        made.map_err(table_failure).and_then(|bytes| {
            publish_verdicts(&workplaces[0], directory, material)?;
            Ok(bytes)
        })
    };
    leave(true);
    bar.line(&verdicts_line(material, published?));
    bar.finish();
    Ok(())
}

/// Writes the record of a table in this directory, if it has none that is right.
fn note(directory: &Path, material: CanonicalMaterial, job: &Job) -> Result<(), Failure> {
    let path = directory.join(file_name(material));
    let elsewhere = job.found.get(&material).is_some_and(|found| *found != path);
    if elsewhere
        || load_record(directory, material)
            .map_err(record_failure)?
            .is_some()
    {
        return Ok(());
    }
    let is_published = |blake3: &str| PUBLISHED.has(material, blake3);
    let entry = ManifestEntry::of_file_unless(&path, is_published).map_err(table_failure)?;
    save_record(directory, material, entry).map_err(record_failure)
}

/// Fails if something that is no record has the name of the table's record: it is not replaced.
fn require_no_other_file(directory: &Path, material: CanonicalMaterial) -> Result<(), Failure> {
    match load_record(directory, material) {
        Err(error) => Err(record_failure(error)),
        Ok(_) => Ok(()),
    }
}

/// Fails if one of the smaller tables does not exist, or cannot be used.
fn require_smaller(material: CanonicalMaterial, directories: &[PathBuf]) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for smaller in material.closure() {
        if smaller == material || exists(smaller, directories)? {
            continue;
        }
        if let Some(busy) = directories.iter().find_map(|d| at_work(d, smaller)) {
            return Err(busy);
        }
        missing.push(smaller.to_string());
    }
    if missing.is_empty() {
        return Ok(());
    }
    let tables = match missing.len() {
        1 => "the table of",
        _ => "the tables of",
    };
    let names = missing.join(" ");
    Err(Failure::no(format_args!(
        "{material} can become endings whose tables are missing: {tables} {names}"
    ))
    .generate(names))
}

/// Whether a table exists in one of the directories. One that cannot be used is an error, unless
/// there is another.
fn exists(material: CanonicalMaterial, directories: &[PathBuf]) -> Result<bool, Failure> {
    let mut wrong = None;
    for directory in directories {
        // Asked for its files anew, a network file system shows those that others have just put
        // there.
        let _ = fs::read_dir(directory).map(Iterator::count);
        match existing(&directory.join(file_name(material)), material).map_err(table_failure)? {
            Existing::Table(_) => return Ok(true),
            Existing::Nothing => {}
            Existing::Corrupt(error) | Existing::Foreign(error) => wrong = wrong.or(Some(error)),
        }
    }
    match wrong {
        Some(error) => Err(error.into()),
        None => Ok(false),
    }
}

/// Fails if a disk has too little free space for the work or the table, of so many bytes.
fn require_space(plan: &Plan, what: &str, path: &Path, needed: u64) -> Result<(), Failure> {
    match free_disk(path) {
        Some(free) if free < needed => Err(Failure::machine(format_args!(
            "{} has {} of free space, and {what} of {} takes about {}",
            path.display(),
            bytes(free),
            plan.material,
            bytes(needed)
        ))
        .help("free some, or choose another directory with --scratch or --tables")
        .passing()),
        _ => Ok(()),
    }
}

/// Enters the directory of a job, for as long as this process works.
fn enter(parent: &Path, material: CanonicalMaterial) -> Result<PathBuf, Failure> {
    let entered = JobDirectory::enter(parent, material);
    let mut workplaces = workplaces();
    match entered {
        Ok(entered) => {
            let path = entered.path().to_path_buf();
            workplaces.push(entered);
            Ok(path)
        }
        Err(failure) => {
            drop(workplaces);
            leave(false);
            Err(failure)
        }
    }
}

fn workplaces() -> std::sync::MutexGuard<'static, Vec<JobDirectory>> {
    WORKPLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves all directories of this job.
fn leave(published: bool) {
    for place in workplaces().drain(..) {
        place.leave(published);
    }
}

/// Leaves all directories and ends the program. Steps that a later job can resume from stay.
fn stop(code: i32) -> ! {
    // Held to the end, so that the work does not go on without its files.
    let workplaces = workplaces();
    for _ in 0..2 {
        for place in &*workplaces {
            place.leave(false);
        }
        // Once more, since a file may have been about to be begun.
        std::thread::sleep(Duration::from_millis(20));
    }
    say("\nsakmak: interrupted; run the same command to resume");
    std::process::exit(code);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_disk_is_known_before_the_work() {
        let directory = tempfile::tempdir().unwrap();
        let plan = sakmak::generate::plan("KRvK".parse().unwrap(), None);
        let require = |needed| require_space(&plan, "the work", directory.path(), needed);
        assert!(require(1000).is_ok());
        let failure = require(u64::MAX / 2).err();
        assert_eq!(failure.map(|failure| failure.code()), Some(TRY_AGAIN));
    }

    #[test]
    fn checkpoints_count_as_space_already_taken() {
        let directory = tempfile::tempdir().unwrap();
        let mut plan = sakmak::generate::plan("KSMvK".parse().unwrap(), None);
        plan.work_bytes = 1000;
        assert_eq!(work_bytes_left(&plan, directory.path()), 1000);
        let work = directory.path().join("KSMvK.work");
        fs::create_dir(&work).unwrap();
        fs::write(work.join("slice-0.step-001"), [0; 300]).unwrap();
        fs::write(work.join("somebody's"), [0; 300]).unwrap();
        assert_eq!(work_bytes_left(&plan, directory.path()), 700);
        fs::write(work.join("slice-0.step-002"), [0; 800]).unwrap();
        assert_eq!(work_bytes_left(&plan, directory.path()), 0);
    }
}
