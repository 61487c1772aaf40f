//! Which file a hash was taken from.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The clock that files are stamped by goes in steps of up to a hundredth of a second.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// What tells a file from another one, and from itself before it was changed.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// Size, time of change, and where the platform has it the inode with its own time of change.
    file: String,
}

impl Stamp {
    /// Of a file about to be read: whatever changes it later gives another stamp.
    pub fn before_reading(path: &Path) -> io::Result<Stamp> {
        let data = fs::metadata(path)?;
        // A change within one step of the clock would leave the time as it is.
        if let Ok(age) = SystemTime::now().duration_since(data.modified()?)
            && age < CLOCK_STEP
        {
            std::thread::sleep(CLOCK_STEP - age);
        }
        Ok(Stamp::new(&fs::metadata(path)?))
    }

    /// Of a file as it is now.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        Ok(Stamp::new(&fs::metadata(path)?))
    }

    fn new(data: &Metadata) -> Stamp {
        let modified = data.modified().ok();
        let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        Stamp {
            file: format!("{} {since:?}{}", data.len(), identity(data)),
        }
    }

    /// Bound to the hash of the file, so that neither can be changed alone.
    pub fn with(&self, blake3: &str) -> String {
        let bound = blake3::hash(format!("{} {blake3}", self.file).as_bytes());
        bound.to_hex().as_str()[..16].to_string()
    }
}
/// The inode with its own time of change, where the platform has them.
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
