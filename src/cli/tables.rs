//! Where the tables are: `--tables`.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use sakmak::probe::Tablebase;

use super::Failure;
use super::failure::cannot;

/// The option that every command has.
#[derive(clap::Args)]
pub struct TablesArgs {
    /// Table directories (PATH syntax); new tables go to the first
    #[arg(
        long,
        value_name = "DIR",
        env = "SAKMAK_TABLES",
        default_value = "tables",
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
            true => Err(Failure::input(
                "no directory of tables is named: give one with --tables or in SAKMAK_TABLES",
            )),
            false => Ok(directories),
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
