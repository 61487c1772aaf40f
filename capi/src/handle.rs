//! Handles: open, extend and close a tablebase.

use std::ffi::{OsStr, c_char};

use tablebase::board::Position;
use tablebase::probe::{Options, Tablebase};
use tablebase::table::Access;

use super::ffi::{Output, guard, path, read};
use super::position::SakmakPosition;
use super::status::{Failure, SakmakError, SakmakStatus};

/// The mark at the start of an open handle.
const OPEN: u64 = 0x6b61_6d6b_6173_d189;

/// The tables of some directories.
pub struct SakmakTablebase(Marked);

/// A tablebase, preceded by a mark that identifies a handle. The mark must be the first field,
/// because it is read before a pointer is known to be a handle.
#[repr(C)]
struct Marked {
    mark: u64,
    tablebase: Tablebase,
}

const _: () = assert!(std::mem::offset_of!(SakmakTablebase, 0.mark) == 0);

/// The ways to read the files of tables.
#[repr(C)]
#[expect(dead_code, reason = "C uses it")]
pub enum SakmakAccess {
    /// Reads each block only when a probe needs it. If a file is truncated or overwritten while the
    /// tablebase is open, probes of its table return an error.
    Blocks = 0,
    /// Maps each file into memory, which saves a microsecond per block. If a file is truncated
    /// while a block is copied from it, or if the disk fails, SIGBUS ends the process.
    Map = 1,
    /// Reads each file into memory when it is opened.
    Whole = 2,
}

/// Options for the resources that a tablebase uses. No option changes an answer. 0 selects the
/// default of an option: start from `SakmakOptions options = {0};`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SakmakOptions {
    /// The memory for decoded blocks, in bytes, shared by all threads; 64 MiB by default. The
    /// system provides the memory as the cache fills. If the machine has less memory than this,
    /// sakmak_open returns SAKMAK_STATUS_NO_MEMORY.
    pub cache_bytes: usize,
    /// The largest number of files that may be open or mapped at once; by default there is no
    /// limit.
    pub most_open: usize,
    /// The way to read files: a SakmakAccess.
    pub access: u8,
    /// Room for the options of later versions, so that the structure keeps its size; must be 0.
    pub reserved: [usize; 5],
}

impl SakmakOptions {
    fn options(&self) -> Result<Options, Failure> {
        if self.reserved != [0; 5] {
            return Err(Failure::new(
                SakmakStatus::BadOption,
                "the reserved options are not 0: start from `SakmakOptions options = {0};`",
            ));
        }
        let default = Options::default();
        Ok(Options {
            cache_bytes: match self.cache_bytes {
                0 => default.cache_bytes,
                bytes => bytes,
            },
            most_open: (self.most_open > 0).then_some(self.most_open),
            access: match self.access {
                0 => Access::Blocks,
                1 => Access::Map,
                2 => Access::Whole,
                number => {
                    return Err(Failure::new(
                        SakmakStatus::BadOption,
                        format!("{number} is not an access mode: pass a value of SakmakAccess"),
                    ));
                }
            },
        })
    }
}

/// The tablebase of a handle.
///
/// # Safety
///
/// The handle is NULL, or one that was opened and not closed.
pub unsafe fn tablebase<'a>(handle: *const SakmakTablebase) -> Result<&'a Tablebase, Failure> {
    check(handle)?;
    // SAFETY: the caller keeps the contract of the handle, which is not NULL.
    Ok(unsafe { &(*handle).0.tablebase })
}

/// Rejects NULL and most other wrong handles. This only helps to find mistakes. A pointer outside
/// the process's memory still ends the process, and a closed handle may pass once its memory is in
/// use again.
fn check(handle: *const SakmakTablebase) -> Result<(), Failure> {
    if handle.is_null() {
        return Err(Failure::new(
            SakmakStatus::ClosedHandle,
            "the tablebase is NULL: it was closed or never opened; open it with sakmak_open",
        ));
    }
    // SAFETY: an aligned handle can be read. Any other pointer breaks the caller's contract, and
    // usually fails this check.
    let is_open =
        handle.is_aligned() && unsafe { (&raw const (*handle).0.mark).read_volatile() } == OPEN;
    match is_open {
        true => Ok(()),
        false => Err(Failure::new(
            SakmakStatus::InvalidHandle,
            "the pointer is not an open tablebase: pass a handle that sakmak_open returned and that is not closed",
        )),
    }
}

/// Opens the tables of some directories, which are separated as in PATH: by `:`, on Windows by `;`.
/// NULL or an empty text means no directory; sakmak_add_directory adds others. `options` may be
/// NULL.
///
/// Only the names of the files are read: a table is opened when a position first needs it.
///
/// If only some of the directories cannot be read, the tables of the others are opened all the
/// same. Then `handle` is set, and the status is SAKMAK_STATUS_BAD_DIRECTORY, with a message that
/// names the directories that failed. If no directory can be read, `handle` does not change.
///
/// # Safety
///
/// `directories` is NULL or a string; `options` is NULL or can be read; `handle` and
/// `error` are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open(
    directories: *const c_char,
    options: *const SakmakOptions,
    handle: *mut *mut SakmakTablebase,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let handle = Output::new(handle, "the pointer for the tablebase")?;
            let options = options.as_ref().copied().unwrap_or_default();
            let mut tablebase = Tablebase::with_options(&options.options()?)?;
            let (mut tried, mut failures) = (0, Vec::new());
            if !directories.is_null() {
                for directory in std::env::split_paths(path(directories)?) {
                    if !directory.as_os_str().is_empty() {
                        tried += 1;
                        failures.extend(add(&mut tablebase, directory.as_os_str()).err());
                    }
                }
            }
            if failures.is_empty() || failures.len() < tried {
                let mark = OPEN;
                let open = SakmakTablebase(Marked { mark, tablebase });
                handle.write(Box::into_raw(Box::new(open)));
            }
            failures
                .into_iter()
                .reduce(Failure::and)
                .map_or(Ok(()), Err)
        })
    }
}

