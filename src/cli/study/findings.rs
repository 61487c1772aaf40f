//! What stands out among the endings of a report, in words with figures that are worked out here.

use sakmak::board::Color;
use sakmak::material::{CanonicalMaterial, Material};
use sakmak::rules::RuleSet;
use sakmak::study::{Scan, Share, SideStudy, Standing, Tally, TurnStudy};

use super::sections::{name, share, short};
use super::{Ending, Report};
use crate::cli::text::number;

/// A finding.
pub struct Finding {
    /// What it is about, as a sentence.
    pub title: String,
    /// What was found.
    pub words: String,
    /// The commands that show it.
    pub commands: Vec<String>,
}

/// The fewest endings among which anything can stand out.
const ENOUGH: usize = 3;

/// What stands out in a report.
pub fn findings(report: &Report) -> Vec<Finding> {
    if report.endings.len() < ENOUGH {
        return Vec::new();
    }
    let found = [
        who_beats(report),
        a_man_too_many(report),
        taken_by_the_count(report),
        one_move_less(report),
        last_man(report),
        bare_captures(report),
        longest(report),
        colours(report),
        khon_ranks(report),
        safest_square(report),
        zugzwang(report),
        published(report),
    ];
    found.into_iter().flatten().collect()
}

impl Ending {
    fn material(&self) -> CanonicalMaterial {
        self.study.material
    }

    /// One side's wins under a rule set.
    fn side(&self, rules: RuleSet, winner: Color) -> Option<&SideStudy> {
        self.study.under(rules)?.side(winner)
    }

    /// White's wins under makruk with White to move.
    fn own(&self) -> Option<&TurnStudy> {
        Some(&self.side(RuleSet::Makruk, Color::White)?.to_move)
    }

    fn scan(&self) -> Option<&Scan> {
        self.findings.as_ref()?.scan.as_ref()
    }

    fn command(&self) -> String {
        format!("sakmak study {}", self.material())
    }
}

fn in_time(turn: &TurnStudy) -> f64 {
    turn.share(turn.in_time).percent()
}

fn shown(turn: &TurnStudy) -> String {
    share(turn.share(turn.in_time))
}

/// The ending of which some number is greatest, if any is above 0.
fn greatest<'a, T>(
    report: &'a Report,
    number: impl Fn(&'a Ending) -> Option<(f64, T)>,
) -> Option<(&'a Ending, T)> {
    let all = report.endings.iter();
    let mut found: Option<(f64, &Ending, T)> = None;
    for ending in all {
        if let Some((n, what)) = number(ending)
            && n > 0.0
            && found.as_ref().is_none_or(|(most, ..)| n > *most)
        {
            found = Some((n, ending, what));
        }
    }
    found.map(|(_, ending, what)| (ending, what))
}

/// Names as a sentence lists them.
fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "none".to_string(),
    }
}

fn who_beats(report: &Report) -> Option<Finding> {
    let bare = || report.endings.iter().filter(|e| e.material().is_bare());
    let words = RuleSet::ALL.map(|rules| {
        let beats = |e: &&Ending| {
            let side = e.side(rules, Color::White);
            side.and_then(|side| side.standing) == Some(Standing::Beats)
        };
        let names: Vec<String> = bare()
            .filter(beats)
            .map(|e| e.material().to_string())
            .collect();
        format!("{} {}: {}", name(rules), names.len(), list(&names))
    });
    Some(Finding {
        title: format!(
            "Few endings against a bare king beat the count: of {} these do under each rule set.",
            bare().count()
        ),
        words: format!("{}. The rest can be too slow.", words.join(". ")),
        commands: vec!["sakmak study bare-5 --rules makruk".to_string()],
    })
}

fn a_man_too_many(report: &Report) -> Option<Finding> {
    let find = |material: Material| {
        let all = report.endings.iter();
        let mut all = all.filter(|e| e.material().is_bare());
        all.find(|e| e.material() == material.canonical().0)
    };
    let mut falls = Vec::new();
    for more in report.endings.iter().filter(|e| e.material().is_bare()) {
        let material = more.material().material();
        for (role, _) in material.white.groups() {
            let Some(white) = material.white.without(role) else {
                continue;
            };
            let Some(fewer) = find(Material { white, ..material }) else {
                continue;
            };
            if let (Some(a), Some(b)) = (fewer.own(), more.own()) {
                falls.push((in_time(a) - in_time(b), fewer, more, a, b));
            }
        }
    }
    falls.retain(|fall| fall.0 > 0.0);
    falls.sort_by(|a, b| b.0.total_cmp(&a.0));
    let number = falls.len();
    let (_, fewer, more, ..) = falls.first()?;
    let commands = vec![format!(
        "sakmak study {} {} --rules makruk",
        fewer.material(),
        more.material()
    )];
    let examples = falls.iter().take(4).map(|(_, fewer, more, a, b)| {
        format!(
            "{} wins {} % in time, {} only {} %",
            fewer.material(),
            shown(a),
            more.material(),
            shown(b)
        )
    });
    Some(Finding {
        title: "A man more can win less.".to_string(),
        words: format!(
            "More men make a shorter limit, and each man on the board is counted before the first move. In makruk, with the stronger side to move, {}. There are {number} such pairs.",
            examples.collect::<Vec<_>>().join("; ")
        ),
        commands,
    })
}

