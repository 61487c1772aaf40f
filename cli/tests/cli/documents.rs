//! The JSON documents, and the texts for the same answers.

use std::collections::BTreeSet;

use sakmak::table::{Access, Metric, TableFile, TableWriter, WriteOptions};
use serde_json::{Value as Json, json as document};
use tempfile::TempDir;

use crate::common::{copies, json, quoted, run, tables};

/// The names of an object's fields.
fn fields(object: &Json) -> BTreeSet<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(|key| &**key)
        .collect()
}

#[track_caller]
fn assert_has(object: &Json, names: &[&str]) {
    let there = fields(object);
    for name in names {
        assert!(there.contains(name), "{name} is not in {there:?}");
    }
}

fn reference() -> Json {
    let text = include_str!("../../../tests/data/dtm-3-4-men.json");
    serde_json::from_str::<Json>(text).unwrap()["materials"].take()
}

#[test]
fn the_statistics_of_all_endings_against_a_bare_king_are_the_reference_list_by_list() {
    let reference = reference();
    let bare: Vec<_> = fields(&reference)
        .into_iter()
        .filter(|name| name.ends_with("vK"))
        .map(str::to_string)
        .collect();
    assert_eq!(bare.len(), 14);
    for name in bare {
        let stats = json(tables(), ["stats", &name, "--json"]);
        assert_eq!(stats["material"], *name);
        for turn in ["white_to_move", "black_to_move"] {
            let (ours, expected) = (&stats[turn], &reference[&*name][turn]);
            assert_eq!(ours["legal"], expected["legal"], "{name} {turn}");
            assert_eq!(ours["white_wins"], expected["white_wins"], "{name} {turn}");
            assert_eq!(ours["black_wins"], document!([]), "{name} {turn}");
        }
    }
}

#[test]
fn the_statistics_of_an_ending_with_men_on_both_sides_are_the_reference_in_both_directions() {
    let reference = reference();
    let stats = json(tables(), ["stats", "KNvKR", "--json"]);
    assert_eq!(stats["material"], "KRvKN");
    let list = |json: &Json| {
        let mut list: Vec<u64> = serde_json::from_value(json.clone()).unwrap();
        while list.last() == Some(&0) {
            list.pop();
        }
        list
    };
    for (turn, other) in [
        ("white_to_move", "black_to_move"),
        ("black_to_move", "white_to_move"),
    ] {
        let rook_wins = &reference["KRvKN"][turn]["white_wins"];
        let knight_wins = &reference["KNvKR"][other]["white_wins"];
        assert_eq!(list(&stats[turn]["white_wins"]), list(rook_wins), "{turn}");
        assert_eq!(
            list(&stats[turn]["black_wins"]),
            list(knight_wins),
            "{turn}"
        );
    }
}

#[test]
fn statistics_have_the_promised_fields_and_add_up() {
    for name in ["KSMvK", "KRvKN"] {
        let stats = json(tables(), ["stats", name, "--json"]);
        assert_has(
            &stats,
            &["material", "men", "white_to_move", "black_to_move", "rules"],
        );
        let sum = |list: &Json| -> u64 {
            let list = list.as_array().unwrap();
            list.iter().map(|n| n.as_u64().unwrap()).sum()
        };
        let mut legal = vec![];
        for turn in ["white_to_move", "black_to_move"] {
            let counts = &stats[turn];
            let all = counts["legal"].as_u64().unwrap();
            let parts = sum(&counts["white_wins"]) + sum(&counts["black_wins"]);
            assert_eq!(all, parts + counts["draws"].as_u64().unwrap());
            legal.push(all);
        }
        let rules = stats["rules"].as_array().unwrap();
        let names: Vec<_> = rules.iter().map(|rules| &rules["rules"]).collect();
        assert_eq!(names, ["makruk", "asean", "ouk"]);
        for rules in rules {
            assert_has(rules, &["rules", "metric", "limit", "moves_available"]);
            assert_has(rules, &["longest", "longest_inside_count"]);
            assert_has(&rules["longest"], &["fen", "moves"]);
            for (turn, all) in ["white_to_move", "black_to_move"].iter().zip(&legal) {
                assert_has(&rules["moves_available"], &[turn]);
                let names = ["win", "cursed_win", "draw", "blessed_loss", "loss"];
                let results = names.map(|name| rules[turn][name].as_u64().unwrap());
                assert_eq!(results.iter().sum::<u64>(), *all);
            }
            match name {
                "KSMvK" => assert_eq!(rules["metric"], "dtm"),
                _ => {
                    assert_eq!(rules["metric"], "dth");
                    for turn in ["white_to_move", "black_to_move"] {
                        assert_has(&rules["dth"][turn], &["white_wins", "black_wins"]);
                    }
                }
            }
        }
    }
}

