//! The kinds of tables, by the names of their files.

use std::path::Path;

use crate::material::CanonicalMaterial;
use crate::{table, verdict};

/// A kind of table that a directory can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableKind {
    /// Distance tables, `.skm`.
    Distances,
    /// Verdict tables, `.skv`.
    Verdicts,
}

impl TableKind {
    /// All kinds.
    pub const ALL: [TableKind; 2] = [TableKind::Distances, TableKind::Verdicts];

    /// The kind and the ending of a table, from the name of its file. None if the name is not that
    /// of a table.
    pub fn of_path(path: &Path) -> Option<(TableKind, CanonicalMaterial)> {
        let mut all = TableKind::ALL.into_iter();
        all.find_map(|kind| Some((kind, kind.material_of(path)?)))
    }

    fn material_of(self, path: &Path) -> Option<CanonicalMaterial> {
        match self {
            TableKind::Distances => table::material_of(path),
            TableKind::Verdicts => verdict::material_of(path),
        }
    }

    /// The name of the file of an ending's table.
    pub fn file_name(self, material: CanonicalMaterial) -> String {
        match self {
            TableKind::Distances => table::file_name(material),
            TableKind::Verdicts => verdict::file_name(material),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_recognises_its_own_names_and_no_others() {
        let material = "KSMvK".parse().unwrap();
        for kind in TableKind::ALL {
            let name = kind.file_name(material);
            assert_eq!(TableKind::of_path(Path::new(&name)), Some((kind, material)));
        }
        assert_eq!(TableKind::of_path(Path::new("KSMvK.json")), None);
        assert_eq!(TableKind::of_path(Path::new("KMSvK.skm")), None);
    }
}
