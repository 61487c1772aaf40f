//! The tables of the report: first which endings beat the count, then why.

use std::cmp::Reverse;

use sakmak::board::Color;
use sakmak::rules::RuleSet;
use sakmak::study::{Longest, RECORD_RULES, RulesStudy, Share, SideStudy, Standing, TurnStudy};

use super::findings::findings;
use super::tables::Table;
use super::{Ending, Report};
use crate::cli::text::{number, percent, wrap};

/// Endings with about as many men.
pub struct Group<'a> {
    /// What they are.
    pub title: String,
    /// The endings.
    pub endings: Vec<&'a Ending>,
}

/// The endings of a report by their men: up to four, five, six and so on.
pub fn groups(report: &Report) -> Vec<Group<'_>> {
    const WORDS: [&str; 5] = ["three and four", "five", "six", "seven", "eight"];
    let place = |ending: &Ending| ending.study.material.men().saturating_sub(4);
    let group = |(i, words): (usize, &&str)| Group {
        title: format!("Endings of {words} men"),
        endings: report.endings.iter().filter(|e| place(e) == i).collect(),
    };
    let groups = WORDS.iter().enumerate().map(group);
    groups.filter(|group| !group.endings.is_empty()).collect()
}

/// A share in hundredths, without the sign.
pub fn share(share: Share) -> String {
    percent(share.percent()).replace(" %", "")
}

/// A FEN without the fields that say nothing here.
pub fn short(fen: &str) -> &str {
    fen.trim_end_matches(" - - 0 1")
}

/// The name of a rule set as a heading has it.
pub fn name(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Makruk => "Makruk",
        RuleSet::Asean => "ASEAN chess",
        RuleSet::Ouk => "Ouk",
    }
}

/// The word of a side.
pub fn word(standing: Option<Standing>) -> &'static str {
    match standing {
        Some(Standing::Beats) => "beats",
        Some(standing) => standing.word(),
        None => "unknown",
    }
}

/// The share won in time: at least so much, where more is not known.
pub fn in_time(turn: &TurnStudy) -> String {
    let known = share(turn.share(turn.in_time));
    match turn.not_known {
        0 => known,
        _ => format!("≥{known}"),
    }
}

/// The tables for the terminal. With few endings also what a look at every position has told.
pub fn text(report: &Report) -> String {
    const FEW: usize = 8;
    let details = report.endings.len() <= FEW;
    let mut text = String::new();
    for group in groups(report) {
        let mut tables = overview(&group, &report.rules);
        if details {
            tables.extend(more(&group));
        }
        text += &format!("{}\n\n", group.title.to_uppercase());
        for table in tables {
            text += &format!("{}\n", table.text());
        }
    }
    text += &wrap(&legend());
    if !details {
        text += &wrap(
            "Fewer endings are told in more words: sakmak study KNSMvK. All of it: --format html --out report.html.",
        );
    }
    text + &missing(report).map_or(String::new(), |words| wrap(&words))
}

/// The tables as Markdown, without a heading of the whole.
pub fn markdown(report: &Report) -> String {
    let mut text = "## Findings\n\n".to_string();
    for finding in findings(report) {
        text += &format!("* **{}** {}", finding.title, finding.words);
        for command in &finding.commands {
            text += &format!("\n  `{command}`");
        }
        text.push('\n');
    }
    text += &format!("\n## How to read the tables\n\n{}\n", legend());
    for group in groups(report) {
        text += &format!("## {}\n\n", group.title);
        for table in overview(&group, &report.rules)
            .into_iter()
            .chain(more(&group))
        {
            text += &table.markdown(3);
        }
    }
    if let Some(words) = missing(report) {
        text += &format!("## Missing\n\n{words}\n");
    }
    text.trim_end().to_string() + "\n"
}

