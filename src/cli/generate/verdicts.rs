//! Verdict tables, after the distance tables.

use sakmak::generate::{Library, generate_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::table::{Manifest, remove_leftovers};
use sakmak::verdict::{entry_of, file_name};

use super::make::at_work;
use super::prepare::Job;
use crate::cli::format::bytes;
use crate::cli::progress::Bar;
use crate::cli::{Common, Failure};

/// The most men of an ending whose words fit into memory.
const MAX_MEN: usize = 5;

/// Generates the verdict tables that are missing.
///
/// What killed runs left is removed only if `alone`: nobody else is at work in the directory.
pub fn make_verdicts(job: &Job, alone: bool, common: &Common) -> Result<(), Failure> {
    let wanted = job.verdicts();
    if wanted.is_empty() {
        return Ok(());
    }
    let mut library = Library::new();
    let bar = Bar::new(common);
    for (number, &material) in wanted.iter().enumerate() {
        if let Some(line) = no_verdicts(material) {
            bar.line(&line);
            continue;
        }
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
pub fn no_verdicts(material: CanonicalMaterial) -> Option<String> {
    (material.men() > MAX_MEN).then(|| {
        format!("{material}: no verdict table, since they exist for endings of up to {MAX_MEN} men")
    })
}

/// What is said of a verdict table of so many bytes.
pub fn verdicts_line(material: CanonicalMaterial, made: u64) -> String {
    format!("{material}: verdict table, {}", bytes(made))
}
