//! The columns of the figures and their explanations, shared by all formats.

use std::cmp::Reverse;

use crate::{Row, Standing};
use sakmak::board::Color;
use sakmak::rules::RuleSet;

use super::contents::{Ending, Group};
use super::tables::{Cell, Table};
use super::words::{capital, in_time, name, or_dash, share, verdict};

/// A column of the figures.
pub struct Column {
    /// The heading of the column.
    pub heading: &'static str,
    /// The explanation of the column.
    pub help: &'static str,
    /// Formats the column's cell for a row.
    pub cell: fn(&Row) -> String,
}

/// The number of columns that contain text. They come before the columns of numbers.
const WORDS: usize = 3;

/// All columns, from left to right.
pub const COLUMNS: [Column; 13] = [
    Column {
        heading: "ending",
        help: "the men: K khun (king), R ruea (rook), N ma (knight), S khon (one step to any of its four \
            diagonals or straight ahead), M met (one step diagonally); the side named first is White",
        cell: |row| row.material.to_string(),
    },
    Column {
        heading: "wins",
        help: "the side whose wins are counted. If both sides have the same men, one line stands for both",
        cell: |row| row.material.army(row.winner).to_string(),
    },
    Column {
        heading: "turn",
        help: "the side to move",
        cell: |row| match row.winner_to_move {
            true => row.winner.to_string(),
            false => (!row.winner).to_string(),
        },
    },
    Column {
        heading: "moves",
        help: "the moves that a fresh count leaves the winner; - if nothing is counted",
        cell: |row| or_dash(row.moves_available),
    },
    Column {
        heading: "longest",
        help: "the longest win in moves, to mate or, where both sides have men, to honor: mate, or the capture \
            of the last enemy man with enough time left to mate",
        cell: |row| or_dash(row.longest),
    },
    Column {
        heading: "fits",
        help: "the longest win inside the count",
        cell: |row| or_dash(row.longest_in_time),
    },
    Column {
        heading: "misses",
        help: "the shortest win that is too long for the count",
        cell: |row| or_dash(row.shortest_too_long),
    },
    Column {
        heading: "won",
        help: "the share of positions in which mate can be forced",
        cell: |row| share(row.share(row.won)),
    },
    Column {
        heading: "in time",
        help: "the share in which mate can be forced inside the count",
        cell: in_time,
    },
    Column {
        heading: "count",
        help: "the share in which mate can be forced, but not inside the count",
        cell: |row| share(row.share(row.count_draws)),
    },
    Column {
        heading: "drawn",
        help: "the share in which neither side can force mate",
        cell: |row| share(row.share(row.drawn)),
    },
    Column {
        heading: "lost",
        help: "the share in which the other side can force mate",
        cell: |row| share(row.share(row.lost)),
    },
    Column {
        heading: "verdict",
        help: "how often the winner beats the count, with the winner to move",
        cell: |row| match row.winner_to_move {
            true => verdict(row.standing).to_string(),
            false => String::new(),
        },
    },
];

impl Column {
    /// The heading of the column, which depends on whether the table has endings against a bare
    /// king (`bare`) or other endings.
    pub fn heading(&self, bare: bool) -> &'static str {
        match self.heading {
            "longest" if !bare => "to honor",
            heading => heading,
        }
    }
}

/// The columns for endings against a bare king (`bare`) or for other endings. Against a bare king,
/// the columns `wins` and `lost` are omitted.
pub fn columns(bare: bool) -> impl Iterator<Item = &'static Column> {
    COLUMNS
        .iter()
        .filter(move |column| !(bare && ["wins", "lost"].contains(&column.heading)))
}

/// The legend that explains the columns.
pub fn legend() -> String {
    let columns = COLUMNS
        .iter()
        .map(|column| format!("{}: {}.", column.heading, column.help));
    format!(
        "Shares are percentages of all legal positions with one side to move. Exchanging two men of one kind gives the same position; mirror images count as different positions.\n{}\n\
A side {}.\n\
Pieces' honor (ศักดิ์หมาก, sak mak) is the count of a bare king. Its limit depends on the men of the other side. \
Board's honor (ศักดิ์กระดาน, sak kradan) is the count while both sides have men: 64 moves in makruk, 63 in ouk.\n",
        columns.collect::<Vec<_>>().join("\n"),
        Standing::RULE
    )
}

/// For each rule set, the table that shows which endings of a group can be won inside the count.
pub fn overview(group: &Group, rules: &[RuleSet]) -> Vec<Table> {
    let mut tables = Vec::new();
    for &set in rules {
        for bare in [true, false] {
            let endings = group.endings.iter().copied();
            let endings = endings.filter(|e| e.material().is_bare() == bare);
            let mut winners: Vec<(&Ending, &Row)> = endings
                .filter_map(|ending| Some((ending, ending.study.under(set)?)))
                .flat_map(|(ending, rules)| rules.winners().map(move |row| (ending, row)))
                .collect();
            if winners.is_empty() {
                continue;
            }
            winners.sort_by_key(|(_, row)| {
                let percent = row.share(row.in_time).percent();
                let best = Reverse((row.standing, (percent * 1e6) as u64));
                (best, row.material, row.winner == Color::Black)
            });
            let whom = match bare {
                true => "against a bare king",
                false => "both sides have men",
            };
            let headings: Vec<&str> = columns(bare).map(|column| column.heading(bare)).collect();
            let mut table = Table::new(
                &format!("{}: {whom}", capital(name(set))),
                "",
                WORDS - usize::from(bare),
                &headings,
            );
            for (ending, own) in winners {
                let rules = ending.study.under(set);
                let other = rules.and_then(|rules| rules.row(own.winner, false));
                for row in [Some(own), other].into_iter().flatten() {
                    table.row(columns(bare).map(|column| Cell::Text((column.cell)(row))));
                }
            }
            tables.push(table);
        }
    }
    tables
}
