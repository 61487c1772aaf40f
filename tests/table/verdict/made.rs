//! Made from the same solves as the distances, by a known coding, on any number of threads.

use sakmak::generate::{SolvedEndings, generate_by_plan, plan_with_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::{Count, RuleSet};
use sakmak::table::file_name;
use sakmak::verdict::{Coding, Set, Ties};

use super::{opened, positions, verdicts, verdicts_as, with};
use crate::making::{make, quick};

/// Makes both tables of some endings from the same solves, and compares them with those made by
/// themselves.
fn assert_the_same_from_one_solve(names: &[&str]) {
    let [both, distances] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    for name in names {
        make(name, distances.path());
        let material: CanonicalMaterial = name.parse().unwrap();
        let options = quick(material);
        let mut solved_endings = SolvedEndings::new();
        let plan = plan_with_verdicts(material, None);
        let made =
            generate_by_plan(&plan, both.path(), &mut solved_endings, &options, &|_| {}).unwrap();
        made.won_sets.unwrap().write(both.path(), &[]).unwrap();
        let read = |file: String| std::fs::read(both.path().join(file)).unwrap();
        assert_eq!(read(format!("{name}.skv")), verdicts(name), "{name}");
        let table = std::fs::read(distances.path().join(file_name(material))).unwrap();
        assert_eq!(read(file_name(material)), table, "{name}");
    }
}

#[test]
fn the_solves_of_the_distances_give_the_same_verdict_table() {
    // Against a bare king, alike on both sides, and where the rule sets share wins or do not.
    assert_the_same_from_one_solve(&["KNMvK", "KMMvK", "KRvKR", "KRvKN", "KSvKM"]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn the_solves_of_five_men_give_the_same_verdict_table() {
    // By plies too, with late captures among them.
    assert_the_same_from_one_solve(&["KNNMvK", "KRMvKM", "KNNvKN"]);
}

/// A known coding spares the search, and changes nothing; unless it is another, of the same wins.
#[test]
fn a_known_coding_gives_the_table_that_a_search_does() {
    for name in ["KMMvK", "KRvKN", "KSvKM"] {
        let searched = verdicts(name);
        let table = opened(searched.clone());
        let found = table.codings().unwrap();
        assert_eq!(found.len(), table.winners().count());
        assert_eq!(verdicts_as(name, &found), searched, "{name}");

        let changed = |change: fn(&mut Coding)| {
            let mut known = found.clone();
            known.iter_mut().for_each(change);
            known
        };
        let misfits = [
            changed(|coding| coding.block_planes = 0),
            changed(|coding| coding.block_planes = 256),
            changed(|coding| coding.sets = [None; Set::COUNT]),
            changed(|coding| coding.sets = [Some(Ties::default()); Set::COUNT]),
            changed(|coding| {
                coding.sets[0]
                    .iter_mut()
                    .for_each(|ties| ties.like = Some(0))
            }),
            changed(|coding| {
                coding.sets[0]
                    .iter_mut()
                    .for_each(|ties| ties.outsiders = true)
            }),
        ];
        for misfit in misfits {
            assert_eq!(verdicts_as(name, &misfit), searched, "{name}: {misfit:?}");
        }

        let mut other = changed(|coding| coding.block_planes = 3);
        for ties in other.iter_mut().flat_map(|coding| &mut coding.sets) {
            *ties = ties.map(|_| Ties::default());
        }
        let file = verdicts_as(name, &other);
        let table = opened(file.clone());
        assert_eq!(table.codings().unwrap(), other);
        table.check().unwrap();
        let [ours, theirs] = [file, searched].map(|file| with([file]));
        for position in positions(name, |number| number % 101 == 0) {
            for rules in RuleSet::ALL {
                let [ours, theirs] =
                    [&ours, &theirs].map(|t| t.category(&position, rules, &Count::Fresh).unwrap());
                assert_eq!(ours, theirs, "{rules}: {position:?}");
            }
        }
    }
}

#[test]
fn same_bytes_for_any_number_of_threads() {
    let made = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| verdicts("KRvKN"))
    };
    assert_eq!(made(1), made(3));
}
