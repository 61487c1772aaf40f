//! Damaged tables, a thousand or ten thousand, and texts that are almost FENs, the same in every
//! run.
//!
//! `fuzz/harness.rs` defines what is checked for each; `fuzz/run` continues with libFuzzer.

use std::path::Path;

use sakmak::board::{Color, Game, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, ProbeError, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::table::{Block, DecodedCells, Decoder, Packing, Table, WriteOptions};

use crate::verdict::verdicts;

#[path = "../../fuzz/forge.rs"]
mod forge;
#[path = "../../fuzz/harness.rs"]
pub mod harness;
use harness::{Intact, Random, reseal, reseal_all, spoil, spoil_inside};

/// The number of damaged copies of each table, and its packing; together ten thousand.
const SPOILT: [(&str, usize, Packing); 10] = [
    ("KRvK", 2000, Packing::Plain),
    ("KRvK", 2000, Packing::SymbolRanking),
    ("KSvK", 2000, Packing::SymbolRanking),
    ("KNNvK", 1000, Packing::Plain),
    ("KMvKM", 750, Packing::Plain),
    ("KMvKM", 350, Packing::SymbolRanking),
    ("KMvKM", 400, Packing::RankingOverBase),
    ("KRRvK", 1000, Packing::SymbolRanking),
    ("KPPvK", 200, Packing::Plain),
    ("KPPvK", 300, Packing::SymbolRanking),
];

/// Generates a table with a packing, and returns its bytes.
fn make(name: &str, packing: Packing, directory: &Path) -> Vec<u8> {
    let over_bases = packing == Packing::RankingOverBase;
    let options = WriteOptions {
        packing: Some(match over_bases {
            // The first section, which has no base.
            true => Packing::SymbolRanking,
            false => packing,
        }),
        over_bases,
        ..WriteOptions::default()
    };
    crate::making::make_with(name, directory, &options);
    let file = std::fs::read(directory.join(format!("{name}.skm"))).unwrap();
    let table = Table::new(&file[..]).unwrap();
    let found = table.sections().nth(usize::from(over_bases)).unwrap();
    assert_eq!(found.header().packing, packing, "{name}");
    file
}

/// A part of `n`: `SAKMAK_FUZZ_SHARE` hundredths, by default `hundredths`.
fn share(n: usize, hundredths: usize) -> usize {
    let share = std::env::var("SAKMAK_FUZZ_SHARE").ok();
    let share = share.and_then(|share| share.parse().ok());
    (n * share.unwrap_or(hundredths) / 100).max(1)
}

/// Positions of an ending with either side to move.
fn positions(material: CanonicalMaterial, random: &mut Random, number: usize) -> Vec<Position> {
    let men: Vec<(Color, Role)> = material.material().roles().collect();
    let mut found = Vec::new();
    while found.len() < number {
        let turn = Color::ALL[random.below(2)];
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

type Answer = (Distance, Option<Distance>);

fn ask(tablebase: &Tablebase, position: &Position) -> Result<Answer, ProbeError> {
    let rules = match position.is_pawnless() {
        true => RuleSet::Asean,
        false => RuleSet::Makruk,
    };
    Ok((tablebase.dtm(position)?, tablebase.dth(position, rules)?))
}

fn open(directory: &Path) -> Tablebase {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn a_thousand_spoilt_tables_give_errors_or_right_answers() {
    assert_spoilt_tables_are_noticed(10);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn ten_thousand_spoilt_tables_give_errors_or_right_answers() {
    assert_spoilt_tables_are_noticed(100);
}

fn assert_spoilt_tables_are_noticed(hundredths: usize) {
    let all: usize = SPOILT.iter().map(|&(_, n, _)| n).sum();
    assert_eq!(all, 10_000);
    let directory = tempfile::tempdir().unwrap();
    // The source of foreign bytes.
    let other = make("KSvK", Packing::SymbolRanking, directory.path());
    let elsewhere = make("KRRvK", Packing::Plain, directory.path());
    for (name, _, packing) in SPOILT {
        make(name, packing, directory.path());
    }
    let file = |name: &str| directory.path().join(format!("{name}.skm"));
    let mut random = Random(1);
    let (mut opened, mut refused, mut told, mut right) = (0, 0, 0, 0);
    for (name, number, packing) in SPOILT {
        let path = file(name);
        let intact = Intact::new(make(name, packing, directory.path())).unwrap();
        let positions = positions(name.parse().unwrap(), &mut random, 12);
        let whole = open(directory.path());
        let answers: Vec<Answer> = positions.iter().map(|p| ask(&whole, p).unwrap()).collect();
        for i in 0..share(number, hundredths) {
            let other = if i % 2 == 0 { &other } else { &elsewhere };
            let mut spoilt = spoil(&mut random, &intact.bytes, other);
            if spoilt != intact.bytes {
                let (open, blocks) = intact.compare(&spoilt, 4);
                opened += usize::from(open);
                refused += blocks;
            }
            // A file among others; a new file, since the old one may be mapped.
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, &spoilt).unwrap();
            let tablebase = open(directory.path());
            for (position, answer) in positions.iter().zip(&answers) {
                match ask(&tablebase, position) {
                    Ok(found) => {
                        assert_eq!(found, *answer, "{name}, number {i}");
                        right += 1;
                    }
                    Err(ProbeError::Table(_)) => told += 1,
                    Err(error) => panic!("{name}, number {i}: {error}"),
                }
            }
            // The same with a header whose checksums are correct: values may then differ, but
            // nothing worse may happen.
            reseal(&mut spoilt);
            harness::table(&spoilt);
            // With all checksums correct, the decoders meet the damage too.
            reseal_all(&mut spoilt);
            harness::table(&spoilt);
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &intact.bytes).unwrap();
    }
    // Every outcome has occurred, so the comparison means something.
    println!("{opened} opened, {refused} blocks refused; {told} answers refused, {right} right");
    assert!(opened > 0 && refused > 0 && told > 0 && right > 0);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn spoilt_verdict_tables_and_forged_headers_give_errors_or_values() {
    let mut random = Random(5);
    let other = verdicts("KMvK");
    for name in ["KMvKM", "KPvK", "KRvK"] {
        let whole = verdicts(name);
        for _ in 0..share(2000, 10) {
            let mut spoilt = spoil(&mut random, &whole, &other);
            harness::table(&spoilt);
            reseal(&mut spoilt);
            harness::table(&spoilt);
        }
        for forged in forge::forgeries(&whole, 10).step_by(5) {
            harness::table(&forged.bytes);
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn spoilt_blocks_behind_good_seals_give_errors_or_values() {
    assert_spoilt_blocks_do_no_harm(10);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn ten_thousand_spoilt_blocks_give_errors_or_values() {
    assert_spoilt_blocks_do_no_harm(100);
}

fn assert_spoilt_blocks_do_no_harm(hundredths: usize) {
    let directory = tempfile::tempdir().unwrap();
    for (name, _, packing) in SPOILT {
        make(name, packing, directory.path());
    }
    let mut random = Random(3);
    // For each packing the number of blocks that failed, that gave other cells, and that gave the
    // same.
    let mut ends = [[0; 3]; 2];
    let (mut told, mut answered) = (0, 0);
    for (name, number, packing) in SPOILT {
        let path = directory.path().join(format!("{name}.skm"));
        let file = make(name, packing, directory.path());
        let mut same = file.clone();
        reseal_all(&mut same);
        assert!(
            same == file,
            "the seals of {name} are made as the writer does"
        );
        let positions = positions(name.parse().unwrap(), &mut random, 12);
        let intact = Table::new(&file[..]).unwrap();
        let whole = intact.sections().map(|s| s.decode_all(&|_| {}).unwrap());
        let whole: Vec<DecodedCells> = whole.collect();
        let (mut decoder, mut block) = (Decoder::new(), Block::new());
        for _ in 0..share(number, hundredths) {
            let spoilt = spoil_inside(&mut random, &file);
            harness::table(&spoilt);
            let Ok(table) = Table::new(&spoilt[..]) else {
                panic!("{name}: its header is whole");
            };
            for (section, whole) in table.sections().zip(&whole) {
                let header = section.header();
                let ends = &mut ends[usize::from(header.packing != Packing::Plain)];
                for number in 0..header.blocks() {
                    let read = section.read_block(number, &mut decoder, &mut block);
                    let first = number as usize * header.block_cells as usize;
                    let mut cells = 0..block.len();
                    let equal = cells.all(|place| block.get(place) == whole.get(first + place));
                    let end = match (read.is_ok(), equal) {
                        (false, _) => 0,
                        (true, false) => 1,
                        (true, true) => 2,
                    };
                    ends[end] += 1;
                }
            }
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, &spoilt).unwrap();
            let tablebase = open(directory.path());
            for position in &positions {
                match ask(&tablebase, position) {
                    Ok(_) => answered += 1,
                    Err(ProbeError::Table(_)) => told += 1,
                    Err(error) => panic!("{name}: {error}"),
                }
            }
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &file).unwrap();
    }
    println!(
        "plain, symbol ranking: {ends:?} refused, wild, whole; {told} answers refused, {answered} given"
    );
    // For plain blocks the checksums were no protection. Symbol ranking checks the cells
    // themselves.
    let [plain, [refused, wild, whole]] = ends;
    assert!(plain.iter().all(|&n| n > 0));
    assert!(refused > 0 && wild == 0 && whole > 0);
    assert!(told > 0 && answered > 0);
}

#[test]
fn almost_fens_are_read_or_refused() {
    const FENS: [&str; 6] = [
        "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78",
        "8/8/8/3k4/8/3K4/2BQ~4/8 w - - 12 9",
        "8/8/8/8/8/2k5/8/K6R w - 32 6 1",
        "4k3/8/8/3nr3/8/8/RSM5/K7 w - - 0 1",
        "KRNSMvKRN",
        "all-5",
    ];
    const CHARACTERS: &[char] = &[
        'K', 'k', 'R', 'n', 'S', 'b', 'Q', 'm', '~', 'P', '/', '1', '8', '9', '0', ' ', 'w', '-',
        'v', '\t', '\n', '\0', 'é', '王', '\u{200b}',
    ];
    let mut random = Random(2);
    for i in 0..share(20_000, 100) {
        let mut text: Vec<char> = FENS[i % FENS.len()].chars().collect();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.drain(at..)),
                1 => text.insert(at, CHARACTERS[random.below(CHARACTERS.len())]),
                2 if !text.is_empty() => drop(text.remove(at)),
                _ if !text.is_empty() => text[at] = CHARACTERS[random.below(CHARACTERS.len())],
                _ => {}
            }
        }
        harness::fen(&text.into_iter().collect::<String>());
    }
}
