//! Where the tables are: `--tables`.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use sakmak::probe::Tablebase;

use super::Failure;
use super::failure::cannot;

/// The variable that names the directories where the option does not.
const VARIABLE: &str = "SAKMAK_TABLES";

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
    /// The directories, the one for new tables first.
    pub fn directories(&self) -> Result<Vec<PathBuf>, Failure> {
        let directories: Vec<PathBuf> = std::env::split_paths(&self.tables)
            .filter(|path| !path.as_os_str().is_empty())
            .collect();
        match directories.is_empty() {
            true => Err(Failure::input("no directory of tables is named")
                .help(format_args!("give one with --tables or in {VARIABLE}"))),
            false => Ok(directories),
        }
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

    /// The tablebase of the directories. One that is not there has no tables.
    pub fn open(&self) -> Result<Tablebase, Failure> {
        let mut tablebase = Tablebase::new();
        for directory in self.directories()? {
            match tablebase.add_directory(&directory) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(cannot("read", &directory, &error));
                }
                _ => {}
            }
        }
        Ok(tablebase)
    }
}
