//! Measures how fast verdict tables answer a search.
//!
//! ```text
//! SAKMAK_TABLES=tables cargo bench --bench verdicts                    all two-sided verdict tables
//! SAKMAK_TABLES=tables cargo bench --bench verdicts -- KRMvKR KSMvKN   these
//! ```
//!
//! `SAKMAK_RULES` names another rule set than makruk's: ASEAN chess for `KRPvKN-asean`.
//!
//! It probes the category of random legal positions, with either side to move and a fresh count. It
//! probes one ending after the other, since a search stays in one ending for a long time. A *first
//! touch* is a probe whose block has not been decoded before. Before a *cold* one, the program reads
//! 8 MB of other memory, as an engine does between two probes.

use std::hint::black_box;
use std::path::Path;

use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet};
use sakmak::table::TableKind;

use crate::common::{Random, percentiles, timed};

mod common;

/// The number of positions probed in each ending to measure first touches.
const TOUCHED: usize = 20_000;
/// The number of cold first touches in each ending.
const COLD: usize = 1500;
/// The number of words read before a cold first touch: 8 MB.
const SWEPT: usize = 1 << 20;
/// The number of probes made in each ending before the measured ones. They read the header and the
/// models.
const OPENING: usize = 20;
/// The number of positions of all endings together that are probed repeatedly. Their blocks fit
/// into the cache.
const WARM: usize = 1000;

/// A random legal position of an ending, with either side to move.
fn position(random: &mut Random, material: CanonicalMaterial) -> Position {
    let turn = Color::ALL[random.below(2)];
    random.position(material, turn)
}

/// A tablebase without decoded blocks.
fn tablebase(directory: &Path) -> Tablebase {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

fn ask(tablebase: &Tablebase, rules: RuleSet, position: &Position) -> u32 {
    let category = tablebase.category(position, rules, &Count::Fresh);
    category.unwrap() as u32
}

/// The times of the probes among `probes` that decode a block: first wall-clock time, then CPU time of
/// the thread, which other programs affect less. Calls `prepare` before each of these probes.
fn decoding(
    directory: &Path,
    material: CanonicalMaterial,
    probes: usize,
    prepare: impl Fn(),
) -> [Vec<u64>; 2] {
    let (tablebase, rules) = (tablebase(directory), common::rules());
    let mut random = Random(1);
    for _ in 0..OPENING {
        ask(&tablebase, rules, &position(&mut random, material));
    }
    let mut all = [Vec::new(), Vec::new()];
    for _ in 0..probes {
        let position = position(&mut random, material);
        let cached = tablebase.cached().category(&position, rules, &Count::Fresh);
        if cached.is_ok() {
            continue;
        }
        prepare();
        let times = timed(|| {
            black_box(ask(&tablebase, rules, &position));
        });
        all.iter_mut()
            .zip(times)
            .for_each(|(all, time)| all.push(time));
    }
    all
}

/// Measures `probes` probes of each ending that decode a block. Calls `prepare` before each.
fn first_touch(
    directory: &Path,
    materials: &[CanonicalMaterial],
    probes: usize,
    prepare: impl Fn(),
) {
    let mut all = [Vec::new(), Vec::new()];
    let show = |name: &str, times: &mut [Vec<u64>; 2]| {
        let mean = times[1].iter().sum::<u64>() as f64 / 1000.0 / times[1].len().max(1) as f64;
        let [clock, own] = times.each_mut().map(|times| percentiles(times));
        println!("{name:8} {clock}; {own}, mean {mean:.1}");
    };
    for &material in materials {
        let mut times = decoding(directory, material, probes, &prepare);
        all.iter_mut()
            .zip(&times)
            .for_each(|(all, times)| all.extend(times));
        show(&material.to_string(), &mut times);
    }
    show("all", &mut all);
}

/// Measures repeated probes of the same positions, with one thread and with two.
fn threads(directory: &Path, materials: &[CanonicalMaterial]) {
    let (tablebase, rules) = (tablebase(directory), common::rules());
    let mut random = Random(2);
    let each = WARM.div_ceil(materials.len());
    let positions: Vec<_> = materials
        .iter()
        .flat_map(|&material| vec![material; each])
        .map(|material| position(&mut random, material))
        .collect();
    let ask_all = || {
        let asked = positions
            .iter()
            .map(|position| ask(&tablebase, rules, position));
        black_box(asked.fold(0, u32::wrapping_add));
    };
    ask_all();
    common::threads(positions.len(), ask_all);
}

fn main() {
    let Some(directory) = common::directory() else {
        println!("name a directory of verdict tables: SAKMAK_TABLES=tables");
        return;
    };
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let all = tablebase(&directory);
    let mut materials = all.inventory().materials_of(TableKind::Verdicts);
    materials.retain(|material| match named.is_empty() {
        true => !material.is_bare(),
        false => named.contains(&material.to_string()),
    });
    if named.is_empty() {
        let most = materials.iter().map(|material| material.men()).max();
        materials.retain(|material| Some(material.men()) == most);
    }
    let shown = directory.display();
    if materials.is_empty() {
        println!("{shown} has no such verdict table: sakmak generate all-4 --verdicts makes some");
        return;
    }
    let path = |&material| all.inventory().path_of(TableKind::Verdicts, material);
    materials.iter().filter_map(path).for_each(common::read);
    println!("{} endings of {shown}", materials.len());
    println!("first touch in microseconds: wall-clock time; CPU time");
    first_touch(&directory, &materials, TOUCHED, || ());
    println!("the same, cold");
    let swept: Vec<u64> = (0..SWEPT as u64).collect();
    first_touch(&directory, &materials, COLD, || {
        black_box(
            swept
                .iter()
                .fold(0, |sum: u64, word| sum.wrapping_add(*word)),
        );
    });
    threads(&directory, &materials);
}
