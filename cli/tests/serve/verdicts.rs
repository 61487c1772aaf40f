//! A server of verdict tables only.

use std::collections::BTreeMap;

use sakmak::rules::{Category, RuleSet};
use sakmak::table::TableKind;
use sakmak_explorer::serve::{Limits, Patience};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::client::{Served, tablebase, tables};
use crate::making::made_verdicts;

/// A directory with the verdict tables of K+R v K+N and its subendings.
pub fn verdicts() -> TempDir {
    made_verdicts("KRvKN")
}

#[test]
fn verdict_tables_are_listed_sent_and_answer_without_distances() {
    let directory = verdicts();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    let manifest = served.get("/v1/manifest.json").json();
    assert_eq!(manifest["tables"].as_object().unwrap().len(), 0);
    let listed = manifest["verdict_tables"].as_object().unwrap();
    assert_eq!(listed.len(), 3);
    for (name, entry) in listed {
        let file = std::fs::read(directory.path().join(format!("{name}.skv"))).unwrap();
        assert_eq!(entry["file"], format!("{name}.skv"));
        assert_eq!(entry["bytes"], file.len());
        assert_eq!(served.get(&format!("/tables/{name}.skv")).body, file);
    }
    served
        .get("/tables/KRvKN.skm")
        .is_error(404, "missing-table");
    // Categories as a server with distances gives them, but no distances.
    let full = Served::shared();
    for fen in [
        "8/8/8/8/8/2k5/8/K6R_w",
        "7k/8/6K1/8/8/8/8/R7_w",
        "8/8/8/4k3/8/2n5/8/K6R_w",
        "8/8/8/8/8/1k6/2n5/K6R_w",
        "8/8/8/3k4/8/3K4/8/8_w",
    ] {
        for rules in ["makruk", "ouk"] {
            let path = format!("/{rules}?fen={fen}");
            let (ours, theirs) = (served.get(&path).json(), full.get(&path).json());
            for field in [
                "category",
                "insufficient_material",
                "checkmate",
                "stalemate",
            ] {
                assert_eq!(ours[field], theirs[field], "{path}: {ours}");
            }
            assert_eq!(ours["count"], theirs["count"], "{path}");
            assert!(ours["dtm"].is_null() && ours["dth"].is_null());
            let moves = ours["moves"].as_array().unwrap();
            assert_eq!(moves.len(), theirs["moves"].as_array().unwrap().len());
            for found in moves {
                let same = |other: &&serde_json::Value| other["uci"] == found["uci"];
                let other = theirs["moves"].as_array().unwrap().iter().find(same);
                assert_eq!(
                    found["category"],
                    other.unwrap()["category"],
                    "{path} {found}"
                );
            }
        }
    }
    // While a count runs it may be open whether a win is in time.
    let open = served
        .get("/makruk?fen=7k/8/6K1/8/8/8/8/R7_b_-_32_20_1")
        .json();
    assert_eq!(open["category"], "maybe-loss", "{open}");
    // What needs distances names the table that is missing.
    let line = served.get("/v1/line?fen=8/8/8/8/8/2k5/8/K6R_w");
    line.is_error(404, "missing-table");
    let unknown = served.get("/v1/probe?fen=8/8/8/8/8/2k5/8/KS5R_w");
    unknown.is_error(404, "missing-table");
    // Of both kinds, each is listed.
    assert!(
        tablebase(tables())
            .inventory()
            .materials_of(TableKind::Verdicts)
            .is_empty()
    );
    assert!(full.get("/v1/manifest.json").json()["verdict_tables"].is_null());
}

/// The documents of the page about a position, from verdict tables alone and from distances.
struct Both {
    path: String,
    ours: Json,
    theirs: Json,
}

impl Both {
    fn get(served: &Served, path: String) -> Both {
        let [ours, theirs] = [served, Served::shared()].map(|from| from.get(&path).json());
        Both { path, ours, theirs }
    }

    /// One part of both documents.
    fn part(&self, part: &str) -> Both {
        let [ours, theirs] = [&self.ours, &self.theirs].map(|document| document[part].clone());
        let path = format!("{part} of {}", self.path);
        Both { path, ours, theirs }
    }

    #[track_caller]
    fn agree(&self, fields: &[&str]) {
        for field in fields {
            let (ours, theirs) = (&self.ours[field], &self.theirs[field]);
            assert_eq!(ours, theirs, "{field} of {}", self.path);
        }
    }
}

fn category(value: &Json) -> Option<Category> {
    serde_json::from_value(value.clone()).unwrap()
}

/// The bounds of a category without distances contain the category with them.
#[track_caller]
fn within(ours: &Json, theirs: &Json) {
    let least = category(&ours["category"]).unwrap();
    let most = category(&ours["at_most"]).unwrap_or(least);
    let right = category(&theirs["category"]).unwrap();
    assert!(least <= right && right <= most, "{ours} {theirs}");
}

fn list(value: &Json) -> &Vec<Json> {
    value.as_array().unwrap()
}

