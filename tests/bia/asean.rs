//! Tables with bia of ASEAN chess: held against the naive solver of all rule sets, against known
//! figures, and against the values one ply later, at every clock.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use sakmak::board::{Color, Fen, Game, Lettering, Move, Position, Square};
use sakmak::internals::asean_plies;
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::{Distance, Moves, Plies, ProbeError, RankedMove, Tablebase};
use sakmak::rules::{Category, Count, FIFTY_MOVES_PLIES, NotInTables, RuleSet, RuleSets};
use sakmak::table::{Access, TableFile, file_name};
use sakmak::verdict::{self, VerdictFile};
use sakmak::verify::{verify_sample, verify_table, verify_table_and_verdicts, verify_verdicts};

use crate::answers::{Golden, Most, choose, parse, write};
use crate::common::{by_chance, material};
use crate::golden::assert_file_answered;
use crate::making::make_all;
use crate::naive::Value;
use crate::naive::games::{Aim, Book, Men};

use Color::{Black, White};
use RuleSet::{Asean, Makruk};

/// Endings with a bia of either side and with bia of both sides.
const SHARED: [&str; 3] = ["KRPvK-asean", "KSPvK-asean", "KPvKP-asean"];

fn shared() -> &'static (tempfile::TempDir, Tablebase) {
    static TABLES: OnceLock<(tempfile::TempDir, Tablebase)> = OnceLock::new();
    TABLES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let tablebase = make_all(&SHARED, directory.path());
        (directory, tablebase)
    })
}

fn position(fen: &str) -> Position {
    Fen::parse(fen, Lettering::Asean).unwrap().position
}

fn clock(plies: u32) -> Count {
    Count::of_plies(0, plies)
}

/// A distance of the naive solver, as the side to move sees it.
fn distance<L>(value: Value, turn: Color, length: fn(u16) -> L) -> Distance<L> {
    match value {
        Value::Win(winner, n) if winner == turn => Distance::Win(length(n as u16)),
        Value::Win(_, n) => Distance::Loss(length(n as u16)),
        _ => Distance::Draw,
    }
}

/// The category at a clock, from the naive solver's distance to mate and its phase. A mate on the board
/// stands at any clock, as in Fairy-Stockfish.
fn at_clock(turn: Color, mate: Value, phase: Value, clock: u32) -> Category {
    let Value::Win(winner, _) = mate else {
        return Category::Draw;
    };
    let wins =
        matches!(phase, Value::Win(_, plies) if plies == 0 || clock + plies <= FIFTY_MOVES_PLIES);
    match (winner == turn, wins) {
        (true, true) => Category::Win,
        (true, false) => Category::CursedWin,
        (false, true) => Category::Loss,
        (false, false) => Category::BlessedLoss,
    }
}

/// Asserts that the files give the naive solver's values and verdicts for every position, and its
/// category at every clock for one position in `step`.
fn assert_as_naive(tablebase: &Tablebase, name: &str, step: usize) {
    let mut book = Book::new(Asean);
    let mut all: Vec<(Men, Color, Value)> = Vec::new();
    book.each_position(material(name), Aim::Mate, |men, turn, value| {
        all.push((*men, turn, value));
    });
    let (mut at, mut clocks) = (0, 0);
    let mut found = [0; 5];
    book.each_position(material(name), Aim::InTime, |men, turn, phase| {
        let (_, _, mate) = all[at];
        at += 1;
        let placed = men
            .iter()
            .map(|man| (Square::wrapping(man.square.into()), man.color, man.role));
        let position = Position::from_men(placed, turn).unwrap();
        let fen = || Fen::new(position).display(Lettering::Asean).to_string();
        let dtm = tablebase.dtm_in(Game::Asean, &position).unwrap();
        assert_eq!(dtm, distance(mate, turn, Moves), "{}", fen());
        let plies = asean_plies(tablebase, &position).unwrap();
        assert_eq!(plies, distance(phase, turn, Plies), "{}", fen());
        let fresh = at_clock(turn, mate, phase, 0);
        let verdict = tablebase.by_category().verdict(&position, Asean).unwrap();
        assert_eq!(verdict, Some(fresh), "{}", fen());
        let place = Category::ALL.iter().position(|&of| of == fresh);
        found[place.unwrap()] += 1;
        if at % step != 0 {
            return;
        }
        for h in 0..=FIFTY_MOVES_PLIES {
            let expected = at_clock(turn, mate, phase, h);
            let value = tablebase.probe(&position, Asean, &clock(h)).unwrap();
            assert_eq!(value.category, expected, "{} at {h}", fen());
            clocks += 1;
        }
    });
    assert_eq!(at, all.len());
    println!("{name}: {at} positions, by category {found:?}; {clocks} clocks");
    assert!(clocks > 10_000);
}

