//! The differences between the kinds of tables.

use std::fmt::Debug;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use super::bytes::{ByteReader, Parsed};
use super::index::BlockIndex;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// A kind of table: the header fields that follow the common ones, and the format. Implemented only
/// in this crate.
pub trait Kind: Sized + Debug + Send + Sync + 'static {
    /// The format of its files.
    #[doc(hidden)]
    const FORMAT: Format;

    /// The rules revision of a material's table: the last revision that changed one of the table's
    /// values.
    #[doc(hidden)]
    fn rules_revision(material: CanonicalMaterial) -> u32;

    /// Parses the header fields of this kind, of a table with these rule sets.
    #[doc(hidden)]
    fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Self>;

    /// The parts of the file, in order.
    #[doc(hidden)]
    fn parts(&self) -> Vec<Part>;
}

/// The magic number, versions and extension of a kind.
#[derive(Clone, Debug)]
pub struct Format {
    /// The first bytes of a file. The very first is not ASCII, and among the others are line ends
    /// of each convention, so damage by a copy in text mode is detected.
    pub magic: [u8; 8],
    /// The supported versions.
    pub versions: RangeInclusive<u32>,
    /// The first version with the rule sets in its header. Tables of earlier versions have results
    /// for all rule sets.
    pub rule_sets_since: u32,
    /// The file extension.
    pub extension: &'static str,
}

/// A part's location in its file.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its models, in order.
    pub models: Vec<Range<u64>>,
    /// The index of the blocks. In the file, the blocks lie between the models and the index.
    pub index: BlockIndex,
}

impl Format {
    /// The name of a material's table in its directory: `KSMvK.skm`.
    pub fn file_name(&self, material: CanonicalMaterial) -> String {
        format!("{material}.{}", self.extension)
    }

    /// The material in the name of a file, if the name is one of this kind of table. The contents
    /// are checked only when the file is opened.
    pub fn material_of(&self, path: &Path) -> Option<CanonicalMaterial> {
        let name = path.file_name()?.to_str()?;
        let material = path.file_stem()?.to_str()?.parse().ok()?;
        (name == self.file_name(material)).then_some(material)
    }
}

/// Fails unless the parts fill the range from `free` to `header` without a gap. Every byte of a
/// part is under a checksum.
pub fn check_places(parts: &[Part], mut free: u64, header: u64) -> Parsed<()> {
    let misplaced = "a part of it is in the wrong place";
    for part in parts {
        for model in &part.models {
            if model.start != free || model.end < model.start {
                return Err(misplaced);
            }
            free = model.end;
        }
        match part.index.end() {
            Some(end) if free <= part.index.place => free = end,
            _ => return Err(misplaced),
        }
    }
    match free == header {
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
