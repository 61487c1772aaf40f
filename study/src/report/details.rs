//! Tables of details, most of them from scans. All but those on promotion are about makruk.

use crate::{RECORD_RULES, RecordKind, Scan, Tally};
use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;

use super::contents::Group;
use super::promotion_details as promotion;
use super::tables::{Cell, Table};
use super::words::{or_dash, part, share, short_name};
use crate::text::number;

/// The tables of details for a group of endings, without empty tables.
pub fn details(group: &Group) -> Vec<Table> {
    let tables = [
        when_late(group),
        last_man(group),
        bare_captures(group),
        zugzwangs(group),
        met(group),
        khon(group),
        records(group),
    ];
    let tables = tables.into_iter().chain(promotion::tables(group));
    tables.filter(|table| !table.rows.is_empty()).collect()
}

fn scans<'a>(group: &Group<'a>) -> impl Iterator<Item = (CanonicalMaterial, &'a Scan)> {
    let endings = group.endings.clone().into_iter();
    endings.filter_map(|ending| Some((ending.material(), ending.scan()?)))
}

/// Makes a row whose first cell is the ending.
fn row<const N: usize>(material: CanonicalMaterial, cells: [String; N]) -> Vec<Cell> {
    let cells = cells.into_iter().map(Cell::from);
    std::iter::once(Cell::from(material)).chain(cells).collect()
}

/// The share of positions that White wins in time, as text.
pub fn in_time(tally: &Tally) -> String {
    part(tally.in_time, tally.legal)
}

/// The numbers of moves already counted, one for each column of the table "When the count has
/// already run".
const LATER: [u32; 11] = [0, 1, 2, 4, 8, 12, 16, 24, 32, 40, 48];

/// The smallest percentage of positions that a side must win in time, with the counting side to
/// move, to get a row in the table "When the count has already run".
const WORTH_A_LINE: f64 = 0.01;

fn when_late(group: &Group) -> Table {
    let mut headings = vec!["ending".to_string(), "wins".to_string()];
    headings.extend(LATER.map(|later| later.to_string()));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(
        "When the count has already run",
        "The share of positions of makruk that are still won in time after this many moves have been counted. The counting side is to move.",
        2,
        &headings,
    );
    for ending in &group.endings {
        let Some(rules) = ending.makruk() else {
            continue;
        };
        for own in rules.winners() {
            let other = rules.row(own.winner, false);
            if other.is_none_or(|row| row.share(row.in_time).percent() < WORTH_A_LINE) {
                continue;
            }
            let army = ending.material().army(own.winner).to_string();
            let late =
                LATER.map(|later| or_dash(rules.won_when_late(own.winner, later).map(share)));
            let cells = std::iter::once(army).chain(late).map(Cell::from);
            table.row(std::iter::once(Cell::from(ending.material())).chain(cells));
        }
    }
    table
}

