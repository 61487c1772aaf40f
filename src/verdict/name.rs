//! File names of verdict tables.

use std::path::Path;

use super::header::FORMAT;
use crate::material::CanonicalMaterial;

/// The file name of a material's verdict table, such as `KSMvK.skv`.
pub fn file_name(material: CanonicalMaterial) -> String {
    FORMAT.file_name(material)
}

/// The material in a file name. `None` if the name is not that of a verdict table.
pub fn material_of(path: &Path) -> Option<CanonicalMaterial> {
    FORMAT.material_of(path)
}
