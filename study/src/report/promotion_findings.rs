//! Findings on promotion, from the endings of a report.

use crate::{LastBiaScan, PromotionScan, RECORD_RULES, Won};
use sakmak::board::{Color, Fen, Role};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Share;
use sakmak::rules::RuleSet;

use super::contents::{Ending, Report};
use super::found::Found;
use super::promotion_details::{by_file, by_rank};
use super::words::{list, name, part, share, short};
use crate::text::{counted, number};

/// The smallest number of won positions in which promotion is possible. Endings with fewer such
/// positions are not compared.
const ENOUGH_POSITIONS: u64 = 100_000;
/// The largest number of endings that a finding names as examples.
const MOST_EXAMPLES: usize = 4;

/// The endings that are always named.
const ASKED: [&str; 2] = ["KRPvK", "KSPvK"];

/// The endings in which White, to move, wins and can promote at once in at least `minimum`
/// positions of a rule set. Each comes with its results on promotion. Empty if the report does not
/// show the rule set.
fn of_white(report: &Report, rules: RuleSet, minimum: u64) -> Vec<(&Ending, &PromotionScan)> {
    let is_shown = report.rules.contains(&rules);
    let endings = report.endings.iter().filter(|_| is_shown);
    let scans = endings.filter_map(|ending| {
        let mut scans = ending.promotion()?.promotions.iter();
        let scan = scans.find(|scan| {
            (scan.rules, scan.side) == (rules, Color::White) && scan.possible >= minimum
        })?;
        Some((ending, scan))
    });
    scans.collect()
}

/// The endings against a bare king that [`of_white`] finds.
fn of_bare(report: &Report, rules: RuleSet) -> Vec<(&Ending, &PromotionScan)> {
    let mut all = of_white(report, rules, 1);
    all.retain(|(ending, _)| is_bare(ending));
    all
}

/// The sum of a figure over all results.
fn sum(all: &[(&Ending, &PromotionScan)], figure: impl Fn(&PromotionScan) -> u64) -> u64 {
    all.iter().map(|(_, scan)| figure(scan)).sum()
}

fn is_bare(ending: &Ending) -> bool {
    ending.material().is_bare()
}

fn percent(positions: u64, of: u64) -> f64 {
    Share { positions, of }.percent()
}

/// Makes a finding about these endings, with commands that probe these positions.
fn found(text: String, endings: &[&Ending], positions: Vec<Fen>) -> Found {
    Found {
        positions,
        ..Found::new(text, endings)
    }
}

/// Finds how often promoting at once throws the win away, and in which endings most often.
pub fn too_early(report: &Report, rules: RuleSet) -> Option<Found> {
    let mut all = of_bare(report, rules);
    let (possible, throws) = (sum(&all, |s| s.possible), sum(&all, |s| s.throws));
    let by_count = sum(&all, |s| s.throws_by_count);
    all.retain(|(_, scan)| scan.possible >= ENOUGH_POSITIONS);
    if throws == 0 {
        return None;
    }
    all.sort_by(|a, b| {
        let of = |scan: &PromotionScan| percent(scan.throws, scan.possible);
        of(b.1).total_cmp(&of(a.1))
    });
    let worst = *all.first()?;
    let words = |(ending, scan): &(&Ending, &PromotionScan)| {
        format!(
            "in {} {} of {} ({} %), {} of them only because of the count",
            ending.material(),
            number(scan.throws),
            number(scan.possible),
            part(scan.throws, scan.possible),
            number(scan.throws_by_count)
        )
    };
    let is_asked = |ending: &Ending| {
        let name = ending.material().to_string();
        let name = name.strip_suffix(rules.game().suffix()).unwrap_or(&name);
        ASKED.contains(&name)
    };
    let named = all.iter().filter(|(ending, _)| is_asked(ending));
    let mut named: Vec<(&Ending, &PromotionScan)> = named.copied().collect();
    if !is_asked(worst.0) {
        named.push(worst);
    }
    let named_words: Vec<String> = named.iter().map(words).collect();
    let examples = named.iter().filter_map(|(_, scan)| scan.examples.first());
    let positions: Vec<Fen> = examples.take(2).copied().collect();
    let boards = positions
        .iter()
        .map(|fen| format!("`{}`", short(fen, rules)));
    let boards: Vec<String> = boards.collect();
    let shown = match boards.is_empty() {
        true => String::new(),
        false => format!(" Promotion is too early in {}.", list(&boards)),
    };
    let text = format!(
        "Promotion of the last bia begins a new count. In {} there are {} positions against a bare king in which White wins and can promote at once. In {} % of them every promotion throws the win away, in {} % only because mate then comes too late. For example, {}.{shown}",
        name(rules),
        number(possible),
        part(throws, possible),
        part(by_count, possible),
        named_words.join("; ")
    );
    Some(Found {
        rules,
        ..found(text, &[worst.0], positions)
    })
}

