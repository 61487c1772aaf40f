//! Where tables come from, and why they may not.

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::probe::ProbeError;
use crate::table::{TableError, TableFile};

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
