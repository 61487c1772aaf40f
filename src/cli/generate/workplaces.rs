//! The directories that this process works in, which an interrupt leaves.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sakmak::material::CanonicalMaterial;

use super::job_directory::JobDirectory;
use crate::cli::Failure;
use crate::cli::signals::on_interrupt;
use crate::cli::stderr::say;

static WORKPLACES: Mutex<Vec<JobDirectory>> = Mutex::new(Vec::new());

/// Leaves all directories when the program is interrupted, and ends it. Finished tables stay, and steps
/// that a later run can resume from.
pub fn leave_when_interrupted() {
    on_interrupt(|code| stop(code));
}

/// Enters the directory of a job, for as long as this process works.
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

/// The directories at work. An interrupt waits while they are held.
pub fn workplaces() -> MutexGuard<'static, Vec<JobDirectory>> {
    WORKPLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves all directories. What a later run can go on from stays: steps, and a table if it is not
/// `published`.
pub fn leave(published: bool) {
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
