//! A table that is in no directory.

use std::sync::{Arc, OnceLock};

use crate::material::CanonicalMaterial;
use crate::table::{Elsewhere, FileBytes, TableError, TableErrorKind, TableFile};

/// A table whose bytes were given, or are somebody else's to give.
#[derive(Debug)]
pub(super) enum Provided {
    /// In bytes that stay.
    Given(Arc<TableFile>),
    /// With a source, which may not have all of them yet.
    Source {
        /// The ending that it should be of.
        material: CanonicalMaterial,
        /// The bytes.
        source: Elsewhere,
        /// The table, once its header has been read.
        file: OnceLock<Arc<TableFile>>,
    },
}

impl Provided {
    /// A table that has been read.
    pub fn given(file: TableFile) -> Provided {
        Provided::Given(Arc::new(file))
    }

    /// The table that a source has.
    pub fn by(source: Elsewhere, material: CanonicalMaterial) -> Provided {
        Provided::Source {
            material,
            source,
            file: OnceLock::new(),
        }
    }

    /// The table, whose header is read now if it was not. A failure is not kept.
    pub fn file(&self) -> Result<Arc<TableFile>, TableError> {
        let (material, source, place) = match self {
            Provided::Given(file) => return Ok(file.clone()),
            Provided::Source {
                material,
                source,
                file,
            } => (*material, source, file),
        };
        if let Some(file) = place.get() {
            return Ok(file.clone());
        }
        let file = TableFile::new(FileBytes::Elsewhere(source.clone()))?;
        let found = file.material();
        if found != material {
            let expected = material;
            let kind = TableErrorKind::WrongMaterial { expected, found };
            return Err(TableError::new(None, Some(expected), kind));
        }
        Ok(place.get_or_init(|| Arc::new(file)).clone())
    }
}
