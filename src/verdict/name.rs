//! What a verdict table's file is called.

use std::path::Path;

use super::header::FORMAT;
use crate::material::CanonicalMaterial;

/// The name of a material's verdict table in its directory: `KSMvK.skv`.
pub fn file_name(material: CanonicalMaterial) -> String {
    FORMAT.file_name(material)
}

/// The material whose verdict table a file is by its name, if it is the name of one.
pub fn material_of(path: &Path) -> Option<CanonicalMaterial> {
    FORMAT.material_of(path)
}
