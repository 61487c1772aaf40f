//! Tables with forged headers and good checksums: each answer is that of the table before it was
//! forged, or an error.

use std::fs;
use std::path::Path;

use sakmak::board::{Color, Game, Position, Role, Square};
use sakmak::generate::{SolvedEndings, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Options, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet, RuleSets};
use sakmak::table::{Packing, WriteOptions};

use crate::making::{make, make_with};

#[path = "../../fuzz/forge.rs"]
mod forge;
#[path = "../../fuzz/harness.rs"]
mod harness;

/// Legal positions of an ending with either side to move.
fn positions(material: CanonicalMaterial, number: usize) -> Vec<Position> {
    let men: Vec<(Color, Role)> = material.material().roles().collect();
    let mut random = harness::Random(7);
    let mut found = Vec::new();
    while found.len() < number {
        let turn = Color::ALL[found.len() % 2];
        let square = |(color, role): (Color, Role)| loop {
            let square = Square::wrapping(random.below(64));
            if role != Role::Bia || Game::Makruk.bia_home(color).contains(square) {
                return (square, color, role);
            }
        };
        let men: Vec<_> = men.iter().copied().map(square).collect();
        found.extend(Position::from_men(men, turn));
    }
    found
}

type Answer = Result<(Option<sakmak::probe::Value>, Category), ProbeError>;

/// The answer to a position. A verdict table alone gives only the category.
fn ask(tablebase: &Tablebase, position: &Position, rules: RuleSet, distances: bool) -> Answer {
    let count = Count::Fresh;
    let category = tablebase.category(position, rules, &count)?;
    let value = match distances {
        true => Some(tablebase.probe(position, rules, &count)?),
        false => None,
    };
    Ok((value, category))
}

/// Asks the forgeries of a table, among whole tables of the smaller endings. Returns the numbers of
/// forgeries, of those that open, and of right answers.
fn assert_harmless(name: &str, file: &str, directory: &Path, statistics: usize) -> [usize; 3] {
    let material: CanonicalMaterial = name.parse().unwrap();
    let whole = fs::read(directory.join(file)).unwrap();
    let distances = file.ends_with("skm");
    let open = |bytes: Vec<u8>| {
        let options = Options {
            cache_bytes: 1 << 18,
            ..Options::default()
        };
        let mut tablebase = Tablebase::with_options(&options).unwrap();
        for smaller in material.closure().into_iter().filter(|&m| m != material) {
            let path = directory.join(format!("{smaller}.skm"));
            tablebase.add_bytes(fs::read(path).unwrap()).unwrap();
        }
        tablebase.add_source(file, bytes).unwrap();
        tablebase
    };
    let positions = positions(material, 60);
    let asked = || {
        positions
            .iter()
            .flat_map(|p| RuleSet::ALL.map(|rules| (p, rules)))
    };
    let intact = open(whole.clone());
    intact.inventory().open_all().unwrap();
    let right: Vec<_> = asked()
        .map(|(p, rules)| ask(&intact, p, rules, distances).ok())
        .collect();
    assert!(right.iter().filter(|right| right.is_some()).count() >= positions.len());
    let [mut all, mut opened, mut given] = [0; 3];
    for forged in forge::forgeries(&whole, statistics) {
        all += 1;
        let tablebase = open(forged.bytes);
        if tablebase.inventory().open_all().is_err() {
            continue;
        }
        opened += 1;
        for ((p, rules), right) in asked().zip(&right) {
            match (ask(&tablebase, p, rules, distances), right) {
                (Ok(found), Some(right)) if found == *right => given += 1,
                (Ok(_), _) if forged.states_other_values => {}
                (Ok(found), right) => {
                    panic!("{file}, {}: {p:?} {found:?} {right:?}", forged.what)
                }
                (Err(ProbeError::Table(_) | ProbeError::MissingRules { .. }), _) => {}
                (Err(_), None) => {}
                (Err(error), Some(_)) => panic!("{file}, {}: {error}", forged.what),
            }
        }
    }
    println!("{file}: {all} forged, {opened} opened, {given} right");
    [all, opened, given]
}

#[test]
fn forged_headers_give_right_answers_or_errors() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for set in [
        "KRvK", "KMvK", "KNvK", "KPvK", "KMvKM", "KPvKP", "KMvKP", "KRvKN", "KNvKM",
    ] {
        make(set, directory);
    }
    let mut total = [0; 3];
    let mut check = |name: &str, file: &str, statistics: usize| {
        let found = assert_harmless(name, file, directory, statistics);
        total = std::array::from_fn(|n| total[n] + found[n]);
    };
    for name in ["KRvK", "KMvKM", "KRvKN", "KPvKP"] {
        check(name, &format!("{name}.skm"), 10);
    }
    for (name, over_bases, rules) in [
        ("KRvK", false, RuleSets::ALL),
        ("KMvKM", true, RuleSets::ALL),
        ("KMvKM", true, RuleSets::MAKRUK),
        ("KPvKP", true, RuleSets::ALL),
    ] {
        let options = WriteOptions {
            packing: Some(Packing::SymbolRanking),
            over_bases,
            rules,
            level: 1,
            ..WriteOptions::default()
        };
        let file = format!("{name}.skm");
        fs::remove_file(directory.join(&file)).unwrap();
        make_with(name, directory, &options);
        check(name, &file, 10);
    }
    for (name, rules) in [
        ("KRvK", RuleSets::ALL),
        ("KMvKM", RuleSets::ALL),
        ("KRvKN", RuleSets::ALL),
        ("KRvKN", RuleSets::MAKRUK),
        ("KMvKP", RuleSets::MAKRUK),
    ] {
        let material = name.parse().unwrap();
        let _ = fs::remove_file(directory.join(format!("{name}.skv")));
        generate_verdicts(material, rules, directory, &mut SolvedEndings::new(), &[]).unwrap();
        check(name, &format!("{name}.skv"), 1);
    }
    println!("{total:?} forged, opened, right answers");
    assert!(total[0] > 5000 && total[1] > 100 && total[2] > 10_000);
}
