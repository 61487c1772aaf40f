//! Makes each missing table in a job directory, then moves it to its final place.
//!
//! `generate SET` and `generate --only` do the same work. A run over a set holds the lock of the
//! directory, makes subendings first and adds each table to the manifest. With `--only` any number
//! of jobs, on many machines, share the directory, and no two jobs write the same file. Each job
//! writes a separate record of its table, and `sakmak manifest` gathers the records.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sakmak::directory::{
    DistanceSummary, Entry, Listed, Manifest, ManifestEntry, VerdictEntry, VerdictSummary,
    gather_kind, load_record, save_record,
};
use sakmak::generate::{
    Existing, JobError, Made, Method, Plan, Progress, Report, SolvedEndings, WonSets, at_work,
    existing, generate_by_plan, generate_verdicts, remove_all_leftovers, require_place,
};
use sakmak::internals::keep_pages;
use sakmak::material::CanonicalMaterial;
use sakmak::published::PUBLISHED;
use sakmak::table::{TableError, TableKind, file_name, rule_sets_answered};
use sakmak::verdict;
use sakmak::with_summary;

use super::prepare::{Job, Request, work_bytes_left};
use super::words::{Stage, line, no_verdicts, shares, verdicts_line};
use super::workplaces::{clean_up, clean_up_when_interrupted, enter, workplaces};
use crate::common::is_same_path;
use crate::disk::free_disk;
use crate::failure::TRY_AGAIN;
use crate::format::bytes;
use crate::lock::lock;
use crate::out_of_memory::exit_with;
use crate::progress::Bar;
use crate::stderr::say;
use crate::{Common, Failure};

/// The verdict table's share of the progress bar when both tables of an ending are made. It is the
/// table's expected share of the work.
const SHARE_OF_VERDICTS: f64 = 0.3;

/// The reports on the tables made, by ending.
pub type Reports = BTreeMap<CanonicalMaterial, Report>;

/// Generates the missing tables of a set. Holds the lock of the directory, so that no other run
/// adds tables after the missing ones are determined.
pub fn run_set(request: Request, common: &Common) -> Result<(Job, Reports), Failure> {
    let mut lock = match lock(request.directory(), common) {
        Ok(lock) => lock,
        // The directory cannot be locked. That does not matter if there is nothing to generate.
        Err(failure) => {
            return match request.prepare(None, common)? {
                job if job.is_done() => Ok((job, Reports::new())),
                _ => Err(failure),
            };
        }
    };
    if lock.is_held() {
        remove_all_leftovers(request.directory(), &request.forced)?;
        remove_finished_jobs(&request);
    }
    // An unreadable manifest causes a failure here, before hours of work.
    let mut manifest = Manifest::load(request.directory())?;
    let job = request.prepare(Some(&manifest), common)?;
    job.require_memory()?;
    record_found(&job, &mut manifest)?;
    clean_up_when_interrupted()?;
    if !job.is_done() {
        lock.sign();
    }
    if !job.plans.is_empty() && !common.quiet {
        job.say_beforehand();
    }
    let run = Run::new(&job, RecordFile::Manifest, None, common);
    // Only jobs with `--only` mark failures that may be temporary.
    let made = run.make().map_err(Failure::permanent)?;
    Ok((job, made))
}

/// Generates one table if it is missing, and its verdict table if requested.
pub fn run_only(
    request: Request,
    scratch: Option<&Path>,
    common: &Common,
) -> Result<(Job, Reports), Failure> {
    exit_with(TRY_AGAIN);
    let Some(&material) = request.materials().first() else {
        return Err(Failure::bug("no ending is named"));
    };
    let directory = request.directory().to_path_buf();
    // `sakmak manifest` has moved the records of finished jobs to the manifest.
    let mut records = Manifest::load(&directory).unwrap_or_default();
    for kind in TableKind::ALL {
        with_summary!(kind, S => if let Ok(Some(entry)) = load_record::<S>(&directory, material) {
            records.insert(material, entry);
        });
    }
    let job = request.prepare(Some(&records), common)?;
    clean_up_when_interrupted()?;
    if !job.plans.is_empty() {
        // A file with a record's name that is not a record must never be replaced.
        load_record::<DistanceSummary>(&directory, material).map_err(JobError::from)?;
        require_subendings(material, &common.directories()?)?;
        job.require_memory().map_err(Failure::temporary)?;
        fs::create_dir_all(&directory).map_err(|error| JobError::io(&directory, error))?;
    } else if let Err(error) = write_record(&directory, material, &job)
        && !common.quiet
    {
        // The requested table exists already.
        say(Failure::from(error).sentence(&common.tables));
    }
    let made = Run::new(&job, RecordFile::Records, scratch, common).make()?;
    Ok((job, made))
}

