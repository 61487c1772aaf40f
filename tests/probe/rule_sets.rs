//! Tables with results of some rule sets only.

use std::path::Path;

use sakmak::board::Position;
use sakmak::generate::{SolvedEndings, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Options, ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet, RuleSets};
use sakmak::table::TableKind;

use crate::common::{positions, tablebase, tables};
use crate::making::make_under;

fn verdicts(name: &str, rules: RuleSets, directory: &Path) {
    let material = name.parse().unwrap();
    generate_verdicts(material, rules, directory, &mut SolvedEndings::new(), &[]).unwrap();
}

fn version(directory: &Path, file: &str) -> u8 {
    std::fs::read(directory.join(file)).unwrap()[8]
}

/// Asserts that a table without results for a rule set says so for every position, even if another
/// table could answer.
fn refuses(tables: &Tablebase, name: &str, rules: RuleSet, words: &str) {
    let material: CanonicalMaterial = name.parse().unwrap();
    for position in positions(material, 200) {
        let asked = [
            tables.probe(&position, rules, &Count::Fresh).map(|_| ()),
            tables.category(&position, rules, &Count::Fresh).map(|_| ()),
            tables.dth(&position, rules).map(|_| ()),
            tables
                .best_moves(&position, rules, &Count::Fresh)
                .map(|_| ()),
            tables.line(&position, rules, &Count::Fresh).map(|_| ()),
            tables
                .inventory()
                .honor_statistics(material, rules)
                .map(|_| ()),
        ];
        for answer in asked {
            let error = answer.unwrap_err();
            assert!(
                matches!(error, ProbeError::MissingRules { .. }),
                "{error:?}"
            );
            assert_eq!(error.to_string(), words);
            assert_eq!(error.missing(), Some(material));
        }
    }
}

#[test]
fn makruk_alone_answers_makruk_and_says_what_it_lacks() {
    let whole = tablebase(tables(), &Options::default());
    let directory = tempfile::tempdir().unwrap();
    for name in ["KRvKN", "KSvKM"] {
        make_under(RuleSets::MAKRUK, name, directory.path());
        let file = format!("{name}.skm");
        assert_eq!(version(directory.path(), &file), 6);
        let part = tablebase(directory.path(), &Options::default());
        let material = name.parse().unwrap();
        assert_eq!(
            part.inventory().rule_sets(material).unwrap(),
            RuleSets::MAKRUK
        );
        for position in positions(material, 1000) {
            let rules = RuleSet::Makruk;
            let probed = [&whole, &part].map(|t| t.probe(&position, rules, &Count::Fresh).unwrap());
            assert_eq!(probed[0], probed[1], "{position:?}");
            let moves = [&whole, &part].map(|t| t.best_moves(&position, rules, &Count::Fresh));
            let [whole, part] = moves.map(|moves| format!("{:?}", moves.unwrap()));
            assert_eq!(whole, part, "{position:?}");
        }
        for rules in [RuleSet::Asean, RuleSet::Ouk] {
            let words = format!("{file} has results for makruk only, not for {rules}");
            refuses(&part, name, rules, &words);
        }
    }
}

#[test]
fn two_rule_sets_of_three_are_told_apart() {
    let whole = tablebase(tables(), &Options::default());
    let directory = tempfile::tempdir().unwrap();
    let two = RuleSets::with([RuleSet::Ouk]);
    make_under(two, "KSvKM", directory.path());
    let part = tablebase(directory.path(), &Options::default());
    for position in positions("KSvKM".parse().unwrap(), 1000) {
        for rules in [RuleSet::Makruk, RuleSet::Ouk] {
            let probed = [&whole, &part].map(|t| t.probe(&position, rules, &Count::Fresh).unwrap());
            assert_eq!(probed[0], probed[1], "{rules} {position:?}");
        }
    }
    let words = "KSvKM.skm has results for makruk and ouk only, not for asean";
    refuses(&part, "KSvKM", RuleSet::Asean, words);
}

/// Against a bare king the distances to mate suffice, except in three endings whose late captures
/// matter in ASEAN chess.
#[test]
fn bare_kings_are_answered_under_every_rule_set_that_needs_no_section() {
    let directory = tempfile::tempdir().unwrap();
    make_under(RuleSets::MAKRUK, "KRvK", directory.path());
    make_under(RuleSets::ALL, "KRvK", &directory.path().join("whole"));
    let bytes = ["KRvK.skm", "whole/KRvK.skm"].map(|f| std::fs::read(directory.path().join(f)));
    let [part, whole] = bytes.map(Result::unwrap);
    assert!(part == whole, "there is nothing to leave out");
    let part = tablebase(directory.path(), &Options::default());
    assert_eq!(
        part.inventory().rule_sets("KRvK".parse().unwrap()).unwrap(),
        RuleSets::ALL
    );
}

