//! `sakmak uci` without an engine.

use std::path::Path;
use std::time::Duration;

use sakmak::game::GameState;
use sakmak::rules::RuleSet;

use super::talk::{Talk, after, tables};
use crate::common::copies;

/// White mates with the last move of the count.
const LAST_MOMENT: &str = "8/8/8/8/8/2k5/8/K6R w - - 0 1";

fn bestmove(lines: &[String]) -> &str {
    let last = lines.last().unwrap();
    after(last, "bestmove").first().unwrap()
}

#[test]
fn uci_lists_options_that_guis_keep() {
    let mut talk = Talk::start(&[]);
    let lines = talk.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name sakmak "));
    assert!(
        lines.contains(
            &"option name UCI_Variant type combo default makruk var makruk var asean var cambodian"
                .to_string()
        )
    );
    let names: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with("option "))
        .map(|line| after(line, "name")[0])
        .collect();
    let expected = [
        "UCI_Variant",
        "MultiPV",
        "Ponder",
        "UCI_ShowWDL",
        "SakmakPath",
        "SakmakCache",
        "SakmakProbeLimit",
        "SakmakCount",
    ];
    assert_eq!(names, expected);
    let (status, errors) = talk.end();
    assert!(status.success() && errors.is_empty());
}

#[test]
fn isready_is_answered_and_nothing_else_said() {
    let mut talk = Talk::start(&[]);
    talk.is_silent();
}

#[test]
fn a_won_position_is_mated_inside_the_count() {
    let mut talk = Talk::start(&[]);
    talk.say(&format!("position fen {LAST_MOMENT}"));
    let lines = talk.ask("go wtime 60000 btime 60000", "bestmove");
    let [verdict, info, bestmove] = lines.as_slice() else {
        panic!("{lines:#?}");
    };
    assert_eq!(
        verdict,
        "info string win, white can force mate in 14; pieces' honor 3 of 16 (not begun), 14 moves left"
    );
    assert!(
        info.starts_with("info depth 27 seldepth 27 multipv 1 score mate 14 nodes "),
        "{info}"
    );
    let pv = after(info, "pv");
    assert_eq!(after(bestmove, "bestmove"), [pv[0], "ponder", pv[1]]);
    let start = GameState::from_fen(LAST_MOMENT, RuleSet::Makruk).unwrap();
    let end = start.replay(pv).unwrap();
    assert!(end.board.is_checkmate());
}

#[test]
fn a_win_that_the_count_outruns_is_no_mate() {
    let mut talk = Talk::start(&[]);
    talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - 32 8 1");
    let lines = talk.ask("go", "bestmove");
    let info = lines.iter().find(|line| line.contains(" pv ")).unwrap();
    assert!(info.contains(" score cp 1 "), "{info}");
    assert!(
        lines.iter().any(|line| line.contains("drawn by the count")),
        "{lines:?}"
    );
    // With the count ignored, and with a count that begins now.
    for mode in ["off", "fresh"] {
        talk.say(&format!("setoption name SakmakCount value {mode}"));
        let lines = talk.ask("go", "bestmove");
        assert!(
            lines.iter().any(|line| line.contains(" score mate 14 ")),
            "{lines:?}"
        );
    }
}

#[test]
fn the_loser_is_told_the_distance_with_a_minus() {
    let mut talk = Talk::start(&[]);
    talk.say("setoption name UCI_ShowWDL value true");
    talk.say("position fen 7k/8/6K1/8/8/8/8/R7 b - 32 6 1");
    let lines = talk.ask("go", "bestmove");
    let info = &lines[lines.len() - 2];
    assert!(info.contains(" score mate -1 wdl 0 0 1000 "), "{info}");
}

#[test]
fn infinite_and_ponder_hold_the_answer_back() {
    let mut talk = Talk::start(&[]);
    talk.ask("isready", "readyok");
    talk.say(&format!("position fen {LAST_MOMENT}"));
    for (go, release) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
    ] {
        talk.ask(go, "info depth");
        talk.is_silent();
        assert_eq!(talk.soon(Duration::from_millis(100)), None);
        talk.ask(release, "bestmove");
    }
    // Nothing is held back any more.
    talk.say("stop");
    talk.is_silent();
}

#[test]
fn several_lines_come_best_first_and_searchmoves_are_obeyed() {
    let mut talk = Talk::start(&[]);
    talk.say("setoption name MultiPV value 3");
    talk.say(&format!("position fen {LAST_MOMENT}"));
    let lines = talk.ask("go", "bestmove");
    let infos: Vec<_> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    assert_eq!(infos.len(), 3);
    for (i, info) in infos.iter().enumerate() {
        assert!(info.contains(&format!(" multipv {} ", i + 1)), "{info}");
    }
    assert_eq!(after(infos[0], "pv")[0], bestmove(&lines));
    let lines = talk.ask("go searchmoves h1g1 h1h2 depth 3", "bestmove");
    assert!(["h1g1", "h1h2"].contains(&bestmove(&lines)), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains(" pv ")).count(), 2);
}

