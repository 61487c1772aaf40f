//! Figures and positions of endings with bia under all three rule sets, by the naive solver that
//! has moves of its own.

use std::collections::BTreeSet;

use sakmak::board::{Color, Fen, Game, Lettering, Move, Position, Role, Square, SquareSet};
use sakmak::generate::SolvedEndings;
use sakmak::internals::Goal;
use sakmak::rules::RuleSet;

use crate::common::{material, solve, value};
use crate::naive::Value;
use crate::naive::games::{Aim, Book, Men, moves_left};

use Color::White;
use RuleSet::{Asean, Makruk, Ouk};

/// The positions of an ending with one side to move: all, and those that each side wins on the
/// board and in time; the longest distances.
#[derive(Debug, Default)]
struct Figures {
    positions: u32,
    wins: [[u32; 2]; 2],
    longest: [u32; 2],
}

impl Figures {
    /// All positions, and those that White wins on the board and in time.
    fn white(&self) -> [u32; 3] {
        let [board, in_time] = self.wins[0];
        [self.positions, board, in_time]
    }
}

/// The figures with White and with Black to move.
fn figures(book: &mut Book, name: &str) -> [Figures; 2] {
    let mut found: [Figures; 2] = Default::default();
    for (i, aim) in [Aim::Mate, Aim::InTime].into_iter().enumerate() {
        found.iter_mut().for_each(|figures| figures.positions = 0);
        book.each_position(material(name), aim, |_, turn, value| {
            let found = &mut found[turn.index()];
            found.positions += 1;
            if let Value::Win(winner, distance) = value {
                found.wins[winner.index()][i] += 1;
                found.longest[i] = found.longest[i].max(distance);
            }
        });
    }
    println!("{name}: {found:?}");
    found
}

/// The longest distances with either side to move.
fn longest([white, black]: &[Figures; 2]) -> [u32; 2] {
    [0, 1].map(|i| white.longest[i].max(black.longest[i]))
}

fn position(fen: &str, lettering: Lettering) -> Position {
    Fen::parse(fen, lettering).unwrap().position
}

/// Asserts that White wins in so many moves on the board, and at this distance in time if at all.
fn assert_won(book: &mut Book, fen: &str, mate: u32, in_time: Option<u32>) {
    let position = position(fen, Lettering::Makruk);
    assert_eq!(
        book.value(&position, Aim::Mate),
        Value::Win(White, mate),
        "{fen}"
    );
    let expected = in_time.map_or(Value::Draw, |distance| Value::Win(White, distance));
    assert_eq!(book.value(&position, Aim::InTime), expected, "{fen}");
}

/// The moves to mate after a move, and the moves that a count which starts then leaves White.
fn after(book: &mut Book, fen: &str, uci: &str) -> (u32, u32) {
    let position = position(fen, Lettering::Makruk);
    let m = uci.parse().unwrap();
    assert!(position.legal_moves().contains(&m));
    let after = position.play(m);
    let Value::Win(White, mate) = book.value(&after, Aim::Mate) else {
        panic!("{fen} {uci}: not won");
    };
    let to_move = after.turn() == White;
    (mate, moves_left(book.rules(), &Men::of(&after), to_move))
}

#[test]
fn a_bia_alone_wins_as_often_as_known_in_asean_chess() {
    let mut book = Book::new(Asean);
    let found = figures(&mut book, "KPvK");
    assert_eq!(found[0].white(), [136_100, 106_786, 106_786]);
    assert_eq!(found[1].white(), [140_020, 85_724, 85_724]);
    assert_eq!(longest(&found), [31, 20]);
}

#[test]
fn a_bia_alone_never_wins_in_makruk_and_ouk() {
    for rules in [Makruk, Ouk] {
        let found = figures(&mut Book::new(rules), "KPvK");
        assert_eq!(found.map(|figures| figures.wins), [[[0; 2]; 2]; 2]);
    }
}

const ROOK_AND_BIA: &str = "8/8/8/2P5/3k4/1R6/8/7K w";
const BIA_UNDER_ATTACK: &str = "8/8/6R1/Pk6/8/8/7K/8 b";
const KHON_AND_BIA: &str = "8/8/8/7P/8/1S6/8/1K1k4 w";
const KHON_MET_AND_BIA: &str = "5S2/8/M7/7K/8/5P2/4k3/8 b";

