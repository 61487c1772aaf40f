//! Bad input: one clear sentence and exit code 2.

use std::path::Path;

use crate::common::{assert_fails, run, tables};

#[track_caller]
fn bad_fen(fen: &str, says: &[&str]) {
    assert_fails(tables(), &["probe", fen], 2, says);
}

#[track_caller]
fn bad_material(name: &str, says: &[&str]) {
    assert_fails(tables(), &["stats", name], 2, says);
    assert_fails(tables(), &["generate", name], 2, says);
}

#[test]
fn a_fen_with_bia_is_told_what_tables_there_are() {
    let fen = "8/8/8/3k4/3P4/3K4/8/8 w";
    assert_fails(tables(), &["probe", fen], 1, &["no table of KPvK"]);
    let astray = "8/8/8/3k4/8/3K4/3P4/8 w";
    let says = &["not in the tables", "d2 is behind its starting rank"];
    assert_fails(tables(), &["probe", astray], 1, says);
    for (past, letter) in [
        ("8/8/4P3/3k4/8/3K4/8/8 w", 'M'),
        ("8/8/8/3k4/8/3K4/4p3/8 w", 'm'),
    ] {
        let hint = format!("write {letter}, the man that it has become");
        assert_fails(tables(), &["probe", past], 1, &["not in the tables", &hint]);
    }
    let args = ["probe", fen, "--rules", "ouk"];
    assert_fails(tables(), &args, 1, &["no table of KPvK"]);
    let args = ["probe", fen, "--rules", "asean"];
    assert_fails(tables(), &args, 1, &["no table of KPvK-asean"]);
    // A bia of ASEAN chess goes on to the seventh rank.
    let far = ["probe", "8/4P3/8/3k4/8/3K4/8/8 w", "--rules", "asean"];
    assert_fails(tables(), &far, 1, &["no table of KPvK-asean"]);
    let six = "8/8/8/3k4/3P4/3K4/RRR5/8 w";
    let says = ["6 men", "ASEAN chess have at most 5"];
    assert_fails(tables(), &["probe", six, "--rules", "asean"], 1, &says);
}

#[test]
fn a_fen_with_three_kings_is_refused() {
    bad_fen("8/8/8/3k4/8/3K4/8/K7 w", &["2 white kings", "exactly one"]);
    bad_fen("8/8/8/3k4/8/8/8/8 w", &["0 white kings"]);
}

#[test]
fn a_fen_with_touching_kings_is_refused() {
    bad_fen("8/8/8/3k4/3K4/8/8/R7 w", &["d4", "d5", "touch"]);
}

#[test]
fn a_fen_with_the_side_not_to_move_in_check_is_refused() {
    bad_fen("3k4/8/8/8/8/8/8/K2R4 w", &["black is in check on d8"]);
}

#[test]
fn a_fen_with_nine_ranks_is_refused() {
    bad_fen("8/8/8/3k4/8/3K4/8/8/8 w", &["9 ranks, not 8"]);
    bad_fen("8/8/8/3k5/8/3K4/8/8 w", &["rank 5", "9 squares"]);
}

#[test]
fn a_fen_with_bad_counters_is_refused() {
    let board = "8/8/8/3k4/8/3K4/2SM4/8";
    for (counters, says) in [
        ("w - x 8 1", "\"x\""),
        ("w - 88 x 1", "\"x\""),
        ("w - 88", "how many are counted"),
        ("w - - 0 x", "number of the move"),
        ("w - - 0 1 x", "after field 6"),
        ("w 0 1 x", "after field 4"),
        ("w x - 0 1", "third field"),
    ] {
        bad_fen(&format!("{board} {counters}"), &[says]);
    }
}

#[test]
fn a_count_where_nothing_is_counted_is_refused() {
    let fen = "8/8/8/3k4/3n4/3K4/2R5/8 w - 32 8 1";
    let args = ["probe", fen, "--rules", "asean"];
    assert_fails(tables(), &args, 2, &["asean counts nothing in KRvKN"]);
    // No limit would help while a bia is on the board.
    let bia = ["probe", "8/8/3k4/8/2P5/2SK4/8/8 w", "--count", "30"];
    let remedy = "makruk counts nothing in KSPvK: leave the count out";
    assert_fails(tables(), &bia, 2, &[remedy]);
}

#[test]
fn a_clock_beside_a_count_is_refused_in_asean_chess() {
    // Count and clock began with the same capture.
    let fen = "8/8/8/3k4/8/3K4/2R5/8 b - - 12 80";
    let args = ["probe", fen, "--rules", "asean", "--count", "3"];
    let says = ["12 plies since the last capture", "leave one of them out"];
    assert_fails(tables(), &args, 2, &says);
}

#[test]
fn a_clock_of_more_than_100_plies_is_one_of_100_in_asean_chess() {
    let probe = |clock: u32| {
        let fen = format!("8/8/8/3k4/8/3K4/2R5/8 w - - {clock} 80");
        let args = ["probe", &fen, "--rules", "asean", "--json"];
        let run = run(tables(), args);
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap()
    };
    let (at, over) = (probe(100), probe(150));
    assert_eq!(
        (&at["category"], &over["category"]),
        (&at["category"], &at["category"])
    );
    assert_eq!(over["moves"], at["moves"]);
    assert_eq!(over["count"]["moves_available"], 0);
    let note = over["count"]["note"].as_str().unwrap();
    assert!(note.starts_with("150 plies"), "{note}");
    assert!(at["count"]["note"].is_null());
}

#[test]
fn a_man_that_may_still_leap_is_not_in_the_tables() {
    let fen = "3mk3/8/8/8/8/8/8/3K4 w De - 0 1";
    let args = ["probe", fen, "--rules", "ouk"];
    assert_fails(tables(), &args, 1, &["not in the tables", "king on d1"]);
}

