//! What a table's file is called.

use std::path::Path;

use crate::material::CanonicalMaterial;

/// The ending of the names of tables.
pub const EXTENSION: &str = "skm";

/// The ending of the names of verdict tables.
pub const VERDICT_EXTENSION: &str = "skv";

/// The name of a material's table in its directory: `KSMvK.skm`.
pub fn file_name(material: CanonicalMaterial) -> String {
    format!("{material}.{EXTENSION}")
}

/// The material whose table a file is by its name, if it is the name of a table. Whether the file
/// is what it is called is known when it is opened.
pub fn material_of(path: &Path) -> Option<CanonicalMaterial> {
    material_by_name(path, file_name)
}

/// The material of a file that is called as this says.
pub(crate) fn material_by_name(
    path: &Path,
    called: impl Fn(CanonicalMaterial) -> String,
) -> Option<CanonicalMaterial> {
    let name = path.file_name()?.to_str()?;
    let material = path.file_stem()?.to_str()?.parse().ok()?;
    (name == called(material)).then_some(material)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_name_is_that_of_a_table() {
        let of = |name: &str| material_of(Path::new(name)).map(|m| m.to_string());
        assert_eq!(of("tables/KSMvK.skm").as_deref(), Some("KSMvK"));
        for other in [
            "KSMvK",
            "KSMvK.SKM",
            "ksmvk.skm",
            "KMSvK.skm",
            "KvKSM.skm",
            ".KSMvK.skm.x1.part",
            "manifest.json",
            "",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
