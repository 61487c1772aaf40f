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

use sakmak::generate::remove_checkpoints;
use sakmak::material::CanonicalMaterial;
use sakmak::table::{file_name, remove_leftovers};
use sakmak::verdict;

use super::lock::{Lock, Tried, held_by, try_lock};
use crate::Failure;
use crate::failure::cannot;

/// The name of the lock file in a job directory.
const LOCK: &str = "lock";

/// The number of attempts to enter a directory that other jobs may be removing.
const TRIES: usize = 20;
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// The job directory of a running job.
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
    /// Fails if another job for the same table is running.
    pub fn enter(parent: &Path, material: CanonicalMaterial) -> Result<JobDirectory, Failure> {
        let path = path_of(parent, material);
        let lock = path.join(LOCK);
        let mut failure = busy(material, "");
        for _ in 0..TRIES {
            // Another job that has just finished may remove the directory at any moment.
            let made = fs::create_dir_all(&path).map_err(|error| cannot("written", &path, &error));
            match made.and_then(|()| try_lock(&lock)) {
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
                    failure = busy(material, &holder);
                    sleep(PAUSE);
                }
                Ok(Tried::NoLocks) => return JobDirectory::own(parent, material),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// Creates a job directory that only this job uses.
    fn own(parent: &Path, material: CanonicalMaterial) -> Result<JobDirectory, Failure> {
        let prefix = format!("{material}.job-");
        let directory = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent);
        // The shared directory is removed if it contains nothing but the lock file.
        let shared = path_of(parent, material);
        let _ = fs::remove_file(shared.join(LOCK));
        let _ = fs::remove_dir(shared);
        Ok(JobDirectory {
            path: directory
                .map_err(|error| cannot("written", parent, &error))?
                .keep(),
            material,
            lock: None,
        })
    }

    /// The path of the job directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the finished table before it is published.
    fn table(&self) -> PathBuf {
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

/// The failure for a table that a running job is making. `None` if no job is making it.
pub fn at_work(parent: &Path, material: CanonicalMaterial) -> Option<Failure> {
    let lock = path_of(parent, material).join(LOCK);
    held_by(&lock).map(|holder| busy(material, &holder))
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

/// The failure for a table that another job is making.
fn busy(material: CanonicalMaterial, holder: &str) -> Failure {
    Failure::machine(format_args!(
        "another sakmak{holder} is generating {material}"
    ))
    .help("wait until it has finished, then run the same command again")
    .temporary()
}
