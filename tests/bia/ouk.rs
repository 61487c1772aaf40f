//! Tables with bia under ouk's rules: held against the naive solver of all rule sets, against known
//! figures, and against the values one ply later.

use std::path::Path;
use std::sync::OnceLock;

use sakmak::board::{Color, Fen, Lettering, Position, Square};
use sakmak::generate::{SolvedEndings, generate_verdicts};
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::{Distance, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, CountError, RuleSet, RuleSets, moves_available};
use sakmak::table::{Access, TableFile, TableKind, file_name};
use sakmak::verdict::{self, VerdictFile};
use sakmak::verify::verify_table_and_verdicts;

use crate::answers::{Most, choose, write};
use crate::common::{by_chance, material};
use crate::golden::assert_file_answered;
use crate::making::{make, make_all, make_under};
use crate::naive::Value;
use crate::naive::games::{Aim, Book, Men};

use Color::White;
use RuleSet::{Asean, Makruk, Ouk};

fn with_ouk() -> RuleSets {
    RuleSets::with([Ouk])
}

/// Endings with a bia of either side, of both sides, and with two bia.
const SHARED: [&str; 3] = ["KRPvK", "KRvKP", "KPvKP"];

fn shared() -> &'static (tempfile::TempDir, Tablebase) {
    static TABLES: OnceLock<(tempfile::TempDir, Tablebase)> = OnceLock::new();
    TABLES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let tablebase = make_all(&SHARED, directory.path());
        (directory, tablebase)
    })
}

fn position(fen: &str) -> Position {
    Fen::parse(fen, Lettering::Makruk).unwrap().position
}

fn explicit(limit_plies: u32, counted_plies: u32) -> Count {
    Count::Explicit {
        limit_plies,
        counted_plies,
    }
}

/// The naive solver's value, as a probe of the side to move gives it.
fn distance(value: Value, turn: Color) -> Distance {
    match value {
        Value::Win(winner, moves) => {
            let moves = sakmak::probe::Moves(moves as u16);
            match winner == turn {
                true => Distance::Win(moves),
                false => Distance::Loss(moves),
            }
        }
        _ => Distance::Draw,
    }
}

/// The category that the naive solver's values give with a fresh count.
fn fresh(position: &Position, mate: Value, in_time: Value) -> Category {
    let turn = position.turn();
    let winner = |value| match value {
        Value::Win(winner, _) => Some(winner),
        _ => None,
    };
    let Some(side) = winner(mate) else {
        return Category::Draw;
    };
    let most = moves_available(Ouk, position.material(), side, turn, &Count::Fresh);
    let wins = match in_time {
        Value::Win(_, moves) => most.is_none_or(|most| moves <= most),
        _ => false,
    };
    match (side == turn, wins) {
        (true, true) => Category::Win,
        (true, false) => Category::CursedWin,
        (false, true) => Category::Loss,
        (false, false) => Category::BlessedLoss,
    }
}

/// Asserts that the files give the naive solver's values and verdicts for every position.
fn assert_as_naive(tablebase: &Tablebase, name: &str) {
    let mut book = Book::new(Ouk);
    let mut all: Vec<(Men, Color, Value)> = Vec::new();
    book.each_position(material(name), Aim::Mate, |men, turn, value| {
        all.push((*men, turn, value));
    });
    let mut at = 0;
    let mut found = [0; 5];
    book.each_position(material(name), Aim::InTime, |men, turn, in_time| {
        let (_, _, mate) = all[at];
        at += 1;
        let placed = men
            .iter()
            .map(|man| (Square::wrapping(man.square.into()), man.color, man.role));
        let position = Position::from_men(placed, turn).unwrap();
        let fen = || Fen::new(position).display(Lettering::Makruk).to_string();
        let dtm = tablebase.dtm(&position).unwrap();
        assert_eq!(dtm, distance(mate, turn), "{}", fen());
        let dth = tablebase.dth(&position, Ouk).unwrap();
        assert_eq!(dth, Some(distance(in_time, turn)), "{}", fen());
        let expected = fresh(&position, mate, in_time);
        let verdict = tablebase.by_category().verdict(&position, Ouk).unwrap();
        assert_eq!(verdict, Some(expected), "{}", fen());
        let value = tablebase.probe(&position, Ouk, &Count::Fresh).unwrap();
        assert_eq!(value.category, expected, "{}", fen());
        let place = Category::ALL.iter().position(|&of| of == expected);
        found[place.unwrap()] += 1;
    });
    assert_eq!(at, all.len());
    println!("{name}: {at} positions, by category {found:?}");
}