fn taken_by_the_count(report: &Report) -> Option<Finding> {
    let taken = |bare: bool| {
        greatest(report, move |e| {
            let turn = e.own().filter(|_| e.material().is_bare() == bare)?;
            Some((turn.share(turn.count_draws).percent(), turn))
        })
    };
    let say = |(ending, turn): (&Ending, &TurnStudy)| {
        format!(
            "{}: {} % of the positions with the stronger side to move are won on the board, {} % in time",
            ending.material(),
            share(turn.share(turn.won)),
            shown(turn)
        )
    };
    let found = [taken(true), taken(false)];
    let commands = found.iter().flatten().map(|(e, _)| e.command()).collect();
    let words: Vec<String> = found.into_iter().flatten().map(say).collect();
    (!words.is_empty()).then(|| Finding {
        title: "Where makruk's count takes most.".to_string(),
        words: format!("{}.", words.join("; where both sides have men, ")),
        commands,
    })
}

fn one_move_less(report: &Report) -> Option<Finding> {
    let lost = |bare: bool| {
        greatest(report, move |e| {
            let makruk = e.own().filter(|_| e.material().is_bare() == bare)?;
            let ouk = &e.side(RuleSet::Ouk, Color::White)?.to_move;
            Some((in_time(makruk) - in_time(ouk), (makruk, ouk)))
        })
    };
    let found = [lost(true), lost(false)];
    let commands = found.iter().flatten().map(|(e, _)| e.command()).collect();
    let words: Vec<String> = found
        .into_iter()
        .flatten()
        .map(|(e, (makruk, ouk))| {
            format!(
                "{} {} % in makruk and {} % in ouk",
                e.material(),
                shown(makruk),
                shown(ouk)
            )
        })
        .collect();
    (!words.is_empty()).then(|| Finding {
        title: "One move less is much.".to_string(),
        words: format!(
            "Ouk leaves one move less than makruk. With the stronger side to move, won in time: {}.",
            words.join("; with men on both sides, ")
        ),
        commands,
    })
}

fn last_man(report: &Report) -> Option<Finding> {
    let captures = |e: &Ending| e.scan()?.last_man.clone();
    // Of the wins there are, not of a handful.
    let (ending, captures) = greatest(report, |e| {
        let turn = e.own().filter(|turn| in_time(turn) >= 1.0)?;
        let captures = captures(e).filter(|_| turn.in_time > 0)?;
        let counts = &captures.counts;
        let won = counts.wins + counts.throws_away;
        Some((counts.throws_away as f64 / won.max(1) as f64, captures))
    })?;
    let counts = &captures.counts;
    let all: (u64, u64) = report
        .endings
        .iter()
        .filter_map(|e| Some(e.scan()?.last_man.as_ref()?.counts))
        .fold((0, 0), |(won, thrown), counts| {
            (
                won + counts.wins + counts.throws_away,
                thrown + counts.throws_away,
            )
        });
    let part = |positions, of| share(Share { positions, of });
    let example = captures.examples.first()?;
    Some(Finding {
        title: "Taking the last man can throw the win away.".to_string(),
        words: format!(
            "In {} the last man can be taken in {} positions that White, to move, wins in time; in {} % of them the capture is the wrong choice, for the count that it begins is too short or no mate is left. Over all endings here it is {} %. One such position follows.",
            ending.material(),
            number(counts.wins + counts.throws_away),
            part(counts.throws_away, counts.wins + counts.throws_away),
            part(all.1, all.0)
        ),
        commands: vec![
            ending.command(),
            format!("sakmak probe \"{}\"", short(example)),
        ],
    })
}

