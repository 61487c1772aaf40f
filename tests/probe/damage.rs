//! Each kind of damage has its own error, and other tables still answer.

use std::fs;
use std::path::Path;

use sakmak::board::{Color, Position};
use sakmak::generate::{SolvedEndings, generate_table, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Options, ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet, RuleSets};
use sakmak::statistics::Statistics;
use sakmak::table::{
    Access, Code, Metric, Packing, SectionInfo, TableErrorKind as Kind, TableWriter, WriteOptions,
};

use crate::common::{copies, positions, tablebase, tables};

/// Probes positions of an ending until one fails.
fn first_error(tablebase: &Tablebase, name: &str) -> Option<ProbeError> {
    let mut all = some(name).into_iter();
    all.find_map(|p| tablebase.probe(&p, RuleSet::Makruk, &Count::Fresh).err())
}

fn some(name: &str) -> Vec<Position> {
    positions(name.parse().unwrap(), 400)
}

/// Changes some bytes of a file.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// The offset of the header, from the preamble.
fn header_place(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes[24..32].try_into().unwrap()) as usize
}

type Damage = fn(&mut Vec<u8>);
type Expected = fn(&Kind) -> bool;

/// Every kind of damage to a table of K+S+M v K, and the error expected.
fn damages() -> [(&'static str, Damage, Expected); 6] {
    [
        (
            "truncated",
            |bytes| bytes.truncate(bytes.len() - 1),
            |kind| matches!(kind, Kind::Truncated { .. }),
        ),
        (
            "something else",
            |bytes| bytes[0] ^= 1,
            |kind| matches!(kind, Kind::NotATable),
        ),
        (
            "header",
            |bytes| {
                let place = header_place(bytes);
                bytes[place + 9] ^= 4;
            },
            |kind| matches!(kind, Kind::HeaderCorrupt { .. }),
        ),
        (
            "index, the last entries of which lie before the header",
            |bytes| {
                let place = header_place(bytes);
                bytes[place - 40..place].iter_mut().for_each(|b| *b ^= 1);
            },
            |kind| matches!(kind, Kind::BlockCorrupt { .. }),
        ),
        (
            "blocks",
            |bytes| {
                let place = header_place(bytes);
                bytes[place / 4..place / 2]
                    .iter_mut()
                    .for_each(|b| *b ^= 0x10);
            },
            |kind| matches!(kind, Kind::BlockCorrupt { .. }),
        ),
        (
            "another ending's table",
            |bytes| *bytes = fs::read(tables().join("KSvK.skm")).unwrap(),
            |kind| matches!(kind, Kind::WrongMaterial { .. }),
        ),
    ]
}

#[test]
fn every_kind_of_damage_is_named_and_the_other_tables_answer() {
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        for (what, damage, expected) in damages() {
            let directory = copies(&["KRvK", "KSvK", "KMvK", "KSMvK"]);
            change(&directory.path().join("KSMvK.skm"), damage);
            let options = Options {
                access,
                ..Options::default()
            };
            let tablebase = tablebase(directory.path(), &options);
            match first_error(&tablebase, "KSMvK") {
                Some(ProbeError::Table(error)) => {
                    assert!(expected(error.kind()), "{what}: {error}")
                }
                other => panic!("{what}: {other:?}"),
            }
            assert!(first_error(&tablebase, "KRvK").is_none(), "{what}");
            assert!(first_error(&tablebase, "KSvK").is_none(), "{what}");
        }
    }
}

