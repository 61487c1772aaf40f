//! The option `--tables` of every command.

use std::ffi::OsString;
use std::path::PathBuf;

/// The environment variable that names the directories of tables. It is used if the option is not
/// given.
pub const VARIABLE: &str = "SAKMAK_TABLES";

/// The directory of tables if neither the option nor the variable is set.
const DEFAULT: &str = "tables";

/// The option of every command.
#[derive(Default, clap::Args)]
pub struct TablesArgs {
    /// Table directories (PATH syntax); new tables go to the first
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
    /// The directories of tables. New tables go to the first.
    pub fn directories(&self) -> impl Iterator<Item = PathBuf> {
        std::env::split_paths(&self.tables).filter(|path| !path.as_os_str().is_empty())
    }

    /// A command line of this program that the user can type, with the same directories.
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
