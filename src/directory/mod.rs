//! A directory of tables: the manifest that lists them, and the records that jobs leave.
//!
//! The only module that lists the kinds of tables: a [`Summary`] is what a manifest says of one.

mod entry;
mod hashes;
mod manifest;
mod record;
mod stamp;
mod summary;

pub use entry::{Entry, ManifestEntry, VerdictEntry};
pub use hashes::TableHashes;
pub use manifest::{Listed, MANIFEST_NAME, MANIFEST_VERSION, Manifest, ManifestError};
pub use record::{Gathered, Origins, gather, gather_kind, load_record, save_record};
pub use summary::{
    Categories, DistanceSummary, MetricStatistics, RulesCategories, Summary, VerdictSummary,
};
