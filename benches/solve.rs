//! Measures how fast endings are solved and written.
//!
//! ```text
//! cargo bench                            all of it: about a minute on two free cores
//! cargo bench --bench solve -- KNSMvK
//! ```
//!
//! A *cell* is one position, legal or not, with one side to move; the cells of both sides to move
//! are counted. In addition to criterion's output, the solves print cells per second of CPU time,
//! so that runs with different numbers of threads can be compared.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sakmak::board::{Color, SquareSet};
use sakmak::generate::{SolvedEndings, generate_table};
use sakmak::index::Transform;
use sakmak::internals::{
    BitPlanes, Goal, Keep, LaneLayout, Simd, Solution, Unit, sample_bytes, solve,
};
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::table::{Access, Metric, SectionInfo, TableFile, TableWriter, WriteOptions, file_name};

/// Measures the kernels that work on lanes, a row or more at a time.
fn kernels(c: &mut Criterion) {
    const LANES: usize = 1 << 14;
    let mut group = c.benchmark_group("kernels");
    group.throughput(Throughput::Elements(LANES as u64 * 64));
    group.measurement_time(Duration::from_secs(1));
    group.warm_up_time(Duration::from_millis(200));

    let lanes: Vec<SquareSet> = (0..LANES as u64)
        .map(|lane| SquareSet(lane.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    // The last transform is the most expensive: it exchanges files and ranks, and reverses both.
    let costliest = Transform::all().last().unwrap();
    for (name, transform) in [
        ("lanes mirrored", Transform::MIRROR),
        ("lanes reflected in three ways", costliest),
    ] {
        let mut images = lanes.clone();
        group.bench_function(name, |b| {
            b.iter(|| {
                for (image, &lane) in images.iter_mut().zip(black_box(&lanes)) {
                    *image = transform.set(lane);
                }
                images[0]
            });
        });
    }

    let solution =
        SolvedEndings::new().solution("KSMvK".parse().unwrap(), Color::White, Goal::Mate);
    let planes: &BitPlanes = &solution.winner_to_move;
    let mut level = vec![0; LANES];
    group.bench_function("positions of one distance", |b| {
        b.iter(|| planes.level(black_box(30), planes.lanes() / 2, &mut level));
    });
    let mut numbers = [0; 64];
    group.bench_function("distances of a lane", |b| {
        b.iter(|| {
            for lane in 0..LANES {
                planes.numbers(black_box(planes.lanes() / 2 + lane), &mut numbers);
            }
            numbers[63]
        });
    });
    group.finish();
}

/// Measures solving one side's wins, without the subendings and without writing.
fn solves(c: &mut Criterion) {
    let endings = [
        ("KSMvK", Color::White, Goal::Mate),
        ("KRvKM", Color::White, Goal::Mate),
        ("KNSMvK", Color::White, Goal::Mate),
    ];
    let mut solved_endings = SolvedEndings::new();
    let mut group = c.benchmark_group("solve");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(1));
    for (name, winner, goal) in endings {
        let material = name.parse::<CanonicalMaterial>().unwrap().material();
        let cells = LaneLayout::new(material, winner).lanes() as u64 * 64 * 2;
        let (mut runs, mut cpu) = (0, Duration::ZERO);
        group.throughput(Throughput::Elements(cells));
        group.bench_function(name, |b| {
            b.iter_custom(|n| {
                let mut elapsed = Duration::ZERO;
                for _ in 0..n {
                    let layout = LaneLayout::new(material, winner);
                    let leaves = solved_endings.leaves(material, &layout, goal);
                    let (started, cpu_started) = (Instant::now(), ProcessTime::now());
                    let solution: Solution = solve(
                        layout,
                        leaves,
                        Keep::Winner,
                        Unit::Moves,
                        Simd::detect(),
                        &mut |_| {},
                    );
                    elapsed += started.elapsed();
                    cpu += cpu_started.elapsed();
                    runs += 1;
                    black_box(solution);
                }
                elapsed
            });
        });
        if runs > 0 {
            let rate = (cells * runs) as f64 / cpu.as_secs_f64() / 1e6;
            println!("{name}: {rate:.0} million cells a CPU-second, {runs} runs");
        }
    }
    group.finish();
}

/// Packs the cells of K+S+M v K into blocks, and unpacks them.
fn tables(c: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let mut solved_endings = SolvedEndings::new();
    let options = WriteOptions::default();
    for material in parse_set("KSMvK").unwrap() {
        generate_table(
            material,
            directory.path(),
            &mut solved_endings,
            &options,
            &|_| {},
        )
        .unwrap();
    }
    let material: CanonicalMaterial = "KSMvK".parse().unwrap();
    let path = directory.path().join(file_name(material));
    let table = TableFile::open_as(&path, material, Access::Whole).unwrap();
    let section = table.section(Metric::Dtm).unwrap();
    let info: &SectionInfo = &section.header().info;
    let decoded = section.decode_all(&|_| {}).unwrap();
    let cells: Vec<u16> = (0..decoded.len()).filter_map(|i| decoded.get(i)).collect();

    let mut group = c.benchmark_group("table");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    let blocks: Vec<u64> = (0..16)
        .map(|i| (2 * i + 1) * section.header().blocks() / 32)
        .collect();
    let sampled = blocks.len() as u64 * u64::from(options.block_cells);
    group.throughput(Throughput::Bytes(sampled));
    group.bench_function("compress blocks by one thread", |b| {
        b.iter(|| {
            let (level, block_cells) = (options.level, options.block_cells);
            sample_bytes(
                &cells,
                info.codes.len(),
                level,
                block_cells,
                black_box(&blocks),
            )
        });
    });
    group.throughput(Throughput::Bytes(cells.len() as u64));
    group.bench_function("write", |b| {
        b.iter(|| {
            let path = directory.path().join("written.skm");
            let mut writer = TableWriter::create(&path, material, options.clone()).unwrap();
            writer.add_section(info.clone(), &cells, &|_| {}).unwrap();
            writer.finish().unwrap()
        });
    });
    group.bench_function("decode", |b| {
        b.iter(|| section.decode_all(&|_| {}).unwrap());
    });
    group.finish();
}

criterion_group!(benches, kernels, solves, tables);
criterion_main!(benches);
