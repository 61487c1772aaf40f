//! Stamps: short texts that show whether a file has changed.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The longest step by which file times advance: up to a hundredth of a second, doubled for safety.
/// Two writes within one step may give a file the same time, and a stamp taken between them would
/// not reveal the second write.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// The identity and the version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The size and the modification time. On Unix also the inode and its change time.
    file: String,
}

impl Stamp {
    /// Takes the stamp of a file that is about to be read. If the file has just been written, waits
    /// first, since another write might not alter the stamp.
    pub fn before_reading(path: &Path) -> io::Result<Stamp> {
        let data = fs::metadata(path)?;
        // Another write within one step of the clock would leave the file's time unchanged.
        if let Ok(age) = SystemTime::now().duration_since(data.modified()?)
            && age < CLOCK_STEP
        {
            std::thread::sleep(CLOCK_STEP - age);
        }
        Ok(Stamp::new(&fs::metadata(path)?))
    }

    /// Takes the stamp of a file.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        Ok(Stamp::new(&fs::metadata(path)?))
    }

    /// Makes the stamp of a file from its metadata.
    pub fn new(data: &Metadata) -> Stamp {
        let modified = data.modified().ok();
        let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        Stamp {
            file: format!("{} {since:?}{}", data.len(), identity(data)),
        }
    }

    /// Hashes the stamp together with the file's hash, so that neither can be replaced separately.
    pub fn with(&self, blake3: &str) -> String {
        let bound = blake3::hash(format!("{} {blake3}", self.file).as_bytes());
        bound.to_hex().as_str()[..16].to_string()
    }
}

/// The inode and its change time, on platforms that have them.
fn identity(data: &Metadata) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        format!(" {} {}.{}", data.ino(), data.ctime(), data.ctime_nsec())
    }
    #[cfg(not(unix))]
    {
        let _ = data;
        String::new()
    }
}
