//! A check finds a single wrong verdict.

use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use sakmak::table::Access;
use sakmak::verdict::{Turn, VerdictFile, VerdictWriter};
use sakmak::verify::{verify_table_and_verdicts, verify_verdicts};

use super::{open, opened, order, verdicts, words};
use crate::making::make;

#[test]
fn one_wrong_verdict_is_found_and_shown() {
    // Some wins of two khons are too long for every count.
    assert_wrong_verdicts_are_found("KSSvK", &[(0, Turn::Winner), (2, Turn::Loser)]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn one_wrong_verdict_of_two_sides_is_found_and_shown() {
    let sets = [1, 2, 3].map(|place| [(place, Turn::Winner), (place, Turn::Loser)]);
    assert_wrong_verdicts_are_found("KRvKN", sets.as_flattened());
}

/// Makes one win none in a set, with a side to move, and verifies that.
fn assert_wrong_verdicts_are_found(name: &str, sets: &[(usize, Turn)]) {
    let directory = tempfile::tempdir().unwrap();
    make(name, directory.path());
    let material: CanonicalMaterial = name.parse().unwrap();
    let right = opened(verdicts(name));
    let path = directory.path().join("wrong.skv");
    for &(place, turn) in sets {
        let mut writer = VerdictWriter::create(&path, material, RuleSets::ALL).unwrap();
        for winner in right.winners() {
            let mut sets = words(&right, winner);
            if winner == Color::White {
                // A win that is none any more, in no set that is a part of this one.
                let parts: Vec<u64> = match place {
                    0 => sets[1..]
                        .iter()
                        .fold(vec![0; sets[0][0].len()], |all, set| {
                            all.iter()
                                .zip(&set[turn as usize])
                                .map(|(a, b)| a | b)
                                .collect()
                        }),
                    _ => vec![0; sets[0][0].len()],
                };
                let own = sets[place][turn as usize].iter_mut().zip(parts);
                let (word, parts) = own
                    .rev()
                    .find(|(word, parts)| **word & !parts != 0)
                    .unwrap();
                let free = *word & !parts;
                *word &= !(free & free.wrapping_neg());
            }
            let groups: Vec<u8> = order(&right, winner);
            writer.add_side(winner, &groups, sets, None).unwrap();
        }
        writer.finish().unwrap();
        let wrong = VerdictFile::open_as(&path, material, Access::Blocks).unwrap();
        let source = |m| open(directory.path(), m);
        let check = verify_verdicts(&wrong, &source).unwrap();
        // Together with the table, which is right, the result is the same.
        let (verification, together) = verify_table_and_verdicts(&wrong, &source).unwrap();
        assert!(verification.is_right());
        assert_eq!(together.unwrap(), check);
        assert_eq!(check.differences, 1, "{check:?}");
        let first = check.first.unwrap();
        assert_eq!((first.winner, first.found), (Color::White, false));
        assert_eq!(first.turn == Color::White, turn == Turn::Winner);
        assert!(first.position.position(material, first.turn).is_some());
    }
}
