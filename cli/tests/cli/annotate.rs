//! Real games, and faulty files.

use std::path::Path;

use serde_json::Value as Json;

use crate::common::{Run, assert_fails, json, run, sakmak, tables};

const GAME: &str = "../tests/data/schemingmind-737440.pgn";

/// A game of K+R v K with these moves.
fn game(moves: &str) -> String {
    format!("[Variant \"Makruk\"]\n[FEN \"8/8/8/3k4/8/3K4/3R4/8 w - - 0 1\"]\n\n{moves}\n")
}

/// Annotates games from standard input.
pub fn annotate(input: &[u8], args: &[&str]) -> Run {
    annotate_from(tables(), input, args)
}

/// Annotates games from standard input with a given directory of tables.
pub fn annotate_from(tables: &Path, input: &[u8], args: &[&str]) -> Run {
    let output = sakmak(tables)
        .arg("annotate")
        .args(args)
        .arg("-")
        .write_stdin(input)
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn documents(input: &[u8], args: &[&str]) -> Vec<Json> {
    let run = annotate(input, &[&["--json"], args].concat());
    let lines = run.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_real_game_is_annotated_as_probe_answers() {
    let game: Json = json(tables(), ["annotate", "--json", GAME]);
    let positions = game["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 226);
    let mut known = 0;
    for position in positions
        .iter()
        .filter(|position| !position["known"].is_null())
    {
        known += 1;
        let fen = position["fen"].as_str().unwrap();
        let answer = json(tables(), ["probe", "--json", fen]);
        for field in ["category", "dtm", "dth", "count"] {
            assert_eq!(position["known"][field], answer[field], "{fen}");
        }
    }
    // The positions from 78. Kxb7 to 113. Nc1#.
    assert_eq!(known, 71);
    let count = &game["counts"][1];
    assert_eq!(count["side"], "black");
    assert_eq!(
        (&count["limit"], &count["first_number"]),
        (&64.into(), &6.into())
    );
    assert_eq!(count["moves_available"], 59);
    assert_eq!(
        (&game["end"], &game["mistakes"]),
        (&"white-mates".into(), &Json::Array(vec![]))
    );
    assert_eq!(game["error"], Json::Null);
}

#[test]
fn the_page_shows_what_the_program_prints() {
    let page = std::fs::read_to_string("../docs/play/annotate.md").unwrap();
    let printed = run(tables(), ["annotate", GAME]).out;
    let begin = page.find("```pgn\n").unwrap() + "```pgn\n".len();
    let shown = &page[begin..begin + page[begin..].find("```").unwrap()];
    assert_eq!(
        shown.trim(),
        printed.trim(),
        "put this into docs/play/annotate.md"
    );
}

#[test]
fn a_game_without_a_count_is_said_to_have_none() {
    let run = run(
        tables(),
        [
            "annotate",
            "--summary",
            "../tests/data/schemingmind-335959.pgn",
        ],
    );
    assert_eq!(run.code, 1);
    assert!(run.out.contains("No count began"), "{}", run.out);
    assert!(
        run.err.contains("no position of the game is in the tables"),
        "{}",
        run.err
    );
}

#[test]
fn bia_stop_every_count_of_makruk_but_not_the_boards_honor_of_ouk() {
    let summary = |variant: &str| {
        let game = format!(
            "[Variant \"{variant}\"]\n[FEN \"8/8/8/2P5/7k/1R1m4/8/7K w - - 0 1\"]\n\n1. Rxd3 Kg4 1/2-1/2\n"
        );
        annotate(game.as_bytes(), &["--summary"]).out
    };
    let said = "No count began: there were bia on the board to the end.";
    assert!(summary("Makruk").replace('\n', " ").contains(said));
    let ouk = summary("Cambodian");
    assert!(!ouk.is_empty() && !ouk.contains("No count began"), "{ouk}");
}

#[test]
fn only_a_worse_result_is_a_mistake() {
    // Moves are wasted, and at the end the rook is given away.
    let run = annotate(
        game("1. Ra2 Kc5 2. Ra1 Kd5 3. Ra4 Ke5 4. Re4+ Kd5 5. Re5+ Kxe5 1/2-1/2").as_bytes(),
        &[],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    // After 3. Ra4 mate comes one move too late; what is given away later was a draw already.
    let text = run.out.replace('\n', " ");
    assert_eq!(text.matches("??").count(), 2, "{text}");
    assert_eq!(text.matches("3. Ra4??").count(), 2, "{text}");
    // Annotated again, the text must not repeat anything.
    let again = annotate(run.out.as_bytes(), &[]);
    assert_eq!(again.out, run.out);
}

#[test]
fn a_draw_claimed_too_early_or_too_late_is_said() {
    let says = |moves: &str, sentence: &str| {
        let run = annotate(game(moves).as_bytes(), &["--summary"]);
        let words = run.out.replace('\n', " ");
        assert!(words.contains(sentence), "{words}");
    };
    says("1. Ra2 Ke5 1/2-1/2", "the draw came too early");
    says("1. Ra2 Ke5 1-0", "agrees with the tables");
    says("1. Ra2 Ke5 0-1", "White gave up a won game");
    let to_and_fro = "Ra2 Ke5 Rd2 Kd5 ".repeat(7);
    says(&format!("{to_and_fro} 1/2-1/2"), "The count was over");
    says(
        &format!("{to_and_fro} 1-0"),
        "does not match the final position",
    );
}

#[test]
fn board_s_honor_is_read_from_what_is_said() {
    let fen = "8/8/8/3k2n1/8/3K4/2R5/8 w - - 0 41";
    let pgn = format!("[FEN \"{fen}\"]\n\n41. Rc1 Ke5 42. Rc2 Kd5 *\n");
    let fens = |args: &[&str], pgn: &str| -> Vec<String> {
        let document = documents(pgn.as_bytes(), args).remove(0);
        let positions = document["positions"].as_array().unwrap().iter();
        let field = |position: &Json| position["fen"].as_str().unwrap().to_string();
        positions
            .map(|p| field(p).split(' ').skip(3).collect::<Vec<_>>().join(" "))
            .collect()
    };
    assert_eq!(
        fens(&[], &pgn),
        ["- 0 41", "- 0 41", "- 0 42", "- 0 42", "- 0 43"]
    );
    let first = ["128 0 41", "128 1 42", "128 2 42", "128 3 43"];
    assert_eq!(fens(&["--count-from", "first"], &pgn)[1..], first);
    let black = ["- 0 41", "128 0 41", "128 1 42", "128 2 42", "128 3 43"];
    assert_eq!(fens(&["--count-from", "41b"], &pgn), black);
    let later = fens(&["--count-from", "42b"], &pgn);
    assert_eq!(later[3..], ["128 0 42", "128 1 43"]);
    let said = pgn.replace("Kd5", "Kd5 {7}");
    assert_eq!(fens(&[], &said)[4], "128 13 43");
    assert_eq!(fens(&["--count-from", "first"], &said)[4], "128 3 43");
    let fen = fen.replace("- 0", "128 20");
    let given = format!("[FEN \"{fen}\"]\n\n41. Rc1 Ke5 *\n");
    assert_eq!(fens(&[], &given), ["128 20 41", "128 21 41", "128 22 42"]);
}

#[test]
fn odd_files_are_read_as_they_are_meant() {
    let good = game("1. Ra2 Ke5 2. Re2+ 1-0");
    let plain = documents(good.as_bytes(), &[]);
    let latin_1 = [b"[White \"Andr\xe9\"]\n", good.as_bytes()].concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("Windows line ends", good.replace('\n', "\r\n").into()),
        ("Macintosh line ends", good.replace('\n', "\r").into()),
        (
            "a mark of byte order",
            [b"\xef\xbb\xbf", good.as_bytes()].concat(),
        ),
        ("Latin-1", latin_1),
        ("no result", good.replace(" 1-0", "").into()),
        ("no blank lines", good.replace("\n\n", "\n").into()),
        (
            "a comment never closed",
            (good.replace(" 1-0", " {1-0")).into(),
        ),
        (
            "a variation never closed",
            (good.replace(" 1-0", " (2. Ra1 {x} 1-0")).into(),
        ),
        (
            "brackets and braces to spare",
            good.replace("2.", ") } ] 2.").into(),
        ),
        (
            "a line of a mail before it",
            format!("From: x\n\n{good}")
                .replace("From: x", "% From: x")
                .into(),
        ),
        (
            "zero bytes between games",
            [good.as_bytes(), b"\n\n"].concat(),
        ),
        (
            "western letters and offers",
            good.replace("Ke5", "Ke5=").into(),
        ),
    ];
    for (what, text) in cases {
        let read = documents(&text, &[]);
        assert_eq!(read.len(), 1, "{what}");
        assert_eq!(read[0]["error"], Json::Null, "{what}");
        let fens = |document: &Json| {
            let positions = document["positions"].as_array().unwrap().clone();
            positions
                .into_iter()
                .map(|position| position["fen"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(fens(&read[0]), fens(&plain[0]), "{what}");
    }
}

#[test]
fn broken_games_end_with_a_sentence_each() {
    let utf_16: Vec<u8> = game("1. Ra2 *")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let long = game(&format!("1. Ra2 {{{}}} *", "long ".repeat(300_000)));
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (
            game("1. Ra2 Kc").into(),
            "at move 1... (ply 2), in line 4, \"Kc\" is not a move",
        ),
        (
            game("1. Ra2 Kc3").into(),
            "at move 1... (ply 2), in line 4, \"Kc3\" is not a legal move here",
        ),
        (game("1. Ra2 --").into(), "\"--\" is not a move"),
        (game("1. O-O").into(), "\"O-O\" is not a move"),
        (game("1. Ra2 e4").into(), "\"e4\" is not a legal move"),
        (game("1. <b>Ra2</b>").into(), "is not a move"),
        (
            game("")
                .replace("RRR", "")
                .replace("3R4", "3R3R")
                .replace("\n\n\n", "\n\n1. Rf2 *\n")
                .into(),
            "d2f2 or h2f2",
        ),
        (
            game("*").replace("3k4", "3k5").into(),
            "invalid first position",
        ),
        (
            game("*").replace("3R4", "3B4").into(),
            "rank 2 of the FEN has the letter B, which is ASEAN's",
        ),
        (game("*").replace(" w ", " x ").into(), "the side to move"),
        (
            game("*").replace("3K4", "8").into(),
            "invalid first position",
        ),
        (
            game("*").replace("Makruk", "Chess").into(),
            "unsupported Variant \"Chess\"",
        ),
        (
            game("*").replace("Makruk", "Sittuyin").into(),
            "unsupported Variant",
        ),
        (
            game("1. Ra2 *")
                .replace("Makruk", "ASEAN")
                .replace("3R4", "3M4")
                .into(),
            "rank 2 of the FEN has the letter M, which is makruk's",
        ),
        ([b"\xff\xfe", &utf_16[..]].concat(), "UTF-16"),
        (long.into(), "more than 1048576 bytes"),
        (b"".to_vec(), "there is no game in -"),
        (b"[Event \"cut".to_vec(), "there is no game in -"),
        (b"{only a comment}".to_vec(), "there is no game in -"),
        (vec![0; 5000], "the file is not a game"),
        (
            (0..=255).cycle().take(4096).collect(),
            "the file is not a game",
        ),
        (
            game("1. Ra2 Ke5 1-0 2. Re2+").into(),
            "at move 1. (ply 1), in line 4, \"Re2+\" is not a legal move",
        ),
    ];
    for (text, says) in cases {
        let run = annotate(&text, &[]);
        let given = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
        assert_eq!(run.code, 2, "{given}: {}", run.err);
        let mut lines = run.err.lines();
        let said = lines.any(|line| line.starts_with("sakmak: ") && line.contains(says));
        assert!(said, "{given}: {}", run.err);
        assert!(!run.err.contains("panicked"), "{}", run.err);
        let documents = documents(&text, &[]);
        let failed = documents
            .iter()
            .filter(|document| !document["error"].is_null())
            .count();
        assert!(
            failed == 1 || says.starts_with("there is no"),
            "{given}: {documents:?}"
        );
    }
}

#[test]
fn a_bad_game_among_a_thousand_keeps_no_other_from_its_comments() {
    let mut text = String::new();
    for number in 0..1000 {
        let moves = match number {
            500 => "1. Ra2 Kh8 {never closed",
            _ => "1. Ra2 Ke5 2. Re2+ 1-0",
        };
        text += &(game(moves) + "\n");
    }
    let run = annotate(text.as_bytes(), &[]);
    assert_eq!(run.code, 2);
    let words = run.out.replace('\n', " ");
    let good = "The result, 1-0, agrees with the tables.";
    assert_eq!(words.matches(good).count(), 999);
    assert!(
        run.err
            .contains("game 501 (line 2501): at move 1... (ply 2)"),
        "{}",
        run.err
    );
    assert!(run.err.contains("1 of 1000 games"), "{}", run.err);
}

#[test]
fn options_that_say_nothing_are_refused() {
    assert_fails(
        tables(),
        &["annotate", "nowhere.pgn"],
        2,
        &["nowhere.pgn cannot be read"],
    );
    for args in [
        &["annotate", "--json", "--summary", GAME][..],
        &["annotate", "--count-from", "x", GAME],
        &["annotate", "--count-from", "0", GAME],
        &["annotate", "--rules", "chess", GAME],
        &["annotate"],
    ] {
        let run = run(tables(), args.iter().copied());
        assert_eq!((run.code, &*run.out), (2, ""), "{args:?}");
    }
}

#[test]
fn a_result_as_thailands_federation_writes_it_is_a_draw() {
    for draw in ["0.5-0.5", "½-½", "0,5-0,5", "๐.๕-๐.๕"] {
        let tagged = format!("[Result \"{draw}\"]\n{}", game("1. Ra2 Ke5"));
        for text in [game(&format!("1. Ra2 Ke5 {draw}")), tagged] {
            let run = annotate(text.as_bytes(), &["--line", "0"]);
            assert_eq!(run.code, 0, "{}", run.err);
            assert!(run.out.contains("[Result \"1/2-1/2\"]"), "{}", run.out);
            assert!(run.out.trim_end().ends_with("1/2-1/2"), "{}", run.out);
            let words = run.out.replace('\n', " ");
            assert!(words.contains("the draw came"), "{words}");
            let documents = documents(text.as_bytes(), &[]);
            assert_eq!(documents[0]["result"], "1/2-1/2");
        }
    }
}

#[test]
fn a_promoted_bia_may_have_no_letter_in_a_game() {
    let text = "[FEN \"8/8/8/4P3/6p1/8/8/5K1k w - - 0 1\"]\n\n1. e6=F g3=F 2. f5 Kh2 3. e4 Kh1 4. f3 h2 5. g2# 1-0\n";
    let game = &documents(text.as_bytes(), &[])[0];
    assert_eq!(game["error"], Json::Null);
    assert_eq!(game["end"], "white-mates");
    assert_eq!(game["positions"][3]["move"]["san"], "Mf5");
}

#[test]
fn a_game_that_stops_in_its_first_moves_may_be_chess() {
    for chess in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0",
        "1. d4 Nf6 2. c4 g6 *",
        "1. Nf3 d5 2. g3 *",
        "[Event \"London\"]\n\n1. e4 e5 2. d4 exd4 3. c4 d6 4. O-O *",
    ] {
        let run = annotate(chess.as_bytes(), &["--summary"]);
        assert_eq!(run.code, 2, "{}", run.err);
        let asks = "; is this chess? sakmak reads makruk, asean and ouk";
        assert!(run.err.contains(asks), "{}", run.err);
        let error = &documents(chess.as_bytes(), &[])[0]["error"];
        assert!(
            error["message"].as_str().unwrap().ends_with(asks),
            "{error}"
        );
    }
    // Games that name their variant, or that go on for long, are no chess.
    for other in [
        "[Variant \"Makruk\"]\n\n1. e4 e5 2. Nf3 *",
        "[FEN \"8/8/8/3k4/8/3K4/3R4/8 w - - 0 1\"]\n\n1. Nf3 *",
        "1. e4 e5 2. d4 d5 3. Ne2 Ne7 4. Nd2 Nd7 5. Nc4 Nc5 6. Nf3 *",
    ] {
        let run = annotate(other.as_bytes(), &["--summary"]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(!run.err.contains("chess?"), "{}", run.err);
    }
}

#[test]
fn a_file_that_is_no_text_is_not_a_game() {
    let table = std::fs::read(tables().join("KRvK.skm")).unwrap();
    for bytes in [
        &table[..],
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x7fELF\x02\0",
    ] {
        let run = annotate(bytes, &[]);
        assert_eq!((run.code, &*run.out), (2, ""), "{}", run.err);
        assert!(run.err.contains("the file is not a game"), "{}", run.err);
    }
}

#[test]
fn a_game_that_ends_with_too_little_to_mate_is_said_to() {
    let end = |fen: &str, moves: &str| {
        let text = format!("[FEN \"{fen}\"]\n\n{moves} 1/2-1/2\n");
        documents(text.as_bytes(), &[])[0]["end"].clone()
    };
    let rook = "8/8/8/3k4/8/3K1R2/4r3/8 w - - 0 1";
    assert_eq!(end(rook, "1. Kxe2 Kd6"), "open");
    let knight = "8/8/8/3k4/8/3K1N2/4r3/8 w - - 0 1";
    assert_eq!(end(knight, "1. Kxe2 Kd6"), "insufficient-material");
}
