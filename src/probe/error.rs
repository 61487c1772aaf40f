//! Why a position has no answer.

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::rules::{CountError, MayLeap};
use crate::table::TableError;

/// The directory that the program looks in when none is named.
const DEFAULT_DIRECTORY: &str = "tables";

/// Why a position has no answer. The three kinds are the caller's mistake, a table that is not
/// there, and a file that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The caller's mistake: the rules count nothing in the position.
    #[error(transparent)]
    Count(#[from] CountError),
    /// A man may still leap, which the tables do not know.
    #[error(transparent)]
    MayLeap(#[from] MayLeap),
    /// A table is in none of the directories.
    #[error(
        "there is no table of {material} in {}: make it with `{}`",
        in_words(directories), generate_command(*material, directories)
    )]
    Missing {
        /// The ending whose table it is.
        material: CanonicalMaterial,
        /// Where it was looked for.
        directories: Arc<[PathBuf]>,
    },
    /// A table is there, but it is damaged, of another version or not to be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A block that the probe needs has not been decoded. Only of
    /// [`Tablebase::probe_cached`](super::Tablebase::probe_cached).
    #[error("a block that the probe needs has not been decoded")]
    NotDecoded,
    /// There is not the memory for the cache.
    #[error("there is no memory for a cache of {bytes} bytes")]
    NoMemory {
        /// The bytes asked for.
        bytes: usize,
    },
}

/// The directories as a sentence lists them.
fn in_words(directories: &[PathBuf]) -> String {
    let names: Vec<_> = directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect();
    match names.as_slice() {
        [] => "no directory at all".to_string(),
        names => names.join(" or "),
    }
}

/// The command that makes a table, where it will be looked for first.
fn generate_command(material: CanonicalMaterial, directories: &[PathBuf]) -> String {
    match directories.first() {
        Some(first) if first.as_os_str() != DEFAULT_DIRECTORY => {
            format!("sakmak generate {material} --tables {}", first.display())
        }
        _ => format!("sakmak generate {material}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_table_is_named_with_the_command_that_makes_it() {
        let missing = |directories: &[&str]| {
            let error = ProbeError::Missing {
                material: "KSMvK".parse().unwrap(),
                directories: directories.iter().map(PathBuf::from).collect(),
            };
            error.to_string()
        };
        assert_eq!(
            missing(&["tables"]),
            "there is no table of KSMvK in tables: make it with `sakmak generate KSMvK`"
        );
        assert_eq!(
            missing(&["a", "b"]),
            "there is no table of KSMvK in a or b: make it with `sakmak generate KSMvK --tables a`"
        );
        assert!(missing(&[]).contains("no directory at all"));
    }
}
