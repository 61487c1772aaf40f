//! Positions by their properties, and puzzles.

use serde_json::Value as Json;

use crate::common::{assert_fails, bia_tables, json, run, tables};

fn lines(args: &[&str]) -> Vec<String> {
    let run = run(tables(), args.iter().copied());
    assert_eq!((run.code, &*run.err), (0, ""), "{args:?}");
    run.out.lines().map(str::to_string).collect()
}

#[test]
fn what_is_found_is_what_probe_answers() {
    let args = [
        "find",
        "KSMvK",
        "KRvK",
        "--margin",
        "0",
        "--only-move",
        "--limit",
        "6",
    ];
    let found = lines(&args);
    assert_eq!(found.len(), 6);
    assert_eq!(lines(&args), found);
    for fen in &found {
        let answer = json(tables(), ["probe", "--json", fen]);
        assert_eq!(answer["category"], "win");
        assert_eq!(answer["dtm"], answer["count"]["moves_available"], "{fen}");
        let wins = answer["moves"].as_array().unwrap().iter();
        assert_eq!(wins.filter(|m| m["category"] == "win").count(), 1, "{fen}");
    }
    // Two endings in turn.
    let khons = found.iter().filter(|fen| fen.contains('S')).count();
    assert_eq!(khons, 3);
    assert_ne!(lines(&[&args[..], &["--seed", "2"]].concat()), found);
}

#[test]
fn a_written_count_is_the_one_that_begins_now() {
    for rules in ["makruk", "asean", "ouk"] {
        let find = |more: &[&str]| {
            let turn = ["--turn", "any", "--limit", "12", "--rules", rules];
            lines(&[&["find", "KSMvK", "KRvKN"], &turn[..], more].concat())
        };
        let counted = find(&["--count"]);
        for (fen, counted) in find(&[]).iter().zip(&counted) {
            let value = |fen: &str| {
                let mut answer = json(tables(), ["probe", "--rules", rules, "--json", fen]);
                [
                    answer["category"].take(),
                    answer["dtm"].take(),
                    answer["dth"].take(),
                ]
            };
            assert_eq!(value(counted), value(fen), "{counted}");
            let field = |fen: &str, n: usize| fen.split(' ').nth(n).unwrap().to_string();
            assert_eq!(field(fen, 3), "-");
            assert!(field(counted, 3).parse::<u32>().is_ok(), "{counted}");
            assert_eq!(field(fen, 0), field(counted, 0));
        }
    }
    let bare = lines(&["find", "KRvK", "--turn", "b", "--limit", "1", "--count"]);
    assert!(bare[0].ends_with(" b - 32 6 1"), "{bare:?}");
    let two_sided = lines(&["find", "KRvKN", "--limit", "1", "--count"]);
    assert!(two_sided[0].ends_with(" w - 128 0 1"), "{two_sided:?}");
    let refused = ["find", "KRvK", "--count", "--format", "csv"];
    assert_fails(tables(), &refused, 2, &["--count is for --format fen"]);
}

#[test]
fn each_format_has_the_same_positions() {
    let find = |format: &str| {
        let format = ["--format", format];
        let args = ["find", "KRvKN", "--capture", "throws-win", "--limit", "3"];
        lines(&[&args[..], &format].concat())
    };
    let fens = find("fen");
    let documents: Vec<Json> = find("json")
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let csv = find("csv");
    assert_eq!(csv[0].split(',').count(), csv[1].split(',').count());
    let epd = find("epd");
    let pgn = find("pgn");
    for (i, fen) in fens.iter().enumerate() {
        assert_eq!(documents[i]["fen"], **fen);
        assert!(csv[i + 1].contains(&**fen));
        let board = fen.split(' ').next().unwrap();
        assert!(
            epd[i].starts_with(board) && epd[i].contains(" bm "),
            "{}",
            epd[i]
        );
        assert!(pgn.contains(&format!("[FEN \"{fen}\"]")));
    }
}

