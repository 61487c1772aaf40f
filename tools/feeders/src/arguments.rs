//! The command line of feeders that ask tables.

use std::num::ParseIntError;
use std::str::FromStr;

use anyhow::{Context, bail};
use sakmak::probe::Tablebase;

use crate::Random;

/// `TABLES NUMBER [SEED]`. TABLES is a directory of tables, or several separated as in PATH.
pub struct Arguments {
    /// The tables.
    pub tablebase: Tablebase,
    /// How many are asked for.
    pub number: usize,
    /// The numbers of the seed, 1 if none is given.
    pub random: Random,
}

impl Arguments {
    /// The arguments of this program.
    ///
    /// # Errors
    ///
    /// If they are others than `usage` says, or a directory cannot be read.
    pub fn parse(usage: &str) -> anyhow::Result<Arguments> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let (tables, number, seed) = match arguments.as_slice() {
            [tables, number] => (tables, number, "1"),
            [tables, number, seed] => (tables, number, seed.as_str()),
            _ => bail!("usage: {usage}"),
        };
        Ok(Arguments {
            tablebase: open(tables)?,
            number: parse(number)?,
            random: Random::new(parse(seed)?),
        })
    }
}

fn parse<T: FromStr<Err = ParseIntError>>(text: &str) -> anyhow::Result<T> {
    text.parse()
        .with_context(|| format!("{text:?} must be a number"))
}

/// Opens all directories of a list, separated as in PATH.
fn open(tables: &str) -> anyhow::Result<Tablebase> {
    let mut tablebase = Tablebase::new();
    for directory in std::env::split_paths(tables) {
        tablebase
            .add_directory(&directory)
            .with_context(|| format!("cannot read {}", directory.display()))?;
    }
    Ok(tablebase)
}
