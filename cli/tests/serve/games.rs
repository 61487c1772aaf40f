//! Games, and positions by their properties, over HTTP.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assert_cmd::Command;
use sakmak_explorer::serve::{Limits, Patience};
use sakmak_explorer::{PuzzleSearch, RefusalKind, Search, parameters};
use serde_json::Value as Json;

use crate::client::{Reply, Served, tables};
use crate::command::program_with;

/// Three games; the second is of another variant, and the third stops at an illegal move.
const GAMES: &str = "\
[White \"A\"]
[Variant \"Makruk\"]
[FEN \"8/8/8/3k4/8/3K4/3R4/8 w - - 0 1\"]

1. Ra2 Kc5 2. Ra1 Kd5 3. Ra4 Ke5 4. Re4+ Kd5 5. Re5+ Kxe5 1/2-1/2

[Variant \"Sittuyin\"]

1. e4 *

[Variant \"ASEAN\"]
[FEN \"8/8/8/3k4/8/3K4/3R4/8 w - - 0 1\"]

1. Ra2 Kc5 2. Rz9 *
";

/// The output of the program.
fn printed(args: &[&str], input: &str) -> String {
    let output = Command::from_std(program_with(tables()))
        .args(args)
        .write_stdin(input)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn annotated(query: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let path = format!("/v1/annotate{query}");
    Served::shared().ask("POST", &path, headers, body)
}

fn documents(reply: &Reply) -> Vec<Json> {
    let lines = reply.text().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn games_are_annotated_as_the_program_does() {
    for (query, args) in [
        ("", &[][..]),
        ("?line=3", &["--line", "3"]),
        ("?count_from=first", &["--count-from", "first"]),
    ] {
        let reply = annotated(query, &[], GAMES.as_bytes());
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(
            reply.header("content-type"),
            "application/x-chess-pgn; charset=utf-8"
        );
        let refusal = "% game 2 (line 7): unsupported Variant \"Sittuyin\"";
        let (before, after) = reply.text().split_once(refusal).unwrap();
        let (_, after) = after.split_once("\n\n").unwrap();
        let program = printed(&[&["annotate", "-"], args].concat(), GAMES);
        assert_eq!(format!("{before}{after}"), program, "{query}");
        assert!(before.contains("3. Ra4??"), "{before}");
        assert!(after.contains("[%sakmak stop]"), "{after}");
    }
}

#[test]
fn documents_are_asked_for_by_header_or_format() {
    let program = printed(&["annotate", "--json", "-"], GAMES);
    for (query, accept) in [
        ("?format=json", "*/*"),
        ("", "application/json"),
        ("", "text/html, application/x-ndjson;q=0.9"),
        ("?format=json", "application/x-chess-pgn"),
    ] {
        let reply = annotated(query, &[("Accept", accept)], GAMES.as_bytes());
        assert_eq!(reply.header("content-type"), "application/x-ndjson");
        assert_eq!(reply.text(), program, "{query} {accept}");
    }
    let games = documents(&annotated("?format=json", &[], GAMES.as_bytes()));
    assert_eq!(games[0]["mistakes"], serde_json::json!([5]));
    assert_eq!(games[1]["line"], 7);
    assert_eq!(games[1]["error"]["kind"], "input");
    assert_eq!(games[2]["error"]["ply"], 3);
    let pgn = annotated(
        "?format=pgn",
        &[("Accept", "application/json")],
        GAMES.as_bytes(),
    );
    assert!(pgn.text().starts_with("[White \"A\"]"));
}

#[test]
fn texts_that_are_no_games_are_400() {
    let utf_16: Vec<u8> = "\u{feff}1. e4 *"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for body in [
        &b""[..],
        b"\n\n",
        b"[Variant \"Sittuyin\"]\n\n1. e4 *\n",
        b"[FEN \"nonsense\"]\n\n1. e4 *\n",
        &utf_16,
    ] {
        annotated("", &[], body).is_error(400, "input");
        annotated("?format=json", &[], body).is_error(400, "input");
    }
    for query in [
        "?rules=go",
        "?count_from=soon",
        "?count_from=0",
        "?line=-1",
        "?format=xml",
    ] {
        annotated(query, &[], GAMES.as_bytes()).is_error(400, "input");
    }
}

#[test]
fn games_that_are_too_many_are_413() {
    let game = "1. e4 *\n\n";
    annotated("", &[], game.repeat(1001).as_bytes()).is_error(413, "too-large");
    assert_eq!(annotated("", &[], game.repeat(1000).as_bytes()).status, 200);
    let moves = format!("1. {}*\n", "e4 ".repeat(20_001));
    annotated("", &[], moves.as_bytes()).is_error(413, "too-large");
    let bytes = vec![b'x'; (1 << 20) + 1];
    annotated("", &[], &bytes).is_error(413, "too-large");
}

#[test]
fn a_body_that_does_not_come_is_408() {
    let limits = Limits {
        body_time: Duration::from_millis(100),
        ..Limits::default()
    };
    let served = Served::new(tables(), limits, Patience::default());
    for path in ["/v1/annotate", "/v1/probe"] {
        let mut stream = served.connect();
        let head = "Host: test\r\nConnection: close\r\nContent-Length: 100";
        write!(stream, "POST {path} HTTP/1.1\r\n{head}\r\n\r\n1. e4").unwrap();
        Reply::read(&mut stream).is_error(408, "timeout");
    }
}

#[test]
fn games_and_searches_are_refused_like_other_questions() {
    let served = Served::shared();
    let reply = served.get("/v1/annotate");
    reply.is_error(405, "method");
    assert!(reply.header("allow").contains("POST"));
    served
        .ask("POST", "/v1/find?ending=KRvK", &[], b"")
        .is_error(405, "method");
    let long = "x".repeat(3000);
    annotated(&format!("?rules={long}"), &[], GAMES.as_bytes()).is_error(414, "uri-too-long");
    served
        .get(&format!("/v1/find?ending={long}"))
        .is_error(414, "uri-too-long");
    let limits = Limits {
        rate: Some(1),
        ..Limits::default()
    };
    let limited = Served::new(tables(), limits, Patience::default());
    for _ in 0..11 {
        limited.ask("POST", "/v1/annotate", &[], GAMES.as_bytes());
    }
    let refused = limited.ask("POST", "/v1/annotate", &[], GAMES.as_bytes());
    refused.is_error(429, "too-many-requests");
    limited
        .get("/v1/find?ending=KRvK")
        .is_error(429, "too-many-requests");
}

#[test]
fn positions_are_found_as_the_program_finds_them() {
    let served = Served::shared();
    for (query, args) in [
        ("ending=KSMvK", "KSMvK"),
        (
            "ending=KSMvK&margin=0&only_move",
            "KSMvK --margin 0 --only-move",
        ),
        (
            "ending=KRvKN&capture=throws-win&limit=3",
            "KRvKN --capture throws-win --limit 3",
        ),
        (
            "ending=KSMvK&turn=b&dtm=20..30&men=k@d-e4-5&men=K@a-h1-4&seed=8",
            "KSMvK --turn b --dtm 20..30 --men k@d-e4-5 --men K@a-h1-4 --seed 8",
        ),
        (
            "ending=KRvKN&rules=asean&verdict=draw&zugzwang=false&turn=any",
            "KRvKN --rules asean --verdict draw --turn any",
        ),
        (
            "ending=KRvK&first_move=check&verdict=win&only_move=true",
            "KRvK --first-move check --verdict win --only-move",
        ),
    ] {
        let reply = served.get(&format!("/v1/find?{query}"));
        assert_eq!(reply.status, 200, "{query}: {reply:?}");
        assert_eq!(reply.header("content-type"), "application/x-ndjson");
        let args: Vec<&str> = args.split(' ').collect();
        let program = printed(&[&["find", "--format", "json"], &args[..]].concat(), "");
        assert_eq!(reply.text(), program, "{query}");
    }
}

#[test]
fn searches_that_find_nothing_are_404() {
    let served = Served::shared();
    served
        .get("/v1/find?ending=KRRvK")
        .is_error(404, "missing-table");
    served
        .get("/v1/find?ending=KRvK&verdict=loss")
        .is_error(404, "not-found");
}

#[test]
fn searches_that_make_no_sense_are_400() {
    let served = Served::shared();
    for query in [
        "",
        "ending=",
        "ending=KQvK",
        "ending=KRvK&rules=go",
        "ending=KRvK&turn=x",
        "ending=KRvK&verdict=won",
        "ending=KRvK&dtm=5..x",
        "ending=KRvK&dtm=5..4",
        "ending=KRvK&margin=much",
        "ending=KRvK&only_move=perhaps",
        "ending=KRvK&zugzwang=2",
        "ending=KRvK&capture=all",
        "ending=KRvK&first_move=loud",
        "ending=KRvK&men=K",
        "ending=KRvK&limit=0",
        "ending=KRvK&limit=101",
        "ending=KRvK&seed=x",
        "ending=KRvK&verdict=draw&margin=0",
        "ending=KRvK&capture=saves-king",
        "ending=KRvK&verdict=win&zugzwang",
        "ending=KRvK&turn=b&margin=0&only_move",
        "ending=KRvK&men=K@a1&men=R@a1",
    ] {
        served
            .get(&format!("/v1/find?{query}"))
            .is_error(400, "input");
    }
}

/// The puzzles of the page equal those of the command line.
#[test]
fn puzzles_are_those_of_the_program() {
    let served = Served::shared();
    for (ending, rules, turn) in [
        ("KSMvK", "makruk", "any"),
        ("KRvKN", "ouk", "w"),
        ("KSMvK", "asean", "b"),
    ] {
        let path = format!("/v1/puzzles?ending={ending}&rules={rules}&turn={turn}&limit=6&seed=9");
        let mut here: Vec<String> = served
            .get(&path)
            .text()
            .lines()
            .map(str::to_string)
            .collect();
        let mut command = program_with(tables());
        command.args([
            "find",
            ending,
            "--rules",
            rules,
            "--turn",
            turn,
            "--puzzles",
            "6",
        ]);
        let out = command
            .args(["--seed", "9", "--format", "json"])
            .output()
            .unwrap();
        assert!(out.status.success(), "{out:?}");
        let mut there: Vec<String> = String::from_utf8(out.stdout)
            .unwrap()
            .lines()
            .map(str::to_string)
            .collect();
        here.sort();
        there.sort();
        assert_eq!(here, there, "{path}");
        assert_eq!(here.len(), 6);
    }
    for query in [
        "",
        "ending=x",
        "ending=KRvK&turn=x",
        "ending=KRvK&limit=0",
        "ending=KRvK&cells=many",
        "ending=KRvK&rules=chess",
    ] {
        served
            .get(&format!("/v1/puzzles?{query}"))
            .is_error(400, "input");
    }
    served
        .get("/v1/puzzles?ending=KNvK")
        .is_error(404, "not-found");
    served
        .get("/v1/puzzles?ending=KRRvK")
        .is_error(404, "missing-table");
}

/// A search without time has not shown that nothing can be found. With a limit on cells, an answer
/// is the whole answer.
#[test]
fn searches_that_run_out_of_time_are_busy() {
    let mut tablebase = sakmak::Tablebase::new();
    tablebase.add_directory(tables()).unwrap();
    let find = Search::parse(parameters("ending=KSMvK")).unwrap();
    let refused = find.answer(&tablebase, || false).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::Busy);
    let puzzles = |query| PuzzleSearch::parse(parameters(query)).unwrap();
    let some = puzzles("ending=KSMvK&limit=100");
    let refused = some.answer(&tablebase, || false).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::Busy);
    let calls = AtomicUsize::new(0);
    let for_a_while = || calls.fetch_add(1, Ordering::Relaxed) < 3_000;
    let found = some.answer(&tablebase, for_a_while).unwrap();
    assert!((1..100).contains(&found.lines().count()));
    calls.store(0, Ordering::Relaxed);
    let whole = puzzles("ending=KSMvK&limit=100&cells=4194304");
    let refused = whole.answer(&tablebase, for_a_while).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::Busy);
    let first = puzzles("ending=KSMvK&limit=1&cells=4194304");
    let first = first.answer(&tablebase, || true).unwrap();
    assert_eq!(first.lines().count(), 1);
    // The whole search of an ending without puzzles.
    let none = puzzles("ending=KNvK&cells=4194304");
    let refused = none.answer(&tablebase, || true).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::NotFound);
}

#[test]
fn the_description_has_their_fields() {
    let served = Served::shared();
    let document = served.get("/openapi.json").json();
    let fields = |schema: &str| -> Vec<String> {
        let properties = &document["components"]["schemas"][schema]["properties"];
        properties.as_object().unwrap().keys().cloned().collect()
    };
    let keys =
        |value: &Json| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let game = &documents(&annotated("?format=json", &[], GAMES.as_bytes()))[0];
    assert_eq!(fields("Game"), keys(game));
    let found = &documents(&served.get("/v1/find?ending=KRvK"))[0];
    assert_eq!(fields("Found"), keys(found));
    for (path, method) in [("/v1/annotate", "post"), ("/v1/find", "get")] {
        assert!(document["paths"][path][method].is_object(), "{path}");
    }
}

#[test]
fn games_in_thai_letters_are_annotated() {
    let text = "[FEN \"8/8/8/3k4/8/3K4/3R4/8 w - - 0 1\"]\n\n1. รก2 ข-ค๕ 2. ร ก๒-ก๑ 0.5-0.5\n";
    let game = &documents(&annotated("?format=json", &[], text.as_bytes()))[0];
    assert_eq!(game["error"], Json::Null);
    assert_eq!(game["result"], "1/2-1/2");
    let sans: Vec<&Json> = (1..=3)
        .map(|ply| &game["positions"][ply]["move"]["san"])
        .collect();
    assert_eq!(sans, ["Ra2", "Kc5", "Ra1"]);
}

#[test]
fn a_file_that_is_no_game_is_refused_and_chess_is_asked_about() {
    let picture = annotated("", &[], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    picture.is_error(400, "input");
    assert!(
        picture.text().contains("the file is not a game"),
        "{picture:?}"
    );
    let chess = annotated("?format=json", &[], b"1. e4 e5 2. Nf3 Nc6 *");
    let message = documents(&chess)[0]["error"]["message"].to_string();
    assert!(message.contains("is this chess?"), "{message}");
}