/// The kind of file in which a run records its tables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordFile {
    /// The directory's manifest, which the run updates while it holds the directory's lock.
    Manifest,
    /// A separate record file beside each table.
    Records,
}

/// The state of a run.
struct Run<'a> {
    job: &'a Job,
    record_file: RecordFile,
    /// The directory for unfinished tables. `None` if they are made in the directory of finished
    /// tables.
    scratch: Option<&'a Path>,
    bar: Bar,
    common: &'a Common,
    solved_endings: SolvedEndings,
    reports: Reports,
}

impl<'a> Run<'a> {
    fn new(
        job: &'a Job,
        record_file: RecordFile,
        scratch: Option<&'a Path>,
        common: &'a Common,
    ) -> Run<'a> {
        Run {
            job,
            record_file,
            scratch: scratch.filter(|scratch| !is_same_path(scratch, job.directory())),
            bar: Bar::new(common),
            common,
            solved_endings: SolvedEndings::with_tables(common.directories().unwrap_or_default())
                .keeping_promotions(scratch.unwrap_or(job.directory()).to_path_buf()),
            reports: Reports::new(),
        }
    }

    /// Makes each missing table, subendings first. Each distance table is followed by its verdict
    /// table.
    fn make(mut self) -> Result<Reports, Failure> {
        for material in self.job.without_verdicts() {
            self.bar.line(&no_verdicts(material));
        }
        let job = self.job;
        let all: f64 = job.tasks().map(|task| task.cells as f64).sum();
        let mut done = 0.0;
        for task in job.tasks() {
            let share = task.cells as f64 / all;
            let of_table = match (task.plan, task.verdicts) {
                (None, _) => 0.0,
                (Some(_), true) => share * (1.0 - SHARE_OF_VERDICTS),
                (Some(_), false) => share,
            };
            let sets = match task.plan {
                Some(plan) => self.make_table(plan, (done, of_table))?,
                None => None,
            };
            if task.verdicts {
                self.bar.at(done + of_table);
                self.make_verdict_table(task.material, sets)?;
            }
            done += share;
            self.bar.at(done);
        }
        if self.record_file == RecordFile::Manifest && !self.reports.is_empty() {
            self.bar.line(&shares(&self.reports));
        }
        self.bar.finish();
        Ok(self.reports)
    }

    /// Makes a table and publishes it. If an earlier run made the table but could not publish it,
    /// only publishes it. Returns the contents of the verdict table, if one is planned. `span` is
    /// the start and the length of this work's part of the progress bar.
    fn make_table(&mut self, plan: &Plan, span: (f64, f64)) -> Result<Option<WonSets>, Failure> {
        let made = self.make_in_workplace(plan, span);
        clean_up(made.is_ok());
        let made = made?;
        self.record(plan.material)?;
        Ok(made.and_then(|made| {
            self.reports.insert(plan.material, made.report);
            made.won_sets
        }))
    }

    fn make_in_workplace(
        &mut self,
        plan: &Plan,
        span: (f64, f64),
    ) -> Result<Option<Made>, Failure> {
        let (material, directory) = (plan.material, self.job.directory());
        let place = directory.join(file_name(material));
        require_place(&place)?;
        let own = enter(directory, material)?;
        let work = match self.scratch {
            None => own,
            Some(scratch) => enter(scratch, material)?,
        };
        let whole = work.join(file_name(material));
        let forced = self.job.is_forced(material);
        let finished = match existing(&whole, material) {
            Ok(Existing::Table(table)) => {
                let wanted = rule_sets_answered(material, self.job.rules(material));
                !forced && table.rule_sets() == wanted && table.check(&|_| {}).is_ok()
            }
            _ => false,
        };
        if self.record_file == RecordFile::Records {
            self.require_space(plan, &work, finished)?;
        }
        let made = match finished {
            true => None,
            false => {
                if self.record_file == RecordFile::Records && !self.common.quiet {
                    // The disk space was checked earlier.
                    self.job.say_peak();
                }
                let made = self.generate(plan, &work, span);
                // If an interrupt is being handled, which may have removed files, this waits until
                // the program ends.
                drop(workplaces());
                Some(made.map_err(JobError::from)?)
            }
        };
        let other = {
            let workplaces = workplaces();
            workplaces[0].publish(&whole, directory, forced)?
        };
        self.bar.line(&match &made {
            Some(made) => line(&made.report),
            None => {
                format!(
                    "{material}: moved into place; an earlier job had made it but could not move it"
                )
            }
        });
        if other && !self.common.quiet {
            self.bar.line(&format!(
                "another job made {material} meanwhile, with other options: that job's table is kept"
            ));
        }
        Ok(made)
    }

    /// Solves an ending and writes its table into a directory. `start` and `length` are those of
    /// this work's part of the progress bar, as fractions of the whole bar.
    fn generate(
        &mut self,
        plan: &Plan,
        directory: &Path,
        (start, length): (f64, f64),
    ) -> Result<Made, TableError> {
        let material = plan.material;
        let (stage, bar) = (Stage::new(plan), &self.bar);
        let progress = |progress: Progress| {
            if let Progress::Discarded = progress {
                bar.line(&format!(
                    "discarding the unusable checkpoint of {material} (corrupt, or of another version)"
                ));
            }
            let (part, message) = stage.in_words(material, progress);
            bar.say(message);
            bar.at(start + length * part);
        };
        // An out-of-core plan accounts for all memory, which leaves none for kept pages.
        keep_pages(plan.method == Method::InMemory);
        let options = self.job.options(material);
        generate_by_plan(
            plan,
            directory,
            &mut self.solved_endings,
            &options,
            &progress,
        )
    }

    /// Makes a verdict table from `sets`, the won positions that this run has just found. If `sets`
    /// is `None`, computes the sets first.
    fn make_verdict_table(
        &mut self,
        material: CanonicalMaterial,
        sets: Option<WonSets>,
    ) -> Result<(), Failure> {
        let directory = self.job.directory();
        self.bar
            .say(format!("{material}: generating the verdict table"));
        let work = enter(directory, material)?;
        let known = self.job.codings(material);
        let rules = self.job.rules(material);
        let made = match sets {
            Some(sets) => sets.write(&work, &known),
            None => generate_verdicts(material, rules, &work, &mut self.solved_endings, &known),
        };
        let published = {
            // If an interrupt is being handled, which may have removed files, this waits until the
            // program ends.
            let workplaces = workplaces();
            made.map_err(JobError::from).and_then(|bytes| {
                let forced = self.job.is_forced(material);
                workplaces[0].publish_verdicts(directory, forced)?;
                Ok(bytes)
            })
        };
        clean_up(true);
        let made = published?;
        let path = directory.join(verdict::file_name(material));
        let is_published = |blake3: &str| {
            PUBLISHED
                .bytes_of_hash(TableKind::Verdicts, material, blake3)
                .is_some()
        };
        let entry = VerdictEntry::of_file_unless(&path, material, is_published);
        self.save_entry(material, entry.map_err(JobError::from)?)?;
        self.bar.line(&verdicts_line(material, made));
        Ok(())
    }

    /// Records a finished table in the manifest or in a record file.
    fn record(&self, material: CanonicalMaterial) -> Result<(), Failure> {
        let directory = self.job.directory();
        match self.record_file {
            RecordFile::Records => Ok(write_record(directory, material, self.job)?),
            RecordFile::Manifest => self.save_entry(material, entry(directory, material)?),
        }
    }

    /// Saves a table's entry in the manifest or in a record file.
    fn save_entry<S: Listed>(
        &self,
        material: CanonicalMaterial,
        entry: Entry<S>,
    ) -> Result<(), Failure> {
        let directory = self.job.directory();
        match self.record_file {
            RecordFile::Records => {
                Ok(save_record(directory, material, entry).map_err(JobError::from)?)
            }
            RecordFile::Manifest => {
                // While this guard is held, an interrupt waits, so the file is complete.
                let _finished = workplaces();
                Ok(Manifest::update(directory, material, entry)?)
            }
        }
    }

    /// Fails if there is too little disk space for the work or for the table.
    fn require_space(&self, plan: &Plan, work: &Path, finished: bool) -> Result<(), Failure> {
        let table_bytes = self.job.table_bytes(plan);
        let directory = self.job.directory();
        if !finished {
            let needed = work_bytes_left(plan, work).saturating_add(table_bytes);
            require_space(plan, "the work", self.scratch.unwrap_or(directory), needed)?;
        }
        match self.scratch {
            // A table made in the same directory is only renamed, so it needs no further space.
            None => Ok(()),
            Some(_) => require_space(plan, "the table", directory, table_bytes),
        }
    }
}