#[test]
fn files_of_three_men_give_the_naive_solvers_values_and_clocks() {
    let directory = tempfile::tempdir().unwrap();
    let tablebase = make_all(&["KPvK-asean"], directory.path());
    assert_as_naive(&tablebase, "KPvK", 100);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn files_of_four_men_give_the_naive_solvers_values_and_clocks() {
    for name in [
        "KPPvK", "KPvKP", "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KRvKP", "KNvKP", "KSvKP", "KMvKP",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let tablebase = make_all(&[&format!("{name}-asean")], directory.path());
        assert_as_naive(&tablebase, name, 5_000);
    }
}

#[test]
fn tables_and_verdict_tables_are_right() {
    let (directory, tablebase) = shared();
    let source = |material: CanonicalMaterial| {
        let path = directory.path().join(file_name(material));
        TableFile::open_as(&path, material, Access::Whole)
    };
    // Sets share subendings.
    let sets = SHARED.iter().flat_map(|set| parse_set(set).unwrap());
    let with_bia = sets.filter(|material| !material.is_pawnless());
    let materials: BTreeMap<String, CanonicalMaterial> = with_bia
        .map(|material| (material.to_string(), material))
        .collect();
    // These tables and their verdict tables are also verified one by one.
    let apart = ["KPvK-asean", "KSPvK-asean", "KMvKP-asean"];
    assert!(apart.iter().all(|&name| materials.contains_key(name)));
    for (name, material) in materials {
        let path = directory.path().join(verdict::file_name(material));
        let verdicts = VerdictFile::open(&path, Access::Map).unwrap();
        let (verdict, check) = verify_table_and_verdicts(&verdicts, &source).unwrap();
        let check = check.unwrap();
        assert!(verdict.is_right(), "{material}: {verdict:?}");
        assert!(check.is_right(), "{material}: {check:?}");
        if apart.contains(&&*name) {
            let alone = verify_table(material, &source).unwrap();
            let verdicts_alone = verify_verdicts(&verdicts, &source).unwrap();
            assert_eq!((alone, verdicts_alone), (verdict, check), "{material}");
        }
        let sample = verify_sample(material, tablebase, 2_000).unwrap();
        assert!(sample.is_right(), "{material}: {sample:?}");
    }
}

#[test]
fn a_directory_holds_both_games_tables_of_an_ending() {
    let directory = tempfile::tempdir().unwrap();
    let mut tablebase = make_all(&["KPvK-asean", "KPvK"], directory.path());
    let version = |file: &str| std::fs::read(directory.path().join(file)).unwrap()[8];
    let files = ["KPvK-asean.skm", "KPvK-asean.skv"].map(version);
    assert_eq!(files, [7, 5]);
    let inventory = tablebase.inventory();
    let of = |name: &str| inventory.rule_sets(name.parse().unwrap()).unwrap();
    assert_eq!(of("KPvK-asean"), RuleSets::ASEAN);
    assert!(of("KPvK").contains(Makruk) && !of("KPvK").contains(Asean));
    assert!(of("KRvK").contains(Makruk) && of("KRvK").contains(Asean));
    // A bia never mates in makruk, but as a rook of ASEAN chess it does.
    let asked = position("8/P7/8/8/8/8/2K5/k7 w");
    assert_eq!(
        tablebase.probe(&asked, Asean, &Count::Fresh).unwrap().dtm,
        Distance::Win(Moves(1))
    );
    let asked = position("8/8/8/P7/8/2K5/8/k7 w");
    assert_eq!(tablebase.dtm(&asked).unwrap(), Distance::Draw);
    assert!(matches!(
        tablebase.dtm_in(Game::Asean, &asked).unwrap(),
        Distance::Win(_)
    ));
    // A file of makruk under the name of ASEAN chess's is another ending's.
    let (makruk, asean) = ["KPvK.skm", "KPvK-asean.skm"]
        .map(|name| directory.path().join(name))
        .into();
    std::fs::copy(&makruk, &asean).unwrap();
    tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    let error = tablebase.dtm_in(Game::Asean, &asked).unwrap_err();
    assert!(error.to_string().contains("KPvK"), "{error}");
    std::fs::remove_file(&asean).unwrap();
    std::fs::remove_file(directory.path().join("KPvK-asean.skv")).unwrap();
    tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    for error in [
        tablebase.probe(&asked, Asean, &Count::Fresh).err(),
        tablebase.dth(&asked, Asean).err(),
        tablebase.best_moves(&asked, Asean, &Count::Fresh).err(),
        tablebase.line(&asked, Asean, &Count::Fresh).err(),
    ] {
        let error = error.unwrap();
        assert!(
            matches!(&error, ProbeError::Missing { material, .. } if material.to_string() == "KPvK-asean"),
            "{error}"
        );
    }
}

/// All positions of the whole board with one side to move, those that White wins on the board and
/// those that it wins with the clock at 0; then the same of Black's wins.
fn wins(tablebase: &Tablebase, name: &str, turn: Color) -> (u64, [[u64; 2]; 2]) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let inventory = tablebase.inventory();
    let dtm = inventory.statistics(material).unwrap().to_move(turn);
    let dth = inventory
        .honor_statistics(material, Asean)
        .unwrap()
        .unwrap();
    let dth = dth.to_move(turn);
    let won = Color::ALL.map(|winner| [dtm, dth].map(|of| of.wins(winner).iter().sum()));
    (dtm.legal(), won)
}

