//! The trait that every kind of table implements, and the location of a table's parts in the file.

use std::fmt::Debug;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use super::bytes::{ByteReader, Parsed};
use super::index::BlockIndex;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// A kind of table: its format, and the header fields that follow the common fields. Only this
/// crate implements the trait.
pub trait Kind: Sized + Debug + Send + Sync + 'static {
    /// The magic number, versions and extension of this kind's files.
    #[doc(hidden)]
    const FORMAT: Format;

    /// The rules revision of a material's table: the last revision that changed one of the table's
    /// values.
    #[doc(hidden)]
    fn rules_revision(material: CanonicalMaterial) -> u32;

    /// Parses the header fields of this kind, for a table with these rule sets.
    #[doc(hidden)]
    fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Self>;

    /// The parts in the order of the file.
    #[doc(hidden)]
    fn parts(&self) -> Vec<Part>;

    /// Checks that a header of this format version, for a table of this material with these rule
    /// sets, describes a whole table: one with everything that its material and its rule sets need,
    /// and whose fields agree with one another. [`Kind::decode`] also accepts parts of a table.
    #[doc(hidden)]
    fn check_whole(&self, version: u32, material: CanonicalMaterial, rules: RuleSets)
    -> Parsed<()>;
}

/// The magic number, versions and file extension of a kind of table.
#[derive(Clone, Debug)]
pub struct Format {
    /// The magic number at the start of a file. Its first byte is not ASCII, and its other bytes
    /// include CR LF and a lone LF. So damage by a copy in text mode is detected.
    pub magic: [u8; 8],
    /// The supported versions.
    pub versions: RangeInclusive<u32>,
    /// The first version whose header lists the rule sets. Tables of earlier versions have results
    /// for all rule sets.
    pub rule_sets_since: u32,
    /// The file extension.
    pub extension: &'static str,
}

/// The location of a part in its file.
#[derive(Clone, Debug)]
pub struct Part {
    /// The ranges of the part's models, in the order of the file.
    pub models: Vec<Range<u64>>,
    /// The index of the part's blocks. In the file, the blocks are between the models and the
    /// index.
    pub index: BlockIndex,
}

impl Format {
    /// The file name of a material's table, such as `KSMvK.skm`.
    pub fn file_name(&self, material: CanonicalMaterial) -> String {
        format!("{material}.{}", self.extension)
    }

    /// The material in a file name. `None` if the name is not that of a table of this kind. The
    /// file's contents are not checked until the file is opened.
    pub fn material_of(&self, path: &Path) -> Option<CanonicalMaterial> {
        let name = path.file_name()?.to_str()?;
        let material = path.file_stem()?.to_str()?.parse().ok()?;
        (name == self.file_name(material)).then_some(material)
    }
}

/// Fails unless the parts fill the file from offset `start` to offset `end` without a gap.
/// Checksums cover every byte of a part, and so the whole range.
pub fn check_places(parts: &[Part], mut start: u64, end: u64) -> Parsed<()> {
    let misplaced = "the offset of a part is wrong";
    for part in parts {
        for model in &part.models {
            if model.start != start || model.end < model.start {
                return Err(misplaced);
            }
            start = model.end;
        }
        match part.index.end() {
            Some(end) if start <= part.index.offset => start = end,
            _ => return Err(misplaced),
        }
    }
    match start == end {
        true => Ok(()),
        false => Err(misplaced),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format {
        magic: *b"\x89SKM\r\n\x1a\n",
        versions: 1..=1,
        rule_sets_since: 2,
        extension: "skm",
    };

    #[test]
    fn only_the_canonical_name_is_that_of_a_table() {
        let of = |name: &str| FORMAT.material_of(Path::new(name)).map(|m| m.to_string());
        assert_eq!(of("tables/KSMvK.skm").as_deref(), Some("KSMvK"));
        for other in [
            "KSMvK",
            "KSMvK.skv",
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
