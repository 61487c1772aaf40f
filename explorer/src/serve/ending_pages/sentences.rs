//! Writes names, figures and sentences about endings.

use super::figures::Figures;
use super::notation::short_name;
use crate::serve::words::Words;
use sakmak::board::{Color, Role};
use sakmak::material::{Army, CanonicalMaterial};
use sakmak::probe::Share;
use sakmak::rules::RuleSet;
use sakmak_study::{Record, RecordKind, Remark, Row};

/// A long name such as `king, khon, 2 × met against king`.
pub(super) fn long_name(material: CanonicalMaterial, words: &Words) -> String {
    let material = material.material();
    let men = |army: Army| {
        let groups = army.groups().map(|(role, n)| match n {
            1 => man(role, words).to_string(),
            n => format!("{n} × {}", man(role, words)),
        });
        let all = std::iter::once(man(Role::King, words).to_string()).chain(groups);
        all.collect::<Vec<_>>().join(", ")
    };
    let (one, other) = (men(material.white), men(material.black));
    words.with("against", &[("one", &one), ("other", &other)])
}

/// The name of a side.
pub(super) fn side_name(side: Color, words: &Words) -> &str {
    match side {
        Color::White => words.t("white"),
        Color::Black => words.t("black"),
    }
}

/// The name of a man.
pub(super) fn man(role: Role, words: &Words) -> &str {
    match role {
        Role::King => words.t("K"),
        Role::Rook => words.t("R"),
        Role::Knight => words.t("N"),
        Role::Khon => words.t("S"),
        Role::Met => words.t("M"),
        Role::Bia => words.t("P"),
    }
}

/// Formats a percentage as the explorer's page does: 0 and 100 appear only if they are exact.
pub(super) fn percent(percent: f64) -> String {
    match percent {
        p if p > 0.0 && p < 0.1 => "<0.1 %".to_string(),
        p if p < 100.0 && p > 99.9 => ">99.9 %".to_string(),
        p => format!("{p:.1} %"),
    }
}

/// Formats a share in percent.
pub(super) fn share(share: Share) -> String {
    percent(share.percent())
}

/// Formats the difference of two shares in percentage points, with its sign.
pub(super) fn points(from: Share, to: Share) -> String {
    let points = to.percent() - from.percent();
    let sign = if points < 0.0 { '−' } else { '+' };
    format!("{sign}{:.1}", points.abs())
}

/// The name of a rule set.
pub(super) fn rules(rules: RuleSet, words: &Words) -> &str {
    match rules {
        RuleSet::Makruk => words.t("makruk"),
        RuleSet::Asean => words.t("asean"),
        RuleSet::Ouk => words.t("ouk"),
    }
}

/// The words for the event that a row's distances lead to, such as mate.
fn until<'a>(row: &Row, words: &'a Words) -> &'a str {
    match (row.material.is_pawnless(), row.metric, row.rules) {
        (false, ..) => words.t("untilBia"),
        (true, "dtm", _) => words.t("untilMate"),
        (true, _, rules) if rules.has_fifty_move_rule() => words.t("untilCapture"),
        (true, ..) => words.t("untilHonor"),
    }
}

/// Formats a distance such as `41 moves to mate`. Returns a dash if there is no distance.
pub(super) fn distance(moves: Option<usize>, row: &Row, words: &Words) -> String {
    let until = until(row, words);
    match moves {
        None => "–".to_string(),
        Some(1) => words.with("inMove", &[("until", until)]),
        Some(moves) => words.with("inMoves", &[("n", &moves.to_string()), ("until", until)]),
    }
}

/// States the most notable fact about an ending: the promotions that come too early or, if there is
/// no study of them or they are few, the fact about the count.
pub(super) fn finding(figures: &Figures, words: &Words) -> String {
    let scan = figures.promotions.first();
    let early = scan.filter(|scan| 100 * scan.throws >= scan.possible && scan.throws > 0);
    match early {
        Some(scan) => {
            let share = part(scan.throws, scan.possible);
            let values = [
                ("percent", share.as_str()),
                ("side", side_name(scan.side, words)),
            ];
            let early = words.with("earlyFinding", &values);
            format!("{early} {}", remark(figures, words))
        }
        None => remark(figures, words),
    }
}