#[test]
fn files_of_three_men_give_the_naive_solvers_values_and_verdicts() {
    let directory = tempfile::tempdir().unwrap();
    let tablebase = make_all(&["KPvK"], directory.path());
    assert_as_naive(&tablebase, "KPvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn files_of_four_men_give_the_naive_solvers_values_and_verdicts() {
    for name in [
        "KPPvK", "KPvKP", "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KRvKP", "KNvKP", "KSvKP", "KMvKP",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let tablebase = make_all(&[name], directory.path());
        assert_as_naive(&tablebase, name);
    }
}

/// Verifies the tables and verdict tables of an ending and its subendings, from the files.
fn assert_right(set: &str, directory: &Path) {
    let source = |material: CanonicalMaterial| {
        let path = directory.join(file_name(material));
        TableFile::open_as(&path, material, Access::Whole)
    };
    for material in parse_set(set).unwrap() {
        let path = directory.join(verdict::file_name(material));
        let verdicts = VerdictFile::open(&path, Access::Map).unwrap();
        let (verdict, check) = verify_table_and_verdicts(&verdicts, &source).unwrap();
        assert!(verdict.is_right(), "{material}: {verdict:?}");
        let check = check.unwrap();
        assert!(check.is_right(), "{material}: {check:?}");
        println!("{material}: {} positions", check.positions);
    }
}

#[test]
fn tables_and_verdict_tables_are_right() {
    let (directory, _) = shared();
    SHARED
        .iter()
        .for_each(|set| assert_right(set, directory.path()));
}

/// A verdict table for a rule set that the table lacks is an error of its own.
#[test]
fn a_table_is_verified_though_its_verdict_table_has_another_rule_set() {
    let (directory, _) = shared();
    let of_makruk = tempfile::tempdir().unwrap();
    make_under(RuleSets::MAKRUK, "KPvK", of_makruk.path());
    let source = |material: CanonicalMaterial| {
        let path = of_makruk.path().join(file_name(material));
        TableFile::open_as(&path, material, Access::Whole)
    };
    let path = directory.path().join("KPvK.skv");
    let verdicts = VerdictFile::open(&path, Access::Map).unwrap();
    let (verdict, check) = verify_table_and_verdicts(&verdicts, &source).unwrap();
    assert!(verdict.is_right(), "{verdict:?}");
    assert!(check.is_err());
}

#[test]
fn a_table_with_ouk_has_version_7_and_one_of_makruk_alone_stays_at_6() {
    let directory = tempfile::tempdir().unwrap();
    let version = |file: &str| std::fs::read(directory.path().join(file)).unwrap()[8];
    for (rules, versions) in [(RuleSets::MAKRUK, [6, 4]), (with_ouk(), [7, 5])] {
        make_under(rules, "KPPvK", directory.path());
        let material = "KPPvK".parse().unwrap();
        let solved_endings = &mut SolvedEndings::new();
        generate_verdicts(material, rules, directory.path(), solved_endings, &[]).unwrap();
        assert_eq!(["KPPvK.skm", "KPPvK.skv"].map(version), versions);
        let mut tablebase = Tablebase::new();
        tablebase.add_directory(directory.path()).unwrap();
        let inventory = tablebase.inventory();
        assert_eq!(inventory.rule_sets(material).unwrap(), rules);
        assert_eq!(
            inventory
                .rule_sets_of(TableKind::Verdicts, material)
                .unwrap(),
            Some(rules)
        );
    }
}

/// All positions of the whole board with one side to move, those that White wins on the board and
/// those that it wins in time, from the header of the table.
fn white_wins(tablebase: &Tablebase, name: &str, turn: Color) -> [u64; 3] {
    let material: CanonicalMaterial = name.parse().unwrap();
    let inventory = tablebase.inventory();
    let dtm = inventory.statistics(material).unwrap().to_move(turn);
    let dth = inventory.honor_statistics(material, Ouk).unwrap().unwrap();
    let most = moves_available(Ouk, material.material(), White, turn, &Count::Fresh);
    let most = most.map_or(usize::MAX, |most| most as usize);
    let in_time = dth.to_move(turn).white_wins.iter().enumerate();
    let in_time = in_time.filter(|&(moves, _)| moves <= most);
    [
        dtm.legal(),
        dtm.white_wins.iter().sum(),
        in_time.map(|(_, n)| n).sum(),
    ]
}

/// The longest distances with White to move: to mate and to honor.
fn longest(tablebase: &Tablebase, name: &str) -> [usize; 2] {
    let material: CanonicalMaterial = name.parse().unwrap();
    let inventory = tablebase.inventory();
    let dtm = inventory.statistics(material).unwrap();
    let dth = inventory.honor_statistics(material, Ouk).unwrap().unwrap();
    [dtm, dth].map(|of| of.white_to_move.white_wins.len() - 1)
}

#[test]
fn tables_of_a_rook_and_a_bia_win_as_often_as_known() {
    let (_, tablebase) = shared();
    let wins = |name, turn| white_wins(tablebase, name, turn);
    assert_eq!(wins("KRPvK", White), [3_944_668, 3_944_668, 3_942_906]);
    assert_eq!(
        wins("KRPvK", Color::Black),
        [5_124_732, 4_630_748, 4_513_170]
    );
    assert_eq!(longest(tablebase, "KRPvK"), [16, 10]);
    assert_eq!(wins("KRvKP", White), [4_055_036, 4_050_862, 4_050_484]);
    assert_eq!(
        wins("KRvKP", Color::Black),
        [4_982_724, 4_363_752, 4_362_902]
    );
    assert_eq!(longest(tablebase, "KRvKP"), [29, 21]);
}

const GOLDEN: &str = include_str!("../golden/answers-with-bia-in-ouk.csv");

#[test]
fn tables_give_the_golden_answers_of_ouk() {
    let (_, tablebase) = shared();
    assert_file_answered(tablebase, GOLDEN);
}

/// Writes the file anew, when endings or fields are added. Lines that stay keep their answers.
#[test]
#[ignore = "writes tests/golden/answers-with-bia-in-ouk.csv"]
fn write_the_golden_answers_with_bia_in_ouk() {
    let (_, tablebase) = shared();
    let mut chance = fastrand::Rng::with_seed(63);
    let most = Most {
        lines: 16,
        alike: 5,
    };
    let lines = SHARED.iter().flat_map(|name| {
        let positions: Vec<_> = (0..20_000).map(|_| by_chance(&mut chance, name)).collect();
        choose(tablebase, &positions, Ouk, &most)
    });
    let lines: Vec<_> = lines.collect();
    write("answers-with-bia-in-ouk.csv", GOLDEN, &lines);
}

#[test]
fn known_positions_are_drawn_by_a_count_one_move_shorter_than_makruks() {
    let (_, tablebase) = shared();
    let probe = |fen: &str, rules| {
        let value = tablebase.probe(&position(fen), rules, &Count::Fresh);
        let value = value.unwrap();
        let moves = |distance: Distance| distance.moves().map(|moves| moves.0);
        (value.category, moves(value.dtm), value.dth.and_then(moves))
    };
    let rook_and_bia = "8/8/8/2P5/3k4/1R6/8/7K w";
    assert_eq!(
        probe(rook_and_bia, Makruk),
        (Category::Win, Some(15), Some(6))
    );
    assert_eq!(
        probe(rook_and_bia, Ouk),
        (Category::CursedWin, Some(15), None)
    );
    let attacked = "8/8/6R1/Pk6/8/8/7K/8 b";
    let (category, mate, _) = probe(attacked, Makruk);
    assert_eq!((category, mate), (Category::Loss, Some(14)));
    assert_eq!(
        probe(attacked, Ouk),
        (Category::BlessedLoss, Some(14), None)
    );
}

/// Random counts that a position can have in ouk: none, or the board's honor while there are bia or
/// men on both sides.
fn counts(chance: &mut fastrand::Rng) -> [Count; 3] {
    let counted = chance.u32(0..=126);
    let late = chance.u32(84..=126);
    [Count::Fresh, explicit(126, counted), explicit(126, late)]
}

#[test]
fn a_position_under_a_running_count_has_the_value_of_its_best_move() {
    let (_, tablebase) = shared();
    let mut chance = fastrand::Rng::with_seed(6);
    let mut seen = [[0; 5]; 2];
    for name in SHARED {
        for _ in 0..1500 {
            let position = by_chance(&mut chance, name);
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue;
            }
            for count in counts(&mut chance) {
                let value = tablebase.probe(&position, Ouk, &count).unwrap();
                let winner = value.dtm.winner(position.turn());
                let Some(winner) = winner else { continue };
                let best = moves.iter().map(|&m| {
                    let next = position.play(m);
                    let after = count.after(Ouk, &position, &next, winner);
                    -tablebase.probe(&next, Ouk, &after).unwrap().category
                });
                let best = best.max().unwrap();
                let fen = count.to_fen(position, 1);
                let fen = fen.display(Lettering::Makruk);
                assert_eq!(value.category, best, "{fen}");
                assert_eq!(
                    tablebase.category(&position, Ouk, &count).unwrap(),
                    value.category,
                    "{fen}"
                );
                let [least, most] = tablebase
                    .by_category()
                    .bounds(&position, Ouk, &count)
                    .unwrap();
                assert!((least..=most).contains(&value.category), "{fen}");
                let ranked = tablebase.best_moves(&position, Ouk, &count).unwrap();
                assert_eq!(ranked[0].category, value.category, "{fen}");
                let place = Category::ALL.iter().position(|&of| of == value.category);
                seen[usize::from(count != Count::Fresh)][place.unwrap()] += 1;
            }
        }
    }
    println!("{seen:?}");
    let [fresh, running] = seen;
    assert!(fresh[0] > 100 && fresh[4] > 100, "{seen:?}");
    // A win, a cursed win, a blessed loss and a loss under a count.
    let decided = [0, 1, 3, 4].map(|category| running[category]);
    assert!(decided.iter().all(|&number| number > 100), "{seen:?}");
}