#[test]
fn the_longest_positions_are_what_a_probe_says_of_them() {
    let stats = json(tables(), ["stats", "KSMvK", "--json"]);
    for rules in stats["rules"].as_array().unwrap() {
        let name = rules["rules"].as_str().unwrap();
        for (which, category) in [("longest", "cursed-win"), ("longest_inside_count", "win")] {
            let fen = rules[which]["fen"].as_str().unwrap();
            let probe = json(tables(), ["probe", fen, "--rules", name, "--json"]);
            assert_eq!(probe["dtm"], rules[which]["moves"], "{name} {fen}");
            assert_eq!(probe["category"], category, "{name} {fen}");
        }
    }
}

#[test]
fn a_probe_has_the_promised_fields() {
    let probe = json(tables(), ["probe", "8/8/8/3k4/8/3K4/2SM4/8 w", "--json"]);
    let expected = [
        "fen",
        "rules",
        "side_to_move",
        "category",
        "dtm",
        "dth",
        "unit",
        "checkmate",
        "stalemate",
        "insufficient_material",
        "count",
        "moves",
    ];
    assert_eq!(fields(&probe), expected.into_iter().collect());
    assert_eq!(probe["fen"], "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1");
    assert_eq!(probe["rules"], "makruk");
    assert_eq!(probe["side_to_move"], "white");
    assert_eq!(probe["category"], "win");
    assert_eq!(probe["unit"], "moves");
    assert_eq!(probe["dth"], Json::Null);
    let count = document!({
        "kind": "pieces-honor",
        "limit": 44,
        "counted": 4,
        "started": false,
        "moves_available": 41
    });
    assert_eq!(probe["count"], count);
    let expected = [
        "uci",
        "san",
        "for",
        "category",
        "dtm",
        "dth",
        "capture",
        "checkmate",
    ];
    for m in probe["moves"].as_array().unwrap() {
        assert_eq!(fields(m), expected.into_iter().collect());
        assert_eq!(m["for"], "white");
    }
    assert_eq!(probe["moves"][0]["dtm"], probe["dtm"]);
}

