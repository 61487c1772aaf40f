//! The report for programs: CSV and JSON.

use sakmak::rules::{LimitKind, RuleSet};
use sakmak::study::{Findings, SideStudy, TurnStudy};
use serde::Serialize;

use super::{Missing, Report};
use crate::cli::Failure;

/// The columns of the CSV.
const HEADINGS: [&str; 19] = [
    "material",
    "men",
    "rules",
    "limit",
    "winner",
    "winner_to_move",
    "moves_available",
    "legal",
    "won",
    "in_time",
    "not_known",
    "count_draws",
    "drawn",
    "lost",
    "longest",
    "longest_in_time",
    "shortest_too_long",
    "standing",
    "longest_in_time_fen",
];

/// One line for each ending, rule set, winner and side to move. Counts are of positions.
pub fn csv(report: &Report) -> String {
    let mut text = HEADINGS.join(",") + "\n";
    for ending in &report.endings {
        for rules in &ending.study.rules {
            let set = rules.overlay.rules;
            if !report.rules.contains(&set) {
                continue;
            }
            for side in &rules.sides {
                for (turn, own) in [(&side.to_move, true), (&side.not_to_move, false)] {
                    let fixed = [
                        ending.study.material.to_string(),
                        ending.study.material.men().to_string(),
                        set.to_string(),
                        cell(rules.overlay.limit),
                        side.winner.to_string(),
                        own.to_string(),
                    ];
                    text += &fixed
                        .into_iter()
                        .chain(cells(side, turn))
                        .collect::<Vec<_>>()
                        .join(",");
                    text.push('\n');
                }
            }
        }
    }
    text
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn cells(side: &SideStudy, turn: &TurnStudy) -> Vec<String> {
    let counts = [
        turn.legal,
        turn.won,
        turn.in_time,
        turn.not_known,
        turn.count_draws,
        turn.drawn,
        turn.lost,
    ];
    let mut cells = vec![cell(turn.moves_available)];
    cells.extend(counts.map(|n| n.to_string()));
    cells.push(cell(turn.longest.as_ref().map(|l| l.moves)));
    cells.push(cell(turn.longest_in_time.as_ref().map(|l| l.moves)));
    cells.push(cell(turn.shortest_too_long.as_ref().map(|l| l.moves)));
    cells.push(super::sections::word(side.standing).to_string());
    // A FEN has no comma and no quotation mark.
    cells.push(cell(turn.longest_in_time.as_ref().map(|l| l.fen.clone())));
    cells
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    endings: Vec<EndingDocument<'a>>,
    missing: &'a [Missing],
}

#[derive(Serialize)]
struct EndingDocument<'a> {
    material: String,
    men: usize,
    rules: Vec<RulesDocument<'a>>,
    findings: Option<&'a Findings>,
}

#[derive(Serialize)]
struct RulesDocument<'a> {
    rules: RuleSet,
    metric: &'static str,
    kind: Option<LimitKind>,
    limit: Option<u32>,
    sides: &'a [SideStudy],
}

/// One JSON document. Counts are of positions.
pub fn json(report: &Report) -> Result<String, Failure> {
    let endings = report.endings.iter().map(|ending| EndingDocument {
        material: ending.study.material.to_string(),
        men: ending.study.material.men(),
        rules: ending
            .study
            .rules
            .iter()
            .filter(|rules| report.rules.contains(&rules.overlay.rules))
            .map(|rules| RulesDocument {
                rules: rules.overlay.rules,
                metric: rules.overlay.metric,
                kind: rules.overlay.kind,
                limit: rules.overlay.limit,
                sides: &rules.sides,
            })
            .collect(),
        findings: ending.findings.as_ref(),
    });
    let document = Document {
        endings: endings.collect(),
        missing: &report.missing,
    };
    let json = serde_json::to_string_pretty(&document).map_err(|error| {
        Failure::machine(format!(
            "the report cannot be written as JSON ({error}): please report this as a fault of sakmak"
        ))
    })?;
    Ok(json + "\n")
}
