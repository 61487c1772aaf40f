//! Describes the progress of a run as text.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use sakmak::board::Color;
use sakmak::generate::{MOST_VERDICT_MEN, Method, Phase, Phases, Plan, Progress, Report};
use sakmak::index::Layout;
use sakmak::material::CanonicalMaterial;

use crate::format::{bytes, number};

/// The progress of one table.
pub struct Stage {
    /// The number of slices of the ending.
    slices: AtomicU32,
    /// The slice being solved, counted from 1.
    slice: AtomicU32,
    /// The expected share of solving in the whole time, from 0 to 1. Packing takes the rest.
    solving: f64,
}

impl Stage {
    pub fn new(plan: &Plan) -> Stage {
        Stage {
            slices: AtomicU32::new(plan.slices as u32),
            slice: AtomicU32::new(1),
            // Measured with five men in memory, and with six men out of core.
            solving: match plan.method {
                Method::InMemory => 0.3,
                Method::OutOfCore(_) | Method::InFiles(_) | Method::ByBia => 0.4,
            },
        }
    }

    /// Returns the finished fraction of the work, from 0 to 1, and a message for the progress bar.
    pub fn in_words(&self, material: CanonicalMaterial, progress: Progress) -> (f64, String) {
        if let Progress::Slice(slice, slices) = progress {
            self.slice.store(slice, Ordering::Relaxed);
            self.slices.store(slices, Ordering::Relaxed);
        }
        let slices = self.slices.load(Ordering::Relaxed);
        let slice = self.slice.load(Ordering::Relaxed);
        let solved = |part: f64| self.solving * (f64::from(slice - 1) + part) / f64::from(slices);
        let named = match slices {
            1 => format!("{material}"),
            all => format!("{material} {slice}/{all}"),
        };
        match progress {
            Progress::Slice(..) | Progress::Discarded | Progress::Reading => {
                (solved(0.0), format!("{named}: reading smaller endings"))
            }
            // The length of the longest win is unknown until all wins are found, so the fraction is
            // a guess.
            Progress::Solved(moves) => {
                let settled = f64::from(moves);
                let part = settled / (settled + 20.0);
                (solved(part), format!("{named}: mate in {moves}"))
            }
            Progress::Choosing => (self.solving, format!("{material}: choosing an order")),
            Progress::Written(done, all) => {
                let part = done as f64 / all.max(1) as f64;
                let chosen = self.solving + 0.05;
                (
                    chosen + (1.0 - chosen) * part,
                    format!("{material}: writing"),
                )
            }
        }
    }
}

/// The line that reports a finished table.
pub fn line(report: &Report) -> String {
    format!(
        "{}: {} cells, {:.0} million per CPU second; {} bytes ({}), {:.2} bits per legal position; {:.1} s",
        report.material,
        number(report.cells),
        report.cells_per_cpu_second() / 1e6,
        number(report.bytes),
        bytes(report.bytes),
        bits_per_position(report),
        report.elapsed.as_secs_f64(),
    )
}

/// The line that reports a finished verdict table and its size in bytes.
pub fn verdicts_line(material: CanonicalMaterial, table_bytes: u64) -> String {
    format!("{material}: verdict table, {}", bytes(table_bytes))
}

/// States the time that all tables took together, and the percentage of it that each phase took.
pub fn shares(made: &BTreeMap<CanonicalMaterial, Report>) -> String {
    let mut phases = Phases::default();
    for report in made.values() {
        phases += &report.phases;
    }
    let total = phases.total();
    let share = |phase: Phase| {
        let part = phases.of(phase).elapsed.as_secs_f64() / total.elapsed.as_secs_f64().max(1e-9);
        format!("{} {:.0} %", phase.name().replace('_', " "), part * 100.0)
    };
    format!(
        "{:.1} s, {:.1} CPU s: {}",
        total.elapsed.as_secs_f64(),
        total.cpu.as_secs_f64(),
        Phase::ALL.map(share).join(", "),
    )
}

/// The line that reports an ending too large for a verdict table.
pub fn no_verdicts(material: CanonicalMaterial) -> String {
    format!(
        "{material}: no verdict table, since only endings of up to {MOST_VERDICT_MEN} men have one"
    )
}

/// The size of a table in bits per legal position with White to move. Positions that a symmetry of the ending makes equal
/// are counted once.
pub fn bits_per_position(report: &Report) -> f64 {
    let alike = Layout::symmetry_of(report.material).transforms().len();
    let legal = report.statistics.to_move(Color::White).legal() as f64 / alike as f64;
    report.bytes as f64 * 8.0 / legal.max(1.0)
}
