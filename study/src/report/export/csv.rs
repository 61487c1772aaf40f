//! The report as CSV: one line for each row.

use super::exporter::{Exporter, Fault};
use crate::report::Report;

pub struct Csv;

impl Exporter for Csv {
    fn export(&self, report: &Report) -> Result<String, Fault> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = report.endings.iter().flat_map(|e| e.rows(&report.rules));
        for row in rows {
            writer.serialize(row)?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}
