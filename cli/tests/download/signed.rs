//! Manifests signed with minisign. The one in `tests/data/signed` has the published hash of KRvK
//! and a wrong one of KRvKN; nobody has its secret key.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::host::Host;
use crate::tables::{assert_has, names, right, run};

const KEY: &str = "RWRM1b0SgRJeLU2X5G9SN0P2UZH4/lK4AKrxYvGE5vubgahw5M5EZOyM";
/// Another key, from minisign's own page.
const OTHER: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

/// A directory with the signed manifest and the tables that it lists.
fn shared() -> TempDir {
    let directory = TempDir::new().unwrap();
    let signed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/signed");
    for name in ["manifest.json", "manifest.json.minisig"] {
        fs::copy(signed.join(name), directory.path().join(name)).unwrap();
    }
    for name in ["KRvK.skm", "KRvKN.skm"] {
        fs::write(directory.path().join(name), right(name)).unwrap();
    }
    directory
}

#[test]
fn a_signed_manifest_is_trusted() {
    let shared = shared();
    let (host, directory) = (Host::of(shared.path()), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KRvK", "--key", KEY]).succeeds();
    assert_has(directory.path(), &["KRvK.skm"]);
    // Without the key an unpublished hash is not accepted, so nothing is fetched.
    let args = ["KRvKN", "--only", "--key", KEY];
    run(directory.path(), &host.url, &args[..2]).fails(1, &["1 file"]);
    assert!(host.requests("KRvKN.skm").is_empty());
    run(directory.path(), &host.url, &args).fails(3, &["KRvKN.skm", "BLAKE3"]);
    assert_has(directory.path(), &["KRvK.skm"]);
}

#[test]
fn a_signature_that_does_not_fit_is_refused() {
    let changed = shared();
    let path = changed.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text + " ").unwrap();
    let missing = shared();
    fs::remove_file(missing.path().join("manifest.json.minisig")).unwrap();
    let garbage = shared();
    fs::write(garbage.path().join("manifest.json.minisig"), "<html>").unwrap();
    for (shared, key, says) in [
        (&changed, KEY, "is rejected"),
        (&shared(), OTHER, "is rejected"),
        (&missing, KEY, "not signed"),
        (&garbage, KEY, "is rejected"),
    ] {
        let (host, directory) = (Host::of(shared.path()), TempDir::new().unwrap());
        let refused = run(directory.path(), &host.url, &["KRvK", "--key", key]);
        refused.fails(3, &["manifest.json.minisig", says, "--key"]);
        assert_eq!(names(directory.path()), [""; 0]);
    }
}

#[test]
fn what_is_no_key_is_wrong_usage() {
    let directory = TempDir::new().unwrap();
    let refused = run(
        directory.path(),
        "http://127.0.0.1:1",
        &["KRvK", "--key", "abc"],
    );
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("minisign"), "{}", refused.err);
}