#[test]
fn tables_win_as_often_as_known() {
    let (_, tablebase) = shared();
    let wins = |name, turn| wins(tablebase, name, turn);
    assert_eq!(wins("KPvK-asean", White), (136_100, [[106_786; 2], [0; 2]]));
    assert_eq!(wins("KPvK-asean", Black), (140_020, [[85_724; 2], [0; 2]]));
    let khon = "KSPvK-asean";
    assert_eq!(wins(khon, White), (7_780_212, [[7_247_982; 2], [0; 2]]));
    assert_eq!(wins(khon, Black), (8_541_220, [[6_658_868; 2], [0; 2]]));
    let both = "KPvKP-asean";
    let won = [[1_884_388; 2], [903_740; 2]];
    assert_eq!(wins(both, White), (5_167_696, won));
    assert_eq!(wins(both, Black), (5_167_696, [won[1], won[0]]));
    let longest = |name: &str| {
        let statistics = tablebase.inventory().statistics(name.parse().unwrap());
        let statistics = statistics.unwrap();
        let lists = Color::ALL.map(|turn| statistics.to_move(turn).white_wins.len());
        lists[0].max(lists[1]) - 1
    };
    assert_eq!(["KPvK-asean", khon, both].map(longest), [31, 33, 32]);
}

#[test]
fn known_positions_have_their_values() {
    let (_, tablebase) = shared();
    let probe = |fen: &str| {
        let value = tablebase.probe(&position(fen), Asean, &Count::Fresh);
        let value = value.unwrap();
        (value.category, value.dtm.moves().map(|moves| moves.0))
    };
    assert_eq!(probe("8/8/8/2P5/3k4/1R6/8/7K w"), (Category::Win, Some(10)));
    assert_eq!(probe("8/8/8/7P/8/1B6/8/1K1k4 w"), (Category::Win, Some(15)));
    assert_eq!(probe("8/8/6R1/Pk6/8/8/7K/8 b"), (Category::Loss, Some(14)));
    // Only one of the four promotions mates; the others are stalemate.
    let corner = position("8/1P6/kBK5/8/8/8/8/8 w");
    let moves = tablebase.best_moves(&corner, Asean, &Count::Fresh).unwrap();
    let uci = |found: &RankedMove| found.m.uci(Lettering::Asean).to_string();
    assert_eq!(uci(&moves[0]), "b7b8n");
    assert!(moves[0].checkmate);
    for letter in ['r', 'b', 'q'] {
        let promotion = format!("b7b8{letter}");
        let found = moves.iter().find(|found| uci(found) == promotion);
        assert_eq!(found.unwrap().category, Category::Draw, "{letter}");
    }
    let line = tablebase
        .line(&position("8/8/8/2P5/3k4/1R6/8/7K w"), Asean, &Count::Fresh)
        .unwrap();
    // Best play mates in as many moves as the distance says.
    assert_eq!(line.moves.len(), 19);
}