#[test]
fn puzzles_come_with_their_solutions() {
    let find = |format: &str| {
        let args = [
            "find",
            "KSMvK",
            "KNMvK",
            "--puzzles",
            "4",
            "--format",
            format,
        ];
        lines(&args)
    };
    let documents: Vec<Json> = find("json")
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(documents.len(), 4);
    let grades: Vec<u64> = documents
        .iter()
        .map(|d| d["grade"].as_u64().unwrap())
        .collect();
    assert!(grades.is_sorted(), "{grades:?}");
    let [pgn, epd, sheet] = ["pgn", "epd", "html"].map(|format| find(format).join("\n"));
    for document in &documents {
        let fen = document["fen"].as_str().unwrap();
        let first = document["solution"][0].as_str().unwrap();
        assert!(pgn.contains(&format!("[FEN \"{fen}\"]")));
        assert!(epd.contains(&format!(" bm {first};")));
        assert!(sheet.contains(first) && sheet.contains(fen));
        let number = |name: &str| document[name].as_i64();
        if let (Some(left), Some(needed)) = (number("moves_available"), number("moves_needed")) {
            assert_eq!(number("margin"), Some(left - needed));
            assert!(sheet.contains(&format!("{left} moves allowed, {needed} needed")));
        }
    }
    assert_eq!(sheet.matches("<figure>").count(), 4);
    assert!(sheet.contains("class=\"answers\"") && !sheet.contains("http"));
    // The bare king's task is to hold out.
    let bare = lines(&["find", "KSMvK", "--turn", "b", "--puzzles", "2", "--json"]);
    for line in bare {
        let document: Json = serde_json::from_str(&line).unwrap();
        assert_eq!(document["goal"], "draw");
    }
}

#[test]
fn promotions_are_found_as_probe_answers() {
    for (promotion, first) in [("throws-win", false), ("only", true)] {
        let args = [
            "find",
            "KSPvK",
            "KRPvK",
            "--promotion",
            promotion,
            "--limit",
            "6",
        ];
        let run = run(bia_tables(), args);
        assert_eq!((run.code, run.out.lines().count()), (0, 6), "{}", run.err);
        for fen in run.out.lines() {
            let answer = json(bia_tables(), ["probe", "--json", fen]);
            assert_eq!(answer["category"], "win", "{fen}");
            let moves = answer["moves"].as_array().unwrap();
            let promotes = |m: &Json| m["uci"].as_str().unwrap().ends_with('m');
            assert_eq!(promotes(&moves[0]), first, "{fen}");
            let thrown = moves.iter().any(|m| promotes(m) && m["category"] != "win");
            assert_eq!(thrown, !first, "{fen}");
        }
    }
    let placed = [
        "find",
        "KSPvK",
        "--men",
        "P@c5",
        "--first-move",
        "promotion",
        "--json",
    ];
    let run = run(bia_tables(), placed);
    for line in run.out.lines() {
        let document: Json = serde_json::from_str(line).unwrap();
        assert!(
            document["keeping"][0].as_str().unwrap().contains("=M"),
            "{line}"
        );
    }
    assert_eq!(run.out.lines().count(), 10, "{}", run.err);
}

#[test]
fn puzzles_ask_whether_to_promote_or_how_to_stop_it() {
    let find = |theme: &str, format: &str| {
        let args = ["find", "KSPvK", "--puzzles", "6", "--theme", theme];
        let run = run(bia_tables(), args.into_iter().chain(["--format", format]));
        assert_eq!((run.code, &*run.err), (0, ""), "{theme} {format}");
        run.out
    };
    for (theme, side, task) in [
        (
            "promote-or-wait",
            "white",
            "White to move and win: promote or wait?",
        ),
        (
            "stop-promotion",
            "black",
            "Black to move and draw: stop the promotion",
        ),
    ] {
        let documents = find(theme, "json");
        let documents = documents
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let documents: Vec<Json> = documents.collect();
        assert_eq!(documents.len(), 6);
        let [epd, sheet] = ["epd", "html"].map(|format| find(theme, format));
        let pgn = find(theme, "pgn").replace('\n', " ");
        assert_eq!(sheet.matches(task).count(), 6);
        assert!(sheet.contains("While a bia is on the board, nothing is counted"));
        let mut promoting = 0;
        for document in &documents {
            assert_eq!(
                (&document["theme"], &document["side_to_move"]),
                (&theme.into(), &side.into())
            );
            let fen = document["fen"].as_str().unwrap();
            let first = document["solution"][0].as_str().unwrap();
            promoting += usize::from(first.contains('='));
            assert!(
                pgn.contains(&format!("[FEN \"{fen}\"]")) && pgn.contains(task),
                "{pgn}"
            );
            assert!(
                epd.contains(&format!(" bm {first};")) && epd.contains(task),
                "{epd}"
            );
            assert!((1..=5).contains(&document["grade"].as_u64().unwrap()));
        }
        // In half of the positions promotion is the answer.
        let expected = if theme == "promote-or-wait" { 3 } else { 0 };
        assert_eq!(promoting, expected);
        let words = [
            "{White to move and win: promote or wait?; wait;",
            "promote or wait?; promote;",
        ];
        assert_eq!(
            words.iter().all(|words| pgn.contains(words)),
            expected > 0,
            "{pgn}"
        );
    }
    let none = [
        "find",
        "KRvK",
        "--puzzles",
        "2",
        "--theme",
        "stop-promotion",
    ];
    assert_fails(bia_tables(), &none, 2, &["the side to move has no bia"]);
    let alone = run(bia_tables(), ["find", "KRvK", "--theme", "stop-promotion"]);
    assert_eq!((alone.code, &*alone.out), (2, ""));
}

