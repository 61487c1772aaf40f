//! What the tables say of whole endings.
//!
//! [`EndingStudy`] lays the rule sets over the statistics in a table's header, which costs nothing.
//! [`scan`] looks at every position for what statistics do not tell; [`StudyCache`] keeps that.

mod cache;
mod ending;
mod overlay;
mod promotion;
mod records;
mod scan;
mod standing;
mod statistics;

pub use cache::{CacheError, Findings, STUDY_NAME, STUDY_VERSION, StudyCache};
pub use ending::{EndingStudy, Row, RulesStudy};
pub use overlay::{HonorLists, HonorWins, Longest, MovesAvailable, Overlay, Results, Share};
pub use promotion::{
    BiaSquare, LastBiaScan, MovesSample, PromotionScan, PromotionStudy, Won, study_promotion,
};
pub use records::{RECORD_RULES, Record, RecordKind, RecordLine, records};
pub use scan::{
    BareCaptures, BareCapturesOf, KhonRank, LastManCaptures, LastManCounts, MAX_SCANNED_MEN,
    MetColors, Reader, Scan, Tally, Zugzwangs, scan,
};
pub use standing::Standing;
pub use statistics::{ExamplesDocument, StatisticsDocument};
