//! The job directories that this process uses, and their cleanup after an interrupt.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sakmak::generate::JobDirectory;
use sakmak::material::CanonicalMaterial;

use crate::Failure;
use crate::signals::on_interrupt;
use crate::stderr::say;

static WORKPLACES: Mutex<Vec<JobDirectory>> = Mutex::new(Vec::new());

/// Installs an interrupt handler that removes temporary files from all job directories and ends the
/// program. Finished tables remain, and so do checkpoints from which a later run can resume.
pub fn clean_up_when_interrupted() -> Result<(), Failure> {
    on_interrupt(|code| stop(code))
}

/// Opens the job directory of a table in `parent`, for use by this process until the job ends.
pub fn enter(parent: &Path, material: CanonicalMaterial) -> Result<PathBuf, Failure> {
    let entered = JobDirectory::enter(parent, material);
    let mut workplaces = workplaces();
    match entered {
        Ok(entered) => {
            let path = entered.path().to_path_buf();
            workplaces.push(entered);
            Ok(path)
        }
        Err(error) => {
            drop(workplaces);
            clean_up(false);
            Err(error.into())
        }
    }
}

/// Locks the list of job directories in use. While the lock is held, the interrupt handler waits.
pub fn workplaces() -> MutexGuard<'static, Vec<JobDirectory>> {
    WORKPLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the use of all job directories of this process. Removes their temporary files, and then
/// each directory that is empty. If `published` is false, checkpoints and finished tables remain in
/// locked directories, so that a later run can resume.
pub fn clean_up(published: bool) {
    for place in workplaces().drain(..) {
        place.clean_up(published);
    }
}

/// Removes temporary files from all job directories and ends the program. Checkpoints remain for a
/// later run.
fn stop(code: i32) -> ! {
    // The lock is held until the program ends, so that no work continues after its files are
    // removed.
    let workplaces = workplaces();
    for _ in 0..2 {
        for place in &*workplaces {
            place.clean_up(false);
        }
        // Repeats the removal for a file that was just being created.
        std::thread::sleep(Duration::from_millis(20));
    }
    say("\nsakmak: interrupted; run the same command to resume");
    std::process::exit(code);
}
