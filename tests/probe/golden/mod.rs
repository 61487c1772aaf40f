//! Answers without bia that must not change.

mod confirm;

use std::collections::BTreeSet;

use sakmak::material::CanonicalMaterial;
use sakmak::probe::Options;
use sakmak::rules::RuleSet;

use crate::answers::{Golden, Most, assert_answered, choose, parse, write};
use crate::common::{materials, positions, tablebase, tables};

const FILE: &str = include_str!("../../golden/answers.csv");

/// The most lines of an ending under a rule set.
const MOST: Most = Most {
    lines: 10,
    alike: 3,
};

#[test]
fn the_tables_give_the_golden_answers() {
    let lines = parse(FILE);
    assert!(lines.len() >= 300, "{}", lines.len());
    assert_answered(&tablebase(tables(), &Options::default()), &lines);
}

#[test]
fn the_golden_answers_leave_nothing_out() {
    let lines = parse(FILE);
    let set = |of: &dyn Fn(&Golden) -> String| lines.iter().map(of).collect::<BTreeSet<_>>();
    let endings = set(&|golden| format!("{} {}", golden.rules, golden.material()));
    assert_eq!(endings.len(), RuleSet::ALL.len() * materials().len());
    let kinds = set(&|golden| {
        let turn = golden.fen().position.turn();
        format!("{} {turn} {}", golden.rules, golden.category)
    });
    assert_eq!(kinds.len(), 3 * 2 * 5, "{kinds:?}");
    let limits = |rules| {
        let of_rules = lines.iter().filter(|golden| golden.rules == rules);
        of_rules
            .filter_map(|golden| golden.limit)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(limits(RuleSet::Makruk), [8, 16, 22, 32, 44, 64].into());
    assert_eq!(limits(RuleSet::Ouk), [7, 15, 21, 31, 43, 63].into());
    assert!(limits(RuleSet::Asean).is_superset(&[16, 44, 50].into()));
    let stuck = |dtm| lines.iter().any(|g| g.best.is_empty() && g.dtm == dtm);
    assert!(stuck(Some(0)) && stuck(None), "a mate and a stalemate");
}

/// Writes the file anew, when endings or fields are added. Lines that stay keep their answers.
#[test]
#[ignore = "writes tests/golden/answers.csv"]
fn write_the_golden_answers() {
    let tablebase = tablebase(tables(), &Options::default());
    let all = |material: CanonicalMaterial| {
        let positions = positions(material, 9000);
        let parts = positions.chunks_exact(3000).zip(RuleSet::ALL);
        let chosen = parts.map(|(part, rules)| choose(&tablebase, part, rules, &MOST));
        chosen.collect::<Vec<_>>()
    };
    let lines: Vec<Golden> = materials().into_iter().flat_map(all).flatten().collect();
    write("answers.csv", FILE, &lines);
}
