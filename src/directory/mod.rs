//! A directory of tables: its lock, its manifest, and the records that jobs write.
//!
//! A [`Summary`] is the part of the manifest that depends on the kind of table. [`with_summary!`]
//! evaluates an expression with the type of a kind's summary.
//!
//! [`with_summary!`]: crate::with_summary

mod entry;
mod lock;
mod manifest;
mod record;

pub use crate::atomic_file::{place_new, sync};
pub use entry::{
    Categories, DistanceSummary, Entry, ManifestEntry, MetricStatistics, RulesCategories, Stamp,
    Summary, VerdictEntry, VerdictSummary,
};
pub use lock::{Holder, Lock, LockError, LockNotice, lock};
pub(crate) use lock::{Tried, held_by, try_lock};
pub use manifest::{Listed, MANIFEST_NAME, MANIFEST_VERSION, Manifest, ManifestError, TableHashes};
pub use record::{
    Gathered, Origins, gather, gather_kind, load_record, remove_gathered, save_record,
};
