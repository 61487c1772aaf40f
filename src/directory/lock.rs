//! The lock that keeps two runs from working in the same directory of tables.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The name of the lock file, which stays in the directory. Its text names the host and the process
/// that hold the lock, for users who wait. The operating system releases the lock of a killed
/// process.
const NAME: &str = "generate.lock";

/// The longest text that a run writes into its lock file, in bytes.
const LONGEST: u64 = 300;

/// The reason why a lock file cannot be used.
#[derive(Debug, Error)]
pub enum LockError {
    /// The lock file or its directory cannot be created.
    #[error("{} cannot be written ({source})", path.display())]
    Write {
        /// The path of the file or of the directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The name of the lock file is that of something else.
    #[error("{} exists but is not a lock file", path.display())]
    Foreign {
        /// The path of the lock file.
        path: PathBuf,
    },
    /// Another user's run made the lock file.
    #[error("{} belongs to another user ({source})", path.display())]
    OtherUser {
        /// The path of the lock file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The process that holds a lock, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The process ID.
    pub process: Option<u32>,
    /// The host, unless it is this machine.
    pub host: Option<String>,
}

impl fmt::Display for Holder {
    /// Writes the process in brackets behind a blank, or nothing if it is unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.process, &self.host) {
            (Some(process), Some(host)) => write!(f, " (process {process} on {host})"),
            (Some(process), None) => write!(f, " (process {process})"),
            (None, _) => Ok(()),
        }
    }
}

/// A message of [`lock`].
#[derive(Debug)]
pub enum LockNotice {
    /// Another process holds the lock, and this one waits for it.
    Waiting(Holder),
    /// The file system has no locks, so nothing keeps two runs apart.
    Unlocked(io::Error),
}

/// A held lock on a directory, released when dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    held: bool,
    signed: bool,
}

/// The result of an attempt to lock a file.
#[derive(Debug)]
pub(crate) enum Tried {
    /// The file is now locked by this process.
    Locked(Lock),
    /// Another process holds the lock.
    Busy(Holder),
    /// The file system does not support locks.
    NoLocks,
}

impl Lock {
    /// True if this process holds the lock. False if the file system does not support locks.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// True if the lock file of this process is still at this path.
    #[cfg(unix)]
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        match (self.file.metadata(), fs::metadata(path)) {
            (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
            _ => false,
        }
    }

    /// True if the lock file of this process is still at this path. On this system an open file
    /// cannot lose its path.
    #[cfg(not(unix))]
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        path.exists()
    }

    /// Writes this host and process ID into the lock file, for users whose runs wait. Leaves the
    /// file unchanged if its text is not that of a lock file.
    pub fn sign(&mut self) {
        if !is_lock_file(&self.file) {
            return;
        }
        // On a full disk the lock works even without the text.
        let _ = self.file.set_len(0);
        let _ = writeln!(self.file, "{}:{}", host(), std::process::id());
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

/// Creates the directory if necessary, and waits until no other run works in it. Calls `notify`
/// before it waits, and if the file system has no locks: each table is written safely without one.
///
/// # Errors
///
/// If the directory or the lock file cannot be used.
pub fn lock(directory: &Path, notify: &dyn Fn(LockNotice)) -> Result<Lock, LockError> {
    let path = directory.join(NAME);
    fs::create_dir_all(directory).map_err(|source| LockError::Write {
        path: directory.to_path_buf(),
        source,
    })?;
    let file = open(&path, true)?;
    let taken = match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            notify(LockNotice::Waiting(holder(&file)));
            file.lock()
        }
        Err(TryLockError::Error(error)) => Err(error),
        Ok(()) => Ok(()),
    };
    let held = taken.is_ok();
    if let Err(error) = taken {
        notify(LockNotice::Unlocked(error));
    }
    Ok(Lock {
        file,
        held,
        signed: false,
    })
}

/// Tries to lock a file, which is created if necessary. Does not wait if another process holds the
/// lock.
pub(crate) fn try_lock(path: &Path) -> Result<Tried, LockError> {
    let file = open(path, true)?;
    Ok(match file.try_lock() {
        Ok(()) => {
            let mut lock = Lock {
                file,
                held: true,
                signed: false,
            };
            lock.sign();
            Tried::Locked(lock)
        }
        Err(TryLockError::WouldBlock) => Tried::Busy(holder(&file)),
        Err(TryLockError::Error(_)) => Tried::NoLocks,
    })
}

