//! Free space on disk.

use std::path::Path;

/// The bytes that this user may still write to the file system of a directory, which may not exist
/// yet. None where that cannot be known.
#[cfg(unix)]
pub fn free_disk(directory: &Path) -> Option<u64> {
    // A directory that is to be created will be on the file system of its parent.
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
