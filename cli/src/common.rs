//! The options of every command.

use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use sakmak::probe::{Options, Tablebase};
use sakmak::table::Access;

use super::failure::{Failure, cannot};
use super::stderr::say;
use super::tables_args::{TablesArgs, VARIABLE};

/// The tables that a command has opened. When this value is dropped, each corrupt table is
/// reported, together with the copy that was used instead.
pub struct OpenTables {
    tablebase: Tablebase,
    quiet: bool,
}

impl Deref for OpenTables {
    type Target = Tablebase;

    fn deref(&self) -> &Tablebase {
        &self.tablebase
    }
}

impl Drop for OpenTables {
    fn drop(&mut self) {
        if !self.quiet {
            for replaced in self.tablebase.inventory().replaced() {
                say(format_args!("note: {replaced}"));
            }
        }
    }
}

/// The options of every command.
#[derive(clap::Args)]
pub struct Common {
    #[command(flatten)]
    pub tables: TablesArgs,
    /// Print only errors to stderr
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl Common {
    /// The directories of tables. New tables are written to the first directory.
    pub fn directories(&self) -> Result<Vec<PathBuf>, Failure> {
        let directories: Vec<PathBuf> = self.tables.directories().collect();
        match directories.is_empty() {
            true => Err(Failure::input("no directory of tables is given")
                .help(format_args!("name one with --tables or in {VARIABLE}"))),
            false => Ok(directories),
        }
    }

    /// Opens all tables in the directories with memory maps, for commands that only read tables. A
    /// missing directory is treated as an empty one.
    pub fn open_tables(&self) -> Result<OpenTables, Failure> {
        let tablebase = add_directories(Tablebase::new(), &self.directories()?)?;
        Ok(self.reporting_replaced(tablebase))
    }

    /// Wraps a tablebase. When the wrapper is dropped, at the end of the command, it reports each
    /// corrupt table for which another copy was used.
    pub fn reporting_replaced(&self, tablebase: Tablebase) -> OpenTables {
        OpenTables {
            tablebase,
            quiet: self.quiet,
        }
    }

    /// Opens all tables in the directories without memory maps, so that their files are read block
    /// by block. For long-running commands, and for commands that check possibly corrupt tables.
    pub fn open_tables_by_blocks(&self) -> Result<Tablebase, Failure> {
        by_blocks(&self.directories()?)
    }

    /// Opens one tablebase per directory, for commands that go through all files. Each tablebase
    /// searches its own directory before the others, and reads files block by block.
    pub fn open_each_directory_first(&self) -> Result<Vec<Tablebase>, Failure> {
        let directories = self.directories()?;
        let first = |place| {
            let mut directories = directories.clone();
            directories[..=place].rotate_right(1);
            by_blocks(&directories)
        };
        (0..directories.len()).map(first).collect()
    }
}

fn by_blocks(directories: &[PathBuf]) -> Result<Tablebase, Failure> {
    let options = Options {
        access: Access::Blocks,
        ..Options::default()
    };
    add_directories(Tablebase::with_options(&options)?, directories)
}

fn add_directories(
    mut tablebase: Tablebase,
    directories: &[PathBuf],
) -> Result<Tablebase, Failure> {
    for directory in directories {
        match tablebase.add_directory(directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(cannot("read", directory, &error));
            }
            _ => {}
        }
    }
    Ok(tablebase)
}

/// True if two paths lead to the same existing file or directory.
pub fn is_same_path(a: &Path, b: &Path) -> bool {
    let real = [a, b].map(std::fs::canonicalize);
    matches!(real, [Ok(a), Ok(b)] if a == b)
}
