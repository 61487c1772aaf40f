//! The arguments of `sakmak generate`.

use std::path::PathBuf;

use sakmak::rules::RuleSet;

use crate::memory::{MemoryLimit, parse_limit};
use crate::threads_args::ThreadsArgs;

/// Generate missing tables, subendings first
///
/// A SET is an ending (with its subendings), bare-N (every pawnless bare-king ending of up to N
/// men), all-N (every pawnless ending), bia-N (every ending with bia), or every-N (both). Existing
/// tables are kept: run the same command again to resume an interrupted run. The summary at the end
/// shows which endings can be won inside makruk's count.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak generate bare-4\n  \
sakmak generate KSMvK KNMMvK --threads 2\n  \
sakmak generate bare-5 --plan\n  \
sakmak generate all-4 --rules makruk --verdicts")]
pub struct Args {
    /// Endings or sets: KSMvK, KSPvK, bare-4, all-5, bia-4, or several of them
    #[arg(required = true, value_name = "SET")]
    pub sets: Vec<String>,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Memory limit, for instance 12GiB, or none [default: three quarters of free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_limit)]
    pub memory: Option<MemoryLimit>,
    /// Generate only the table of the named ending; the tables of its subendings must exist. For
    /// jobs on many machines
    ///
    /// Exit code 1: a subending's table is missing; 75 or above 128: try again, here or on another
    /// machine (too little memory or disk, or another job makes this table); 2 or 3: do not retry.
    #[arg(long, conflicts_with = "force")]
    pub only: bool,
    /// With --only: directory for temporary files, best on a disk of this machine
    #[arg(long, value_name = "DIR", requires = "only")]
    pub scratch: Option<PathBuf>,
    /// Generate existing tables again: every table of a set, or the table of a named ending without
    /// those of its subendings
    #[arg(long)]
    pub force: bool,
    /// Make smaller files; packing takes several times as long, and probes decode larger blocks
    #[arg(long)]
    pub small: bool,
    /// Search for the best packing even if it is known from the published tables
    #[arg(long)]
    pub search_orders: bool,
    /// Also generate verdict tables, for searches: the winner, and whether it wins inside the count
    #[arg(long)]
    pub verdicts: bool,
    /// Rule sets of the tables, separated by commas [default: all]
    ///
    /// With makruk alone, endings with men on both sides take two thirds of the time and space that
    /// all three rule sets take. Makruk is always included, since the results of the other rule
    /// sets are stored as differences from makruk's. An existing table that lacks a requested rule
    /// set is generated again, and keeps the rule sets that it had; a table loses rule sets only
    /// with --force. Endings with bia have a table for makruk and ouk, and another, such as
    /// KRPvK-asean, for ASEAN chess; by default only makruk's is made.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub rules: Vec<RuleSet>,
    /// Show the tables to generate, with estimated memory and disk space, and exit
    #[arg(long)]
    pub plan: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
