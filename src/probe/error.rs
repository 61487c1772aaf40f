//! Why a position has no answer.

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::remedy::Remedy;
use crate::rules::{CountError, NotInTables, RuleSet, RuleSets};
use crate::table::TableError;
use crate::verdict;

/// Why a position has no answer. The three kinds are the caller's mistake, a table that is not
/// there, and a file that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The caller's mistake: the rules count nothing in the position.
    #[error(transparent)]
    Count(#[from] CountError),
    /// No table may have the position: too many men, bia, or a man of ouk that may still leap.
    #[error(transparent)]
    NotInTables(#[from] NotInTables),
    /// A table is in none of the directories.
    #[error("there is no table of {material} in {}", in_words(directories))]
    Missing {
        /// The ending whose table it is.
        material: CanonicalMaterial,
        /// Where it was looked for.
        directories: Arc<[PathBuf]>,
    },
    /// A table is there, but it has no results of the rule set that was asked for.
    #[error("{file} has results of {found} alone, none of {rules}")]
    MissingRules {
        /// The ending whose table it is.
        material: CanonicalMaterial,
        /// The name of its file: `KRvKN.skm` or, of verdicts, `KRvKN.skv`.
        file: String,
        /// The rule sets that it has.
        found: RuleSets,
        /// The one asked for.
        rules: RuleSet,
        /// The directories of tables.
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

impl ProbeError {
    /// True if a table is not there, or not for the rule set asked for: with more tables there is an
    /// answer.
    pub fn is_missing(&self) -> bool {
        self.missing().is_some()
    }

    /// The ending whose table is not there, or not for the rule set asked for.
    pub fn missing(&self) -> Option<CanonicalMaterial> {
        match self {
            ProbeError::Missing { material, .. } | ProbeError::MissingRules { material, .. } => {
                Some(*material)
            }
            _ => None,
        }
    }

    /// What the user can do about it; none where the caller has to change the question.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            ProbeError::Count(_) | ProbeError::NotInTables(_) | ProbeError::NotDecoded => None,
            ProbeError::Missing {
                material,
                directories,
            } => Some(Remedy::Generate {
                table: material.to_string(),
                directories: directories.to_vec(),
            }),
            ProbeError::MissingRules {
                material,
                file,
                rules,
                directories,
                ..
            } => Some(Remedy::GenerateRules {
                table: material.to_string(),
                rules: rules.name(),
                verdicts: *file == verdict::file_name(*material),
                directories: directories.to_vec(),
            }),
            ProbeError::Table(error) => Some(error.remedy()),
            ProbeError::NoMemory { .. } => Some(Remedy::MoreMemory),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tables_are_named_with_their_remedy() {
        let missing = |directories: &[&str]| ProbeError::Missing {
            material: "KSMvK".parse().unwrap(),
            directories: directories.iter().map(PathBuf::from).collect(),
        };
        let error = missing(&["a", "b"]);
        assert_eq!(error.to_string(), "there is no table of KSMvK in a or b");
        let remedy = Remedy::Generate {
            table: "KSMvK".to_string(),
            directories: vec!["a".into(), "b".into()],
        };
        assert_eq!(error.remedy(), Some(remedy));
        let missing_rules = |file: &str| ProbeError::MissingRules {
            material: "KRvKN".parse().unwrap(),
            file: file.to_string(),
            found: RuleSets::MAKRUK,
            rules: RuleSet::Asean,
            directories: Arc::default(),
        };
        let error = missing_rules("KRvKN.skm");
        let words = "KRvKN.skm has results of makruk alone, none of asean";
        assert_eq!(error.to_string(), words);
        let remedy = |verdicts| {
            Some(Remedy::GenerateRules {
                table: "KRvKN".to_string(),
                rules: "asean",
                verdicts,
                directories: Vec::new(),
            })
        };
        assert_eq!(error.remedy(), remedy(false));
        assert_eq!(missing_rules("KRvKN.skv").remedy(), remedy(true));
        assert!(missing(&[]).to_string().contains("no directory at all"));
        let error = ProbeError::NoMemory { bytes: 1 << 60 };
        assert_eq!(error.remedy(), Some(Remedy::MoreMemory));
    }
}
