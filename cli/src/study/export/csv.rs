//! The report as CSV: one line for each row.

use super::exporter::Exporter;
use crate::Failure;
use crate::study::report::Report;

pub struct Csv;

impl Exporter for Csv {
    fn export(&self, report: &Report) -> Result<String, Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = report.endings.iter().flat_map(|e| e.rows(&report.rules));
        for row in rows {
            writer.serialize(row).map_err(Failure::bug)?;
        }
        let bytes = writer.into_inner().map_err(Failure::bug)?;
        String::from_utf8(bytes).map_err(Failure::bug)
    }
}
