//! `sakmak generate`: makes missing tables.

mod args;
mod plan;
mod prepare;
mod run;
mod summary;
mod words;
mod workplaces;

use super::output::{print, print_json};
use super::{Common, Failure};
pub use args::Args;
use prepare::Request;

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
    let (job, reports) = match args.only {
        true => run::run_only(request, args.scratch.as_deref(), common)?,
        false => run::run_set(request, common)?,
    };
    let summary = summary::Summary::new(&job, &reports)?;
    match args.json {
        true => print_json(&summary),
        false => print(&summary.text()),
    }
}
