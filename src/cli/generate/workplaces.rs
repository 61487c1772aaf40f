//! The job directories that this process uses, and their cleanup after an interrupt.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sakmak::material::CanonicalMaterial;

use super::job_directory::JobDirectory;
use crate::cli::Failure;
use crate::cli::signals::on_interrupt;
use crate::cli::stderr::say;

static WORKPLACES: Mutex<Vec<JobDirectory>> = Mutex::new(Vec::new());

/// Installs an interrupt handler that leaves all job directories and ends the program. Finished
/// tables are kept, and so are checkpoints from which a later run can resume.
pub fn leave_when_interrupted() {
    on_interrupt(|code| stop(code));
}

/// Enters the job directory of a table. The process uses the directory until the job ends.
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

/// Locks the list of job directories in use. While the lock is held, the interrupt handler waits.
pub fn workplaces() -> MutexGuard<'static, Vec<JobDirectory>> {
    WORKPLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves all job directories. Keeps the files from which a later run can resume: checkpoints, and
/// a table that is not yet `published`.
pub fn leave(published: bool) {
    for place in workplaces().drain(..) {
        place.leave(published);
    }
}

/// Leaves all job directories and ends the program. Checkpoints stay for a later run.
fn stop(code: i32) -> ! {
    // The lock is held until the program ends, so that no work continues after its files are
    // removed.
    let workplaces = workplaces();
    for _ in 0..2 {
        for place in &*workplaces {
            place.leave(false);
        }
        // Repeats the removal for a file that was just being created.
        std::thread::sleep(Duration::from_millis(20));
    }
    say("\nsakmak: interrupted; run the same command to resume");
    std::process::exit(code);
}