#[test]
fn the_other_rule_sets_letters_are_refused_and_the_option_is_named() {
    bad_fen("8/8/8/3k4/8/3K4/2BQ4/8 w", &["--rules asean"]);
    let makruk = "8/8/8/3k4/8/3K4/2SM4/8 w";
    let args = ["probe", makruk, "--rules", "asean"];
    assert_fails(tables(), &args, 2, &["--rules makruk"]);
}

#[test]
fn a_fen_of_nothing_is_refused() {
    bad_fen(" ", &["empty"]);
    bad_fen("8/8/8/3k4/8/3K4/8/8", &["side to move"]);
}

#[test]
fn a_position_that_no_table_covers_is_answered_no_and_is_no_mistake() {
    for (fen, why) in [
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w", "32 men"),
        ("nnnnnnnn/8/8/3k4/8/3K4/8/8 b", "at most 8"),
        ("8/8/8/3k4/8/3K4/2P5/8 w", "bia on c2"),
    ] {
        for command in ["probe", "line"] {
            let says = ["not in the tables", why];
            assert_fails(tables(), &[command, fen], 1, &says);
        }
    }
}

#[test]
fn counts_given_twice_or_that_cannot_be_are_refused() {
    let fen = "8/8/8/3k4/8/3K4/2SM4/8 b - 88 20 1";
    assert_fails(tables(), &["probe", fen, "--count", "9"], 2, &["leave one"]);
    let fen = "8/8/8/3k4/8/3K4/2SM4/8 b";
    let args = ["probe", fen, "--count", "4294967295"];
    assert_fails(tables(), &args, 2, &["too large", "moves"]);
    let args = ["probe", fen, "--count", "9", "--limit", "10000"];
    assert_fails(tables(), &args, 2, &["10000 is too large"]);
}

#[test]
fn what_is_no_number_of_moves_is_refused_in_a_sentence() {
    let fen = "8/8/8/3k4/8/3K4/2SM4/8 b";
    for (option, number) in [("--count", "x"), ("--count", "-1"), ("--limit", "1.5")] {
        let mut args = vec!["probe", fen, option, number];
        if option == "--limit" {
            args.extend(["--count", "20"]);
        }
        let run = run(tables(), args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{option} {number}");
        let sentence = format!("{number}' for '{option}");
        assert!(run.err.contains(&sentence), "{}", run.err);
        assert!(
            run.err.contains("give a whole number of moves"),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_material_with_a_letter_that_is_no_mans_is_refused() {
    bad_material("KQvK", &["KQvK", "Q", "K R N S M"]);
    bad_material("KPPPPPPPPPvK", &["11 men", "remove some"]);
}

#[test]
fn a_material_of_kings_alone_is_refused() {
    bad_material("KvK", &["always a draw"]);
}

#[test]
fn a_material_of_too_many_men_is_refused() {
    bad_material("KRNSMMMMMvK", &["10 men", "2 to 8"]);
}

#[test]
fn what_is_no_material_or_set_is_refused() {
    bad_material("KRK", &["KSMvK"]);
    bad_material("KKRvK", &["exactly one K"]);
    for set in ["bare-9", "all-2", "bare-", "all-x"] {
        assert_fails(tables(), &["generate", set], 2, &[set]);
        assert_fails(tables(), &["list", set], 2, &[set]);
        assert_fails(tables(), &["verify", set], 2, &[set]);
    }
}

#[test]
fn wrong_usage_has_exit_code_2() {
    for args in [
        &["generate"][..],
        &["probe"],
        &["frobnicate"],
        &["stats", "KSMvK", "--frobnicate"],
        &["generate", "bare-4", "--memory", "12 apples"],
        &["generate", "bare-4", "--threads", "0"],
        &["probe", "8/8/8/3k4/8/3K4/8/8 w", "--rules", "chess"],
        &["probe", "8/8/8/3k4/8/3K4/8/8 w", "--limit", "16"],
        &["completions", "fortran"],
        &["man", "frobnicate"],
    ] {
        let run = run(tables(), args.iter().copied());
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(!run.err.is_empty() && run.out.is_empty(), "{args:?}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let cases: [(&[&str], [&str; 2]); 4] = [
        (
            &["probe", "-", "--board", "figures"],
            ["draw the board of one position", "a FEN in place of -"],
        ),
        (
            &["study", "KRvK", "--explorer", "http://localhost"],
            ["--explorer is for reports in HTML", "--format html"],
        ),
        (
            &["study", "KRvK", "--format", "csv", "--out", "x.html"],
            ["csv does not fit a file named x.html", "another name"],
        ),
        (
            &["bench", "KRRRRRvK"],
            ["KRRRRRvK has 7 men", "name a smaller ending"],
        ),
    ];
    for (args, says) in cases {
        assert_fails(tables(), args, 2, &says);
    }
}

#[test]
fn a_path_that_names_no_directory_is_refused() {
    let says = ["no directory of tables is given", "SAKMAK_TABLES"];
    assert_fails(Path::new(""), &["list"], 2, &says);
    let probe = ["probe", "8/8/8/8/8/2k5/8/K6R w"];
    assert_fails(Path::new(":"), &probe, 2, &says);
}

#[test]
fn no_text_at_all_makes_the_program_panic() {
    for text in [
        "", "\u{0}", "é", "v", "vvvv", "KvKvK", "////////", "--", "k", "9",
    ] {
        for args in [["probe", text], ["stats", text], ["generate", text]] {
            if text.contains('\0') {
                continue;
            }
            let run = run(tables(), args);
            assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        }
    }
}
