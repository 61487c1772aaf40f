//! One list of FENs through every interface: each reads or refuses them alike.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use sakmak::game::GameState;
use sakmak::game::pgn::Games;
use sakmak::rules::{ReadError, RuleSet};
use sakmak_play::annotate::{AnnotateOptions, annotate};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::client::{Served, tablebase, tables};

/// A FEN and what is expected for it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    rules: RuleSet,
    fen: String,
    /// The FEN written again; none if it is malformed.
    reads: Option<String>,
    /// Part of the note on its count.
    note: Option<String>,
    /// Part of the reason why the tables cannot have it.
    not_in_tables: Option<String>,
    /// Part of the reason why it is malformed.
    refused: Option<String>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../../tests/data/fens.json")).unwrap()
}

impl Case {
    /// The kind of error, and a part of its message, if the tables have no answer.
    fn reason(&self) -> Option<(&str, &str)> {
        let reason = self.refused.as_ref().map(|says| ("input", says.as_str()));
        reason.or(self
            .not_in_tables
            .as_ref()
            .map(|says| ("not-in-tables", says.as_str())))
    }

    /// Asserts that a document with `fen` and `count`, or `error`, agrees.
    #[track_caller]
    fn is(&self, document: &Json) {
        match self.reason() {
            Some((kind, says)) => {
                assert_eq!(document["error"]["kind"], kind, "{}: {document}", self.fen);
                let message = document["error"]["message"].as_str().unwrap();
                assert!(message.contains(says), "{}: {message}", self.fen);
            }
            None => {
                assert_eq!(
                    document["fen"].as_str(),
                    self.reads.as_deref(),
                    "{document}"
                );
                let note = document["count"]["note"].as_str();
                match &self.note {
                    None => assert_eq!(note, None, "{}", self.fen),
                    Some(says) => assert!(note.unwrap().contains(says), "{}: {note:?}", self.fen),
                }
            }
        }
    }
}

fn program(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sakmak"))
        .args(arguments)
        .arg("--tables")
        .arg(tables())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_library_reads_them() {
    for case in cases() {
        match case.rules.read_fen(&case.fen) {
            Ok(fen) => {
                let text = fen.display(case.rules.lettering()).to_string();
                assert_eq!(Some(text), case.reads);
                assert!(case.reason().is_none(), "{}", case.fen);
            }
            Err(error) => {
                let (_, says) = case.reason().expect(&case.fen);
                assert!(error.to_string().contains(says), "{}: {error}", case.fen);
                let is_fen = matches!(error, ReadError::NotInTables(_));
                assert_eq!(is_fen, case.reads.is_some(), "{}", case.fen);
            }
        }
    }
}

#[test]
fn probe_reads_them() {
    for rules in RuleSet::ALL {
        let cases = cases().into_iter().filter(|case| case.rules == rules);
        let cases: Vec<Case> = cases.collect();
        let fens: Vec<&str> = cases.iter().map(|case| case.fen.as_str()).collect();
        let arguments = ["probe", "--json", "--rules", rules.name(), "-"];
        let output = program(&arguments, &fens.join("\n"));
        let text = String::from_utf8(output.stdout).unwrap();
        let documents: Vec<Json> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(documents.len(), cases.len(), "{text}");
        for (case, document) in cases.iter().zip(&documents) {
            case.is(document);
        }
    }
}

#[test]
fn line_reads_them() {
    for case in cases() {
        let arguments = ["line", "--json", "--rules", case.rules.name(), &case.fen];
        let output = program(&arguments, "");
        let text = String::from_utf8(output.stdout).unwrap();
        match case.reason() {
            None => {
                let document: Json = serde_json::from_str(&text).unwrap();
                assert_eq!(document["fen"].as_str(), case.reads.as_deref(), "{text}");
            }
            Some((kind, says)) => {
                let error = String::from_utf8(output.stderr).unwrap();
                let code = if kind == "input" { 2 } else { 1 };
                assert_eq!(output.status.code(), Some(code), "{}: {error}", case.fen);
                assert!(error.contains(says), "{}: {error}", case.fen);
            }
        }
    }
}

#[test]
fn the_server_reads_them() {
    let served = Served::shared();
    for case in cases() {
        let fen: String = case
            .fen
            .bytes()
            .map(|byte| format!("%{byte:02x}"))
            .collect();
        let reply = served.get(&format!("/v1/probe?rules={}&fen={fen}", case.rules));
        case.is(&reply.json());
        let status = match case.reason() {
            None => 200,
            Some(("not-in-tables", _)) => 404,
            Some(_) => 400,
        };
        assert_eq!(reply.status, status, "{}", case.fen);
        // The requests of other programs too.
        for path in ["", "/mainline"] {
            let path = format!("/{}{path}?fen={fen}", case.rules);
            assert_eq!(served.get(&path).status, status, "{path}");
        }
        let line = json!({ "fen": case.fen, "rules": case.rules }).to_string();
        let reply = served.ask("POST", "/v1/probe", &[], line.as_bytes());
        case.is(&reply.json());
    }
}

#[test]
fn the_engine_reads_them() {
    for case in cases() {
        let variant = match case.rules {
            RuleSet::Ouk => "cambodian",
            rules => rules.name(),
        };
        let input = format!(
            "setoption name UCI_Variant value {variant}\nposition fen {}\nd\nquit\n",
            case.fen
        );
        let output = program(&["uci"], &input);
        let text = String::from_utf8(output.stdout).unwrap();
        match (&case.reads, &case.refused) {
            (Some(reads), _) => {
                let written = text.lines().find_map(|line| line.strip_prefix("Fen: "));
                assert_eq!(written, Some(reads.as_str()), "{}: {text}", case.fen);
            }
            (_, Some(says)) => assert!(text.contains(says), "{}: {text}", case.fen),
            _ => panic!("{} is neither read nor refused", case.fen),
        }
    }
}

#[test]
fn the_fen_of_a_game_is_read_so() {
    let tablebase = tablebase(tables());
    for case in cases() {
        let text = format!("[FEN \"{}\"]\n\n*\n", case.fen);
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        let options = AnnotateOptions {
            rules: case.rules,
            ..AnnotateOptions::default()
        };
        match annotate(&tablebase, game, &options) {
            Ok(annotation) => {
                // The annotation begins a count where one may begin; the FEN as read has none.
                let state = GameState::from_fen(&case.fen, case.rules).unwrap();
                assert_eq!(Some(state.to_string()), case.reads, "{}", case.fen);
                assert_eq!(annotation.moments[0].state.board, state.board);
            }
            Err(error) => {
                let says = case.refused.as_deref().expect(&case.fen);
                assert!(error.to_string().contains(says), "{}: {error}", case.fen);
            }
        }
    }
}