#[test]
fn the_sentence_is_about_the_moves_in_searchmoves() {
    let mut talk = Talk::start(&[]);
    talk.say(&format!("position fen {LAST_MOMENT}"));
    let lines = talk.ask("go searchmoves h1g1 h1h2", "bestmove");
    let said = format!(
        "info string of the moves in searchmoves {} is best: cursed-win",
        bestmove(&lines)
    );
    assert!(lines[0].starts_with(&said), "{lines:?}");
    // Without searchmoves it is about the position.
    let lines = talk.ask("go", "bestmove");
    assert!(lines[0].starts_with("info string win, "), "{lines:?}");
}

#[test]
fn moves_in_searchmoves_that_cannot_be_read_are_named() {
    let mut talk = Talk::start(&[]);
    talk.say(&format!("position fen {LAST_MOMENT}"));
    let lines = talk.ask("go searchmoves h1g1 e9e9 depth 3", "bestmove");
    assert!(
        lines[0].starts_with("info string e9e9 is not a legal move in "),
        "{lines:?}"
    );
    assert_eq!(bestmove(&lines), "h1g1");
    let lines = talk.ask("go searchmoves Rg1 a1c3", "bestmove");
    assert!(
        lines[0].starts_with("info string Rg1, a1c3 are not legal moves in ")
            && lines[0].ends_with("all moves are considered"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("info string win, "), "{lines:?}");
    // Where no table has the position, too.
    talk.say("position startpos");
    let lines = talk.ask("go searchmoves e3e4 e3e5", "bestmove");
    assert!(lines[0].contains("e3e5 is not a legal move"), "{lines:?}");
    assert_eq!(bestmove(&lines), "e3e4");
}

#[test]
fn a_drawn_position_gets_a_move_that_keeps_the_draw() {
    let mut talk = Talk::start(&[]);
    talk.say("position fen 8/8/8/3k4/3n4/8/3K3R/8 b - - 0 1");
    let lines = talk.ask("go movetime 100", "bestmove");
    let info = lines.iter().find(|line| line.contains(" pv ")).unwrap();
    assert!(info.contains(" score cp 0 "), "{info}");
}

#[test]
fn without_a_legal_move_there_is_none() {
    let mut talk = Talk::start(&[]);
    for (fen, score) in [
        ("1k5R/8/1K6/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("k7/8/K7/8/8/8/8/1R6 b - - 0 1", "cp 0"),
    ] {
        talk.say(&format!("position fen {fen}"));
        let lines = talk.ask("go", "bestmove");
        assert_eq!(
            lines[lines.len() - 2..],
            [
                format!("info depth 0 score {score}"),
                "bestmove (none)".to_string()
            ]
        );
    }
}

#[test]
fn outside_the_tables_a_legal_move_is_played_and_said() {
    let mut talk = Talk::start(&[]);
    for variant in ["makruk", "asean", "cambodian"] {
        talk.say(&format!("setoption name UCI_Variant value {variant}"));
        talk.say("ucinewgame");
        talk.say("position startpos moves e3e4 d6d5");
        let lines = talk.ask("go wtime 1000 btime 1000", "bestmove");
        assert!(
            lines
                .iter()
                .any(|line| line.contains("no table contains this position"))
        );
        let rules = [RuleSet::Makruk, RuleSet::Asean, RuleSet::Ouk]
            .into_iter()
            .find(|rules| variant.starts_with(rules.name()))
            .unwrap_or(RuleSet::Ouk);
        let state = GameState::start(rules).replay(["e3e4", "d6d5"]).unwrap();
        // The only man that can be won.
        assert_eq!(bestmove(&lines), "e4d5", "{variant}");
        assert!(state.parse_uci(bestmove(&lines)).is_some());
        // The message comes once a game.
        let lines = talk.ask("go", "bestmove");
        assert_eq!(lines.len(), 1);
    }
}

#[test]
fn the_count_comes_from_following_the_moves() {
    let mut talk = Talk::start(&[]);
    // The rook takes the last bia: the bare king is to move, with three men counted.
    talk.say("position fen 8/8/8/2p5/8/2k5/8/K1R5 b - - 0 20 moves c3d4 c1c5 d4c5");
    let lines = talk.ask("d", "Tables:");
    assert!(
        lines.iter().any(|line| line.starts_with("Fen: ")),
        "{lines:?}"
    );
    talk.say("position fen 8/8/8/8/2p5/8/3k4/K1R5 w - - 0 20 moves c1c4");
    let lines = talk.ask("d", "Tables:");
    assert!(
        lines.contains(&"Fen: 8/8/8/8/2R5/8/3k4/K7 b - 32 6 20".to_string()),
        "{lines:?}"
    );
    assert!(
        lines
            .last()
            .unwrap()
            .ends_with("pieces' honor 3 of 16, 13 moves left"),
        "{lines:?}"
    );
}

#[test]
fn bad_input_is_said_in_words_and_never_met_with_silence() {
    let mut talk = Talk::start(&[]);
    talk.ask("isready", "readyok");
    for garbage in [
        "",
        "  ",
        "xyzzy 1 2",
        "position",
        "setoption",
        "register later",
        "debug on",
    ] {
        talk.say(garbage);
    }
    let says = |lines: &[String], words: &str| {
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("info string ") && line.contains(words)),
            "{lines:?}"
        );
    };
    let lines = talk.ask("isready", "readyok");
    says(&lines, "side to move");
    says(&lines, "there is no option \"\"");
    // Now there is no position.
    let lines = talk.ask("go", "bestmove");
    assert_eq!(bestmove(&lines), "(none)");
    // ASEAN letters in makruk, an impossible board, an illegal move.
    let lines = talk.ask(
        "position fen 8/8/8/3k4/8/3K4/3B4/8 w - - 0 1",
        "info string",
    );
    says(
        &lines,
        "which is ASEAN's, but the FEN is read in makruk letters",
    );
    let lines = talk.ask("position fen 8/8/8/3k4/3K4/8/8/8 w - - 0 1", "info string");
    says(&lines, "touch each other");
    let lines = talk.ask("position startpos moves e3e4 e3e4", "info string");
    says(&lines, "is illegal");
    assert_ne!(bestmove(&talk.ask("go", "bestmove")), "(none)");
    for (option, words) in [
        ("UCI_Variant value chess", "makruk, asean or cambodian"),
        ("MultiPV value 0", "a number from 1"),
        ("SakmakCount value maybe", "auto, fresh or off"),
        ("Hash value 3", "there is no option"),
    ] {
        let lines = talk.ask(&format!("setoption name {option}"), "info string");
        says(&lines, words);
    }
    let lines = talk.ask(
        "setoption name SakmakPath value /there/is/nothing",
        "info string",
    );
    says(&lines, "cannot be read");
    let path = super::talk::tables().display();
    let lines = talk.ask(
        &format!("setoption name SakmakPath value {path}"),
        "info string",
    );
    says(&lines, "found tables of 4 endings, up to 4 men");
    let (status, _) = talk.end();
    assert!(status.success());
}

