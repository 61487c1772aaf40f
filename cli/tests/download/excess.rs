//! Hosts that list or send more than a table or a manifest can need.

use std::fs;
use std::sync::atomic::Ordering;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::host::{Act, Host, Request};
use crate::tables::{assert_has, copy, names, right, run, tables};

/// The bytes that the system and a client may buffer before a host notices that nobody reads.
const BUFFERED: u64 = 32 << 20;

/// A directory whose manifest lists a table with this many bytes, and perhaps with another hash.
fn listing(kind: &str, bytes: u64, blake3: Option<&str>) -> TempDir {
    let shared = copy();
    let path = shared.path().join("manifest.json");
    let mut manifest: Json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let entry = &mut manifest[kind]["KRvK"];
    entry["bytes"] = bytes.into();
    if let Some(blake3) = blake3 {
        entry["blake3"] = blake3.into();
    }
    fs::write(&path, manifest.to_string()).unwrap();
    shared
}

#[test]
fn a_size_that_is_not_the_published_one_is_refused_before_a_table_is_fetched() {
    let bytes = |file| right(file).len() as u64;
    let (distances, verdicts) = (bytes("KRvK.skm"), bytes("KRvK.skv"));
    assert_eq!(distances, 6623);
    for (kind, wrong, args, says) in [
        (
            "tables",
            400_000_000,
            &["KRvK"][..],
            "the published table has 6,623",
        ),
        (
            "tables",
            distances - 1,
            &["KRvK"],
            "the published table has 6,623",
        ),
        (
            "tables",
            u64::MAX,
            &["KRvK", "--plan"],
            "the published table has 6,623",
        ),
        (
            "tables",
            400_000_000,
            &["KRvK", "--unpublished"],
            "the published table has 6,623",
        ),
        (
            "verdict_tables",
            verdicts + 1,
            &["KRvK", "--verdicts-only"],
            "the published table has",
        ),
    ] {
        let shared = listing(kind, wrong, None);
        let (host, directory) = (Host::of(shared.path()), TempDir::new().unwrap());
        run(directory.path(), &host.url, args)
            .fails(3, &[&host.url, "KRvK.sk", says, "another host"]);
        assert_eq!(host.files(), ["manifest.json"], "{kind} {wrong}");
        assert_eq!(names(directory.path()), [""; 0]);
    }
}

#[test]
fn an_unpublished_table_may_not_be_larger_than_any_of_its_ending() {
    let hash = "00".repeat(32);
    let shared = listing("tables", 400_000_000, Some(&hash));
    let (host, directory) = (Host::of(shared.path()), TempDir::new().unwrap());
    let args = ["KRvK", "--unpublished"];
    run(directory.path(), &host.url, &args).fails(3, &["KRvK.skm", "400,000,000", "at most"]);
    assert_eq!(host.files(), ["manifest.json"]);
}

#[test]
fn a_manifest_longer_than_any_is_not_read() {
    const LENGTH: &str = "Content-Length";
    let json = ("Content-Type", "application/json".to_string());
    for (headers, sent) in [
        // One byte more than sixteen mebibytes.
        (vec![(LENGTH, ((16 << 20) + 1).to_string())], BUFFERED),
        (
            vec![(LENGTH, "217000000".to_string()), json.clone()],
            BUFFERED,
        ),
        // The host does not tell the length.
        (vec![json], (16 << 20) + BUFFERED),
    ] {
        for name in ["manifest.json", "v1/manifest.json"] {
            let headers = headers.clone();
            let host = Host::new(tables(), move |request| match &*request.file {
                file if file == name => Act::Endless(200, headers.clone()),
                _ => Act::Say(404, vec![], vec![]),
            });
            let directory = TempDir::new().unwrap();
            let refused = run(directory.path(), &host.url, &["KRvK"]);
            refused.fails(3, &[name, "more than 16777216 bytes"]);
            assert!(host.endless.load(Ordering::Relaxed) <= sent);
            assert_eq!(names(directory.path()), [""; 0]);
        }
    }
}

#[test]
fn a_signature_without_end_is_not_read() {
    let key = "RWRM1b0SgRJeLU2X5G9SN0P2UZH4/lK4AKrxYvGE5vubgahw5M5EZOyM";
    let host = Host::new(tables(), |request| match &*request.file {
        "manifest.json.minisig" => Act::Endless(200, vec![]),
        _ => Act::Serve,
    });
    let directory = TempDir::new().unwrap();
    let refused = run(directory.path(), &host.url, &["KRvK", "--key", key]);
    refused.fails(3, &["manifest.json.minisig", "more than 65536 bytes"]);
    assert!(host.endless.load(Ordering::Relaxed) <= BUFFERED);
}

#[test]
fn the_body_of_a_redirect_or_of_an_error_is_not_read() {
    let real = Host::of(tables());
    let url = real.url.clone();
    let host = Host::new(tables(), move |request: &Request| {
        Act::Endless(302, vec![("Location", format!("{url}/{}", request.file))])
    });
    let directory = TempDir::new().unwrap();
    run(directory.path(), &host.url, &["KRvK"]).succeeds();
    assert_has(directory.path(), &["KRvK.skm"]);
    assert!(host.endless.load(Ordering::Relaxed) <= 2 * BUFFERED);

    let host = Host::new(tables(), |_| Act::Endless(403, vec![]));
    let directory = TempDir::new().unwrap();
    run(directory.path(), &host.url, &["KRvK"]).fails(3, &["403"]);
    assert!(host.endless.load(Ordering::Relaxed) <= BUFFERED);
}

#[test]
fn a_table_with_more_bytes_than_announced_is_cut() {
    let length = right("KSMvK.skm").len();
    // With the right length, or with none, the bytes after the table are not taken.
    for headers in [vec![], vec![("Content-Length", length.to_string())]] {
        let host = Host::new(tables(), move |request| match &*request.file {
            "KSMvK.skm" => Act::Endless(200, headers.clone()),
            _ => Act::Serve,
        });
        let directory = TempDir::new().unwrap();
        run(directory.path(), &host.url, &["KSMvK", "--only"]).succeeds();
        assert_has(directory.path(), &["KSMvK.skm"]);
        assert!(host.endless.load(Ordering::Relaxed) <= BUFFERED);
    }
    // A longer file is refused before its bytes.
    let host = Host::new(tables(), move |request| match &*request.file {
        "KSMvK.skm" => Act::Endless(200, vec![("Content-Length", (length + 1).to_string())]),
        _ => Act::Serve,
    });
    let directory = TempDir::new().unwrap();
    let refused = run(directory.path(), &host.url, &["KSMvK", "--only"]);
    refused.fails(3, &["KSMvK.skm", "in the manifest"]);
    assert_eq!(names(directory.path()), ["KSMvK.skm.part"]);
    let part = fs::metadata(directory.path().join("KSMvK.skm.part")).unwrap();
    assert_eq!(part.len(), 0);
}
