//! `sakmak bench`: measures the speed of the solver.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use sakmak::board::Color;
use sakmak::generate::{Phase, Phases, SolvedEndings, Spent};
use sakmak::internals::{
    Goal, Keep, LaneLayout, LaneWords, Simd, Solution, Unit, solve, solve_slices,
};
use sakmak::material::CanonicalMaterial;
use serde::Serialize;

use super::format::{Columns, counted, number};
use super::output::{print, print_json};
use super::threads_args::{self, ThreadsArgs};
use super::{Common, Failure};

/// The endings that are solved by default: three against a bare king, and two with men on both
/// sides.
const ENDINGS: [&str; 5] = ["KNSMvK", "KRSMvK", "KNNMvK", "KRNvKS", "KSMvKM"];

/// The length, in words, of the arrays between which memory is copied to measure bandwidth. Neither
/// array fits into a cache.
const COPIED_WORDS: usize = 32 << 20;
/// The number of copies to time. Only the fastest one is used, since other processes can only slow
/// a copy down.
const COPIES: usize = 7;

/// Benchmark the solver, and compare it with memory bandwidth
///
/// Each ending is solved in memory for the distances to mate of both sides, and no file is written.
/// Its subendings are solved before the clock starts. A cell is the value of one position, legal or
/// not, with one side to move. The solver's memory traffic is the minimum that its steps must read
/// and write: each word of an array once per step, and only in the steps that need it. The traffic
/// per second is compared with the speed of copying memory, measured in the same run. Both figures
/// are bytes read plus bytes written.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sakmak bench\n  sakmak bench KNSMvK --threads 1 --json")]
pub struct Args {
    /// Endings to solve [default: KNSMvK KRSMvK KNNMvK KRNvKS KSMvKM]
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Runs per ending; the median is reported
    #[arg(long, value_name = "N", default_value = "3")]
    runs: NonZeroUsize,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The output of `bench --json`.
#[derive(Serialize)]
struct Document {
    threads: usize,
    /// The name of the vector instruction set that the solver used.
    simd: String,
    copy: Copying,
    solves: Vec<Solve>,
}

/// The memory bandwidth of the machine, measured by copying: bytes read plus bytes written, per
/// second.
#[derive(Serialize)]
struct Copying {
    one_thread_bytes_per_second: f64,
    all_threads_bytes_per_second: f64,
}

/// The measurements of one ending, from the run with the median CPU time.
#[derive(Serialize)]
struct Solve {
    material: String,
    cells: u64,
    seconds: f64,
    cpu_seconds: f64,
    cells_per_cpu_second: f64,
    bytes_moved: u64,
    bytes_per_second: f64,
    /// The solver's memory traffic per second, divided by the bandwidth of a copy with the same
    /// number of threads.
    share_of_copy: f64,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let names: Vec<&str> = match args.materials.is_empty() {
        true => ENDINGS.to_vec(),
        false => args.materials.iter().map(String::as_str).collect(),
    };
    let materials = names
        .into_iter()
        .map(str::parse)
        .collect::<Result<Vec<CanonicalMaterial>, _>>()?;
    for &material in &materials {
        check(material)?;
    }
    let all = args.threads.pool(common.quiet)?;
    let copy = Copying {
        one_thread_bytes_per_second: threads_args::pool(1)?.install(copy_bandwidth),
        all_threads_bytes_per_second: all.install(copy_bandwidth),
    };
    let bandwidth = copy.all_threads_bytes_per_second;
    let solves = materials
        .into_iter()
        .map(|material| all.install(|| measure(material, args.runs, bandwidth)))
        .collect();
    let document = Document {
        threads: all.current_num_threads(),
        simd: format!("{:?}", Simd::detect()).to_lowercase(),
        copy,
        solves,
    };
    match args.json {
        true => print_json(&document),
        false => print(&text(&document)),
    }
}

/// Rejects endings that need more than a few gigabytes of memory.
fn check(material: CanonicalMaterial) -> Result<(), Failure> {
    const MOST_MEN: usize = 5;
    if material.men() > MOST_MEN {
        return Err(Failure::input(format_args!(
            "{material} has {} men, but bench solves endings of up to {MOST_MEN} men only",
            material.men()
        ))
        .help("name a smaller ending"));
    }
    Ok(())
}

/// Measures memory bandwidth while all threads of the current pool copy a large array: bytes read
/// plus bytes written, per second.
fn copy_bandwidth() -> f64 {
    let part = COPIED_WORDS / rayon::current_num_threads();
    let mut from = LaneWords::zeroed(COPIED_WORDS);
    // The array is filled, since untouched pages would all map to one page of zeros.
    from.fill(0x5a);
    let mut to = LaneWords::zeroed(COPIED_WORDS);
    let mut best = Duration::MAX;
    for _ in 0..=COPIES {
        let started = Instant::now();
        to.par_chunks_mut(part)
            .zip(from.par_chunks(part))
            .for_each(|(to, from)| to.copy_from_slice(black_box(from)));
        black_box(&mut to);
        best = best.min(started.elapsed());
    }
    (2 * COPIED_WORDS * 8) as f64 / best.as_secs_f64()
}

/// Solves an ending `runs` times. Returns the run with the median CPU time.
fn measure(material: CanonicalMaterial, runs: NonZeroUsize, bandwidth: f64) -> Solve {
    let mut solved_endings = SolvedEndings::new();
    let mut solves: Vec<Solve> = (0..runs.get())
        .map(|_| measure_once(material, &mut solved_endings, bandwidth))
        .collect();
    solves.sort_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds));
    solves.swap_remove(solves.len() / 2)
}

