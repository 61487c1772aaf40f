//! The lock that keeps two runs from working in the same directory.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::failure::cannot;
use crate::stderr::say;
use crate::{Common, Failure};

/// The name of the lock file, which stays in the directory. Its text names the host and the process
/// that hold the lock, for users who wait. The operating system releases the lock of a killed
/// process.
const NAME: &str = "generate.lock";

/// The longest text that a run writes into its lock file, in bytes.
const LONGEST: u64 = 300;

/// A held lock on a directory, released when dropped.
pub struct Lock {
    file: File,
    held: bool,
    signed: bool,
}

/// The result of an attempt to lock a file.
pub enum Tried {
    /// The file is now locked by this process.
    Locked(Lock),
    /// Another process holds the lock. The field describes that process, and is empty if it is
    /// unknown.
    Busy(String),
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
    pub fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        match (self.file.metadata(), fs::metadata(path)) {
            (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
            _ => false,
        }
    }

    /// True if the lock file of this process is still at this path. On this system an open file
    /// cannot lose its path.
    #[cfg(not(unix))]
    pub fn is_at(&self, path: &Path) -> bool {
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

/// Creates the directory if necessary, and waits until no other run works in it.
pub fn lock(directory: &Path, common: &Common) -> Result<Lock, Failure> {
    let path = directory.join(NAME);
    fs::create_dir_all(directory).map_err(|error| cannot("written", directory, &error))?;
    let file = open(&path, true)?;
    let taken = match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            if !common.quiet {
                say(format_args!(
                    "waiting for another sakmak{} that is generating tables in {}; use --tables to generate elsewhere",
                    holder(&file),
                    directory.display()
                ));
            }
            file.lock()
        }
        Err(TryLockError::Error(error)) => Err(error),
        Ok(()) => Ok(()),
    };
    let held = taken.is_ok();
    if let Err(error) = taken
        && !common.quiet
    {
        // Some network file systems have no locks. Each table is written safely without one.
        say(format_args!(
            "{} cannot be locked ({error}): do not run another sakmak generate there",
            directory.display()
        ));
    }
    Ok(Lock {
        file,
        held,
        signed: false,
    })
}

/// Tries to lock a file, which is created if necessary. Does not wait if another process holds the
/// lock.
pub fn try_lock(path: &Path) -> Result<Tried, Failure> {
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

/// Describes the process that holds the lock of a file; empty if the process is unknown. `None` if
/// the file is not locked.
pub fn held_by(path: &Path) -> Option<String> {
    let file = open(path, false).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(holder(&file)),
        _ => None,
    }
}

/// Opens the lock file, and creates it if requested. Fails if the path leads to anything but a
/// regular file.
fn open(path: &Path, create: bool) -> Result<File, Failure> {
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
    let foreign = || {
        Failure::machine(format_args!(
            "{} exists but is not a lock file",
            path.display()
        ))
        .help("move it away, or choose another directory with --tables")
    };
    let kind = fs::symlink_metadata(path).map(|data| data.file_type());
    if kind.as_ref().is_ok_and(|kind| !kind.is_file()) {
        return Err(foreign());
    }
    match options.open(path) {
        Ok(file) => match file.metadata() {
            Ok(data) if data.is_file() => Ok(file),
            _ => Err(foreign()),
        },
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && kind.is_ok() => {
            Err(Failure::machine(format_args!(
                "{} belongs to another user ({error})",
                path.display()
            ))
            .help(
                "ask that user to remove it when nobody generates tables there, or choose another directory \
                 with --tables",
            ))
        }
        Err(error) => Err(cannot("written", path, &error)),
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

/// Describes the process named in a lock file, unless that process is known to have ended.
fn holder(file: &File) -> String {
    let text = text(file).unwrap_or_default();
    match parse(&text) {
        Some((Some(host), id)) if host != self::host() => format!(" (process {id} on {host})"),
        Some((_, id)) if cfg!(not(target_os = "linux")) || is_running(id) => {
            format!(" (process {id})")
        }
        _ => String::new(),
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
