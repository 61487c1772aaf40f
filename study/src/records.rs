//! Record positions of an ending: its longest wins in time, its shortest wins that are too long for
//! the count and, with bia, its longest count draws, each with a line of best play.

use serde::{Deserialize, Serialize};

use super::ending::{EndingStudy, Row, RulesStudy};
use sakmak::board::{Color, Fen, Move};
use sakmak::probe::{Distance, End, Line, Played, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordKind {
    /// The longest win inside the count.
    HardestWin,
    /// The shortest win that is too long for the count.
    NearestMiss,
    /// The longest win on the board that the count draws. Only in endings with bia.
    HardestCountDraw,
}

impl RecordKind {
    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            RecordKind::HardestWin => "hardest win",
            RecordKind::NearestMiss => "nearest miss",
            RecordKind::HardestCountDraw => "hardest count draw",
        }
    }
}

/// A record position of an ending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The kind of record.
    pub kind: RecordKind,
    /// The rule set.
    pub rules: RuleSet,
    /// The position.
    #[serde(with = "crate::as_text")]
    pub fen: Fen,
    /// The number of the winner's moves to mate or, with men on both sides or with bia, to honor.
    /// In a count draw, to mate. None if the winner can force mate, but neither mates nor reaches
    /// honor in time.
    pub moves: Option<usize>,
    /// True if White is the winner.
    pub white_wins: bool,
}

impl Record {
    /// The side that wins on the board.
    pub fn winner(&self) -> Color {
        match self.white_wins {
            true => Color::White,
            false => Color::Black,
        }
    }
}

/// The rule set of all records but count draws.
pub const RECORD_RULES: RuleSet = RuleSet::Makruk;

/// The percentage of positions that Black must win for its records to be included. White's records
/// are always included.
const WORTH_A_RECORD: f64 = 0.1;

/// The record positions of an ending. Prefers positions with the winner to move. `late` lists
/// positions that White wins on the board but not in time. The first of them is White's nearest
/// miss if no win has a distance that is too long. `draws` are the hardest count draws.
pub fn records(study: &EndingStudy, late: &[Fen], draws: &[Record]) -> Vec<Record> {
    let mut found = Vec::new();
    if let Some(rules) = study.under(RECORD_RULES) {
        add_wins(rules, late, &mut found);
    }
    let often = |draw: &&Record| {
        let winner = draw.winner();
        let row = study.under(draw.rules)?.row(winner, true)?;
        Some(winner == Color::White || is_often(row))
    };
    found.extend(
        draws
            .iter()
            .filter(|draw| often(draw) == Some(true))
            .cloned(),
    );
    found
}

/// True if the winner of the row wins often enough for records.
fn is_often(row: &Row) -> bool {
    row.share(row.won).percent() >= WORTH_A_RECORD
}

/// Adds the longest win in time and the nearest miss of each side.
fn add_wins(rules: &RulesStudy, late: &[Fen], found: &mut Vec<Record>) {
    for own in rules.winners() {
        let rows = [Some(own), rules.row(own.winner, false)];
        let rows = || rows.into_iter().flatten();
        let white_wins = own.winner == Color::White;
        if !white_wins && !is_often(own) {
            continue;
        }
        let record = |kind, fen: &Fen, moves| Record {
            kind,
            rules: RECORD_RULES,
            fen: *fen,
            moves,
            white_wins,
        };
        let hardest = rows().find_map(|row| row.longest_in_time_fen.zip(Some(row)));
        found.extend(
            hardest.map(|(shown, row)| {
                record(RecordKind::HardestWin, &shown.fen, row.longest_in_time)
            }),
        );
        let missed = rows().find_map(|row| row.shortest_too_long_fen.zip(Some(row)));
        let missed = missed
            .map(|(shown, row)| record(RecordKind::NearestMiss, &shown.fen, row.shortest_too_long));
        let late = late.first().filter(|_| white_wins);
        let late = late.map(|fen| record(RecordKind::NearestMiss, fen, None));
        found.extend(missed.or(late));
    }
}

/// The line of best play from a record position, with its moves as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine {
    /// The record position.
    #[serde(flatten)]
    pub record: Record,
    /// The moves in UCI notation.
    pub line: Vec<String>,
    /// How the line ends: `checkmate`, `stalemate`, `count` or `draw`.
    pub end: String,
}

/// The name of each way in which a line ends.
const ENDS: [(End, &str); 4] = [
    (End::Checkmate, "checkmate"),
    (End::Stalemate, "stalemate"),
    (End::Counted, "count"),
    (End::Draw, "draw"),
];

impl RecordLine {
    /// Finds best play from a record position.
    ///
    /// # Errors
    ///
    /// If a table is missing or cannot be used.
    pub fn play(tablebase: &Tablebase, record: Record) -> Result<RecordLine, ProbeError> {
        let line = tablebase.line(&record.fen.position, record.rules, &Count::Fresh)?;
        let end = ENDS.iter().find(|(end, _)| *end == line.end);
        Ok(RecordLine {
            record,
            line: line
                .moves
                .iter()
                .map(|played| played.m.to_string())
                .collect(),
            end: end.map_or("draw", |(_, name)| name).to_string(),
        })
    }

    /// Replays the moves of the line. None if a move or the end of the line is invalid.
    pub fn replay(&self) -> Option<(Fen, Line)> {
        let fen = self.record.fen;
        let (rules, winner) = (self.record.rules, self.record.winner());
        let mut line = Line {
            moves: Vec::new(),
            last: fen.position,
            count: Count::Fresh,
            end: ENDS.iter().find(|(_, name)| *name == self.end)?.0,
        };
        for uci in &self.line {
            let before = line.last;
            let m: Move = uci.parse().ok()?;
            if !before.legal_moves_in(rules.game()).contains(&m) {
                return None;
            }
            line.last = before.play(m);
            line.count = line.count.after(rules, &before, &line.last, winner);
            let counted = line.count.number().filter(|_| before.turn() != winner);
            line.moves.push(Played {
                before,
                m,
                category: Category::Draw,
                dtm: Distance::Draw,
                counted,
                count: line.count,
            });
        }
        Some((fen, line))
    }
}
