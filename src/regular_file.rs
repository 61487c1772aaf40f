//! Opens files, but only regular ones.
//!
//! A directory of tables may contain any kind of file under the name of a table. Opening a FIFO
//! waits for a writer, and reading a device may never end, so both are rejected, like directories.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading. Fails at once if the path is anything else.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // Without this flag, opening a FIFO would wait for a writer. It has no effect on regular
        // files.
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "not a regular file",
    ))
}

/// Reads a complete regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_is_refused_and_file_read() {
        let directory = tempfile::tempdir().unwrap();
        assert!(open(directory.path()).is_err());
        let path = directory.path().join("file");
        std::fs::write(&path, b"bytes").unwrap();
        let mut file = open(&path).unwrap();
        assert_eq!(io::read_to_string(&mut file).unwrap(), "bytes");
        let missing = open(&directory.path().join("none")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn fifo_and_device_are_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let fifo = directory.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        for path in [&fifo, Path::new("/dev/zero")] {
            let error = open(path).unwrap_err();
            assert_eq!(error.to_string(), "not a regular file");
        }
    }
}
