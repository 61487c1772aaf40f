//! `sakmak generate`.

mod lock;
mod making;
mod prepare;
mod summary;

use std::collections::BTreeMap;

use sakmak::generate::{Report, remove_all_leftovers};
use sakmak::material::CanonicalMaterial;
use sakmak::table::Manifest;

use super::memory::parse_size;
use super::output::{print, print_json};
use super::threads::ThreadsArgs;
use super::{Common, Failure};
use lock::{Lock, lock};
use making::{make, note_found};
use prepare::{Job, Request};

/// Generate missing tables, smaller endings first
///
/// A SET is an ending (with its smaller endings), bare-N (every bare-king ending of up to N men),
/// or all-N (every pawnless ending of up to N men). Existing tables are kept: run the same command
/// again to resume an interrupted run. The closing table shows which endings beat makruk's count.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak generate bare-4\n  \
sakmak generate KSMvK KNMMvK --threads 2\n  \
sakmak generate bare-5 --plan")]
pub struct Args {
    /// What to generate: KSMvK, bare-4, all-5, or several of them
    #[arg(required = true, value_name = "SET")]
    sets: Vec<String>,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Memory limit, for instance 12GiB [default: three quarters of free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Overwrite existing files of the tables named
    #[arg(long)]
    force: bool,
    /// Pack smaller files, which takes several times as long; probes then decode larger blocks
    #[arg(long)]
    small: bool,
    /// Show what would be generated, with estimated memory and disk space, and stop
    #[arg(long)]
    plan: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

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
    let (job, made) = match lock(request.directory(), common) {
        Ok(lock) => generate(request, lock, common)?,
        // Where nothing is to be generated no lock is needed.
        Err(failure) => match request.prepare(None, common)? {
            job if job.plans.is_empty() => (job, BTreeMap::new()),
            _ => return Err(failure),
        },
    };
    let summary = summary::Summary::new(&job, &made)?;
    match args.json {
        true => print_json(&summary),
        false => print(&summary.text()),
    }
}

/// Generates what is missing, under the lock: what exists is looked at only while nobody changes it.
fn generate(
    request: Request,
    mut lock: Lock,
    common: &Common,
) -> Result<(Job, BTreeMap<CanonicalMaterial, Report>), Failure> {
    remove_all_leftovers(request.directory(), &request.forced)?;
    // One that cannot be read is known by this before hours of work depend on it.
    let mut manifest = Manifest::load(request.directory())?;
    let job = request.prepare(Some(&manifest), common)?;
    job.refuse_what_does_not_fit()?;
    note_found(&job, &mut manifest)?;
    let mut made = BTreeMap::new();
    if !job.plans.is_empty() {
        lock.sign();
        if !common.quiet {
            job.say_beforehand();
        }
        made = make(&job, common)?;
    }
    Ok((job, made))
}
