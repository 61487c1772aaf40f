//! A directory of tables: its lock, its manifest, and the records that jobs write.
//!
//! Only this module deals with all kinds of tables. A [`Summary`] is the part of the manifest that
//! depends on the kind.

mod entry;
mod kind;
mod lock;
mod manifest;
mod record;

pub use crate::atomic_file::{place_new, sync};
pub use entry::{
    Categories, DistanceSummary, Entry, ManifestEntry, MetricStatistics, RulesCategories, Stamp,
    Summary, VerdictEntry, VerdictSummary,
};
pub use kind::TableKind;
pub use lock::{Holder, Lock, LockError, LockNotice, lock};
pub(crate) use lock::{Tried, held_by, try_lock};
pub use manifest::{Listed, MANIFEST_NAME, MANIFEST_VERSION, Manifest, ManifestError, TableHashes};
pub use record::{
    Gathered, Origins, gather, gather_kind, load_record, remove_gathered, save_record,
};
