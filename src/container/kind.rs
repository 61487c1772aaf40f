//! What is different about each kind of table.

use std::fmt::Debug;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use super::bytes::{ByteReader, Parsed};
use super::index::BlockIndex;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// A kind of table: what its header says beside what all tables have. Only this crate has some.
pub trait Kind: Sized + Debug + Send + Sync + 'static {
    /// The format of its files.
    #[doc(hidden)]
    const FORMAT: Format;

    /// The revision of the rules in which the values of a material changed last: that of its table.
    #[doc(hidden)]
    fn rules_revision(material: CanonicalMaterial) -> u32;

    /// Reads its own part of the header of a table that has results of these rule sets.
    #[doc(hidden)]
    fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Self>;

    /// The parts of the file, in its order.
    #[doc(hidden)]
    fn parts(&self) -> Vec<Part>;
}

/// How the files of a kind begin, and what they are called.
#[derive(Clone, Debug)]
pub struct Format {
    /// The first bytes. The first of them is no ASCII and a line end of each kind follows, so a copy in text
    /// mode is noticed.
    pub magic: [u8; 8],
    /// The versions that are read.
    pub versions: RangeInclusive<u32>,
    /// The first version whose headers say of which rule sets a table has results. Those before have
    /// all.
    pub rule_sets_since: u32,
    /// The ending of the names.
    pub extension: &'static str,
}

/// Where a part of a file is.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its models, in their order.
    pub models: Vec<Range<u64>>,
    /// The index of its blocks, which lie between the models and it.
    pub index: BlockIndex,
}

impl Format {
    /// The name of a material's table in its directory: `KSMvK.skm`.
    pub fn file_name(&self, material: CanonicalMaterial) -> String {
        format!("{material}.{}", self.extension)
    }

    /// The material whose table a file is by its name, if it is the name of one. Whether the file
    /// is what it is called is known when it is opened.
    pub fn material_of(&self, path: &Path) -> Option<CanonicalMaterial> {
        let name = path.file_name()?.to_str()?;
        let material = path.file_stem()?.to_str()?.parse().ok()?;
        (name == self.file_name(material)).then_some(material)
    }
}

/// Fails unless the parts fill the place from `free` to the header at `header` without a gap, so that no byte
/// is left unchecked.
pub fn check_places(parts: &[Part], mut free: u64, header: u64) -> Parsed<()> {
    let misplaced = "a part of it is not where it should be";
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
