//! Every verdict is that of the distances.

use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::{Category, Count, RuleSet};
use sakmak::table::{Metric, TableFile};
use sakmak::verdict::Verdicts;
use sakmak::verify::verify_verdicts;

use super::{ENDINGS, distances, open, opened, positions, verdicts, with};

const MORE_ENDINGS: [&str; 4] = ["KSMvK", "KRvKR", "KSvKM", "KNvKM"];

#[test]
fn every_verdict_is_that_of_the_distances() {
    assert_verdicts_agree(&ENDINGS);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_verdict_of_more_endings_is_that_of_the_distances() {
    assert_verdicts_agree(&MORE_ENDINGS);
}

/// A position won by each side at each distance to mate: some endings have hardly any.
fn won(table: &TableFile) -> Vec<Position> {
    let statistics = &table.section(Metric::Dtm).unwrap().header().info.statistics;
    let mut won = Vec::new();
    for (turn, winner) in Color::ALL
        .into_iter()
        .flat_map(|a| Color::ALL.map(|b| (a, b)))
    {
        let examples = statistics.to_move(turn).examples(winner).iter().flatten();
        won.extend(examples.filter_map(|example| example.position(table.material(), turn)));
    }
    won
}

/// Asks both for positions one by one, then verifies the verdict table as a whole.
fn assert_verdicts_agree(endings: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    for &name in endings {
        let by_distance = distances(name, directory.path());
        let file = verdicts(name);
        let by_verdict = with([file.clone()]);
        // Of four men one in a few hundred, by a step that meets all squares.
        let step = if name.len() > 4 { 293 } else { 1 };
        let (mut asked, mut found) = (0, [0; 5]);
        let table = open(directory.path(), name.parse().unwrap()).unwrap();
        for position in positions(name, |number| number % step == 0).chain(won(&table)) {
            asked += 1;
            for rules in RuleSet::ALL {
                let expected = by_distance
                    .category(&position, rules, &Count::Fresh)
                    .unwrap();
                let verdict = by_verdict.by_category().verdict(&position, rules).unwrap();
                assert_eq!(verdict, Some(expected), "{name} {rules}: {position:?}");
                let place = Category::ALL.iter().position(|&c| Some(c) == verdict);
                found[place.unwrap()] += 1;
                // With the colours exchanged it is the same.
                let flipped = by_verdict
                    .by_category()
                    .verdict(&position.flipped(), rules)
                    .unwrap();
                assert_eq!(flipped, verdict);
            }
        }
        assert!(asked > 10_000, "{name}: {asked}");
        let check = verify_verdicts(&opened(file), &|m| open(directory.path(), m)).unwrap();
        assert!(check.is_right(), "{name}: {check:?}");
        assert!(check.positions > 100_000, "{name}: {check:?}");
        assert!(
            found.iter().filter(|&&n| n > 0).count() > 1,
            "{name}: {found:?}"
        );
    }
}

/// Every verdict is held against the distances, for an ending in which a capture by the bare king gains
/// time in ASEAN chess.
#[test]
#[ignore = "slow: run with --ignored"]
fn every_verdict_with_late_captures_is_that_of_the_distances() {
    let directory = tempfile::tempdir().unwrap();
    let material: CanonicalMaterial = "KMMMvK".parse().unwrap();
    let tables = distances("KMMMvK", directory.path());
    let check =
        verify_verdicts(&opened(verdicts("KMMMvK")), &|m| open(directory.path(), m)).unwrap();
    assert!(check.is_right(), "{check:?}");
    let table = tables.inventory().table(material).unwrap();
    assert!(table.section(Metric::Dth(RuleSet::Asean)).is_some());
}

#[test]
fn categories_are_counted_on_the_whole_board() {
    for name in ["KRvK", "KMvK", "KRvKR", "KRvKS"] {
        let file = verdicts(name);
        let table = Verdicts::new(&file[..]).unwrap();
        let counts = *table.counts();
        let tables = with([file.clone()]);
        if name.len() > 4 {
            // Too many to be asked for one by one: the sides' totals must agree with each other.
            for [white, black] in counts {
                assert!(white.iter().sum::<u64>() > 1 << 22, "{name}");
                assert!(black.iter().sum::<u64>() > 1 << 22, "{name}");
                assert_eq!(white == black, name == "KRvKR");
            }
            continue;
        }
        let mut found = [[[0; 5]; 2]; 3];
        for position in positions(name, |_| true) {
            for rules in RuleSet::ALL {
                let verdict = tables.by_category().verdict(&position, rules).unwrap();
                let place = Category::ALL.iter().position(|&c| Some(c) == verdict);
                let by_turn = &mut found[usize::from(rules.id())];
                by_turn[position.turn().index()][place.unwrap()] += 1;
            }
        }
        assert_eq!(counts, found, "{name}");
    }
}