fn measure_once(
    material: CanonicalMaterial,
    solved_endings: &mut SolvedEndings,
    bandwidth: f64,
) -> Solve {
    let (mut cells, mut bytes_moved) = (0, 0);
    let mut phases = Phases::default();
    let winners = if material.is_bare() { 1 } else { 2 };
    let men = material.material();
    for &winner in &Color::ALL[..winners] {
        if !material.is_pawnless() {
            let moved = &mut |_, slice: &Solution| bytes_moved += slice.counts.bytes_moved;
            let ending = (men, winner, Goal::Mate);
            cells += solve_slices(solved_endings, ending, &mut phases, &|_| {}, moved);
            continue;
        }
        let layout = LaneLayout::new(men, winner);
        let leaves = solved_endings.leaves(men, &layout, Goal::Mate);
        cells += layout.lanes() as u64 * 64 * 2;
        // Keeps the same distances as for a table: White's with the winner to move, Black's with
        // the loser to move.
        let keep = match winner {
            Color::White => Keep::Winner,
            Color::Black => Keep::Loser,
        };
        let (unit, simd) = (Unit::Moves, Simd::detect());
        let solve = || solve(layout, leaves, keep, unit, simd, &mut |_| {});
        let solution = phases.measure(Phase::Solving, solve);
        bytes_moved += solution.counts.bytes_moved;
    }
    let Spent { elapsed, cpu } = phases.of(Phase::Solving);
    let seconds = elapsed.as_secs_f64().max(1e-9);
    Solve {
        material: material.to_string(),
        cells,
        seconds,
        cpu_seconds: cpu.as_secs_f64(),
        cells_per_cpu_second: cells as f64 / cpu.as_secs_f64().max(1e-9),
        bytes_moved,
        bytes_per_second: bytes_moved as f64 / seconds,
        share_of_copy: bytes_moved as f64 / seconds / bandwidth,
    }
}

/// Formats the document as text.
fn text(document: &Document) -> String {
    let giga = |n: f64| format!("{:.1}", n / 1e9);
    let headings = [
        "ending",
        "cells",
        "s",
        "CPU s",
        "M cells/CPU s",
        "GB moved",
        "GB/s",
        "of a copy",
    ];
    let mut columns = Columns::new(1, &headings);
    for solve in &document.solves {
        columns.row([
            solve.material.clone(),
            number(solve.cells),
            format!("{:.2}", solve.seconds),
            format!("{:.2}", solve.cpu_seconds),
            format!("{:.0}", solve.cells_per_cpu_second / 1e6),
            giga(solve.bytes_moved as f64),
            giga(solve.bytes_per_second),
            format!("{:.0} %", solve.share_of_copy * 100.0),
        ]);
    }
    let Copying {
        one_thread_bytes_per_second: one,
        all_threads_bytes_per_second: all,
    } = document.copy;
    format!(
        "{}, {}; copy bandwidth: {} GB/s with one thread, {} GB/s with all, reads plus writes\n\n{columns}",
        counted(document.threads as u64, "thread"),
        document.simd,
        giga(one),
        giga(all),
    )
}
