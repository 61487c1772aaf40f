//! Endings with bia.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use sakmak_explorer::serve::{Limits, Patience};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::bia_questions::ASKED;
use crate::client::Served;
use crate::command::program_with;
use crate::making::{made_as_published, make_all};

fn made() -> TempDir {
    made_as_published(&["KMvK", "KPvK"])
}

/// A server of an ending with a bia that wins or draws by the count, for all tests.
pub fn served() -> &'static Served {
    static SERVED: OnceLock<(TempDir, Served)> = OnceLock::new();
    let (_, served) = SERVED.get_or_init(|| {
        let directory = made_as_published(&["KSPvK"]);
        let served = Served::new(directory.path(), Limits::default(), Patience::default());
        (directory, served)
    });
    served
}

#[test]
fn a_random_position_has_its_bia_where_the_tables_have_them() {
    let directory = made();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    for seed in 0..40 {
        let path = format!("/v1/random?ending=KPvK&rules=makruk&seed={seed}");
        let found = served.get(&path).json();
        let fen = found["fen"].as_str().unwrap_or_else(|| panic!("{found}"));
        let ranks: Vec<&str> = fen.split(' ').next().unwrap().split('/').collect();
        let bia = ranks.iter().position(|rank| rank.contains('P')).unwrap();
        assert!((3..=5).contains(&bia), "{fen}");
    }
}

#[test]
fn a_site_has_tables_of_one_rule_set() {
    let directory = made();
    let reader = directory.path().join("reader");
    // A module that exports the functions called by the page.
    fs::write(&reader, crate::site::WASM).unwrap();
    let out = directory.path().join("out");
    let mut command = program_with(directory.path());
    command.args(["site", "KPvK", "--out"]).arg(&out);
    let said = command.arg("--reader").arg(&reader).output().unwrap();
    assert!(said.status.success(), "{said:?}");
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).unwrap();
    assert!(read("v1/endings.json").contains("KPvK"));
    assert!(read("v1/endings/KPvK.json").contains("\"rules\":\"makruk\""));
    for rules in ["asean", "ouk"] {
        assert_eq!(read(&format!("v1/puzzles/KPvK.{rules}.json")), "");
    }
}

#[test]
fn bia_that_can_become_mets_suffice_to_mate() {
    let directory = made_as_published(&["KPvKP"]);
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    let helpmate = "8/8/8/4P3/6p1/8/8/5K1k_w";
    for path in ["/v1/probe", "/makruk"] {
        let answer = served.get(&format!("{path}?fen={helpmate}")).json();
        assert_eq!(answer["category"], "draw", "{path}");
        assert_eq!(answer["insufficient_material"], false, "{path}");
    }
    // A lone bia can become only a met, which cannot mate.
    let alone = "8/8/8/4P1K1/6p1/8/8/7k_w";
    let answer = served.get(&format!("/makruk?fen={alone}")).json();
    let moves = answer["moves"].as_array().unwrap();
    let of = |uci: &str| moves.iter().find(|m| m["uci"] == uci).unwrap();
    assert_eq!(of("g5g4")["insufficient_material"], true);
    assert_eq!(of("e5e6m")["insufficient_material"], false);
    let alone = served.get("/v1/probe?fen=8/8/8/4P3/8/8/8/5K1k_w").json();
    assert_eq!(alone["insufficient_material"], true);
}

/// A server of an ending with a bia under every rule set.
fn under_every_rule_set() -> &'static (TempDir, Served) {
    static SERVED: OnceLock<(TempDir, Served)> = OnceLock::new();
    SERVED.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        make_all(&["KRPvK", "KRPvK-asean"], directory.path());
        let served = Served::new(directory.path(), Limits::default(), Patience::default());
        (directory, served)
    })
}

#[test]
fn positions_with_bia_are_answered_under_every_rule_set_as_by_the_program() {
    let (directory, served) = under_every_rule_set();
    for (rules, fen, category) in ASKED {
        let query = format!("fen={}&rules={rules}", fen.replace(' ', "_"));
        let answer = served.get(&format!("/v1/probe?{query}")).json();
        assert_eq!(answer["category"], category, "{query}");
        let mut command = program_with(directory.path());
        command.args(["probe", fen, "--rules", rules, "--json"]);
        let printed = command.output().unwrap().stdout;
        assert_eq!(answer, serde_json::from_slice::<Json>(&printed).unwrap());
        let line = served.get(&format!("/v1/line?{query}")).json();
        let mates = ["win", "loss"].contains(&category);
        assert_eq!(line["end"] == "checkmate", mates, "{query}");
        let moves = served.get(&format!("/v1/moves?{query}")).json();
        let number = |of: &Json| of["moves"].as_array().unwrap().len();
        assert_eq!(number(&moves), number(&answer), "{query}");
        // The data of the page: the same answer, and the value under each rule set of its game.
        let page = served.get(&format!("/v1/explore?{query}")).json();
        assert_eq!(page["answer"], answer, "{query}");
        let sets = page["rule_sets"].as_array().unwrap();
        let own = sets.iter().find(|set| set["rules"] == rules).unwrap();
        assert_eq!(own["category"], category, "{query}");
    }
}

#[test]
fn endings_with_bia_are_listed_and_drawn_by_lot_under_every_rule_set() {
    let (_, served) = under_every_rule_set();
    let endings = served.get("/v1/endings").json();
    let listed = endings["endings"].as_array().unwrap();
    let has = |name: &str| listed.iter().any(|ending| ending["material"] == name);
    assert!(has("KRPvK") && has("KRPvK-asean"), "{endings}");
    for (name, rules) in [("KRPvK", "ouk"), ("KRPvK-asean", "asean")] {
        let figures = served.get(&format!("/v1/endings/{name}")).json();
        let sets = figures["rules"].as_array().unwrap().iter();
        assert!(sets.clone().any(|set| set["rules"] == rules), "{figures}");
        let path = format!("/v1/random?ending={name}&rules={rules}&seed=5");
        let found = served.get(&path).json();
        let fen = found["fen"].as_str().unwrap().replace(' ', "_");
        let path = format!("/v1/probe?fen={fen}&rules={rules}");
        assert_eq!(served.get(&path).status, 200, "{path}");
    }
}

#[test]
fn bad_input_with_bia_has_a_status_under_every_rule_set() {
    let (_, served) = under_every_rule_set();
    let refused = |rules: &str, fen: &str, status: u16, kind: &str| {
        let path = format!("/v1/probe?fen={fen}&rules={rules}");
        served.get(&path).is_error(status, kind);
    };
    for rules in ["makruk", "ouk", "asean"] {
        refused(rules, "8/8/8/3k4/8/3K4/4P3/8_w", 404, "not-in-tables");
    }
    for rules in ["makruk", "ouk"] {
        refused(rules, "8/2P5/8/8/3k4/1R6/8/7K_w", 404, "not-in-tables");
    }
    let counted = "8/8/8/2P5/3k4/1R6/8/7K_w_-_32_12_1";
    for rules in ["makruk", "ouk", "asean"] {
        refused(rules, counted, 400, "input");
    }
}
