//! Verdict tables, after the distance tables.

use sakmak::generate::{Library, MOST_VERDICT_MEN, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::table::{Manifest, remove_leftovers};
use sakmak::verdict::{entry_of, file_name};

use super::make::at_work;
use super::prepare::Job;
use crate::cli::format::bytes;
use crate::cli::progress::Bar;
use crate::cli::{Common, Failure};

/// Generates the verdict tables that are missing.
///
/// What killed runs left is removed only if `alone`: nobody else is at work in the directory.
pub fn make_verdicts(job: &Job, alone: bool, common: &Common) -> Result<(), Failure> {
    let wanted = &job.verdicts;
    if wanted.is_empty() && job.without_verdicts().next().is_none() {
        return Ok(());
    }
    let mut library = Library::new();
    let bar = Bar::new(common);
    for material in job.without_verdicts() {
        bar.line(&no_verdicts(material));
    }
    for (number, &material) in wanted.iter().enumerate() {
        bar.say(format!("{material}: generating the verdict table"));
        bar.at(number as f64 / wanted.len() as f64);
        let path = job.directory().join(file_name(material));
        *at_work() = Some(path.clone());
        if alone {
            remove_leftovers(&path)?;
        }
        let made = generate_verdicts(material, job.directory(), &mut library);
        // After an interrupt, which may have taken the file away, this waits for the end.
        drop(at_work());
        let made = made?;
        let entry = entry_of(&path, material)?;
        {
            let mut at_work = at_work();
            *at_work = None;
            Manifest::update_verdicts(job.directory(), material, entry)?;
        }
        bar.line(&verdicts_line(material, made));
    }
    bar.finish();
    Ok(())
}

/// What is said of an ending that can have no verdict table.
pub fn no_verdicts(material: CanonicalMaterial) -> String {
    format!(
        "{material}: no verdict table, since they exist for endings of up to {MOST_VERDICT_MEN} men"
    )
}

/// What is said of a verdict table of so many bytes.
pub fn verdicts_line(material: CanonicalMaterial, made: u64) -> String {
    format!("{material}: verdict table, {}", bytes(made))
}
