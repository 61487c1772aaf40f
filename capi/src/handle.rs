//! Handles of tablebases.

use std::ffi::{OsStr, c_char};

use tablebase::board::Position;
use tablebase::probe::{Options, Tablebase};
use tablebase::table::Access;

use super::ffi::{Place, guard, path, read};
use super::position::SakmakPosition;
use super::status::{Failure, SakmakError, SakmakStatus};

/// The first bytes of an open handle.
const OPEN: u64 = 0x6b61_6d6b_6173_d189;

/// The tables of some directories.
pub struct SakmakTablebase(Marked);

/// A tablebase, preceded by a mark that shows that a pointer is a handle. The mark must come first,
/// since it is read before the rest can be trusted.
#[repr(C)]
struct Marked {
    mark: u64,
    tablebase: Tablebase,
}

const _: () = assert!(std::mem::offset_of!(SakmakTablebase, 0.mark) == 0);

/// How the files of tables are read.
#[repr(C)]
#[expect(dead_code, reason = "C uses it")]
pub enum SakmakAccess {
    /// Reads each block when a probe needs it. If a file is cut or overwritten in the meantime, its
    /// table gives an error.
    Blocks = 0,
    /// Maps each file into memory, which saves a microsecond a block. If a file is cut while a
    /// block is copied, or the disk fails, SIGBUS ends the process.
    Map = 1,
    /// Reads each file into memory when it is opened.
    Whole = 2,
}

/// How a tablebase uses the machine. No option changes an answer. Each is 0 by default: start from
/// `SakmakOptions options = {0};`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SakmakOptions {
    /// The memory for decoded blocks, in bytes, shared by all threads; 64 MiB by default. The
    /// system provides it as it is used. If it is more than the machine has, sakmak_open returns
    /// SAKMAK_STATUS_NO_MEMORY.
    pub cache_bytes: usize,
    /// The largest number of files that are open or mapped at once; by default there is no limit.
    pub most_open: usize,
    /// How files are read: a SakmakAccess.
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
                        format!("{number} is no access mode: pass one of SakmakAccess"),
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
    // SAFETY: the caller's, and it is not NULL.
    Ok(unsafe { &(*handle).0.tablebase })
}

/// Refuses NULL and most other wrong handles. This only helps to find mistakes. A pointer outside
/// the process's memory still ends the process, and a closed handle may pass once its memory is in
/// use again.
fn check(handle: *const SakmakTablebase) -> Result<(), Failure> {
    if handle.is_null() {
        return Err(Failure::new(
            SakmakStatus::ClosedHandle,
            "the tablebase is NULL: it was closed or never opened, open it with sakmak_open",
        ));
    }
    // SAFETY: a handle, which is aligned. Any other pointer breaks the caller's contract, and is
    // mostly recognised here all the same.
    let is_open =
        handle.is_aligned() && unsafe { (&raw const (*handle).0.mark).read_volatile() } == OPEN;
    match is_open {
        true => Ok(()),
        false => Err(Failure::new(
            SakmakStatus::InvalidHandle,
            "the pointer is not an open tablebase: pass one that sakmak_open gave and that is not closed",
        )),
    }
}

/// Opens the tables of some directories, which are separated as in PATH: by `:`, on Windows by `;`.
/// NULL or an empty text is no directory; more may be added. `options` may be NULL.
///
/// Only the names of the files are read: a table is opened when a position first needs it.
///
/// If some of several directories cannot be read, the tables of the others are opened all the same.
/// Then `handle` is set, and the status is SAKMAK_STATUS_BAD_DIRECTORY, with a message that names
/// the directories that failed. If none can be read, `handle` stays as it was.
///
/// Pointers: `directories` is NULL or a string; `options` is NULL or can be read; `handle` and
/// `error` are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open(
    directories: *const c_char,
    options: *const SakmakOptions,
    handle: *mut *mut SakmakTablebase,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
    unsafe {
        guard(error, || {
            let handle = Place::new(handle, "the place for the tablebase")?;
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

/// Adds the tables of one directory. Writes the number of endings that had no table before to
/// `added`, unless `added` is NULL. If several directories have a table of the same ending, the one
/// added first is used, or a later one if the first is damaged or lacks the rule set of the
/// question.
///
/// No other call may use the handle meanwhile.
///
/// Pointers: `handle` is NULL or open; `directory` is NULL or a string; the others are NULL or can
/// be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_add_directory(
    handle: *mut SakmakTablebase,
    directory: *const c_char,
    added: *mut usize,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
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

/// Closes a tablebase and sets the variable that held it to NULL, so that its next use is an error
/// instead of a crash. Closing NULL does nothing.
///
/// No other call may use the handle meanwhile, nor a copy of it after.
///
/// Pointers: `handle` is NULL, or the address of NULL or of an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_close(
    handle: *mut *mut SakmakTablebase,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
    unsafe {
        guard(error, || {
            let place = Place::new(handle, "the variable of the tablebase")?;
            if (*handle).is_null() {
                return Ok(());
            }
            check(*handle)?;
            let open = *handle;
            place.write(std::ptr::null_mut());
            // So that a later use of a copied handle is mostly recognised.
            (&raw mut (*open).0.mark).write_volatile(0);
            drop(Box::from_raw(open));
            Ok(())
        })
    }
}

/// Tells how many endings have a table, of distances or of verdicts, and the most men in one, kings
/// included. Either place may be NULL.
///
/// Pointers: `handle` is NULL or open; the others are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_tables(
    handle: *const SakmakTablebase,
    tables: *mut usize,
    most_men: *mut usize,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
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

/// Tells how many lookups found their block decoded, and how many did not. Either place may be
/// NULL.
///
/// Pointers: `handle` is NULL or open; the others are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_cache_statistics(
    handle: *const SakmakTablebase,
    hits: *mut u64,
    misses: *mut u64,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
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

/// Answers a question about a position.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read; the others are NULL or can be
/// written to.
pub unsafe fn answer<T: Copy>(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    place: *mut T,
    error: *mut SakmakError,
    question: impl FnOnce(&Tablebase, &Position) -> Result<T, Failure>,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
    unsafe {
        guard(error, || {
            let tablebase = tablebase(handle)?;
            let position = read(position, "the position")?.position()?;
            let place = Place::new(place, "the place for the answer")?;
            place.write(question(tablebase, &position)?);
            Ok(())
        })
    }
}

/// Writes 1 to `has` if there is a table for the position's ending, or if the ending needs none,
/// else 0. This is cheap: it opens nothing and does not check the file.
///
/// Pointers: `handle` is NULL or open; `position` is NULL or can be read; the others are NULL or
/// can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_has_table(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    has: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's.
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

/// Writes 1 to `stored` if the table stores the position with this side to move, else 0. If it
/// does, a probe is cheap. If not, a probe looks up the position after each move, and may read and
/// decode a block for each; a search may want to skip such positions.
///
/// Pointers: `handle` is NULL or open; `position` is NULL or can be read; the others are NULL or
/// can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_is_stored(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    stored: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's.
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
                "{} cannot be read ({error}): check that the directory is there and that you may read it",
                directory.display()
            ),
        )
    })
}
