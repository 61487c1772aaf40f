//! What a verdict table's file is called.

use std::path::Path;

use crate::material::CanonicalMaterial;
use crate::table::material_by_name;

pub use crate::table::VERDICT_EXTENSION as EXTENSION;

/// The name of a material's verdict table in its directory: `KSMvK.skv`.
pub fn file_name(material: CanonicalMaterial) -> String {
    format!("{material}.{EXTENSION}")
}

/// The material whose verdict table a file is by its name, if it is the name of one.
pub fn material_of(path: &Path) -> Option<CanonicalMaterial> {
    material_by_name(path, file_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_name_is_that_of_a_verdict_table() {
        let of = |name: &str| material_of(Path::new(name)).map(|m| m.to_string());
        assert_eq!(of("tables/KSMvK.skv").as_deref(), Some("KSMvK"));
        for other in [
            "KSMvK.skm",
            "KMSvK.skv",
            "KSMvK.SKV",
            ".KSMvK.skv.x.part",
            "",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
