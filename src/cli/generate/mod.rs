//! `sakmak generate`.

mod args;
mod job_directory;
mod lock;
mod make;
mod only;
mod passing;
mod plan_document;
mod prepare;
mod publish;
mod summary;
mod verdicts;

use std::collections::BTreeMap;

use sakmak::generate::{Report, remove_all_leftovers};
use sakmak::material::CanonicalMaterial;
use sakmak::table::Manifest;

use super::output::{print, print_json};
use super::{Common, Failure};
pub use args::Args;
use lock::Lock;
pub use lock::lock;
use make::{make, note_found, remove_unfinished_when_interrupted};
use only::run_only;
use prepare::{Job, Request};
use verdicts::make_verdicts;

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let request = Request::new(args, common)?;
    if args.plan {
        let job = request.prepare(None, common)?;
        return match args.json {
            true => print_json(&job.plan_document()),
            false => print(&job.plan_text()),
        };
    }
    args.threads.start(common.quiet)?;
    let (job, made) = match args.only {
        true => run_only(request, args.scratch.as_deref(), common)?,
        false => run_all(request, common)?,
    };
    let summary = summary::Summary::new(&job, &made)?;
    match args.json {
        true => print_json(&summary),
        false => print(&summary.text()),
    }
}

/// Generates what is missing of all that is asked for.
fn run_all(
    request: Request,
    common: &Common,
) -> Result<(Job, BTreeMap<CanonicalMaterial, Report>), Failure> {
    match lock(request.directory(), common) {
        Ok(lock) => generate(request, lock, common),
        // Where nothing is to be generated no lock is needed.
        Err(failure) => match request.prepare(None, common)? {
            job if job.plans.is_empty() && job.verdicts.is_empty() => Ok((job, BTreeMap::new())),
            _ => Err(failure),
        },
    }
}

/// Generates what is missing, under the lock: what exists is looked at only while nobody changes it.
fn generate(
    request: Request,
    mut lock: Lock,
    common: &Common,
) -> Result<(Job, BTreeMap<CanonicalMaterial, Report>), Failure> {
    if lock.is_held() {
        remove_all_leftovers(request.directory(), &request.forced)?;
    }
    // One that cannot be read is known by this before hours of work depend on it.
    let mut manifest = Manifest::load(request.directory())?;
    let job = request.prepare(Some(&manifest), common)?;
    job.refuse_what_does_not_fit()?;
    note_found(&job, &mut manifest)?;
    let mut made = BTreeMap::new();
    remove_unfinished_when_interrupted();
    if !job.plans.is_empty() {
        lock.sign();
        if !common.quiet {
            job.say_beforehand();
        }
        made = make(&job, lock.is_held(), common)?;
    }
    if !job.verdicts.is_empty() {
        lock.sign();
    }
    make_verdicts(&job, lock.is_held(), common)?;
    Ok((job, made))
}
