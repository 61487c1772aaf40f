//! Determines the free disk space.

use std::path::Path;

/// The free disk space for this user in a directory, in bytes. The directory need not exist yet.
/// `None` if the space is unknown.
#[cfg(unix)]
pub fn free_disk(directory: &Path) -> Option<u64> {
    // A directory that does not exist yet will be on the file system of its parent.
    let mut existing = directory;
    loop {
        let named = match existing.as_os_str().is_empty() {
            true => Path::new("."),
            false => existing,
        };
        if let Ok(system) = rustix::fs::statvfs(named) {
            return Some(system.f_bavail.saturating_mul(system.f_frsize));
        }
        existing = existing.parent()?;
    }
}

#[cfg(not(unix))]
pub fn free_disk(_directory: &Path) -> Option<u64> {
    None
}