fn bare_captures(report: &Report) -> Option<Finding> {
    let saves = |counts: &sakmak::study::BareCaptures| Share {
        positions: counts.draws + counts.too_late,
        of: counts.possible,
    };
    let captures = |e: &'_ Ending| Some(e.scan()?.bare_captures.clone());
    let found = greatest(report, |e| {
        let captures = captures(e)?;
        // Where there is a choice between three different men.
        let shares = captures.iter().map(|c| saves(&c.counts).percent());
        let least = shares.clone().fold(f64::INFINITY, f64::min);
        let most = shares.fold(0.0, f64::max);
        (captures.len() >= 3).then_some((most - least, captures))
    })?;
    // The ending that players ask about, and the one in which it matters most.
    let asked = report
        .endings
        .iter()
        .find(|e| e.material().to_string() == "KNSMvK");
    let asked = asked.and_then(|e| Some((e, captures(e)?)));
    let mut words = Vec::new();
    let mut commands = Vec::new();
    for (ending, captures) in asked.into_iter().chain([found]) {
        let captures = captures.iter();
        let captures: Vec<String> = captures
            .map(|c| format!("taking {} in {} %", c.man, share(saves(&c.counts))))
            .collect();
        words.push(format!("in {} {}", ending.material(), list(&captures)));
        commands.push(ending.command());
    }
    words.dedup();
    commands.dedup();
    Some(Finding {
        title: "Which man to keep.".to_string(),
        words: format!(
            "Of the positions in which the bare king can take such a man, the capture saves it {}. The limit stays that of all the men, whatever is taken.",
            words.join("; ")
        ),
        commands,
    })
}

fn longest(report: &Report) -> Option<Finding> {
    let longest = |bare: bool| {
        greatest(report, move |e| {
            let turn = e.own().filter(|_| e.material().is_bare() == bare)?;
            let side = &e.study.mates.to_move(Color::White).white_wins;
            let moves = side.iter().rposition(|&n| n > 0)?;
            Some((moves as f64, (moves, turn)))
        })
    };
    let mut words = Vec::new();
    let mut commands = Vec::new();
    for (found, what) in [
        (longest(true), "against a bare king"),
        (longest(false), "with men on both sides"),
    ] {
        let Some((ending, (moves, _))) = found else {
            continue;
        };
        words.push(format!("{what} {moves} moves ({})", ending.material()));
        commands.push(format!("sakmak stats {}", ending.material()));
    }
    (!words.is_empty()).then(|| Finding {
        title: "The longest mates, nothing counted.".to_string(),
        words: format!("With the stronger side to move: {}.", list(&words)),
        commands,
    })
}

fn of(tally: &Tally) -> Share {
    Share {
        positions: tally.in_time,
        of: tally.legal,
    }
}

fn colours(report: &Report) -> Option<Finding> {
    let (ending, (best, worst)) = greatest(report, |e| {
        let met = &e.scan()?.met;
        let by = |a: &&sakmak::study::MetColours, b: &&sakmak::study::MetColours| {
            of(&a.tally).percent().total_cmp(&of(&b.tally).percent())
        };
        let (best, worst) = (met.iter().max_by(by)?, met.iter().min_by(by)?);
        Some((
            of(&best.tally).percent() - of(&worst.tally).percent(),
            (best, worst),
        ))
    })?;
    let say = |colours: &sakmak::study::MetColours| {
        let black = match colours.black_one + colours.black_other {
            0 => String::new(),
            _ => format!(" against {}+{}", colours.black_one, colours.black_other),
        };
        format!("{}+{}{black}", colours.white_one, colours.white_other)
    };
    Some(Finding {
        title: "The colours of the met.".to_string(),
        words: format!(
            "In {} the share won in time, White to move, is {} % with the met {} on squares of one colour and of the other, and {} % with {}.",
            ending.material(),
            share(of(&best.tally)),
            say(best),
            share(of(&worst.tally)),
            say(worst)
        ),
        commands: vec![ending.command()],
    })
}

fn khon_ranks(report: &Report) -> Option<Finding> {
    let (ending, (best, worst)) = greatest(report, |e| {
        let ranks = &e.scan()?.khon;
        let own = || ranks.iter().filter(|rank| rank.side == "white");
        let by = |a: &&sakmak::study::KhonRank, b: &&sakmak::study::KhonRank| {
            of(&a.tally).percent().total_cmp(&of(&b.tally).percent())
        };
        let (best, worst) = (own().max_by(by)?, own().min_by(by)?);
        Some((
            of(&best.tally).percent() - of(&worst.tally).percent(),
            (best, worst),
        ))
    })?;
    Some(Finding {
        title: "Where the khon stands.".to_string(),
        words: format!(
            "It has three steps forward and two backward. In {} the share won in time, White to move, is {} % with a khon on its rank {} and {} % with one on rank {}.",
            ending.material(),
            share(of(&best.tally)),
            best.rank,
            share(of(&worst.tally)),
            worst.rank
        ),
        commands: vec![ending.command()],
    })
}

