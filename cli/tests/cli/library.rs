//! Promises to users of the library.

use sakmak::board::{Color, Fen, Lettering, Position, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet};

use crate::common::{copies, tables};

fn tablebase() -> Tablebase {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(tables()).unwrap();
    tablebase
}

fn position(fen: &str) -> Position {
    Fen::parse(fen, Lettering::Makruk).unwrap().position
}

/// Positions of an ending, with either side to move.
fn some(name: &str) -> Vec<Position> {
    let material: CanonicalMaterial = name.parse().unwrap();
    let roles: Vec<_> = material.material().roles().collect();
    // Steps around the board in every direction, some 5,000 positions in all.
    (0..8192usize)
        .filter_map(|n| {
            let square =
                |i: usize| Square::wrapping((n * [1, 11, 23, 37, 53][i] + 7 * i) >> (i % 3));
            let men = roles
                .iter()
                .enumerate()
                .map(|(i, &(color, role))| (square(i), color, role));
            Position::from_men(men, Color::ALL[n / 64 % 2]).ok()
        })
        .collect()
}

#[test]
fn a_tablebase_is_asked_from_several_threads() {
    fn shared<T: Send + Sync>(value: T) -> T {
        value
    }
    let tablebase = shared(tablebase());
    let positions = some("KSMvK");
    assert!(positions.len() > 1000);
    let ask = |positions: &[Position]| {
        let probe = |p| tablebase.probe(p, RuleSet::Makruk, &Count::Fresh).unwrap();
        positions.iter().map(probe).collect::<Vec<_>>()
    };
    let alone = ask(&positions);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&positions))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

#[test]
fn the_same_game_in_a_mirror_or_from_the_other_chair_is_worth_the_same() {
    let tablebase = tablebase();
    for name in ["KRvK", "KSMvK", "KRNvK", "KRvKN"] {
        for p in some(name) {
            let dtm = tablebase.dtm(&p).unwrap();
            for twin in [p.mirrored(), p.flipped(), p.flipped().mirrored()] {
                assert_eq!(tablebase.dtm(&twin).unwrap(), dtm, "{p:?}");
                for rules in RuleSet::ALL {
                    let dth = |p| tablebase.dth(p, rules).unwrap();
                    assert_eq!(dth(&twin), dth(&p), "{p:?}");
                }
            }
        }
    }
}

#[test]
fn the_best_move_is_worth_what_the_position_is() {
    let tablebase = tablebase();
    for name in ["KSMvK", "KRvKN"] {
        for p in some(name).iter().step_by(9) {
            for rules in RuleSet::ALL {
                let value = tablebase.probe(p, rules, &Count::Fresh).unwrap();
                let moves = tablebase.best_moves(p, rules, &Count::Fresh).unwrap();
                let Some(best) = moves.first() else { continue };
                assert_eq!(best.category, value.category, "{rules} {p:?}");
                assert_eq!(best.dth, value.dth, "{rules} {p:?}");
                if value.dth.is_none() {
                    assert_eq!(best.dtm, value.dtm, "{rules} {p:?}");
                }
            }
        }
    }
}

#[test]
fn the_callers_mistake_a_missing_table_and_a_damaged_file_are_told_apart() {
    let count = Count::Explicit {
        limit_plies: 0,
        counted_plies: 3,
    };
    let p = position("8/8/8/3k4/8/3K4/2S5/8 w");
    let error =
        |tablebase: &Tablebase, count| tablebase.probe(&p, RuleSet::Makruk, count).unwrap_err();
    assert!(matches!(error(&tablebase(), &count), ProbeError::Count(_)));
    let missing = error(&Tablebase::new(), &Count::Fresh);
    assert!(
        matches!(missing, ProbeError::Missing { material, .. } if material.to_string() == "KSvK")
    );
    let directory = copies(&["KSvK"]);
    let path = directory.path().join("KSvK.skm");
    std::fs::write(&path, b"short").unwrap();
    let mut damaged = Tablebase::new();
    assert_eq!(damaged.add_directory(directory.path()).unwrap(), 1);
    assert!(matches!(
        error(&damaged, &Count::Fresh),
        ProbeError::Table(_)
    ));
    // A failed access is tried again.
    std::fs::copy(tables().join("KSvK.skm"), &path).unwrap();
    assert!(damaged.probe(&p, RuleSet::Makruk, &Count::Fresh).is_ok());
    let nowhere = directory.path().join("nowhere");
    assert!(Tablebase::new().add_directory(nowhere).is_err());
}

#[test]
fn two_kings_alone_need_no_table() {
    let kings = position("8/8/8/3k4/8/3K4/8/8 w");
    let value = Tablebase::new().probe(&kings, RuleSet::Makruk, &Count::Fresh);
    assert_eq!(value.unwrap().category, sakmak::rules::Category::Draw);
}