#[test]
fn a_position_at_any_clock_has_the_value_of_its_best_move() {
    let (_, tablebase) = shared();
    let mut chance = fastrand::Rng::with_seed(7);
    let mut seen = [0; 5];
    for name in SHARED {
        for _ in 0..1200 {
            let position = by_chance(&mut chance, name);
            let moves = position.legal_moves_in(Game::Asean);
            if moves.is_empty() {
                continue;
            }
            let plies = match chance.bool() {
                true => chance.u32(0..=100),
                false => chance.u32(80..=100),
            };
            let count = clock(plies);
            let value = tablebase.probe(&position, Asean, &count).unwrap();
            let fen = count.to_fen(position, 1);
            let fen = fen.display(Lettering::Asean);
            let Some(winner) = value.dtm.winner(position.turn()) else {
                continue;
            };
            let best = moves.iter().map(|&m| {
                let next = position.play(m);
                let after = count.after(Asean, &position, &next, winner);
                -tablebase.probe(&next, Asean, &after).unwrap().category
            });
            let best = match plies {
                // The game is over before the move.
                100 if winner == position.turn() => Category::CursedWin,
                100 => Category::BlessedLoss,
                _ => best.max().unwrap(),
            };
            assert_eq!(value.category, best, "{fen}");
            let category = tablebase.category(&position, Asean, &count).unwrap();
            assert_eq!(category, value.category, "{fen}");
            let by_category = tablebase.by_category();
            let [least, most] = by_category.bounds(&position, Asean, &count).unwrap();
            assert!((least..=most).contains(&value.category), "{fen}");
            let bounded = by_category.moves(&position, Asean, &count).unwrap();
            for found in &bounded {
                let ranked = tablebase.best_moves(&position, Asean, &count).unwrap();
                let ranked = ranked.iter().find(|ranked| ranked.m == found.m).unwrap();
                let [least, most] = found.bounds;
                assert!(
                    (least..=most).contains(&ranked.category),
                    "{fen} {}",
                    found.m
                );
            }
            let ranked = tablebase.best_moves(&position, Asean, &count).unwrap();
            assert_eq!(ranked[0].category, value.category, "{fen}");
            let place = Category::ALL.iter().position(|&of| of == value.category);
            seen[place.unwrap()] += 1;
        }
    }
    println!("{seen:?}");
    let decided = [0, 1, 3, 4].map(|category| seen[category]);
    assert!(decided.iter().all(|&number| number > 50), "{seen:?}");
}

#[test]
fn a_count_while_bia_stand_is_refused_and_a_clock_is_taken() {
    let (_, tablebase) = shared();
    let asked = position("8/8/8/2P5/3k4/1R6/8/7K w");
    for limit in [32, 86, 126, 128] {
        let count = Count::of_plies(limit, 12);
        let error = tablebase.probe(&asked, Asean, &count).unwrap_err();
        assert!(matches!(error, ProbeError::Count(_)), "{error}");
    }
    let at = |plies| tablebase.probe(&asked, Asean, &clock(plies)).unwrap();
    assert_eq!(at(0).category, Category::Win);
    // A step of the bia sets the clock back with the last ply before the hundredth.
    assert_eq!(at(99).category, Category::Win);
    for plies in [100, 101, 5000] {
        assert_eq!(at(plies).category, Category::CursedWin, "{plies}");
    }
}