#[test]
fn moves_are_ranked_by_category_then_by_distance() {
    let order = ["win", "cursed-win", "draw", "blessed-loss", "loss"];
    for fen in [
        "8/8/8/3k4/8/3K4/2SM4/8 w",
        "8/8/8/3k4/3S4/8/3M4/3K4 b",
        "8/8/8/3k4/3S4/3K4/8/3M4 b",
        "8/8/8/3k4/3n4/3K4/2R5/8 w",
        "8/8/8/3k4/3n4/3K4/2R5/8 b",
    ] {
        let probe = json(tables(), ["probe", fen, "--json"]);
        let two_sided = fen.contains('n');
        let rank = |m: &Json| {
            let category = order
                .iter()
                .position(|name| m["category"] == *name)
                .unwrap() as i64;
            let metric = if two_sided { &m["dth"] } else { &m["dtm"] };
            let moves = metric.as_i64().unwrap_or(0);
            (category, if category < 2 { moves } else { -moves })
        };
        let ranks: Vec<_> = probe["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(rank)
            .collect();
        assert!(ranks.is_sorted(), "{fen}: {ranks:?}");
        assert_eq!(probe["moves"][0]["category"], probe["category"], "{fen}");
    }
}

#[test]
fn a_move_that_takes_and_one_that_mates_are_marked() {
    let probe = json(tables(), ["probe", "8/8/8/3k4/3S4/8/3M4/3K4 b", "--json"]);
    let takes = |m: &&Json| m["capture"] == true;
    let captures: Vec<_> = probe["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(takes)
        .collect();
    assert_eq!(captures.len(), 1);
    assert_eq!(
        (&captures[0]["uci"], &captures[0]["san"]),
        (&"d5d4".into(), &"Kxd4".into())
    );
    let probe = json(tables(), ["probe", "k7/8/1K6/8/8/8/8/7R w", "--json"]);
    assert_eq!(probe["moves"][0]["checkmate"], true);
    assert_eq!(probe["moves"][0]["san"], "Rh8#");
    assert_eq!(probe["dtm"], 1);
}

#[test]
fn mate_stalemate_and_dead_positions_are_told() {
    let probe = |fen: &str| json(tables(), ["probe", fen, "--json"]);
    let mated = probe("k6R/8/1K6/8/8/8/8/8 b");
    assert_eq!(
        (&mated["category"], &mated["dtm"]),
        (&"loss".into(), &0.into())
    );
    assert_eq!(
        (&mated["checkmate"], &mated["moves"]),
        (&true.into(), &document!([]))
    );
    let stuck = probe("7k/5K2/7S/8/8/8/8/8 b");
    assert_eq!(
        (&stuck["stalemate"], &stuck["category"]),
        (&true.into(), &"draw".into())
    );
    assert_eq!(
        (&stuck["checkmate"], &stuck["dtm"]),
        (&false.into(), &Json::Null)
    );
    assert_eq!(stuck["insufficient_material"], false);
    let met = probe("8/8/8/3k4/8/3K4/3M4/8 w");
    assert_eq!(
        (&met["insufficient_material"], &met["category"]),
        (&true.into(), &"draw".into())
    );
    let kings = probe("8/8/8/3k4/8/3K4/8/8 w");
    assert_eq!(kings["insufficient_material"], true);
    assert_eq!(kings["category"], "draw");
}

#[test]
fn an_explicit_count_overrides_the_fresh_one() {
    let fresh = "8/8/8/3k4/8/3K4/2SM4/8 b";
    let dtm = json(tables(), ["probe", fresh, "--json"])["dtm"]
        .as_u64()
        .unwrap();
    for counted in [8, 40, 88 - 2 * dtm, 90 - 2 * dtm] {
        let fen = format!("{fresh} - 88 {counted} 30");
        let probe = json(tables(), ["probe", &fen, "--json"]);
        let available = (88 - counted) / 2;
        assert_eq!(probe["count"]["moves_available"], available);
        assert_eq!(probe["count"]["started"], true);
        let category = if dtm <= available {
            "loss"
        } else {
            "blessed-loss"
        };
        assert_eq!(probe["category"], category, "{fen}");
        // The same in moves, by the options.
        let number = (counted / 2).to_string();
        let args = ["probe", fresh, "--json", "--count", &number];
        let by_option = json(tables(), args);
        assert_eq!(by_option["count"], probe["count"]);
        assert_eq!(by_option["category"], probe["category"]);
    }
    // The limit in force may come from a man that has been taken since.
    let args = ["probe", fresh, "--json", "--count", "7", "--limit", "16"];
    assert_eq!(json(tables(), args)["count"]["moves_available"], 9);
}

#[test]
fn a_count_that_begins_with_the_winner_leaves_a_move_more() {
    let probe = |fen: &str| json(tables(), ["probe", fen, "--json"]);
    let left = |fen: &str| probe(fen)["count"]["moves_available"].clone();
    assert_eq!(left("8/8/8/3k4/3n4/3K4/2R5/8 w - 128 0 1"), 65);
    assert_eq!(left("8/8/8/3k4/3n4/3K4/2R5/8 w - 128 1 1"), 64);
    // The bare king has taken the last bia: White has the 41 moves of a fresh count.
    let fen = "7M/8/1K6/8/8/8/6Sk/8 w - 88 8 1";
    assert_eq!(left(fen), 41);
    let line = json(tables(), ["line", fen, "--json"]);
    let moves = line["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &line["end"]), (81, &"count".into()));
    assert_eq!(
        (&moves[1]["counted"], &moves[79]["counted"]),
        (&5.into(), &44.into())
    );
    assert_eq!(moves[0]["counted"], Json::Null);
}

#[test]
fn counts_that_other_programs_write_are_answered() {
    let probe = |fen: &str| json(tables(), ["probe", fen, "--json"]);
    let board = "8/8/8/3k4/8/3K4/2SM4/8";
    let fresh = probe(&format!("{board} w"));
    // cutechess writes 0 where no count runs.
    for fields in ["w - 0 0 1", "w - 0", "w_-_-_0_1"] {
        assert_eq!(probe(&format!("{board} {fields}"))["count"], fresh["count"]);
    }
    // The usual clock of plies since a capture has no meaning in makruk, and the program says so.
    for fields in ["w - 0 7 1", "w - - 7 1"] {
        let mut clock = probe(&format!("{board} {fields}"));
        let note = clock["count"]["note"].take();
        assert!(
            note.as_str()
                .unwrap()
                .contains("7 plies since the last capture"),
            "{note}"
        );
        clock["count"].as_object_mut().unwrap().remove("note");
        assert_eq!(clock["count"], fresh["count"]);
    }
    assert_eq!(fresh["count"]["note"], Json::Null);
    // A FEN that has forgotten the count.
    let forgotten = probe(&format!("{board} b - 88 0 1"));
    assert_eq!(forgotten["count"]["moves_available"], 44);
    let note = forgotten["count"]["note"].as_str().unwrap();
    assert!(note.contains("begins with the 4 men"), "{note}");
    // A count beyond its limit is over.
    let over = probe(&format!("{board} w - 88 89 1"));
    assert_eq!(over["category"], "cursed-win");
    assert_eq!(over["dtm"], fresh["dtm"]);
    assert_eq!(over["count"]["moves_available"], 0);
    assert_eq!(over["count"]["note"], Json::Null);
}

#[test]
fn the_options_of_a_count_speak_of_moves() {
    let fen = "8/8/8/3k4/8/3K4/2SM4/8 w";
    let count = |args: &[&str]| {
        let args = [&["probe", fen, "--json"], args].concat();
        json(tables(), args)["count"].clone()
    };
    let odd = count(&["--count", "20", "--limit", "100"]);
    assert_eq!((&odd["limit"], &odd["counted"]), (&100.into(), &20.into()));
    assert_eq!(
        odd["note"],
        "no men have a limit of 100 moves in makruk: the limits are 8, 16, 22, 32, 44 and 64"
    );
    // The remedy in the note works.
    assert_eq!(
        count(&["--count", "20", "--limit", "44"])["note"],
        Json::Null
    );
    assert_eq!(count(&["--count", "20", "--limit", "0"])["started"], false);
    assert_eq!(count(&["--count", "50"])["moves_available"], 0);
    let few = count(&["--count", "2"]);
    let note = "2 counted, but in makruk the count begins with the 4 men of KSMvK";
    assert_eq!(few["note"], note);
}

#[test]
fn rule_sets_have_the_names_that_other_programs_use() {
    let fen = "8/8/8/3k4/8/3K4/2SM4/8 w";
    for name in ["cambodian", "Cambodian", "OUK"] {
        let answer = json(tables(), ["probe", fen, "--json", "--rules", name]);
        assert_eq!(answer["rules"], "ouk");
        assert_eq!(answer["count"]["moves_available"], 40);
    }
}

#[test]
fn a_probe_says_in_words_which_count_decides() {
    let text = |args: &[&str]| run(tables(), args.iter().copied()).out;
    let fen = "7M/8/1K6/8/8/8/6Sk/8 w";
    let makruk = text(&["probe", fen]);
    let says = "cursed-win: White mates in 57, but the count leaves 41: count draw";
    assert!(makruk.contains(says), "{makruk}");
    let game = text(&["probe", "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78"]);
    assert!(game.contains("and the count leaves 59"), "{game}");
    assert!(game.contains("5 of 64 counted"), "{game}");
    let words = ["probe", "8/8/8/3k4/8/3K4/2SM4/8", "w"];
    assert!(text(&words).contains("win: "), "a FEN needs no quotes");
}

#[test]
fn a_capture_that_throws_the_win_away_ranks_below_the_quiet_move_that_keeps_it() {
    // The king could take the knight, but K+R v K then needs one move more than its count leaves.
    let fen = "8/3k4/8/8/8/8/1nK5/2R5 w";
    let probe = json(tables(), ["probe", fen, "--json"]);
    assert_eq!(
        (&probe["category"], &probe["dth"]),
        (&"win".into(), &4.into())
    );
    let moves = probe["moves"].as_array().unwrap();
    let best = &moves[0];
    assert_eq!(
        (&best["san"], &best["category"]),
        (&"Kb3".into(), &"win".into())
    );
    assert_eq!((&best["dth"], &best["dtm"]), (&4.into(), &16.into()));
    let takes = moves.iter().find(|m| m["san"] == "Kxb2").unwrap();
    assert_eq!(
        (&takes["category"], &takes["dtm"]),
        (&"cursed-win".into(), &15.into())
    );
    assert_eq!(takes["dth"], Json::Null);
    // In ASEAN chess nothing is subtracted from the limit, so there the capture is good.
    let asean = json(tables(), ["probe", fen, "--rules", "asean", "--json"]);
    let moves = asean["moves"].as_array().unwrap();
    let takes = moves.iter().find(|m| m["san"] == "Kxb2").unwrap();
    assert_eq!(
        (&takes["category"], &takes["dth"]),
        (&"win".into(), &1.into())
    );
}

#[test]
fn the_list_has_tables_checksums_and_what_is_missing() {
    let directory = copies(&["KRvK", "KSvK"]);
    let listed = run(directory.path(), ["list", "KSMvK", "--json"]);
    assert_eq!(listed.code, 1, "some are missing");
    let list: Json = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(list["missing"], document!(["KMvK", "KSMvK"]));
    let table = &list["tables"][0];
    let bytes = std::fs::read(directory.path().join("KSvK.skm")).unwrap();
    assert_eq!(table["material"], "KSvK");
    assert_eq!(table["men"], 3);
    assert_eq!(table["bytes"], bytes.len());
    assert_eq!(table["blake3"], blake3::hash(&bytes).to_hex().as_str());
    let text = run(directory.path(), ["list"]);
    assert!(
        text.out.contains("KRvK") && text.out.contains("2 tables"),
        "{}",
        text.out
    );
    let empty = TempDir::new().unwrap();
    assert_eq!(run(empty.path(), ["list"]).out, "no tables\n");
}

#[test]
fn verify_finds_nothing_wrong_with_what_was_made() {
    let all = json(tables(), ["verify", "KSMvK", "KRvKN", "--json"]);
    assert_eq!(all["right"], true);
    assert_eq!(all["tables"].as_array().unwrap().len(), 6);
    for table in all["tables"].as_array().unwrap() {
        assert_eq!(
            (&table["right"], &table["problem"]),
            (&true.into(), &Json::Null)
        );
        assert!(table["positions"].as_u64().unwrap() > 10_000);
    }
    let checksums = run(tables(), ["verify", "--checksums-only"]);
    assert_eq!(checksums.code, 0, "{}", checksums.err);
    assert_eq!(checksums.out.lines().count(), 14 + 2 + 1);
    let sample = json(tables(), ["verify", "KNMMvK", "--sample", "500", "--json"]);
    assert_eq!(
        sample["tables"].as_array().unwrap().last().unwrap()["positions"],
        500
    );
}

#[test]
fn verify_needs_the_smaller_tables_and_says_how_to_make_them() {
    let directory = copies(&["KSMvK", "KMvK"]);
    let missing = run(directory.path(), ["verify", "KSMvK"]);
    assert_eq!(missing.code, 1, "{}", missing.err);
    assert!(
        missing.err.contains("sakmak generate KSvK"),
        "{}",
        missing.err
    );
}

#[test]
fn verify_tells_a_wrong_value_from_a_damaged_file() {
    // Its checksums are correct, but every position in it is a draw.
    let directory = copies(&[]);
    let good = TableFile::open(&tables().join("KRvK.skm"), Access::Blocks).unwrap();
    let section = good.section(Metric::Dtm).unwrap().header();
    let material = good.material();
    let path = directory.path().join("KRvK.skm");
    let mut writer = TableWriter::create(&path, material, WriteOptions::default()).unwrap();
    let draws = vec![0u16; section.cells as usize];
    writer
        .add_section(section.info.clone(), &draws, &|_| {})
        .unwrap();
    writer.finish().unwrap();
    for args in [&["verify"][..], &["verify", "--sample", "100"]] {
        let wrong = run(directory.path(), args.iter().copied());
        assert_eq!(wrong.code, 1, "{}", wrong.err);
        for part in [
            "KRvK is wrong",
            "distances differ",
            &format!(
                "`sakmak generate --force KRvK --tables {}`",
                quoted(directory.path())
            ),
        ] {
            assert!(wrong.err.contains(part), "{}", wrong.err);
        }
        assert!(wrong.out.starts_with("KRvK: FAILED: "), "{}", wrong.out);
        assert_eq!(wrong.out.lines().count(), 1);
    }
    let checksums = run(directory.path(), ["verify", "--checksums-only"]);
    assert_eq!(checksums.code, 0, "{}", checksums.err);
}

#[test]
fn generate_prints_one_document_too() {
    let made = json(tables(), ["generate", "bare-4", "--json"]);
    let lines = made["tables"].as_array().unwrap();
    assert_eq!(lines.len(), 14);
    for line in lines {
        assert_has(
            line,
            &[
                "material", "men", "made", "file", "bytes", "longest", "makruk",
            ],
        );
        assert_eq!(line["made"], false);
    }
}

#[test]
fn the_clock_of_a_fen_decides_in_asean_chess() {
    let probe = |fen: &str| json(tables(), ["probe", fen, "--rules", "asean", "--json"]);
    let board = "k7/8/5R2/8/8/8/8/K1n5 w";
    let fresh = probe(board);
    assert_eq!(
        (&fresh["category"], &fresh["count"]["kind"]),
        (&"win".into(), &"fifty-moves".into())
    );
    let moves = fresh["dth"].as_u64().unwrap();
    assert_eq!(fresh["count"]["moves_available"], 50);
    // Its last move is the last ply but one or two before the draw.
    for (plies, category) in [
        (100 - 2 * moves, "win"),
        (101 - 2 * moves, "win"),
        (102 - 2 * moves, "cursed-win"),
    ] {
        let found = probe(&format!("{board} - - {plies} 60"));
        assert_eq!(found["category"], category, "{plies}");
        assert_eq!(found["count"]["moves_available"], (101 - plies) / 2);
        assert_eq!(found["moves"][0]["category"], category);
    }
    // Against a bare king the count is as old as the clock.
    let bare = "8/8/8/3k4/8/3K4/2R5/8 b";
    let found = probe(&format!("{bare} - - 12 60"));
    assert_eq!(
        found["count"],
        probe(&format!("{bare} - 32 12 60"))["count"]
    );
}
