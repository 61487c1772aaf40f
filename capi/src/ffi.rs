//! The border to C. Pointers, strings and numbers are checked before they are used, and no panic
//! reaches C.

use std::ffi::{CStr, OsStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tablebase::rules::RuleSet;

use super::status::{Failure, SakmakError, SakmakStatus};

/// Runs the body of a function called from C. A panic, which would be a fault of the library,
/// becomes an error here.
///
/// # Safety
///
/// `error` is NULL or can be written to.
pub unsafe fn guard(
    error: *mut SakmakError,
    body: impl FnOnce() -> Result<(), Failure>,
) -> SakmakStatus {
    // A panic leaves the tablebase usable: it keeps nothing half made.
    let done = catch_unwind(AssertUnwindSafe(body));
    let failure = match done {
        Ok(Ok(())) => return SakmakStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::new(
            SakmakStatus::Internal,
            "internal error in sakmak: please report it",
        ),
    };
    // SAFETY: the caller's.
    if let Some(error) = unsafe { error.as_mut() } {
        failure.write(error);
    }
    failure.status
}

fn null(what: &str) -> Failure {
    Failure::new(
        SakmakStatus::NullPointer,
        format!("{what} is NULL: pass the address of one"),
    )
}

/// The value behind a pointer.
///
/// # Safety
///
/// The pointer is NULL, or can be read as a `T` that nobody writes to until the call ends.
pub unsafe fn read<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(what))
}

/// A place to write an answer to. What it held before is not read.
pub struct Place<T>(*mut T);

impl<T: Copy> Place<T> {
    /// The place behind a pointer.
    pub fn new(pointer: *mut T, what: &str) -> Result<Place<T>, Failure> {
        match pointer.is_null() {
            true => Err(null(what)),
            false => Ok(Place(pointer)),
        }
    }

    /// Writes the answer to its place.
    ///
    /// # Safety
    ///
    /// A `T` can be written to the place.
    pub unsafe fn write(self, value: T) {
        // SAFETY: the caller's.
        unsafe { self.0.write(value) };
    }
}

/// A string.
///
/// # Safety
///
/// The pointer is NULL, or can be read up to a zero byte, and nobody writes there until the call
/// ends.
pub unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| {
        Failure::new(
            SakmakStatus::NotUtf8,
            format!("{what} is not UTF-8: write it in UTF-8"),
        )
    })
}

/// A list of numbers.
///
/// # Safety
///
/// `len` numbers can be read from the pointer on, and nobody writes to them until the call ends.
pub unsafe fn list<'a>(first: *const u8, len: usize, what: &str) -> Result<&'a [u8], Failure> {
    match first.is_null() {
        true => Err(null(what)),
        // SAFETY: the caller's.
        false => Ok(unsafe { std::slice::from_raw_parts(first, len) }),
    }
}

/// The path that a string gives. On Unix it can be any bytes.
///
/// # Safety
///
/// The pointer can be read up to a zero byte, and nobody writes there until the call ends.
pub unsafe fn path<'a>(path: *const c_char) -> Result<&'a OsStr, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        // SAFETY: the caller's.
        let path = unsafe { CStr::from_ptr(path) };
        Ok(OsStr::from_bytes(path.to_bytes()))
    }
    #[cfg(not(unix))]
    {
        // SAFETY: the caller's.
        unsafe { text(path, "the path") }.map(OsStr::new)
    }
}

/// The rule set of a number.
pub fn rule_set(number: i32) -> Result<RuleSet, Failure> {
    let rules = u8::try_from(number).ok().and_then(RuleSet::from_id);
    rules.ok_or_else(|| {
        Failure::new(
            SakmakStatus::BadRules,
            format!("{number} is no rule set: pass one of SakmakRules"),
        )
    })
}
