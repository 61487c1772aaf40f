//! Answers positions from standard input, one a line, by the library's single calls, in the form of
//! `sakmak probe --json -`: the same answers by another way, for a comparison
//! (`tools/bindings/run`). Two threads ask at once.
//!
//! ```text
//! answers DIRECTORY RULES < positions.txt
//! ```

use std::io::{self, BufWriter, Write};

use anyhow::bail;
use sakmak::board::{Color, Fen};
use sakmak::probe::{Distance, ProbeError, Tablebase};
use sakmak::rules::{Allowance, Category, Count, LimitKind, ReadError, RuleSet};

/// Positions that a thread takes at once.
const SHARE: usize = 64;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rules] = arguments.as_slice() else {
        bail!("usage: answers DIRECTORY RULES < positions.txt");
    };
    let rules: RuleSet = rules.parse()?;
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;
    let lines: Vec<String> = io::stdin().lines().collect::<Result<_, _>>()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let tablebase = &tablebase;
    let all = |share: &[String]| -> String {
        share
            .iter()
            .map(|line| one(tablebase, line, rules))
            .collect()
    };
    for pair in lines.chunks(2 * SHARE) {
        let (first, second) = pair.split_at(SHARE.min(pair.len()));
        let (first, second) = rayon::join(|| all(first), || all(second));
        out.write_all(first.as_bytes())?;
        out.write_all(second.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

fn one(tablebase: &Tablebase, line: &str, rules: RuleSet) -> String {
    let line = line.trim();
    if line.is_empty() {
        return String::new();
    }
    let answer = rules
        .read_fen(line)
        .map_err(Reason::from)
        .and_then(|fen| Ok(answer(tablebase, &fen, rules)?));
    answer.unwrap_or_else(|Reason(kind, message)| {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        format!(
            "{{\"fen\":{},\"error\":{{\"kind\":\"{kind}\",\"message\":{}}}}}\n",
            quoted(line),
            quoted(&message)
        )
    })
}

/// Why there is no answer: the word for it and the sentence.
struct Reason(&'static str, String);

impl From<ReadError> for Reason {
    fn from(error: ReadError) -> Reason {
        let kind = match &error {
            ReadError::NotInTables(_) => "not-in-tables",
            ReadError::Fen(_) => "input",
        };
        Reason(kind, error.to_string())
    }
}

impl From<ProbeError> for Reason {
    fn from(error: ProbeError) -> Reason {
        let kind = match &error {
            ProbeError::Count(_) => "input",
            ProbeError::NotInTables(_) => "not-in-tables",
            ProbeError::Missing { .. } | ProbeError::MissingRules { .. } => "missing-table",
            _ => "file",
        };
        Reason(kind, error.to_string())
    }
}

fn answer(tablebase: &Tablebase, fen: &Fen, rules: RuleSet) -> Result<String, ProbeError> {
    let position = &fen.position;
    let count = Count::from_fen(fen);
    let value = tablebase.probe(position, rules, &count)?;
    let moves = tablebase.best_moves(position, rules, &count)?;
    let side = position.turn();
    let mut text = format!(
        "{{\"fen\":\"{}\",\"rules\":\"{rules}\",\"side_to_move\":\"{side}\",\"category\":{},\"dtm\":{},\"dth\":{},\"unit\":\"moves\",\"checkmate\":{},\"stalemate\":{},\"insufficient_material\":{},\"count\":",
        fen.display(rules.lettering()),
        category(value.category),
        distance(Some(value.dtm)),
        distance(value.dth),
        position.is_checkmate(),
        position.is_stalemate(),
        insufficient(tablebase, fen, rules)?,
    );
    text += &value.allowance.map_or("null".to_string(), allowance);
    let moves: Vec<String> = moves
        .iter()
        .map(|m| {
            format!(
                "{{\"uci\":\"{}\",\"san\":\"{}\",\"for\":\"{side}\",\"category\":{},\"dtm\":{},\"dth\":{},\"capture\":{},\"checkmate\":{}{}}}",
                m.m.uci(rules.lettering()),
                position.san(m.m, rules.lettering()),
                category(m.category),
                distance(Some(m.dtm)),
                distance(m.dth),
                position.is_capture(m.m),
                position.play(m.m).is_checkmate(),
                m.begins
                    .map(|begins| format!(",\"count\":{}", allowance(begins)))
                    .unwrap_or_default()
            )
        })
        .collect();
    Ok(format!("{text},\"moves\":[{}]}}\n", moves.join(",")))
}

fn allowance(a: Allowance) -> String {
    format!(
        "{{\"kind\":\"{}\",\"limit\":{},\"counted\":{},\"started\":{},\"moves_available\":{}}}",
        match a.kind {
            LimitKind::PiecesHonor => "pieces-honor",
            LimitKind::BoardsHonor => "boards-honor",
            LimitKind::FiftyMoves => "fifty-moves",
        },
        a.limit,
        a.counted,
        a.started,
        a.moves_available
    )
}

/// By the statistics of the ending: no position of it is won.
fn insufficient(tablebase: &Tablebase, fen: &Fen, rules: RuleSet) -> Result<bool, ProbeError> {
    let men = fen.position.material().in_game(rules.game());
    let (material, _) = men.canonical();
    if material.men() == 2 {
        return Ok(true);
    }
    let statistics = tablebase.inventory().statistics(material)?;
    let wins = Color::ALL
        .into_iter()
        .flat_map(|turn| Color::ALL.map(|winner| statistics.to_move(turn).wins(winner)));
    Ok(wins.flatten().all(|&n| n == 0))
}

fn category(category: Category) -> String {
    format!("\"{category}\"")
}

fn distance(distance: Option<Distance>) -> String {
    match distance {
        Some(Distance::Win(moves) | Distance::Loss(moves)) => moves.to_string(),
        Some(Distance::Draw) | None => "null".to_string(),
    }
}
