//! Queries of verdict tables by a search, and by a program without distances.

use sakmak::generate::{SolvedEndings, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Options, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet, RuleSets};
use sakmak::table::{Access, TableKind};

use super::{distances, positions, verdicts, with};
use crate::making::make;

#[test]
fn verdicts_alone_answer_a_search() {
    let tables = with([verdicts("KRvKS")]);
    let position = positions("KRvKS", |number| number % 1_000_003 == 0)
        .next()
        .unwrap();
    let fresh = tables.category(&position, RuleSet::Makruk, &Count::Fresh);
    let verdict = tables
        .by_category()
        .verdict(&position, RuleSet::Makruk)
        .unwrap();
    assert_eq!(Some(fresh.unwrap()), verdict);
    assert!(matches!(
        tables.dtm(&position),
        Err(ProbeError::Missing { .. })
    ));
}

/// A limit on open files holds for tables of both kinds together.
#[test]
fn few_files_of_either_kind_are_open_at_once() {
    let directory = tempfile::tempdir().unwrap();
    for set in ["KRvKN", "KMvKM"] {
        make(set, directory.path());
    }
    let mut plain = Tablebase::new();
    plain.add_directory(directory.path()).unwrap();
    let materials: Vec<_> = plain.inventory().materials().collect();
    for &material in &materials {
        generate_verdicts(
            material,
            RuleSets::ALL,
            directory.path(),
            &mut SolvedEndings::new(),
            &[],
        )
        .unwrap();
    }
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        let options = Options {
            cache_bytes: 0,
            access,
            most_open: Some(2),
        };
        let mut few = Tablebase::with_options(&options).unwrap();
        let added = few.add_directory(directory.path()).unwrap();
        assert_eq!(added, materials.len());
        few.inventory().open_all().unwrap();
        for name in ["KRvKN", "KMvKM", "KRvK", "KNvK"] {
            for position in positions(name, |number| number % 200_003 == 0) {
                let rules = RuleSet::Makruk;
                let expected = plain.probe(&position, rules, &Count::Fresh).unwrap();
                let verdict = few.by_category().verdict(&position, rules).unwrap();
                assert_eq!(verdict, Some(expected.category), "{position:?}");
                let value = few.probe(&position, rules, &Count::Fresh).unwrap();
                assert_eq!(value, expected);
                assert!(
                    (1..=2).contains(&few.inventory().open_files()),
                    "{}",
                    few.inventory().open_files()
                );
            }
        }
    }
}

/// Bytes that come later, as a page fetches them.
#[test]
fn verdicts_of_a_source_are_read_when_they_are_needed() {
    let material: CanonicalMaterial = "KRvK".parse().unwrap();
    let mut tables = Tablebase::new();
    let added = tables.add_source("KRvK.skv", verdicts("KRvK"));
    assert_eq!(added, Some(material));
    assert!(!tables.inventory().is_empty() && tables.inventory().materials().next().is_none());
    assert!(tables.inventory().materials_of(TableKind::Verdicts) == [material]);
    let by_bytes = with([verdicts("KRvK")]);
    for position in positions("KRvK", |number| number % 997 == 0) {
        let [ours, theirs] = [&tables, &by_bytes]
            .map(|t| t.by_category().verdict(&position, RuleSet::Makruk).unwrap());
        assert_eq!(ours, theirs);
    }
    // Of another ending than it should be.
    let mut wrong = Tablebase::new();
    wrong.add_source("KSvK.skv", verdicts("KRvK"));
    let position = positions("KSvK", |number| number % 997 == 0)
        .next()
        .unwrap();
    let error = wrong
        .by_category()
        .verdict(&position, RuleSet::Makruk)
        .unwrap_err();
    assert!(
        error.to_string().contains("is the table of KRvK"),
        "{error}"
    );
}