#[test]
fn a_damaged_table_does_not_hide_a_whole_one_in_a_later_directory() {
    let whole = crate::common::tablebase(tables(), &Options::default());
    let positions = some("KSMvK");
    let answers = |tablebase: &Tablebase| {
        let probe = |p| tablebase.probe(p, RuleSet::Makruk, &Count::Fresh);
        let answers: Result<Vec<_>, _> = positions.iter().map(probe).collect();
        answers.unwrap()
    };
    let expected = answers(&whole);
    let gone: Damage = |bytes| bytes.clear();
    let damages = damages().map(|(what, damage, _)| (what, damage));
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        for (what, damage) in damages.into_iter().chain([("empty", gone)]) {
            let first = copies(&["KRvK", "KSMvK"]);
            let path = first.path().join("KSMvK.skm");
            change(&path, damage);
            let options = Options {
                access,
                ..Options::default()
            };
            let mut tablebase = tablebase(first.path(), &options);
            tablebase.add_directory(tables()).unwrap();
            // When the same directory is added again, there is no other file to use.
            tablebase.add_directory(first.path()).unwrap();
            assert!(tablebase.inventory().replaced().is_empty());
            assert_eq!(answers(&tablebase), expected, "{what}");
            let [replaced] = &tablebase.inventory().replaced()[..] else {
                panic!("{what}: {:?}", tablebase.inventory().replaced());
            };
            assert_eq!(replaced.damage.path(), Some(&*path), "{what}");
            assert_eq!(replaced.by, tables().join("KSMvK.skm"), "{what}");
            // The file found first is still the one listed.
            let material = "KSMvK".parse().unwrap();
            assert_eq!(tablebase.inventory().path(material), Some(&*path));
        }
    }
}

#[test]
fn a_table_that_vanishes_or_is_cut_while_open_is_replaced_too() {
    let positions = some("KSMvK");
    let probe = |tablebase: &Tablebase, p: &Position| {
        tablebase.probe(p, RuleSet::Makruk, &Count::Fresh).unwrap()
    };
    let whole = crate::common::tablebase(tables(), &Options::default());
    type Harm = fn(&Path);
    let cut: Harm = |path| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_len(64).unwrap();
    };
    let remove: Harm = |path| fs::remove_file(path).unwrap();
    for (harm, opened) in [(cut, true), (cut, false), (remove, false)] {
        let first = copies(&["KSMvK"]);
        let options = Options {
            cache_bytes: 0,
            ..Options::default()
        };
        let mut tablebase = tablebase(first.path(), &options);
        tablebase.add_directory(tables()).unwrap();
        if opened {
            probe(&tablebase, &positions[0]);
        }
        harm(&first.path().join("KSMvK.skm"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for p in &positions {
                        assert_eq!(probe(&tablebase, p), probe(&whole, p));
                    }
                });
            }
        });
        assert_eq!(tablebase.inventory().replaced().len(), 1);
        let statistics = |tablebase: &Tablebase| {
            let material = "KSMvK".parse().unwrap();
            tablebase.inventory().statistics(material).unwrap().clone()
        };
        assert_eq!(statistics(&tablebase), statistics(&whole));
        tablebase.inventory().open_all().unwrap();
    }
}

#[test]
fn a_damaged_verdict_table_is_replaced_too() {
    let [first, later] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let material: CanonicalMaterial = "KRvK".parse().unwrap();
    let mut solved_endings = SolvedEndings::new();
    for directory in [&first, &later] {
        generate_verdicts(
            material,
            RuleSets::ALL,
            directory.path(),
            &mut solved_endings,
            &[],
        )
        .unwrap();
    }
    let open = || {
        let mut tablebase = tablebase(first.path(), &Options::default());
        tablebase.add_directory(later.path()).unwrap();
        tablebase
    };
    let categories = |tablebase: &Tablebase| {
        let verdict = |p: &Position| tablebase.by_category().verdict(p, RuleSet::Makruk).unwrap();
        some("KRvK").iter().map(verdict).collect::<Vec<_>>()
    };
    let expected = categories(&open());
    let path = first.path().join("KRvK.skv");
    let whole = fs::read(&path).unwrap();
    let header = header_place(&whole);
    let damages: [Damage; 3] = [
        |bytes| bytes.truncate(100),
        |bytes| bytes[8] = 255,
        |bytes| {
            let header = header_place(bytes);
            bytes[header - 1] ^= 1;
        },
    ];
    assert!(header > 100);
    for damage in damages {
        fs::write(&path, &whole).unwrap();
        change(&path, damage);
        let tablebase = open();
        assert_eq!(categories(&tablebase), expected);
        assert_eq!(tablebase.inventory().replaced().len(), 1);
    }
}

