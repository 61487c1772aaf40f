//! Random positions and measurements of time, for the benchmarks of probes.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use sakmak::board::{Color, Game, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;

/// The directory named by the environment variable `SAKMAK_TABLES`; `None` if the variable is not
/// set. Ends the program if the directory does not exist.
pub fn directory() -> Option<PathBuf> {
    let directory = PathBuf::from(std::env::var_os("SAKMAK_TABLES")?);
    if !directory.is_dir() {
        eprintln!(
            "SAKMAK_TABLES names a directory that does not exist, {}: make it with sakmak generate",
            directory.display()
        );
        std::process::exit(2);
    }
    Some(directory)
}

/// The rule set that the environment variable `SAKMAK_RULES` names, or makruk's. Ends the program if
/// there is no such rule set.
pub fn rules() -> RuleSet {
    static RULES: LazyLock<RuleSet> = LazyLock::new(|| {
        let Ok(name) = std::env::var("SAKMAK_RULES") else {
            return RuleSet::Makruk;
        };
        name.parse().unwrap_or_else(|error| {
            eprintln!("SAKMAK_RULES: {error}");
            std::process::exit(2);
        })
    });
    *RULES
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

    /// A random square for a man, on the ranks where it can stand.
    fn square(&mut self, game: Game, color: Color, role: Role) -> Square {
        let ranks = match role {
            Role::Bia => game.bia_ranks(color),
            _ => [1, 8],
        };
        let first = usize::from(ranks[0].min(ranks[1])) - 1;
        let count = usize::from(ranks[0].abs_diff(ranks[1])) + 1;
        Square::wrapping(8 * first + self.below(8 * count))
    }

    /// A random legal position of an ending.
    pub fn position(&mut self, material: CanonicalMaterial, turn: Color) -> Position {
        loop {
            let roles = material.material().roles();
            let men: Vec<_> = roles
                .map(|(color, role)| (self.square(material.game(), color, role), color, role))
                .collect();
            if let Ok(position) = Position::from_men(men, turn) {
                return position;
            }
        }
    }
}

/// Formats the median and the 90th and 99th percentiles of the times, in microseconds. Sorts the
/// times.
pub fn percentiles(nanoseconds: &mut [u64]) -> String {
    nanoseconds.sort_unstable();
    let at = |part: f64| {
        let place = nanoseconds.len().saturating_sub(1) as f64 * part;
        nanoseconds.get(place as usize).copied().unwrap_or(0) as f64 / 1000.0
    };
    let [half, most, nearly_all] = [0.5, 0.9, 0.99].map(at);
    format!("median {half:.1}, 90 % {most:.1}, 99 % {nearly_all:.1}")
}

/// Measures a probe in wall-clock time and in CPU time of the thread, both in nanoseconds. Other
/// programs affect CPU time less.
pub fn timed(probe: impl FnOnce()) -> [u64; 2] {
    let (started, started_own) = (Instant::now(), ThreadTime::now());
    probe();
    let (own, clock) = (started_own.elapsed(), started.elapsed());
    [clock, own].map(|time| time.as_nanos() as u64)
}

/// Prints the number of probes per second of one thread and of two. A call of `round` makes
/// `probes` probes.
///
/// On a shared machine two threads seldom get twice the time of one. So the rate is also given per
/// second of CPU time, which shows only the time that the threads lose by waiting for each other's
/// memory. For the same reason, the best of several alternating tries is printed.
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
    for (unit, i) in [("second", 0), ("second of CPU time per thread", 1)] {
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
