//! The bytes of a table: in memory, or in a file that is mapped or read on demand.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::regular_file;

/// How a table's file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Each block is read from the file when it is needed. If the file is truncated or overwritten
    /// later, or the disk fails, the read returns an error.
    Blocks,
    /// The file is mapped into memory. Before a block and its index entry are copied from the map,
    /// the file's length is checked, so a truncated file gives an error. If the file is truncated
    /// during the copy, or the disk fails, the system ends the process (SIGBUS).
    #[default]
    Map,
    /// The whole file is read into memory when it is opened.
    Whole,
}

/// The bytes of a table's file. Byte slices and vectors implement this trait, and so does
/// [`FileBytes`], which reads files.
pub trait Source {
    /// The length in bytes at the time of the call.
    ///
    /// # Errors
    ///
    /// If the system cannot determine the length.
    fn length(&self) -> io::Result<u64>;

    /// Returns `length` bytes from offset `start`. The result is a slice of bytes already in
    /// memory, or of `buffer`, into which the bytes are read.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] if the range extends beyond the end, or the error of a
    /// failed read.
    fn bytes<'a>(
        &'a self,
        start: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]>;

    /// Like [`Source::bytes`], directly after a call of it: the source need not check its length
    /// again.
    ///
    /// # Errors
    ///
    /// As for [`Source::bytes`].
    fn more_bytes<'a>(
        &'a self,
        start: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        self.bytes(start, length, buffer)
    }
}

impl<B: AsRef<[u8]>> Source for B {
    fn length(&self) -> io::Result<u64> {
        Ok(self.as_ref().len() as u64)
    }

    fn bytes<'a>(&'a self, start: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let bytes = usize::try_from(start).ok().and_then(|start| {
            let end = start.checked_add(length)?;
            self.as_ref().get(start..end)
        });
        bytes.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// The bytes of a table's file: read on demand, mapped, or in memory.
#[derive(Debug)]
pub enum FileBytes {
    /// The file, read on demand.
    File(File),
    /// The file, mapped into memory.
    Map(MappedFile),
    /// Bytes in memory: read from a whole file, received over a network, or compiled into the
    /// program.
    Memory(Cow<'static, [u8]>),
    /// Bytes read through a caller's [`Source`].
    CallerSource(CallerSource),
}

/// A caller's [`Source`], shared between threads.
#[derive(Clone)]
pub struct CallerSource(Arc<dyn Source + Send + Sync>);

impl CallerSource {
    /// Wraps a caller's source.
    pub fn new(source: impl Source + Send + Sync + 'static) -> CallerSource {
        CallerSource(Arc::new(source))
    }
}

impl fmt::Debug for CallerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallerSource")
    }
}

impl Source for FileBytes {
    fn length(&self) -> io::Result<u64> {
        match self {
            FileBytes::File(file) => Ok(file.metadata()?.len()),
            FileBytes::Map(file) => file.length(),
            FileBytes::Memory(bytes) => bytes.length(),
            FileBytes::CallerSource(CallerSource(source)) => source.length(),
        }
    }

    fn bytes<'a>(
        &'a self,
        start: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match self {
            FileBytes::File(file) => {
                let bytes = scratch(buffer, length)?;
                read_exact_at(file, bytes, start)?;
                Ok(bytes)
            }
            FileBytes::Map(file) => {
                file.check()?;
                self.more_bytes(start, length, buffer)
            }
            FileBytes::Memory(bytes) => bytes.bytes(start, length, buffer),
            FileBytes::CallerSource(CallerSource(source)) => source.bytes(start, length, buffer),
        }
    }

    fn more_bytes<'a>(
        &'a self,
        start: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match self {
            FileBytes::Map(file) => {
                let bytes = scratch(buffer, length)?;
                file.read_exact_at(bytes, start)?;
                Ok(bytes)
            }
            _ => self.bytes(start, length, buffer),
        }
    }
}

/// Returns the first `length` bytes of `buffer`, which grows if necessary.
fn scratch(buffer: &mut Vec<u8>, length: usize) -> io::Result<&mut [u8]> {
    if buffer.len() < length {
        buffer.try_reserve_exact(length - buffer.len())?;
        buffer.resize(length, 0);
    }
    Ok(&mut buffer[..length])
}

/// Fills `bytes` from offset `start` of the file. Threads may read the same file at the same time.
#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

/// Always fails: this target has no file system.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fills `bytes` from offset `start` of the file. Threads may read the same file at the same time.
#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                bytes = &mut bytes[n..];
                start += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A file and its memory map. Reads follow a check that the file still has the mapped length.
#[derive(Debug)]
pub struct MappedFile {
    file: File,
    map: Mmap,
}

impl MappedFile {
    /// Maps a file at its current length.
    #[allow(unsafe_code)]
    pub(crate) fn new(file: File) -> io::Result<MappedFile> {
        // SAFETY: the map is only read, and only copies of its bytes leave this type. It would be
        // unsound if the file's bytes changed during a copy. sakmak replaces a table by renaming,
        // which keeps the bytes of an open file, and the documentation asks users to do the same.
        // Copies are checked, and the decoders stay in bounds for any input.
        let map = unsafe { Mmap::map(&file)? };
        // Probes jump between blocks, so read-ahead would waste disk time. The system may ignore
        // the advice.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(MappedFile { file, map })
    }

    /// The current length of the file, in bytes.
    pub(crate) fn length(&self) -> io::Result<u64> {
        // Of the calls that return the length, this one is the shortest. Nothing else uses the
        // position in the file.
        (&self.file).seek(SeekFrom::End(0))
    }

    /// Fails if the file has become shorter than the map. Reading a page beyond the end of a
    /// shortened file would kill the process, so every copy closely follows a check.
    pub(crate) fn check(&self) -> io::Result<()> {
        match self.length()? >= self.map.len() as u64 {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Fills `out` with the bytes from offset `start`, after a [check](MappedFile::check).
    pub(crate) fn read_exact_at(&self, out: &mut [u8], start: u64) -> io::Result<()> {
        let bytes = usize::try_from(start).ok().and_then(|start| {
            let end = start.checked_add(out.len())?;
            self.map.get(start..end)
        });
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Opens the file at `path` with this kind of access.
pub(crate) fn open_bytes(path: &Path, access: Access) -> io::Result<FileBytes> {
    let mut file = regular_file::open(path)?;
    match access {
        Access::Blocks => Ok(FileBytes::File(file)),
        Access::Map => Ok(FileBytes::Map(MappedFile::new(file)?)),
        Access::Whole => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(FileBytes::Memory(bytes.into()))
        }
    }
}
