//! Tables with bia return what was solved, through every interface.

use sakmak::board::{Color, Fen, Lettering, Move, Position};
use sakmak::internals::Goal;
use sakmak::probe::{Distance, End, Moves, ProbeError};
use sakmak::rules::{Category, Count, LimitKind, NotInTables, RuleSet};

use crate::common::{HONOR, Libraries, SHARED, by_chance, shared_tables, tables};

const MAKRUK: RuleSet = RuleSet::Makruk;

fn position(fen: &str) -> Position {
    Fen::parse(fen, Lettering::Makruk).unwrap().position
}

/// The solver's result in the form of a probe.
fn solved(libraries: &mut Libraries, goal: Goal, position: &Position) -> Distance {
    let turn = position.turn();
    for winner in Color::ALL {
        if let Some(moves) = libraries.moves(winner, goal, position) {
            let moves = Moves(moves as u16);
            return match winner == turn {
                true => Distance::Win(moves),
                false => Distance::Loss(moves),
            };
        }
    }
    Distance::Draw
}

#[test]
fn both_sides_to_move_are_answered_as_they_were_solved() {
    let tablebase = shared_tables();
    let mut libraries = Libraries::default();
    let mut chance = fastrand::Rng::with_seed(45);
    let mut stored = [0; 2];
    for name in SHARED {
        for _ in 0..1500 {
            let position = by_chance(&mut chance, name);
            let fen = Fen::new(position).display(Lettering::Makruk).to_string();
            let [dtm, dth] =
                [Goal::Mate, HONOR].map(|goal| solved(&mut libraries, goal, &position));
            assert_eq!(tablebase.dtm(&position).unwrap(), dtm, "{fen}");
            assert_eq!(
                tablebase.dth(&position, MAKRUK).unwrap(),
                Some(dth),
                "{fen}"
            );
            let category = match (dth, dtm) {
                (Distance::Win(_), _) => Category::Win,
                (Distance::Loss(_), _) => Category::Loss,
                (_, Distance::Win(_)) => Category::CursedWin,
                (_, Distance::Loss(_)) => Category::BlessedLoss,
                _ => Category::Draw,
            };
            let value = tablebase.probe(&position, MAKRUK, &Count::Fresh).unwrap();
            assert_eq!((value.category, value.allowance), (category, None), "{fen}");
            let alone = tablebase.category(&position, MAKRUK, &Count::Fresh);
            assert_eq!(alone.unwrap(), category, "{fen}");
            let moves = tablebase.best_moves(&position, MAKRUK, &Count::Fresh);
            let moves = moves.unwrap();
            assert_eq!(moves.len(), position.legal_moves().len());
            if let Some(best) = moves.first() {
                assert_eq!((best.category, best.dth), (category, Some(dth)), "{fen}");
                let furthest = moves.iter().map(|ranked| ranked.dtm).max();
                assert_eq!(furthest, Some(dtm), "{fen}");
            }
            stored[usize::from(tablebase.is_stored(&position).unwrap())] += 1;
        }
    }
    assert!(stored.into_iter().all(|some| some > 2000), "{stored:?}");
}

#[test]
fn many_are_answered_as_one() {
    let tablebase = shared_tables();
    let mut chance = fastrand::Rng::with_seed(7);
    let mut positions: Vec<Position> = ["KSPvK", "KPvKP", "KSMvK"]
        .into_iter()
        .flat_map(|name| {
            (0..200)
                .map(|_| by_chance(&mut chance, name))
                .collect::<Vec<_>>()
        })
        .collect();
    chance.shuffle(&mut positions);
    let answers = tablebase.probe_many(&positions, MAKRUK, &Count::Fresh);
    for (position, answer) in positions.iter().zip(answers) {
        let alone = tablebase.probe(position, MAKRUK, &Count::Fresh).unwrap();
        assert_eq!(answer.unwrap(), alone);
    }
}

