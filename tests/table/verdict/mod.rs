//! Verdict tables against the distance tables of the same endings.

mod agree;
mod asked;
mod damaged;
mod made;
mod written;
mod wrong;

use std::path::Path;

use sakmak::board::{Color, Position, Square, SquareSet};
use sakmak::generate::{SolvedEndings, generate_verdicts};
use sakmak::index::Layout;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSets;
use sakmak::table::{Access, FileBytes, TableError, TableFile, file_name};
use sakmak::verdict::{Coding, Set, Turn, VerdictBlock, VerdictFile};

use crate::making::make;

/// The words of a set, with the winner and with the loser to move.
type Words = [Vec<u64>; 2];

/// Endings of every kind: bare and two-sided, with both symmetries, with pairs, alike on both
/// sides.
const ENDINGS: [&str; 5] = ["KRvK", "KNMvK", "KMMvK", "KRvKN", "KMvKM"];

/// The verdict table of an ending, as bytes.
pub fn verdicts(name: &str) -> Vec<u8> {
    verdicts_as(name, &[])
}

/// The verdict table of an ending, as bytes, with the sides' wins coded like this.
fn verdicts_as(name: &str, known: &[Coding]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let material: CanonicalMaterial = name.parse().unwrap();
    let bytes = generate_verdicts(
        material,
        RuleSets::published(material.material()),
        directory.path(),
        &mut SolvedEndings::new(),
        known,
    )
    .unwrap();
    let file = std::fs::read(directory.path().join(format!("{name}.skv"))).unwrap();
    assert_eq!(file.len() as u64, bytes);
    file
}

fn with(files: impl IntoIterator<Item = Vec<u8>>) -> Tablebase {
    let mut tables = Tablebase::new();
    for file in files {
        tables.add_bytes(file).unwrap();
    }
    tables
}

fn distances(set: &str, directory: &Path) -> Tablebase {
    make(set, directory);
    let mut tables = Tablebase::new();
    tables.add_directory(directory).unwrap();
    tables
}

/// Legal positions of an ending: all for which `take` says yes to their number.
fn positions(name: &str, take: impl Fn(u64) -> bool) -> impl Iterator<Item = Position> {
    let material: CanonicalMaterial = name.parse().unwrap();
    let men: Vec<_> = material.material().roles().collect();
    let all = 1u64 << (6 * men.len());
    (0..2 * all)
        .filter(move |&number| take(number))
        .filter_map(move |number| {
            let turn = Color::ALL[(number / all) as usize];
            let square = |i: usize| Square::wrapping((number >> (6 * i)) as usize);
            let placed = men.iter().enumerate();
            let placed = placed.map(|(i, &(color, role))| (square(i), color, role));
            let squares: SquareSet = placed.clone().map(|(square, ..)| square).collect();
            (squares.len() == men.len()).then(|| Position::from_men(placed, turn).ok())?
        })
}

/// The verdict table in these bytes.
fn opened(bytes: Vec<u8>) -> VerdictFile {
    VerdictFile::new(FileBytes::Memory(bytes.into())).unwrap()
}

fn open(directory: &Path, material: CanonicalMaterial) -> Result<TableFile, TableError> {
    let path = directory.join(file_name(material));
    TableFile::open_as(&path, material, Access::Blocks)
}

/// All words of one side's wins, by set.
fn words(table: &VerdictFile, winner: Color) -> Vec<Words> {
    let (_, blocks) = table.blocks(winner).unwrap();
    let mut block = VerdictBlock::default();
    let sets = Set::all().map(|set| {
        let mut words = Words::default();
        for number in 0..blocks {
            table
                .read_block(winner, &[(set, Turn::Loser)], number, &mut block)
                .unwrap();
            for turn in [Turn::Winner, Turn::Loser] {
                words[turn as usize].extend_from_slice(block.words(set, turn));
            }
        }
        words
    });
    sets.collect()
}

/// The groups of a side's layout, as a writer takes them.
fn order(table: &VerdictFile, winner: Color) -> Vec<u8> {
    let all = Layout::groups_of(table.material());
    let groups = table.layout(winner).unwrap().groups().iter();
    let place = |group| all.iter().position(|g| g == group).unwrap() as u8;
    groups.map(place).collect()
}
