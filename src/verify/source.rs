//! Where tables come from, and why they may not.

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::probe::ProbeError;
use crate::rules::RuleSet;
use crate::table::{TableError, TableFile, file_name};

/// Where the verifier gets tables from.
pub trait Source {
    /// Opens the table of a material.
    ///
    /// # Errors
    ///
    /// If it is missing, unreadable, or not the table of this material.
    fn open(&self, material: CanonicalMaterial) -> Result<TableFile, TableError>;
}

impl<F: Fn(CanonicalMaterial) -> Result<TableFile, TableError>> Source for F {
    fn open(&self, material: CanonicalMaterial) -> Result<TableFile, TableError> {
        self(material)
    }
}

/// Opens the table of a material, which must have this rule set.
pub(super) fn open_with(
    source: &dyn Source,
    material: CanonicalMaterial,
    rules: RuleSet,
) -> Result<TableFile, VerifyError> {
    let table = source.open(material)?;
    let found = table.rule_sets();
    match found.contains(rules) {
        true => Ok(table),
        false => Err(VerifyError::Probe(ProbeError::MissingRules {
            material,
            file: file_name(material),
            found,
            rules,
            directories: [].into(),
        })),
    }
}

/// Why a table could not be verified: it may be right or wrong.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table could not be found or probed.
    #[error(transparent)]
    Probe(ProbeError),
}
