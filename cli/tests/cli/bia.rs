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
fn tables_of_asean_chess_are_made_beside_those_of_makruk() {
    let directory = TempDir::new().unwrap();
    let tables = directory.path();
    let made = run(
        tables,
        ["generate", "KPvK", "--rules", "asean", "--verdicts"],
    );
    assert_eq!(made.code, 0, "{}", made.err);
    let has = |name: &str| tables.join(name).exists();
    for name in ["KPvK-asean.skm", "KPvK-asean.skv", "KRvK.skm", "KMvK.skm"] {
        assert!(has(name), "{name}");
    }
    assert!(!has("KPvK.skm"));
    let both = run(tables, ["generate", "KPvK", "--rules", "makruk,asean"]);
    assert!(both.out.contains("1 table made"), "{}", both.out);
    assert!(has("KPvK.skm"));
    let again = run(tables, ["generate", "KPvK-asean"]);
    assert!(again.out.contains("0 tables made"), "{}", again.out);
    let verified = run(tables, ["verify", "KPvK-asean", "KPvK"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let stats = |args: &[&str]| common::json(tables, [&["stats", "--json"], args].concat());
    let asean = stats(&["KPvK", "--rules", "asean"]);
    assert_eq!(asean["material"], "KPvK-asean");
    assert_eq!(asean["white_to_move"]["legal"], 136_100);
    let rules = asean["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 1);
    assert_eq!(rules[0]["rules"], "asean");
    assert_eq!(rules[0]["white_to_move"]["win"], 106_786);
    assert_eq!(rules[0]["black_to_move"]["loss"], 85_724);
    assert_eq!(asean["rules"], stats(&["KPvK-asean"])["rules"]);
    let makruk = stats(&["KPvK", "--rules", "makruk"]);
    assert_eq!(makruk["rules"][0]["rules"], "makruk");
    let keys = |of: &Json| -> Vec<String> { of.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&asean), keys(&makruk));
    let probe = common::json(
        tables,
        [
            "probe",
            "8/P7/8/8/8/8/2K5/k7 w",
            "--rules",
            "asean",
            "--json",
        ],
    );
    assert_eq!(
        (&probe["category"], &probe["dtm"]),
        (&json!("win"), &json!(1))
    );
    assert_eq!(probe["moves"][0]["uci"], "a7a8r");
    let line = run(
        tables,
        ["line", "8/8/8/P7/8/2K5/8/k7 w", "--rules", "asean"],
    );
    assert_eq!(line.code, 0, "{}", line.err);
    assert!(line.out.contains("Black is checkmated"), "{}", line.out);
    let found = run(tables, ["find", "KPvK", "--rules", "asean", "--limit", "3"]);
    assert_eq!(found.code, 0, "{}", found.err);
}

#[test]
fn what_asean_chess_has_no_table_for_is_refused_in_words() {
    let directory = TempDir::new().unwrap();
    for (args, says) in [
        (vec!["KRRRPvK", "--rules", "asean"], "have at most 5"),
        (vec!["KRRRPvK-asean"], "have at most 5"),
        (
            vec!["KRPvK-asean", "--rules", "makruk"],
            "results for asean only",
        ),
        (
            vec!["KPvK", "--only", "--rules", "makruk,asean"],
            "--rules makruk,ouk and --rules asean",
        ),
        (vec!["KPvK-ouk"], "letter"),
    ] {
        let args = [vec!["generate"], args].concat();
        assert_fails(directory.path(), &args, 2, &[says]);
    }
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
