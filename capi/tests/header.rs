//! The header that is committed is the one that the code makes.

use std::path::Path;

#[test]
fn the_header_is_fresh() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let header = cbindgen::Builder::new()
        .with_crate(here)
        .with_config(config)
        .generate()
        .unwrap();
    let mut made = Vec::new();
    header.write(&mut made);
    let path = here.join("include/sakmak.h");
    // To renew it: SAKMAK_WRITE_HEADER=1 cargo test --release -p sakmak-capi --test header
    if std::env::var_os("SAKMAK_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        made == committed,
        "sakmak.h is stale: renew it with SAKMAK_WRITE_HEADER=1, see capi/tests/header.rs"
    );
}
