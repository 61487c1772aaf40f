//! Endings with bia, from their names to their tables.

use std::fs;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::common::{self, assert_fails, run};

#[test]
fn a_table_with_bia_is_made_with_all_that_it_can_become() {
    let directory = TempDir::new().unwrap();
    let tables = directory.path();
    let first = run(tables, ["generate", "kpvk", "--verdicts"]);
    assert_eq!(first.code, 0, "{}", first.err);
    let made = |name: &str| tables.join(name).exists();
    for name in ["KMvK.skm", "KPvK.skm", "KMvK.skv", "KPvK.skv"] {
        assert!(made(name), "{name}");
    }
    assert!(first.out.contains("2 tables made"), "{}", first.out);
    let bytes = fs::read(tables.join("KPvK.skm")).unwrap();
    // Generated again by a single job, the table has the same bytes, and no work files are left.
    fs::remove_file(tables.join("KPvK.skm")).unwrap();
    let again = run(tables, ["generate", "--only", "KPvK", "--threads", "1"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(fs::read(tables.join("KPvK.skm")).unwrap(), bytes);
    assert!(!made("KPvK.job"));
    let second = run(tables, ["generate", "KPvK", "--verdicts"]);
    assert!(
        second.out.contains("0 tables made, 2 found"),
        "{}",
        second.out
    );
    let listed = run(tables, ["list"]);
    assert!(listed.out.contains("KPvK "), "{}", listed.out);
}

#[test]
fn a_plan_has_endings_with_bia_and_what_they_become() {
    let directory = TempDir::new().unwrap();
    let plan = |set: &str| common::json(directory.path(), ["generate", set, "--plan", "--json"]);
    let names = |set: &str| -> Vec<String> {
        let plan = plan(set);
        let endings = plan["endings"].as_array().unwrap().iter();
        endings
            .map(|e| e["material"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(names("KSPvK"), ["KSvK", "KMvK", "KPvK", "KSMvK", "KSPvK"]);
    // With the pawnless endings that promotions lead to.
    let of_set = |set: &str| {
        let names = names(set);
        let with_bia = names.iter().filter(|name| name.contains('P')).count();
        [with_bia, names.len() - with_bia]
    };
    assert_eq!(of_set("bia-4"), [11, 12]);
    assert_eq!(of_set("every-5"), [61, 84]);
    let plan = plan("KRPvKN");
    let ending = plan["endings"].as_array().unwrap().last().unwrap();
    assert_eq!(ending["material"], "KRPvKN");
    assert_eq!(ending["slices"], 12);
    let needs = json!(["KRPvK", "KRMvK", "KRvKN", "KNvKP", "KRMvKN"]);
    let needed = |name: &Json| ending["needs"].as_array().unwrap().contains(name);
    assert_eq!(ending["needs"].as_array().unwrap().len(), 5);
    assert!(
        needs.as_array().unwrap().iter().all(needed),
        "{}",
        ending["needs"]
    );
    for number in ["cells", "memory_bytes", "table_bytes"] {
        assert!(ending[number].as_u64().unwrap() > 1 << 20, "{number}");
    }
    assert!(ending["cpu_seconds"].as_f64().unwrap() > 1.0);
}

#[test]
fn more_bia_than_a_table_has_are_refused_with_their_number() {
    let directory = TempDir::new().unwrap();
    for (name, says) in [
        ("KPPPPPPPPPvK", "11 men"),
        ("KRRRRRRRRvK", "10 men"),
        ("KPPPPvKPPPP", "10 men"),
        ("KBvK", "letter B"),
        ("bia-9", "neither an ending nor a set"),
        ("bia-2", "neither an ending nor a set"),
        ("every-", "neither an ending nor a set"),
    ] {
        assert_fails(directory.path(), &["generate", name, "--plan"], 2, &[says]);
    }
}