#[test]
#[ignore = "slow: run with --ignored"]
fn endings_of_makruk_are_as_known() {
    let mut book = Book::new(Makruk);
    let found = figures(&mut book, "KRPvK");
    assert_eq!(found[0].white(), [3_944_668, 3_944_668, 3_944_380]);
    assert_eq!(found[1].white(), [5_124_732, 4_630_748, 4_593_768]);
    assert_eq!(found[0].longest[1], 9);
    assert_won(&mut book, ROOK_AND_BIA, 15, Some(6));
    let lost = position(BIA_UNDER_ATTACK, Lettering::Makruk);
    assert_eq!(book.value(&lost, Aim::Mate), Value::Win(White, 14));
    assert!(matches!(
        book.value(&lost, Aim::InTime),
        Value::Win(White, _)
    ));
    assert_eq!(after(&mut book, BIA_UNDER_ATTACK, "b5a5"), (14, 14));
    let found = figures(&mut book, "KSPvK");
    assert_eq!(found[0].white(), [4_670_346, 3_772_646, 3_731_732]);
    assert_eq!(found[1].white(), [5_124_732, 2_952_418, 2_912_438]);
    assert_eq!(found[0].longest[1], 21);
    assert_won(&mut book, KHON_AND_BIA, 45, Some(14));
    assert_eq!(after(&mut book, KHON_MET_AND_BIA, "e2f3"), (44, 41));
}

