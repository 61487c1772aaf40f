//! Measures how fast tables answer.
//!
//! ```text
//! cargo bench --bench probe                           endings with up to four men, made first
//! SAKMAK_TABLES=tables cargo bench --bench probe      the bare-king tables of a directory
//! ```
//!
//! `SAKMAK_RULES` names another rule set than makruk's.
//!
//! For tables of five men with men on both sides it measures first touches, with all blocks that a
//! probe has to decode. If the directory has verdict tables, it measures these too.
//!
//! All probes are of random legal positions, about equally many from each ending, with the stored
//! side to move unless noted otherwise. The files are read once before the measurement, so that
//! they are in the system's cache. Criterion computes neither percentiles nor the rates of two
//! threads, so the program computes and prints these itself.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use sakmak::board::{Color, Position};
use sakmak::generate::{SolvedEndings, generate_table};
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::{Options, Tablebase};
use sakmak::rules::Count;
use sakmak::table::{Access, WriteOptions};

use crate::common::{Random, percentiles, timed};

mod common;

/// The number of positions that are probed repeatedly. Their blocks all fit into the cache.
const WARM: usize = 1000;
/// The number of positions at which walks start.
const ROOTS: usize = 24;

/// `n` random legal positions of random endings in `materials`.
fn positions(
    random: &mut Random,
    n: usize,
    materials: &[CanonicalMaterial],
    turn: Color,
) -> Vec<Position> {
    let mut next = || {
        let material = materials[random.below(materials.len())];
        random.position(material, turn)
    };
    (0..n).map(|_| next()).collect()
}

/// A random position with White to move, at which a walk starts.
fn root(random: &mut Random, materials: &[CanonicalMaterial]) -> Position {
    positions(random, 1, materials, Color::White)[0]
}

fn tablebase(directory: &Path) -> Tablebase {
    read_by(directory, Access::default())
}

