//! Locks a directory of tables, and tells the user about it.

use std::path::Path;

use sakmak::directory::{self, Lock, LockNotice};

use super::stderr::say;
use super::{Common, Failure};

/// Creates the directory if necessary, and waits until no other run works in it.
pub fn lock(directory: &Path, common: &Common) -> Result<Lock, Failure> {
    let place = directory.display();
    let notify = |notice: LockNotice| match notice {
        _ if common.quiet => {}
        LockNotice::Waiting(holder) => say(format_args!(
            "waiting for another sakmak{holder} that is generating tables in {place}; use --tables to generate elsewhere"
        )),
        LockNotice::Unlocked(error) => say(format_args!(
            "{place} cannot be locked ({error}): do not run another sakmak generate there"
        )),
    };
    Ok(directory::lock(directory, &notify)?)
}