#[test]
#[ignore = "slow: run with --ignored"]
fn endings_of_ouk_are_as_known() {
    let mut book = Book::new(Ouk);
    let found = figures(&mut book, "KRPvK");
    assert_eq!(found[0].white(), [3_944_668, 3_944_668, 3_942_906]);
    assert_eq!(found[1].white(), [5_124_732, 4_630_748, 4_513_170]);
    assert_eq!(found[0].longest, [16, 10]);
    assert_won(&mut book, ROOK_AND_BIA, 15, None);
    assert_eq!(after(&mut book, ROOK_AND_BIA, "c5c6m"), (14, 11));
    assert_won(&mut book, BIA_UNDER_ATTACK, 14, None);
    assert_eq!(after(&mut book, BIA_UNDER_ATTACK, "b5a5"), (14, 13));
    assert_won(&mut book, KHON_AND_BIA, 45, None);
    assert_eq!(after(&mut book, KHON_MET_AND_BIA, "e2f3"), (44, 40));
    let found = figures(&mut book, "KRvKP");
    assert_eq!(found[0].white(), [4_055_036, 4_050_862, 4_050_484]);
    assert_eq!(found[1].white(), [4_982_724, 4_363_752, 4_362_902]);
    assert_eq!(found[0].longest, [29, 21]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn a_khon_and_a_bia_win_as_often_as_known_in_asean_chess() {
    let mut book = Book::new(Asean);
    let found = figures(&mut book, "KSPvK");
    assert_eq!(found[0].white(), [7_780_212, 7_247_982, 7_247_982]);
    assert_eq!(found[1].white(), [8_541_220, 6_658_868, 6_658_868]);
    assert_eq!(longest(&found), [33, 26]);
    let khon_and_bia = position(KHON_AND_BIA, Lettering::Makruk);
    assert_eq!(book.value(&khon_and_bia, Aim::Mate), Value::Win(White, 15));
    assert!(matches!(
        book.value(&khon_and_bia, Aim::InTime),
        Value::Win(White, _)
    ));
    assert_eq!(after(&mut book, KHON_MET_AND_BIA, "e2f3"), (44, 45));
    // Only one of the four promotions mates; the others are stalemate.
    let corner = position("8/1P6/kBK5/8/8/8/8/8 w", Lettering::Asean);
    assert_eq!(book.value(&corner, Aim::Mate), Value::Win(White, 1));
    for (letter, value) in [
        ('n', Value::Win(White, 0)),
        ('r', Value::Draw),
        ('b', Value::Draw),
        ('q', Value::Draw),
    ] {
        let m = Move::from_uci(&format!("b7b8{letter}"), Lettering::Asean).unwrap();
        assert!(corner.legal_moves_in(Game::Asean).contains(&m));
        assert_eq!(book.value(&corner.play(m), Aim::InTime), value, "{letter}");
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn a_rook_and_a_bia_win_two_positions_as_known_in_asean_chess() {
    let mut book = Book::new(Asean);
    for (fen, mate) in [(ROOK_AND_BIA, 10), (BIA_UNDER_ATTACK, 14)] {
        let position = position(fen, Lettering::Makruk);
        assert_eq!(
            book.value(&position, Aim::Mate),
            Value::Win(White, mate),
            "{fen}"
        );
        let in_time = book.value(&position, Aim::InTime);
        assert!(matches!(in_time, Value::Win(White, _)), "{fen}");
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn a_bia_on_both_sides_wins_as_often_as_known_in_asean_chess() {
    let found = figures(&mut Book::new(Asean), "KPvKP");
    assert_eq!(found[0].positions, 5_167_696);
    assert_eq!(found[0].wins, [[1_884_388; 2], [903_740; 2]]);
    // The same with the colours exchanged.
    assert_eq!(found[1].positions, 5_167_696);
    assert_eq!(found[1].wins, [[903_740; 2], [1_884_388; 2]]);
    assert_eq!(longest(&found), [32, 21]);
}

/// The naive solver's moves, written by themselves, are the board's.
#[test]
fn naive_moves_are_those_of_the_board() {
    let mut chance = fastrand::Rng::with_seed(61);
    let mut promotions = [0; 3];
    for _ in 0..30_000 {
        let rules = RuleSet::ALL[chance.usize(0..3)];
        let game = rules.game();
        let men = (0..chance.usize(2..=5)).map(|i| {
            let color = if i < 2 {
                Color::ALL[i]
            } else {
                Color::ALL[chance.usize(0..2)]
            };
            let role = if i < 2 {
                Role::King
            } else {
                Role::MEN[chance.usize(0..5)]
            };
            let squares = match role {
                Role::Bia => game.bia_home(color),
                _ => SquareSet::ALL,
            };
            let square = squares.into_iter().nth(chance.usize(0..squares.len()));
            (square.unwrap(), color, role)
        });
        let men: Vec<_> = men.collect();
        let turn = Color::ALL[chance.usize(0..2)];
        let Ok(position) = Position::from_men(men, turn) else {
            continue;
        };
        let written = |men: &Men| {
            let mut men = men.to_vec();
            men.sort_unstable();
            men
        };
        let mut naive = BTreeSet::new();
        Men::of(&position).each_move(rules, turn, |after, _| {
            if after.are_legal(rules, !turn) {
                naive.insert(written(&after));
            }
            true
        });
        let moves = position.legal_moves_in(game);
        let board: BTreeSet<_> = moves
            .iter()
            .map(|&m| written(&Men::of(&position.play(m))))
            .collect();
        assert_eq!(naive, board, "{rules} {position:?}");
        assert_eq!(naive.len(), moves.len());
        promotions[usize::from(rules.id())] +=
            moves.iter().filter(|m| m.promotion.is_some()).count();
    }
    assert!(
        promotions.iter().all(|&found| found > 300),
        "{promotions:?}"
    );
}

/// The goal of a win in time.
fn in_time(rules: RuleSet) -> Goal {
    match rules {
        Makruk | Ouk => Goal::Honor(rules),
        Asean => Goal::Zeroing,
    }
}

/// The solver and the naive solver agree on every position of an ending, on the board and in time.
fn assert_as_naive(rules: RuleSet, name: &str) {
    let (mut book, mut solved_endings) = (Book::new(rules), SolvedEndings::new());
    let ending = material(name).in_game(rules.game());
    for (aim, goal) in [(Aim::Mate, Goal::Mate), (Aim::InTime, in_time(rules))] {
        let solved = solve(&mut solved_endings, ending, goal);
        let (mut positions, mut wins) = (0, 0);
        book.each_position(material(name), aim, |men, turn, expected| {
            let on = |color, role| {
                let like = men
                    .iter()
                    .filter(|man| (man.color, man.role) == (color, role));
                like.map(|man| Square::wrapping(man.square.into()))
                    .collect()
            };
            assert_eq!(
                value(&solved, turn, on),
                expected,
                "{name} {aim:?} {turn} {:?}",
                &**men
            );
            positions += 1;
            wins += u64::from(expected != Value::Draw);
        });
        println!("{rules} {name} {aim:?}: {positions} positions, {wins} won");
        assert!(positions > 0);
    }
}

#[test]
fn three_men_are_as_the_naive_solver_has_them() {
    for rules in RuleSet::ALL {
        assert_as_naive(rules, "KPvK");
    }
}

const FOUR_MEN: [&str; 10] = [
    "KPPvK", "KPvKP", "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KRvKP", "KNvKP", "KSvKP", "KMvKP",
];

#[test]
#[ignore = "slow: run with --ignored"]
fn four_men_are_as_the_naive_solver_has_them_in_makruk() {
    FOUR_MEN
        .iter()
        .for_each(|name| assert_as_naive(Makruk, name));
}

#[test]
#[ignore = "slow: run with --ignored"]
fn four_men_are_as_the_naive_solver_has_them_in_ouk() {
    FOUR_MEN.iter().for_each(|name| assert_as_naive(Ouk, name));
}

#[test]
#[ignore = "slow: run with --ignored"]
fn four_men_are_as_the_naive_solver_has_them_in_asean_chess() {
    FOUR_MEN
        .iter()
        .for_each(|name| assert_as_naive(Asean, name));
}
