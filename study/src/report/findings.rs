//! Findings: sentences about remarkable endings of a report, with computed figures.

use crate::{BareCaptures, RECORD_RULES, Row, Standing, Tally};
use sakmak::board::{Color, Fen, Square};
use sakmak::probe::Share;
use sakmak::rules::RuleSet;
use serde::Serialize;

use super::contents::{Ending, Report};
use super::details::in_time;
use super::found::Found;
use super::promotion_findings as promotion;
use super::words::{capital, command, list, name, part, share, short, verdict};
use crate::text::{counted, number};

/// A finding of the report.
#[derive(Serialize)]
pub struct Finding {
    /// The subject of the finding.
    pub title: &'static str,
    /// The sentences of the finding, with positions between backticks.
    pub text: String,
    /// The commands that show the finding.
    pub commands: Vec<String>,
    /// The rule set of the positions.
    pub rules: RuleSet,
    /// The positions that the finding names.
    #[serde(with = "crate::as_text::list")]
    pub positions: Vec<Fen>,
}

/// The smallest number of endings for which findings are made. Among fewer, none can stand out.
const ENOUGH: usize = 3;

type Find = fn(&Report) -> Option<Found>;

/// The titles of the findings, each with the function that makes the finding.
const FINDINGS: [(&str, Find); 21] = [
    ("Do not promote yet.", |report| {
        promotion::too_early(report, RuleSet::Makruk)
    }),
    ("Do not promote yet in ASEAN chess.", |report| {
        promotion::too_early(report, RuleSet::Asean)
    }),
    ("Do not promote yet in ouk.", |report| {
        promotion::too_early(report, RuleSet::Ouk)
    }),
    ("Which man to promote to.", promotion::choice),
    ("On the board alone.", promotion::on_board),
    (
        "A bia can be worth more than the met it becomes.",
        promotion::worth,
    ),
    ("How long to wait.", promotion::longest_wait),
    ("Where the bia should stand.", promotion::square),
    ("Which man should escort it.", promotion::escort),
    ("Whom the last bia saves.", promotion::last_bia),
    ("Which endings beat the count.", who_beats),
    ("One man more can win less.", a_man_too_many),
    ("Where makruk's count costs most.", |report| {
        let lead = "Won with the stronger side to move:";
        extremes(report, lead, "where both sides have men,", |ending| {
            let row = ending.white(RuleSet::Makruk)?;
            let text = format!(
                "{} {} % on the board, {} % in time",
                ending.material(),
                share(row.share(row.won)),
                timely(row)
            );
            Some((row.share(row.count_draws).percent(), text))
        })
    }),
    ("One move less matters.", |report| {
        let lead = "Ouk's count leaves one move fewer than makruk's. Won in time with the stronger side to move:";
        extremes(report, lead, "with men on both sides,", |ending| {
            let rows = (ending.white(RuleSet::Makruk)?, ending.white(RuleSet::Ouk)?);
            let [makruk, ouk] = [rows.0, rows.1].map(|row| row.share(row.in_time).percent());
            let text = format!(
                "{} {} % in makruk and {} % in ouk",
                ending.material(),
                timely(rows.0),
                timely(rows.1)
            );
            Some((makruk - ouk, text))
        })
    }),
    ("Taking the last man can throw the win away.", last_man),
    ("Which man the bare king should take.", bare_captures),
    ("The longest mates, nothing counted.", |report| {
        let lead = "With the stronger side to move:";
        extremes(report, lead, "with men on both sides,", |ending| {
            let wins = &ending.study.mates.to_move(Color::White).white_wins;
            let moves = wins.iter().rposition(|&n| n > 0)?;
            let text = format!("{} in {}", ending.material(), counted(moves as u64, "move"));
            Some((moves as f64, text))
        })
    }),
    ("The colours of the mets.", met_colours),
    ("Where the khon stands.", khon_ranks),
    ("Where the bare king is safest.", safest_square),
    ("Zugzwang.", zugzwang),
];

