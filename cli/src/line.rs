//! `sakmak line`: shows best play.

use sakmak::board::{Color, Fen, Position};
use sakmak::probe::{Line, ProbeError, Tablebase};
use sakmak::probe::{line_end, line_pgn};
use sakmak::rules::{Count, RuleSet, begins_afresh};

use super::count::count_in_words;
use super::output::{print, print_json};
use super::position_args::PositionArgs;
use super::{Common, Failure};

/// Show best play by both sides to the end, with the count
///
/// The winning side takes the shortest win, and the losing side holds out as long as possible. The
/// line ends with mate or when the count runs out. It is empty if neither side can force mate.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak line \"8/8/8/3k4/8/3K4/2SM4/8 w\"\n  \
sakmak line \"8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78\" --pgn > line.pgn")]
pub struct Args {
    #[command(flatten)]
    question: PositionArgs,
    /// Print the line as PGN
    #[arg(long, conflicts_with = "json")]
    pgn: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.open_tables()?;
    let rules = args.question.rules();
    let fen = args.question.read(&tablebase)?;
    let line = tablebase.line(&fen.position, rules, &Count::from_fen(&fen))?;
    if args.json {
        return print_json(&line.document(&fen, rules));
    }
    match args.pgn {
        true => print(&line_pgn("Best play by both sides", &fen, rules, &line)),
        false => print(&text(&fen, rules, &line, &tablebase)?),
    }
}

/// Writes the count at the start, then the moves in numbered pairs. A number that is counted aloud
/// with a move follows the move: `7…`. A count that begins within the line, with the capture of the
/// last man or with the capture or promotion of the last bia, is described on a separate line.
fn text(
    fen: &Fen,
    rules: RuleSet,
    line: &Line,
    tablebase: &Tablebase,
) -> Result<String, ProbeError> {
    let mut text = count(tablebase, &fen.position, rules, &Count::from_fen(fen))?;
    let mut number = fen.fullmove;
    for (i, played) in line.moves.iter().enumerate() {
        let white = played.before.turn() == Color::White;
        if white {
            text += &format!("{number:>3}. ");
        } else if text.is_empty() || text.ends_with('\n') {
            text += &format!("{number:>3}. {:<14}", "…");
        }
        let mut shown = played.before.san(played.m, rules.lettering());
        if let Some(counted) = played.counted {
            shown += &format!("  {counted}…");
        }
        let after = played.before.play(played.m);
        let begun = match begins_afresh(rules, played.before.material(), after.material()) {
            true => count(tablebase, &after, rules, &Count::Fresh)?,
            false => String::new(),
        };
        if white && i + 1 < line.moves.len() && begun.is_empty() {
            text += &format!("{shown:<14}");
        } else {
            text += &format!("{shown}\n{begun}");
        }
        number += u32::from(!white);
    }
    Ok(text + &line_end(line) + "\n")
}

/// Describes the count at one position of the line. Empty if neither side wins.
fn count(
    tablebase: &Tablebase,
    position: &Position,
    rules: RuleSet,
    count: &Count,
) -> Result<String, ProbeError> {
    let value = tablebase.probe(position, rules, count)?;
    let winner = value.dtm.winner(position.turn());
    let words = winner.zip(value.allowance);
    let words = words.map(|(winner, allowance)| count_in_words(&allowance, winner));
    Ok(words.unwrap_or_default())
}
