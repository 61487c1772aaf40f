//! What a table's file is called.

use std::path::Path;

use super::header::FORMAT;
use crate::material::CanonicalMaterial;

/// The name of a material's table in its directory: `KSMvK.skm`.
pub fn file_name(material: CanonicalMaterial) -> String {
    FORMAT.file_name(material)
}

/// The material whose table a file is by its name, if it is the name of a table. Whether the file
/// is what it is called is known when it is opened.
pub fn material_of(path: &Path) -> Option<CanonicalMaterial> {
    FORMAT.material_of(path)
}