/// Removes the job directories of killed runs, if the tables of those jobs are finished. A
/// requested table that lacks a requested rule set, or that will be made again, is not finished. The
/// caller holds the lock of the directory.
fn remove_finished_jobs(request: &Request) {
    let directory = request.directory();
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let of_job = name.to_str().and_then(|name| name.strip_suffix(".job"));
        if let Some(name) = of_job
            && let Ok(material) = name.parse::<CanonicalMaterial>()
            && material.to_string() == name
            && let Ok(Existing::Table(found)) =
                existing(&directory.join(file_name(material)), material)
            && (request.is_enough(material, found.rule_sets())
                || !request.materials().contains(&material))
            && !request.forced.contains(&material)
            && at_work(directory, material).is_none()
            // Another run or another user may hold the job; its directory then stays.
            && enter(directory, material).is_ok()
        {
            clean_up(true);
        }
    }
}

/// Adds existing tables to the manifest. Unreadable verdict tables are left out; `verify` reports
/// them.
fn record_found(job: &Job, manifest: &mut Manifest) -> Result<(), Failure> {
    let before = manifest.clone();
    gather_kind::<VerdictSummary>(job.directory(), &before, manifest, &mut Vec::new())?;
    for (&material, path) in &job.found {
        let known: Option<&ManifestEntry> = manifest.get(material);
        if path.parent() == Some(job.directory()) && !known.is_some_and(|known| known.is_of(path)) {
            manifest.insert(material, ManifestEntry::of_file(path, material)?);
        }
    }
    if *manifest != before {
        manifest.save(job.directory())?;
    }
    Ok(())
}

