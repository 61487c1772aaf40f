//! Anything as a table, as it is and with its header's checksums made right.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../harness.rs"]
mod harness;

fuzz_target!(|bytes: &[u8]| {
    harness::table(bytes);
    let mut sealed = bytes.to_vec();
    harness::reseal(&mut sealed);
    harness::table(&sealed);
});
