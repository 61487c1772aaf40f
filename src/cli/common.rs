//! Options of every command.

use super::tables_args::TablesArgs;

/// Options of every command.
#[derive(clap::Args)]
pub struct Common {
    #[command(flatten)]
    pub tables: TablesArgs,
    /// Print only errors to stderr
    #[arg(long, short, global = true)]
    pub quiet: bool,
}
