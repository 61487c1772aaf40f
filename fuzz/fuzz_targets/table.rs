//! Reads any bytes as a table: unchanged, with valid checksums of the header, and with all
//! checksums valid.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../harness.rs"]
mod harness;

fuzz_target!(|bytes: &[u8]| {
    harness::table(bytes);
    let mut sealed = bytes.to_vec();
    harness::reseal(&mut sealed);
    harness::table(&sealed);
    harness::reseal_all(&mut sealed);
    harness::table(&sealed);
});
