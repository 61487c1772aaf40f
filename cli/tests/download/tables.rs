//! Tables generated once, and runs of the command.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::command::program_with;
pub use crate::directory::{manifest, names};

/// The directory that hosts serve, with its manifest. Tests must not write to it.
pub fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    let directory = TABLES.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        let made = program_with(directory.path())
            .args(["generate", "--verdicts", "bare-4", "KRvKN"])
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        directory
    });
    directory.path()
}

/// A copy of the directory that a test may change.
pub fn copy() -> TempDir {
    let directory = TempDir::new().unwrap();
    for entry in fs::read_dir(tables()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
    }
    directory
}

/// The bytes of a table.
pub fn right(file: &str) -> Vec<u8> {
    fs::read(tables().join(file)).unwrap()
}

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Asserts that the run failed with this exit code, and that its last two lines contain all of
    /// these texts.
    #[track_caller]
    pub fn fails(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, code, "{}", self.err);
        let lines: Vec<&str> = self.err.lines().collect();
        let last = lines[lines.len().saturating_sub(2)..].join("\n");
        for part in says {
            assert!(last.contains(part), "{part:?} is not in {:?}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }

    /// Asserts that the run succeeded.
    #[track_caller]
    pub fn succeeds(&self) {
        assert_eq!(self.code, 0, "{}", self.err);
    }
}

/// The command for a directory, without a proxy.
pub fn download(directory: &Path, url: &str, args: &[&str]) -> Command {
    let mut command = program_with(directory);
    directly(&mut command);
    command.args(["download", "--from", url]).args(args);
    command
}

/// Makes a program ignore the machine's proxy.
pub fn directly(command: &mut Command) {
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
}

/// Runs the command.
pub fn run(directory: &Path, url: &str, args: &[&str]) -> Run {
    of(download(directory, url, args))
}

/// Runs a command to its end.
pub fn of(mut command: Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Asserts that a directory has these files, whole, and the manifest, and nothing else.
#[track_caller]
pub fn assert_has(directory: &Path, files: &[&str]) {
    let mut expected: Vec<&str> = files.to_vec();
    expected.push("manifest.json");
    expected.sort_unstable();
    assert_eq!(names(directory), expected);
    for file in files {
        assert!(
            fs::read(directory.join(file)).unwrap() == right(file),
            "{file}"
        );
    }
}
