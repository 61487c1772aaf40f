//! Hosts that send something other than their manifest says, on purpose or not. No wrong file may
//! get the name of a table.

use std::fs;

use tempfile::TempDir;

use crate::host::{Act, Host, Request};
use crate::tables::{assert_has, copy, names, right, run, tables};

/// The treatment of a request.
type Doing = fn(&Request) -> Act;

/// Asserts that a host that does this with KSMvK.skm is found out, that the other tables arrive,
/// and that the same command fetches the table from an honest host.
#[track_caller]
fn is_found_out(what: &str, act: Doing, says: &[&str]) {
    let host = Host::new(tables(), move |request| match &*request.file {
        "KSMvK.skm" => act(request),
        _ => Act::Serve,
    });
    let directory = TempDir::new().unwrap();
    let run_once = || {
        run(
            directory.path(),
            &host.url,
            &["KSMvK", "--connections", "1"],
        )
    };
    let mut all = vec!["KSMvK.skm", "1 of 3 files"];
    all.extend(says);
    run_once().fails(3, &all);
    let left = names(directory.path());
    let left: Vec<_> = left
        .iter()
        .filter(|name| !name.ends_with(".part"))
        .collect();
    assert_eq!(left, ["KMvK.skm", "KSvK.skm", "manifest.json"], "{what}");

    let honest = Host::of(tables());
    run(directory.path(), &honest.url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &["KMvK.skm", "KSMvK.skm", "KSvK.skm"]);
    assert_eq!(honest.files(), ["manifest.json", "KSMvK.skm"], "{what}");
}

fn damaged() -> Vec<u8> {
    let mut bytes = right("KSMvK.skm");
    bytes[123_456] ^= 0x10;
    bytes
}

#[test]
fn a_corrupted_file_gets_no_name() {
    is_found_out("a bit", |_| Act::Say(200, vec![], damaged()), &["BLAKE3"]);
}

#[test]
fn another_table_of_as_many_bytes_gets_no_name() {
    let zeros: Doing = |_| Act::Say(200, vec![], vec![0; right("KSMvK.skm").len()]);
    is_found_out("zeros", zeros, &["BLAKE3"]);
}

#[test]
fn a_wrong_length_is_refused() {
    for (what, act) in [
        (
            "another table",
            (|_| Act::Say(200, vec![], right("KRRvK.skm"))) as Doing,
        ),
        ("too short", |_| Act::Claim(1000)),
        ("too long", |_| Act::Claim(100_000_000_000)),
    ] {
        is_found_out(what, act, &["bytes", "in the manifest"]);
    }
}

#[test]
fn an_answer_to_another_question_is_refused() {
    let wrong: Doing = |request| match request.before {
        0 => Act::Cut(200_000),
        _ => Act::WrongRange,
    };
    is_found_out("range", wrong, &["wrong byte range"]);
}

#[test]
fn a_web_page_is_no_table() {
    let page: Doing = |_| {
        let kind = vec![("Content-Type", "text/html; charset=utf-8".to_string())];
        Act::Say(200, kind, b"<html>Log in to this network</html>".to_vec())
    };
    is_found_out("html", page, &["a web page"]);
}

#[test]
fn a_compressed_answer_is_refused() {
    let zipped: Doing = |_| {
        let coding = vec![("Content-Encoding", "gzip".to_string())];
        Act::Say(200, coding, right("KSMvK.skm"))
    };
    is_found_out("gzip", zipped, &["compressed"]);
}

#[test]
fn a_listed_file_that_is_not_there_is_named() {
    for (what, status) in [("404", 404), ("403", 403), ("410", 410)] {
        let act = move |request: &Request| match &*request.file {
            "KSMvK.skm" => Act::Say(status, vec![], vec![]),
            _ => Act::Serve,
        };
        let (host, directory) = (Host::new(tables(), act), TempDir::new().unwrap());
        run(directory.path(), &host.url, &["KSMvK"]).fails(3, &["KSMvK.skm", what]);
        assert!(!directory.path().join("KSMvK.skm").exists());
    }
}

#[test]
fn a_manifest_that_lies_brings_nothing() {
    // The entry and the file of KSMvK belong to another table.
    let shared = copy();
    fs::copy(
        shared.path().join("KRRvK.skm"),
        shared.path().join("KSMvK.skm"),
    )
    .unwrap();
    let path = shared.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    manifest["tables"]["KSMvK"] = manifest["tables"]["KRRvK"].clone();
    fs::write(&path, manifest.to_string()).unwrap();
    let (host, directory) = (Host::of(shared.path()), TempDir::new().unwrap());
    let refused = run(directory.path(), &host.url, &["KSMvK"]);
    refused.fails(1, &["1 file", "generate KSMvK"]);
    // The table of another ending is refused with --unpublished too.
    let trusting = run(directory.path(), &host.url, &["KSMvK", "--unpublished"]);
    trusting.fails(3, &["KSMvK.skm", "KRRvK"]);
    assert_has(directory.path(), &["KMvK.skm", "KSvK.skm"]);
}

#[test]
fn a_bad_manifest_is_named_and_nothing_is_written() {
    let page = (
        200,
        vec![("Content-Type", "text/html".to_string())],
        "<html>".to_string(),
    );
    let good = fs::read_to_string(tables().join("manifest.json")).unwrap();
    let later = good.replacen("\"version\":1", "\"version\":9", 1);
    for (code, (status, headers, body), says) in [
        (3, page, "a web page"),
        (3, (200, vec![], "<html>".to_string()), "not a manifest"),
        (3, (200, vec![], String::new()), "not a manifest"),
        (3, (200, vec![], "[]".to_string()), "not a manifest"),
        (
            3,
            (200, vec![], good[..good.len() / 2].to_string()),
            "not a manifest",
        ),
        (
            3,
            (200, vec![], r#"{"version": 9, "tables": 1}"#.to_string()),
            "update sakmak",
        ),
        (3, (200, vec![], later), "update sakmak"),
        (3, (403, vec![], String::new()), "403"),
        (3, (500, vec![], String::new()), "500"),
        (1, (404, vec![], String::new()), "check the address"),
    ] {
        let act = move |_: &Request| Act::Say(status, headers.clone(), body.clone().into_bytes());
        let (host, directory) = (Host::new(tables(), act), TempDir::new().unwrap());
        let there = directory.path().join("new");
        run(&there, &host.url, &["KRvK"]).fails(code, &[&host.url, says]);
        assert!(!there.exists(), "{says}");
    }
}

#[test]
fn a_host_that_is_not_there_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let directory = TempDir::new().unwrap();
    run(directory.path(), &url, &["KRvK"]).fails(3, &[&url, "check the address"]);
}
