//! Positions from standard input.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value as Json;

use crate::command::program_with;
use crate::common::{Run, assert_fails, json, sakmak, tables};
use crate::running::Running;

const FENS: [&str; 3] = [
    "8/8/8/3k4/8/3K4/2SM4/8 w",
    "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78",
    "8/3k4/8/8/8/8/1nK5/2R5 w",
];

/// The program with this input.
fn given(input: &[u8], args: &[&str]) -> Run {
    let output = sakmak(tables())
        .args(args)
        .write_stdin(input)
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn documents(run: &Run) -> Vec<Json> {
    run.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn each_line_is_answered_as_it_would_be_alone() {
    let run = given(FENS.join("\n").as_bytes(), &["probe", "--json", "-"]);
    assert_eq!((run.code, &*run.err), (0, ""));
    let alone = FENS.map(|fen| json(tables(), ["probe", "--json", fen]));
    assert_eq!(documents(&run), alone);
}

#[test]
fn the_texts_follow_each_other() {
    let run = given(FENS.join("\n").as_bytes(), &["probe", "-"]);
    assert_eq!(run.code, 0);
    let alone = FENS.map(|fen| crate::common::run(tables(), ["probe", fen]).out + "\n");
    assert_eq!(run.out, alone.concat());
}

#[test]
fn what_has_no_answer_is_told_in_its_place_and_the_others_go_on() {
    let input = format!(
        "{}\n\n  \nno FEN\n8/8/8/3k4/8/3K4/2RNN3/8 w\r\n{}\n{}\n\u{e9}\"\\\n",
        FENS[0],
        "9".repeat(5000),
        FENS[1]
    );
    let run = given(input.as_bytes(), &["probe", "--json", "-"]);
    let documents = documents(&run);
    let kinds: Vec<_> = documents
        .iter()
        .map(|d| d["error"]["kind"].as_str())
        .collect();
    let (input, missing) = (Some("input"), Some("missing-table"));
    assert_eq!(kinds, [None, input, missing, input, None, input]);
    assert_eq!(documents[1]["fen"], "no FEN");
    assert_eq!(documents[5]["fen"], "\u{e9}\"\\");
    let message = documents[2]["error"]["message"].as_str().unwrap();
    assert!(message.contains("sakmak generate KRNNvK"), "{message}");
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("4 of 6 positions have no answer"),
        "{}",
        run.err
    );
}

#[test]
fn input_that_is_no_text_is_refused_line_by_line() {
    let run = given(
        b"\xff\xfe\n\x00\n8/8/8/3k4/8/3K4/8/8 w",
        &["probe", "--json", "-"],
    );
    let documents = documents(&run);
    assert_eq!(documents.len(), 3);
    assert_eq!(documents[2]["category"], "draw");
    assert_eq!(run.code, 2);
    let run = given(b"", &["probe", "--json", "-"]);
    assert_eq!((run.code, &*run.out, &*run.err), (0, "", ""));
}

#[test]
fn a_count_beside_several_positions_is_refused() {
    assert_fails(tables(), &["probe", "-", "--count", "9"], 2, &["its FEN"]);
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut command = program_with(tables());
    command.args(["probe", "--json", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut run = Running::start(&mut command);
    let mut questions = run.stdin.take().unwrap();
    let mut answers = BufReader::new(run.stdout.take().unwrap());
    for fen in FENS {
        writeln!(questions, "{fen}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        let answer: Json = serde_json::from_str(&answer).unwrap();
        assert!(answer["fen"].as_str().unwrap().starts_with(fen));
    }
    drop(questions);
    assert!(run.end().success());
}
