//! The kinds of tables: the names and the first bytes of their files.

use std::path::Path;

use crate::material::CanonicalMaterial;

/// A kind of table. Each kind has files of its own.
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

    /// The file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            TableKind::Distances => "skm",
            TableKind::Verdicts => "skv",
        }
    }

    /// The magic number at the start of a file. Its first byte is not ASCII, and its other bytes
    /// include CR LF and a lone LF. So damage by a copy in text mode is detected.
    pub(crate) const fn magic(self) -> &'static [u8; 8] {
        match self {
            TableKind::Distances => b"\x89SKM\r\n\x1a\n",
            TableKind::Verdicts => b"\x89SKV\r\n\x1a\n",
        }
    }

    /// The name of the list of these tables in manifests and in other JSON documents.
    pub const fn list(self) -> &'static str {
        match self {
            TableKind::Distances => "tables",
            TableKind::Verdicts => "verdict_tables",
        }
    }

    /// The kind of the table in a file, by the file's extension. None if the extension is not that
    /// of a table.
    pub fn of_extension(path: &Path) -> Option<TableKind> {
        let extension = path.extension()?;
        let mut all = TableKind::ALL.into_iter();
        all.find(|kind| extension == kind.extension())
    }

    /// The kind and the ending of a table, from the name of its file. None if the name is not that
    /// of a table. The file's contents are not checked until the file is opened.
    pub fn of_path(path: &Path) -> Option<(TableKind, CanonicalMaterial)> {
        let kind = TableKind::of_extension(path)?;
        let material = path.file_stem()?.to_str()?.parse().ok()?;
        (path.file_name()? == &*kind.file_name(material)).then_some((kind, material))
    }

    /// The ending of a table of this kind, from the name of its file. None if the name is not that
    /// of a table of this kind.
    pub fn material_of(self, path: &Path) -> Option<CanonicalMaterial> {
        let (kind, material) = TableKind::of_path(path)?;
        (kind == self).then_some(material)
    }

    /// The name of the file of an ending's table, such as `KSMvK.skm`.
    pub fn file_name(self, material: CanonicalMaterial) -> String {
        format!("{material}.{}", self.extension())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_recognises_only_the_canonical_name() {
        let material = "KSMvK".parse().unwrap();
        for kind in TableKind::ALL {
            let name = kind.file_name(material);
            assert_eq!(TableKind::of_path(Path::new(&name)), Some((kind, material)));
            let path = Path::new("tables").join(name);
            assert_eq!(TableKind::of_path(&path), Some((kind, material)));
            for other in TableKind::ALL {
                let expected = (other == kind).then_some(material);
                assert_eq!(other.material_of(&path), expected);
            }
        }
        for other in [
            "KSMvK",
            "KSMvK.json",
            "KSMvK.SKM",
            "ksmvk.skm",
            "KMSvK.skm",
            "KvKSM.skm",
            ".KSMvK.skm.x1.part",
            "manifest.json",
            "",
        ] {
            assert_eq!(TableKind::of_path(Path::new(other)), None, "{other}");
        }
    }
}
