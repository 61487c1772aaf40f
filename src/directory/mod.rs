//! A directory of tables: its lock, its manifest, and the records that jobs write.
//!
//! Only this module deals with all kinds of tables. A [`Summary`] is the part of the manifest that
//! depends on the kind.

mod entry;
mod hashes;
mod kind;
mod lock;
mod manifest;
mod place;
mod record;
mod stamp;
mod summary;

pub use entry::{Entry, ManifestEntry, VerdictEntry};
pub use hashes::TableHashes;
pub use kind::TableKind;
pub use lock::{Holder, Lock, LockError, LockNotice, lock};
pub(crate) use lock::{Tried, held_by, try_lock};
pub use manifest::{Listed, MANIFEST_NAME, MANIFEST_VERSION, Manifest, ManifestError};
pub use place::{place_new, sync};
pub use record::{
    Gathered, Origins, gather, gather_kind, load_record, remove_gathered, save_record,
};
pub use stamp::Stamp;
pub use summary::{
    Categories, DistanceSummary, MetricStatistics, RulesCategories, Summary, VerdictSummary,
};