/// How to read the tables.
pub fn legend() -> String {
    format!(
        "The men are K khun (king), R ruea (rook), N ma (knight), S khon (one step to any of its four diagonals or straight ahead) and M met (one step diagonally); the side named first is White. \
Shares are of all legal positions with one side to move, in hundredths; like men are interchangeable and no symmetry is taken out.\n\
wins: whose wins the line counts; with the same men on both sides one line stands for both. turn: whose move it is, that of the side that wins (own) or of the other. moves: what the count leaves to the winner when it begins; - where nothing is counted. \
long: the longest win in moves. fits: the longest that is inside the count. misses: the shortest that is not. \
Where both sides have men these are moves until honor: until mate, or until a capture of the last enemy man that leaves enough time for mate. \
won: mate can be forced. in time: inside the count. count: drawn by the count alone. drawn: neither side can force mate. lost: the other side can.\n\
A side {}. In ASEAN chess wins of more than fifty moves may be stopped by the fifty-move rule, or a capture may come first: ≥ says that some of them are left out, unknown that they matter to the word.\n",
        Standing::RULE
    )
}

/// Which endings are not in the report, and why.
pub fn missing(report: &Report) -> Option<String> {
    if report.missing.is_empty() {
        return None;
    }
    let lines = report.missing.iter();
    let lines: Vec<String> = lines
        .map(|missing| format!("{} is left out: {}.", missing.material, missing.why))
        .collect();
    Some(lines.join("\n") + "\n")
}

/// Which endings of a group beat the count, under each rule set.
pub fn overview(group: &Group, rules: &[RuleSet]) -> Vec<Table> {
    let mut tables = Vec::new();
    for &set in rules {
        for bare in [true, false] {
            let endings = group
                .endings
                .iter()
                .filter(|e| e.study.material.is_bare() == bare);
            let mut sides: Vec<(&Ending, &RulesStudy, &SideStudy)> = endings
                .filter_map(|ending| Some((*ending, ending.study.under(set)?)))
                .flat_map(|(ending, rules)| {
                    rules.sides.iter().map(move |side| (ending, rules, side))
                })
                .collect();
            if sides.is_empty() {
                continue;
            }
            sides.sort_by_key(|(ending, _, side)| {
                let turn = &side.to_move;
                let percent = turn.share(turn.in_time).percent();
                let rank = Reverse((side.standing, (percent * 1e6) as u64));
                (rank, ending.study.material, side.winner == Color::Black)
            });
            let (title, headings): (String, &[&str]) = match bare {
                true => (
                    format!("{}: against a bare king", name(set)),
                    &[
                        "ending", "turn", "moves", "long", "fits", "misses", "won", "in time",
                        "count", "drawn", "",
                    ],
                ),
                false => (
                    format!("{}: both sides have men", name(set)),
                    &[
                        "ending", "wins", "turn", "moves", "long", "fits", "misses", "won",
                        "in time", "count", "drawn", "lost", "",
                    ],
                ),
            };
            let mut table = Table::new(&title, "", if bare { 2 } else { 3 }, headings);
            for (ending, _, side) in sides {
                for (turn, whose) in [(&side.to_move, "own"), (&side.not_to_move, "other")] {
                    table.row(row(ending, side, turn, whose, bare));
                }
            }
            tables.push(table);
        }
    }
    tables
}

/// A number of moves, if there is one.
pub fn moves(record: Option<&Longest>) -> String {
    record.map_or("-".to_string(), |record| record.moves.to_string())
}

fn row(
    ending: &Ending,
    side: &SideStudy,
    turn: &TurnStudy,
    whose: &str,
    bare: bool,
) -> Vec<String> {
    let material = ending.study.material;
    let own = whose == "own";
    let mut cells = vec![material.to_string()];
    if !bare {
        cells.push(material.army(side.winner).to_string());
    }
    cells.push(whose.to_string());
    let available = turn.moves_available.map(|moves| moves.to_string());
    cells.push(available.unwrap_or("-".to_string()));
    cells.push(moves(turn.longest.as_ref()));
    cells.push(moves(turn.longest_in_time.as_ref()));
    cells.push(moves(turn.shortest_too_long.as_ref()));
    cells.push(share(turn.share(turn.won)));
    cells.push(in_time(turn));
    cells.push(share(turn.share(turn.count_draws)));
    cells.push(share(turn.share(turn.drawn)));
    if !bare {
        cells.push(share(turn.share(turn.lost)));
    }
    cells.push(if own { word(side.standing) } else { "" }.to_string());
    cells
}