/// Makes all findings of a report.
pub fn findings(report: &Report) -> Vec<Finding> {
    if report.endings.len() < ENOUGH {
        return Vec::new();
    }
    let found = FINDINGS.iter().filter_map(|(title, find)| {
        let found = find(report)?;
        let endings: Vec<_> = found.endings.iter().map(ToString::to_string).collect();
        let study = match endings.as_slice() {
            [] => format!("sakmak study {}", found.set),
            names => format!("sakmak study {}", names.join(" ")),
        };
        let probes = found.positions.iter();
        let probes = probes.map(|fen| command("probe", fen, found.rules, report.rules_option));
        Some(Finding {
            title,
            text: found.text,
            commands: std::iter::once(study).chain(probes).collect(),
            rules: found.rules,
            positions: found.positions,
        })
    });
    found.collect()
}

fn timely(row: &Row) -> String {
    share(row.share(row.in_time))
}

fn bare(report: &Report) -> impl Iterator<Item = &Ending> {
    report.endings.iter().filter(|e| e.material().is_bare())
}

/// Finds the ending for which `measure` returns the greatest number. Returns that ending, and the
/// second value that `measure` returns for it. `None` if no number exceeds 0.
fn greatest<'a, T>(
    endings: impl Iterator<Item = &'a Ending>,
    measure: impl Fn(&'a Ending) -> Option<(f64, T)>,
) -> Option<(&'a Ending, T)> {
    let numbered = endings.filter_map(|ending| Some((ending, measure(ending)?)));
    let positive = numbered.filter(|(_, (n, _))| *n > 0.0);
    // Among endings with equal numbers, keeps the first.
    let most = positive.reduce(|most, other| if other.1.0 > most.1.0 { other } else { most });
    most.map(|(ending, (_, what))| (ending, what))
}

/// Makes a finding about two endings: one against a bare king, and one with men on both sides. Each
/// is the ending for which `measure` returns the greatest number; the second value of `measure` is
/// the text about the ending.
fn extremes<'a>(
    report: &'a Report,
    lead: &str,
    both: &str,
    measure: impl Fn(&'a Ending) -> Option<(f64, String)>,
) -> Option<Found> {
    let two_sided = report.endings.iter().filter(|e| !e.material().is_bare());
    let found = [
        greatest(bare(report), &measure),
        greatest(two_sided, &measure),
    ];
    let text = match &found {
        [Some((_, bare)), Some((_, other))] => format!("{lead} {bare}; {both} {other}."),
        [Some((_, bare)), None] => format!("{lead} {bare}."),
        [None, Some((_, other))] => format!("{lead} {both} {other}."),
        [None, None] => return None,
    };
    let endings: Vec<&Ending> = found.into_iter().flatten().map(|(e, _)| e).collect();
    Some(Found::new(text, &endings))
}

