//! File names of distance tables.

use std::path::Path;

use super::header::FORMAT;
use crate::material::CanonicalMaterial;

/// The file name of a material's table: `KSMvK.skm`.
pub fn file_name(material: CanonicalMaterial) -> String {
    FORMAT.file_name(material)
}

/// The material in a file name. `None` if the name is not that of a distance table. The file's
/// contents are not checked until the file is opened.
pub fn material_of(path: &Path) -> Option<CanonicalMaterial> {
    FORMAT.material_of(path)
}
