//! Where the tables are: `--tables`.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that names the directories where the option does not.
pub const VARIABLE: &str = "SAKMAK_TABLES";

/// The directory where neither does.
const DEFAULT: &str = "tables";

/// The option that every command has.
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
    /// The directories named, the one for new tables first.
    pub fn directories(&self) -> impl Iterator<Item = PathBuf> {
        std::env::split_paths(&self.tables).filter(|path| !path.as_os_str().is_empty())
    }

    /// A command of this program as it can be typed, for the same directories.
    pub fn command(&self, arguments: &str) -> String {
        let is_default = self.tables == DEFAULT && std::env::var_os(VARIABLE).is_none();
        match self.tables.to_str() {
            Some(tables) if !tables.is_empty() && !is_default => {
                // Quoted for a shell; what a shell cannot be given stays as it is.
                let tables = shlex::try_quote(tables).unwrap_or(tables.into());
                format!("sakmak {arguments} --tables {tables}")
            }
            _ => format!("sakmak {arguments}"),
        }
    }
}
