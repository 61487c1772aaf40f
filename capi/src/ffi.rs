//! The boundary to C. Pointers, strings and numbers are checked before they are used, and no panic
//! reaches C.

use std::ffi::{CStr, OsStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tablebase::rules::RuleSet;

use super::status::{Failure, SakmakError, SakmakStatus};

/// Runs the body of a function that C calls, and returns its status. A panic of the body, which
/// would be a bug in the library, becomes an error.
///
/// # Safety
///
/// `error` is NULL or can be written to.
pub unsafe fn guard(
    error: *mut SakmakError,
    body: impl FnOnce() -> Result<(), Failure>,
) -> SakmakStatus {
    // A panic leaves the tablebase usable, since no value in it is left half written.
    let done = catch_unwind(AssertUnwindSafe(body));
    let failure = match done {
        Ok(Ok(())) => return SakmakStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::new(
            SakmakStatus::Internal,
            "internal error in sakmak: please report it",
        ),
    };
    // SAFETY: the caller keeps the contract of the pointers.
    if let Some(error) = unsafe { error.as_mut() } {
        failure.write(error);
    }
    failure.status
}

fn null(what: &str) -> Failure {
    Failure::new(
        SakmakStatus::NullPointer,
        format!("{what} is NULL: pass a valid pointer"),
    )
}

/// Returns the value at a pointer.
///
/// # Safety
///
/// The pointer is NULL, or can be read as a `T` that nobody writes to until the call ends.
pub unsafe fn read<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller keeps the contract of the pointers.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(what))
}

/// The address to which a C function writes its result. The value already there is never read.
pub struct Output<T>(*mut T);

impl<T: Copy> Output<T> {
    /// Checks that a pointer is not NULL.
    pub fn new(pointer: *mut T, what: &str) -> Result<Output<T>, Failure> {
        match pointer.is_null() {
            true => Err(null(what)),
            false => Ok(Output(pointer)),
        }
    }

    /// Writes the result to the address.
    ///
    /// # Safety
    ///
    /// A `T` can be written to the address.
    pub unsafe fn write(self, value: T) {
        // SAFETY: the caller keeps the contract of the pointers.
        unsafe { self.0.write(value) };
    }
}

/// Returns the string at a pointer.
///
/// # Safety
///
/// The pointer is NULL, or can be read up to a zero byte, and nobody writes there until the call
/// ends.
pub unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller keeps the contract of the pointers.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| {
        Failure::new(
            SakmakStatus::NotUtf8,
            format!("{what} is not UTF-8: write it in UTF-8"),
        )
    })
}

/// Returns the list at a pointer.
///
/// # Safety
///
/// The pointer is NULL, or `len` elements can be read from it, and nobody writes to them until the
/// call ends.
pub unsafe fn slice<'a, T>(first: *const T, len: usize, what: &str) -> Result<&'a [T], Failure> {
    match first.is_null() {
        true => Err(null(what)),
        // SAFETY: the caller keeps the contract of the pointers.
        false => Ok(unsafe { std::slice::from_raw_parts(first, len) }),
    }
}

/// Returns the path at a pointer. On Unix it need not be UTF-8.
///
/// # Safety
///
/// The pointer can be read up to a zero byte, and nobody writes there until the call ends.
pub unsafe fn path<'a>(path: *const c_char) -> Result<&'a OsStr, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        // SAFETY: the caller keeps the contract of the pointers.
        let path = unsafe { CStr::from_ptr(path) };
        Ok(OsStr::from_bytes(path.to_bytes()))
    }
    #[cfg(not(unix))]
    {
        // SAFETY: the caller keeps the contract of the pointers.
        unsafe { text(path, "the path") }.map(OsStr::new)
    }
}

/// Converts a value of SakmakRules to a rule set.
pub fn rule_set(number: i32) -> Result<RuleSet, Failure> {
    let rules = u8::try_from(number).ok().and_then(RuleSet::from_id);
    rules.ok_or_else(|| {
        Failure::new(
            SakmakStatus::BadRules,
            format!("{number} is not a rule set: pass a value of SakmakRules"),
        )
    })
}