/// Writes a record for a table in this directory, unless it has a valid record already.
fn write_record(directory: &Path, material: CanonicalMaterial, job: &Job) -> Result<(), JobError> {
    let path = directory.join(file_name(material));
    let elsewhere = job.found.get(&material).is_some_and(|found| *found != path);
    let manifest = Manifest::load(directory).unwrap_or_default();
    let gathered = manifest.get::<DistanceSummary>(material);
    if elsewhere
        || gathered.is_some_and(|entry| entry.is_of(&path))
        || load_record::<DistanceSummary>(directory, material)?.is_some()
    {
        return Ok(());
    }
    let entry = entry(directory, material)?;
    Ok(save_record(directory, material, entry)?)
}

/// Makes the manifest entry of a table in a directory. Checks the blocks of the table, unless its
/// hash is the published one.
fn entry(directory: &Path, material: CanonicalMaterial) -> Result<ManifestEntry, JobError> {
    let path = directory.join(file_name(material));
    let is_published = |blake3: &str| {
        PUBLISHED
            .bytes_of_hash(TableKind::Distances, material, blake3)
            .is_some()
    };
    Ok(ManifestEntry::of_file_unless(
        &path,
        material,
        is_published,
    )?)
}

/// Fails if the table of a subending is missing or unusable.
fn require_subendings(material: CanonicalMaterial, directories: &[PathBuf]) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for smaller in material.closure() {
        if smaller == material || exists(smaller, directories)? {
            continue;
        }
        if let Some(holder) = directories.iter().find_map(|d| at_work(d, smaller)) {
            let material = smaller;
            return Err(JobError::Busy { material, holder }.into());
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
        "subendings of {material} are missing: {tables} {names}"
    ))
    .generate(names))
}

/// True if any directory has a usable table of the ending. Fails if the only files found are
/// unusable.
fn exists(material: CanonicalMaterial, directories: &[PathBuf]) -> Result<bool, Failure> {
    let mut wrong = None;
    for directory in directories {
        // On a network file system, listing a directory makes files visible that other machines
        // have just added.
        let _ = fs::read_dir(directory).map(Iterator::count);
        match existing(&directory.join(file_name(material)), material).map_err(JobError::from)? {
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

/// Fails if the disk of `path` has fewer than `needed` bytes free. `purpose` names the use of
/// the space in the message: "the work" or "the table".
fn require_space(plan: &Plan, purpose: &str, path: &Path, needed: u64) -> Result<(), Failure> {
    match free_disk(path) {
        Some(free) if free < needed => Err(Failure::machine(format_args!(
            "{} has {} of free space, but {purpose} of {} takes about {}",
            path.display(),
            bytes(free),
            plan.material,
            bytes(needed)
        ))
        .help("free some space, or choose another directory with --scratch or --tables")
        .temporary()),
        _ => Ok(()),
    }
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
