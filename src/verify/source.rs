//! The verifier's source of tables, and the errors of a verification.

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::probe::ProbeError;
use crate::rules::RuleSet;
use crate::table::{TableError, TableFile, TableKind};

/// Supplies tables to the verifier.
pub trait TableSource {
    /// Opens the table of a material.
    ///
    /// # Errors
    ///
    /// If the table is missing or unreadable, or is that of another material.
    fn open(&self, material: CanonicalMaterial) -> Result<TableFile, TableError>;
}

impl<F: Fn(CanonicalMaterial) -> Result<TableFile, TableError>> TableSource for F {
    fn open(&self, material: CanonicalMaterial) -> Result<TableFile, TableError> {
        self(material)
    }
}

/// Opens the table of a material, which must have results for this rule set.
pub(super) fn open_with(
    source: &dyn TableSource,
    material: CanonicalMaterial,
    rules: RuleSet,
) -> Result<TableFile, VerifyError> {
    let table = source.open(material)?;
    let found = table.rule_sets();
    match found.contains(rules) {
        true => Ok(table),
        false => Err(VerifyError::Probe(ProbeError::MissingRules {
            material,
            kind: TableKind::Distances,
            found,
            rules,
            directories: [].into(),
        })),
    }
}

/// The reason why a table could not be verified. The table may still be right.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table is missing or could not be probed.
    #[error(transparent)]
    Probe(ProbeError),
}
