//! Damage is an error, and never another verdict.

use sakmak::board::Position;
use sakmak::generate::{SolvedEndings, generate_verdicts};
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet, RuleSets};
use sakmak::table::TableErrorKind;
use sakmak::verdict::Verdicts;

use super::{positions, verdicts, with};
use crate::making::make;

#[test]
fn corrupt_byte_is_an_error_and_never_another_verdict() {
    assert_corrupt_bytes_are_found(|place| &CHANGES[place % 3..][..1]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn byte_corrupt_in_any_way_is_never_another_verdict() {
    assert_corrupt_bytes_are_found(|_| &CHANGES);
}

/// Masks that change a byte by exclusive or.
const CHANGES: [u8; 3] = [0x01, 0x80, 0xff];

/// Changes every byte of a verdict table, one at a time.
fn assert_corrupt_bytes_are_found(changes: impl Fn(usize) -> &'static [u8]) {
    let good = verdicts("KMvKM");
    let asked: Vec<Position> = positions("KMvKM", |number| number % 200_003 == 0).collect();
    let tables = with([good.clone()]);
    let rules = RuleSet::Makruk;
    let expected: Vec<_> = asked
        .iter()
        .map(|p| tables.by_category().verdict(p, rules).unwrap())
        .collect();
    assert!(asked.len() > 50);
    for place in 0..good.len() {
        for change in changes(place) {
            let mut bad = good.clone();
            bad[place] ^= change;
            let mut tables = Tablebase::new();
            if tables.add_bytes(bad).is_err() {
                continue;
            }
            for (position, expected) in asked.iter().zip(&expected) {
                if let Ok(verdict) = tables.by_category().verdict(position, rules) {
                    assert_eq!(verdict, *expected, "byte {place}");
                }
            }
        }
    }
}

#[test]
fn cut_file_and_other_files_are_told_apart() {
    let good = verdicts("KMvK");
    for length in 0..good.len() {
        let kind = |error: sakmak::table::TableError| format!("{:?}", error.kind());
        let found = Verdicts::new(&good[..length])
            .map(|_| ())
            .map_err(kind)
            .unwrap_err();
        assert!(found.starts_with("Truncated"), "{length}: {found}");
    }
    let mut long = good.clone();
    long.push(0);
    let error = Verdicts::new(&long[..]).unwrap_err();
    assert!(matches!(error.kind(), TableErrorKind::TooLong { .. }));
    let error = Verdicts::new(&b"\x89SKM\r\n\x1a\n0000"[..]).unwrap_err();
    assert!(matches!(error.kind(), TableErrorKind::NotATable));
}

#[test]
fn corrupt_verdicts_leave_the_distances_to_answer() {
    assert_distances_answer("KRMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn corrupt_verdicts_of_two_sides_leave_the_distances_to_answer() {
    assert_distances_answer("KRvKS");
}

/// Asks an ending's tables for categories, of which the verdict table is corrupt.
fn assert_distances_answer(name: &str) {
    let directory = tempfile::tempdir().unwrap();
    make(name, directory.path());
    let material = name.parse().unwrap();
    let mut plain = Tablebase::new();
    plain.add_directory(directory.path()).unwrap();
    generate_verdicts(
        material,
        RuleSets::ALL,
        directory.path(),
        &mut SolvedEndings::new(),
        &[],
    )
    .unwrap();
    let path = directory.path().join(format!("{name}.skv"));
    let mut bytes = std::fs::read(&path).unwrap();
    // Everything between the preamble and the header.
    let end = bytes.len() - 600;
    fastrand::Rng::with_seed(1).fill(&mut bytes[64..end]);
    std::fs::write(&path, bytes).unwrap();
    let mut tables = Tablebase::new();
    tables.add_directory(directory.path()).unwrap();
    let mut asked = 0;
    for position in positions(name, |number| number % 100_003 == 0) {
        asked += 1;
        let expected = plain
            .probe(&position, RuleSet::Makruk, &Count::Fresh)
            .unwrap();
        let category = tables.category(&position, RuleSet::Makruk, &Count::Fresh);
        assert_eq!(category.unwrap(), expected.category);
        let probed = tables.probe(&position, RuleSet::Makruk, &Count::Fresh);
        assert_eq!(probed.unwrap(), expected);
    }
    assert!(asked > 100, "{asked}");
}