#[test]
fn bia_stand_on_ranks_3_to_7_and_promote_by_the_letters_of_the_game() {
    for fen in ["8/8/3P4/8/3k4/8/3K4/8 w", "8/3P4/8/8/3k4/8/3K4/8 w"] {
        assert!(Asean.read_fen(fen).is_ok(), "{fen}");
        let error = Makruk.read_fen(fen).unwrap_err().to_string();
        assert!(error.contains("on or past its promotion rank"), "{error}");
    }
    for (fen, says) in [
        (
            "8/8/8/3k4/8/3K4/3P4/8 w",
            "White's bia on d2 is behind its starting rank; the tables have bia of this side only \
             on ranks 3 to 7",
        ),
        (
            "3P4/8/8/3k4/8/3K4/8/8 w",
            "there is a white bia on d8, its last rank: write the man that it has become",
        ),
    ] {
        let error = Asean.read_fen(fen).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let astray = position("8/8/8/3k4/8/3K4/3P4/8 w");
    let (_, tablebase) = shared();
    assert!(matches!(
        tablebase.probe(&astray, Asean, &Count::Fresh),
        Err(ProbeError::NotInTables(NotInTables::BiaSquare(..)))
    ));
    for letter in ['m', 's', 'k', 'p'] {
        let promotion = format!("d7d8{letter}");
        assert!(Move::from_uci(&promotion, Lettering::Asean).is_err());
    }
    for letter in ['r', 'n', 'b', 'q'] {
        let promotion = format!("d7d8{letter}");
        let m = Move::from_uci(&promotion, Lettering::Asean).unwrap();
        let board = position("8/3P4/8/8/3k4/8/3K4/8 w");
        assert!(board.is_legal_in(Game::Asean, m), "{promotion}");
        assert!(!board.is_legal_in(Game::Asean, Move::new(m.from, m.to)));
    }
}

const GOLDEN: &str = include_str!("../golden/answers-with-bia-in-asean.csv");

#[test]
fn tables_give_the_golden_answers_of_asean_chess() {
    let (_, tablebase) = shared();
    let lines = assert_file_answered(tablebase, GOLDEN);
    let promotions = lines.iter().filter_map(|g| g.best.chars().nth(4));
    assert_eq!(promotions.collect::<BTreeSet<_>>(), ['n', 'r'].into());
}

#[test]
fn the_naive_solver_gives_the_golden_answers_of_three_men_in_asean_chess() {
    confirm_golden(&["KPvK"]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn the_naive_solver_gives_the_golden_answers_of_four_men_in_asean_chess() {
    confirm_golden(&["KRPvK", "KSPvK", "KPvKP"]);
}

/// Asserts that the golden answers of these endings are the naive solver's.
fn confirm_golden(names: &[&str]) {
    let mut book = Book::new(Asean);
    for &name in names {
        let ending = material(name).canonical().0;
        let lines = parse(GOLDEN)
            .into_iter()
            .filter(|golden| golden.material() == ending)
            .map(|golden| (canonical(golden.fen().position), golden));
        let lines: Vec<(Position, Golden)> = lines.collect();
        let mut values = HashMap::new();
        for (at, aim) in [Aim::Mate, Aim::InTime].into_iter().enumerate() {
            book.each_position(material(name), aim, |men, turn, value| {
                let placed = men
                    .iter()
                    .map(|man| (Square::wrapping(man.square.into()), man.color, man.role));
                let position = Position::from_men(placed, turn).unwrap();
                if lines.iter().any(|(asked, _)| *asked == position) {
                    let both = values.entry(position).or_insert([Value::Draw; 2]);
                    both[at] = value;
                }
            });
        }
        assert!(lines.len() > 5, "{name}");
        for (position, golden) in lines {
            let [mate, phase] = values[&position];
            let turn = position.turn();
            let clock = golden.fen().clock;
            assert_eq!(
                golden.category,
                at_clock(turn, mate, phase, clock),
                "{golden}"
            );
            let moves = |value, plies_a_move| match value {
                Value::Win(winner, n) if winner == turn => Some(n.div_ceil(plies_a_move)),
                Value::Win(_, n) => Some(n / plies_a_move),
                _ => None,
            };
            assert_eq!(golden.dtm, moves(mate, 1), "{golden}");
            assert_eq!(golden.dth, moves(phase, 2), "{golden}");
        }
    }
}

/// The position with the side first named as White.
fn canonical(position: Position) -> Position {
    match position.material().canonical().1 {
        true => position.flipped(),
        false => position,
    }
}

/// Writes the file anew, when endings or fields are added. Lines that stay keep their answers.
#[test]
#[ignore = "writes tests/golden/answers-with-bia-in-asean.csv"]
fn write_the_golden_answers_with_bia_in_asean() {
    let (_, tablebase) = shared();
    let mut chance = fastrand::Rng::with_seed(50);
    let most = Most {
        lines: 16,
        alike: 5,
    };
    let lines = ["KPvK-asean"].iter().chain(&SHARED).flat_map(|name| {
        let positions: Vec<_> = (0..20_000).map(|_| by_chance(&mut chance, name)).collect();
        choose(tablebase, &positions, Asean, &most)
    });
    let mut lines: Vec<_> = lines.collect();
    // Only a knight mates.
    let corner = [position("8/1P6/kBK5/8/8/8/8/8 w")];
    let one = Most { lines: 1, alike: 1 };
    lines.extend(choose(tablebase, &corner, Asean, &one));
    write("answers-with-bia-in-asean.csv", GOLDEN, &lines);
}
