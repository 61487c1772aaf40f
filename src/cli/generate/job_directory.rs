//! Job directories: `KSMvK.job` holds all unfinished files of one job, which makes one table.
//!
//! So jobs for different tables never touch the same files, and only the next job for the same
//! table finds what a killed job left. A lock keeps two jobs for the same table apart. On a file
//! system without locks, each job has its own directory, `KSMvK.job-` and some letters, and a
//! killed job is not resumed.

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
use crate::cli::Failure;
use crate::cli::failure::cannot;

/// The lock file in the directory.
const LOCK: &str = "lock";

/// How often to try to enter a directory while other jobs may be removing it, and the pause between
/// attempts.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// The directory of a running job.
pub struct JobDirectory {
    path: PathBuf,
    material: CanonicalMaterial,
    /// None on a file system without locks.
    lock: Option<Lock>,
}

impl JobDirectory {
    /// Enters the directory of a table's job below `parent`.
    ///
    /// Fails if another job is running there.
    pub fn enter(parent: &Path, material: CanonicalMaterial) -> Result<JobDirectory, Failure> {
        let path = path_of(parent, material);
        let lock = path.join(LOCK);
        let mut failure = busy(material, "");
        for _ in 0..TRIES {
            // A job that has just finished may remove the directory.
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
                // A job that only inspects holds it for a moment.
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

    /// A directory of this job's own.
    fn own(parent: &Path, material: CanonicalMaterial) -> Result<JobDirectory, Failure> {
        let prefix = format!("{material}.job-");
        let directory = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent);
        // Removed if empty but for the lock file.
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

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The finished table, before it is published.
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

    /// Leaves the directory and removes it, unless a later job can resume from its files:
    /// checkpoints, and the table if it is not yet `published`.
    pub fn leave(&self, published: bool) {
        self.remove_leftovers();
        // Without a lock no job resumes the work.
        if published || self.lock.is_none() {
            let _ = fs::remove_file(self.table());
            let _ = remove_checkpoints(&self.path, self.material);
        }
        if is_empty_but_for_lock(&self.path).unwrap_or(false) {
            // Jobs waiting for the lock notice that its file is gone.
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// The failure that names the job running on a table, if there is one.
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

/// Another job makes the table.
fn busy(material: CanonicalMaterial, holder: &str) -> Failure {
    Failure::machine(format_args!(
        "another sakmak{holder} is generating {material}"
    ))
    .help("wait for it and run the same command again")
    .passing()
}
