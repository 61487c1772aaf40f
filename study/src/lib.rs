//! Studies of whole endings from sakmak's endgame tables.
//!
//! [`EndingStudy`] applies the rule sets to the statistics in a table's header, without reading
//! positions. [`scan`] examines every position for further results, and [`StudyCache`] stores the
//! results of scans. [`report`] shows endings side by side, and [`svg`] draws boards and charts.

mod as_text;
mod cache;
mod count_draws;
mod ending;
mod markup;
mod promotion;
mod records;
mod remark;
pub mod report;
mod scan;
mod standing;
mod statistics;
pub mod svg;
pub mod text;

pub use cache::{CacheError, Findings, STUDY_NAME, STUDY_VERSION, StudyCache};
pub use count_draws::hardest_count_draws;
pub use ending::{EndingStudy, Row, RulesStudy, WrittenFen};
pub use markup::moves_in_words;
pub use promotion::{
    BiaSquare, LastBiaScan, MovesSample, PromotedTo, PromotionScan, PromotionStudy, WaitSample,
    Won, study_promotion,
};
pub use records::{RECORD_RULES, Record, RecordKind, RecordLine, records};
pub use remark::Remark;
pub use scan::{
    BareCaptures, BareCapturesOf, KhonRank, LastManCaptures, LastManCounts, MAX_SCANNED_MEN,
    MetColors, Reader, Scan, Tally, Zugzwangs, scan,
};
pub use standing::Standing;
pub use statistics::{ExamplesDocument, StatisticsDocument};