#[test]
fn where_every_directory_has_a_damaged_table_the_last_is_named() {
    let [first, later] = [(), ()].map(|()| copies(&["KSMvK", "KRvK", "KSvK", "KMvK"]));
    for directory in [&first, &later] {
        change(&directory.path().join("KSMvK.skm"), |bytes| bytes[0] ^= 1);
    }
    let mut tablebase = tablebase(first.path(), &Options::default());
    tablebase.add_directory(later.path()).unwrap();
    match first_error(&tablebase, "KSMvK") {
        Some(ProbeError::Table(error)) => {
            let path = later.path().join("KSMvK.skm");
            assert_eq!(error.path(), Some(&*path));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_model_is_told_from_damaged_blocks() {
    let directory = copies(&["KSvK", "KMvK"]);
    let material: CanonicalMaterial = "KSMvK".parse().unwrap();
    let options = WriteOptions {
        packing: Some(Packing::SymbolRanking),
        ..WriteOptions::default()
    };
    let mut solved_endings = SolvedEndings::new();
    generate_table(
        material,
        directory.path(),
        &mut solved_endings,
        &options,
        &|_| {},
    )
    .unwrap();
    let path = directory.path().join("KSMvK.skm");
    // The model follows the preamble.
    change(&path, |bytes| bytes[64 + 100] ^= 8);
    let tablebase = tablebase(directory.path(), &Options::default());
    match first_error(&tablebase, "KSMvK") {
        Some(ProbeError::Table(error)) => {
            assert!(matches!(error.kind(), Kind::ModelCorrupt { .. }), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert!(first_error(&tablebase, "KSvK").is_none());
}

#[test]
fn a_directory_that_vanishes_leaves_what_was_opened_and_names_what_was_not() {
    let directory = copies(&["KRvK", "KSvK"]);
    let tablebase = tablebase(directory.path(), &Options::default());
    assert!(first_error(&tablebase, "KRvK").is_none());
    let path = directory.path().to_path_buf();
    directory.close().unwrap();
    assert!(!path.exists());
    assert!(first_error(&tablebase, "KRvK").is_none());
    match first_error(&tablebase, "KSvK") {
        Some(ProbeError::Table(error)) => {
            assert!(matches!(error.kind(), Kind::Io { .. }), "{error}");
            assert!(error.to_string().contains("KSvK.skm"));
        }
        other => panic!("{other:?}"),
    }
    // A table that never existed is another matter.
    match first_error(&tablebase, "KMvK") {
        Some(ProbeError::Missing { material, .. }) => assert_eq!(material.to_string(), "KMvK"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_table_cut_while_open_is_an_error() {
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        for cache_bytes in [0, 64 << 20] {
            let directory = copies(&["KSMvK", "KSvK", "KMvK", "KRvK"]);
            let options = Options {
                access,
                cache_bytes,
                ..Options::default()
            };
            let tablebase = tablebase(directory.path(), &options);
            let probe = |p: &Position| tablebase.probe(p, RuleSet::Makruk, &Count::Fresh);
            let positions = some("KSMvK");
            let (warm, cold) = positions.split_at(20);
            let expected: Vec<_> = warm.iter().map(|p| probe(p).unwrap()).collect();
            let path = directory.path().join("KSMvK.skm");
            let length = fs::metadata(&path).unwrap().len();
            let file = fs::File::options().write(true).open(&path).unwrap();
            for left in [length / 2, 64, 0] {
                file.set_len(left).unwrap();
                let mut refused = 0;
                for p in cold {
                    match probe(p) {
                        Ok(_) => {}
                        Err(ProbeError::Table(error)) => {
                            match error.kind() {
                                &Kind::Truncated { expected, found } => {
                                    assert_eq!((expected, found), (length, left));
                                }
                                _ => panic!("{error}"),
                            }
                            refused += 1;
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
                assert_eq!(refused > 0, access != Access::Whole, "{left} of {length}");
                // Files read whole, and decoded blocks, still answer.
                if access == Access::Whole || cache_bytes > 0 {
                    let again: Vec<_> = warm.iter().map(|p| probe(p).unwrap()).collect();
                    assert_eq!(again, expected);
                }
                assert!(first_error(&tablebase, "KRvK").is_none());
            }
            // Once the file is restored, it answers again.
            fs::copy(tables().join("KSMvK.skm"), &path).unwrap();
            assert!(first_error(&tablebase, "KSMvK").is_none());
        }
    }
}

#[test]
fn a_table_overwritten_while_open_is_an_error() {
    for cache_bytes in [0, 64 << 20] {
        let directory = copies(&["KSMvK", "KSvK", "KMvK", "KRvK"]);
        let options = Options {
            cache_bytes,
            ..Options::default()
        };
        let tablebase = tablebase(directory.path(), &options);
        let probe = |p: &Position| tablebase.probe(p, RuleSet::Makruk, &Count::Fresh);
        let positions = some("KSMvK");
        probe(&positions[0]).unwrap();
        let path = directory.path().join("KSMvK.skm");
        let length = fs::metadata(&path).unwrap().len() as usize;
        let whole = crate::common::tablebase(tables(), &Options::default());
        for byte in [0, 0x5a, 0xff] {
            fs::write(&path, vec![byte; length]).unwrap();
            let mut refused = 0;
            for p in &positions[1..] {
                match probe(p) {
                    // Decoded blocks, and positions that need no table, are answered correctly.
                    Ok(value) => {
                        let right = whole.probe(p, RuleSet::Makruk, &Count::Fresh);
                        assert_eq!(value, right.unwrap());
                    }
                    Err(ProbeError::Table(error)) => {
                        let kind = error.kind();
                        let corrupt =
                            matches!(kind, Kind::BlockCorrupt { .. } | Kind::ModelCorrupt { .. });
                        assert!(corrupt, "{error}");
                        refused += 1;
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(refused > 0);
            assert!(first_error(&tablebase, "KRvK").is_none());
        }
    }
}

#[test]
fn a_cache_without_memory_is_an_error() {
    for cache_bytes in (47..usize::BITS).map(|bits| 1 << bits).chain([usize::MAX]) {
        let options = Options {
            cache_bytes,
            ..Options::default()
        };
        match Tablebase::with_options(&options) {
            Err(ProbeError::NoMemory { bytes }) => assert_eq!(bytes, cache_bytes),
            other => panic!("{cache_bytes}: {other:?}"),
        }
    }
}

#[test]
fn a_table_swapped_while_it_was_closed_is_noticed() {
    let directory = copies(&["KRvK", "KSvK"]);
    let options = Options {
        cache_bytes: 0,
        most_open: Some(1),
        ..Options::default()
    };
    let tablebase = tablebase(directory.path(), &options);
    assert!(first_error(&tablebase, "KRvK").is_none());
    assert!(first_error(&tablebase, "KSvK").is_none());
    // A table of the same ending in which every position is a draw.
    let path = directory.path().join("KRvK.skm");
    let material: CanonicalMaterial = "KRvK".parse().unwrap();
    let info = SectionInfo {
        metric: Metric::Dtm,
        side: Color::White,
        symmetry: 2,
        order: vec![2, 0, 1],
        codes: vec![Code::Draw],
        statistics: Statistics::default(),
    };
    let mut writer = TableWriter::create(&path, material, WriteOptions::default()).unwrap();
    let cells = vec![0; 10 * 64 * 64];
    writer.add_section(info, &cells, &|_| {}).unwrap();
    writer.finish().unwrap();
    match first_error(&tablebase, "KRvK") {
        Some(ProbeError::Table(error)) => {
            assert!(
                matches!(error.kind(), Kind::HeaderCorrupt { .. }),
                "{error}"
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(first_error(&tablebase, "KSvK").is_none());
}
