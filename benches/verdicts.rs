//! Measures how fast verdict tables answer a search.
//!
//! ```text
//! SAKMAK_TABLES=tables cargo bench --bench verdicts                    all two-sided verdict tables
//! SAKMAK_TABLES=tables cargo bench --bench verdicts -- KRMvKR KSMvKN   these
//! ```
//!
//! It probes the category of random legal positions, with either side to move and a fresh count. It
//! probes one ending after the other, since a search stays in one ending for a long time. A *first
//! touch* is a probe whose block has not been decoded before.

use std::hint::black_box;
use std::path::Path;

use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet};

use crate::common::{Random, percentiles, timed};

mod common;

/// The number of positions probed in each ending to measure first touches.
const COLD: usize = 20_000;
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

fn ask(tablebase: &Tablebase, position: &Position) -> u32 {
    let category = tablebase.category(position, RuleSet::Makruk, &Count::Fresh);
    category.unwrap() as u32
}

/// Measures probes that decode a block, as wall-clock time and as CPU time of the thread, which
/// other programs affect less.
fn first_touch(directory: &Path, materials: &[CanonicalMaterial]) {
    println!("first touch in microseconds: wall-clock time; CPU time");
    let tablebase = tablebase(directory);
    let (mut all, mut all_own) = (Vec::new(), Vec::new());
    for &material in materials {
        let mut random = Random(1);
        for _ in 0..OPENING {
            ask(&tablebase, &position(&mut random, material));
        }
        let (mut clock, mut own) = (Vec::new(), Vec::new());
        for _ in 0..COLD {
            let position = position(&mut random, material);
            let cached = tablebase
                .cached()
                .category(&position, RuleSet::Makruk, &Count::Fresh);
            if cached.is_ok() {
                continue;
            }
            let times = timed(|| {
                black_box(ask(&tablebase, &position));
            });
            clock.push(times[0]);
            own.push(times[1]);
        }
        all.extend(&clock);
        all_own.extend(&own);
        let [clock, own] = [&mut clock, &mut own].map(|times| percentiles(times));
        println!("{material:8} {clock}; {own}");
    }
    let [clock, own] = [&mut all, &mut all_own].map(|times| percentiles(times));
    println!("all      {clock}; {own}");
}

/// Measures repeated probes of the same positions, with one thread and with two.
fn threads(directory: &Path, materials: &[CanonicalMaterial]) {
    let tablebase = tablebase(directory);
    let mut random = Random(2);
    let each = WARM.div_ceil(materials.len());
    let positions: Vec<_> = materials
        .iter()
        .flat_map(|&material| vec![material; each])
        .map(|material| position(&mut random, material))
        .collect();
    let ask_all = || {
        let asked = positions.iter().map(|position| ask(&tablebase, position));
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
    let mut endings: Vec<_> = all
        .inventory()
        .verdict_tables()
        .filter(|(material, _)| match named.is_empty() {
            true => !material.is_bare(),
            false => named.contains(&material.to_string()),
        })
        .collect();
    if named.is_empty() {
        let most = endings.iter().map(|(material, _)| material.men()).max();
        endings.retain(|(material, _)| Some(material.men()) == most);
    }
    let shown = directory.display();
    if endings.is_empty() {
        println!("{shown} has no such verdict table: sakmak generate all-4 --verdicts makes some");
        return;
    }
    endings.iter().for_each(|(_, path)| common::read(path));
    println!("{} endings of {shown}", endings.len());
    let materials: Vec<_> = endings.into_iter().map(|(material, _)| material).collect();
    first_touch(&directory, &materials);
    threads(&directory, &materials);
}
