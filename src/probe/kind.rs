//! The two kinds of tables that can be probed: distance tables and verdict tables.

use std::fmt::Debug;
use std::sync::atomic::AtomicU64;

use super::contents::Contents;
use super::verdict_contents::VerdictContents;
use crate::container::{Container, FileBytes, Kind, TableError};
use crate::rules::RuleSets;
use crate::table::{Distances, TableFile};
use crate::verdict::{VerdictFile, VerdictSets};

/// A kind of table that can be probed.
pub(super) trait Probed: Kind {
    /// The parsed header, which is enough for a probe of decoded blocks.
    type Contents: Debug + Send + Sync;

    /// Parses a table's header and reserves cache keys for its pages.
    fn contents(
        table: &Container<Self, FileBytes>,
        pages: &AtomicU64,
    ) -> Result<Self::Contents, TableError>;

    /// True if `contents` equals the header of this table.
    fn is_of(contents: &Self::Contents, table: &Container<Self, FileBytes>) -> bool;

    /// The rule sets for which a table has results.
    fn rules(contents: &Self::Contents) -> RuleSets;
}

impl Probed for Distances {
    type Contents = Contents;

    fn contents(table: &TableFile, pages: &AtomicU64) -> Result<Contents, TableError> {
        Contents::new(table, pages)
    }

    fn is_of(contents: &Contents, table: &TableFile) -> bool {
        contents.is_of(table)
    }

    fn rules(contents: &Contents) -> RuleSets {
        contents.rules
    }
}

impl Probed for VerdictSets {
    type Contents = VerdictContents;

    fn contents(table: &VerdictFile, pages: &AtomicU64) -> Result<VerdictContents, TableError> {
        Ok(VerdictContents::new(table, pages))
    }

    fn is_of(contents: &VerdictContents, table: &VerdictFile) -> bool {
        contents.is_of(table)
    }

    fn rules(contents: &VerdictContents) -> RuleSets {
        contents.rules()
    }
}
