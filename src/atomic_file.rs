//! Atomic files: they appear under their name only when complete and on disk.
//!
//! An [`AtomicFile`] is written under a temporary name in the same directory, synced and then
//! renamed. So a reader finds the old file or the new one, and an interrupted write leaves the old
//! one intact. [`place_new`] does not replace an existing file. [`remove_leftovers`] removes the
//! temporary files of killed programs.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The suffix of temporary file names.
const PART_SUFFIX: &str = ".part";

/// A file that is being written. If it is dropped before [`AtomicFile::commit`], it is removed.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl AtomicFile {
    /// Starts writing the file with this path. The directory must exist.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let mut builder = tempfile::Builder::new();
        let prefix = part_prefix(path)?;
        builder.prefix(&prefix).suffix(PART_SUFFIX);
        // Temporary files are private by default. This one gets the permissions of an ordinary
        // file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(AtomicFile {
            path: path.to_path_buf(),
            file: builder.tempfile_in(directory_of(path))?,
        })
    }

    /// Opens the bytes written so far for reading.
    pub fn reopen(&self) -> io::Result<File> {
        self.file.reopen()
    }

    /// Syncs the file and renames it, replacing an existing file.
    ///
    /// On Unix the directory is synced too. Elsewhere a power failure may lose the new name, but
    /// never leaves a partial file under it.
    pub fn commit(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path).map_err(|error| error.error)?;
        sync(directory_of(&self.path));
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes a complete file atomically.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

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

/// Removes the temporary files that killed programs left for this path. No other program may be
/// writing to the path.
///
/// A missing directory is not an error.
pub fn remove_leftovers(path: &Path) -> io::Result<()> {
    let prefix = part_prefix(path)?;
    let entries = match fs::read_dir(directory_of(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&prefix) && name.ends_with(PART_SUFFIX) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

fn part_prefix(path: &Path) -> io::Result<String> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(format!(".{}.", name.to_string_lossy()))
}

/// The directory that contains a path.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn old_file_stays_until_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        write(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(names(directory.path()), ["a.json"]);
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["a.json"]);
    }

    #[test]
    fn leftovers_of_one_file_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        for name in [".a.json.x1.part", ".b.json.x1.part", "a.json.part"] {
            fs::write(directory.path().join(name), b"half").unwrap();
        }
        remove_leftovers(&path).unwrap();
        assert_eq!(names(directory.path()), [".b.json.x1.part", "a.json.part"]);
        remove_leftovers(&directory.path().join("none/a.json")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let ordinary = directory.path().join("ordinary");
        fs::write(&ordinary, b"").unwrap();
        let path = directory.path().join("a.json");
        write(&path, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&ordinary));
    }
}