/// The percentage that `positions` are of `of`.
pub(super) fn part(positions: u64, of: u64) -> String {
    share(Share { positions, of })
}

fn remark(figures: &Figures, words: &Words) -> String {
    let row = &figures.main;
    let left = row.moves_available.map(|left| left.to_string());
    match figures.remark {
        Remark::NoWin => words.t("remarkNoWin").to_string(),
        Remark::Never => words.t("remarkNever").to_string(),
        Remark::FewerWinMore {
            fewer,
            percent: more,
        } => {
            let fewer = short_name(fewer, words);
            let material = short_name(row.material, words);
            let (more, own) = (percent(more), share(row.share(row.in_time)));
            let values = [
                ("fewer", fewer.as_str()),
                ("percent", &more),
                ("material", &material),
                ("own", &own),
            ];
            words.with("remarkFewer", &values)
        }
        Remark::AllInTime => match (row.longest_in_time, &left) {
            (Some(longest), Some(left)) => {
                let longest = longest.to_string();
                words.with("remarkAll", &[("n", &longest), ("left", left)])
            }
            _ => words.t("remarkAllFree").to_string(),
        },
        Remark::CountTakes {
            percent: taken,
            shortest,
        } => {
            let taken = percent(taken);
            match (shortest, &left) {
                // Only with distances to mate does the count stop all wins of `shortest` moves or
                // more, and no others.
                (Some(shortest), Some(left)) if row.metric == "dtm" => {
                    let shortest = shortest.to_string();
                    let values = [
                        ("percent", taken.as_str()),
                        ("n", &shortest),
                        ("left", left),
                    ];
                    words.with("remarkTakesFrom", &values)
                }
                _ => words.with("remarkTakes", &[("percent", &taken)]),
            }
        }
    }
}

/// The caption under one of the hardest positions.
pub(super) fn caption(
    figures: &Figures,
    (record, left): &(Record, Option<u32>),
    words: &Words,
) -> String {
    if let (RecordKind::HardestCountDraw, Some(moves)) = (record.kind, record.moves) {
        let (rules, moves) = (rules(record.rules, words), moves.to_string());
        return words.with("recordDraw", &[("rules", rules), ("n", &moves)]);
    }
    let distance = distance(record.moves, &figures.main, words);
    let values = [("distance", distance.as_str())];
    let sentence = match (record.kind, record.moves) {
        (RecordKind::HardestWin, _) => words.with("recordWin", &values),
        (_, Some(_)) => words.with("recordMiss", &values),
        (_, None) => words.t("recordLate").to_string(),
    };
    match left.filter(|_| record.moves.is_some()) {
        Some(left) => format!(
            "{sentence} {}",
            words.with("recordAllowed", &[("left", &left.to_string())])
        ),
        None => sentence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_have_names_in_words() {
        let name = |material: &str, language| {
            long_name(material.parse().unwrap(), Words::of(language).unwrap())
        };
        assert_eq!(name("KSMMvK", "en"), "king, khon, 2 × met against king");
        assert_eq!(name("KRvKP", "th"), "ขุน, เรือ สู้กับ ขุน, เบี้ย");
    }

    #[test]
    fn only_exact_shares_are_round() {
        let shown = [0.0, 0.05, 33.333, 99.95, 100.0].map(percent);
        assert_eq!(shown, ["0.0 %", "<0.1 %", "33.3 %", ">99.9 %", "100.0 %"]);
        let [few, many] = [20, 53].map(|positions| Share { positions, of: 100 });
        assert_eq!([points(few, many), points(many, few)], ["+33.0", "−33.0"]);
    }
}
