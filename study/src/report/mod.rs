//! Reports on endings, side by side: figures of every rule set, details from scans, and findings,
//! which are sentences with figures. All formats are made from one [`Report`].

mod columns;
mod contents;
mod details;
mod export;
mod findings;
mod found;
mod promotion_details;
mod promotion_findings;
mod tables;
mod words;

pub use contents::{Ending, Missing, Report, RulesOption};
pub use export::{Extras, Format, ReportError};
