//! Errors of probes.

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::remedy::Remedy;
use crate::rules::{CountError, NotInTables, RuleSet, RuleSets};
use crate::table::{TableError, TableKind};

/// The reason why a probe failed: a mistake of the caller, a missing table, or an unusable file.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// A mistake of the caller: under the rules, the position cannot have this count.
    #[error(transparent)]
    Count(#[from] CountError),
    /// No table contains the position, because it has too many men, bia that tables do not cover,
    /// or an ouk king or met that may still leap.
    #[error(transparent)]
    NotInTables(#[from] NotInTables),
    /// No directory has the table.
    #[error("there is no table of {material} in {}", in_words(directories))]
    Missing {
        /// The ending of the table.
        material: CanonicalMaterial,
        /// The directories that were searched.
        directories: Arc<[PathBuf]>,
    },
    /// The table has no results for the probe's rule set.
    #[error("{} has results for {found} only, not for {rules}", kind.file_name(*material))]
    MissingRules {
        /// The ending of the table.
        material: CanonicalMaterial,
        /// The kind of the table.
        kind: TableKind,
        /// The rule sets of the table.
        found: RuleSets,
        /// The rule set of the probe.
        rules: RuleSet,
        /// The directories of tables.
        directories: Arc<[PathBuf]>,
    },
    /// The table is corrupt, of another version, or unreadable.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The probe needs a block that is not decoded. Only probes of
    /// [`Tablebase::cached`](super::Tablebase::cached) fail with this error.
    #[error("a block that the probe needs has not been decoded")]
    NotDecoded,
    /// The cache cannot be allocated.
    #[error("cannot allocate a cache of {bytes} bytes")]
    NoMemory {
        /// The size of the cache in bytes.
        bytes: usize,
    },
}

impl ProbeError {
    /// True if a table is missing or has no results for the probe's rule set. The probe would
    /// succeed with more tables.
    pub fn is_missing(&self) -> bool {
        self.missing().is_some()
    }

    /// The ending whose table is missing or has no results for the rule set.
    pub fn missing(&self) -> Option<CanonicalMaterial> {
        match self {
            ProbeError::Missing { material, .. } | ProbeError::MissingRules { material, .. } => {
                Some(*material)
            }
            _ => None,
        }
    }

    /// The remedy to show to the user. `None` if the caller has to make a different probe.
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
                kind,
                rules,
                directories,
                ..
            } if RuleSets::possible(material.material()).contains(*rules) => {
                Some(Remedy::GenerateRules {
                    table: material.to_string(),
                    rules: rules.name(),
                    kind: *kind,
                    directories: directories.to_vec(),
                })
            }
            // No table of this ending has results for the rule set.
            ProbeError::MissingRules { .. } => None,
            ProbeError::Table(error) => Some(error.remedy()),
            ProbeError::NoMemory { .. } => Some(Remedy::MoreMemory),
        }
    }
}

/// Joins the directories with "or" for a message: `a or b or c`. Returns "any directory" if there
/// are none.
fn in_words(directories: &[PathBuf]) -> String {
    let names: Vec<_> = directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect();
    match names.as_slice() {
        [] => "any directory".to_string(),
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
        let missing_rules = |kind| ProbeError::MissingRules {
            material: "KRvKN".parse().unwrap(),
            kind,
            found: RuleSets::MAKRUK,
            rules: RuleSet::Asean,
            directories: Arc::default(),
        };
        let error = missing_rules(TableKind::Distances);
        let words = "KRvKN.skm has results for makruk only, not for asean";
        assert_eq!(error.to_string(), words);
        let remedy = |kind| {
            Some(Remedy::GenerateRules {
                table: "KRvKN".to_string(),
                rules: "asean",
                kind,
                directories: Vec::new(),
            })
        };
        assert_eq!(error.remedy(), remedy(TableKind::Distances));
        let impossible = ProbeError::MissingRules {
            material: "KPvK-asean".parse().unwrap(),
            kind: TableKind::Distances,
            found: RuleSets::ASEAN,
            rules: RuleSet::Makruk,
            directories: Arc::default(),
        };
        assert_eq!(impossible.remedy(), None);
        let verdicts = TableKind::Verdicts;
        assert_eq!(missing_rules(verdicts).remedy(), remedy(verdicts));
        assert!(missing(&[]).to_string().contains("in any directory"));
        let error = ProbeError::NoMemory { bytes: 1 << 60 };
        assert_eq!(error.remedy(), Some(Remedy::MoreMemory));
    }
}
