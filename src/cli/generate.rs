//! `sakmak generate`: makes tables.

use std::path::Path;

use sakmak::generate::{Found, Library, Progress, generate_table, survey};
use sakmak::material::parse_set;
use sakmak::table::{WriteOptions, file_name};

use super::{Common, Failure};

/// Make the tables that are missing
#[derive(clap::Args)]
pub struct Args {
    /// What to make
    #[arg(required = true, value_name = "SET")]
    sets: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let directories = common.tables.directories()?;
    let directory: &Path = &directories[0];
    let mut library = Library::new();
    for set in &args.sets {
        for material in parse_set(set)? {
            let path = directory.join(file_name(material));
            match survey(&path, material)? {
                Found::Table(_) => continue,
                Found::Foreign(error) => return Err(error.into()),
                Found::Nothing | Found::Spoilt(_) => {}
            }
            let report = generate_table(
                material,
                directory,
                &mut library,
                &WriteOptions::default(),
                &|_: Progress| {},
            )?;
            eprintln!("{material}: {}", super::text::bytes(report.bytes));
        }
    }
    Ok(())
}
