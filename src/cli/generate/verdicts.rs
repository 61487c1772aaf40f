//! Verdict tables by themselves: of endings whose distance tables were there before, or were made with too
//! little memory for both.

use sakmak::generate::{Library, MOST_VERDICT_MEN, generate_verdicts};
use sakmak::material::CanonicalMaterial;

use super::make::make_verdict_table;
use super::prepare::Job;
use crate::cli::progress::Bar;
use crate::cli::{Common, Failure};

/// Generates the verdict tables that are missing and are not made with their distances.
///
/// What killed runs left is removed only if `alone`: nobody else is at work in the directory.
pub fn make_verdicts(job: &Job, alone: bool, common: &Common) -> Result<(), Failure> {
    let wanted: Vec<_> = job.verdicts_alone().collect();
    if wanted.is_empty() && job.without_verdicts().next().is_none() {
        return Ok(());
    }
    let mut library = Library::new();
    let bar = Bar::new(common);
    for material in job.without_verdicts() {
        bar.line(&no_verdicts(material));
    }
    for (number, &material) in wanted.iter().enumerate() {
        bar.at(number as f64 / wanted.len() as f64);
        make_verdict_table(material, job.directory(), alone, &bar, |directory| {
            generate_verdicts(material, directory, &mut library, &job.codings(material))
        })?;
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
