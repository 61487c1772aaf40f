//! A search reads tables with results of some rule sets only.

use sakmak::material::CanonicalMaterial;
use sakmak::probe::Options;
use sakmak::rules::{Count, RuleSet, RuleSets};
use sakmak_play::find::{Criteria, Finder};

use crate::common::{tablebase, tables};
use crate::making::make_under;

#[test]
fn a_table_without_a_rule_set_does_not_hide_a_later_one_from_a_search() {
    let [first, later] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    make_under(RuleSets::MAKRUK, "KSvKM", first.path());
    make_under(RuleSets::with([RuleSet::Ouk]), "KSvKM", later.path());
    let mut all = tablebase(first.path(), &Options::default());
    all.add_directory(later.path()).unwrap();
    let material: CanonicalMaterial = "KSvKM".parse().unwrap();
    for rules in [RuleSet::Makruk, RuleSet::Ouk] {
        let mut found = Finder::new(&all, material, &Criteria::new(rules), 1).unwrap();
        let position = found.next().unwrap().unwrap().position;
        assert!(all.probe(&position, rules, &Count::Fresh).is_ok());
    }
    // None has results for ASEAN chess, until a third directory is added.
    let criteria = Criteria::new(RuleSet::Asean);
    assert!(Finder::new(&all, material, &criteria, 1).is_err());
    all.add_directory(tables()).unwrap();
    assert!(Finder::new(&all, material, &criteria, 1).is_ok());
}
