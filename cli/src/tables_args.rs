//! The option `--tables` of every command.

use std::ffi::OsString;
use std::path::PathBuf;

/// The environment variable that names the directories of tables. It applies if `--tables` is not
/// given.
pub const VARIABLE: &str = "SAKMAK_TABLES";

/// The directory of tables if neither `--tables` nor the environment variable is given.
const DEFAULT: &str = "tables";

/// The option `--tables`, which every command accepts.
#[derive(Default, clap::Args)]
pub struct TablesArgs {
    /// Table directories, separated as in PATH; new tables are written to the first
    #[arg(
        long,
        value_name = "DIR",
        env = VARIABLE,
        default_value = DEFAULT,
        global = true
    )]
    tables: OsString,
}

impl TablesArgs {
    /// The directories of tables. New tables are written to the first directory.
    pub fn directories(&self) -> impl Iterator<Item = PathBuf> {
        std::env::split_paths(&self.tables).filter(|path| !path.as_os_str().is_empty())
    }

    /// A command line that the user can copy, with the same directories of tables.
    pub fn command(&self, arguments: &str) -> String {
        let is_default = self.tables == DEFAULT && std::env::var_os(VARIABLE).is_none();
        match self.tables.to_str() {
            Some(tables) if !tables.is_empty() && !is_default => {
                // Directories are quoted for a shell, if possible.
                let tables = shlex::try_quote(tables).unwrap_or(tables.into());
                format!("sakmak {arguments} --tables {tables}")
            }
            _ => format!("sakmak {arguments}"),
        }
    }
}
