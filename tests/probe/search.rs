//! Functions for searches: the category only, decoded blocks only, and which side is stored.

use sakmak::board::Position;
use sakmak::probe::{Options, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

use crate::common::{materials, positions, tablebase, tables};

/// Counts, some of which can run in most positions, and some of which leave just enough or one move
/// too few.
fn counts() -> Vec<Count> {
    let mut counts = vec![Count::Fresh];
    counts.extend([3, 40, 80, 90, 99].map(|plies| Count::Clock { plies }));
    for limit_plies in [16, 32, 44, 64, 88, 126, 128] {
        for left in [1, 2, 7, 14, 23, 34] {
            let counted_plies = limit_plies - left.min(limit_plies);
            counts.push(Count::Explicit {
                limit_plies,
                counted_plies,
            });
        }
    }
    counts
}

fn asked() -> Vec<Position> {
    let some = materials()
        .into_iter()
        .map(|material| positions(material, 120));
    some.flatten().collect()
}

fn fresh(tablebase: &Tablebase, position: &Position) -> Result<(), ProbeError> {
    let probed = tablebase
        .cached()
        .probe(position, RuleSet::Makruk, &Count::Fresh);
    probed.map(|_| ())
}

#[test]
fn category_equals_probe() {
    let tablebase = tablebase(tables(), &Options::default());
    let mut categories = std::collections::BTreeMap::new();
    for position in asked() {
        for rules in RuleSet::ALL {
            for count in counts() {
                let probed = tablebase.probe(&position, rules, &count);
                let category = tablebase.category(&position, rules, &count);
                match (probed, category) {
                    (Ok(probed), Ok(category)) => {
                        let probed = probed.category;
                        assert_eq!(category, probed, "{rules} {count:?} {position:?}");
                        *categories.entry(category).or_insert(0) += 1;
                    }
                    (Err(probed), Err(category)) => {
                        assert_eq!(probed.to_string(), category.to_string());
                    }
                    (probed, category) => panic!("{probed:?} {category:?} {position:?}"),
                }
            }
        }
    }
    // All five categories.
    assert!(categories.len() == 5, "{categories:?}");
    assert!(categories.values().all(|&n| n > 10), "{categories:?}");
}

#[test]
fn category_takes_fewer_lookups() {
    // Positions lost for the side that is not stored, some of them not within the count.
    let asked = positions("KRvKN".parse().unwrap(), 2000);
    let cells = |ask: &dyn Fn(&Tablebase, &Position)| {
        let tablebase = tablebase(tables(), &Options::default());
        asked.iter().for_each(|position| ask(&tablebase, position));
        let statistics = tablebase.inventory().cache_statistics();
        statistics.hits + statistics.misses
    };
    let category = cells(&|tablebase, position| {
        tablebase
            .category(position, RuleSet::Makruk, &Count::Fresh)
            .unwrap();
    });
    let probe = cells(&|tablebase, position| {
        tablebase
            .probe(position, RuleSet::Makruk, &Count::Fresh)
            .unwrap();
    });
    assert!(category < probe, "{category} of {probe}");
}

#[test]
fn cached_probes_read_nothing() {
    let tablebase = tablebase(tables(), &Options::default());
    for position in asked() {
        // A table that is not open is not opened, a block that is not decoded stays so.
        let before = (
            tablebase.inventory().open_files(),
            tablebase.inventory().cache_statistics().misses,
        );
        let cached = fresh(&tablebase, &position);
        let after = (
            tablebase.inventory().open_files(),
            tablebase.inventory().cache_statistics().misses,
        );
        assert_eq!(before, after);
        let probed = tablebase
            .probe(&position, RuleSet::Makruk, &Count::Fresh)
            .unwrap();
        let decoded = tablebase.inventory().cache_statistics().misses > after.1;
        let opened = tablebase.inventory().open_files() > after.0;
        match cached {
            Ok(()) => assert!(!decoded, "{position:?}"),
            Err(ProbeError::NotDecoded) => assert!(decoded || opened, "{position:?}"),
            Err(error) => panic!("{error} {position:?}"),
        }
        let again = tablebase
            .cached()
            .probe(&position, RuleSet::Makruk, &Count::Fresh);
        assert_eq!(again.unwrap(), probed);
    }
}

#[test]
fn cached_probes_name_what_is_missing() {
    let position = asked()
        .into_iter()
        .find(|p| p.occupied().len() > 2)
        .unwrap();
    let cached = fresh(&Tablebase::new(), &position);
    assert!(matches!(cached, Err(ProbeError::Missing { .. })));
}

#[test]
fn a_stored_side_takes_one_cell() {
    let tablebase = tablebase(tables(), &Options::default());
    let mut stored = [0; 2];
    for position in asked() {
        let is_stored = tablebase.is_stored(&position).unwrap();
        let before = tablebase.inventory().cache_statistics();
        tablebase.dtm(&position).unwrap();
        let after = tablebase.inventory().cache_statistics();
        let cells = after.hits + after.misses - before.hits - before.misses;
        if is_stored {
            assert_eq!(cells, 1, "{position:?}");
        }
        stored[usize::from(is_stored)] += 1;
    }
    assert!(stored.iter().all(|&n| n > 100), "{stored:?}");
}

/// Even if the count is over: a draw cannot be undone by a move that begins a new count.
#[test]
fn a_position_is_worth_its_best_move() {
    let tablebase = tablebase(tables(), &Options::default());
    let mut counts = counts();
    counts.extend([(64, 65), (64, 66), (128, 129), (128, 140)].map(
        |(limit_plies, counted_plies)| Count::Explicit {
            limit_plies,
            counted_plies,
        },
    ));
    let (mut compared, mut over) = (0, 0);
    for position in asked() {
        for rules in RuleSet::ALL {
            for count in &counts {
                // No game of ASEAN chess reaches most of these counts.
                if rules == RuleSet::Asean && count.running().is_some() {
                    continue;
                }
                let Ok(probed) = tablebase.probe(&position, rules, count) else {
                    continue;
                };
                let moves = tablebase.best_moves(&position, rules, count).unwrap();
                let Some(best) = moves.iter().map(|ranked| ranked.category).max() else {
                    continue;
                };
                assert_eq!(best, probed.category, "{rules} {count:?} {position:?}");
                compared += 1;
                let bares = |m| position.play(m).material().bare_side().is_some();
                over += usize::from(count.is_over(rules, true) && bares(moves[0].m));
            }
        }
    }
    assert!(compared > 1000 && over > 20, "{compared}, {over}");
}

#[test]
fn a_bare_kings_capture_is_worth_what_it_leads_to() {
    let tablebase = tablebase(tables(), &Options::default());
    // No play leads to such a limit in ASEAN chess, where a rook's is 16 moves. The fifty-move rule
    // leaves White two moves, unless Black takes the met.
    let fen = "8/8/8/4k3/3Q4/8/8/K6R b - 128 95 2";
    let fen = RuleSet::Asean.read_fen(fen).unwrap();
    let count = Count::from_fen(&fen);
    let moves = tablebase
        .best_moves(&fen.position, RuleSet::Asean, &count)
        .unwrap();
    assert_eq!(moves[0].category, Category::BlessedLoss);
    let last = moves.last().unwrap();
    assert_eq!(
        (last.m.to_string().as_str(), last.category),
        ("e5d4", Category::Loss)
    );
    for ending in ["KRMvK", "KRRvK", "KNMvK", "KSMvK"] {
        for position in positions(ending.parse().unwrap(), 300) {
            let Some(bare) = position.material().bare_side() else {
                continue;
            };
            for (limit, counted) in [(0, 0), (0, 60), (32, 20), (128, 40), (128, 99), (1000, 95)] {
                let count = Count::of_plies(limit, counted);
                let moves = tablebase
                    .best_moves(&position, RuleSet::Asean, &count)
                    .unwrap();
                for ranked in moves.iter().filter(|ranked| ranked.capture) {
                    let next = position.play(ranked.m);
                    let after = count.after(RuleSet::Asean, &position, &next, !bare);
                    let value = tablebase.probe(&next, RuleSet::Asean, &after).unwrap();
                    assert_eq!(
                        ranked.category, -value.category,
                        "{position:?} {}",
                        ranked.m
                    );
                }
            }
        }
    }
}