#[test]
fn a_table_of_makruk_alone_says_that_ouk_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    make("KRPvK", directory.path());
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    let asked = position("8/8/8/2P5/3k4/1R6/8/7K w");
    for error in [
        tablebase.probe(&asked, Ouk, &Count::Fresh).err(),
        tablebase.dth(&asked, Ouk).err(),
        tablebase.best_moves(&asked, Ouk, &Count::Fresh).err(),
        tablebase.line(&asked, Ouk, &Count::Fresh).err(),
    ] {
        let error = error.unwrap();
        assert!(matches!(error, ProbeError::MissingRules { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "KRPvK.skm has results for makruk only, not for ouk"
        );
    }
    assert!(tablebase.probe(&asked, Makruk, &Count::Fresh).is_ok());
}

#[test]
fn only_the_boards_honor_runs_while_there_are_bia() {
    let (_, tablebase) = shared();
    for fen in ["8/8/8/2P5/3k4/1R6/8/7K w", "8/8/8/3p4/8/k7/8/K6R w"] {
        let asked = position(fen);
        let probe = |rules, limit| {
            let error = tablebase.probe(&asked, rules, &explicit(limit, 12)).err();
            error.map(|error| match error {
                ProbeError::Count(error) => error,
                error => panic!("{error}"),
            })
        };
        assert_eq!(probe(Ouk, 126), None);
        for limit in [30, 86, 128] {
            let error = probe(Ouk, limit).unwrap();
            assert!(matches!(error, CountError::LimitWithBia { .. }), "{error}");
        }
        for limit in [32, 126, 128] {
            let error = probe(Makruk, limit).unwrap();
            assert!(
                matches!(error, CountError::NothingCounted { .. }),
                "{error}"
            );
            assert!(matches!(
                tablebase.probe(&asked, Asean, &explicit(limit, 12)),
                Err(ProbeError::Count(_) | ProbeError::NotInTables(_))
            ));
        }
        // Ouk has no fifty-move rule: a clock changes nothing.
        for plies in [1, 99, 100, 101, 5000] {
            let clock = tablebase
                .probe(&asked, Ouk, &Count::Clock { plies })
                .unwrap();
            assert_eq!(clock, tablebase.probe(&asked, Ouk, &Count::Fresh).unwrap());
        }
    }
}

#[test]
fn a_bia_behind_its_start_or_past_its_promotion_is_not_in_the_tables_of_ouk() {
    for (fen, says) in [
        ("8/8/8/3k4/8/3K4/4P3/8 w", "White's bia on e2 is behind"),
        ("8/8/4P3/8/3k4/8/3K4/8 w", "write M"),
        ("8/4P3/8/8/3k4/8/3K4/8 w", "on or past its promotion rank"),
    ] {
        let error = Ouk.read_fen(fen).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    // The letter of ASEAN chess's met is none of ouk's.
    let error = Ouk.read_fen("8/8/8/3k4/8/3K4/4Q3/8 w").unwrap_err();
    assert!(error.to_string().contains('Q'), "{error}");
}
