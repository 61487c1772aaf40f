//! A partly downloaded file such as `KSMvK.skm.part`, whose download a later run resumes.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The number of bytes read or written at a time.
pub const CHUNK: usize = 256 << 10;

/// A partly downloaded file, and the hash of its bytes so far.
pub struct Part {
    path: PathBuf,
    file: File,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Part {
    /// The path of the partial file of a table.
    pub fn path_of(place: &Path) -> PathBuf {
        let mut path = place.to_path_buf().into_os_string();
        path.push(".part");
        PathBuf::from(path)
    }

    /// Opens the partial file of an interrupted run, or creates an empty one. `total` is the length
    /// of the complete file in bytes. A longer partial file belongs to another version of the
    /// table, and is emptied.
    pub fn open(place: &Path, total: u64) -> io::Result<Part> {
        let path = Part::path_of(place);
        // Links and FIFOs are refused: opening a FIFO would wait for its reader.
        if fs::symlink_metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "not a regular file",
            ));
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut part = Part {
            file: options.open(&path)?,
            path,
            hasher: blake3::Hasher::new(),
            bytes: 0,
        };
        match part.file.metadata()?.len() {
            length if length > total => part.restart()?,
            _ => part.hash_existing()?,
        }
        Ok(part)
    }

    /// Hashes the bytes that are already in the file.
    fn hash_existing(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; CHUNK];
        loop {
            match self.file.read(&mut buffer)? {
                0 => return Ok(()),
                read => {
                    self.hasher.update(&buffer[..read]);
                    self.bytes += read as u64;
                }
            }
        }
    }

    /// The number of bytes received so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The BLAKE3 hash of the bytes received so far, in hexadecimal.
    pub fn blake3(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }

    /// Appends received bytes.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Discards all bytes received so far.
    pub fn restart(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.hasher.reset();
        self.bytes = 0;
        Ok(())
    }

    /// Removes the partial file from the disk.
    pub fn remove(self) {
        let _ = fs::remove_file(self.path);
    }

    /// The path of the partial file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the partial file to the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_file_resumes_where_it_ended() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("KRvK.skm");
        let mut part = Part::open(&place, 10).unwrap();
        part.add(b"hello").unwrap();
        drop(part);
        let mut part = Part::open(&place, 10).unwrap();
        assert_eq!(part.bytes(), 5);
        part.add(b"world").unwrap();
        assert_eq!(part.blake3(), blake3::hash(b"helloworld").to_hex().as_str());
        drop(part);
        // The partial file has more bytes than the whole file should have.
        let mut part = Part::open(&place, 9).unwrap();
        assert_eq!(part.bytes(), 0);
        part.add(b"x").unwrap();
        part.restart().unwrap();
        part.add(b"y").unwrap();
        assert_eq!(fs::read(part.path()).unwrap(), b"y");
        assert_eq!(part.blake3(), blake3::hash(b"y").to_hex().as_str());
        part.remove();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_written_through() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("somebody's");
        fs::write(&target, b"theirs").unwrap();
        let place = directory.path().join("KRvK.skm");
        std::os::unix::fs::symlink(&target, directory.path().join("KRvK.skm.part")).unwrap();
        assert!(Part::open(&place, 10).is_err());
        assert_eq!(fs::read(&target).unwrap(), b"theirs");
    }
}
