//! The C library: `sakmak.h` for whoever calls it, and here what is behind it.
//!
//! A function checks what C gives and asks the Rust library. All `unsafe` is at that border: pointers
//! are looked at in [`ffi`] and [`handle`] alone.

mod ffi;
mod handle;
mod moves;
mod position;
mod status;
#[cfg(test)]
mod tests;
mod value;

use std::ffi::c_char;

/// The library's version, such as "0.1.0". It is never freed.
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