#[test]
fn verdicts_of_makruk_alone_leave_the_others_to_the_distances() {
    let whole = tablebase(tables(), &Options::default());
    let directory = tempfile::tempdir().unwrap();
    verdicts("KRvKN", RuleSets::MAKRUK, directory.path());
    assert_eq!(version(directory.path(), "KRvKN.skv"), 4);
    let alone = tablebase(directory.path(), &Options::default());
    let material: CanonicalMaterial = "KRvKN".parse().unwrap();
    let has = alone
        .inventory()
        .rule_sets_of(TableKind::Verdicts, material)
        .unwrap();
    assert_eq!(has, Some(RuleSets::MAKRUK));
    let mut both = tablebase(directory.path(), &Options::default());
    both.add_directory(tables()).unwrap();
    for position in positions(material, 1000) {
        let makruk = alone
            .by_category()
            .verdict(&position, RuleSet::Makruk)
            .unwrap();
        let value = whole.probe(&position, RuleSet::Makruk, &Count::Fresh);
        assert_eq!(makruk, Some(value.unwrap().category), "{position:?}");
        for rules in [RuleSet::Asean, RuleSet::Ouk] {
            let category = |t: &Tablebase| t.category(&position, rules, &Count::Fresh);
            let error = category(&alone).unwrap_err();
            let words = format!("KRvKN.skv has results for makruk only, not for {rules}");
            assert_eq!(error.to_string(), words);
            assert_eq!(category(&both).unwrap(), category(&whole).unwrap());
        }
    }
}

#[test]
fn a_table_without_a_rule_set_does_not_hide_a_later_one_that_has_it() {
    let whole = tablebase(tables(), &Options::default());
    let [first, later, verdict_tables] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    make_under(RuleSets::MAKRUK, "KSvKM", first.path());
    make_under(RuleSets::with([RuleSet::Ouk]), "KSvKM", later.path());
    verdicts("KSvKM", RuleSets::MAKRUK, first.path());
    verdicts("KSvKM", RuleSets::ALL, verdict_tables.path());
    let open = |directories: &[&Path]| {
        let mut all = tablebase(first.path(), &Options::default());
        for directory in directories {
            all.add_directory(directory).unwrap();
        }
        all
    };
    let material: CanonicalMaterial = "KSvKM".parse().unwrap();
    let positions = positions(material, 300);
    let all = open(&[later.path(), tables(), verdict_tables.path()]);
    for rules in RuleSet::ALL {
        for position in &positions {
            let answers = |t: &Tablebase| {
                let value = t.probe(position, rules, &Count::Fresh).unwrap();
                let moves = t.best_moves(position, rules, &Count::Fresh).unwrap();
                format!("{value:?} {moves:?}")
            };
            assert_eq!(answers(&all), answers(&whole), "{rules} {position:?}");
            // Once a block is decoded it answers, whichever table it is from.
            let value = all.probe(position, rules, &Count::Fresh).unwrap();
            let cached = all.cached().probe(position, rules, &Count::Fresh).unwrap();
            assert_eq!(cached, value, "{rules} {position:?}");
            assert_eq!(
                all.by_category().verdict(position, rules).unwrap(),
                Some(value.category)
            );
        }
    }
    // Nothing is damaged, and together the tables answer every rule set.
    assert!(all.inventory().replaced().is_empty());
    assert_eq!(all.inventory().rule_sets(material).unwrap(), RuleSets::ALL);
    // If no table has the rule set, the first one says so; a damaged one in between changes
    // nothing.
    let damaged = tempfile::tempdir().unwrap();
    std::fs::write(damaged.path().join("KSvKM.skm"), "no table").unwrap();
    let lacking = open(&[damaged.path(), later.path()]);
    let words = "KSvKM.skm has results for makruk only, not for asean";
    refuses_probes(&lacking, &positions, RuleSet::Asean, words);
    for position in &positions {
        let ouk = |t: &Tablebase| t.probe(position, RuleSet::Ouk, &Count::Fresh).unwrap();
        assert_eq!(ouk(&lacking), ouk(&whole));
    }
}

/// The same for probes only.
fn refuses_probes(tables: &Tablebase, positions: &[Position], rules: RuleSet, words: &str) {
    for position in positions {
        let error = tables.probe(position, rules, &Count::Fresh).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
}