/// Positions with and without a count.
const FENS: [&str; 12] = [
    "8/8/8/8/8/2k5/8/K6R_w",
    "8/8/8/8/8/2k5/8/K6R_b",
    "7k/8/6K1/8/8/8/8/R7_w",
    "8/8/8/4k3/8/2n5/8/K6R_w",
    "8/8/8/8/8/1k6/2n5/K6R_w",
    "8/8/8/8/8/1k6/2n5/K1R5_w",
    "8/8/8/8/8/1k6/2n5/K1R5_b_-_128_6_9",
    "R6k/8/6K1/8/8/8/8/8_b",
    "7k/5K2/8/8/8/8/7n/R7_b_-_-_0_7",
    "7k/8/6K1/8/8/8/8/R7_b_-_32_20_1",
    "7k/8/6K1/8/8/8/8/R7_w_-_32_7_1",
    "8/8/8/4k3/8/8/8/K6R_w_-_32_29_1",
];

#[test]
fn the_documents_of_the_page_have_categories_where_distances_are_missing() {
    let directory = verdicts();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    let mut undecided = 0;
    for (fen, rules) in FENS
        .iter()
        .flat_map(|fen| RuleSet::ALL.map(|set| (fen, set)))
    {
        let explored = Both::get(&served, format!("/v1/explore?fen={fen}&rules={rules}"));
        if explored.theirs["error"].is_object() {
            // Nothing is counted there.
            explored.agree(&["error"]);
            continue;
        }
        explored.agree(&["ending", "check", "winner"]);
        let answers = explored.part("answer");
        let probed = served.get(&format!("/v1/probe?fen={fen}&rules={rules}"));
        assert_eq!(probed.json(), answers.ours);
        answers.agree(&[
            "fen",
            "rules",
            "side_to_move",
            "unit",
            "checkmate",
            "stalemate",
            "insufficient_material",
            "count",
        ]);
        within(&answers.ours, &answers.theirs);
        undecided += usize::from(answers.ours["at_most"].is_string());
        let table = &explored.ours["ending"]["material"];
        assert_eq!(&answers.ours["missing_distances"], table);
        assert!(answers.theirs["missing_distances"].is_null());
        assert!(answers.ours["dtm"].is_null() && answers.ours["dth"].is_null());

        // Each move leads to the same position with the same count; the best one is best.
        let moves = |document: &Json| -> BTreeMap<String, [Json; 2]> {
            let answers = list(&document["answer"]["moves"]).iter();
            let pairs = answers.zip(list(&document["moves"]));
            let uci = |answer: &Json| answer["uci"].as_str().unwrap().to_string();
            pairs
                .map(|(answer, details)| (uci(answer), [answer.clone(), details.clone()]))
                .collect()
        };
        let (ours, theirs) = (moves(&explored.ours), moves(&explored.theirs));
        assert_eq!(ours.len(), theirs.len());
        for (uci, [answer, details]) in &ours {
            let [known, known_details] = &theirs[uci];
            within(answer, known);
            let both = |ours: &Json, theirs: &Json| Both {
                path: format!("{uci} of {}", explored.path),
                ours: ours.clone(),
                theirs: theirs.clone(),
            };
            both(answer, known).agree(&["san", "for", "capture", "checkmate"]);
            let same = [
                "fen",
                "check",
                "stalemate",
                "winner",
                "counted",
                "available",
            ];
            both(details, known_details).agree(&same);
        }
        if let Some(best) = list(&answers.ours["moves"]).first() {
            let [known, _] = &theirs[best["uci"].as_str().unwrap()];
            let decided = best["at_most"].is_null();
            assert!(!decided || known["category"] == answers.theirs["category"]);
        }

        // For each number the same, or undecided.
        let numbers = explored.part("numbers");
        if !numbers.theirs.is_null() {
            numbers.agree(&["limit", "from", "to", "plies", "available", "fresh"]);
            let at = |runs: &Json, number: &Json| {
                let holds = |run: &&Json| {
                    let [from, to, at] = [&run["from"], &run["to"], number].map(Json::as_u64);
                    from <= at && at <= to
                };
                category(&list(runs).iter().find(holds).unwrap()["category"])
            };
            let [from, to] = ["from", "to"].map(|end| numbers.ours[end].as_u64().unwrap());
            for number in from..=to {
                let number = Json::from(number);
                let ours = at(&numbers.ours["runs"], &number);
                let theirs = at(&numbers.theirs["runs"], &number);
                assert!(
                    ours.is_none() || ours == theirs,
                    "{number} of {}",
                    explored.path
                );
            }
        }
        for (ours, theirs) in list(&explored.ours["rule_sets"])
            .iter()
            .zip(list(&explored.theirs["rule_sets"]))
        {
            assert_eq!(ours["rules"], theirs["rules"]);
            within(ours, theirs);
            assert_eq!(ours["count"], theirs["count"], "{}", explored.path);
        }
    }
    assert!(undecided > 3, "{undecided}");
}

#[test]
fn the_description_has_the_fields_of_an_answer_without_distances() {
    let directory = verdicts();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    let answer = served
        .get("/v1/probe?fen=7k/8/6K1/8/8/8/8/R7_b_-_32_20_1")
        .json();
    assert_eq!(answer["category"], "loss", "{answer}");
    assert_eq!(answer["at_most"], "blessed-loss", "{answer}");
    let document = served.get("/openapi.json").json();
    for (schema, part) in [("Answer", &answer), ("Move", &answer["moves"][0])] {
        let described = &document["components"]["schemas"][schema]["properties"];
        for field in part.as_object().unwrap().keys() {
            assert!(described[field].is_object(), "{field} of {schema}");
        }
    }
}