/// Adds the tables of one directory. Unless `added` is NULL, writes to it the number of endings
/// that had no table before. If several directories have a table of the same ending, the one added
/// first is used. A later one is used only if the first is damaged or lacks the rule set of a
/// probe.
///
/// During this call no other call may use the handle.
///
/// # Safety
///
/// `handle` is NULL or open; `directory` is NULL or a string; the other pointers are NULL
/// or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_add_directory(
    handle: *mut SakmakTablebase,
    directory: *const c_char,
    added: *mut usize,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            check(handle)?;
            if directory.is_null() {
                return Err(Failure::new(
                    SakmakStatus::NullPointer,
                    "the directory is NULL: pass its name",
                ));
            }
            let new = add(&mut (*handle).0.tablebase, path(directory)?)?;
            if !added.is_null() {
                added.write(new);
            }
            Ok(())
        })
    }
}

/// Closes a tablebase and sets the caller's variable to NULL, so that using the variable again is
/// an error instead of a crash. Closing NULL does nothing.
///
/// During this call no other call may use the handle, and afterwards none may use a copy of the
/// handle.
///
/// # Safety
///
/// `handle` is NULL, or points to a variable that holds NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_close(
    handle: *mut *mut SakmakTablebase,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let output = Output::new(handle, "the pointer to the handle")?;
            if (*handle).is_null() {
                return Ok(());
            }
            check(*handle)?;
            let open = *handle;
            output.write(std::ptr::null_mut());
            // Once the mark is cleared, later uses of a copy of the handle are usually detected.
            (&raw mut (*open).0.mark).write_volatile(0);
            drop(Box::from_raw(open));
            Ok(())
        })
    }
}

/// Writes the number of endings with a distance table or a verdict table, and the largest number of
/// men in a table, kings included. Either pointer may be NULL.
///
/// # Safety
///
/// `handle` is NULL or open; the other pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_tables(
    handle: *const SakmakTablebase,
    tables: *mut usize,
    most_men: *mut usize,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let tablebase = tablebase(handle)?;
            if !tables.is_null() {
                tables.write(tablebase.inventory().endings());
            }
            if !most_men.is_null() {
                most_men.write(tablebase.inventory().most_men());
            }
            Ok(())
        })
    }
}

/// Writes the number of lookups whose block was already decoded, and the number of all other
/// lookups. Either pointer may be NULL.
///
/// # Safety
///
/// `handle` is NULL or open; the other pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_cache_statistics(
    handle: *const SakmakTablebase,
    hits: *mut u64,
    misses: *mut u64,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let statistics = tablebase(handle)?.inventory().cache_statistics();
            if !hits.is_null() {
                hits.write(statistics.hits);
            }
            if !misses.is_null() {
                misses.write(statistics.misses);
            }
            Ok(())
        })
    }
}

/// Calls `question` with the tablebase and the position, and writes the answer.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read; the other pointers are NULL or can
/// be written to.
pub unsafe fn answer<T: Copy>(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    output: *mut T,
    error: *mut SakmakError,
    question: impl FnOnce(&Tablebase, &Position) -> Result<T, Failure>,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let tablebase = tablebase(handle)?;
            let position = read(position, "the position")?.position()?;
            let output = Output::new(output, "the pointer for the answer")?;
            output.write(question(tablebase, &position)?);
            Ok(())
        })
    }
}

/// Writes 1 to `has` if there is a distance table of the position's ending, or if the ending needs
/// none, else 0. This call is cheap, because it opens no file and does not check the table. If there
/// are bia, they are those of makruk and ouk.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read; the other pointers are
/// NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_has_table(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    has: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers.
    unsafe {
        answer(handle, position, has, error, |tablebase, position| {
            let (material, _) = position.material().canonical();
            let two_kings = material.men() <= tablebase::material::MIN_MEN;
            Ok(u8::from(
                two_kings || tablebase.inventory().path(material).is_some(),
            ))
        })
    }
}

/// Writes 1 to `stored` if the table stores the position with this side to move, else 0. A probe of
/// a stored position is cheap. For any other position, a probe looks up the position after each
/// move, and may read and decode a block for each; a search may want to skip these positions.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read; the other pointers are
/// NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_is_stored(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    stored: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers.
    unsafe {
        answer(handle, position, stored, error, |tablebase, position| {
            Ok(u8::from(tablebase.is_stored(position)?))
        })
    }
}

fn add(tablebase: &mut Tablebase, directory: &OsStr) -> Result<usize, Failure> {
    tablebase.add_directory(directory).map_err(|error| {
        Failure::new(
            SakmakStatus::BadDirectory,
            format!(
                "{} cannot be read ({error}): check that the directory exists and that you may read it",
                directory.display()
            ),
        )
    })
}
