//! Where the bytes of a table are: in memory, or in a file that is read piece by piece.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io;
use std::sync::Arc;

use super::mapped_file::MappedFile;

/// How the files of tables are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Each block is read from the file when it is needed. A file that is cut or overwritten
    /// meanwhile is an error, as is a disk that fails.
    Blocks,
    /// The file is mapped into memory, and the bytes of a block are copied from there once the file is seen to
    /// be as long as it was, so that a file that was cut is an error too. Only if it is cut in the moment of
    /// copying, or the disk fails, the system ends the process (SIGBUS).
    #[default]
    Map,
    /// The whole file is read into memory when it is opened.
    Whole,
}

/// The bytes of a table's file. Any bytes in memory are one; [`FileBytes`] are those of a file.
pub trait Source {
    /// The number of bytes there are at this moment.
    ///
    /// # Errors
    ///
    /// If the system refuses to say.
    fn length(&self) -> io::Result<u64>;

    /// `length` bytes from `start` on: those in memory, or read into `buffer`, whose memory is
    /// reused.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] if there are not as many, and if they cannot be read.
    fn bytes<'a>(
        &'a self,
        start: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]>;
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

/// The bytes of a file.
#[derive(Debug)]
pub enum FileBytes {
    /// Read piece by piece.
    File(File),
    /// Mapped into memory.
    Map(MappedFile),
    /// Read into memory, received from elsewhere, or built into the program.
    Memory(Cow<'static, [u8]>),
    /// Wherever somebody else has them.
    Elsewhere(Elsewhere),
}

/// Bytes that somebody else provides.
#[derive(Clone)]
pub struct Elsewhere(Arc<dyn Source + Send + Sync>);

impl Elsewhere {
    /// The bytes of this source.
    pub fn new(source: impl Source + Send + Sync + 'static) -> Elsewhere {
        Elsewhere(Arc::new(source))
    }
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Elsewhere")
    }
}

impl Source for FileBytes {
    fn length(&self) -> io::Result<u64> {
        match self {
            FileBytes::File(file) => Ok(file.metadata()?.len()),
            FileBytes::Map(file) => file.length(),
            FileBytes::Memory(bytes) => bytes.length(),
            FileBytes::Elsewhere(Elsewhere(source)) => source.length(),
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
                let bytes = room(buffer, length)?;
                read_exact_at(file, bytes, start)?;
                Ok(bytes)
            }
            FileBytes::Map(file) => {
                let bytes = room(buffer, length)?;
                file.read_exact_at(bytes, start)?;
                Ok(bytes)
            }
            FileBytes::Memory(bytes) => bytes.bytes(start, length, buffer),
            FileBytes::Elsewhere(Elsewhere(source)) => source.bytes(start, length, buffer),
        }
    }
}

/// So many bytes of the buffer.
fn room(buffer: &mut Vec<u8>, length: usize) -> io::Result<&mut [u8]> {
    if buffer.len() < length {
        buffer.try_reserve_exact(length - buffer.len())?;
        buffer.resize(length, 0);
    }
    Ok(&mut buffer[..length])
}

/// Fills `bytes` with those of the file from `start` on. Threads may do so at once.
#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

/// Where there are no files, none is open.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fills `bytes` with those of the file from `start` on. Threads may do so at once.
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