/// Finds how often promotion to each man keeps the win.
pub fn choice(report: &Report) -> Option<Found> {
    let rules = RuleSet::Asean;
    let mut all = of_bare(report, rules);
    let possible = sum(&all, |s| s.possible);
    let (first, _) = *all.first()?;
    let men = rules.game().promotions().iter();
    let shares: Vec<String> = men
        .map(|&role| {
            let keeps = sum(&all, |s| s.promoted_to(role).keeps);
            let only = sum(&all, |s| s.promoted_to(role).only);
            format!(
                "{} in {} % (with no other man in {} %)",
                role.letter(),
                part(keeps, possible),
                part(only, possible)
            )
        })
        .collect();
    let knight = |scan: &PromotionScan| scan.promoted_to(Role::Knight).only;
    let knights = sum(&all, knight);
    all.retain(|(_, scan)| knight(scan) > 0);
    all.sort_by_key(|(_, scan)| std::cmp::Reverse(knight(scan)));
    let words = all.iter().take(MOST_EXAMPLES).map(|(ending, scan)| {
        format!(
            "{} ({} of {})",
            ending.material(),
            number(knight(scan)),
            number(scan.possible)
        )
    });
    let words: Vec<String> = words.collect();
    let knights = match words.is_empty() {
        true => String::new(),
        false => format!(
            " A knight is the only man that keeps the win in {} positions, most often in {}.",
            number(knights),
            list(&words)
        ),
    };
    let text = format!(
        "In {} a bia can promote to any man but the king. Of the {} positions against a bare king in which White wins and can promote at once, promotion keeps the win with {}.{knights}",
        name(rules),
        number(possible),
        list(&shares)
    );
    let shown = all.first().map_or(first, |(ending, _)| *ending);
    Some(found(text, &[shown], Vec::new()))
}

/// Finds how often promoting at once throws the win away even if nothing is counted.
pub fn on_board(report: &Report) -> Option<Found> {
    let all = of_bare(report, RECORD_RULES);
    let (possible, throws) = (
        sum(&all, |s| s.possible_on_board),
        sum(&all, |s| s.throws_on_board),
    );
    if possible == 0 {
        return None;
    }
    let text = format!(
        "Even if nothing were counted, promotion at once would cost the win in {} % of the positions against a bare king that are won on the board and in which White can promote at once: there the bia on its square is worth more than the met.",
        part(throws, possible)
    );
    Some(Found {
        set: "bia-5",
        ..found(text, &[], Vec::new())
    })
}

