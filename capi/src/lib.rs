//! The C library behind `sakmak.h`.
//!
//! Each function checks its arguments and calls the Rust library. All `unsafe` code is at this
//! boundary: only [`ffi`] and [`handle`] dereference pointers.

#![deny(clippy::missing_safety_doc)]

mod count;
mod ffi;
mod game;
mod handle;
mod line;
mod many;
mod moves;
mod position;
mod status;
#[cfg(test)]
mod tests;
mod value;

use std::ffi::c_char;

/// The library's version, such as "0.1.0". The string is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_version() -> *const c_char {
    const VERSION: &std::ffi::CStr = match std::ffi::CStr::from_bytes_with_nul(
        concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
    ) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}
