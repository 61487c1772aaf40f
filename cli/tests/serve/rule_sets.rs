//! A server of tables with makruk's results only.

use sakmak::directory::{Manifest, ManifestEntry};
use sakmak::material::parse_set;
use sakmak::rules::RuleSets;
use sakmak::table::file_name;
use sakmak_explorer::serve::{Limits, Patience};
use tempfile::TempDir;

use crate::client::Served;
use crate::making::make_under;

/// A directory with makruk-only tables of K+R v K+N and its subendings.
fn makruk() -> TempDir {
    let directory = TempDir::new().unwrap();
    make_under(RuleSets::MAKRUK, "KRvKN", directory.path());
    for material in parse_set("KRvKN").unwrap() {
        let path = directory.path().join(file_name(material));
        let entry = ManifestEntry::of_file(&path, material).unwrap();
        Manifest::update(directory.path(), material, entry).unwrap();
    }
    directory
}

#[test]
fn a_rule_set_that_the_tables_lack_is_a_missing_table_and_said() {
    let directory = makruk();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    let fen = "7k/8/8/3n4/8/8/8/R3K3_w";
    let words = |rules: &str| format!("results for makruk only, not for {rules}");
    assert!(served.get(&format!("/makruk?fen={fen}")).json()["category"].is_string());
    for rules in ["asean", "ouk"] {
        for path in [
            format!("/{rules}?fen={fen}"),
            format!("/{rules}/mainline?fen={fen}"),
            format!("/v1/probe?fen={fen}&rules={rules}"),
            format!("/v1/line?fen={fen}&rules={rules}"),
            format!("/v1/explore?fen={fen}&rules={rules}"),
        ] {
            let answer = served.get(&path);
            answer.is_error(404, "missing-table");
            let message = answer.json()["error"]["message"].to_string();
            assert!(message.contains(&words(rules)), "{path}: {message}");
        }
        // Against a bare king the tables are complete.
        let bare = served.get(&format!("/{rules}?fen=8/8/8/8/8/2k5/8/K6R_w"));
        assert!(bare.json()["category"].is_string());
    }
    // Beside makruk's answer the page has a card for each rule set.
    let page = served.get(&format!("/v1/explore?fen={fen}")).json();
    let cards = page["rule_sets"].as_array().unwrap();
    assert_eq!(cards.len(), 3);
    for card in cards {
        let rules = card["rules"].as_str().unwrap();
        match rules {
            "makruk" => assert!(card["category"].is_string()),
            _ => assert!(card["error"].as_str().unwrap().contains(&words(rules))),
        }
    }
    let figures = served.get("/v1/endings/KRvKN").json();
    let missing = serde_json::json!(["asean", "ouk"]);
    assert_eq!(figures["missing_rules"], missing);
    assert_eq!(figures["rules"].as_array().unwrap().len(), 1);
    let manifest = served.get("/v1/manifest.json").json();
    let has = serde_json::json!(["makruk"]);
    assert_eq!(manifest["tables"]["KRvKN"]["rule_sets"], has);
    assert_eq!(manifest["tables"]["KRvK"].get("rule_sets"), None);
}