/// Compares the value of a bia with that of the met that it becomes.
pub fn worth(report: &Report) -> Option<Found> {
    let of = |won: Won| percent(won.won, won.legal);
    let gain = |scan: &PromotionScan| Some(percent(scan.won, scan.legal) - of(scan.promoted?));
    let mut all = of_white(report, RECORD_RULES, ENOUGH_POSITIONS);
    all.retain(|(_, scan)| scan.promoted.is_some());
    let better = all
        .iter()
        .filter(|(_, scan)| gain(scan) > Some(0.0))
        .count();
    all.sort_by(|a, b| {
        gain(b.1)
            .unwrap_or(0.0)
            .total_cmp(&gain(a.1).unwrap_or(0.0))
    });
    if better == 0 {
        return None;
    }
    let won = |won: Won| format!("{} %", part(won.won, won.legal));
    let words = all.iter().take(MOST_EXAMPLES).map(|(ending, scan)| {
        format!(
            "{} wins {} % with the bia, {} with a met in its place and {} without either",
            ending.material(),
            part(scan.won, scan.legal),
            scan.promoted.map_or("-".to_string(), won),
            scan.lost.map_or("-".to_string(), won)
        )
    });
    let words: Vec<String> = words.collect();
    let text = format!(
        "In {} of the {} endings that have at least {} won positions with a possible promotion, White, to move, wins a larger share of all positions with a bia than with a met in its place. The gain is largest in these: {}.",
        better,
        all.len(),
        number(ENOUGH_POSITIONS),
        words.join("; ")
    );
    let endings: Vec<&Ending> = all
        .iter()
        .take(MOST_EXAMPLES)
        .map(|(ending, _)| *ending)
        .collect();
    Some(found(text, &endings, Vec::new()))
}

/// Finds the longest wait for the right moment to promote.
pub fn longest_wait(report: &Report) -> Option<Found> {
    if !report.rules.contains(&RECORD_RULES) {
        return None;
    }
    let mut all = Vec::new();
    for ending in report
        .endings
        .iter()
        .filter(|e| is_bare(e) && !e.material().is_pawnless())
    {
        let row = ending.white(RECORD_RULES)?;
        if let (Some(moves), Some(fen)) = (row.longest_in_time, &row.longest_in_time_fen) {
            all.push((moves, ending, fen.fen));
        }
    }
    // Among equally long waits, keeps the first.
    all.sort_by_key(|(moves, ..)| std::cmp::Reverse(*moves));
    let (moves, ending, fen) = *all.first()?;
    let of = |name: &str| {
        let mut found = all.iter();
        let found = found.find(|(_, ending, _)| ending.material().to_string() == name)?;
        Some(format!("{name} {}", found.0))
    };
    let known: Vec<String> = ["KRPvK", "KSPvK", "KNPvK"]
        .into_iter()
        .filter_map(of)
        .collect();
    let text = format!(
        "Against a bare king, best play can take many moves, those of the bia included, until mate or until the last bia is promoted or taken in time. The longest such play takes {} in {} (in {}). It begins at `{}`.",
        counted(moves as u64, "move"),
        ending.material(),
        list(&known),
        short(&fen, RECORD_RULES)
    );
    Some(found(text, &[ending], vec![fen]))
}

/// Finds the best squares for a bia.
pub fn square(report: &Report) -> Option<Found> {
    let mut all = of_white(report, RECORD_RULES, 1);
    all.retain(|(ending, scan)| is_bare(ending) && percent(scan.won, scan.legal) < 99.0);
    let spread = |scan: &PromotionScan| {
        let shares = by_file(scan).map(Share::percent);
        let most = shares.into_iter().fold(f64::MIN, f64::max);
        most - shares.into_iter().fold(f64::MAX, f64::min)
    };
    all.sort_by(|a, b| spread(b.1).total_cmp(&spread(a.1)));
    let mut large = all
        .iter()
        .filter(|(_, scan)| scan.possible >= ENOUGH_POSITIONS);
    let (ending, scan) = *large.next()?;
    let name = |file: usize| ["a or h", "b or g", "c or f", "d or e"][file];
    let files = by_file(scan);
    let order = |i: &usize, j: &usize| files[*i].percent().total_cmp(&files[*j].percent());
    let best = (0..4).max_by(order)?;
    let worst = (0..4).min_by(order)?;
    let ahead = all.iter().filter(|(_, scan)| {
        let ranks = by_rank(scan);
        ranks[2].percent() > ranks[0].percent()
    });
    let beside = all.iter().filter(|(_, scan)| {
        let near = scan.king.first().zip(scan.king.get(3));
        near.is_some_and(|(near, far)| percent(near.won, near.legal) > percent(far.won, far.legal))
    });
    let (ahead, beside) = (ahead.count(), beside.count());
    let text = format!(
        "In {} White, to move, wins {} % of the positions with the bia on the {} file and {} % of those with it on the {} file. Of the {} against a bare king in which White, to move, wins fewer than 99 % of all positions, {ahead} are won more often with a bia on the fifth rank than on the third, and {beside} more often with White's king beside its bia than four steps away.",
        ending.material(),
        share(files[best]),
        name(best),
        share(files[worst]),
        name(worst),
        counted(all.len() as u64, "ending")
    );
    Some(found(text, &[ending], Vec::new()))
}