/// The process that holds the lock of a file. None if the file is not locked.
pub(crate) fn held_by(path: &Path) -> Option<Holder> {
    let file = open(path, false).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(holder(&file)),
        _ => None,
    }
}

/// Opens the lock file, and creates it if requested. Fails if the path leads to anything but a
/// regular file.
fn open(path: &Path, create: bool) -> Result<File, LockError> {
    let mut options = File::options();
    options
        .create(create)
        .truncate(false)
        .read(true)
        .write(true);
    #[cfg(unix)]
    {
        // With these flags, links are not followed, and a FIFO does not block.
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let path_of = || path.to_path_buf();
    let foreign = || LockError::Foreign { path: path_of() };
    let kind = fs::symlink_metadata(path).map(|data| data.file_type());
    if kind.as_ref().is_ok_and(|kind| !kind.is_file()) {
        return Err(foreign());
    }
    match options.open(path) {
        Ok(file) => match file.metadata() {
            Ok(data) if data.is_file() => Ok(file),
            _ => Err(foreign()),
        },
        Err(source) if source.kind() == io::ErrorKind::PermissionDenied && kind.is_ok() => {
            Err(LockError::OtherUser {
                path: path_of(),
                source,
            })
        }
        Err(source) => Err(LockError::Write {
            path: path_of(),
            source,
        }),
    }
}

/// The text of a lock file. `None` if it is unreadable, or longer than any text that a run writes.
fn text(mut file: &File) -> Option<String> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(LONGEST + 1).read_to_string(&mut text).ok()?;
    file.rewind().ok()?;
    (text.len() as u64 <= LONGEST).then_some(text)
}

/// Parses the text of a lock file. Returns the host, if the text names one, and the process ID.
fn parse(text: &str) -> Option<(Option<&str>, u32)> {
    let text = text.trim();
    match text.rsplit_once(':') {
        Some((host, id)) => Some((Some(host), id.parse().ok()?)),
        None => Some((None, text.parse().ok()?)),
    }
}

/// True if the file is empty or has the text of a lock file.
fn is_lock_file(file: &File) -> bool {
    text(file).is_some_and(|text| text.is_empty() || parse(&text).is_some())
}

/// The process named in a lock file, unless that process is known to have ended.
fn holder(file: &File) -> Holder {
    let text = text(file).unwrap_or_default();
    match parse(&text) {
        Some((Some(host), id)) if host != self::host() => Holder {
            process: Some(id),
            host: Some(host.to_string()),
        },
        Some((_, id)) if cfg!(not(target_os = "linux")) || is_running(id) => Holder {
            process: Some(id),
            host: None,
        },
        _ => Holder::default(),
    }
}

/// True if a process with this ID exists. Works on Linux only.
fn is_running(id: u32) -> bool {
    Path::new(&format!("/proc/{id}")).exists()
}

/// The name of this machine.
fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_waits_and_names_the_first() {
        let directory = tempfile::tempdir().unwrap();
        let quiet = |notice: LockNotice| panic!("{notice:?}");
        let mut first = lock(directory.path(), &quiet).unwrap();
        assert!(first.is_held());
        first.sign();
        let (told, notice) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let tell = |notice| told.send(notice).unwrap();
                assert!(lock(directory.path(), &tell).unwrap().is_held());
            });
            let LockNotice::Waiting(holder) = notice.recv().unwrap() else {
                panic!("no locks here");
            };
            assert_eq!(holder.process, Some(std::process::id()));
            assert_eq!(
                holder.to_string(),
                format!(" (process {})", std::process::id())
            );
            drop(first);
        });
        assert!(lock(directory.path(), &quiet).unwrap().is_held());
    }

    #[test]
    fn another_file_of_that_name_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        fs::create_dir(&path).unwrap();
        let error = lock(directory.path(), &|_| {}).unwrap_err();
        assert!(matches!(error, LockError::Foreign { .. }), "{error}");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "a letter").unwrap();
        lock(directory.path(), &|_| {}).unwrap().sign();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a letter");
    }
}
