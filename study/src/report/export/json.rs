//! The report as one JSON document.

use crate::{PromotionStudy, RecordLine, Row, Scan};
use sakmak::rules::RuleSets;
use serde::Serialize;

use super::exporter::{Exporter, Fault};
use crate::report::findings::{Finding, findings};
use crate::report::{Missing, Report};

pub struct Json;

#[derive(Serialize)]
struct Document<'a> {
    findings: Vec<Finding>,
    endings: Vec<EndingDocument<'a>>,
    missing: &'a [Missing],
}

#[derive(Serialize)]
struct EndingDocument<'a> {
    material: String,
    men: usize,
    /// The rule sets of the ending's table.
    rule_sets: RuleSets,
    rows: Vec<&'a Row>,
    /// The results of scanning every position. Null if there was no scan.
    scan: Option<&'a Scan>,
    /// The results on promotion. Null if the ending has no bia, or if verdict tables are missing.
    promotion: Option<&'a PromotionStudy>,
    /// Best play from each record position.
    lines: &'a [RecordLine],
}

impl Exporter for Json {
    fn export(&self, report: &Report) -> Result<String, Fault> {
        let endings = report.endings.iter().map(|ending| EndingDocument {
            material: ending.material().to_string(),
            men: ending.material().men(),
            rule_sets: ending.study.found,
            rows: ending.rows(&report.rules).collect(),
            scan: ending.scan(),
            promotion: ending.promotion(),
            lines: ending.findings.as_ref().map_or(&[], |found| &found.lines),
        });
        let document = Document {
            findings: findings(report),
            endings: endings.collect(),
            missing: &report.missing,
        };
        let json = serde_json::to_string_pretty(&document)?;
        Ok(json + "\n")
    }
}
