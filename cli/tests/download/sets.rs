//! Downloads of sets with their subendings, of both kinds of tables, from files or the web.

use std::fs;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::command::program_with;
use crate::host::{Act, Host};
use crate::tables::{assert_has, copy, manifest, names, of, run, tables};

const KSM: [&str; 3] = ["KMvK.skm", "KSMvK.skm", "KSvK.skm"];

#[test]
fn a_set_comes_whole_and_only_once() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    let args = ["bare-4", "KRvKN", "--verdicts", "--json"];
    let first = run(directory.path(), &host.url, &args);
    first.succeeds();
    let document: Json = serde_json::from_str(&first.out).unwrap();
    assert_eq!(document["files"].as_array().unwrap().len(), 30);
    for file in document["files"].as_array().unwrap() {
        assert_eq!(file["state"], "downloaded");
        assert_eq!(file["published"], true);
    }
    assert_eq!(names(directory.path()), names(tables()));
    assert_eq!(manifest(directory.path()), manifest(tables()));
    let listed = of({
        let mut list = program_with(directory.path());
        list.args(["verify", "--checksums-only"]);
        list
    });
    listed.succeeds();

    let asked = host.files().len();
    let again = run(directory.path(), &host.url, &args);
    again.succeeds();
    let document: Json = serde_json::from_str(&again.out).unwrap();
    assert_eq!(document["files"].as_array().unwrap().len(), 0);
    assert_eq!(document["present"].as_array().unwrap().len(), 30);
    assert_eq!(host.files()[asked..], ["manifest.json"]);
}

#[test]
fn an_ending_brings_those_that_it_can_become() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    let ksm = run(directory.path(), &host.url, &["ksmvk"]);
    ksm.succeeds();
    assert!(
        ksm.out.contains("3 files") && ksm.out.contains("downloaded"),
        "{}",
        ksm.out
    );
    assert_has(directory.path(), &KSM);
    let only = run(directory.path(), &host.url, &["KRRvK", "--only", "--quiet"]);
    only.succeeds();
    assert_eq!(only.err, "");
    assert_has(
        directory.path(),
        &["KMvK.skm", "KRRvK.skm", "KSMvK.skm", "KSvK.skm"],
    );
}

#[test]
fn verdicts_come_along_or_alone() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSvK", "--verdicts"]).succeeds();
    assert_has(directory.path(), &["KSvK.skm", "KSvK.skv"]);
    run(directory.path(), &host.url, &["KMvK", "--verdicts-only"]).succeeds();
    assert_has(directory.path(), &["KMvK.skv", "KSvK.skm", "KSvK.skv"]);
}

#[test]
fn a_directory_is_a_host() {
    let directory = TempDir::new().unwrap();
    let url = format!("file://{}", tables().display());
    run(directory.path(), &url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &KSM);
    let nowhere = run(directory.path(), "file:///nowhere/at/all", &["KSMvK"]);
    nowhere.fails(1, &["/nowhere/at/all", "check the address"]);
}

#[test]
fn a_plan_fetches_the_manifest_alone() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    let there = directory.path().join("new");
    let plan = run(&there, &host.url, &["KSMvK", "--plan"]);
    plan.succeeds();
    assert!(
        plan.out.contains("KSMvK.skm") && plan.out.contains("to download"),
        "{}",
        plan.out
    );
    assert_eq!(host.files(), ["manifest.json"]);
    assert!(!there.exists());
}

#[test]
fn tables_in_other_directories_are_not_fetched() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    let other = TempDir::new().unwrap();
    run(other.path(), &host.url, &["KSvK"]).succeeds();
    let both = std::env::join_paths([directory.path(), other.path()]).unwrap();
    run(both.as_ref(), &host.url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &["KMvK.skm", "KSMvK.skm"]);
}

#[test]
fn a_damaged_table_is_replaced_and_another_file_is_not() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    let path = directory.path().join("KSMvK.skm");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let again = run(directory.path(), &host.url, &["KSMvK"]);
    again.succeeds();
    assert!(again.err.contains("KSMvK.skm"), "{}", again.err);
    assert_has(directory.path(), &KSM);
    assert_eq!(host.requests("KSvK.skm").len(), 1, "it was kept");

    let letter = "a letter to somebody\n".repeat(100);
    fs::write(&path, &letter).unwrap();
    run(directory.path(), &host.url, &["KSMvK"]).fails(3, &["KSMvK.skm"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), letter);
}

#[test]
fn a_table_made_elsewhere_is_kept_and_noted() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    for name in KSM {
        fs::copy(tables().join(name), directory.path().join(name)).unwrap();
    }
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_eq!(host.files(), ["manifest.json"]);
    assert_has(directory.path(), &KSM);
}

#[test]
fn missing_and_unpublished_tables_are_named_and_the_others_come() {
    let shared = copy();
    fs::remove_file(shared.path().join("KSvK.skm")).unwrap();
    fs::remove_file(shared.path().join("manifest.json")).unwrap();
    // No table of two rule sets is published.
    let made = of({
        let mut generate = program_with(shared.path());
        generate.args(["generate", "--force", "KRvKN", "--rules", "ouk", "--quiet"]);
        generate
    });
    made.succeeds();
    of({
        let mut gather = program_with(shared.path());
        gather.arg("manifest");
        gather
    })
    .succeeds();
    let (host, directory) = (Host::of(shared.path()), TempDir::new().unwrap());
    let some = run(directory.path(), &host.url, &["KSMvK", "KRvKN"]);
    some.fails(1, &["2 files", &host.url, "sakmak generate KSvK KRvKN"]);
    assert!(
        some.out.contains("KSvK.skm") && some.out.contains("--unpublished"),
        "{}",
        some.out
    );
    assert_has(
        directory.path(),
        &["KMvK.skm", "KNvK.skm", "KRvK.skm", "KSMvK.skm"],
    );

    let rest = run(directory.path(), &host.url, &["KRvKN", "--unpublished"]);
    rest.succeeds();
    let got = fs::read(directory.path().join("KRvKN.skm")).unwrap();
    assert!(got == fs::read(shared.path().join("KRvKN.skm")).unwrap());
    // The published table has one rule set more.
    let full = Host::of(tables());
    run(directory.path(), &full.url, &["KRvKN"]).succeeds();
    let got = fs::read(directory.path().join("KRvKN.skm")).unwrap();
    assert!(got == crate::tables::right("KRvKN.skm"));
    // It is not replaced by one with fewer.
    run(directory.path(), &host.url, &["KRvKN", "--unpublished"]).succeeds();
    assert!(got == fs::read(directory.path().join("KRvKN.skm")).unwrap());
}

#[test]
fn bad_words_are_refused_before_anything_is_asked() {
    let (host, directory) = (Host::new(tables(), |_| Act::Serve), TempDir::new().unwrap());
    let there = directory.path().join("new");
    run(&there, &host.url, &["KXvK"]).fails(2, &["KXvK"]);
    for (url, says) in [
        ("tables", "https://"),
        ("ftp://a.example/", "ftp"),
        ("http://", "host"),
        ("http://a.example/?x=1", "must not contain"),
    ] {
        let refused = run(&there, url, &["KRvK"]);
        assert_eq!(refused.code, 2, "{url}: {}", refused.err);
        assert!(refused.err.contains(says), "{url}: {}", refused.err);
    }
    assert!(host.files().is_empty() && !there.exists());
}
