//! Job directories: `KSMvK.job` contains all unfinished files of one job, which makes one table.
//!
//! Jobs for different tables never touch the same files, and only the next job for the same table
//! finds the files of a killed job. A lock prevents two simultaneous jobs for the same table. On a
//! file system without locks, each job creates its own directory, `KSMvK.job-` followed by random
//! letters, and a killed job is not resumed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use thiserror::Error;

use super::existing::{Existing, existing};
use super::out_of_core::remove_checkpoints;
use super::report::{Progress, Report};
use super::solved_endings::SolvedEndings;
use super::table::generate_table;
use crate::container::is_temporary;
use crate::directory::{Holder, Lock, LockError, ManifestError, Tried, held_by, try_lock};
use crate::material::CanonicalMaterial;
use crate::table::{TableError, WriteOptions, file_name, remove_leftovers, rule_sets_answered};
use crate::verdict;

/// The reason why a job could not make its table or put it in place.
#[derive(Debug, Error)]
pub enum JobError {
    /// Another job is making the same table.
    #[error("another sakmak{holder} is generating {material}")]
    Busy {
        /// The ending of the table.
        material: CanonicalMaterial,
        /// The process of the other job.
        holder: Holder,
    },
    /// The job's directory cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The table cannot be made, or something else has its name.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table cannot be recorded.
    #[error(transparent)]
    Record(#[from] ManifestError),
    /// A file or a directory cannot be written.
    #[error("{} cannot be written ({source})", path.display())]
    Io {
        /// The path of the file or of the directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl JobError {
    /// Makes the error for a file or directory that cannot be written.
    pub fn io(path: &Path, source: io::Error) -> JobError {
        JobError::Io {
            path: path.to_path_buf(),
            source,
        }
    }

    /// True if the job might succeed later, or on another machine.
    pub fn is_temporary(&self) -> bool {
        match self {
            JobError::Busy { .. } => true,
            JobError::Lock(error) => match error {
                LockError::Write { source, .. } => is_temporary(source),
                LockError::Foreign { .. } | LockError::OtherUser { .. } => false,
            },
            JobError::Table(error) => error.is_temporary(),
            JobError::Record(error) => error.is_temporary(),
            JobError::Io { source, .. } => is_temporary(source),
        }
    }
}

/// Like [`generate_table`], but as a job, in a directory of its own beside the table: no other job
/// makes the same table at the same time, a call after an interruption continues the work, and the
/// table appears under its name in one step. A valid table of that name is not replaced, unless it
/// lacks a requested rule set. Returns `None` if the table is there already, or if an interrupted
/// job had finished it, so that it was only put in place.
///
/// Several processes may make the tables of one directory in this way. [`lock`] keeps them apart if
/// they also write the manifest.
///
/// [`lock`]: crate::directory::lock
///
/// ```
/// use sakmak::directory::lock;
/// use sakmak::generate::{SolvedEndings, generate_as_job};
/// use sakmak::material::parse_set;
/// use sakmak::table::WriteOptions;
///
/// let directory = tempfile::tempdir()?;
/// let _lock = lock(directory.path(), &|notice| eprintln!("{notice:?}"))?;
/// let mut solved_endings = SolvedEndings::new();
/// for material in parse_set("KRvK")? {
///     let options = WriteOptions::of(material);
///     generate_as_job(material, directory.path(), &mut solved_endings, &options, &|_progress| {})?;
/// }
/// assert!(directory.path().join("KRvK.skm").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If another job is making the table, or if the table cannot be made or put in place. Finished
/// steps of a large ending then stay in the job's directory.
pub fn generate_as_job(
    material: CanonicalMaterial,
    directory: &Path,
    solved_endings: &mut SolvedEndings,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Option<Report>, JobError> {
    let wanted = rule_sets_answered(material, options.rules);
    let there = existing(&directory.join(file_name(material)), material)?;
    if let Existing::Table(table) = there
        && table.rule_sets().includes(wanted)
    {
        return Ok(None);
    }
    let job = JobDirectory::enter(directory, material)?;
    let table = job.table();
    let finished = match existing(&table, material) {
        Ok(Existing::Table(table)) => table.rule_sets() == wanted && table.check(&|_| {}).is_ok(),
        _ => false,
    };
    let made = match finished {
        true => Ok(None),
        false => generate_table(material, job.path(), solved_endings, options, progress).map(Some),
    };
    let published = made
        .map_err(JobError::from)
        .and_then(|made| job.publish(&table, directory, false).map(|_| made));
    job.clean_up(published.is_ok());
    published
}

/// The name of the lock file in a job directory.
const LOCK: &str = "lock";

/// The number of attempts to enter a directory that other jobs may be removing.
const TRIES: usize = 20;
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// The job directory of a running job.
#[derive(Debug)]
pub struct JobDirectory {
    path: PathBuf,
    material: CanonicalMaterial,
    /// The lock on the directory. `None` on a file system without locks.
    lock: Option<Lock>,
}

impl JobDirectory {
    /// Opens the job directory of a table in `parent`: creates it if necessary, locks it if the
    /// file system supports locks, and removes temporary files of killed jobs.
    ///
    /// # Errors
    ///
    /// If another job for the same table is running, or the directory cannot be used.
    pub fn enter(parent: &Path, material: CanonicalMaterial) -> Result<JobDirectory, JobError> {
        let path = path_of(parent, material);
        let lock = path.join(LOCK);
        let mut failure = JobError::Busy {
            material,
            holder: Holder::default(),
        };
        for _ in 0..TRIES {
            // Another job that has just finished may remove the directory at any moment.
            let made = fs::create_dir_all(&path).map_err(|error| JobError::io(&path, error));
            match made.and_then(|()| Ok(try_lock(&lock)?)) {
                Ok(Tried::Locked(held)) if held.is_at(&lock) => {
                    let entered = JobDirectory {
                        path,
                        material,
                        lock: Some(held),
                    };
                    entered.remove_leftovers();
                    return Ok(entered);
                }
                Ok(Tried::Locked(_)) => {}
                // A job that only inspects the directory holds the lock for a moment.
                Ok(Tried::Busy(holder)) => {
                    failure = JobError::Busy { material, holder };
                    sleep(PAUSE);
                }
                Ok(Tried::NoLocks) => return JobDirectory::own(parent, material),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// Creates a job directory that only this job uses.
    fn own(parent: &Path, material: CanonicalMaterial) -> Result<JobDirectory, JobError> {
        let prefix = format!("{material}.job-");
        let directory = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent);
        // The shared directory is removed if it contains nothing but the lock file.
        let shared = path_of(parent, material);
        let _ = fs::remove_file(shared.join(LOCK));
        let _ = fs::remove_dir(shared);
        Ok(JobDirectory {
            path: directory
                .map_err(|error| JobError::io(parent, error))?
                .keep(),
            material,
            lock: None,
        })
    }

    /// The path of the job directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The ending of the table.
    pub fn material(&self) -> CanonicalMaterial {
        self.material
    }

    /// The path of the finished table before it is published.
    pub fn table(&self) -> PathBuf {
        self.path.join(file_name(self.material))
    }

    /// Removes the temporary files of killed jobs. Also removes an unfinished verdict table, which
    /// is quickly made again.
    fn remove_leftovers(&self) {
        let verdicts = self.path.join(verdict::file_name(self.material));
        for path in [&self.table(), &verdicts] {
            let _ = remove_leftovers(path);
        }
        let _ = fs::remove_file(verdicts);
    }

    /// Ends this job's use of the directory. Removes temporary files, and then the directory if it
    /// is empty. If `published` is false and the directory is locked, its checkpoints and its
    /// finished table remain, so that a later job can resume.
    pub fn clean_up(&self, published: bool) {
        self.remove_leftovers();
        // Without a lock no later job would resume the work.
        if published || self.lock.is_none() {
            let _ = fs::remove_file(self.table());
            let _ = remove_checkpoints(&self.path, self.material);
        }
        if is_empty_but_for_lock(&self.path).unwrap_or(false) {
            // Jobs that wait for the lock notice that the lock file is gone.
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// The process that is making a table in `parent` as a job. None if no job is making it.
pub fn at_work(parent: &Path, material: CanonicalMaterial) -> Option<Holder> {
    held_by(&path_of(parent, material).join(LOCK))
}

fn path_of(parent: &Path, material: CanonicalMaterial) -> PathBuf {
    parent.join(format!("{material}.job"))
}

fn is_empty_but_for_lock(directory: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(directory)? {
        if entry?.file_name() != LOCK {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(directory: &Path) -> Result<Option<Report>, JobError> {
        let material = "KRvK".parse().unwrap();
        let options = WriteOptions::of(material);
        generate_as_job(
            material,
            directory,
            &mut SolvedEndings::new(),
            &options,
            &|_| {},
        )
    }

    #[test]
    fn one_job_at_a_time_makes_a_table() {
        let directory = tempfile::tempdir().unwrap();
        let parent = directory.path();
        let material = "KRvK".parse().unwrap();
        assert_eq!(at_work(parent, material), None);
        let first = JobDirectory::enter(parent, material).unwrap();
        let holder = at_work(parent, material).unwrap();
        assert_eq!(holder.process, Some(std::process::id()));
        let error = make(parent).unwrap_err();
        assert!(matches!(error, JobError::Busy { .. }) && error.is_temporary());
        first.clean_up(false);
        assert!(make(parent).unwrap().is_some());
        // The next job for a table that is there leaves it alone.
        let time = || fs::metadata(parent.join("KRvK.skm")).unwrap().modified();
        let before = time().unwrap();
        assert!(make(parent).unwrap().is_none());
        assert_eq!(time().unwrap(), before);
        assert_eq!(fs::read_dir(parent).unwrap().count(), 1);
    }

    #[test]
    fn a_table_that_a_killed_job_had_finished_is_put_in_place() {
        let directory = tempfile::tempdir().unwrap();
        let parent = directory.path();
        make(parent).unwrap();
        let bytes = fs::read(parent.join("KRvK.skm")).unwrap();
        let job = JobDirectory::enter(parent, "KRvK".parse().unwrap()).unwrap();
        fs::rename(parent.join("KRvK.skm"), job.table()).unwrap();
        job.clean_up(false);
        drop(job);
        assert!(make(parent).unwrap().is_none());
        assert_eq!(fs::read(parent.join("KRvK.skm")).unwrap(), bytes);
        assert_eq!(fs::read_dir(parent).unwrap().count(), 1);
    }
}