/// Finds the tallies with the largest and the smallest share of positions won in time. Returns the
/// difference of the two shares, in percent, and the tallies.
fn spread<'a, L: Copy>(
    tallies: impl Iterator<Item = (L, &'a Tally)>,
) -> Option<(f64, [(L, &'a Tally); 2])> {
    let percent = |tally: &Tally| {
        let (positions, of) = (tally.in_time, tally.legal);
        Share { positions, of }.percent()
    };
    let mut all: Vec<_> = tallies.collect();
    // The sort is stable, so the first of equal tallies is kept.
    all.sort_by(|a, b| percent(b.1).total_cmp(&percent(a.1)));
    let (best, least) = (*all.first()?, percent(all.last()?.1));
    let worst = *all.iter().find(|(_, tally)| percent(tally) <= least)?;
    Some((percent(best.1) - least, [best, worst]))
}

fn who_beats(report: &Report) -> Option<Found> {
    let all = bare(report).count();
    if all == 0 {
        return None;
    }
    let with = |rules, standing| {
        let endings = bare(report).filter_map(move |ending| Some((ending, ending.white(rules)?)));
        let endings = endings.filter(move |(_, row)| row.standing == standing);
        endings
            .map(|(ending, _)| ending.material().to_string())
            .collect::<Vec<_>>()
    };
    let beats = report.rules.iter().map(|&rules| {
        let beats = with(rules, Standing::Beats).len();
        format!("that of {} in {beats}", name(rules))
    });
    let mut text = format!(
        "Of {all} endings against a bare king the stronger side beats {}.",
        list(&beats.collect::<Vec<_>>()).replacen("that", "the count", 1)
    );
    for &rules in &report.rules {
        let lists = Standing::ALL.into_iter().filter_map(|standing| {
            let names = with(rules, standing);
            let word = verdict(standing);
            (!names.is_empty()).then(|| format!("{word} {} ({})", names.len(), list(&names)))
        });
        text += &format!(
            " {}: {}.",
            capital(name(rules)),
            lists.collect::<Vec<_>>().join("; ")
        );
    }
    Some(Found::new(text, &[]))
}

fn a_man_too_many(report: &Report) -> Option<Found> {
    let mut falls = Vec::new();
    for more in bare(report) {
        let material = more.material().material();
        for (role, _) in material.white.groups() {
            let fewer = material.white.without(role).and_then(|white| {
                report.find(material.with_army(Color::White, white).canonical().0)
            });
            let Some(fewer) = fewer else { continue };
            let rows = [fewer, more].map(|ending| ending.white(RuleSet::Makruk));
            if let [Some(a), Some(b)] = rows {
                let fall = a.share(a.in_time).percent() - b.share(b.in_time).percent();
                falls.push((fall, fewer, more, a, b));
            }
        }
    }
    falls.retain(|fall| fall.0 > 0.0);
    falls.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (_, fewer, more, ..) = *falls.first()?;
    let examples = falls.iter().take(4).map(|(_, fewer, more, a, b)| {
        format!(
            "{} wins {} % in time, {} only {} %",
            fewer.material(),
            timely(a),
            more.material(),
            timely(b)
        )
    });
    let text = format!(
        "With more men the limit of the count is lower, and the count begins at a higher number. In makruk, with the stronger side to move: {}. In {} pairs of endings the additional man costs wins.",
        examples.collect::<Vec<_>>().join("; "),
        falls.len()
    );
    Some(Found::new(text, &[fewer, more]))
}

fn last_man(report: &Report) -> Option<Found> {
    let captures = |ending: &'_ Ending| ending.scan()?.last_man.clone();
    // Considers only endings in which White wins at least 1 % of the positions in time.
    let (ending, captures) = greatest(report.endings.iter(), |ending| {
        let row = ending.white(RuleSet::Makruk)?;
        let captures = captures(ending)?;
        let counts = &captures.counts;
        let won = counts.wins + counts.throws_away;
        let often = row.share(row.in_time).percent() >= 1.0;
        often.then_some((counts.throws_away as f64 / won.max(1) as f64, captures))
    })?;
    let counts = report.endings.iter();
    let counts = counts.filter_map(|ending| Some(ending.scan()?.last_man.as_ref()?.counts));
    let (won, thrown) = counts.fold((0, 0), |(won, thrown), counts| {
        (
            won + counts.wins + counts.throws_away,
            thrown + counts.throws_away,
        )
    });
    let counts = &captures.counts;
    let won_here = counts.wins + counts.throws_away;
    let example = captures.examples.first()?;
    let text = format!(
        "In {} White, to move, can take the last man in {} positions that it wins in time; in {} % of them the capture throws the win away, because the count that it begins is too short or no mate is left. Over all endings of this report the share is {} %. In `{}` the capture leads to mate, but too late.",
        ending.material(),
        number(won_here),
        part(counts.throws_away, won_here),
        part(thrown, won),
        short(example, RECORD_RULES)
    );
    Some(Found {
        positions: vec![*example],
        ..Found::new(text, &[ending])
    })
}

fn bare_captures(report: &Report) -> Option<Found> {
    let saves = |counts: &BareCaptures| Share {
        positions: counts.draws + counts.too_late,
        of: counts.possible,
    };
    let captures = |ending: &Ending| Some(ending.scan()?.bare_captures.clone());
    // Considers only endings in which three kinds of men can be captured.
    let (most, _) = greatest(report.endings.iter(), |ending| {
        let captures = captures(ending).filter(|captures| captures.len() >= 3)?;
        let shares = captures.iter().map(|c| saves(&c.counts).percent());
        let least = shares.clone().fold(f64::INFINITY, f64::min);
        Some((shares.fold(0.0, f64::max) - least, ()))
    })?;
    // Two endings: the one that players ask about most, and the one with the greatest effect.
    let asked = "KNSMvK".parse().ok().and_then(|asked| report.find(asked));
    let mut endings: Vec<&Ending> = asked.into_iter().chain([most]).collect();
    endings.dedup_by_key(|ending| ending.material());
    let words = endings.iter().map(|ending| {
        let captures = captures(ending).unwrap_or_default();
        let captures = captures.iter();
        let captures: Vec<String> = captures
            .map(|c| format!("{} {} %", c.man, share(saves(&c.counts))))
            .collect();
        format!("in {} {}", ending.material(), list(&captures))
    });
    let text = format!(
        "Of the positions in which the bare king, to move, can take a man of one kind, the share in which the capture saves it: {}. The capture does not change the limit of the count.",
        words.collect::<Vec<_>>().join("; ")
    );
    Some(Found::new(text, &endings))
}

fn met_colours(report: &Report) -> Option<Found> {
    let (ending, [best, worst]) = greatest(report.endings.iter(), |ending| {
        let colours = ending.scan()?.met.iter();
        spread(colours.map(|colours| (colours, &colours.tally)))
    })?;
    let say = |colours: &crate::MetColors| {
        let black = match colours.black_one + colours.black_other {
            0 => String::new(),
            _ => format!(" against {}+{}", colours.black_one, colours.black_other),
        };
        format!("{}+{}{black}", colours.white_one, colours.white_other)
    };
    let text = format!(
        "In {} White, to move, wins in time in {} % of the positions with the mets divided {} between the two colours of squares, and in {} % of those with the mets divided {}.",
        ending.material(),
        in_time(best.1),
        say(best.0),
        in_time(worst.1),
        say(worst.0)
    );
    Some(Found::new(text, &[ending]))
}

fn khon_ranks(report: &Report) -> Option<Found> {
    let (ending, [best, worst]) = greatest(report.endings.iter(), |ending| {
        let own = ending
            .scan()?
            .khon
            .iter()
            .filter(|rank| rank.side == Color::White);
        spread(own.map(|rank| (rank.rank, &rank.tally)))
    })?;
    let text = format!(
        "A khon has three steps forward and two backward. In {} White, to move, wins in time in {} % of the positions with a khon on rank {}, and in {} % of those with one on rank {}. Ranks count from White's side.",
        ending.material(),
        in_time(best.1),
        best.0,
        in_time(worst.1),
        worst.0
    );
    Some(Found::new(text, &[ending]))
}

fn safest_square(report: &Report) -> Option<Found> {
    let (ending, [worst, best]) = greatest(bare(report), |ending| {
        spread(Square::all().zip(&ending.scan()?.black_king))
    })?;
    let safest = match best.1.in_time {
        0 => "none".to_string(),
        _ => format!("{} %", in_time(best.1)),
    };
    let text = format!(
        "The square of the bare king matters most in {}: White, to move, wins in time in {safest} of the positions with the bare king on {}, but in {} % of those with it on {}.",
        ending.material(),
        best.0,
        in_time(worst.1),
        worst.0
    );
    Some(Found::new(text, &[ending]))
}

fn zugzwang(report: &Report) -> Option<Found> {
    let scans = || {
        let endings = report.endings.iter();
        endings.filter_map(|ending| Some((ending, &ending.scan()?.zugzwangs)))
    };
    let all = scans()
        .map(|(_, found)| found.white + found.black + found.both)
        .sum();
    let both: Vec<_> = scans().filter(|(_, found)| found.both > 0).collect();
    let (most, of_most) = greatest(report.endings.iter(), |ending| {
        let found = &ending.scan()?.zugzwangs;
        let number = found.white + found.black + found.both;
        Some((number as f64, number))
    })?;
    let mut text = format!(
        "With nothing counted there are {} in which having to move is a disadvantage, most of them in {} ({}).",
        counted(all, "position"),
        most.material(),
        number(of_most)
    );
    let mut positions = Vec::new();
    match both.first() {
        Some((_, found)) => {
            let names: Vec<String> = both.iter().map(|(e, _)| e.material().to_string()).collect();
            text += &format!(
                " In {} of them the side to move loses, all in {}.",
                number(both.iter().map(|(_, found)| found.both).sum()),
                list(&names)
            );
            positions.extend(found.both_examples.first());
        }
        None => text += " In none of them does the side to move lose.",
    }
    Some(Found {
        positions,
        ..Found::new(text, &[most])
    })
}