/// What else there is to say of a group of endings, under makruk's rules.
pub fn more(group: &Group) -> Vec<Table> {
    let tables = [
        when_late(group),
        last_man(group),
        bare_captures(group),
        zugzwangs(group),
        met(group),
        khon(group),
        records(group),
    ];
    tables
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

/// The moves that the other side may have counted beyond a fresh count.
pub const LATER: [u32; 11] = [0, 1, 2, 4, 8, 12, 16, 24, 32, 40, 48];

/// Below this share, in hundredths, it makes no difference to be late.
const WORTH_A_LINE: f64 = 0.01;

fn when_late(group: &Group) -> Table {
    let mut headings = vec!["ending".to_string(), "wins".to_string()];
    headings.extend(LATER.map(|later| later.to_string()));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(
        "When the count has already run",
        "Makruk, the side that counts to move: the share that is still won in time when so many moves have been counted.",
        2,
        &headings,
    );
    for ending in &group.endings {
        let Some(rules) = ending.study.under(RECORD_RULES) else {
            continue;
        };
        for side in &rules.sides {
            let turn = &side.not_to_move;
            if turn.share(turn.in_time).percent() < WORTH_A_LINE {
                continue;
            }
            let army = ending.study.material.army(side.winner);
            let mut cells = vec![ending.study.material.to_string(), army.to_string()];
            cells.extend(LATER.map(|later| {
                rules
                    .won_when_late(side.winner, later)
                    .map_or("-".to_string(), share)
            }));
            table.row(cells);
        }
    }
    table
}

/// A part of a number of positions, as a share.
fn part(positions: u64, of: u64) -> String {
    match of {
        0 => "-".to_string(),
        _ => share(Share { positions, of }),
    }
}

/// The first of some examples.
fn example(fens: &[String]) -> String {
    fens.first()
        .map_or(String::new(), |fen| short(fen).to_string())
}

fn last_man(group: &Group) -> Table {
    let mut table = Table::new(
        "Taking the last man",
        "Makruk, the side named first to move and able to take the last enemy man. The capture wins, leads to a mate that comes too late for the count that it begins, or to a draw. \
thrown: of the positions that are won in time, the share in which the capture gives the win away; the last column has one in which it would lead to mate, but too late.",
        1,
        &[
            "ending",
            "positions",
            "wins",
            "too late",
            "draws",
            "thrown",
            "thrown away by the capture",
        ],
    );
    for ending in &group.endings {
        let scan = ending.findings.as_ref().and_then(|f| f.scan.as_ref());
        let Some(captures) = scan.and_then(|scan| scan.last_man.as_ref()) else {
            continue;
        };
        let counts = &captures.counts;
        if counts.possible == 0 || counts.wins + counts.too_late == 0 {
            continue;
        }
        let won = counts.wins + counts.throws_away;
        table.row([
            ending.study.material.to_string(),
            number(counts.possible),
            part(counts.wins, counts.possible),
            part(counts.too_late, counts.possible),
            part(counts.draws, counts.possible),
            part(counts.throws_away, won),
            example(&captures.examples),
        ]);
    }
    table
}

fn bare_captures(group: &Group) -> Table {
    let mut table = Table::new(
        "Which capture saves the bare king",
        "Makruk, the bare king to move and able to take a man of the kind. saves: what is left cannot force mate (drawn), or not in the moves that were left before the capture (too late).",
        3,
        &[
            "ending",
            "takes",
            "leaves",
            "positions",
            "saves",
            "drawn",
            "too late",
        ],
    );
    for ending in &group.endings {
        let scan = ending.findings.as_ref().and_then(|f| f.scan.as_ref());
        let material = ending.study.material;
        for captures in scan.iter().flat_map(|scan| &scan.bare_captures) {
            let counts = &captures.counts;
            // Nobody needs to be told that a bare king draws against a bare king.
            if counts.possible == 0 || material.men() < 4 {
                continue;
            }
            let left = material.army(Color::White).to_string();
            table.row([
                material.to_string(),
                captures.man.to_string(),
                format!("{}vK", left.replacen(captures.man, "", 1)),
                number(counts.possible),
                part(counts.draws + counts.too_late, counts.possible),
                part(counts.draws, counts.possible),
                part(counts.too_late, counts.possible),
            ]);
        }
    }
    table
}

fn zugzwangs(group: &Group) -> Table {
    let mut table = Table::new(
        "Zugzwang",
        "Positions in which it is bad to be to move, nothing counted: the side named first wins only if the other is to move (first), the other way round (second), or whoever is to move loses (both). The examples show the rarest kind there is.",
        1,
        &["ending", "first", "second", "both", "for instance"],
    );
    for ending in &group.endings {
        let Some(scan) = ending.findings.as_ref().and_then(|f| f.scan.as_ref()) else {
            continue;
        };
        let found = &scan.zugzwangs;
        if found.white + found.black + found.both == 0 {
            continue;
        }
        let examples = [
            &found.both_examples,
            &found.black_examples,
            &found.white_examples,
        ];
        let rarest = examples.into_iter().find(|fens| !fens.is_empty());
        table.row([
            ending.study.material.to_string(),
            number(found.white),
            number(found.black),
            number(found.both),
            rarest.map_or(String::new(), |fens| example(fens)),
        ]);
    }
    table
}

fn met(group: &Group) -> Table {
    let mut table = Table::new(
        "The colours of the met",
        "A met never leaves the colour of its square. Makruk, the side named first to move; 2+1 are two met on squares of one colour and one on the other.",
        3,
        &["ending", "first", "second", "positions", "won", "in time"],
    );
    for ending in &group.endings {
        let Some(scan) = ending.findings.as_ref().and_then(|f| f.scan.as_ref()) else {
            continue;
        };
        for colours in &scan.met {
            let tally = &colours.tally;
            let pair = |one: usize, other: usize| match one + other {
                0 => "-".to_string(),
                _ => format!("{one}+{other}"),
            };
            table.row([
                ending.study.material.to_string(),
                pair(colours.white_one, colours.white_other),
                pair(colours.black_one, colours.black_other),
                number(tally.legal),
                part(tally.won, tally.legal),
                part(tally.in_time, tally.legal),
            ]);
        }
    }
    table
}

fn khon(group: &Group) -> Table {
    let mut table = Table::new(
        "How far up the board the khon stands",
        "Makruk, the side named first to move: the share it wins in time with a khon on each rank, as the khon's own side counts ranks. whose: a khon of the first side, or of the second, which defends.",
        2,
        &["ending", "whose", "1", "2", "3", "4", "5", "6", "7", "8"],
    );
    for ending in &group.endings {
        let Some(scan) = ending.findings.as_ref().and_then(|f| f.scan.as_ref()) else {
            continue;
        };
        for ranks in scan.khon.chunks(8) {
            let Some(first) = ranks.first() else { continue };
            let whose = match first.side.as_str() {
                "white" => "first",
                _ => "second",
            };
            let mut cells = vec![ending.study.material.to_string(), whose.to_string()];
            cells.extend(
                ranks
                    .iter()
                    .map(|rank| part(rank.tally.in_time, rank.tally.legal)),
            );
            table.row(cells);
        }
    }
    table
}

fn records(group: &Group) -> Table {
    let mut table = Table::new(
        "Record positions",
        "Makruk: the hardest position that is still won in time, and the nearest miss. `sakmak line` plays each out with the count. A miss without a number is won on the board, but only by baring the king too late.",
        2,
        &["ending", "what", "moves", "position"],
    );
    for ending in &group.endings {
        let lines = ending.findings.iter().flat_map(|f| &f.lines);
        for line in lines {
            let record = &line.record;
            table.row([
                ending.study.material.to_string(),
                record.kind.words().to_string(),
                record.moves.map_or("-".to_string(), |n| n.to_string()),
                short(&record.fen).to_string(),
            ]);
        }
    }
    table
}