#[test]
fn a_directory_with_the_tables_of_an_earlier_one_is_not_called_empty() {
    let again = copies(&["KRvK"]);
    let both = std::env::join_paths([super::talk::tables(), again.path()]).unwrap();
    let mut talk = Talk::start(&[]);
    let set = format!("setoption name SakmakPath value {}", both.display());
    let lines = talk.ask(&set, "info string");
    let said = lines.last().unwrap();
    assert!(said.contains("found tables of 4 endings"), "{lines:?}");
}

#[test]
fn thousands_of_directories_are_searched_for_a_table() {
    let again = tempfile::tempdir().unwrap();
    // Each has the table of an ending that the others have, and some the one that is asked for.
    let mut all = Vec::new();
    for number in 0..2_000 {
        let directory = again.path().join(format!("d{number}"));
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(directory.join("KNvK.skm"), "no table").unwrap();
        all.push(directory);
    }
    all.push(super::talk::tables().to_path_buf());
    let path = std::env::join_paths(all).unwrap();
    let mut talk = Talk::start(&[]);
    let set = format!("setoption name SakmakPath value {}", path.display());
    let lines = talk.ask(&set, "info string found");
    assert!(lines[0].contains("found tables of 4 endings"), "{lines:?}");
    talk.say(&format!("position fen {LAST_MOMENT}"));
    let lines = talk.ask("go", "bestmove");
    assert!(lines[0].starts_with("info string win, "), "{lines:?}");
}

#[test]
fn go_comes_before_position_too() {
    let mut talk = Talk::start(&[]);
    assert_ne!(bestmove(&talk.ask("go depth 1", "bestmove")), "(none)");
}

#[test]
fn a_missing_table_is_said_once() {
    let mut talk = Talk::start(&[]);
    talk.ask("isready", "readyok");
    talk.say("position fen 8/8/8/3r4/8/2k5/8/K6R w - - 0 1");
    let lines = talk.ask("go", "bestmove");
    assert!(lines[0].starts_with("info string "), "{lines:?}");
    let lines = talk.ask("go", "bestmove");
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[test]
fn a_count_no_men_began_is_played_as_its_numbers_say() {
    let mut talk = Talk::start(&[]);
    talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - 44 8 1");
    let lines = talk.ask("go", "bestmove");
    assert!(lines[0].contains("4 of 22, 19 moves left"), "{lines:?}");
}

#[test]
fn a_damaged_table_of_a_first_directory_is_told_once() {
    let damaged = copies(&["KRvK"]);
    let path = damaged.path().join("KRvK.skm");
    std::fs::write(&path, "no table").unwrap();
    let both = std::env::join_paths([damaged.path(), tables()]).unwrap();
    let mut talk = Talk::start_with(Path::new(&both), &[]);
    talk.say("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let told = |lines: &[String]| {
        let of_it = |line: &&String| line.contains(&path.display().to_string());
        lines.iter().filter(of_it).count()
    };
    let first = talk.ask("go", "bestmove");
    assert!(
        first.iter().any(|line| line.contains("mate 1")),
        "{first:?}"
    );
    assert_eq!(told(&first), 1, "{first:?}");
    assert_eq!(told(&talk.ask("go", "bestmove")), 0);
}
