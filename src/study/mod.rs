//! Studies of whole endings.
//!
//! [`EndingStudy`] combines the rule sets with the statistics in a table's header, at no cost.
//! [`scan`] examines every position for results beyond statistics; [`StudyCache`] stores them.

mod cache;
mod ending;
mod overlay;
mod promotion;
mod records;
mod remark;
mod scan;
mod standing;
mod statistics;

pub use cache::{CacheError, Findings, STUDY_NAME, STUDY_VERSION, StudyCache};
pub use ending::{EndingStudy, Row, RulesStudy};
pub use overlay::{HonorLists, HonorWins, Longest, MovesAvailable, Overlay, Results, Share};
pub use promotion::{
    BiaSquare, LastBiaScan, MovesSample, PromotionScan, PromotionStudy, WaitSample, Won,
    study_promotion,
};
pub use records::{RECORD_RULES, Record, RecordKind, RecordLine, records};
pub use remark::Remark;
pub use scan::{
    BareCaptures, BareCapturesOf, KhonRank, LastManCaptures, LastManCounts, MAX_SCANNED_MEN,
    MetColors, Reader, Scan, Tally, Zugzwangs, scan,
};
pub use standing::Standing;
pub use statistics::{ExamplesDocument, StatisticsDocument};
