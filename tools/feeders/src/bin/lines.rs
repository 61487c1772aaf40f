//! Prints what `capi/examples/lines.c` prints, by the Rust library: lines of best play, and the
//! values of all positions.
//!
//! ```text
//! lines TABLES makruk|asean|ouk < positions.txt
//! ```

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::bail;
use sakmak::board::Position;
use sakmak::probe::{Distance, End, Line, Tablebase};
use sakmak::rules::{Count, RuleSet};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tables, rules] = arguments.as_slice() else {
        bail!("usage: lines TABLES RULES");
    };
    let rules: RuleSet = rules.parse()?;
    let mut tablebase = Tablebase::new();
    for directory in std::env::split_paths(tables) {
        tablebase.add_directory(&directory)?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut questions = Vec::new();
    for fen in io::stdin().lock().lines() {
        let Ok(fen) = rules.read_fen(&fen?) else {
            continue;
        };
        let (position, count) = (fen.position, Count::from_fen(&fen));
        questions.push((position, count));
        if lines(&mut out, &tablebase, &position, rules, &count).is_err() {
            writeln!(out, "none")?;
        }
    }
    for (position, count) in questions {
        if let Ok(value) = tablebase.probe(&position, rules, &count) {
            writeln!(out, "{} {}", value.category, moves(value.dtm))?;
        }
    }
    Ok(out.flush()?)
}

fn moves(distance: Distance) -> u32 {
    distance.moves().map_or(0, |moves| moves.0.into())
}

/// Prints the line of best play and the one that begins with the worst move.
fn lines(
    out: &mut impl Write,
    tablebase: &Tablebase,
    position: &Position,
    rules: RuleSet,
    count: &Count,
) -> anyhow::Result<()> {
    let best = tablebase.line(position, rules, count)?;
    let ranked = tablebase.best_moves(position, rules, count)?;
    let worst = ranked.last();
    let worst = worst.map(|first| tablebase.line_after(position, rules, count, first));
    for line in [Some(Ok(best)), worst].into_iter().flatten() {
        writeln!(out, "{}", written(&line?, rules))?;
    }
    Ok(())
}

fn written(line: &Line, rules: RuleSet) -> String {
    let mut text = String::new();
    for played in &line.moves {
        let (kind, clock) = match played.count {
            Count::Fresh => (0, 0),
            Count::Clock { .. } => (1, 0),
            Count::Explicit { .. } => (2, 0),
            Count::Both { clock_plies, .. } => (3, clock_plies),
        };
        let (limit, counted) = match played.count {
            Count::Clock { plies } => (0, plies),
            count => count.running().unwrap_or_default(),
        };
        text += &format!(
            "{}={} {} {} {}/{kind}:{limit}/{counted}/{clock}, ",
            played.m.uci(rules.lettering()),
            played.before.san(played.m, rules.lettering()),
            played.category,
            moves(played.dtm),
            played.counted.unwrap_or(0),
        );
    }
    text + match line.end {
        End::Checkmate => "checkmate",
        End::Stalemate => "stalemate",
        End::Counted => "count",
        End::Draw => "draw",
    }
}
