//! The work: one table after the other.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sakmak::board::Color;
use sakmak::generate::{
    Library, Method, Phase, Phases, Plan, Progress, Report, WonSets, generate_table_by,
    generate_with_sets,
};
use sakmak::internals::keep_pages;
use sakmak::material::CanonicalMaterial;
use sakmak::published::PUBLISHED;
use sakmak::table::{Manifest, ManifestEntry, TableError, file_name, remove_leftovers};
use sakmak::verdict;

use super::prepare::Job;
use crate::cli::format::{bytes, number};
use crate::cli::progress::Bar;
use crate::cli::signals::on_interrupt;
use crate::cli::stderr::say;
use crate::cli::{Common, Failure};

/// The table being made, whose unfinished file an interrupt removes. Whoever begins a file holds
/// it, so that none is begun once the interrupt has it.
static AT_WORK: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Makes what is to be made.
///
/// What killed runs left is removed only if `alone`: nobody else is at work in the directory.
pub fn make(
    job: &Job,
    alone: bool,
    common: &Common,
) -> Result<BTreeMap<CanonicalMaterial, Report>, Failure> {
    let mut library = Library::new();
    let bar = Bar::new(common);
    let all: f64 = job.plans.values().map(|plan| plan.cells as f64).sum();
    let mut done = 0.0;
    let mut made = BTreeMap::new();
    for (&material, plan) in &job.plans {
        let path = job.directory().join(file_name(material));
        *at_work() = Some(path.clone());
        if alone {
            remove_leftovers(&path)?;
        }
        let share = plan.cells as f64 / all;
        let span = done..done + share;
        let made_now = make_table(plan, job, job.directory(), &mut library, &bar, span);
        // After an interrupt, which may have taken the file away, this waits for the end.
        drop(at_work());
        let (report, sets) = made_now?;
        // The published tables have been verified.
        let entry = ManifestEntry::of_file_unless(&path, |blake3| PUBLISHED.has(material, blake3))?;
        {
            let mut at_work = at_work();
            *at_work = None;
            Manifest::update(job.directory(), material, entry)?;
        }
        bar.line(&line(&report));
        if let Some(sets) = sets {
            make_verdict_table(material, job.directory(), alone, &bar, |directory| {
                sets.write(directory, &job.codings(material))
            })?;
        }
        done += share;
        bar.at(done);
        made.insert(material, report);
    }
    bar.line(&shares(&made));
    bar.finish();
    Ok(made)
}

/// Makes one table in a directory, and what its verdict table is made of if that is planned. The bar goes
/// through this span.
pub fn make_table(
    plan: &Plan,
    job: &Job,
    directory: &Path,
    library: &mut Library,
    bar: &Bar,
    span: Range<f64>,
) -> Result<(Report, Option<WonSets>), TableError> {
    let material = plan.material;
    let stage = Stage::new(plan);
    let progress = |progress: Progress| {
        if let Progress::Discarded = progress {
            bar.line(&format!(
                "discarding the unusable checkpoint of {material} (corrupt, or of another version)"
            ));
        }
        let (part, message) = stage.in_words(material, progress);
        bar.say(message);
        bar.at(span.start + (span.end - span.start) * part);
    };
    let options = job.options(material);
    // Out of core, what is planned of memory is all that there is.
    keep_pages(plan.with_verdicts || plan.method == Method::InMemory);
    if plan.with_verdicts {
        let both = generate_with_sets(material, directory, library, &options, &progress)?;
        return Ok((both.0, Some(both.1)));
    }
    let (method, progress) = (plan.method, &progress);
    let report = generate_table_by(method, material, directory, library, &options, progress)?;
    Ok((report, None))
}