#[test]
fn what_nothing_passes_is_said() {
    let none = ["find", "KRvK", "--dtm", "17..40"];
    assert_fails(tables(), &none, 1, &["no matching position in KRvK"]);
    let missing = ["find", "KRRRvK"];
    assert_fails(tables(), &missing, 1, &["sakmak generate KRRRvK"]);
    for (args, says) in [
        (
            &["--verdict", "draw", "--margin", "0"][..],
            "a draw has no distance",
        ),
        (&["--verdict", "win", "--margin=-1"], "0 or more"),
        (&["--verdict", "cursed-win", "--margin", "3"], "-1 or less"),
        (&["--dtm", "9..3"], "give the smaller number first"),
        (&["--capture", "saves-king"], "--turn b"),
        (
            &["--capture", "throws-win", "--verdict", "draw"],
            "only a win",
        ),
        (&["--only-move", "--verdict", "loss"], "no move keeps"),
        (&["--format", "html"], "for puzzles"),
        (&["--zugzwang", "--verdict", "win"], "not in zugzwang"),
        (
            &["--zugzwang", "--capture", "throws-win"],
            "not in zugzwang",
        ),
        (&["--capture", "throws-win", "--margin=-1"], "only a win"),
        (
            &[
                "--turn",
                "b",
                "--capture",
                "saves-king",
                "--first-move",
                "quiet",
            ],
            "never quiet",
        ),
        (
            &["--turn", "b", "--capture", "saves-king", "--margin", "0"],
            "bare king draws",
        ),
        (
            &["--turn", "b", "--margin", "0", "--only-move"],
            "no move keeps",
        ),
        (&["--promotion", "only"], "the side to move has no bia"),
        (
            &["--first-move", "promotion"],
            "the side to move has no bia",
        ),
        (&["--promotion", "wins", "--verdict", "draw"], "only a win"),
        (
            &["--promotion", "wins", "--rules", "asean"],
            "the side to move has no bia",
        ),
        (
            &["--promotion", "wins", "--margin", "0"],
            "nothing is counted",
        ),
        (&["--men", "P@a1"], "no position has P on a1"),
        (&["--dtm", "0", "--only-move"], "checkmate"),
        (&["--dtm", "1", "--puzzles", "3"], "two moves"),
        (
            &["--men", "K@a1", "--men", "k@b2"],
            "no position has K on a1 and k on b2",
        ),
    ] {
        let args = [&["find", "KRvK"][..], args].concat();
        assert_fails(tables(), &args, 2, &[says]);
    }
    for args in [
        &["find"][..],
        &["find", "KRvK", "--men", "K"],
        &["find", "KRvK", "--dtm", "x"],
        &["find", "KRvK", "--puzzles", "3", "--limit", "4"],
        &["find", "nothing"],
    ] {
        let run = run(tables(), args.iter().copied());
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}");
    }
}

#[test]
fn words_that_name_no_ending_are_answered_with_an_ending_and_a_set() {
    for command in ["find", "study", "list", "verify", "generate"] {
        assert_fails(
            tables(),
            &[command, "nothing"],
            2,
            &[
                "\"nothing\" is neither an ending nor a set",
                "KSMvK",
                "bare-4",
            ],
        );
    }
}
