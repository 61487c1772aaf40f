//! A file that is mapped into memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A file and its memory map. Each read checks that the file still has the mapped length.
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
        Ok(self.file.metadata()?.len())
    }

    /// Fills `out` with the bytes from offset `start`. Fails if the file has become shorter than
    /// the map. Reading a page beyond the end of a shortened file would kill the process, so the
    /// copy directly follows the check.
    pub(crate) fn read_exact_at(&self, out: &mut [u8], start: u64) -> io::Result<()> {
        let bytes = usize::try_from(start).ok().and_then(|start| {
            let end = start.checked_add(out.len())?;
            self.map.get(start..end)
        });
        match bytes {
            Some(bytes) if self.length()? >= self.map.len() as u64 => {
                out.copy_from_slice(bytes);
                Ok(())
            }
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
