//! The page.
use super::Report;
/// Page.
pub fn page(_report: &Report) -> String {
    String::new()
}
