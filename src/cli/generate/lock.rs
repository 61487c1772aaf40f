//! One run at a time in a directory.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;

use crate::cli::failure::cannot;
use crate::cli::{Common, Failure};

/// The file by which runs keep out of each other's way. It stays in the directory, and has the
/// number of the process that holds it, for those who wait. The lock is the system's: a number
/// that a killed run left locks nobody out.
const NAME: &str = "generate.lock";

/// The lock on a directory; the next may have it when this is gone.
pub struct Lock {
    file: File,
    signed: bool,
}

impl Lock {
    /// Writes this process's number into the file, for others to read. A run that finds nothing to
    /// make leaves the file as it is.
    pub fn sign(&mut self) {
        // On a full disk the lock is as good without.
        let _ = self.file.set_len(0);
        let _ = writeln!(self.file, "{}", std::process::id());
        self.signed = true;
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.signed {
            let _ = self.file.set_len(0);
        }
    }
}

/// Makes the directory, if it is not there, and waits until no other run works in it.
pub fn lock(directory: &Path, common: &Common) -> Result<Lock, Failure> {
    let path = directory.join(NAME);
    let open = || {
        fs::create_dir_all(directory)?;
        File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
    };
    let file = open().map_err(|error| cannot("written", directory, &error))?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        if !common.quiet {
            let holder = holder(&path).map(|id| format!(" (process {id})"));
            eprintln!(
                "another sakmak{} makes tables in {}: waiting until it has finished; stop one of the two, or name another directory with --tables, if that is not meant",
                holder.unwrap_or_default(),
                directory.display()
            );
        }
        // A system that has no locks has none here either; writing stays safe without.
        let _ = file.lock();
    }
    Ok(Lock {
        file,
        signed: false,
    })
}

/// The process that wrote itself into the file of a lock, unless it is known to be gone.
fn holder(path: &Path) -> Option<u32> {
    let text = fs::read_to_string(path).ok()?;
    let id: u32 = text.trim().parse().ok()?;
    let gone = cfg!(target_os = "linux") && !Path::new(&format!("/proc/{id}")).exists();
    (!gone).then_some(id)
}
