//! Endings with bia, which have tables for makruk only.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use sakmak_explorer::serve::{Limits, Patience};
use tempfile::TempDir;

use crate::client::Served;
use crate::command::program_with;
use crate::making::made_as_published;

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