fn last_man(group: &Group) -> Table {
    let mut table = Table::new(
        "Taking the last man",
        "Positions of makruk in which the side named first is to move and can take the last enemy man. “wins”, “too late” and “draws”: the shares in which the capture wins, leads to a mate that comes too late for the new count, or draws for another reason. “thrown”: the share of the positions won in time in which the capture throws the win away. The last column shows a position in which mate after the capture comes too late.",
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
    for (material, scan) in scans(group) {
        let Some(captures) = &scan.last_man else {
            continue;
        };
        let counts = &captures.counts;
        if counts.wins + counts.too_late == 0 {
            continue;
        }
        let mut cells = row(
            material,
            [
                number(counts.possible),
                part(counts.wins, counts.possible),
                part(counts.too_late, counts.possible),
                part(counts.draws, counts.possible),
                part(counts.throws_away, counts.wins + counts.throws_away),
            ],
        );
        cells.extend(
            captures
                .examples
                .first()
                .map(|fen| Cell::Fen(*fen, RECORD_RULES)),
        );
        table.row(cells);
    }
    table
}

fn bare_captures(group: &Group) -> Table {
    let mut table = Table::new(
        "Which capture saves the bare king",
        "Positions of makruk in which the bare king is to move and can take a man of this kind. “saves”: the share in which the capture draws, which is the sum of the next two columns. “drawn”: the share in which the remaining men cannot force mate. “too late”: the share in which they can, but not in the moves that the count leaves.",
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
    for (material, scan) in scans(group) {
        for captures in &scan.bare_captures {
            let counts = &captures.counts;
            // With three men the capture always draws.
            if counts.possible == 0 || material.men() < 4 {
                continue;
            }
            let left = material.army(Color::White).to_string();
            let cells = [
                captures.man.to_string(),
                format!("{}vK", left.replacen(captures.man, "", 1)),
                number(counts.possible),
                part(counts.draws + counts.too_late, counts.possible),
                part(counts.draws, counts.possible),
                part(counts.too_late, counts.possible),
            ];
            table.row(row(material, cells));
        }
    }
    table
}

fn zugzwangs(group: &Group) -> Table {
    let mut table = Table::new(
        "Zugzwang",
        "The number of positions in which having to move costs a side the win or the draw, if nothing is counted. “first”: the side named first wins if the other side is to move, but not if it is to move itself. “second”: the same with the sides exchanged. “both”: each side loses if it is to move. The example is of the rarest kind that was found.",
        1,
        &["ending", "first", "second", "both", "for instance"],
    );
    for (material, scan) in scans(group) {
        let found = &scan.zugzwangs;
        if found.white + found.black + found.both == 0 {
            continue;
        }
        let examples = [
            &found.both_examples,
            &found.black_examples,
            &found.white_examples,
        ];
        let rarest = examples.into_iter().find_map(|fens| fens.first());
        let mut cells = row(material, [found.white, found.black, found.both].map(number));
        cells.extend(rarest.map(|fen| Cell::Fen(*fen, RECORD_RULES)));
        table.row(cells);
    }
    table
}

fn met(group: &Group) -> Table {
    let mut table = Table::new(
        "The colours of the mets",
        "A met always stays on squares of one colour. The figures are for makruk, with the side named first to move. 2+1 means two mets on squares of one colour and one met on a square of the other.",
        3,
        &["ending", "first", "second", "positions", "won", "in time"],
    );
    let pair = |one: usize, other: usize| match one + other {
        0 => "-".to_string(),
        _ => format!("{one}+{other}"),
    };
    for (material, scan) in scans(group) {
        for colours in &scan.met {
            let tally = &colours.tally;
            let cells = [
                pair(colours.white_one, colours.white_other),
                pair(colours.black_one, colours.black_other),
                number(tally.legal),
                part(tally.won, tally.legal),
                in_time(tally),
            ];
            table.row(row(material, cells));
        }
    }
    table
}

fn khon(group: &Group) -> Table {
    let mut table = Table::new(
        "How far up the board the khon stands",
        "The share of positions of makruk that the side named first, to move, wins in time with a khon on each rank, counted from the khon's own side. “whose”: whether the khon belongs to the side named first or to the second side, which defends.",
        2,
        &["ending", "whose", "1", "2", "3", "4", "5", "6", "7", "8"],
    );
    for (material, scan) in scans(group) {
        for ranks in scan.khon.chunks_exact(8) {
            let whose = match ranks[0].side {
                Color::White => "first",
                Color::Black => "second",
            };
            let mut cells = row(material, [whose.to_string()]);
            cells.extend(ranks.iter().map(|rank| Cell::Text(in_time(&rank.tally))));
            table.row(cells);
        }
    }
    table
}

const RECORDS: &str = "The hardest positions of makruk that are still won in time, and the nearest misses, in which mate comes just too late. `sakmak line` shows best play from each position, with the count. A miss without a number would be won if nothing were counted, but White cannot take the last man in time.";
const COUNT_DRAWS: &str = "A count draw of an ending with bia would be mate in this number of moves if nothing were counted.";

fn records(group: &Group) -> Table {
    let lines = || {
        let endings = group.endings.iter();
        endings.flat_map(|ending| {
            let found = ending.findings.iter().flat_map(|found| &found.lines);
            found.map(move |line| (ending.material(), &line.record))
        })
    };
    let has_draws = lines().any(|(_, record)| record.kind == RecordKind::HardestCountDraw);
    let words = match has_draws {
        false => RECORDS.to_string(),
        true => format!("{RECORDS} {COUNT_DRAWS}"),
    };
    let mut table = Table::new(
        "Record positions",
        &words,
        2,
        &["ending", "what", "moves", "position"],
    );
    for (material, record) in lines() {
        let mut kind = record.kind.words().to_string();
        if record.rules != RECORD_RULES {
            kind = format!("{kind}, {}", short_name(record.rules));
        }
        let mut cells = row(material, [kind, or_dash(record.moves)]);
        cells.push(Cell::Fen(record.fen, record.rules));
        table.row(cells);
    }
    table
}
