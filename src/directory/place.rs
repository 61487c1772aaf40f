//! Puts a file under its name in a directory, in one step and only if the name is free.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Renames a file within a file system. Returns false if the new name is already taken.
///
/// # Errors
///
/// If the file cannot be renamed.
pub fn place_new(from: &Path, to: &Path) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(true),
            Err(rustix::io::Errno::EXIST) => return Ok(false),
            // Some network file systems do not support this call.
            Err(_) => {}
        }
    }
    match fs::hard_link(from, to) {
        Ok(()) => {
            // If the removal fails, the file is removed with the job's directory.
            let _ = fs::remove_file(from);
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // The file system has no hard links, so the file is renamed.
        Err(_) if !to.exists() => fs::rename(from, to).map(|()| true),
        Err(_) => Ok(false),
    }
}

/// Syncs a directory, on systems that support it, so that new file names survive a power cut.
pub fn sync(directory: &Path) {
    if cfg!(unix)
        && let Ok(directory) = File::open(directory)
    {
        let _ = directory.sync_all();
    }
}