/// Verdicts alone rank moves so that none of the best is worse than the others, under any count:
/// each move's bounds hold what the distances say of it.
#[test]
fn moves_by_category_hold_what_distances_say_of_each() {
    let directory = tempfile::tempdir().unwrap();
    make("KSMvK", directory.path());
    let by_distance = distances("KRvKN", directory.path());
    let mut by_verdict = Tablebase::new();
    for material in by_distance.inventory().materials() {
        by_verdict
            .add_bytes(verdicts(&material.to_string()))
            .unwrap();
    }
    let (mut exact, mut open) = (0, 0);
    for (name, step) in [("KRvKN", 99_991), ("KSMvK", 199_999)] {
        for position in positions(name, |number| number % step == 0) {
            for rules in RuleSet::ALL {
                for count in [
                    Count::Fresh,
                    Count::of_plies(0, 60),
                    Count::of_plies(128, 70),
                ] {
                    let Ok(ranked) = by_distance.best_moves(&position, rules, &count) else {
                        // Nothing is counted there.
                        continue;
                    };
                    let bounded = by_verdict.by_category().moves(&position, rules, &count);
                    let bounded = bounded.unwrap();
                    assert_eq!(bounded.len(), ranked.len());
                    for found in &bounded {
                        let ranked = ranked.iter().find(|ranked| ranked.m == found.m).unwrap();
                        let [least, most] = found.bounds;
                        let category = ranked.category;
                        assert!(
                            least <= category && category <= most,
                            "{rules} {count:?} {}: {category} in {least} to {most}: {position:?}",
                            found.m
                        );
                        if least == most {
                            exact += 1;
                        } else {
                            open += 1;
                        }
                    }
                    // Where the winner moves and the count begins with the other, nothing is open.
                    let settled = bounded
                        .first()
                        .is_none_or(|best| best.bounds[0] == best.bounds[1]);
                    let wins = ranked
                        .first()
                        .is_some_and(|best| best.category == Category::Win);
                    assert!(settled || !wins || rules == RuleSet::Asean || count != Count::Fresh);
                }
            }
        }
    }
    assert!(exact > 10_000 && open > 1_000, "{exact}, {open}");
}

/// With a verdict table probes answer as without it, and those of draws decode no distances.
#[test]
fn verdicts_spare_probes_of_draws_the_distances() {
    let directory = tempfile::tempdir().unwrap();
    let material: CanonicalMaterial = "KRvKN".parse().unwrap();
    let plain = distances("KRvKN", directory.path());
    generate_verdicts(
        material,
        RuleSets::ALL,
        directory.path(),
        &mut SolvedEndings::new(),
        &[],
    )
    .unwrap();
    let mut both = Tablebase::new();
    both.add_directory(directory.path()).unwrap();
    let running = Count::of_plies(128, 90);
    let mut found = [0; 2];
    for position in positions("KRvKN", |number| number % 293 == 0) {
        let before = both.inventory().cache_statistics().misses;
        let mut is_drawn = true;
        for rules in RuleSet::ALL {
            for count in [Count::Fresh, running] {
                let expected = plain.probe(&position, rules, &count);
                let value = both.probe(&position, rules, &count);
                // ASEAN chess has no such count.
                let value = value.ok();
                is_drawn &= value.is_none_or(|value| value.dtm == Distance::Draw);
                assert_eq!(value, expected.ok(), "{rules} {count:?}: {position:?}");
            }
        }
        let misses = both.inventory().cache_statistics().misses - before;
        assert!(!is_drawn || misses == 0, "{position:?}");
        found[usize::from(is_drawn)] += 1;
    }
    assert!(found.iter().all(|&n| n > 1000), "{found:?}");
}

/// The bounds by a verdict table alone hold what the distances say under any count, and leave no
/// more open than whether a win is in time.
#[test]
fn bounds_hold_the_category_under_every_count() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KNMvK", "KRvKN"] {
        let by_distance = distances(name, directory.path());
        let by_verdict = with([verdicts(name)]);
        let (mut exact, mut open) = (0, 0);
        for position in positions(name, |number| number % 1009 == 0) {
            for rules in RuleSet::ALL {
                for counted in [0, 30, 90, 127] {
                    let count = Count::of_plies(128, counted);
                    let Ok(category) = by_distance.category(&position, rules, &count) else {
                        // Nothing is counted there.
                        continue;
                    };
                    let bounds = by_verdict.by_category().bounds(&position, rules, &count);
                    let [least, most] = bounds.unwrap();
                    assert!(least <= category && category <= most, "{position:?}");
                    match (least, most) {
                        (Category::CursedWin, Category::Win)
                        | (Category::Loss, Category::BlessedLoss) => open += 1,
                        _ => {
                            assert_eq!(least, most);
                            exact += 1;
                        }
                    }
                }
                let fresh = by_distance.category(&position, rules, &Count::Fresh);
                let bounds = by_verdict
                    .by_category()
                    .bounds(&position, rules, &Count::Fresh);
                assert_eq!(bounds.unwrap(), [fresh.unwrap(); 2]);
            }
        }
        assert!(exact > 100 && open > 100, "{name}: {exact}, {open}");
    }
}