/// Opens the tables of a directory, which are read in this way.
fn read_by(directory: &Path, access: Access) -> Tablebase {
    let options = Options {
        access,
        ..Options::default()
    };
    let mut tablebase = Tablebase::with_options(&options).unwrap();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

fn probe(tablebase: &Tablebase, position: &Position) -> u32 {
    let value = tablebase.probe(position, common::rules(), &Count::Fresh);
    value.unwrap().category as u32
}

fn probe_all(tablebase: &Tablebase, positions: &[Position]) -> u32 {
    let probes = positions.iter().map(|position| probe(tablebase, position));
    probes.fold(0, u32::wrapping_add)
}

/// Collects a position and all positions after its moves, down to a depth.
fn walk(position: &Position, depth: u32, out: &mut Vec<Position>) {
    out.push(*position);
    if depth > 0 {
        for m in position.legal_moves() {
            walk(&position.play(m), depth - 1, out);
        }
    }
}

/// Measures the time to find all tables of the directory and to read their headers.
fn opening(directory: &Path) {
    let times = (0..20).map(|_| {
        let started = Instant::now();
        let tablebase = tablebase(directory);
        tablebase.inventory().open_all().unwrap();
        started.elapsed()
    });
    let best = times.min().unwrap_or_default();
    let tables = tablebase(directory).inventory().tables().count();
    println!(
        "opening {tables} tables: {:.2} ms",
        best.as_secs_f64() * 1e3
    );
}

/// Measures the probes that decode at least one block and at most `most`. Times are measured as
/// wall-clock time and as CPU time of the thread, which other programs affect less.
fn first_touch(directory: &Path, materials: &[CanonicalMaterial], most: u64) {
    for (turn, what) in [
        (Color::White, "first touch, side to move stored"),
        (Color::Black, "first touch, side to move not stored"),
    ] {
        for (access, how) in [(Access::Map, "mapped"), (Access::Blocks, "by blocks")] {
            let tablebase = read_by(directory, access);
            // Opening the tables is not measured.
            tablebase.inventory().open_all().unwrap();
            let (mut clock, mut own) = (Vec::new(), Vec::new());
            for position in positions(&mut Random(1), 20_000, materials, turn) {
                let cached = tablebase
                    .cached()
                    .probe(&position, common::rules(), &Count::Fresh);
                let before = tablebase.inventory().cache_statistics().misses;
                let times = timed(|| {
                    black_box(probe(&tablebase, &position));
                });
                let decoded = tablebase.inventory().cache_statistics().misses - before;
                if cached.is_err() && decoded <= most {
                    clock.push(times[0]);
                    own.push(times[1]);
                }
            }
            let probes = clock.len();
            let [clock, own] = [&mut clock, &mut own].map(|times| percentiles(times));
            println!(
                "{what}, {how}: {clock} µs on the clock; {own} µs of CPU time; {probes} probes"
            );
        }
    }
}

/// Measures repeated probes of the same positions, with one thread and with two.
fn threads(directory: &Path, materials: &[CanonicalMaterial]) {
    let tablebase = tablebase(directory);
    let positions = positions(&mut Random(2), WARM, materials, Color::White);
    probe_all(&tablebase, &positions);
    common::threads(WARM, || {
        black_box(probe_all(&tablebase, &positions));
    });
}

/// Measures a walk by a tablebase without decoded blocks.
fn cold_walk(directory: &Path, materials: &[CanonicalMaterial]) {
    let mut random = Random(3);
    let mut probes = 0;
    let mut time = Duration::ZERO;
    let tablebase = tablebase(directory);
    for _ in 0..ROOTS {
        let mut positions = Vec::new();
        walk(&root(&mut random, materials), 3, &mut positions);
        let started = Instant::now();
        black_box(probe_all(&tablebase, &positions));
        time += started.elapsed();
        probes += positions.len();
    }
    println!(
        "walk to depth 3, nothing decoded before: {:.2} million probes a second ({probes} probes)",
        probes as f64 / time.as_secs_f64() / 1e6
    );
}

fn warm(c: &mut Criterion, directory: &Path, materials: &[CanonicalMaterial]) {
    let mut group = c.benchmark_group("probe");
    group.measurement_time(Duration::from_secs(2));
    group.warm_up_time(Duration::from_millis(500));
    group.sample_size(20);
    for (name, turn) in [
        ("decoded already", Color::White),
        ("decoded already, side to move not stored", Color::Black),
    ] {
        let tablebase = tablebase(directory);
        let positions = positions(&mut Random(2), WARM, materials, turn);
        probe_all(&tablebase, &positions);
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(name, |b| b.iter(|| probe_all(&tablebase, &positions)));
    }
    let tablebase = tablebase(directory);
    let mut random = Random(3);
    let mut positions = Vec::new();
    for _ in 0..ROOTS {
        walk(&root(&mut random, materials), 3, &mut positions);
    }
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("walk to depth 3", |b| {
        b.iter(|| probe_all(&tablebase, &positions));
    });
    group.finish();
}

fn main() {
    let made = tempfile::tempdir().unwrap();
    let directory = match common::directory() {
        Some(directory) => directory,
        None => {
            let mut solved_endings = SolvedEndings::new();
            for material in parse_set("bare-4").unwrap() {
                let options = WriteOptions::default();
                generate_table(
                    material,
                    made.path(),
                    &mut solved_endings,
                    &options,
                    &|_| {},
                )
                .unwrap();
            }
            made.path().to_path_buf()
        }
    };
    let all = tablebase(&directory);
    let (materials, two_sided): (Vec<_>, Vec<_>) = all
        .inventory()
        .tables()
        .filter(|(material, _)| {
            // The tables of all subendings are needed, since a probe may look up the positions
            // after captures.
            let mut needed = material.closure().into_iter();
            (material.is_bare() || material.men() == 5)
                && needed.all(|m| all.inventory().path(m).is_some())
        })
        .map(|(material, path)| {
            common::read(path);
            material
        })
        .partition(|material| material.is_bare());
    let shown = directory.display();
    if materials.is_empty() {
        println!(
            "no bare-king table in {shown} has all its subendings: sakmak generate bare-4 makes some"
        );
        return;
    }
    println!("{} bare-king tables in {shown}", materials.len());
    opening(&directory);
    first_touch(&directory, &materials, 1);
    if !two_sided.is_empty() {
        println!(
            "{} tables of five men with men on both sides:",
            two_sided.len()
        );
        first_touch(&directory, &two_sided, u64::MAX);
    }
    cold_walk(&directory, &materials);
    threads(&directory, &materials);
    let mut criterion = Criterion::default().configure_from_args();
    warm(&mut criterion, &directory, &materials);
}