/// Compares the men that can accompany a single bia against a bare king by the share of positions
/// that White wins.
pub fn escort(report: &Report) -> Option<Found> {
    let scans = of_white(report, RECORD_RULES, 0);
    if scans.is_empty() {
        return None;
    }
    let mut all = Vec::new();
    for man in ["R", "N", "S", "M"] {
        let material: CanonicalMaterial = format!("K{man}PvK").parse().ok()?;
        let ending = report.find(material)?;
        ending.promotion()?;
        let scan = scans.iter().find(|scan| scan.0.material() == material);
        all.push((man, ending, scan.map(|scan| scan.1)));
    }
    let words = all.iter().map(|(man, _, scan)| match scan {
        Some(scan) => format!(
            "{} % of the positions of K+{man}+P v K ({} %)",
            part(scan.won, scan.legal),
            part(scan.throws, scan.possible)
        ),
        None => format!("no position of K+{man}+P v K"),
    });
    let words: Vec<String> = words.collect();
    let endings: Vec<&Ending> = all.iter().map(|(_, ending, _)| *ending).collect();
    let text = format!(
        "With one man beside the bia White, to move, wins {}. In brackets: of the won positions in which White can promote at once, the share in which every promotion throws the win away.",
        list(&words)
    );
    Some(found(text, &endings, Vec::new()))
}

/// Finds how often a losing side is saved by the count that begins when its last bia is promoted or
/// taken.
pub fn last_bia(report: &Report) -> Option<Found> {
    let mut all = Vec::new();
    let is_shown = report.rules.contains(&RECORD_RULES);
    for ending in report.endings.iter().filter(|_| is_shown) {
        let scans = ending
            .promotion()
            .into_iter()
            .flat_map(|study| &study.last_bia)
            .filter(|scan| scan.rules == RECORD_RULES);
        all.extend(
            scans
                .filter(|scan| scan.held > 0)
                .map(|scan| (ending, scan)),
        );
    }
    let held: u64 = all.iter().map(|(_, scan)| scan.held).sum();
    let promoting: u64 = all.iter().map(|(_, scan)| scan.promotion_draws).sum();
    all.sort_by_key(|(_, scan)| std::cmp::Reverse(scan.held));
    let (ending, most) = *all.first()?;
    let example = |of: fn(&LastBiaScan) -> &Vec<Fen>| {
        let mut found = all.iter().filter_map(|(ending, scan)| {
            let fen = *of(scan).first()?;
            Some((*ending, fen))
        });
        found.next()
    };
    let promoted = example(|scan| &scan.promotion_examples);
    let given = example(|scan| &scan.giving_up_examples);
    let mut text = format!(
        "A side that would be mated if nothing were counted can be saved by the count that begins when its own last bia is promoted or taken. There are {} positions in which only this count saves the side to move, most of them in {} ({}); in {} % of all these positions, promoting at once saves it.",
        number(held),
        ending.material(),
        number(most.held),
        part(promoting, held)
    );
    let mut endings = vec![ending];
    let mut positions = Vec::new();
    for (example, what) in [
        (promoted, "only promotion"),
        (given, "only giving the bia up"),
    ] {
        if let Some((ending, fen)) = example {
            text += &format!(" In `{}` {what} saves it.", short(&fen, RECORD_RULES));
            positions.push(fen);
            endings.push(ending);
        }
    }
    endings.dedup_by_key(|ending| ending.material());
    Some(found(text, &endings, positions))
}
