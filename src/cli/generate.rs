//! `sakmak generate`: makes tables.

mod lock;
mod making;
mod prepare;
mod summary;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::memory::parse_size;
use super::output::{print, print_json};
use super::{Common, Failure};
use lock::lock;
use making::make;
use prepare::{Job, prepare};

/// Make the tables that are missing, those of smaller endings first
///
/// A SET is an ending (its smaller endings come along), bare-N (every bare-king ending of up to N
/// men), or all-N (every pawnless ending of up to N men). Tables that are there already are left
/// as they are, so a run that was stopped goes on with the same command. At the end it is shown
/// which endings beat makruk's count.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak generate bare-4\n  \
sakmak generate KSMvK KNMMvK --threads 2\n  \
sakmak generate bare-5 --plan")]
pub struct Args {
    /// What to make: KSMvK, bare-4, all-5, or several of them
    #[arg(required = true, value_name = "SET")]
    sets: Vec<String>,
    /// Threads to work with [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The memory that may be used, for instance 12GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Make the tables named again, even if they are there, whatever is under their names
    #[arg(long)]
    force: bool,
    /// Make smaller files, which takes several times as long; probes then decode larger blocks
    #[arg(long)]
    small: bool,
    /// Show what would be made, with the memory and about the disk space it takes, and make nothing
    #[arg(long)]
    plan: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let mut job = Job::new(args, common)?;
    if args.plan {
        prepare(&mut job, common)?;
        return match args.json {
            true => print_json(&job.plan_document()),
            false => print(&job.plan_text()),
        };
    }
    // Held until the end. What is there is looked at only under the lock; where nothing is to be
    // made, none is needed.
    let lock = lock(job.directory(), common);
    prepare(&mut job, common)?;
    job.refuse_what_does_not_fit()?;
    if lock.is_ok() {
        making::note_found(&job)?;
    }
    let mut made = BTreeMap::new();
    if !job.plans.is_empty() {
        let mut held = lock?;
        held.sign();
        if !common.quiet
            && let Some(peak) = job.peak_text()
        {
            eprintln!("{} tables to be made: {peak}", job.plans.len());
        }
        made = make(&job, args.threads, common)?;
    }
    let summary = summary::Summary::new(&job, &made)?;
    match args.json {
        true => print_json(&summary),
        false => print(&summary.text()),
    }
}
