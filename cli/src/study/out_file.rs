//! The file of a report, which is opened before the work and written after it.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use sakmak::directory::MANIFEST_NAME;
use sakmak::table::TableKind;
use sakmak_study::STUDY_NAME;

use crate::Failure;
use crate::common::is_same_path;

/// The file of a report. An existing file keeps its contents until the report is written.
pub struct OutFile {
    path: PathBuf,
    file: File,
    /// True if this run created the file and has written nothing to it.
    empty: bool,
}

impl OutFile {
    /// Opens or creates the file. Fails if the file name is one that a directory of tables uses.
    pub fn open(path: &Path) -> Result<OutFile, Failure> {
        // The name may be that of a symbolic link.
        let real = std::fs::canonicalize(path);
        if is_reserved(path) || real.is_ok_and(|real| is_reserved(&real)) {
            let fact = format!(
                "{}: sakmak reserves this file name for its own files in a directory of tables",
                path.display()
            );
            return Err(Failure::input(fact).help("give the report another name"));
        }
        let empty = !path.exists();
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| cannot(path, &error))?;
        Ok(OutFile {
            path: path.to_path_buf(),
            file,
            empty,
        })
    }

    /// True if both names lead to the same regular file. Two reports may go to one terminal.
    pub fn is_same(&self, other: &OutFile) -> bool {
        let regular = self.file.metadata().is_ok_and(|data| data.is_file());
        regular && is_same_path(&self.path, &other.path)
    }

    /// Replaces the contents of the file.
    pub fn write(mut self, text: &str) -> Result<(), Failure> {
        let regular = self.file.metadata().is_ok_and(|data| data.is_file());
        self.empty = false;
        let written = match regular {
            true => self.file.set_len(0),
            // A pipe or a terminal has no length to set.
            false => Ok(()),
        };
        written
            .and_then(|()| self.file.write_all(text.as_bytes()))
            .and_then(|()| self.file.flush())
            .map_err(|error| cannot(&self.path, &error))
    }
}

/// True if a directory of tables uses this file name.
fn is_reserved(path: &Path) -> bool {
    let own = [MANIFEST_NAME, STUDY_NAME].map(OsStr::new);
    TableKind::of_path(path).is_some() || path.file_name().is_some_and(|name| own.contains(&name))
}

impl Drop for OutFile {
    /// Removes the file if this run created it and wrote nothing.
    fn drop(&mut self) {
        if self.empty {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::machine(format_args!(
        "{} cannot be written ({error})",
        path.display()
    ))
    .help("name a file in a directory that exists and that you may write to")
}
