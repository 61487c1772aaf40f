//! The job directories that this process works in. An interrupt cleans them up.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sakmak::material::CanonicalMaterial;

use super::job_directory::JobDirectory;
use crate::cli::Failure;
use crate::cli::signals::on_interrupt;
use crate::cli::stderr::say;

static WORKPLACES: Mutex<Vec<JobDirectory>> = Mutex::new(Vec::new());

/// Prepares for an interrupt: it leaves all job directories and ends the program. Finished tables
/// stay, and so do checkpoints that a later run can resume from.
pub fn leave_when_interrupted() {
    on_interrupt(|code| stop(code));
}

/// Enters the directory of a job. The process stays in it until it ends.
pub fn enter(parent: &Path, material: CanonicalMaterial) -> Result<PathBuf, Failure> {
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

/// The directories in use. An interrupt waits for this lock.
pub fn workplaces() -> MutexGuard<'static, Vec<JobDirectory>> {
    WORKPLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves all job directories. Files that a later run can resume from stay: checkpoints, and a
/// table that is not yet `published`.
pub fn leave(published: bool) {
    for place in workplaces().drain(..) {
        place.leave(published);
    }
}

/// Leaves all job directories and ends the program. Checkpoints stay for a later run.
fn stop(code: i32) -> ! {
    // Held until the end, so that no work continues without its files.
    let workplaces = workplaces();
    for _ in 0..2 {
        for place in &*workplaces {
            place.leave(false);
        }
        // Once more, for a file that was just being created.
        std::thread::sleep(Duration::from_millis(20));
    }
    say("\nsakmak: interrupted; run the same command to resume");
    std::process::exit(code);
}
