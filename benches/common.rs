//! Random positions, and figures of times, for the benchmarks of probes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use sakmak::board::{Color, Position, Square};
use sakmak::material::CanonicalMaterial;

/// The directory that `SAKMAK_TABLES` names. Ends the program if there is no such directory.
pub fn directory() -> Option<PathBuf> {
    let directory = PathBuf::from(std::env::var_os("SAKMAK_TABLES")?);
    if !directory.is_dir() {
        eprintln!(
            "there is no directory {}, which SAKMAK_TABLES names: make it with sakmak generate",
            directory.display()
        );
        std::process::exit(2);
    }
    Some(directory)
}

/// Reproducible random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    /// A random legal position of an ending.
    pub fn position(&mut self, material: CanonicalMaterial, turn: Color) -> Position {
        loop {
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

/// Median, 90th and 99th percentile of some times, as text in microseconds.
pub fn percentiles(nanoseconds: &mut [u64]) -> String {
    nanoseconds.sort_unstable();
    let at = |part: f64| {
        let place = nanoseconds.len().saturating_sub(1) as f64 * part;
        nanoseconds.get(place as usize).copied().unwrap_or(0) as f64 / 1000.0
    };
    let [half, most, nearly_all] = [0.5, 0.9, 0.99].map(at);
    format!("median {half:.1}, 90 % {most:.1}, 99 % {nearly_all:.1}")
}

/// Times a probe on the clock and in the thread's CPU time, in nanoseconds. Other programs affect
/// the latter less.
pub fn timed(probe: impl FnOnce()) -> [u64; 2] {
    let (started, started_own) = (Instant::now(), ThreadTime::now());
    probe();
    let (own, clock) = (started_own.elapsed(), started.elapsed());
    [clock, own].map(|time| time.as_nanos() as u64)
}

/// Prints how many probes one thread makes in a second, and two. A call of `round` makes `probes`
/// of them.
///
/// On a shared machine two threads seldom get twice the time of one. So the rate is also given per
/// second of the threads' own CPU time, which only shows the time lost by waiting for each other's
/// memory. The best of several alternating tries counts, for the same reason.
pub fn threads(probes: usize, round: impl Fn() + Sync) {
    const ROUNDS: usize = 500;
    let rates = |threads: usize| {
        let started = Instant::now();
        let own_time = || {
            let started = ThreadTime::now();
            (0..ROUNDS).for_each(|_| round());
            started.elapsed()
        };
        let own: Duration = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(own_time)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        let probes = (threads * ROUNDS * probes) as f64 / 1e6;
        let own = own.as_secs_f64() / threads as f64;
        [probes / started.elapsed().as_secs_f64(), probes / own]
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
    for (unit, i) in [("second", 0), ("second of CPU time given to each", 1)] {
        println!(
            "decoded already: {:.2} million probes a {unit} by one thread, {:.2} by two: {:.2} times",
            one[i],
            two[i],
            two[i] / one[i]
        );
    }
}

/// Reads a file, so that the system has it in its cache.
pub fn read(path: &Path) {
    let mut file = std::fs::File::open(path).unwrap();
    std::io::copy(&mut file, &mut std::io::sink()).unwrap();
}
