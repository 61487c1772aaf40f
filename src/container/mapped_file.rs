//! A file that is mapped into memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A file and the map of it. It is only read where the file still is as long as its map.
#[derive(Debug)]
pub struct MappedFile {
    file: File,
    map: Mmap,
}

impl MappedFile {
    /// Maps a file as it is now.
    #[allow(unsafe_code)]
    pub(crate) fn new(file: File) -> io::Result<MappedFile> {
        // SAFETY: the map is only read, and nothing but copies of its bytes is handed out. It would be unsound if
        // the file's bytes changed while they are copied; sakmak puts a new table in place by renaming, which
        // leaves the bytes of one that is open as they were, and the documentation asks the same of the user.
        // What is copied is checked, and nothing decoded is trusted beyond its bounds.
        let map = unsafe { Mmap::map(&file)? };
        // Probes jump about, so reading ahead would waste the disk's time. It is only advice.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(MappedFile { file, map })
    }

    /// The number of bytes that the file has now.
    pub(crate) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Copies the bytes from `start` on, if the file still has as many as were mapped. A page that it has no
    /// more would end the process: so they are copied at once, before anybody works with them.
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