#[test]
fn a_promotion_that_comes_too_early_says_what_its_count_leaves() {
    let tablebase = shared_tables();
    for (fen, only, honor, promotion, to_mate, left) in [
        ("8/8/8/7P/8/1S6/8/1K1k4 w", "b3c4", 14, "h5h6m", 44, 40),
        ("8/8/8/2P5/3k4/1R6/8/7K w", "b3b5", 0, "c5c6m", 14, 12),
    ] {
        let fen = MAKRUK.read_fen(fen).unwrap();
        let answer = tablebase
            .answer(&fen, MAKRUK)
            .unwrap()
            .with_distances()
            .unwrap();
        assert_eq!(answer.value.category, Category::Win);
        let [best, second, ..] = &answer.moves[..] else {
            panic!("there are many moves");
        };
        assert_eq!(best.m.to_string(), only);
        if honor > 0 {
            assert_eq!(best.dth, Some(Distance::Win(Moves(honor))));
        }
        assert!(second.category < Category::Win);
        let promoted = answer
            .moves
            .iter()
            .find(|ranked| ranked.m.to_string() == promotion);
        let promoted = promoted.unwrap();
        assert_eq!(promoted.category, Category::CursedWin);
        assert_eq!(promoted.dtm, Distance::Win(Moves(to_mate + 1)));
        assert_eq!(promoted.dth, Some(Distance::Draw));
        let begins = promoted.begins.unwrap();
        assert_eq!(
            (begins.kind, begins.moves_available),
            (LimitKind::PiecesHonor, left)
        );
        let (_, count) = answer.after(promoted);
        assert!(count.running().is_some());
        // The other moves begin no count.
        assert_eq!(
            answer
                .moves
                .iter()
                .filter(|ranked| ranked.begins.is_some())
                .count(),
            1
        );

        let line = tablebase
            .line(&fen.position, MAKRUK, &Count::Fresh)
            .unwrap();
        assert_eq!(line.end, End::Checkmate);
        assert!(line.count.running().is_some());
        let before = line
            .moves
            .iter()
            .filter(|played| !played.before.is_pawnless());
        assert!(before.clone().all(|played| played.counted.is_none()));
        assert!(line.moves.iter().any(|played| played.counted.is_some()));
        if honor > 0 {
            let moves = before.filter(|played| played.before.turn() == Color::White);
            assert_eq!(moves.count(), usize::from(honor));
        }
    }
}

#[test]
fn a_side_that_has_to_end_the_last_bia_has_lost_in_no_move() {
    let tablebase = shared_tables();
    let mut chance = fastrand::Rng::with_seed(3);
    let mut found = 0;
    while found < 3 {
        let position = by_chance(&mut chance, "KRPvK");
        let dth = tablebase.dth(&position, MAKRUK).unwrap();
        if dth != Some(Distance::Loss(Moves(0))) || position.is_checkmate() {
            continue;
        }
        found += 1;
        let ends = |&m: &Move| position.play(m).is_pawnless();
        let moves = position.legal_moves();
        assert!(!moves.is_empty() && moves.iter().all(ends));
        let answer = tablebase.best_moves(&position, MAKRUK, &Count::Fresh);
        for ranked in answer.unwrap() {
            assert_eq!(ranked.dth, Some(Distance::Loss(Moves(0))));
            let Distance::Loss(Moves(moves)) = ranked.dtm else {
                panic!("a loss");
            };
            assert!(ranked.begins.unwrap().moves_available >= u32::from(moves));
        }
    }
}

#[test]
fn what_the_tables_with_bia_have_not_is_refused_in_words() {
    let (_directory, tablebase) = tables(&["KPvK"]);
    let king = position("8/8/8/3k4/3P4/3K4/8/8 w");
    let (rules, fresh) = (RuleSet::Asean, Count::Fresh);
    let says = |error: ProbeError| {
        let missing = matches!(&error, ProbeError::Missing { material, .. } if material.to_string() == "KPvK-asean");
        assert!(missing, "{error}");
    };
    says(tablebase.probe(&king, rules, &fresh).unwrap_err());
    says(tablebase.category(&king, rules, &fresh).unwrap_err());
    says(tablebase.best_moves(&king, rules, &fresh).unwrap_err());
    says(
        tablebase
            .by_category()
            .moves(&king, rules, &fresh)
            .unwrap_err(),
    );
    says(tablebase.dth(&king, rules).unwrap_err());
    for astray in ["8/8/8/3k4/8/3K4/3P4/8 w", "8/3P4/8/3k4/8/3K4/8/8 b"] {
        let astray = position(astray);
        let says = |error: ProbeError| {
            let is_astray = matches!(error, ProbeError::NotInTables(NotInTables::BiaSquare(..)));
            assert!(is_astray, "{error}");
        };
        says(tablebase.dtm(&astray).unwrap_err());
        says(tablebase.dth(&astray, MAKRUK).unwrap_err());
        says(tablebase.probe(&astray, MAKRUK, &Count::Fresh).unwrap_err());
        says(tablebase.is_stored(&astray).unwrap_err());
    }
    // A count runs only when no bia is left.
    let count = Count::of_plies(128, 4);
    assert!(matches!(
        tablebase.probe(&king, MAKRUK, &count),
        Err(ProbeError::Count(_))
    ));
    assert!(
        MAKRUK
            .read_fen("8/8/8/3k4/3P4/3K4/8/8 w - 128 4 1")
            .is_err()
    );
    // With a man that the table does not have.
    let two = position("8/8/8/3k4/3P4/3K4/2P5/8 w");
    assert!(tablebase.dtm(&two).is_err());
    let two = position("8/8/8/3k4/3P4/3KP3/8/8 w");
    assert!(matches!(
        tablebase.dtm(&two),
        Err(ProbeError::Missing { .. })
    ));
}
