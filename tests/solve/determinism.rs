//! The same material gives the same bits with any vector instructions and any number of threads.

use std::collections::BTreeMap;
use std::path::Path;

use crate::making::make_with;
use rayon::ThreadPoolBuilder;
use sakmak::board::Color;
use sakmak::generate::SolvedEndings;
use sakmak::internals::{BitPlanes, Goal, Keep, LaneLayout, Simd, Solution, Unit, solve};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;
use sakmak::table::WriteOptions;

/// Solves an ending for one side's wins with these instructions.
fn solved(name: &str, winner: Color, goal: Goal, simd: Simd) -> Solution {
    let material = name.parse::<CanonicalMaterial>().unwrap().material();
    let layout = LaneLayout::new(material, winner);
    let leaves = SolvedEndings::new().leaves(material, &layout, goal);
    solve(layout, leaves, Keep::Both, Unit::Moves, simd, &mut |_| {})
}

fn assert_same_planes(a: &BitPlanes, b: &BitPlanes, what: &str) {
    assert_eq!(a.lanes(), b.lanes(), "{what}");
    let (mut left, mut right) = ([0; 64], [0; 64]);
    for lane in 0..a.lanes() {
        a.numbers(lane, &mut left);
        b.numbers(lane, &mut right);
        assert_eq!(left, right, "{what}, lane {lane}");
    }
}

fn assert_same(a: &Solution, b: &Solution, what: &str) {
    assert_same_planes(&a.winner_to_move, &b.winner_to_move, what);
    let losers = [a, b].map(|solution| solution.loser_to_move.as_ref().unwrap());
    assert_same_planes(losers[0], losers[1], what);
    assert!(a.open[..] == b.open[..], "{what}: what is never won");
    let (a, b) = (&a.counts, &b.counts);
    assert_eq!(a.winner_legal, b.winner_legal, "{what}");
    assert_eq!(a.loser_legal, b.loser_legal, "{what}");
    assert_eq!(a.steps, b.steps, "{what}");
}

#[test]
fn every_level_of_vector_instructions_solves_to_the_same_bits() {
    // A rook and a leaper, like men, full symmetry and the mirror only, men on both sides.
    let endings = [
        ("KRSvK", Color::White, Goal::Mate),
        ("KNNvK", Color::White, Goal::Mate),
        ("KMMvK", Color::White, Goal::Mate),
        ("KSSvK", Color::White, Goal::Mate),
        ("KRvKM", Color::White, Goal::Mate),
        ("KRvKM", Color::Black, Goal::Mate),
        ("KRvKS", Color::White, Goal::Honor(RuleSet::Makruk)),
    ];
    for (name, winner, goal) in endings {
        let plain = solved(name, winner, goal, Simd::Portable);
        for simd in Simd::available() {
            let what = format!("{name}, {winner:?} wins, {goal:?}, {simd:?}");
            assert_same(&plain, &solved(name, winner, goal, simd), &what);
        }
    }
}

/// The bytes of every file in a directory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap();
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

#[test]
fn one_thread_and_two_write_the_same_bytes() {
    for (set, tables) in [("KRSvK", 3), ("KNvKM", 3)] {
        let made = [1, 2].map(|threads| {
            let directory = tempfile::tempdir().unwrap();
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap()
                .install(|| make_with(set, directory.path(), &WriteOptions::default()));
            files(directory.path())
        });
        assert_eq!(made[0].len(), tables, "{set}");
        assert_eq!(
            made[0].keys().collect::<Vec<_>>(),
            made[1].keys().collect::<Vec<_>>()
        );
        for (name, bytes) in &made[0] {
            assert!(*bytes == made[1][name], "{name} depends on the threads");
        }
    }
}