fn safest_square(report: &Report) -> Option<Finding> {
    let (ending, (best, worst)) = greatest(report, |e| {
        let squares = &e.scan().filter(|_| e.material().is_bare())?.black_king;
        let by = |a: &(usize, &Tally), b: &(usize, &Tally)| {
            of(a.1).percent().total_cmp(&of(b.1).percent())
        };
        let all = || squares.iter().enumerate();
        let (best, worst) = (all().min_by(by)?, all().max_by(by)?);
        Some((of(worst.1).percent() - of(best.1).percent(), (best, worst)))
    })?;
    let square = |(i, tally): (usize, &Tally)| {
        let square = sakmak::board::Square::wrapping(i);
        format!("on {square} {} %", share(of(tally)))
    };
    Some(Finding {
        title: "Where the bare king is safest.".to_string(),
        words: format!(
            "In {} its square matters most: with White to move it is lost in time {}, and {}.",
            ending.material(),
            square(best),
            square(worst)
        ),
        commands: vec![ending.command()],
    })
}

fn zugzwang(report: &Report) -> Option<Finding> {
    let scans = || report.endings.iter().filter_map(|e| Some((e, e.scan()?)));
    let all: u64 = scans()
        .map(|(_, scan)| scan.zugzwangs.white + scan.zugzwangs.black + scan.zugzwangs.both)
        .sum();
    let both: Vec<(&Ending, &Scan)> = scans().filter(|(_, s)| s.zugzwangs.both > 0).collect();
    let most = greatest(report, |e| {
        let found = &e.scan()?.zugzwangs;
        let number = found.white + found.black + found.both;
        Some((number as f64, number))
    });
    let (most, of_most) = most?;
    let mut words = format!(
        "With nothing counted there are {} positions in which it is bad to be to move, most of them in {} ({}).",
        number(all),
        most.material(),
        number(of_most)
    );
    let mut commands = vec![most.command()];
    match both.first() {
        Some((ending, scan)) => {
            let names: Vec<String> = both.iter().map(|(e, _)| e.material().to_string()).collect();
            words += &format!(
                " Whoever is to move loses in {} of them, all in {}.",
                number(both.iter().map(|(_, s)| s.zugzwangs.both).sum()),
                list(&names)
            );
            commands.push(match scan.zugzwangs.both_examples.first() {
                Some(fen) => format!("sakmak probe \"{}\"", short(fen)),
                None => ending.command(),
            });
        }
        None => words += " There is none in which whoever is to move loses.",
    }
    Some(Finding {
        title: "Zugzwang.".to_string(),
        words,
        commands,
    })
}

/// What two studies have published of single endings, as these tables have it.
fn published(report: &Report) -> Option<Finding> {
    let find = |name: &str| {
        let mut all = report.endings.iter();
        all.find(|e| e.material().to_string() == name)
    };
    let say = |name: &str| {
        let ending = find(name)?;
        let turn = ending.own()?;
        let longest = turn.longest.as_ref().map_or(0, |longest| longest.moves);
        Some(format!(
            "{name}: {} positions with the stronger side to move, {} of them won ({} %), {} % in time, the longest win {longest} moves",
            number(turn.legal),
            number(turn.won),
            share(turn.share(turn.won)),
            shown(turn)
        ))
    };
    let longest = |name: &str| {
        let turn = find(name)?.own()?;
        Some(format!(
            "{name}: the longest win {} moves",
            turn.longest.as_ref()?.moves
        ))
    };
    let mut words: Vec<String> = ["KNMvK", "KSMvK"].into_iter().filter_map(say).collect();
    words.extend(["KRvK", "KNNNvK"].into_iter().filter_map(longest));
    (!words.is_empty()).then(|| Finding {
        title: "Published before, elsewhere, and the same here.".to_string(),
        words: format!(
            "{}. The first two are the subjects of Tudsuan and Jearanaitanakij (2021) and of Tudsuan and Thanatipanonda (2026, doi 10.55003/scikmitl.2026.270913); the lengths with rooks and knights are known from chess.",
            words.join(". ")
        ),
        commands: vec!["sakmak stats KSMvK".to_string()],
    })
}