/// Makes the verdict table of an ending in a directory, and notes it in the manifest.
///
/// What a killed run left of it is removed only if `alone`: nobody else is at work in the directory.
pub fn make_verdict_table(
    material: CanonicalMaterial,
    directory: &Path,
    alone: bool,
    bar: &Bar,
    write: impl FnOnce(&Path) -> Result<u64, TableError>,
) -> Result<(), Failure> {
    bar.say(format!("{material}: generating the verdict table"));
    let path = directory.join(verdict::file_name(material));
    *at_work() = Some(path.clone());
    if alone {
        remove_leftovers(&path)?;
    }
    let made = write(directory);
    // After an interrupt, which may have taken the file away, this waits for the end.
    drop(at_work());
    let made = made?;
    let is_published = |blake3: &str| PUBLISHED.has_verdicts(material, blake3);
    let entry = verdict::entry_unless(&path, material, is_published)?;
    {
        let mut at_work = at_work();
        *at_work = None;
        Manifest::update_verdicts(directory, material, entry)?;
    }
    bar.line(&verdicts_line(material, made));
    Ok(())
}

/// Puts the tables that were there into the manifest, those that it does not have as they are. A verdict
/// table that cannot be read is left out: `verify` says what is wrong with it.
pub fn note_found(job: &Job, manifest: &mut Manifest) -> Result<(), Failure> {
    let before = manifest.clone();
    verdict::gather(job.directory(), &before, manifest)?;
    for (&material, path) in &job.found {
        let known = manifest.get(material);
        if path.parent() == Some(job.directory()) && !known.is_some_and(|known| known.is_of(path)) {
            manifest.insert(material, ManifestEntry::of_file(path)?);
        }
    }
    if *manifest != before {
        manifest.save(job.directory())?;
    }
    Ok(())
}

/// The table being made.
pub fn at_work() -> std::sync::MutexGuard<'static, Option<PathBuf>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the unfinished table when the program is interrupted, and ends it. What has its name is
/// whole and stays, finished steps of a large ending among it.
pub fn remove_unfinished_when_interrupted() {
    on_interrupt(|code| stop(code));
}

/// Removes the unfinished table and ends the program.
fn stop(code: i32) -> ! {
    let at_work = at_work();
    if let Some(path) = &*at_work {
        let _ = remove_leftovers(path);
        // Once more, since the file may have been about to be begun.
        std::thread::sleep(Duration::from_millis(20));
        let _ = remove_leftovers(path);
    }
    say("\nsakmak: interrupted; run the same command to resume");
    std::process::exit(code);
}

/// How far one table is.
struct Stage {
    /// The slices that are solved, and the one at work, from 1 on.
    slices: AtomicU16,
    slice: AtomicU16,
    /// The part of the time that solving takes.
    solving: f64,
}

impl Stage {
    fn new(plan: &Plan) -> Stage {
        Stage {
            slices: AtomicU16::new(plan.slices as u16),
            slice: AtomicU16::new(1),
            // As measured with five men in memory, and with six through files.
            solving: match plan.method {
                Method::InMemory => 0.3,
                Method::OutOfCore(_) | Method::InFiles(_) => 0.4,
            },
        }
    }

    /// How far, from 0 to 1, and in words.
    fn in_words(&self, material: CanonicalMaterial, progress: Progress) -> (f64, String) {
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
            // How long the longest win is, is not known before it is found.
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

/// What is said of each table made.
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

/// What is said of a verdict table of so many bytes.
pub fn verdicts_line(material: CanonicalMaterial, made: u64) -> String {
    format!("{material}: verdict table, {}", bytes(made))
}

/// What share of the time each part of the work took, over all that was made.
fn shares(made: &BTreeMap<CanonicalMaterial, Report>) -> String {
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

/// The bits that a legal position takes, those that symmetries make alike counted once.
pub fn bits_per_position(report: &Report) -> f64 {
    let alike = match report.material.has_khon() {
        true => 2.0,
        false => 8.0,
    };
    let legal = report.statistics.to_move(Color::White).legal() as f64 / alike;
    report.bytes as f64 * 8.0 / legal.max(1.0)
}
