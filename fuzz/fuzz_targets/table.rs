//! Anything as a table, as it is, with its header's checksums made right, and with all of them.

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
