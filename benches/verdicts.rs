//! Measures how fast verdict tables answer a search.
//!
//! ```text
//! SAKMAK_TABLES=tables cargo bench --bench verdicts                    all two-sided verdict tables
//! SAKMAK_TABLES=tables cargo bench --bench verdicts -- KRMvKR KSMvKN   these
//! ```
//!
//! It probes the category of random legal positions, with either side to move and a count that
//! begins now. Positions come ending by ending, since a search stays in one ending for a long time.
//! A *first touch* is a probe whose block has not been decoded before.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use sakmak::board::{Color, Position, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet};

/// First touches of each ending.
const COLD: usize = 20_000;
/// The number of probes made in each ending before the measured ones. They read the header and the
/// models.
const OPENING: usize = 20;
/// Positions of all endings that are probed repeatedly. Their blocks fit into the cache.
const WARM: usize = 1000;

/// Reproducible random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    /// A random legal position of an ending, with either side to move.
    fn position(&mut self, material: CanonicalMaterial) -> Position {
        loop {
            let turn = Color::ALL[self.below(2)];
            let roles = material.material().roles();
            let men: Vec<_> = roles
                .map(|(color, role)| (Square::wrapping(self.below(64)), color, role))
                .collect();
            if let Ok(position) = Position::from_men(men, turn) {
                return position;
            }
        }
    }
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

/// Some percentiles of times, as text.
fn percentiles(nanoseconds: &mut [u64]) -> String {
    nanoseconds.sort_unstable();
    let at = |part: f64| {
        let place = nanoseconds.len().saturating_sub(1) as f64 * part;
        nanoseconds.get(place as usize).copied().unwrap_or(0) as f64 / 1000.0
    };
    let [half, most, nearly_all] = [0.5, 0.9, 0.99].map(at);
    format!("median {half:.1}, 90 % {most:.1}, 99 % {nearly_all:.1}")
}

/// Measures probes that decode a block: on the clock, and as CPU time of the thread, which other
/// programs affect less.
fn first_touch(directory: &Path, materials: &[CanonicalMaterial]) {
    println!("first touch in microseconds, by the clock; of CPU time");
    let tablebase = tablebase(directory);
    let (mut all, mut all_own) = (Vec::new(), Vec::new());
    for &material in materials {
        let mut random = Random(1);
        for _ in 0..OPENING {
            ask(&tablebase, &random.position(material));
        }
        let (mut clock, mut own) = (Vec::new(), Vec::new());
        for _ in 0..COLD {
            let position = random.position(material);
            let cached = tablebase
                .cached()
                .category(&position, RuleSet::Makruk, &Count::Fresh);
            if cached.is_ok() {
                continue;
            }
            let (started_own, started) = (ThreadTime::now(), Instant::now());
            black_box(ask(&tablebase, &position));
            let (took, took_own) = (started.elapsed(), started_own.elapsed());
            clock.push(took.as_nanos() as u64);
            own.push(took_own.as_nanos() as u64);
        }
        all.extend(&clock);
        all_own.extend(&own);
        let [clock, own] = [&mut clock, &mut own].map(|times| percentiles(times));
        println!("{material:8} {clock}; {own}");
    }
    let [clock, own] = [&mut all, &mut all_own].map(|times| percentiles(times));
    println!("all      {clock}; {own}");
}

/// Measures the same positions repeatedly, with one thread and with two. The best of several tries
/// counts, since others may be using the machine. For the same reason the rate is also given per
/// second of the threads' own CPU time.
fn decoded(directory: &Path, materials: &[CanonicalMaterial]) {
    let tablebase = tablebase(directory);
    let mut random = Random(2);
    let each = WARM.div_ceil(materials.len());
    let positions: Vec<Vec<Position>> = materials
        .iter()
        .map(|&material| (0..each).map(|_| random.position(material)).collect())
        .collect();
    let ask_all = |rounds: usize| {
        for positions in &positions {
            for _ in 0..rounds {
                let asked = positions.iter().map(|position| ask(&tablebase, position));
                black_box(asked.fold(0, u32::wrapping_add));
            }
        }
    };
    ask_all(1);
    let rounds = 500;
    let rates = |threads: usize| {
        let started = Instant::now();
        let own_time = || {
            let started = ThreadTime::now();
            ask_all(rounds);
            started.elapsed()
        };
        let own: Duration = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(own_time)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        let asked = (threads * rounds * each * materials.len()) as f64 / 1e6;
        let own = own.as_secs_f64() / threads as f64;
        [asked / started.elapsed().as_secs_f64(), asked / own]
    };
    let mut best = [[0f64; 2]; 2];
    for _ in 0..9 {
        for (best, threads) in best.iter_mut().zip([1, 2]) {
            for (best, rate) in best.iter_mut().zip(rates(threads)) {
                *best = best.max(rate);
            }
        }
    }
    let [one, two] = best;
    for (what, i) in [("second", 0), ("second of CPU time given to each", 1)] {
        println!(
            "decoded already: {:.1} million answers a {what} by one thread, {:.1} by two: {:.2} times",
            one[i],
            two[i],
            two[i] / one[i]
        );
    }
}

fn main() {
    let Some(directory) = std::env::var_os("SAKMAK_TABLES") else {
        println!("name a directory of verdict tables: SAKMAK_TABLES=tables");
        return;
    };
    let directory = Path::new(&directory);
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let all = tablebase(directory);
    let of_file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_stem()?.to_str()?;
        let wanted =
            path.extension()? == "skv" && (named.is_empty() || named.iter().any(|n| n == name));
        let material: CanonicalMaterial = wanted.then(|| name.parse().ok())??;
        let both = named.is_empty() && material.is_bare();
        (!both && all.inventory().verdict_path(material).is_some()).then_some(material)
    };
    let mut materials: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .filter_map(of_file)
        .collect();
    materials.sort_by_key(ToString::to_string);
    if named.is_empty() {
        let most = materials.iter().map(|m| m.men()).max();
        materials.retain(|m| Some(m.men()) == most);
    }
    for &material in &materials {
        let mut file =
            std::fs::File::open(all.inventory().verdict_path(material).unwrap()).unwrap();
        std::io::copy(&mut file, &mut std::io::sink()).unwrap();
    }
    println!("{} endings of {}", materials.len(), directory.display());
    first_touch(directory, &materials);
    decoded(directory, &materials);
}
